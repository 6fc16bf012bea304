"""Curves of leaf scores or any scores with their classes, and the rows of Weka's ThresholdCurve."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.core.counts import NodeCounts
from j48geo.core.dataset import Dataset
from j48geo.core.tree import BoxTree
from j48geo.decide.leaf_counts import ClassCounts
from j48geo.decide.roc import Curve, curve, hand_till
from j48geo.errors import UnknownNameError
from j48geo.score.leaf_estimates import case_estimates
from j48geo.score.prediction import predict


@dataclass(frozen=True, eq=False)
class LeafCurve:
    """A curve, and what goes with it.

    Parameters
    ----------
    m
        M of Hand and Till, with more than two classes; None with two.
    called, actual, weights : arrays, shape (n_cases,)
        The tree's own class, the true class, and the weight of every case: where the tree
        itself stands on the curve.
    """

    curve: Curve
    m: float | None
    called: Ints
    actual: Ints
    weights: Floats


def count_curve(tree: BoxTree, counts: ClassCounts, of_leaf: Floats, positive: int) -> LeafCurve:
    """A case for each leaf and class, as heavy as the counts say.

    Parameters
    ----------
    of_leaf : array of float64, shape (n_leaves, n_scores)
        Score of each leaf: of the positive class, or with more than two one for every class.
    """
    weights = np.array([[float(k) for k in row] for row in counts.own])
    leaf, actual = np.nonzero(weights > 0)
    labels = np.array([x.label for x in tree.leaves], dtype=np.intp)
    return _curve_of_cases(of_leaf[leaf], labels[leaf], actual, weights[leaf, actual], positive)


def case_curve(
    tree: BoxTree,
    counts: NodeCounts,
    of_leaf: Floats,
    positive: int,
    rows: Iterable[Dataset],
    *,
    laplace: bool = False,
) -> LeafCurve:
    """The rows that have a class, each with the score of its leaf."""
    column = tree.header.class_index
    assert column is not None
    scores, actual, weights = [np.empty((0, of_leaf.shape[1]))], [np.empty(0)], [np.empty(0)]
    called = [np.empty(0, dtype=np.intp)]
    for block in rows:
        known = ~np.isnan(block.X[:, column])
        X = block.X[known]
        prediction = predict(tree, counts, X, laplace=laplace)
        leaf = prediction.leaf
        estimates = np.column_stack(
            [case_estimates(tree, counts, X, values, leaf) for values in of_leaf.T]
        )
        # Means over several leaves that are equal but for rounding are equal.
        estimates[leaf < 0] = np.round(estimates[leaf < 0], 12)
        scores.append(estimates)
        called.append(prediction.predicted)
        actual.append(X[:, column])
        weights.append(block.weights[known])
    every = np.concatenate(scores)
    # A case whose shares were all lost in empty leaves.
    scored = np.where(np.isnan(every), 0.5, every)
    classes = np.concatenate(actual).astype(np.intp)
    return _curve_of_cases(
        scored, np.concatenate(called), classes, np.concatenate(weights), positive
    )


def _curve_of_cases(
    scores: Floats, called: Ints, actual: Ints, weights: Floats, positive: int
) -> LeafCurve:
    several = scores.shape[1] > 1
    points = curve(scores[:, positive if several else 0], actual == positive, weights)
    m = hand_till(scores, actual, weights) if several else None
    return LeafCurve(points, m, called, actual, weights)


def score_curve(
    scores: Sequence[float],
    actual: Sequence[int],
    weights: Sequence[float],
    classes: Sequence[str],
    positive: str | None = None,
) -> tuple[Curve, str]:
    """The curve, and the label of the positive class.

    Parameters
    ----------
    actual
        Place of each case's class among `classes`.
    positive
        Default: of two classes the rarer, of more the first.
    """
    y, w = np.array(actual, dtype=np.intp), np.array(weights, dtype=np.float64)
    if positive is not None:
        if positive not in classes:
            raise UnknownNameError("class", positive, classes)
        chosen = list(classes).index(positive)
    else:
        chosen = int(w[y == 1].sum() < w[y == 0].sum()) if len(classes) == 2 else 0
    return curve(np.array(scores, dtype=np.float64), y == chosen, w), classes[chosen]


THRESHOLD_CURVE_COLUMNS = (
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


@dataclass(frozen=True)
class CurveResult:
    """A curve and what goes with it.

    Parameters
    ----------
    positive
        Name of the positive class.
    partial
        The false positive rate up to which a partial area is wanted.
    m
        M of Hand and Till, with more than two classes.
    point
        False positive rate, true positive rate and precision of the tree's own labels, for
        pictures.
    """

    curve: Curve
    positive: str
    partial: float | None = None
    m: float | None = None
    several: bool = False
    point: tuple[float, float, float] | None = None
