"""How good class probabilities are: squared error, log-loss, calibration.

Weights are instance weights, as in `j48geo.decide.evaluation.auc`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from j48geo.arrays import Bools, Floats, Ints
from j48geo.core.summaries import ExactSum, Summary, exact_sums
from j48geo.decide.evaluation.auc import check_arrays, weighted_mean
from j48geo.decide.evaluation.score_tables import (
    NO_WEIGHT,
    ScoreCounts,
    ScoreSlice,
)
from j48geo.score.prediction import EQUAL

CalibrationBins = Literal["mass", "width"]


def mean_squared_error(
    distribution: ArrayLike, actual: ArrayLike, weights: ArrayLike | None = None
) -> float | None:
    """Mean over the cases of the squared errors summed over the classes.

    Parameters
    ----------
    distribution : array of float64, shape (n_cases, n_classes)
    actual : array of int, shape (n_cases,)
        Index of the true class.

    Notes
    -----
    ABD07 Table 2. With two classes it is twice Brier's score of one class.
    """
    p = np.asarray(distribution, dtype=np.float64)
    return weighted_mean(squared_errors(p, np.asarray(actual, dtype=np.intp)), weights)


def squared_errors(distribution: Floats, actual: Ints) -> Floats:
    """Squared errors of each case, summed over the classes, shape (n_cases,)."""
    hit = np.zeros(distribution.shape)
    hit[np.arange(len(actual)), actual] = 1.0
    errors = np.zeros(len(actual))
    for column in ((hit - distribution) ** 2).T:  # one by one, whatever the memory's order
        errors += column
    return errors


@dataclass(frozen=True)
class LogLoss:
    """Log-loss with its infinities apart.

    Parameters
    ----------
    finite
        Mean over the cases whose true class was not given probability 0; None without any.
    impossible
        How many cases have a true class of probability 0. One is enough to make the loss
        infinite.
    """

    finite: float | None
    impossible: int

    @property
    def value(self) -> float | None:
        """The log-loss: infinite if something impossible happened; None without cases."""
        return inf if self.impossible else self.finite


def log_loss(
    distribution: ArrayLike, actual: ArrayLike, weights: ArrayLike | None = None
) -> LogLoss:
    """Mean of -ln of the probability given to the true class, in nats.

    Nothing is clipped: probability 0 for what happened is an infinite loss, and the number
    of such cases is told. Divide by ln 2 for bits.

    Parameters
    ----------
    distribution : array of float64, shape (n_cases, n_classes)
    actual : array of int, shape (n_cases,)
    """
    p = np.asarray(distribution, dtype=np.float64)
    y = np.asarray(actual, dtype=np.intp)
    w = np.ones(len(y)) if weights is None else np.asarray(weights, dtype=np.float64)
    given = p[np.arange(len(y)), y]
    impossible = (given <= 0) & (w > 0)
    possible = ~impossible & (w > 0)
    # 0.0 instead of -0.0 where all is certain and right.
    finite = weighted_mean(-np.log(given[possible]) + 0.0, w[possible])
    return LogLoss(finite, int(impossible.sum()))


@dataclass(frozen=True, eq=False)
class Reliability:
    """What was promised and what came true, bin by bin; empty bins are left out.

    Parameters
    ----------
    promised, share, weight : array of float64, shape (n_bins,)
        Mean probability of the positive class, share of positive cases, weight of all.
    """

    promised: Floats
    share: Floats
    weight: Floats


@dataclass(frozen=True)
class BinSums(Summary):
    """Weight, promised probability and positive weight of the cases of each bin."""

    weight: Mapping[int, ExactSum] = field(default_factory=dict)
    promised: Mapping[int, ExactSum] = field(default_factory=dict)
    positive: Mapping[int, ExactSum] = field(default_factory=dict)

    @classmethod
    def of(cls, cases: ScoreSlice, bins: int, *, by_mass: bool) -> BinSums:
        """Sums in the bins of a slice of probabilities, see `reliability`."""
        table, p = cases.table, cases.table.keys[0]
        if by_mass:
            own = cases.sum_groups(table.mass)
            below = cases.sum_to_ends(
                -table.mass, cases.total.total_weight - cases.above.total_weight
            )
            middle = (below + own / 2.0) / cases.total.total_weight.result()
            place = np.minimum(np.floor(bins * middle), bins - 1).astype(np.intp)[cases.group]
        else:
            place = np.clip(np.floor(p * bins), 0, bins - 1).astype(np.intp)
        yes: Bools = table.label == 1
        return cls(
            exact_sums(table.mass, place),
            exact_sums(table.mass * p, place),
            exact_sums(table.mass[yes], place[yes]),
        )

    @property
    def error(self) -> float | None:
        """Mean difference of what came true and what was promised; None without cases."""
        bins = self.reliability
        return weighted_mean(np.abs(bins.share - bins.promised), bins.weight)

    @property
    def reliability(self) -> Reliability:
        """Promised probability, share of positive cases and weight of every bin with cases."""
        rows = [
            (
                self.promised[place].over(total) or 0.0,
                self.positive.get(place, NO_WEIGHT).over(total) or 0.0,
                total.result(),
            )
            for place, total in sorted(self.weight.items())
            if total.units
        ]
        return Reliability(*np.array(rows, dtype=np.float64).reshape(-1, 3).T)


def reliability(
    probability: ArrayLike,
    positive: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    bins: int = 10,
    by: CalibrationBins = "mass",
) -> Reliability:
    """Compare probabilities of the positive class with what happened.

    Parameters
    ----------
    probability : array of float64, shape (n_cases,)
    positive : array of bool, shape (n_cases,)
    by
        ``mass``: bins of equal weight. Cases of equal probability are never divided; the
        middle of their places in the order decides: with weight B below them and w of
        their own they are in bin floor(bins (B + w/2) / W). ``width``: bin
        floor(bins p), so that each is closed below, and the last one above too.
    """
    return _sum_bins(probability, positive, weights, bins, by).reliability


def _sum_bins(
    probability: ArrayLike,
    positive: ArrayLike,
    weights: ArrayLike | None,
    bins: int,
    by: CalibrationBins,
) -> BinSums:
    p, is_positive, weighed = check_arrays(probability, positive, weights)
    w = np.ones(len(p)) if weighed is None else weighed
    cases = ScoreSlice.whole(ScoreCounts.of([p], is_positive, w))
    return BinSums.of(cases, bins, by_mass=by == "mass")


def calibration_error(
    probability: ArrayLike,
    positive: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    bins: int = 10,
    by: CalibrationBins = "mass",
) -> float | None:
    """Expected calibration error: mean |share of positives - mean probability| over bins.

    Each bin of `reliability` counts by its weight. Bins of equal weight are the default,
    since trees give most cases a probability near 0 or 1: in bins of equal width these would
    share two bins, where promises too high and too low cancel. None without cases.

    Examples
    --------
    >>> calibration_error([0.5, 0.5, 1.0, 1.0], [True, True, True, True])
    0.25
    """
    return _sum_bins(probability, positive, weights, bins, by).error


def largest_class(distribution: ArrayLike) -> Ints:
    """The class with the largest probability, the first of equals, shape (n_cases,).

    Equal as in `j48geo.score.prediction`: but for the rounding of sums.
    """
    p = np.asarray(distribution, dtype=np.float64)
    first: Ints = np.argmax(p >= p.max(axis=1, keepdims=True, initial=0.0) - EQUAL, axis=1)
    return first
