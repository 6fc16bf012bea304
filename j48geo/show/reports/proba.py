"""Probabilities as lines: JSON, CSV, a table for people, and columns added to the rows.

Every function takes blocks and yields text, so that a file of any length passes through in
constant memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.core.dataset import Attribute, Dataset, Header
from j48geo.score.flags import flag_names
from j48geo.score.probabilities import Probabilities
from j48geo.show.tables import (
    csv_lines,
    display_width,
    json_text,
    to_left,
)
from j48geo.show.wider import wider_header
from j48geo.words import one_line, plural

__all__ = [
    "EstimatedBlock",
    "ProbabilityTally",
    "probabilities_csv",
    "probabilities_json",
    "probabilities_jsonl",
    "probabilities_table",
    "widened_header",
    "widened_rows",
]


class EstimatedBlock(NamedTuple):
    """Rows, the class that the tree gives them, and their estimates by method.

    `predicted` is -1 where the class is not known; `first_row` counts from 1.
    """

    first_row: int
    rows: Dataset
    predicted: Ints
    estimates: Mapping[str, Probabilities]


def probabilities_jsonl(
    classes: tuple[str, ...], blocks: Iterable[EstimatedBlock]
) -> Iterator[str]:
    """One object a row and method, as ``j48geo proba --format jsonl`` promises it."""
    for objects in _objects(classes, blocks):
        yield "\n".join(objects) + "\n"


def probabilities_json(classes: tuple[str, ...], blocks: Iterable[EstimatedBlock]) -> Iterator[str]:
    """The same objects as one array."""
    lead = "[\n"
    for objects in _objects(classes, blocks):
        yield lead + ",\n".join(objects)
        lead = ",\n"
    yield "[]\n" if lead == "[\n" else "\n]\n"


def probabilities_csv(
    classes: tuple[str, ...], methods: Sequence[str], blocks: Iterable[EstimatedBlock]
) -> Iterator[str]:
    """Row, predicted, actual; for each method a column a class, then its flags."""
    titles = ["row", "predicted", "actual"]
    for method in methods:
        titles += [*(f"{method}({c})" for c in classes), f"{method} flags"]
    yield csv_lines([titles])
    labels = [*classes, ""]
    for block in blocks:
        columns: list[Iterable[object]] = [
            _numbers(block),
            [labels[i] for i in block.predicted.tolist()],
            [labels[i] for i in _actual(block.rows).tolist()],
        ]
        for method in methods:
            found = block.estimates[method]
            columns += [list(map(repr, column.tolist())) for column in found.distribution.T]
            columns.append(_flag_texts(found.flags, " ".join))
        yield csv_lines(zip(*columns, strict=True))


def probabilities_table(
    classes: tuple[str, ...],
    methods: Sequence[str],
    positive: int,
    blocks: Iterable[EstimatedBlock],
) -> Iterator[str]:
    """A table for people; two classes show the positive one only, ``+`` marks errors."""
    shown = [positive] if len(classes) == 2 else range(len(classes))
    labels = [one_line(c) for c in (*classes, "?")]
    width = max(9, *map(display_width, labels))
    labels = [to_left(label, width) for label in labels]
    columns = [(m, c, one_line(f"{m}({classes[c]})")) for m in methods for c in shown]
    widths = [max(6, display_width(title)) for _, _, title in columns]
    titles = ["    row", to_left("actual", width), to_left("predicted", width), "error"]
    titles += [
        " " * (w - display_width(t)) + t for (_, _, t), w in zip(columns, widths, strict=True)
    ]
    yield "  ".join([*titles, "flags"]) + "\n"
    yield "  ".join("-" * display_width(title) for title in [*titles, "flags"]) + "\n"
    for block in blocks:
        actual = _actual(block.rows)
        wrong = (actual >= 0) & (block.predicted >= 0) & (actual != block.predicted)
        cells: list[Iterable[str]] = [
            [f"{n:>7}" for n in _numbers(block)],
            [labels[i] for i in actual.tolist()],
            [labels[i] for i in block.predicted.tolist()],
            ["  +  " if x else "     " for x in wrong.tolist()],
        ]
        for (method, c, _), w in zip(columns, widths, strict=True):
            values = block.estimates[method].distribution[:, c].tolist()
            cells.append([f"{x:>{w}.4f}" for x in values])
        cells.append(_all_flags(block, methods))
        rows = zip(*cells, strict=True)
        yield "".join("  ".join(row).rstrip() + "\n" for row in rows)


def widened_header(header: Header, methods: Sequence[str]) -> Header:
    """The attributes of the data, then ``predicted`` and ``method(class)`` columns.

    A name that the data already uses gets an underscore behind it.
    """
    predicted = Attribute("predicted", "nominal", header.classes)
    numbers = (Attribute(f"{m}({c})") for m in methods for c in header.classes)
    return wider_header(header, (predicted, *numbers))


def widened_rows(
    header: Header, methods: Sequence[str], blocks: Iterable[EstimatedBlock]
) -> Iterator[Dataset]:
    """The rows of `blocks` with the columns of `widened_header`, which `header` is."""
    for block in blocks:
        predicted = np.where(block.predicted < 0, np.nan, block.predicted)
        columns = [block.estimates[method].distribution for method in methods]
        yield replace(
            block.rows, header=header, X=np.column_stack([block.rows.X, predicted, *columns])
        )


@dataclass
class ProbabilityTally:
    """Counts rows and flags, to say it in words at the end."""

    rows: int = 0
    flags: dict[tuple[str, str], int] = field(default_factory=dict)
    different: dict[str, set[float]] = field(default_factory=dict)

    def add(self, block: EstimatedBlock) -> None:
        """Count the rows of a block."""
        self.rows += len(block.predicted)
        for method, found in block.estimates.items():
            values, counts = np.unique(found.flags, return_counts=True)
            for mask, n in zip(values.tolist(), counts.tolist(), strict=True):
                for name in flag_names(mask):
                    self.flags[method, name] = self.flags.get((method, name), 0) + n
            seen = self.different.setdefault(method, set())
            if len(seen) <= _MANY:
                # Two classes have one number; with more the first tells most rows apart.
                seen.update(found.distribution[:, 0].tolist())

    def sentences(self) -> list[str]:
        """What is worth saying, one sentence each."""
        counted = [
            f"{method} {'over ' if len(seen) > _MANY else ''}{min(len(seen), _MANY)}"
            for method, seen in self.different.items()
        ]
        rows = plural(self.rows, "row")
        said = [f"{rows}; different probabilities: {', '.join(counted)}" if counted else rows]
        for (method, name), n in self.flags.items():
            said.append(f"{method}, {n} of {rows}: {_SAID[name]} ({name})")
        return said


_MANY = 100_000
"""Different probabilities are counted up to about this many."""

_SAID = {
    "no-class": "no known class, so the shares of all cases",
    "no-boundary": "a class has no boundary, so its share of all cases",
    "one-distance": "all cases lie equally far, so the shares at that distance",
    "empty-part": "no case shares the separator or leaf, so all cases speak",
    "far": "beyond the reach of the kernel, so the nearest case speaks",
    "no-cases": "nothing to estimate from",
    "not-largest": "the tree's class, which stands, is not the most probable",
}


# -------------------------------------------------------------------------------- columns


def _numbers(block: EstimatedBlock) -> range:
    return range(block.first_row, block.first_row + len(block.predicted))


def _actual(rows: Dataset) -> Ints:
    """Index of the class of each row, -1 if missing."""
    values = rows.class_values
    return np.where(np.isnan(values), -1, values).astype(np.intp)


def _flag_texts(flags: Ints, join: Callable[[list[str]], str]) -> list[str]:
    """Each row's flags as text; few combinations occur."""
    texts = {mask: join(flag_names(mask)) for mask in np.unique(flags).tolist()}
    return [texts[mask] for mask in flags.tolist()]


