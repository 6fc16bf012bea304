"""Data for a tree, whatever its format: ARFF, or CSV where a header is known."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from j48geo.core.dataset import Dataset, Header
from j48geo.data.arff.stream import ArffStream, Engine, open_arff
from j48geo.data.arff.tokens import Kind, Lines, Tokens
from j48geo.data.collect import collect
from j48geo.data.columns import TableReading
from j48geo.data.csv import CsvStream, open_csv
from j48geo.data.source import SourceLike, open_source
from j48geo.errors import J48GeoError

__all__ = ["is_arff_file", "looks_like_arff", "open_data", "read_data"]

_HEAD = 1 << 16


def looks_like_arff(head: bytes) -> bool:
    """Whether the first word of a file is one that begins an ARFF file, and no CSV."""
    tokens = Tokens(Lines(iter([head]), source=""))
    while (kind := tokens.next()) is Kind.END_OF_LINE:
        pass
    # Nothing but comments so far: the rest will tell, and ARFF has the better message.
    return kind is Kind.END_OF_FILE or tokens.text.lower().startswith("@")


def _tells(head: bytes) -> bool:
    """Whether there is a line in it that says something; a pipe may give no other so far."""
    *lines, _ = head.replace(b"\r", b"\n").split(b"\n")
    return any(line.strip() and not line.lstrip().startswith(b"%") for line in lines)


def open_data(
    source: SourceLike,
    *,
    header: Header | Callable[[], Header] | None = None,
    class_attribute: str | int | None = "last",
    timezone: str = "UTC",
    encoding: str | None = None,
    engine: Engine = "auto",
    how: TableReading | None = None,
) -> ArffStream | CsvStream:
    """Open an ARFF file, or a CSV file if `header` says what its columns are.

    Which of the two it is, is decided by the content, not by the name.

    Parameters
    ----------
    header
        What CSV columns are, or what to call to find out; without it only ARFF can be read.
    class_attribute
        Of an ARFF file; CSV takes the class of `header`.
    timezone, encoding, engine
        As in `open_arff`.
    how
        As in `open_csv`.
    """
    opened = open_source(source, encoding=encoding)
    try:
        if header is None or looks_like_arff(opened.peek(_HEAD, _tells)):
            return open_arff(
                opened, class_attribute=class_attribute, timezone=timezone, engine=engine
            )
        known = header() if callable(header) else header
        return open_csv(opened, known, timezone=timezone, how=how)
    except BaseException:
        opened.close()
        raise


def read_data(source: SourceLike, **options: Any) -> Dataset:
    """Read a whole file of data; see `open_data`."""
    with open_data(source, **options) as stream:
        return collect(stream)


def is_arff_file(path: str) -> bool:
    """Whether there is a plain file of that name, and it begins as ARFF does."""
    if not os.path.isfile(path):
        return False
    try:
        with open_source(path) as opened:
            head = opened.peek(_HEAD)
    except (J48GeoError, OSError):
        return False
    return bool(head.strip()) and looks_like_arff(head)
