"""Predictions as rows: which columns they have, what is said of them, Weka's own ``-p`` layout."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from decimal import ROUND_HALF_UP, Context, Decimal
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from j48geo.arrays import Bools, Floats, Ints
from j48geo.core.dataset import Dataset, Header
from j48geo.score.prediction import Flag, Prediction, flag_names
from j48geo.show.rows.block_text import block_text
from j48geo.show.rows.cells import Picked, Whole
from j48geo.show.rows.column_kinds import (
    Counts,
    Flags,
    Labels,
    Leaves,
    Mark,
    Nested,
    Numbers,
    differing,
)
from j48geo.show.rows.columns import Column
from j48geo.show.rows.row_report import RowReport
from j48geo.show.tree.weka_text import weka_quoted
from j48geo.text import pluralize

_WIDE = Context(prec=1200, rounding=ROUND_HALF_UP)


class PredictedBlock(NamedTuple):
    """Rows, what is predicted for them, and the number of the first of them."""

    first_row: int
    rows: Dataset
    prediction: Prediction


def predictions(
    classes: tuple[str, ...], blocks: Iterable[PredictedBlock], *, flags: bool = False
) -> RowReport[PredictedBlock]:
    """What ``j48geo predict`` shows: ``+`` in the table where actual and predicted class differ.

    Parameters
    ----------
    flags
        Whether a column says what is open of each row: where a text alone answers.
    """
    lead = row, leaf, predicted, _ = _lead(classes)
    actual: Column[PredictedBlock] = Column(
        "actual", Labels(classes), lambda block: actual_classes(block.rows), 9
    )
    error: Column[PredictedBlock] = Column("error", Mark(), _errors)
    p = _probabilities(classes, "p({})")
    said = [_flags_column()] if flags else []
    whole = Nested(_probabilities(classes, "{}"), whole=True)
    keys = [
        *lead,
        Column("distribution", whole, lambda block: block, shared=True),
        _flags_column(sparse=True),
    ]
    return RowReport(
        blocks,
        attrgetter("rows"),
        people=[row, leaf, actual, predicted, error, *p, *said],
        programs=[*lead, *p, *said, actual],
        stored=[predicted, *p],
        objects=lambda _: [keys],
        sharing=_once_a_leaf,
    )


def _flags_column(*, sparse: bool = False) -> Column[PredictedBlock]:
    return Column("flags", Flags(flag_names, sparse=sparse), _masks, 12, shared=True)


def _masks(block: PredictedBlock) -> Ints:
    p = block.prediction
    return (p.predicted < 0) * int(Flag.NO_CLASS) if p.doubts is None else p.doubts


def _lead(classes: tuple[str, ...]) -> list[Column[PredictedBlock]]:
    labels = Labels(classes)
    return [
        Column("row", Counts(), _numbers, 7),
        Column("leaf", Leaves(), lambda block: block.prediction.leaf, 5, True),
        Column("predicted", labels, lambda block: block.prediction.predicted, 9, True),
        Column("classified", labels, lambda block: block.prediction.classified, 9, True),
    ]


def _probabilities(classes: tuple[str, ...], title: str) -> list[Column[PredictedBlock]]:
    def column(c: int) -> Callable[[PredictedBlock], Floats]:
        return lambda block: block.prediction.distribution[:, c]

    kind = Numbers(short=True, right=False)
    return [
        Column(title.format(label), kind, column(c), 6, True) for c, label in enumerate(classes)
    ]


def _once_a_leaf(block: PredictedBlock) -> tuple[Ints, PredictedBlock]:
    """Rows of one leaf have one answer; those of several have each their own."""
    p = block.prediction
    rows = np.arange(len(p.leaf))
    first = np.full(p.leaf.max(initial=-1) + 2, -1)  # of the leaf; the last is nobody's
    first[p.leaf[::-1]] = rows[::-1]
    first_alike = np.where(p.leaf < 0, rows, first[p.leaf])
    is_first = first_alike == rows
    few = Prediction(
        p.distribution[is_first],
        p.predicted[is_first],
        p.classified[is_first],
        p.leaf[is_first],
        None if p.doubts is None else p.doubts[is_first],
    )
    which = (np.cumsum(is_first) - 1)[first_alike]
    return which, block._replace(prediction=few)


def _numbers(block: PredictedBlock) -> range:
    return range(block.first_row, block.first_row + len(block.rows))


def _errors(block: PredictedBlock) -> Bools:
    return differing(actual_classes(block.rows), block.prediction.predicted)


def actual_classes(rows: Dataset) -> Ints:
    """Index of the class of each row, -1 if missing."""
    values = rows.class_values
    return np.where(np.isnan(values), -1, values).astype(np.intp)


def predictions_weka(
    header: Header,
    blocks: Iterable[PredictedBlock],
    *,
    distribution: bool = False,
    decimals: int = 3,
) -> Iterator[str]:
    """The lines of Weka's ``evaluation.output.prediction.CSV``.

    The actual label is quoted as in an ARFF file and the predicted one is not; a missing
    class is ``1:?``. Both are Weka's own habits, kept so that scripts made for Weka's output
    read this one too.
    """
    classes = header.classes
    actual_text = [f"{i + 1}:{weka_quoted(c)}" for i, c in enumerate(classes)]
    last = "distribution" + "," * (len(classes) - 1) if distribution else "prediction"
    yield f"inst#,actual,predicted,error,{last}\n"

    def answer(p: Prediction, i: int) -> tuple[str, str]:
        best = int(p.predicted[i])
        values = p.distribution[i].tolist()
        label = "?" if best < 0 else f"{best + 1}:{classes[best]}"
        if best < 0 or np.isnan(values[0]):
            return label, "?"
        if not distribution:
            return label, weka_decimal(values[best], decimals)
        shown = [weka_decimal(x, decimals) for x in values]
        shown[best] = f"*{shown[best]}"
        return label, ",".join(shown)

    known: dict[int, tuple[str, str]] = {}  # rows of one leaf have one answer
    for block in blocks:
        which, few = _once_a_leaf(block)
        answers = []
        for i, leaf in enumerate(few.prediction.leaf.tolist()):
            found = known.get(leaf) or answer(few.prediction, i)
            if leaf >= 0:  # several leaves: nobody else has the same mixture
                known[leaf] = found
            answers.append(found)
        cells = [
            Whole(_numbers(block)),
            Picked([*actual_text, "1:?"], actual_classes(block.rows)),
            Picked([label for label, _ in answers], which),
            Picked(["", "+"], _errors(block).astype(np.intp)),
            Picked([values for _, values in answers], which),
        ]
        yield block_text(["", ",", ",", ",", ","], cells, "\n")


def weka_decimal(x: float, decimals: int) -> str:
    """A number as Weka's ``Utils.doubleToString(x, decimals)`` prints it.

    Examples
    --------
    >>> weka_decimal(0.98521, 3), weka_decimal(1.0, 3), weka_decimal(0.25, 1)
    ('0.985', '1', '0.3')
    """
    value = Decimal(repr(x))
    exponent = value.as_tuple().exponent
    if isinstance(exponent, int) and exponent < -decimals:
        value = Decimal(x).quantize(Decimal(1).scaleb(-decimals), context=_WIDE)
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


class Tally:
    """Counts what was predicted, to say it in words at the end.

    Parameters
    ----------
    whole
        Whether several trees answer together: then a row has no leaf.
    """

    def __init__(self, *, whole: bool = False) -> None:
        self.whole = whole
        self.rows = 0
        self.known = 0
        self.right = 0
        self.divided = 0
        self.without_distribution = 0
        self.without_class = 0
        self.near = 0

    def add(self, block: PredictedBlock) -> None:
        """Count the rows of a block."""
        p = block.prediction
        actual = block.rows.class_values
        known = ~np.isnan(actual) & (p.predicted >= 0)
        self.rows += len(p.predicted)
        self.known += int(known.sum())
        self.right += int((p.predicted[known] == actual[known]).sum())
        near = np.zeros(len(p.leaf), dtype=np.bool_)
        if p.doubts is not None:
            near = (p.doubts & Flag.NEAR_THRESHOLD) != 0
        self.near += int((near & (p.predicted < 0)).sum())
        self.divided += 0 if self.whole else int(((p.leaf < 0) & ~near).sum())
        self.without_distribution += int(np.isnan(p.distribution).any(axis=1).sum())
        self.without_class += int((p.predicted < 0).sum())

    def sentences(self) -> list[str]:
        """What is worth saying, one sentence each."""
        said = [f"{pluralize(self.rows, 'row')} predicted"]
        if self.known:
            share = self.right / self.known
            said[0] += f"; {self.right} of {self.known} with a known class are right ({share:.2%})"
        if self.divided:
            said[0] += f"; missing values divide {self.divided} over several leaves"
        if self.without_distribution:
            rows = pluralize(self.without_distribution, "row")
            said.append(f"the text alone does not give the distribution of {rows}")
        if self.without_class:
            rows = pluralize(self.without_class, "row")
            if self.whole:
                said.append(f"the text does not give the class of {rows}: its numbers are rounded")
            elif self.near:
                lie = "lies" if self.near == 1 else "lie"
                said.append(
                    f"the text alone does not give the class of {rows}, of which {self.near} "
                    f"{lie} within the rounding of a threshold"
                )
            else:
                said.append(f"the text alone does not give the class of {rows} with missing values")
        return said
