"""Curves over the threshold of a score: ROC, precision and recall, and what is read off them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from j48geo.arrays import Bools, Floats, Ints

if TYPE_CHECKING:
    pass


N = TypeVar("N", float, Fraction)


@dataclass(frozen=True, eq=False)
class Curve:
    """Counts of right and wrong positives as the threshold falls.

    Parameters
    ----------
    threshold : array of float64, shape (n_points,)
        Cases with at least this score are called positive; infinity at the first point.
    tp, fp : array of float64, shape (n_points,)
        Weight of true and false positives.
    """

    threshold: Floats
    tp: Floats
    fp: Floats

    @property
    def positives(self) -> float:
        """Weight of the positive class."""
        return float(self.tp[-1])

    @property
    def negatives(self) -> float:
        """Weight of all others."""
        return float(self.fp[-1])

    @property
    def tpr(self) -> Floats:
        """True positive rate, or recall; NaN without positive cases."""
        return _ratio(self.tp, self.positives)

    @property
    def fpr(self) -> Floats:
        """False positive rate; NaN without negative cases."""
        return _ratio(self.fp, self.negatives)

    @property
    def precision(self) -> Floats:
        """Share of the called that are positive; NaN where nothing is called."""
        return _ratio(self.tp, self.tp + self.fp)

    @property
    def f_measure(self) -> Floats:
        """Harmonic mean of precision and recall; NaN where one is 0/0."""
        known = np.isfinite(self.precision) & np.isfinite(self.tpr)
        both = 2.0 * self.tp
        return np.where(known, _ratio(both, self.tp + self.fp + self.positives), np.nan)

    @property
    def best_f(self) -> int | None:
        """The point of the largest F-measure; None if it is 0/0 everywhere."""
        f = self.f_measure
        return int(np.nanargmax(f)) if np.isfinite(f).any() else None

    @property
    def auc(self) -> float | None:
        """Area under the ROC curve, ties counted half; None if a class is absent."""
        return self.partial_auc(1.0)

    def partial_auc(self, x: float) -> float | None:
        """Integral of the ROC curve from 0 to `x`, not renormalised (AB05 Table 5).

        The false positive rate goes first: positives of equal rate stand above each other.
        """
        fpr, tpr = self.fpr, self.tpr
        if not (isfinite(fpr[-1]) and isfinite(tpr[-1])):
            return None
        return float(np.sum(area_terms(fpr, tpr, x)))

    @property
    def break_even(self) -> tuple[float, float, float] | None:
        """Where as many are called positive as are: precision = recall, and FPR and TPR there.

        Interpolated on the edge of the ROC curve; None if a class is absent (MZR08 section 3).
        """
        called = self.tp + self.fp
        if not self.positives or not self.negatives:
            return None
        i = int(np.searchsorted(called, self.positives))
        if i == 0:
            return None
        part = (self.positives - called[i - 1]) / (called[i] - called[i - 1])
        tp = self.tp[i - 1] + part * (self.tp[i] - self.tp[i - 1])
        fp = self.fp[i - 1] + part * (self.fp[i] - self.fp[i - 1])
        value = float(tp / self.positives)
        return value, float(fp / self.negatives), value

    @property
    def hull(self) -> Ints:
        """Points that are corners of the ROC curve's upper convex hull."""
        points = list(zip(self.fp.tolist(), self.tp.tolist(), strict=True))
        return np.array(hull_corners(points), dtype=np.intp)


def curve(scores: ArrayLike, positive: ArrayLike, weights: ArrayLike | None = None) -> Curve:
    """The curve of scores of which larger is better; one point for each distinct score.

    Parameters
    ----------
    scores : array of float64, shape (n_cases,)
        None is NaN.
    positive : array of bool, shape (n_cases,)
        Which cases are of the positive class.
    weights : array of float64, shape (n_cases,)
        Default: 1 each.

    Notes
    -----
    MZR08 section 3. Sorting gives the area that FFH02 definition 7 gives for leaves.

    Examples
    --------
    >>> found = curve([0.9, 0.4, 0.4, 0.1], [True, True, False, False])
    >>> found.auc, found.tpr.tolist(), found.fpr.tolist()
    (0.875, [0.0, 0.5, 1.0, 1.0], [0.0, 0.0, 0.5, 1.0])
    """
    s = np.asarray(scores, dtype=np.float64)
    yes = np.asarray(positive, dtype=bool)
    w = np.ones(len(s)) if weights is None else np.asarray(weights, dtype=np.float64)
    if np.isnan(s).any():
        raise ValueError("a score is NaN")
    order = np.argsort(-s, kind="stable")
    s, yes, w = s[order], yes[order], w[order]
    last = np.flatnonzero(np.append(s[1:] != s[:-1], True)) if len(s) else np.array([], np.intp)
    tp = np.cumsum(np.where(yes, w, 0.0))[last]
    fp = np.cumsum(np.where(yes, 0.0, w))[last]
    return Curve(
        np.concatenate([[np.inf], s[last]]),
        np.concatenate([[0.0], tp]),
        np.concatenate([[0.0], fp]),
    )


