"""All classes judged at once: M of Hand and Till, and each class against the rest.

For more than two classes where none of them is *the* positive one.
"""

from __future__ import annotations

from dataclasses import dataclass

from j48geo.decide.evaluation.auc import Proximity
from j48geo.decide.evaluation.cases import JudgedCases
from j48geo.decide.evaluation.judged import Judged
from j48geo.decide.evaluation.measured import Measured, measured
from j48geo.decide.evaluation.probabilities import LogLoss
from j48geo.decide.evaluation.table import Measures

__all__ = [
    "ClassesEvaluation",
    "ClassesRow",
    "classes_of",
    "evaluate_classes",
    "evaluate_classes_summary",
]


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
    found = Judged.of(judged)
    return evaluate_classes_summary(found, optimistic=optimistic, calibrated=calibrated)


def evaluate_classes_summary(
    judged: Judged, *, optimistic: bool = False, calibrated: tuple[str, ...] = ()
) -> ClassesEvaluation:
    """Measure every method from what its cases add up to."""
    names = tuple(method.method for method in judged.methods)
    found = measured(judged, Measures().meter(names, every_class=True))
    return classes_of(found, optimistic=optimistic, calibrated=calibrated)


def classes_of(
    found: Measured, *, optimistic: bool = False, calibrated: tuple[str, ...] = ()
) -> ClassesEvaluation:
    """The figures of sums."""
    judged = found.judged
    some = [i for i, method in enumerate(judged.methods) if method.per_class]
    return ClassesEvaluation(
        judged.classes,
        judged.cases,
        tuple(judged.cases_of.tolist()),
        tuple(_row(found, i) for i in some),
        judged.right.over(judged.weights),
        judged.proximity,
        optimistic,
        calibrated,
    )


def _row(found: Measured, i: int) -> ClassesRow:
    judged, method = found.judged, found.judged.methods[i]
    promises = method.promises
    return ClassesRow(
        method.method,
        found.m(i),
        found.aucs(i),
        None if promises is None else promises.squares.over(judged.weights),
        None if promises is None else promises.log_loss,
        None if promises is None else promises.right.over(judged.weights),
    )
