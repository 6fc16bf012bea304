"""All methods side by side: one row each, and whether errors lie near the boundary."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from j48geo import defaults
from j48geo.arrays import Floats
from j48geo.decide.evaluation.auc import (
    Proximity,
    accuracy,
    lambda_of_errors,
    pairs_of,
    partial_auc,
)
from j48geo.decide.evaluation.cases import JudgedCases, MethodScores
from j48geo.decide.evaluation.intervals import (
    bootstrap_interval,
    delong_difference,
    delong_interval,
)
from j48geo.decide.evaluation.probabilities import (
    Bins,
    LogLoss,
    calibration_error,
    largest_class,
    log_loss,
    mean_squared_error,
)
from j48geo.decide.roc import hand_till

__all__ = ["Comparison", "Evaluation", "Measures", "MethodRow", "evaluate_methods"]


@dataclass(frozen=True)
class Measures:
    """What the measures of an evaluation depend on.

    Parameters
    ----------
    fpr
        The false positive rate up to which the partial AUC goes. AB05 Table 5 looks at
        rates from 0 to 0.5; the beginning, where geometric ranking is to be good, is 0.1.
    interval, level
        Kind of confidence interval of the AUC, and its level.
    seed, replicates
        Of the bootstrap.
    bins, by
        Of the calibration error, see `j48geo.decide.evaluation.probabilities.reliability`.
    """

    fpr: float = defaults.FPR
    interval: Literal["delong", "bootstrap"] = "delong"
    level: float = 0.95
    seed: int = 0
    replicates: int = 1000
    bins: int = 10
    by: Bins = "mass"


@dataclass(frozen=True)
class MethodRow:
    """What was measured of one method; None where it is not defined.

    Parameters
    ----------
    auc, interval, partial_auc
        Of the positive class against the others.
    m
        M of Hand and Till, with more than two classes and a distribution.
    mse, log_loss, calibration_error, accuracy
        Of the distribution; None for rankings. The accuracy is that of its largest class,
        which need not be the tree's.
    distinct
        How many different scores the cases have.
    tied_pairs
        Share of the pairs of a positive and a negative case that have equal scores.
    """

    method: str
    auc: float | None
    interval: tuple[float, float] | None
    partial_auc: float | None
    m: float | None
    mse: float | None
    log_loss: LogLoss | None
    calibration_error: float | None
    accuracy: float | None
    distinct: int
    tied_pairs: float | None


@dataclass(frozen=True)
class Comparison:
    """The AUC of a method minus that of a leaf estimate, with its interval."""

    method: str
    against: str
    difference: float
    low: float
    high: float


@dataclass(frozen=True)
class Evaluation:
    """Methods side by side.

    Parameters
    ----------
    classes, positive
        Names of all classes and of the positive one.
    cases, positives
        How many cases there are, and how many of them are of the positive class.
    tree_accuracy
        Share of cases whose class is the tree's, which no method changes.
    proximity
        Whether the tree's errors lie near the boundary.
    comparisons
        Rankings and nearby leaves against leaf estimates, as far as both are there.
    optimistic
        Whether these cases are those the tree was grown from.
    calibrated
        Methods that learnt from these very cases.
    """

    classes: tuple[str, ...]
    positive: str
    cases: int
    positives: int
    rows: tuple[MethodRow, ...]
    tree_accuracy: float | None
    proximity: Proximity
    comparisons: tuple[Comparison, ...]
    measures: Measures
    optimistic: bool = False
    calibrated: tuple[str, ...] = ()


def evaluate_methods(
    judged: JudgedCases,
    measures: Measures | None = None,
    *,
    optimistic: bool = False,
    calibrated: Sequence[str] = (),
) -> Evaluation:
    """Measure every method on the same cases.

    Parameters
    ----------
    optimistic, calibrated
        Whether the cases are those the tree was grown from, and which methods learnt from
        them; only carried on.
    """
    measures = measures or Measures()
    judged = replace(judged, weights=_ordinary(judged.weights))
    has_class = judged.predicted >= 0
    return Evaluation(
        judged.classes,
        judged.classes[judged.positive],
        len(judged.actual),
        int(judged.is_positive.sum()),
        tuple(_row(judged, method, measures) for method in judged.methods),
        accuracy(judged.predicted, judged.actual, judged.weights),
        lambda_of_errors(
            judged.distance[has_class],
            (judged.predicted == judged.actual)[has_class],
            has_boundary=judged.has_boundary,
        ),
        tuple(_comparisons(judged, measures.level)),
        measures,
        optimistic,
        tuple(calibrated),
    )


def _ordinary(weights: Floats) -> Floats:
    """The same shares, the largest weight from 1 to 2, so that products stay in range.

    By a power of two: nothing is rounded, and weights of 1 are left alone.
    """
    exponent = int(np.frexp(weights.max(initial=0.0))[1])
    return np.ldexp(weights, 1 - exponent)


def _comparisons(judged: JudgedCases, level: float) -> Iterator[Comparison]:
    """Global, local and nearby against the first leaf estimate of Laplace, m and raw."""
    by_name = {method.method: method.score for method in judged.methods}
    against = next((name for name in ("laplace", "m", "raw") if name in by_name), None)
    for name in ("global", "local", "nearby"):
        if name in by_name and against is not None:
            found = delong_difference(
                by_name[name], by_name[against], judged.is_positive, judged.weights, level=level
            )
            if found is not None:
                yield Comparison(name, against, *found)


def _row(judged: JudgedCases, method: MethodScores, measures: Measures) -> MethodRow:
    yes, w, actual = judged.is_positive, judged.weights, judged.actual
    pairs = pairs_of(method.score, yes, w)
    if measures.interval == "bootstrap":
        interval = bootstrap_interval(
            method.score,
            yes,
            w,
            seed=measures.seed,
            replicates=measures.replicates,
            level=measures.level,
        )
    else:
        interval = delong_interval(method.score, yes, w, level=measures.level)
    p = method.distribution
    several = len(judged.classes) > 2
    return MethodRow(
        method.method,
        pairs.auc,
        interval,
        partial_auc(method.score, yes, measures.fpr, w),
        None if p is None or not several else hand_till(p, actual, w),
        None if p is None else mean_squared_error(p, actual, w),
        None if p is None else log_loss(p, actual, w),
        None
        if p is None
        else calibration_error(p[:, judged.positive], yes, w, bins=measures.bins, by=measures.by),
        None if p is None else accuracy(largest_class(p), actual, w),
        len(np.unique(method.score)),
        pairs.tied_share,
    )
