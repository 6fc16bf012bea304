"""The rows of Weka's ThresholdCurve: its columns, its conventions."""

from __future__ import annotations

import numpy as np

from j48geo.arrays import Floats
from j48geo.decide.roc import Curve

__all__ = ["COLUMNS", "threshold_curve"]

COLUMNS = (
    "True Positives",
    "False Negatives",
    "False Positives",
    "True Negatives",
    "False Positive Rate",
    "True Positive Rate",
    "Precision",
    "Recall",
    "Fallout",
    "FMeasure",
    "Sample Size",
    "Lift",
    "Threshold",
)

ABOVE = 10e-6
"""How far above the largest score the point lies where nothing is called positive."""


def threshold_curve(curve: Curve) -> Floats:
    """Weka's rows by rising threshold, shape (n_points, 13); NaN is its missing value.

    Notes
    -----
    Weka's own conventions: fallout is the share of the called that are negative, and the
    lift is missing where fewer than one positive case is expected by chance.
    """
    order = slice(None, None, -1)
    tp, fp = curve.tp[order], curve.fp[order]
    threshold = curve.threshold[order].copy()
    if len(threshold) > 1:
        threshold[-1] = threshold[-2] + ABOVE
    fn, tn = curve.positives - tp, curve.negatives - fp
    total = curve.positives + curve.negatives
    called = tp + fp
    with np.errstate(divide="ignore", invalid="ignore"):
        fpr, tpr = fp / curve.negatives, tp / curve.positives
        precision, fallout = tp / called, fp / called
        f_measure = 2.0 * precision * tpr / (precision + tpr)
        size = called / total
        chance = size * curve.positives
        lift = np.where(chance < 1, np.nan, tp / chance)
    columns = (tp, fn, fp, tn, fpr, tpr, precision, tpr, fallout, f_measure, size, lift, threshold)
    return np.column_stack(columns)
