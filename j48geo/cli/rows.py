"""Data files on their way into a command: opened, guarded, in blocks."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from j48geo.cli.options import InputOptions
from j48geo.cli.words import Words
from j48geo.errors import DataReadError, ReadError

if TYPE_CHECKING:
    from j48geo.arrays import Floats
    from j48geo.core.dataset import Dataset, Header
    from j48geo.core.tree import BoxTree
    from j48geo.data.arff.stream import ArffStream
    from j48geo.data.csv import CsvStream

__all__ = [
    "Rows",
    "check_weights",
    "complete_class",
    "display_name",
    "guarded",
    "is_same_file",
    "joined",
    "open_rows",
    "read_whole",
]

T = TypeVar("T")

HEAVIEST = 1e100
"""Weights up to this, as many as there may be, have sums and products that are numbers."""


@dataclass
class Rows:
    """Data that is being read: its header is known, its rows come in blocks, once."""

    name: str
    header: Header
    blocks: Iterator[Dataset]


@contextmanager
def open_rows(
    source: str, options: InputOptions, words: Words, header: Header | None = None
) -> Iterator[Rows]:
    """Open a data file; its notes are said when its rows have been read.

    Parameters
    ----------
    header
        Types of the columns, for data that carries none (CSV).
    """
    name = display_name(source)
    with _opened(source, options, header) as stream:

        def blocks() -> Iterator[Dataset]:
            steps = iter(stream)
            while (block := guarded(DataReadError, name, lambda: next(steps, None))) is not None:
                yield block
            words.note(*stream.notes)

        yield Rows(name, stream.header, blocks())


def _opened(source: str, options: InputOptions, header: Header | None) -> ArffStream | CsvStream:
    from j48geo.data.files import open_data

    name = display_name(source)

    def opened() -> ArffStream | CsvStream:
        return open_data(
            source,
            header=header,
            class_attribute=options.class_attribute,
            timezone=options.timezone,
            encoding=options.encoding,
        )

    try:
        return guarded(DataReadError, name, opened)
    except DataReadError as error:
        if header is None and error.line and name.lower().endswith((".csv", ".csv.gz")):
            raise DataReadError(
                error.problem,
                "expected ARFF; CSV needs --train FILE.arff to tell its types",
                error.source,
                error.line,
                error.column,
                error.excerpt,
            ) from error
        raise


def read_whole(source: str, options: InputOptions, words: Words) -> Dataset:
    """All rows of a file, for a tree to be replayed on."""
    with open_rows(source, options, words) as rows:
        return joined(rows.header, list(rows.blocks))


def joined(header: Header, blocks: list[Dataset]) -> Dataset:
    """One data set; string and relational cells are not needed by a tree and left behind."""
    import numpy as np

    from j48geo.core.dataset import Dataset

    if not blocks:
        return Dataset(header, np.empty((0, len(header))), np.empty(0))
    return Dataset(
        header,
        np.concatenate([b.X for b in blocks]),
        np.concatenate([b.weights for b in blocks]),
    )


def complete_class(rows: Rows, tree: BoxTree, words: Words) -> None:
    """Give DATA without the class attribute one whose values are all missing."""
    import numpy as np

    wanted = tree.header.class_attribute
    if wanted.name in rows.header.names:
        return
    words.note(f"{rows.name} has no attribute {wanted.name!r}; the class is taken as missing")
    old = rows.header
    header = replace(old, attributes=(*old.attributes, wanted), class_index=len(old))
    blocks = rows.blocks
    rows.header = header
    rows.blocks = (
        replace(b, header=header, X=np.column_stack([b.X, np.full(len(b), np.nan)])) for b in blocks
    )


def display_name(source: str) -> str:
    """The name of a source in messages."""
    return "<stdin>" if source == "-" else source


def guarded(kind: type[ReadError], name: str, step: Callable[[], T]) -> T:
    """`step()`; what the machine cannot do becomes an error of the file."""
    try:
        return step()
    except MemoryError as error:
        raise kind("too large for the memory of this machine", source=name) from error
    except RecursionError as error:
        raise kind("nested too deeply", source=name) from error
    except (OSError, UnicodeError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise kind(f"cannot be read: {reason}", source=name) from error


def check_weights(weights: Floats, first: int, name: str) -> None:
    """Refuse weights that nothing can be weighed by; `first` is the number of the first row."""
    wrong = (~((weights >= 0) & (weights <= HEAVIEST))).nonzero()[0]
    if len(wrong):
        raise DataReadError(
            f"row {first + int(wrong[0])} has weight {float(weights[wrong[0]]):g}",
            "expected a number from 0 to 1e100",
            name,
        )


def is_same_file(one: str, other: str | None) -> bool:
    """Whether two names mean one file, whether it exists or not; ``-`` is no file."""
    if other is None or "-" in (one, other):
        return False
    try:
        return os.path.samefile(one, other)
    except OSError:
        return os.path.realpath(one) == os.path.realpath(other)
