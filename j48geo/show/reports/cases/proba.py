"""Probabilities as rows: which columns they have, and in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

import numpy as np

from j48geo.arrays import Bools, Floats, Ints
from j48geo.core.dataset import Dataset, Header
from j48geo.score.flags import flag_names
from j48geo.score.probabilities import Probabilities
from j48geo.show.columns import Column, Columns, beside
from j48geo.show.kinds import Counts, Flags, Labels, Mark, Nested, Numbers, Same, Words, differing
from j48geo.show.reports.cases.predict import actual_classes
from j48geo.show.rowtable import csv_rows, json_rows, jsonl_rows, table_rows
from j48geo.show.text import PLAIN, Style
from j48geo.show.wider import wider_header, wider_rows
from j48geo.words import plural

__all__ = [
    "EstimatedBlock",
    "ProbabilityTally",
    "probabilities_csv",
    "probabilities_json",
    "probabilities_jsonl",
    "probabilities_table",
    "probability_columns",
    "widened_header",
    "widened_rows",
]


class EstimatedBlock(NamedTuple):
    """Rows, the class that the tree gives them, and their estimates by method.

    `predicted` is -1 where the class is not known; `first_row` counts from 1; `given` are the
    rows as they were read, if that is more than the columns of the tree.
    """

    first_row: int
    rows: Dataset
    predicted: Ints
    estimates: Mapping[str, Probabilities]
    given: Dataset | None = None


def probabilities_jsonl(
    classes: tuple[str, ...],
    blocks: Iterable[EstimatedBlock],
    carried: Columns[Dataset] = (),
) -> Iterator[str]:
    """One object a row and method, as ``j48geo proba --format jsonl`` promises it.

    Parameters
    ----------
    carried
        Columns of the data that go along, as `j48geo.show.wider.data_columns` gives them.
    """
    known, objects = _objects(classes, blocks, carried)
    yield from jsonl_rows(known, *objects)


def probabilities_json(
    classes: tuple[str, ...],
    blocks: Iterable[EstimatedBlock],
    carried: Columns[Dataset] = (),
) -> Iterator[str]:
    """The same objects as one array."""
    known, objects = _objects(classes, blocks, carried)
    yield from json_rows(known, *objects)


def probabilities_csv(
    classes: tuple[str, ...],
    methods: Sequence[str],
    blocks: Iterable[EstimatedBlock],
    carried: Columns[Dataset] = (),
    *,
    safe: bool = False,
) -> Iterator[str]:
    """Row, predicted, actual; for each method a column a class, then its flags."""
    return csv_rows(blocks, probability_columns(classes, methods, carried), safe=safe)


def probability_columns(
    classes: tuple[str, ...], methods: Sequence[str], carried: Columns[Dataset] = ()
) -> Columns[EstimatedBlock]:
    """The columns of `probabilities_csv`."""
    columns = list(_lead(classes))
    for method in methods:
        columns += _estimates(method, classes, f"{method}({{}})")
        columns.append(_flags(method, f"{method} flags"))
    return beside(carried, columns, given_rows)


def probabilities_table(
    classes: tuple[str, ...],
    methods: Sequence[str],
    positive: int,
    blocks: Iterable[EstimatedBlock],
    style: Style = PLAIN,
    carried: Columns[Dataset] = (),
) -> Iterator[str]:
    """A table for people; two classes show the positive one only, ``+`` marks errors."""
    shown = [positive] if len(classes) == 2 else range(len(classes))
    row, predicted, actual = _lead(classes)
    columns = [row, actual, predicted, Column("error", Mark(), _errors)]
    for method in methods:
        made = _estimates(method, classes, f"{method}({{}})")
        columns += [made[c] for c in shown]
    columns.append(Column("flags", Words(), lambda block: _all_flags(block, methods)))
    return table_rows(blocks, beside(carried, columns, given_rows), style)


def widened_header(header: Header, methods: Sequence[str]) -> Header:
    """The attributes of the data, then ``predicted`` and ``method(class)`` columns.

    A name that the data already uses gets an underscore behind it.
    """
    return wider_header(header, _added(header.classes, methods))


def widened_rows(
    header: Header, methods: Sequence[str], blocks: Iterable[EstimatedBlock]
) -> Iterator[Dataset]:
    """The rows of `blocks` with the columns of `widened_header`, which `header` is."""
    return wider_rows(header, _added(header.classes, methods), blocks, lambda block: block.rows)


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
        told = [
            f"{method} {'over ' if len(seen) > _MANY else ''}{min(len(seen), _MANY)}"
            for method, seen in self.different.items()
        ]
        rows = plural(self.rows, "row")
        said = [f"{rows}; different probabilities: {', '.join(told)}" if told else rows]
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


def given_rows(block: EstimatedBlock) -> Dataset:
    """The rows as they were read."""
    return block.rows if block.given is None else block.given


def _lead(classes: tuple[str, ...]) -> list[Column[EstimatedBlock]]:
    labels = Labels(classes)
    return [
        Column("row", Counts(), _numbers, 7),
        Column("predicted", labels, lambda block: block.predicted, 9),
        Column("actual", labels, lambda block: actual_classes(block.rows), 9),
    ]


def _estimates(
    method: str, classes: tuple[str, ...], title: str, own: bool = False
) -> list[Column[EstimatedBlock]]:
    """A column a class; of the class's own estimate, if that is wanted."""

    def column(c: int) -> Callable[[EstimatedBlock], Floats]:
        if own:
            return lambda block: _own(block, method)[:, c]
        return lambda block: block.estimates[method].distribution[:, c]

    return [Column(title.format(label), Numbers(), column(c), 6) for c, label in enumerate(classes)]


