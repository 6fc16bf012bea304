"""Curves as tables, as JSON, and as the ARFF of Weka's ThresholdCurve."""

from __future__ import annotations

from math import isfinite

import numpy as np

from j48geo.arrays import Floats
from j48geo.core.dataset import Attribute, Dataset, Header
from j48geo.decide.curves import THRESHOLD_CURVE_COLUMNS, CurveResult, threshold_curve
from j48geo.decide.roc import Curve
from j48geo.show.arff import arff_text
from j48geo.show.rows.row_report import csv_table
from j48geo.show.text import PLAIN, Style, format_number, text_table
from j48geo.text import to_one_line

CURVE_TITLES = ("threshold", "tp", "fp", "fn", "tn", "tpr", "fpr", "precision", "f", "hull")


def curve_to_csv(drawn: CurveResult, *, safe: bool = False) -> str:
    """One line a point, from nothing called positive to everything."""
    return csv_table(CURVE_TITLES, _list_points(drawn.curve), safe=safe)


def curve_to_text(drawn: CurveResult, style: Style = PLAIN) -> str:
    """A table of the points and the numbers read off the curve."""
    curve = drawn.curve
    rows = [[*row[:-1], "*" if row[-1] else ""] for row in _list_points(curve)]
    table = text_table(CURVE_TITLES, rows, CURVE_TITLES[:-1], style)
    sentences = [f"AUC {_format_number(curve.auc)}"]
    if drawn.partial is not None:
        area = curve.partial_auc(drawn.partial)
        sentences.append(
            f"AUC up to a false positive rate of {drawn.partial:g}: {_format_number(area)}"
        )
    even = curve.break_even
    if even is not None:
        recall, fpr = map(_format_number, even[:2])
        sentences.append(f"break-even: precision = recall = {recall}, fpr {fpr}")
    best = curve.best_f
    if best is not None:
        f, at = float(curve.f_measure[best]), float(curve.threshold[best])
        sentences.append(f"largest F {_format_number(f)}, from a score of {_format_number(at)} on")
    if drawn.several:
        sentences.append(f"M of all pairs of classes {_format_number(drawn.m)}")
    return f"positive: {to_one_line(drawn.positive)}\n\n{table}\n" + "".join(
        f"{x}\n" for x in sentences
    )


def curve_to_json(drawn: CurveResult) -> dict[str, object]:
    """Points and numbers; what is 0/0 is null, and so is the infinite first threshold."""
    curve = drawn.curve
    even, best = curve.break_even, curve.best_f
    result: dict[str, object] = {
        "positive": drawn.positive,
        "positives": curve.positives,
        "negatives": curve.negatives,
        "auc": curve.auc,
        "break_even": None
        if even is None
        else {"precision": even[0], "recall": even[0], "fpr": even[1]},
        "best_f": None
        if best is None
        else {
            "f": float(curve.f_measure[best]),
            "threshold": _finite_or_none(float(curve.threshold[best])),
        },
        "points": [dict(zip(CURVE_TITLES, row, strict=True)) for row in _list_points(curve)],
    }
    if drawn.partial is not None:
        result["partial_auc"] = {"fpr": drawn.partial, "auc": curve.partial_auc(drawn.partial)}
    if drawn.several:
        result["m"] = drawn.m
    return result


def curve_to_arff(drawn: CurveResult) -> str:
    """What Weka's ThresholdCurve gives, for its plots and its Java."""
    header = Header(
        "ThresholdCurve", tuple(Attribute(name) for name in THRESHOLD_CURVE_COLUMNS), None
    )
    rows = threshold_curve(drawn.curve)
    return arff_text(Dataset(header, rows, np.ones(len(rows))))


def _list_points(curve: Curve) -> list[list[object]]:
    corners = set(curve.hull.tolist())
    columns: list[Floats] = [
        *(curve.threshold, curve.tp, curve.fp),
        *(curve.positives - curve.tp, curve.negatives - curve.fp),
        *(curve.tpr, curve.fpr, curve.precision, curve.f_measure),
    ]
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return [[*map(_finite_or_none, row), i in corners] for i, row in enumerate(rows)]


def _finite_or_none(x: float) -> float | None:
    return x if isfinite(x) else None


def _format_number(x: float | None) -> str:
    return "not defined" if x is None else format_number(x)