def _all_flags(block: EstimatedBlock, methods: Sequence[str]) -> list[str]:
    if len(methods) == 1:
        return _flag_texts(block.estimates[methods[0]].flags, " ".join)

    def named(method: str, names: list[str]) -> str:
        return " ".join(f"{method}:{name}" for name in names)

    each = [_flag_texts(block.estimates[m].flags, partial(named, m)) for m in methods]
    return [" ".join(filter(None, row)) for row in zip(*each, strict=True)]


# ----------------------------------------------------------------------------------- JSON


def _objects(classes: tuple[str, ...], blocks: Iterable[EstimatedBlock]) -> Iterator[list[str]]:
    names = [json_text([c])[1:-1] for c in classes]
    labels = [*names, "null"]
    for block in blocks:
        made = [
            _method_objects(block, method, names, [labels[i] for i in block.predicted.tolist()])
            for method in block.estimates
        ]
        if len(block.predicted):
            yield [text for row in zip(*made, strict=True) for text in row]


def _method_objects(
    block: EstimatedBlock, method: str, names: list[str], predicted: list[str]
) -> list[str]:
    found = block.estimates[method]
    flags = _flag_texts(found.flags, json_text)
    texts = [
        f'{{"row":{row},"predicted":{label},"method":"{method}","probabilities":{{{pairs}}}'
        for row, label, pairs in zip(
            _numbers(block), predicted, _pairs(names, found.distribution), strict=True
        )
    ]
    if found.per_class is not None:
        pairs = _pairs(names, found.per_class)
        texts = [f'{text},"per_class":{{{p}}}' for text, p in zip(texts, pairs, strict=True)]
    return [f'{text},"flags":{f}}}' for text, f in zip(texts, flags, strict=True)]


def _pairs(names: list[str], table: Floats) -> list[str]:
    return [
        ",".join([f"{name}:{x!r}" for name, x in zip(names, row, strict=True)])
        for row in table.tolist()
    ]
