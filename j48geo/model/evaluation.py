"""Evaluate the methods of a model on rows whose class is known, or by cross-validation.

`evaluate_rows` and `cross_validate` compare methods, `count_confusion` counts classes only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from j48geo.core.dataset import Dataset
from j48geo.data.rows import Progress, Rows, check_weights, no_progress
from j48geo.decide.evaluation.confusion import ConfusionMatrix
from j48geo.decide.evaluation.evaluation import (
    ClassesEvaluation,
    Evaluation,
    MetricOptions,
    evaluate_cases,
)
from j48geo.decide.evaluation.scored_cases import (
    CasesPart,
    ScoredCases,
    score_cases,
    score_parts,
)
from j48geo.errors import MismatchError, NeedsTrainingError
from j48geo.model.fitting import FittedMethods, fit_methods
from j48geo.model.settings import available_methods, check_names
from j48geo.score.methods import KERNEL_METHODS, METHODS, PROBABILITIES
from j48geo.score.scores import boundary_notes

if TYPE_CHECKING:
    from j48geo.model.model import Model

EVERY_CLASS = ("raw", "laplace", "hs", "global", "gdk", "ldk", "ldk-leaf", "nearby")
"""Methods that have a score for every class without one being the positive."""


@dataclass(frozen=True, eq=False)
class EvaluationResult:
    """What an evaluation found out about the methods.

    Parameters
    ----------
    evaluation
        Of the positive class, or of all classes where none is named.
    judged
        The cases, and what every method says of them.
    confusion
        The tree's own classes beside the true ones.
    learnt
        What the probability methods had learnt.
    notes
        What must be said of it.
    folds, options
        Of a cross-validation: how many, and J48's options; 0 folds if the tree itself was judged.
    """

    evaluation: Evaluation | ClassesEvaluation
    judged: ScoredCases
    confusion: ConfusionMatrix
    learnt: FittedMethods
    notes: tuple[str, ...]
    folds: int = 0
    options: str = ""

    def __str__(self) -> str:
        from j48geo.show.reports.evaluation import evaluation_result_to_text

        return evaluation_result_to_text(self.evaluation, self.confusion, self.folds, self.options)


@dataclass(frozen=True, eq=False)
class ConfusionResult:
    """How a model fares on rows whose class is known.

    Parameters
    ----------
    model
        What it is, in words.
    rows, answered
        How many rows have a class and a weight, and how many of these the model gives one.
    confusion
        Weights by actual and by predicted class.
    notes
        What must be said of it.
    """

    model: str
    rows: int
    answered: int
    confusion: ConfusionMatrix
    notes: tuple[str, ...]

    def __str__(self) -> str:
        from j48geo.show.reports.evaluation import confusion_summary_to_text

        return confusion_summary_to_text(self.model, self.rows, self.answered, self.confusion)


def count_confusion(model: Model, rows: Rows, progress: Progress = no_progress) -> ConfusionResult:
    """Which class is taken for which; the answer of several trees can be judged so, too."""
    confusion = ConfusionMatrix.empty(model.classes)
    n_rows = answered = 0
    for block in model.predictions(
        Rows(rows.name, rows.header, progress(_check_row_weights(rows), "judged"))
    ):
        known = ~np.isnan(block.rows.class_values) & (block.rows.weights > 0)
        n_rows += int(known.sum())
        answered += int((known & (block.prediction.predicted >= 0)).sum())
        confusion.add(block.rows.class_values, block.prediction.predicted, block.rows.weights)
    if not n_rows:
        raise MismatchError(f"{rows.name}: no row has a class; expected their true classes")
    notes = []
    if answered < n_rows:
        notes.append(
            f"{n_rows - answered} of {n_rows} rows are left out: the text does not give their class"
        )
    what = "the tree" if model.committee is None else str(model.committee.ensemble)
    return ConfusionResult(what, n_rows, answered, confusion, tuple(notes))


def evaluate_rows(
    model: Model,
    rows: Rows,
    methods: Sequence[str] | None = None,
    measures: MetricOptions | None = None,
    *,
    sample: Dataset | None = None,
    sample_name: str = "",
    sample_seen: bool = False,
    sample_is_test: bool = False,
    is_training: bool | None = None,
    progress: Progress = no_progress,
) -> EvaluationResult:
    """Judge methods on rows whose class is known.

    Parameters
    ----------
    methods
        Names; None for all that can be learnt.
    sample, sample_name, sample_seen
        Cases for the kernel estimates, see `j48geo.model.fitting`.
    sample_is_test
        Whether these are the very rows that judge.
    is_training
        Whether the rows are those the tree was grown from; None to look whether they are.
    """
    if not model.has_training and sample is None:
        raise NeedsTrainingError(
            f"the methods learn from the training data, which {rows.name} is not"
        )
    # The rows that judge also teach: an odd weight is told before anything is learnt from it.
    if model.training is not None and model.training_name == rows.name:
        check_weights(model.training.weights, 1, rows.name)
    recalibrate = model.choices.recalibrate
    names, every_class, notes = choose_methods(
        model, methods, calibrated=sample is not None and recalibrate is None
    )
    fitted = fit_methods(model, names, sample, name=sample_name, seen=sample_seen)
    setting = fitted.model.setting
    notes += [note for name in names for note in boundary_notes(setting, name)]
    scored = score_cases(
        setting,
        fitted.model,
        progress(_check_row_weights(rows), "judged"),
        names,
        every_class=every_class,
    )
    taught = KERNEL_METHODS if recalibrate is None else PROBABILITIES
    calibrated = tuple(n for n in names if n in taught) if sample_is_test else ()
    optimistic = model.training_name == rows.name if is_training is None else is_training
    evaluation, more = summarize_cases(
        scored, rows.name, every_class, measures, optimistic, calibrated
    )
    return EvaluationResult(evaluation, scored, confusion_matrix(scored), fitted, (*notes, *more))


def choose_methods(
    model: Model, methods: Sequence[str] | None, *, calibrated: bool = False
) -> tuple[tuple[str, ...], bool, list[str]]:
    """The methods to be judged, whether for every class, and why others are left out."""
    every_class = model.positive is None and len(model.classes) > 2
    if not every_class:
        model.require_positive("an evaluation")
    notes: list[str] = []
    if methods is None:
        names, left = available_methods(model, calibrated)
        notes += left
    else:
        names = check_names(methods, rankings=True)
    if every_class:
        unfit = [name for name in names if name not in EVERY_CLASS]
        names = tuple(name for name in names if name in EVERY_CLASS)
        if unfit:
            notes.append(f"left out, since no positive class is named: {', '.join(unfit)}")
    return names, every_class, notes


def summarize_cases(
    scored: ScoredCases,
    name: str,
    every_class: bool,
    measures: MetricOptions | None,
    optimistic: bool = False,
    calibrated: tuple[str, ...] = (),
) -> tuple[Evaluation | ClassesEvaluation, list[str]]:
    """What is measured of the cases, and what must be said of them."""
    _check_cases(scored, name)
    notes = _note_left_out(scored, name)
    notes += [] if every_class else _note_one_sided(scored, name)
    evaluation = evaluate_cases(
        scored, measures, every_class=every_class, optimistic=optimistic, calibrated=calibrated
    )
    return evaluation, notes


def confusion_matrix(scored: ScoredCases) -> ConfusionMatrix:
    """The tree's own classes beside the true ones."""
    confusion = ConfusionMatrix.empty(scored.classes)
    confusion.add(scored.actual.astype(float), scored.predicted, scored.weights)
    return confusion


