"""How well scores order cases whose class is known: AUC, ties, and where the errors lie.

Everything here takes plain arrays. Weights are instance weights: a case of weight 2 has twice
the say, and one of weight 0 has none. What would be 0/0 is None.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from j48geo.arrays import Bools, Floats
from j48geo.core.summaries import ExactSum, Moments, fraction_root
from j48geo.decide.roc import curve
from j48geo.score.ranking import rank_scores


@dataclass(frozen=True)
class ScorePairs:
    """Every positive case against every negative one.

    Parameters
    ----------
    won, tied, total
        Pairs in which the positive case has the larger score, in which both have the same,
        and all: whole numbers, or with weights sums of products of two weights.
    """

    won: float
    tied: float
    total: float

    @property
    def auc(self) -> float | None:
        """Share of the pairs that are won, ties counted half; None without pairs."""
        return (2 * self.won + self.tied) / (2 * self.total) if self.total else None

    @property
    def tied_share(self) -> float | None:
        """Share of the pairs that are tied; None without pairs."""
        return self.tied / self.total if self.total else None


def count_pairs(
    scores: ArrayLike, positive: ArrayLike, weights: ArrayLike | None = None
) -> ScorePairs:
    """Count the pairs of a positive and a negative case that a score orders.

    Parameters
    ----------
    scores : array of float64, shape (n_cases,)
        Larger is more positive; infinities are numbers like others, NaN is refused.
    positive : array of bool, shape (n_cases,)
    weights : array of float64, shape (n_cases,)
        Default: 1 each. If all are whole the counts are exact.

    Examples
    --------
    >>> count_pairs([0.9, 0.4, 0.4, 0.1], [True, True, False, False])
    ScorePairs(won=3, tied=1, total=4)
    """
    s, yes, w = check_arrays(scores, positive, weights)
    own = np.ones(len(s)) if w is None else w
    if (own == np.rint(own)).all() and own.sum() < 2.0**53:
        own = own.astype(np.int64)
    order = np.argsort(s[~yes], kind="stable")
    others = s[~yes][order]
    up_to = np.append(np.zeros(1, dtype=own.dtype), np.cumsum(own[~yes][order]))
    # Equal scores are looked up once.
    value, back = np.unique(s[yes], return_inverse=True)
    mass = np.zeros(len(value), dtype=own.dtype)
    np.add.at(mass, back, own[yes])
    below = up_to[np.searchsorted(others, value)]
    equal = up_to[np.searchsorted(others, value, "right")] - below
    total = mass.sum().item() * up_to[-1].item()
    return ScorePairs((below * mass).sum().item(), (equal * mass).sum().item(), total)


def auc(scores: ArrayLike, positive: ArrayLike, weights: ArrayLike | None = None) -> float | None:
    """Area under the ROC curve: the chance that a positive case beats a negative one.

    Ties count half. None if a class is absent. Parameters are those of `count_pairs`.

    Notes
    -----
    Mann and Whitney's statistic, and FFH02 definition 7. Without weights it is the ratio of
    two whole numbers, rounded once.

    Examples
    --------
    >>> auc([0.9, 0.4, 0.4, 0.1], [True, True, False, False])
    0.875
    """
    return count_pairs(scores, positive, weights).auc


def partial_auc(
    scores: ArrayLike, positive: ArrayLike, x: float, weights: ArrayLike | None = None
) -> float | None:
    """Integral of the ROC curve from 0 to `x`, not renormalised: at most `x`.

    Notes
    -----
    AUC(x) of AB05 section 4.2 and Table 5; straight lines between the points.
    """
    return curve(*check_arrays(scores, positive, weights)).partial_auc(x)


def combine_scores(score: Floats, within: Floats | None) -> Floats:
    """A score and what orders cases of equal score as one array: larger is better.

    Notes
    -----
    The local ranking of AB05 theorem 2 is such a pair. The result is minus the rank, so
    that only the order means anything; without `within` the score stays as it is, unless
    some are NaN (the tree has no class for the case): these come last, as in a ranking.
    """
    if within is None and not np.isnan(score).any():
        return score
    return -rank_scores(score, within).rank.astype(np.float64)


def accuracy(
    predicted: ArrayLike, actual: ArrayLike, weights: ArrayLike | None = None
) -> float | None:
    """Share of cases whose class is the predicted one; -1, not known, is never right."""
    return weighted_mean(np.asarray(predicted) == np.asarray(actual), weights)


@dataclass(frozen=True)
class Proximity:
    """Whether errors lie nearer to the decision boundary than hits.

    Parameters
    ----------
    value
        λ, the difference of the mean distances in units of its standard error; None with
        fewer than 2 hits or 2 errors, or if no distance differs from the others of its kind.
    hits, errors
        Cases that the tree has right and wrong, and that have a finite distance.
    hit_distance, error_distance
        Their mean distances to the boundary; None without any.
    zeros
        How many of them have distance 0.
    infinite
        Cases at infinite distance, which are left out: they have infinite values, or there
        is no boundary.
    has_boundary
        Whether there is a decision boundary.
    """

    value: float | None
    hits: int
    errors: int
    hit_distance: float | None
    error_distance: float | None
    zeros: int = 0
    infinite: int = 0
    has_boundary: bool = True

    @property
    def measured(self) -> int:
        """Cases that have a finite distance."""
        return self.hits + self.errors

    @property
    def zero_share(self) -> float | None:
        """Share of the distances that are 0; None without any."""
        return self.zeros / self.measured if self.measured else None


def compute_proximity(
    distance: ArrayLike, correct: ArrayLike, *, has_boundary: bool = True
) -> Proximity:
    """λ: the mean distance of hits minus that of errors, over its standard error.

    Parameters
    ----------
    distance : array of float64, shape (n_cases,)
        d(x, Γ). Cases at infinite distance are counted and left out.
    correct : array of bool, shape (n_cases,)
        Whether the tree has the case right.
    has_boundary
        Whether there is a boundary; only carried on, since distances of cases with infinite
        values are infinite too.

    Notes
    -----
    AB05 equation (6), λ = (d_h - d_e) / sqrt(σ_h² + σ_e²); its σ are the standard errors of
    the two means. From 2 on errors are nearer, with 97.5 % confidence (one-sided). A test
    counts cases, so instance weights have no place in it.

    Examples
    --------
    >>> compute_proximity([3.0, 5.0, 1.0, 2.0], [True, True, False, False]).value
    2.23606797749979
    """
    every = np.asarray(distance, dtype=np.float64)
    right = np.asarray(correct, dtype=bool)
    hits, errors = Moments.of(every[right]), Moments.of(every[~right])
    return proximity_from_moments(
        hits, errors, int(np.count_nonzero(every == 0)), has_boundary=has_boundary
    )


def proximity_from_moments(
    hits: Moments, errors: Moments, zeros: int, *, has_boundary: bool
) -> Proximity:
    """λ from the moments of the distances of hits and of errors, see `compute_proximity`."""
    sizes = [kind.count - kind.infinite for kind in (hits, errors)]
    value = None
    if min(sizes) >= 2:
        apart = hits.exact_mean - errors.exact_mean
        squared = hits.exact_variance / sizes[0] + errors.exact_variance / sizes[1]
        if squared:
            value = fraction_root(apart**2 / squared) * (1 if apart >= 0 else -1)
    means = [
        float(kind.exact_mean) if n else None for kind, n in zip((hits, errors), sizes, strict=True)
    ]
    return Proximity(
        *(value, sizes[0], sizes[1], means[0], means[1]),
        zeros=zeros,
        infinite=hits.infinite + errors.infinite,
        has_boundary=has_boundary,
    )


def check_arrays(
    scores: ArrayLike, positive: ArrayLike, weights: ArrayLike | None
) -> tuple[Floats, Bools, Floats | None]:
    """Arrays of cases that have a say; weights are None where all of them are 1."""
    s = np.asarray(scores, dtype=np.float64)
    yes = np.asarray(positive, dtype=np.bool_)
    if np.isnan(s).any():
        raise ValueError("a score is NaN")
    if weights is None:
        return s, yes, None
    w = np.asarray(weights, dtype=np.float64)
    if not (np.isfinite(w) & (w >= 0)).all():
        raise ValueError("a weight is negative or not finite")
    if (w > 0).all():
        return s, yes, None if (w == 1).all() else w
    return check_arrays(s[w > 0], yes[w > 0], w[w > 0])


def weighted_mean(values: ArrayLike, weights: ArrayLike | None) -> float | None:
    """Weighed mean, rounded once, whatever the order; None without weight."""
    x = np.asarray(values, dtype=np.float64)
    w = np.ones(len(x)) if weights is None else np.asarray(weights, dtype=np.float64)
    return ExactSum.dot(x, w).over(ExactSum.of(w))
