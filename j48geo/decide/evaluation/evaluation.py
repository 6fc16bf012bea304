"""All methods side by side: one row each, and whether errors lie near the boundary."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from j48geo import defaults
from j48geo.decide.evaluation.auc import Proximity
from j48geo.decide.evaluation.evaluation_sums import (
    EvaluationSums,
    list_comparisons,
    weight_exponent,
)
from j48geo.decide.evaluation.intervals import auc_interval, bootstrap_interval, compare_aucs
from j48geo.decide.evaluation.metrics import Metrics, MetricsRequest, compute_metrics
from j48geo.decide.evaluation.probability_metrics import CalibrationBins, LogLoss
from j48geo.decide.evaluation.scored_cases import ScoredCases
from j48geo.errors import ChoiceError


@dataclass(frozen=True)
class MetricOptions:
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
        Of the calibration error, see `j48geo.decide.evaluation.probability_metrics.reliability`.
    """

    fpr: float = defaults.FPR
    interval: Literal["delong", "bootstrap"] = "delong"
    level: float = 0.95
    seed: int = 0
    replicates: int = 1000
    bins: int = 10
    by: CalibrationBins = "mass"

    def meter(self, methods: tuple[str, ...], *, every_class: bool = False) -> MetricsRequest:
        """The sums that are asked for.

        Raises
        ------
        ChoiceError
            For a bootstrap, which draws cases again: sums do not keep them.
        """
        if self.interval == "bootstrap":
            why = "a bootstrap draws single cases, which sums do not keep; expected delong"
            raise ChoiceError("interval", why)
        return MetricsRequest(methods, self.fpr, self.bins, self.by, every_class)


@dataclass(frozen=True)
class MethodMetrics:
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
    rows: tuple[MethodMetrics, ...]
    tree_accuracy: float | None
    proximity: Proximity
    comparisons: tuple[Comparison, ...]
    measures: MetricOptions
    optimistic: bool = False
    calibrated: tuple[str, ...] = ()


@dataclass(frozen=True)
class MethodClassMetrics:
    """What was measured of one method; None where it is not defined.

    Parameters
    ----------
    m
        M of Hand and Till: the mean AUC over all pairs of classes.
    aucs
        AUC of every class against all others, in the order of the classes.
    mse, log_loss, accuracy
        Of the distribution; None for rankings.
    """

    method: str
    m: float | None
    aucs: tuple[float | None, ...]
    mse: float | None
    log_loss: LogLoss | None
    accuracy: float | None


@dataclass(frozen=True)
class ClassesEvaluation:
    """Methods side by side, for all classes.

    Parameters
    ----------
    cases
        How many cases there are, in all and of every class.
    tree_accuracy, proximity, optimistic, calibrated
        As in `Evaluation`.
    """

    classes: tuple[str, ...]
    cases: int
    cases_of: tuple[int, ...]
    rows: tuple[MethodClassMetrics, ...]
    tree_accuracy: float | None
    proximity: Proximity
    optimistic: bool = False
    calibrated: tuple[str, ...] = ()


def evaluate_cases(
    cases: ScoredCases,
    options: MetricOptions | None = None,
    *,
    every_class: bool = False,
    optimistic: bool = False,
    calibrated: Sequence[str] = (),
) -> Evaluation | ClassesEvaluation:
    """Measure every method on the same cases.

    Parameters
    ----------
    every_class
        Whether all classes are judged, not the positive one; `cases` was made so, too.
    optimistic, calibrated
        Whether the cases are those the tree was grown from, and which methods learnt from
        them; only carried on.
    """
    chosen = options or MetricOptions()
    names = tuple(method.method for method in cases.methods)
    meter = replace(chosen, interval="delong").meter(names, every_class=every_class)
    sums = compute_metrics(EvaluationSums.of(cases), meter)
    evaluation = evaluate_metrics(sums, chosen, optimistic=optimistic, calibrated=calibrated)
    if chosen.interval == "delong" or isinstance(evaluation, ClassesEvaluation):
        return evaluation
    weights = np.ldexp(cases.weights, weight_exponent(cases.weights.max(initial=0.0)))
    rows = tuple(
        replace(
            row,
            interval=bootstrap_interval(
                method.score,
                cases.is_positive,
                weights,
                seed=chosen.seed,
                replicates=chosen.replicates,
                level=chosen.level,
            ),
        )
        for row, method in zip(evaluation.rows, cases.methods, strict=True)
    )
    return replace(evaluation, rows=rows)


def evaluate_metrics(
    metrics: Metrics,
    options: MetricOptions | None = None,
    *,
    optimistic: bool = False,
    calibrated: Sequence[str] = (),
) -> Evaluation | ClassesEvaluation:
    """The figures of sums: of the positive class, or of all classes if these were measured."""
    options, sums = options or MetricOptions(), metrics.judged
    accuracy = sums.right.over(sums.weights)
    if metrics.meter.every_class:
        some = [i for i, method in enumerate(sums.methods) if method.per_class]
        return ClassesEvaluation(
            sums.classes,
            sums.cases,
            tuple(sums.cases_of.tolist()),
            tuple(_classes_row(metrics, i) for i in some),
            accuracy,
            sums.proximity,
            optimistic,
            tuple(calibrated),
        )
    return Evaluation(
        sums.classes,
        sums.classes[sums.positive],
        sums.cases,
        sums.positives,
        tuple(_row(metrics, i, options) for i in range(len(sums.methods))),
        accuracy,
        sums.proximity,
        tuple(_comparisons(metrics, options.level)),
        options,
        optimistic,
        tuple(calibrated),
    )


def _comparisons(metrics: Metrics, level: float) -> Iterator[Comparison]:
    """Global, local and nearby against the first leaf estimate of Laplace, m and raw."""
    for k, (name, against) in enumerate(list_comparisons(metrics.names)):
        areas = []
        for other in (name, against):
            sums, total = metrics.ranked(metrics.names.index(other))
            areas.append(sums.area(total))
        if areas[0] is not None and areas[1] is not None:
            differences, total = metrics.difference(k)
            interval = compare_aucs(differences, areas[0] - areas[1], total, level=level)
            if interval is not None:
                yield Comparison(name, against, *interval)


def _row(metrics: Metrics, i: int, options: MetricOptions) -> MethodMetrics:
    evaluation_sums, method = metrics.judged, metrics.judged.methods[i]
    promises = method.promises
    sums, total = metrics.ranked(i)
    area = sums.area(total)
    return MethodMetrics(
        method.method,
        None if area is None else float(area),
        auc_interval(sums, total, level=options.level),
        None if area is None else sums.partial.result(),
        metrics.m(i),
        None if promises is None else promises.squares.over(evaluation_sums.weights),
        None if promises is None else promises.log_loss,
        metrics.calibration_error(i),
        None if promises is None else promises.right.over(evaluation_sums.weights),
        sums.distinct,
        sums.pairs.tied_share(total[1], total[0]),
    )


def _classes_row(metrics: Metrics, i: int) -> MethodClassMetrics:
    evaluation_sums, method = metrics.judged, metrics.judged.methods[i]
    promises = method.promises
    return MethodClassMetrics(
        method.method,
        metrics.m(i),
        metrics.aucs(i),
        None if promises is None else promises.squares.over(evaluation_sums.weights),
        None if promises is None else promises.log_loss,
        None if promises is None else promises.right.over(evaluation_sums.weights),
    )
