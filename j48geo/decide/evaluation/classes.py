"""All classes judged at once: M of Hand and Till, and each class against the rest.

For more than two classes where none of them is *the* positive one.
"""

from __future__ import annotations

from dataclasses import dataclass

from j48geo.decide.evaluation.auc import Proximity, accuracy, lambda_of_errors, pairs_of
from j48geo.decide.evaluation.cases import JudgedCases, MethodScores
from j48geo.decide.evaluation.probabilities import (
    LogLoss,
    largest_class,
    log_loss,
    mean_squared_error,
)
from j48geo.decide.roc import hand_till

__all__ = ["ClassesEvaluation", "ClassesRow", "evaluate_classes"]


@dataclass(frozen=True)
class ClassesRow:
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
        As in `j48geo.decide.evaluation.table.Evaluation`.
    """

    classes: tuple[str, ...]
    cases: int
    cases_of: tuple[int, ...]
    rows: tuple[ClassesRow, ...]
    tree_accuracy: float | None
    proximity: Proximity
    optimistic: bool = False
    calibrated: tuple[str, ...] = ()


def evaluate_classes(
    judged: JudgedCases, *, optimistic: bool = False, calibrated: tuple[str, ...] = ()
) -> ClassesEvaluation:
    """Measure every method that has a score for every class.

    Parameters
    ----------
    judged
        Made with ``every_class``.
    """
    has_class = judged.predicted >= 0
    return ClassesEvaluation(
        judged.classes,
        len(judged.actual),
        tuple(int((judged.actual == c).sum()) for c in range(len(judged.classes))),
        tuple(_row(judged, method) for method in judged.methods if method.per_class is not None),
        accuracy(judged.predicted, judged.actual, judged.weights),
        lambda_of_errors(
            judged.distance[has_class],
            (judged.predicted == judged.actual)[has_class],
            has_boundary=judged.has_boundary,
        ),
        optimistic,
        calibrated,
    )


def _row(judged: JudgedCases, method: MethodScores) -> ClassesRow:
    actual, w, p, scores = judged.actual, judged.weights, method.distribution, method.per_class
    assert scores is not None
    return ClassesRow(
        method.method,
        hand_till(scores if p is None else p, actual, w),
        tuple(pairs_of(scores[:, c], actual == c, w).auc for c in range(len(judged.classes))),
        None if p is None else mean_squared_error(p, actual, w),
        None if p is None else log_loss(p, actual, w),
        None if p is None else accuracy(largest_class(p), actual, w),
    )