def _own(block: EstimatedBlock, method: str) -> Floats:
    found = block.estimates[method].per_class
    assert found is not None, method
    return found


def _flags(method: str, title: str) -> Column[EstimatedBlock]:
    return Column(title, Flags(flag_names), lambda block: block.estimates[method].flags)


def _added(classes: tuple[str, ...], methods: Sequence[str]) -> list[Column[EstimatedBlock]]:
    columns = [_lead(classes)[1]]
    for method in methods:
        columns += _estimates(method, classes, f"{method}({{}})")
    return columns


def _objects(
    classes: tuple[str, ...], blocks: Iterable[EstimatedBlock], carried: Columns[Dataset]
) -> tuple[Iterator[EstimatedBlock], list[list[Column[EstimatedBlock]]]]:
    """The blocks, and the columns of one object a method; the first block tells the methods."""
    steps = iter(blocks)
    first = next(steps, None)
    if first is None:
        return steps, []
    row, predicted, _ = _lead(classes)
    objects = []
    for method, found in first.estimates.items():
        columns = [
            row,
            predicted,
            Column("method", Same(method), _numbers),
            Column("probabilities", Nested(_estimates(method, classes, "{}")), _itself),
        ]
        if found.per_class is not None:
            own = Nested(_estimates(method, classes, "{}", own=True))
            columns.append(Column("per_class", own, _itself))
        objects.append(beside(carried, [*columns, _flags(method, "flags")], given_rows))
    return chain([first], steps), objects


def _itself(block: EstimatedBlock) -> EstimatedBlock:
    return block


def _numbers(block: EstimatedBlock) -> range:
    return range(block.first_row, block.first_row + len(block.predicted))


def _errors(block: EstimatedBlock) -> Bools:
    return differing(actual_classes(block.rows), block.predicted)


def _all_flags(block: EstimatedBlock, methods: Sequence[str]) -> Sequence[str]:
    def texts(method: str) -> Iterator[str]:
        lead = f"{method}:" if len(methods) > 1 else ""
        flags = block.estimates[method].flags
        known = {
            bits: " ".join(f"{lead}{name}" for name in flag_names(bits))
            for bits in np.unique(flags).tolist()
        }
        return (known[bits] for bits in flags.tolist())

    return [" ".join(filter(None, row)) for row in zip(*map(texts, methods), strict=True)]
