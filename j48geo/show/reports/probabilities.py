"""The table that ``j48geo proba`` prints: its columns, and the notes about its flags."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import attrgetter

import numpy as np

from j48geo.arrays import Bools, Floats
from j48geo.score.prediction import actual_classes, flag_names
from j48geo.score.probabilities import (
    MANY_PROBABILITIES,
    EstimatedBlock,
    Probabilities,
    ProbabilityTally,
)
from j48geo.show.rows.column_kinds import (
    ConstantColumn,
    FlagColumn,
    IntegerColumn,
    LabelColumn,
    MarkColumn,
    NestedColumn,
    NumberColumn,
    TextColumn,
    find_wrong,
)
from j48geo.show.rows.columns import Column
from j48geo.show.rows.row_report import RowReport
from j48geo.text import pluralize


def probability_report(
    classes: tuple[str, ...],
    methods: Sequence[str],
    positive: int,
    blocks: Iterable[EstimatedBlock],
) -> RowReport[EstimatedBlock]:
    """What ``j48geo proba`` shows; of two classes people see the positive one only."""
    row, predicted, actual = _first_columns(classes)
    error: Column[EstimatedBlock] = Column("error", MarkColumn(), _errors)
    shown = [positive] if len(classes) == 2 else range(len(classes))
    each = {method: _estimates(method, classes, f"{method}({{}})") for method in methods}
    flags: Column[EstimatedBlock] = Column(
        "flags", TextColumn(), lambda block: _all_flags(block, methods)
    )
    csv_columns = [row, predicted, actual]
    for method, columns in each.items():
        csv_columns += [*columns, _flags(method, f"{method} flags")]
    return RowReport(
        blocks,
        attrgetter("rows"),
        table_columns=[
            *(row, actual, predicted, error),
            *(columns[c] for columns in each.values() for c in shown),
            flags,
        ],
        csv_columns=csv_columns,
        arff_columns=[predicted, *(column for columns in each.values() for column in columns)],
        json_objects=lambda first: [
            _json_columns(classes, m, estimate) for m, estimate in first.estimates.items()
        ],
    )


_FLAG_MEANINGS = {
    "no-class": "no known class, so the shares of all cases",
    "no-boundary": "a class has no boundary, so its share of all cases",
    "one-distance": "all cases lie equally far, so the shares at that distance",
    "empty-part": "no case shares the separator or leaf, so all cases speak",
    "far": "beyond the reach of the kernel, so the nearest case speaks",
    "no-cases": "nothing to estimate from",
    "not-largest": "the tree's class, which stands, is not the most probable",
}


def probability_sentences(tally: ProbabilityTally) -> list[str]:
    """What the counts of an estimation tell, one sentence each."""
    counts = [
        f"{method} over {MANY_PROBABILITIES}"
        if len(seen) > MANY_PROBABILITIES
        else f"{method} {len(seen)}"
        for method, seen in tally.different.items()
    ]
    rows = pluralize(tally.rows, "row")
    sentences = [f"{rows}; different probabilities: {', '.join(counts)}" if counts else rows]
    for (method, name), n in tally.flags.items():
        sentences.append(f"{method}, {n} of {rows}: {_FLAG_MEANINGS[name]} ({name})")
    return sentences


# -------------------------------------------------------------------------------- columns


def _first_columns(classes: tuple[str, ...]) -> list[Column[EstimatedBlock]]:
    labels = LabelColumn(classes)
    return [
        Column("row", IntegerColumn(), _row_numbers, 7),
        Column("predicted", labels, lambda block: block.predicted, 9),
        Column("actual", labels, lambda block: actual_classes(block.rows), 9),
    ]


def _estimates(
    method: str, classes: tuple[str, ...], title: str, own: bool = False
) -> list[Column[EstimatedBlock]]:
    """A column a class; of the class's own estimate, if that is wanted."""

    def column(c: int) -> Callable[[EstimatedBlock], Floats]:
        if own:
            return lambda block: _class_estimates(block, method)[:, c]
        return lambda block: block.estimates[method].distribution[:, c]

    return [
        Column(title.format(label), NumberColumn(), column(c), 6) for c, label in enumerate(classes)
    ]


def _class_estimates(block: EstimatedBlock, method: str) -> Floats:
    estimates = block.estimates[method].per_class
    assert estimates is not None, method
    return estimates


def _flags(method: str, title: str) -> Column[EstimatedBlock]:
    return Column(title, FlagColumn(flag_names), lambda block: block.estimates[method].flags)


def _json_columns(
    classes: tuple[str, ...], method: str, estimate: Probabilities
) -> list[Column[EstimatedBlock]]:
    """The columns of the object of a row and method."""
    row, predicted, _ = _first_columns(classes)
    columns = [
        row,
        predicted,
        Column("method", ConstantColumn(method), _row_numbers),
        Column("probabilities", NestedColumn(_estimates(method, classes, "{}")), _same_block),
    ]
    if estimate.per_class is not None:
        own = NestedColumn(_estimates(method, classes, "{}", own=True))
        columns.append(Column("per_class", own, _same_block))
    return [*columns, _flags(method, "flags")]


def _same_block(block: EstimatedBlock) -> EstimatedBlock:
    return block


def _row_numbers(block: EstimatedBlock) -> range:
    return range(block.first_row, block.first_row + len(block.predicted))


def _errors(block: EstimatedBlock) -> Bools:
    return find_wrong(actual_classes(block.rows), block.predicted)


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