def hand_till(
    scores: ArrayLike, classes: ArrayLike, weights: ArrayLike | None = None
) -> float | None:
    """M of Hand and Till: the mean AUC of all pairs of classes.

    Parameters
    ----------
    scores : array of float64, shape (n_cases, n_classes)
        Estimate of every class for every case.
    classes : array of int, shape (n_cases,)
        Index of the actual class. Classes without a case are left out; None if fewer than
        two are left.

    Notes
    -----
    The macro average of one class against one of scikit-learn. Of each pair (i, j) the mean
    of the AUC by the estimate of i and of that by the estimate of j.
    """
    s = np.asarray(scores, dtype=np.float64)
    y = np.asarray(classes, dtype=np.intp)
    w = np.ones(len(s)) if weights is None else np.asarray(weights, dtype=np.float64)
    return mean_of_pairs([(column, y, w) for column in s.T])


def mean_of_pairs(columns: Sequence[tuple[Floats, Ints, Floats]]) -> float | None:
    """M of Hand and Till from the estimates of each class: scores, classes, weights."""
    _, y, w = columns[0]

    def area(c: int, other: int) -> float | None:
        s, y, w = columns[c]
        pair = (y == c) | (y == other)
        return curve(s[pair], y[pair] == c, w[pair]).auc

    return mean_pair_auc([c for c in range(len(columns)) if w[y == c].sum() > 0], area)


def mean_pair_auc(present: Sequence[int], area: Callable[[int, int], float | None]) -> float | None:
    """M of Hand and Till from the AUC of each ordered pair of the classes that have cases.

    Parameters
    ----------
    area
        From a class and another to the AUC among their cases, by the estimate of the first.
    """
    areas = []
    for k, i in enumerate(present):
        for j in present[k + 1 :]:
            for pair in ((i, j), (j, i)):
                value = area(*pair)
                assert value is not None  # both classes have cases
                areas.append(value)
    return float(np.mean(areas)) if areas else None


def _ratio(above: Floats, below: Floats | float) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio: Floats = np.true_divide(above, below)
    return np.where(np.isfinite(ratio), ratio, np.nan)


def area_terms(fpr: Floats, tpr: Floats, x: float) -> Floats:
    """Areas of the trapezoids under a ROC curve, as far as the false positive rate is at most `x`.

    Parameters
    ----------
    fpr, tpr : array of float64, shape (n_points,)
        Rising from point to point.
    """
    last = int(np.count_nonzero(fpr[:-1] < x))
    step, width = np.diff(fpr)[:last], (np.minimum(fpr[1:], x) - fpr[:-1])[:last]
    part = np.divide(width, step, out=np.zeros(last), where=step > 0)
    return width * (tpr[:last] + np.diff(tpr)[:last] * part / 2.0)


def hull_corners(points: Sequence[tuple[N, N]]) -> list[int]:
    """Which points are corners of the upper convex hull; they go to the right."""
    corners: list[int] = []
    for i, point in enumerate(points):
        # A corner that the way to the new point does not turn right at is none.
        while len(corners) >= 2 and turn(points[corners[-2]], points[corners[-1]], point) >= 0:
            corners.pop()
        corners.append(i)
    return corners


def turn(a: tuple[N, N], b: tuple[N, N], c: tuple[N, N]) -> N:
    """Positive if the way a, b, c turns left, 0 if it goes straight on."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def curves_by_method(
    scores: Mapping[str, Floats], positive: Bools, weights: Floats | None = None
) -> dict[str, Curve]:
    """The curve of each method's scores; larger is better, infinities are scores like others."""
    return {name: curve(values, positive, weights) for name, values in scores.items()}


def locate_labels(
    called: Bools, positive: Bools, weights: Floats | None = None
) -> tuple[float, float, float]:
    """False positive rate, true positive rate and precision of labels; NaN where it is 0/0.

    Parameters
    ----------
    called : array of bool, shape (n_cases,)
        Which cases are given the positive class, by the tree's own labels.
    """
    yes, right = np.asarray(called, dtype=np.bool_), np.asarray(positive, dtype=np.bool_)
    w = np.ones(len(yes)) if weights is None else np.asarray(weights, dtype=np.float64)
    tp, fp = float(w[yes & right].sum()), float(w[yes & ~right].sum())
    return (
        _share(fp, float(w[~right].sum())),
        _share(tp, float(w[right].sum())),
        _share(tp, tp + fp),
    )


def interpolate_precision(points: Curve) -> tuple[Floats, Floats]:
    """The precision-recall curve as it is to be drawn, shape (n_points,) each.

    Between two points counts grow evenly (an edge of the ROC curve), so precision bends: a
    straight line would promise too much. Where nothing is called yet it is the precision of
    the first edge.
    """
    rise = np.diff(points.tp) / (points.positives or np.nan)
    run = np.diff(points.fp)
    parts = np.maximum(np.ceil(np.nan_to_num(rise) * 100), 1).astype(np.intp)
    edge = np.repeat(np.arange(len(parts)), parts)
    first = np.cumsum(parts) - parts
    at = (np.arange(len(edge)) - first[edge] + 1) / parts[edge]
    tp = np.append(points.tp[0], points.tp[:-1][edge] + at * np.diff(points.tp)[edge])
    fp = np.append(points.fp[0], points.fp[:-1][edge] + at * run[edge])
    with np.errstate(invalid="ignore"):
        precision, recall = tp / (tp + fp), tp / (points.positives or np.nan)
    if len(precision) > 1:
        precision[0] = precision[1]
    return recall, precision


def _share(part: float, whole: float) -> float:
    return part / whole if whole else float("nan")
