"""The table that ``j48geo predict`` prints, the notes beside it, and Weka's own ``-p`` layout."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from decimal import ROUND_HALF_UP, Context, Decimal
from operator import attrgetter

import numpy as np

from j48geo.arrays import Bools, Floats, Ints
from j48geo.core.dataset import Header
from j48geo.score.prediction import (
    Flag,
    PredictedBlock,
    Prediction,
    PredictionTally,
    actual_classes,
    flag_names,
)
from j48geo.show.rows.cells import ChoiceCells, IntegerCells, block_text
from j48geo.show.rows.column_kinds import (
    FlagColumn,
    IntegerColumn,
    LabelColumn,
    LeafColumn,
    MarkColumn,
    NestedColumn,
    NumberColumn,
    find_wrong,
)
from j48geo.show.rows.columns import Column
from j48geo.show.rows.row_report import RowReport
from j48geo.show.weka_text import quote_weka
from j48geo.text import pluralize

_WIDE = Context(prec=1200, rounding=ROUND_HALF_UP)


def prediction_report(
    classes: tuple[str, ...], blocks: Iterable[PredictedBlock], *, flags: bool = False
) -> RowReport[PredictedBlock]:
    """What ``j48geo predict`` shows: ``+`` in the table where actual and predicted class differ.

    Parameters
    ----------
    flags
        Whether a column says what is open of each row: where a text alone answers.
    """
    lead = row, leaf, predicted, _ = _first_columns(classes)
    actual: Column[PredictedBlock] = Column(
        "actual", LabelColumn(classes), lambda block: actual_classes(block.rows), 9
    )
    error: Column[PredictedBlock] = Column("error", MarkColumn(), _errors)
    p = _probabilities(classes, "p({})")
    flag_columns = [_flags_column()] if flags else []
    nested = NestedColumn(_probabilities(classes, "{}"), whole=True)
    keys = [
        *lead,
        Column("distribution", nested, lambda block: block, shared=True),
        _flags_column(sparse=True),
    ]
    return RowReport(
        blocks,
        attrgetter("rows"),
        table_columns=[row, leaf, actual, predicted, error, *p, *flag_columns],
        csv_columns=[*lead, *p, *flag_columns, actual],
        arff_columns=[predicted, *p],
        json_objects=lambda _: [keys],
        sharing=_share_leaf_answers,
    )


def _flags_column(*, sparse: bool = False) -> Column[PredictedBlock]:
    return Column("flags", FlagColumn(flag_names, sparse=sparse), _flag_bits, 12, shared=True)


def _flag_bits(block: PredictedBlock) -> Ints:
    p = block.prediction
    return (p.predicted < 0) * int(Flag.NO_CLASS) if p.doubts is None else p.doubts


def _first_columns(classes: tuple[str, ...]) -> list[Column[PredictedBlock]]:
    labels = LabelColumn(classes)
    return [
        Column("row", IntegerColumn(), _row_numbers, 7),
        Column("leaf", LeafColumn(), lambda block: block.prediction.leaf, 5, True),
        Column("predicted", labels, lambda block: block.prediction.predicted, 9, True),
        Column("classified", labels, lambda block: block.prediction.classified, 9, True),
    ]


def _probabilities(classes: tuple[str, ...], title: str) -> list[Column[PredictedBlock]]:
    def column(c: int) -> Callable[[PredictedBlock], Floats]:
        return lambda block: block.prediction.distribution[:, c]

    kind = NumberColumn(short=True, right=False)
    return [
        Column(title.format(label), kind, column(c), 6, True) for c, label in enumerate(classes)
    ]


def _share_leaf_answers(block: PredictedBlock) -> tuple[Ints, PredictedBlock]:
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


def _row_numbers(block: PredictedBlock) -> range:
    return range(block.first_row, block.first_row + len(block.rows))


def _errors(block: PredictedBlock) -> Bools:
    return find_wrong(actual_classes(block.rows), block.prediction.predicted)


def predictions_to_weka(
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
    actual_text = [f"{i + 1}:{quote_weka(c)}" for i, c in enumerate(classes)]
    last = "distribution" + "," * (len(classes) - 1) if distribution else "prediction"
    yield f"inst#,actual,predicted,error,{last}\n"

    def answer(p: Prediction, i: int) -> tuple[str, str]:
        best = int(p.predicted[i])
        values = p.distribution[i].tolist()
        label = "?" if best < 0 else f"{best + 1}:{classes[best]}"
        if best < 0 or np.isnan(values[0]):
            return label, "?"
        if not distribution:
            return label, format_weka_decimal(values[best], decimals)
        shown = [format_weka_decimal(x, decimals) for x in values]
        shown[best] = f"*{shown[best]}"
        return label, ",".join(shown)

    known: dict[int, tuple[str, str]] = {}  # rows of one leaf have one answer
    for block in blocks:
        which, few = _share_leaf_answers(block)
        answers = []
        for i, leaf in enumerate(few.prediction.leaf.tolist()):
            texts = known.get(leaf) or answer(few.prediction, i)
            if leaf >= 0:  # several leaves: nobody else has the same mixture
                known[leaf] = texts
            answers.append(texts)
        cells = [
            IntegerCells(_row_numbers(block)),
            ChoiceCells([*actual_text, "1:?"], actual_classes(block.rows)),
            ChoiceCells([label for label, _ in answers], which),
            ChoiceCells(["", "+"], _errors(block).astype(np.intp)),
            ChoiceCells([values for _, values in answers], which),
        ]
        yield block_text(["", ",", ",", ",", ","], cells, "\n")


def format_weka_decimal(x: float, decimals: int) -> str:
    """A number as Weka's ``Utils.doubleToString(x, decimals)`` prints it.

    Examples
    --------
    >>> format_weka_decimal(0.98521, 3), format_weka_decimal(1.0, 3), format_weka_decimal(0.25, 1)
    ('0.985', '1', '0.3')
    """
    value = Decimal(repr(x))
    exponent = value.as_tuple().exponent
    if isinstance(exponent, int) and exponent < -decimals:
        value = Decimal(x).quantize(Decimal(1).scaleb(-decimals), context=_WIDE)
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def prediction_sentences(tally: PredictionTally) -> list[str]:
    """What the counts of a prediction tell, one sentence each."""
    sentences = [f"{pluralize(tally.rows, 'row')} predicted"]
    if tally.known:
        share = tally.right / tally.known
        sentences[0] += (
            f"; {tally.right} of {tally.known} with a known class are right ({share:.2%})"
        )
    if tally.divided:
        sentences[0] += f"; missing values divide {tally.divided} over several leaves"
    if tally.without_distribution:
        rows = pluralize(tally.without_distribution, "row")
        sentences.append(f"the text alone does not give the distribution of {rows}")
    if tally.without_class:
        rows = pluralize(tally.without_class, "row")
        if tally.whole:
            sentences.append(f"the text does not give the class of {rows}: its numbers are rounded")
        elif tally.near:
            lie = "lies" if tally.near == 1 else "lie"
            sentences.append(
                f"the text alone does not give the class of {rows}, of which {tally.near} "
                f"{lie} within the rounding of a threshold"
            )
        else:
            sentences.append(
                f"the text alone does not give the class of {rows} with missing values"
            )
    return sentences
