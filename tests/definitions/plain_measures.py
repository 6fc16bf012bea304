"""Measures of plain arrays and numbers: what tests ask the sums about."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from j48geo import defaults
from j48geo.arrays import Ints
from j48geo.decide.evaluation.auc import check_arrays, count_pairs
from j48geo.decide.evaluation.intervals import auc_interval, compare_aucs
from j48geo.decide.evaluation.metrics import Differences, RankSums
from j48geo.decide.evaluation.score_tables import ScoreCounts, ScorePlacements, ScoreSlice
from j48geo.decide.leaf_order import Smoothing, choose_estimator
from j48geo.score.leaf_estimates import Number, find_m, to_fraction


def tied_pairs(
    scores: ArrayLike, positive: ArrayLike, weights: ArrayLike | None = None
) -> float | None:
    """Share of all pairs of a positive and a negative case that have equal scores.

    Half of it is what the order of equals could still win or lose in AUC.
    """
    return count_pairs(scores, positive, weights).tied_share


def delong_interval(
    scores: ArrayLike,
    positive: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    level: float = 0.95,
    scale: Literal["logit", "plain"] = "logit",
    counts: Ints | None = None,
) -> tuple[float, float] | None:
    """Confidence interval of an AUC by the variance of DeLong, DeLong and Clarke-Pearson.

    Parameters
    ----------
    scores, positive, weights
        As for `j48geo.decide.evaluation.auc.auc`.
    level
        Part of such intervals that hold the true value.
    scale
        ``logit``: symmetric around log(A / (1 - A)), so that it stays inside 0 and 1 and
        keeps its level near 1. ``plain``: A plus and minus, cut at 0 and 1, as the R
        package pROC gives it.
    counts : array of int, shape (n_cases,)
        How many cases each entry stands for, if not one.

    Returns
    -------
    tuple or None
        None with fewer than two cases of either class, and where no pair is lost, or none
        won (AUC 1 or 0), or what is lost weighs nothing beside the rest: the variance is 0
        there, but nothing is certain. Where all scores are equal the AUC is 1/2 whatever
        comes, and both ends are.

    Notes
    -----
    The share of negatives that a positive case beats is its placement, and the other way
    round; the variance is that of the mean placement of the positives plus that of the
    negatives. Placements come from sorting. With weights each squared deviation is weighed
    by the square of the case's share of the weight.

    Examples
    --------
    >>> low, high = delong_interval([4, 3, 2, 1], [True, False, True, False])
    >>> round(low, 4), round(high, 4)
    (0.0693, 0.9918)
    """
    cases = ScoreSlice.whole(_table([scores], positive, weights, counts))
    return auc_interval(RankSums.of(cases, 1.0), cases.total, level=level, scale=scale)


def delong_difference(
    scores: ArrayLike,
    others: ArrayLike,
    positive: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    level: float = 0.95,
    counts: Ints | None = None,
) -> tuple[float, float, float] | None:
    """The AUC of one score minus that of another on the same cases, and its interval.

    Parameters are those of `delong_interval`.

    Returns
    -------
    tuple or None
        Difference, low and high end. None with fewer than two cases of either class, or if
        the AUCs differ and their variance is 0.

    Notes
    -----
    DeLong's variance of the difference: the two scores place the same cases, so their AUCs
    rise and fall together, and the difference is surer than its two ends.
    """
    joint = _table([scores, others], positive, weights, counts)
    cases = ScoreSlice.whole(joint, 1)
    other = ScoreSlice.whole(
        ScoreCounts.of([joint.keys[1]], joint.label, joint.weight, joint.count), 1
    )
    areas = [RankSums.of(each, 1.0).area(cases.total) for each in (cases, other)]
    if areas[0] is None or areas[1] is None:
        return None
    sums = Differences.of(cases, ScorePlacements.of(other))
    return compare_aucs(sums, areas[0] - areas[1], cases.total, level=level)


def _table(
    scores: list[ArrayLike], positive: ArrayLike, weights: ArrayLike | None, counts: Ints | None
) -> ScoreCounts:
    """The cases that have a say."""
    yes = np.asarray(positive, dtype=np.bool_)
    w = np.ones(len(yes)) if weights is None else np.asarray(weights, dtype=np.float64)
    for column in scores:
        check_arrays(column, positive, weights)
    some = w > 0
    n = np.ones(len(yes), dtype=np.int64) if counts is None else counts
    keys = [np.asarray(column, dtype=np.float64)[some] for column in scores]
    return ScoreCounts.of(keys, yes[some], w[some], n[some])


def labelling_auc(fpr: Fraction | None, tpr: Fraction | None) -> Fraction | None:
    """AUC of one labelling: (TPR - FPR + 1) / 2, its balanced accuracy (FFH02 section 3)."""
    return None if fpr is None or tpr is None else (tpr - fpr + 1) / 2


def shifted_threshold(ratio: Number, old: Number, new: Number) -> Fraction | None:
    """The threshold on training estimates if the positive share goes from `old` to `new`.

    t / (1 - t) = CR / (1 - CR) (1 - b) / b a / (1 - a); None for 0/0.

    Examples
    --------
    >>> str(shifted_threshold(0.5, 0.1, 0.5))
    '1/10'
    """
    cr, a, b = to_fraction(ratio), to_fraction(old), to_fraction(new)
    above, below = cr * (1 - b) * a, (1 - cr) * b * (1 - a)
    return above / (above + below) if above + below else None


def local_positive_accuracy(
    positive: Number,
    negative: Number,
    smoothing: Smoothing = "none",
    *,
    classes: int = 2,
    mp: Number = defaults.MP,
    share: Number | None = None,
) -> Fraction | None:
    """The share r = E+ / (E+ + E-), or its smoothed form; None for 0/0.

    Parameters
    ----------
    smoothing
        ``none``, ``laplace`` (k + 1)/(n + C), or ``m`` (k + m p)/(n + m).
    classes
        C, the number of declared classes.
    mp, share
        The product m p and the share p of the positive class in training.

    Notes
    -----
    FFH02 Lemma 1; estimates as in DEFINITIONS section 5.

    Examples
    --------
    >>> str(local_positive_accuracy(3, 5)), str(local_positive_accuracy(3, 5, "laplace"))
    ('3/8', '2/5')
    """
    p = None if share is None else Fraction(share)
    m = None if p is None else find_m(mp, p)
    estimate = choose_estimator(smoothing, classes, p, m)
    return estimate(Fraction(positive), Fraction(positive) + Fraction(negative))
