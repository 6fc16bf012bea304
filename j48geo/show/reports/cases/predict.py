"""Predictions as rows: which columns they have, and Weka's own ``-p`` layout."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import NamedTuple

import numpy as np

from j48geo.arrays import Bools, Floats, Ints
from j48geo.core.dataset import Dataset, Header
from j48geo.score.flags import Flag, flag_names
from j48geo.score.predict import Prediction
from j48geo.show.cells import Picked, Whole
from j48geo.show.columns import Column, Columns, beside
from j48geo.show.kinds import Counts, Flags, Labels, Leaves, Mark, Nested, Numbers, differing
from j48geo.show.rowtable import csv_rows, json_rows, jsonl_rows, table_rows
from j48geo.show.rowtext import block_text
from j48geo.show.text import PLAIN, Style
from j48geo.show.tree.quoting import weka_quoted

__all__ = [
    "PredictedBlock",
    "actual_classes",
    "added_columns",
    "given_rows",
    "prediction_columns",
    "predictions_csv",
    "predictions_json",
    "predictions_jsonl",
    "predictions_table",
    "predictions_weka",
    "weka_decimal",
]

_WIDE = Context(prec=1200, rounding=ROUND_HALF_UP)


class PredictedBlock(NamedTuple):
    """Rows, what is predicted for them, and the number of the first of them.

    `given` are the rows as they were read, if that is more than the columns of the tree.
    """

    first_row: int
    rows: Dataset
    prediction: Prediction
    given: Dataset | None = None


def predictions_jsonl(
    classes: tuple[str, ...], blocks: Iterable[PredictedBlock], carried: Columns[Dataset] = ()
) -> Iterator[str]:
    """One object a row, as ``j48geo predict --format jsonl`` promises it.

    Parameters
    ----------
    carried
        Columns of the data that go along, as `j48geo.show.wider.data_columns` gives them.
    """
    return jsonl_rows(blocks, beside(carried, _keys(classes), given_rows), sharing=_once_a_leaf)


def predictions_json(
    classes: tuple[str, ...], blocks: Iterable[PredictedBlock], carried: Columns[Dataset] = ()
) -> Iterator[str]:
    """The same objects as one array."""
    return json_rows(blocks, beside(carried, _keys(classes), given_rows), sharing=_once_a_leaf)


def predictions_csv(
    classes: tuple[str, ...],
    blocks: Iterable[PredictedBlock],
    carried: Columns[Dataset] = (),
    *,
    safe: bool = False,
    flags: bool = False,
) -> Iterator[str]:
    """Row, leaf, predicted, classified, one column of probability a class, flags, actual.

    Parameters
    ----------
    flags
        Whether a column says what is open of each row: where a text alone answers.
    """
    made = prediction_columns(classes, carried, flags=flags)
    return csv_rows(blocks, made, safe=safe, sharing=_once_a_leaf)


def prediction_columns(
    classes: tuple[str, ...], carried: Columns[Dataset] = (), *, flags: bool = False
) -> Columns[PredictedBlock]:
    """The columns of `predictions_csv`."""
    columns = [*_lead(classes), *_probabilities(classes, "p({})")]
    columns += [_flags_column()] if flags else []
    columns.append(_actual_column(classes))
    return beside(carried, columns, given_rows)


def predictions_table(
    header: Header,
    blocks: Iterable[PredictedBlock],
    style: Style = PLAIN,
    carried: Columns[Dataset] = (),
    *,
    flags: bool = False,
) -> Iterator[str]:
    """A table for people: actual beside predicted class, ``+`` where they differ.

    Parameters
    ----------
    flags
        As in `predictions_csv`.
    """
    classes = header.classes
    row, leaf, predicted, _ = _lead(classes)
    error: Column[PredictedBlock] = Column("error", Mark(), _errors)
    columns = [row, leaf, _actual_column(classes), predicted, error]
    columns += _probabilities(classes, "p({})")
    columns += [_flags_column()] if flags else []
    return table_rows(blocks, beside(carried, columns, given_rows), style, _once_a_leaf)


def added_columns(classes: tuple[str, ...]) -> list[Column[PredictedBlock]]:
    """The columns that predictions add to data: predicted, then one of probability a class."""
    return [_lead(classes)[2], *_probabilities(classes, "p({})")]


def given_rows(block: PredictedBlock) -> Dataset:
    """The rows as they were read."""
    return block.rows if block.given is None else block.given


def _keys(classes: tuple[str, ...]) -> list[Column[PredictedBlock]]:
    distribution = Nested(_probabilities(classes, "{}"), whole=True)
    return [
        *_lead(classes),
        Column("distribution", distribution, lambda block: block, shared=True),
        _flags_column(sparse=True),
    ]


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


def _actual_column(classes: tuple[str, ...]) -> Column[PredictedBlock]:
    return Column("actual", Labels(classes), lambda block: actual_classes(block.rows), 9)


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
