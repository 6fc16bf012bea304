"""Predictions as lines: JSON, CSV, a table for people, and Weka's own ``-p`` layout.

Every function takes blocks and yields text, so that a file of any length passes through in
constant memory. Rows that end in the same leaf share all but their number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from decimal import ROUND_HALF_UP, Context, Decimal
from math import isnan
from typing import NamedTuple, TypeVar

import numpy as np

from j48geo.core.dataset import Dataset, Header
from j48geo.score.predict import Prediction
from j48geo.show.tables import csv_line, display_width, json_text, number_text, to_left
from j48geo.show.tree.quoting import weka_quoted

__all__ = [
    "PredictedBlock",
    "predictions_csv",
    "predictions_json",
    "predictions_jsonl",
    "predictions_table",
    "predictions_weka",
    "weka_decimal",
]

_T = TypeVar("_T")
_WIDE = Context(prec=1200, rounding=ROUND_HALF_UP)


class PredictedBlock(NamedTuple):
    """Rows, what is predicted for them, and the number of the first of them."""

    first_row: int
    rows: Dataset
    prediction: Prediction


def predictions_jsonl(classes: tuple[str, ...], blocks: Iterable[PredictedBlock]) -> Iterator[str]:
    """One object a row, as ``j48geo predict --format jsonl`` promises it."""
    for number, tail in _json_rows(classes, blocks):
        yield f'{{"row":{number},{tail}}}\n'


def predictions_json(classes: tuple[str, ...], blocks: Iterable[PredictedBlock]) -> Iterator[str]:
    """The same objects as one array."""
    lead = "[\n"
    for number, tail in _json_rows(classes, blocks):
        yield f'{lead}{{"row":{number},{tail}}}'
        lead = ",\n"
    yield "[]\n" if lead == "[\n" else "\n]\n"


def predictions_csv(classes: tuple[str, ...], blocks: Iterable[PredictedBlock]) -> Iterator[str]:
    """Row, leaf, predicted, classified and one column of probability a class."""
    yield csv_line(["row", "leaf", "predicted", "classified", *(f"p({c})" for c in classes)])

    def tail(p: Prediction, i: int) -> str:
        known = not np.isnan(p.distribution[i, 0])
        cells = [number_text(x) if known else "" for x in p.distribution[i].tolist()]
        return csv_line(
            [
                _leaf_number(p, i),
                _label(classes, p.predicted[i]),
                _label(classes, p.classified[i]),
                *cells,
            ]
        )

    for number, _, _, rest in _each(blocks, tail):
        yield f"{number},{rest}"


def predictions_table(header: Header, blocks: Iterable[PredictedBlock]) -> Iterator[str]:
    """A table for people: actual beside predicted class, ``+`` where they differ."""
    classes = header.classes
    label_width = max(9, *(display_width(c) for c in classes))
    p_width = [max(6, display_width(c) + 3) for c in classes]

    titles = ["    row", " leaf", to_left("actual", label_width), to_left("predicted", label_width)]
    titles += ["error", *(to_left(f"p({c})", w) for c, w in zip(classes, p_width, strict=True))]
    head = "  ".join(titles).rstrip()
    yield f"{head}\n{'  '.join('-' * display_width(t) for t in titles)}\n"

    def tail(p: Prediction, i: int) -> tuple[str, str, str]:
        leaf = _leaf_number(p, i)
        values = zip(p.distribution[i].tolist(), p_width, strict=True)
        return (
            f"{'-' if leaf is None else leaf:>5}",
            to_left(_label(classes, p.predicted[i]) or "?", label_width),
            "  ".join(to_left("?" if isnan(x) else f"{x:.4f}", w) for x, w in values),
        )

    for number, block, i, (leaf, predicted, values) in _each(blocks, tail):
        a = _actual(block.rows, i)
        actual = to_left("?" if a < 0 else classes[a], label_width)
        mark = "  +  " if _is_error(a, block.prediction.predicted[i]) else "     "
        yield f"{number:>7}  {leaf}  {actual}  {predicted}  {mark}  {values}".rstrip() + "\n"


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

    def tail(p: Prediction, i: int) -> tuple[str, str]:
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

    for number, block, i, (label, values) in _each(blocks, tail):
        a = _actual(block.rows, i)
        mark = "+" if _is_error(a, block.prediction.predicted[i]) else ""
        yield f"{number},{'1:?' if a < 0 else actual_text[a]},{label},{mark},{values}\n"


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


def _json_rows(
    classes: tuple[str, ...], blocks: Iterable[PredictedBlock]
) -> Iterator[tuple[int, str]]:
    names = [json_text([c])[1:-1] for c in classes]

    def tail(p: Prediction, i: int) -> str:
        leaf = _leaf_number(p, i)
        predicted, classified = int(p.predicted[i]), int(p.classified[i])
        values = p.distribution[i].tolist()
        pairs = ",".join(f"{n}:{x!r}" for n, x in zip(names, values, strict=True))
        return (
            f'"leaf":{"null" if leaf is None else leaf},'
            f'"predicted":{"null" if predicted < 0 else names[predicted]},'
            f'"classified":{"null" if classified < 0 else names[classified]},'
            f'"distribution":{"null" if any(np.isnan(values)) else "{" + pairs + "}"}'
        )

    return ((number, text) for number, _, _, text in _each(blocks, tail))


def _each(
    blocks: Iterable[PredictedBlock], make: Callable[[Prediction, int], _T]
) -> Iterator[tuple[int, PredictedBlock, int, _T]]:
    """Number, block, place in the block and text of every row; the text is made once a leaf."""
    known: dict[int, _T] = {}
    for block in blocks:
        p = block.prediction
        for i, leaf in enumerate(p.leaf.tolist()):
            if leaf < 0:  # several leaves: nobody else has the same mixture
                yield block.first_row + i, block, i, make(p, i)
                continue
            if leaf not in known:
                known[leaf] = make(p, i)
            yield block.first_row + i, block, i, known[leaf]


def _leaf_number(p: Prediction, i: int) -> int | None:
    leaf = int(p.leaf[i])
    return None if leaf < 0 else leaf + 1


def _label(classes: tuple[str, ...], index: int) -> str | None:
    return None if index < 0 else classes[int(index)]


def _actual(rows: Dataset, i: int) -> int:
    """Index of the class of a row, -1 if missing."""
    value = float(rows.class_values[i])
    return -1 if isnan(value) else int(value)


def _is_error(actual: int, predicted: int) -> bool:
    return actual >= 0 and int(predicted) >= 0 and actual != int(predicted)
