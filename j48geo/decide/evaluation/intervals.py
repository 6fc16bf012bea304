"""How far an AUC may be from that of other cases of the same kind: confidence intervals.

A case is one independent draw, whatever it weighs: a weight is its say, not a number of
copies, so that a file in which every weight is doubled is no surer of anything.
"""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from j48geo.arrays import Bools, Floats
from j48geo.core.summaries import fraction_root
from j48geo.decide.evaluation.auc import check_arrays, count_pairs
from j48geo.decide.evaluation.metrics import Differences, RankSums
from j48geo.decide.evaluation.score_tables import ClassMasses

_TINY = 1e-14
"""An area that is as near to 0 or 1 cannot be told from it: sums are rounded."""


def auc_interval(
    sums: RankSums, total: ClassMasses, *, level: float, scale: Literal["logit", "plain"] = "logit"
) -> tuple[float, float] | None:
    """Confidence interval of an AUC by the variance of DeLong, DeLong and Clarke-Pearson.

    Parameters
    ----------
    sums, total
        Those of all cases, and their masses.
    scale
        ``logit``: symmetric around log(A / (1 - A)), so that it stays inside 0 and 1. ``plain``:
        A plus and minus, cut at 0 and 1, as the R package pROC gives it.

    Returns
    -------
    tuple or None
        None with fewer than two cases of either class, and where no pair is lost, or none
        won: the variance is 0 there, but nothing is certain.

    Notes
    -----
    The share of negatives that a positive case beats is its placement, and the other way
    round; the variance is that of the mean placement of the positives plus that of the
    negatives, each case by the square of its share of the weight.
    """
    exact = sums.area(total)
    if exact is None or min(total.count.get(1, 0), total.count.get(0, 0)) < 2:
        return None
    if sums.distinct == 1:
        return 0.5, 0.5
    area = float(exact)
    if not (sums.lost and sums.gained and _is_between(area)):
        return None
    reach = _count_errors(level) * _standard_error(sums, exact, total)
    if scale == "plain":
        return max(0.0, area - reach), min(1.0, area + reach)
    from scipy.special import expit, logit

    half = reach / (area * (1.0 - area))
    return float(expit(logit(area) - half)), float(expit(logit(area) + half))


def compare_aucs(
    sums: Differences, apart: Fraction, total: ClassMasses, *, level: float
) -> tuple[float, float, float] | None:
    """The AUC of one score minus that of another on the same cases, and its interval.

    The two scores place the same cases, so the difference is surer than its two ends.

    Parameters
    ----------
    apart
        The one area minus the other.
    """
    if min(total.count.get(1, 0), total.count.get(0, 0)) < 2:
        return None
    error, difference = _standard_error(sums, apart, total), float(apart)
    if error == 0.0 and difference != 0.0:
        return None
    reach = _count_errors(level) * error
    return difference, difference - reach, difference + reach


def bootstrap_interval(
    scores: ArrayLike,
    positive: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    seed: int,
    replicates: int = 1000,
    level: float = 0.95,
) -> tuple[float, float] | None:
    """Confidence interval of an AUC: percentiles over cases drawn again.

    Positive and negative cases are drawn apart, with replacement, as many as there are, each
    with its weight. One seed draws the same cases for every score. None as for
    `auc_interval`.
    """
    s, yes, w = check_arrays(scores, positive, weights)
    p, n = int(yes.sum()), int((~yes).sum())
    if min(p, n) < 2 or _is_separated(s, yes):
        return None
    area = count_pairs(s, yes, w).auc
    if area is None or not _is_between(area):
        return None
    values, place = np.unique(s, return_inverse=True)
    k = len(values)
    classes = [(place[m], None if w is None else w[m], c) for m, c in ((yes, p), (~yes, n))]
    random = np.random.default_rng(seed)
    areas = np.empty(replicates)
    for i in range(replicates):
        mass = []
        for where, weight, count in classes:
            drawn = random.integers(0, count, count)
            mass.append(
                np.bincount(where[drawn], None if weight is None else weight[drawn], minlength=k)
            )
        up, down = mass
        below = np.cumsum(down) - down / 2.0  # half of the equals
        areas[i] = np.dot(up, below) / (float(up.sum()) * float(down.sum()))
    tail = (1.0 - level) / 2.0
    low, high = np.quantile(areas, [tail, 1.0 - tail]).tolist()
    return low, high


def _standard_error(sums: RankSums | Differences, middle: Fraction, total: ClassMasses) -> float:
    """Standard error of a mean placement, which is given."""
    return fraction_root(
        sum(
            spread.variance(middle, total[label], total.count[label])
            for label, spread in ((1, sums.up), (0, sums.down))
        )
        or Fraction(0)
    )


def _is_separated(s: Floats, yes: Bools) -> bool:
    """Whether one threshold parts the classes."""
    up, down = s[yes], s[~yes]
    return bool(up.min() > down.max() or up.max() < down.min())


def _is_between(area: float) -> bool:
    """Whether an area is neither 0 nor 1, to which light cases may be rounded away."""
    return _TINY < area < 1.0 - _TINY


def _count_errors(level: float) -> float:
    """How many standard errors an interval of this level reaches to either side."""
    from scipy.special import ndtri

    return float(ndtri((1.0 + level) / 2.0))


def wilson_interval(share: float, n: float) -> tuple[float, float]:
    """Wilson's interval (95 %) of a share among `n` cases.

    Examples
    --------
    >>> tuple(round(x, 4) for x in wilson_interval(0.5, 10))
    (0.2366, 0.7634)
    """
    z = 1.959963984540054
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return middle - half, middle + half
