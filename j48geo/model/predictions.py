"""Predict rows block by block: classes (`Predictions`), probabilities (`Estimates`), distances."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from j48geo.arrays import Floats
from j48geo.core.dataset import Dataset
from j48geo.core.tree import BoxTree
from j48geo.data.rows import Progress, Rows, no_progress
from j48geo.decide.evaluation.confusion import ConfusionMatrix
from j48geo.geometry.distance import algebraic_distances, geometric_score
from j48geo.model.fitting import FittedMethods, fit_methods
from j48geo.model.settings import auto_probability, check_names, find_metric, find_setting
from j48geo.score.methods import METHODS
from j48geo.score.prediction import PredictedBlock, Prediction, PredictionTally, predict
from j48geo.score.probabilities import (
    EstimatedBlock,
    ProbabilityModel,
    ProbabilityTally,
    estimate_cases,
)
from j48geo.score.ranking import ZeroDistances
from j48geo.score.setting import classify_cases, overlay_classes

if TYPE_CHECKING:
    from j48geo.model.model import Model


class Predictions:
    """Weka's answers, a block at a time; what was counted is complete when all have passed."""

    def __init__(self, model: Model, rows: Rows, progress: Progress = no_progress) -> None:
        self._model = model
        self._rows = rows
        self._progress = progress
        if model.committee is not None:
            model.committee.require_known()
            if model.choices.laplace is not None:
                model.require_one("the smoothing of leaves")
        self.tally = PredictionTally(whole=model.committee is not None)
        self.confusion = ConfusionMatrix.empty(model.classes)
        self.flagged = model.committee is None and model.counts.source == "text"
        """Whether a text alone answers, which leaves something open row by row."""

    def __iter__(self) -> Iterator[PredictedBlock]:
        model, tree = self._model, self._model.labelled_tree
        if model.choices.laplace is not None:  # which a text may leave open
            options = replace(tree.options, laplace=model.choices.laplace)
            tree = replace(tree, options=options)
        first = 1
        for block in self._progress(self._rows, "predicted"):
            if model.committee is not None:
                prediction = model.committee.predict(block.X)
            else:
                prediction = predict(tree, model.counts, block.X, laplace=model.laplace)
                if model.is_wrapped:  # Weka asks a wrapper for its distribution only
                    prediction = _most_probable(model, tree, block.X, prediction)
            if model.committee is None and model.overlay is not None:
                says = overlay_classes(tree, model.counts, block.X, model.overlay, prediction)
                prediction = replace(prediction, predicted=says, classified=says)
            answered = PredictedBlock(first, block, prediction)
            self.tally.add(answered)
            self.confusion.add(block.class_values, prediction.predicted, block.weights)
            yield answered
            first += len(block)


def _most_probable(model: Model, tree: BoxTree, X: Floats, prediction: Prediction) -> Prediction:
    """The classes of a wrapper: the most probable ones, with or without ``-A``.

    Some wrappers print no options. Then a class is known only if smoothed leaves give it, too;
    a text alone is read in both ways in any case.
    """
    predicted = prediction.predicted
    if tree.options.laplace is None and not model.laplace and model.counts.source == "data":
        smoothed = predict(tree, model.counts, X, laplace=True).predicted
        predicted = np.where(predicted == smoothed, predicted, -1)
    return replace(prediction, predicted=predicted, classified=predicted)


class Estimates:
    """Probabilities by several methods, a block at a time."""

    def __init__(self, learnt: FittedMethods, rows: Rows, progress: Progress = no_progress) -> None:
        self.learnt = learnt
        self._rows = rows
        self._progress = progress
        self.tally = ProbabilityTally()
        self.zeros = ZeroDistances()

    @property
    def model(self) -> ProbabilityModel:
        """The fitted methods that estimate."""
        return self.learnt.model

    def __iter__(self) -> Iterator[EstimatedBlock]:
        setting = self.model.setting
        measured = any(METHODS[name].measures for name in self.model.methods)
        first = 1
        for block in self._progress(self._rows, "estimated"):
            cases = classify_cases(setting, block.X)
            answered = EstimatedBlock(
                first, block, cases.predicted, estimate_cases(self.model, cases)
            )
            self.tally.add(answered)
            if measured:
                self.zeros.add(setting, block.X, cases.predicted, cases.distance)
            yield answered
            first += len(block)


def estimate_rows(
    model: Model,
    rows: Rows,
    methods: tuple[str, ...] | None = None,
    *,
    sample: Dataset | None = None,
    sample_name: str = "",
    sample_seen: bool = False,
    progress: Progress = no_progress,
) -> Estimates:
    """Probabilities of every class for every row.

    Parameters
    ----------
    methods
        Names; None for the one that suits what is known.
    sample, sample_name, sample_seen
        Cases for the kernel estimates, see `j48geo.model.fitting`.
    """
    names = (auto_probability(model),) if methods is None else check_names(methods)
    if "m" in names and model.choices.m is None:
        model.require_positive("the m-estimate")  # m is 10 / p, p its share
    fitted = fit_methods(model, names, sample, name=sample_name, seen=sample_seen)
    return Estimates(fitted, rows, progress)


def signed_distances(model: Model, rows: Rows) -> Floats:
    """Distance to the boundary, positive inside the class; a column a class if there are more.

    Returns
    -------
    array of float64
        With two classes shape (n_cases,), of the positive one; with more shape
        (n_cases, n_classes), -h_c of every class.
    """
    if model.fits_metric_to_rows:
        rows.keep()
    metric = find_metric(model, rows, f"{rows.name}, the data itself")
    setting = find_setting(model, model.positive_index or 0, metric)
    several = len(model.classes) > 2
    if not several:
        model.require_positive("the sign of a distance")
    parts = [np.empty((0, len(model.classes))) if several else np.empty(0)]
    for block in rows:
        cases = classify_cases(setting, block.X)
        if several:
            parts.append(-algebraic_distances(cases.class_distances, cases.predicted))
        else:
            parts.append(geometric_score(cases.distance, cases.predicted, setting.positive))
    return np.concatenate(parts)