def uses_distances(names: Sequence[str]) -> bool:
    """Whether one of these methods measures distances."""
    return any(name in METHODS and METHODS[name].measures for name in names)


def _check_row_weights(rows: Rows) -> Iterator[Dataset]:
    """The blocks of rows, once their weights are seen to be weights."""
    first = 1
    for block in rows:
        check_weights(block.weights, first, rows.name)
        yield block
        first += len(block)


def _check_cases(scored: ScoredCases, name: str) -> None:
    if len(scored.actual):
        return
    if scored.weightless:
        raise MismatchError(
            f"{name}: no row has a class and a weight above 0; expected the true classes of "
            "the rows, and their weights"
        )
    raise MismatchError(f"{name}: no row has a class; expected the true classes of the rows")


def _note_left_out(scored: ScoredCases, name: str) -> list[str]:
    """How many rows were no cases, and why."""
    n = scored.left_out + scored.weightless
    if not n:
        return []
    lacks = ["no class"] if scored.left_out else []
    lacks += ["weight 0"] if scored.weightless else []
    rows, have, are = ("row", "has", "is") if n == 1 else ("rows", "have", "are")
    return [f"{n} {rows} of {name} {have} {' or '.join(lacks)} and {are} left out"]


def _note_one_sided(scored: ScoredCases, name: str) -> list[str]:
    label = scored.classes[scored.positive]
    if not scored.is_positive.any():
        return [f"{name} has no row of the positive class {label!r}: no AUC"]
    if scored.is_positive.all():
        return [f"all rows of {name} are of the positive class {label!r}: no AUC"]
    return []


# --------------------------------------------------------------------------- cross-validation


def cross_validate(
    model: Model,
    folds: int = 10,
    methods: Sequence[str] | None = None,
    measures: MetricOptions | None = None,
    *,
    seed: int = 1,
    progress: Progress = no_progress,
) -> EvaluationResult:
    """Judge the tree and all methods on rows that were kept from them.

    The folds are those of Weka's stratified cross-validation. For each of them a tree is grown
    from the other rows by the options of the model, and everything that the methods learn is learnt
    from these rows; the answers for all folds are judged together, as Weka does.

    Parameters
    ----------
    folds, seed
        Weka's ``-x`` and ``-s``.
    methods
        Names; None for all that can be learnt.

    Raises
    ------
    NeedsTrainingError
        If the training data is not known.
    MismatchError
        If the model is not what J48 grows from its training data by its options.
    GrowOptionsError
        If there are fewer rows than folds, or fewer than two folds.
    """
    from j48geo.model.growth import prove_options, regrow_trees  # growing loads much

    if model.labels is not None:
        raise MismatchError(
            f"{model.source}: other labels belong to the leaves of this tree; expected its own"
        )
    options = prove_options(model, "cross-validation", folds)
    assert model.training is not None
    name = model.training_name
    check_weights(model.training.weights, 1, name)
    names, every_class, notes = choose_methods(model, methods)
    last: FittedMethods | None = None

    def parts() -> Iterator[CasesPart]:
        nonlocal last
        for fold in regrow_trees(
            model, "cross-validation", options=options, folds=folds, seed=seed
        ):
            last = fit_methods(fold.model, names)
            yield CasesPart(last.model.setting, last.model, progress([fold.test], "judged"))

    scored = score_parts(parts(), names, every_class=every_class)
    assert last is not None  # there are at least two folds
    evaluation, more = summarize_cases(scored, name, every_class, measures)
    return EvaluationResult(
        evaluation,
        scored,
        confusion_matrix(scored),
        last,
        (*notes, *more),
        folds=folds,
        options=options,
    )
