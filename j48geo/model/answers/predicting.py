"""Weka's answers for rows, through a model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from j48geo.data.rows import Rows
from j48geo.decide.evaluation.confusion import Confusion
from j48geo.model.answers.watching import Watch, unwatched
from j48geo.score.cases import overlay_classes
from j48geo.score.predict import predict
from j48geo.show.reports.cases.predict import PredictedBlock, Tally

if TYPE_CHECKING:
    from j48geo.model.model import Model

__all__ = ["Predictions"]


class Predictions:
    """Weka's answers, a block at a time; what was counted is complete when all have passed."""

    def __init__(self, model: Model, rows: Rows, watch: Watch = unwatched) -> None:
        self._model = model
        self._rows = rows
        self._watch = watch
        if model.whole is not None:
            model.whole.require_known()
            if model.choices.laplace is not None:
                model.require_one("the smoothing of leaves")
        self.tally = Tally(whole=model.whole is not None)
        self.confusion = Confusion.empty(model.classes)
        self.flagged = model.whole is None and model.counts.source == "text"
        """Whether a text alone answers, which leaves something open row by row."""

    def __iter__(self) -> Iterator[PredictedBlock]:
        model, tree = self._model, self._model.labelled_tree
        if model.choices.laplace is not None:  # which a text may leave open
            options = replace(tree.options, laplace=model.choices.laplace)
            tree = replace(tree, options=options)
        first = 1
        for block in self._watch(self._rows, "predicted"):
            if model.whole is not None:
                found = model.whole.predict(block.X)
            else:
                found = predict(tree, model.counts, block.X, laplace=model.laplace)
                if model.wrapped:
                    found = replace(found, classified=found.predicted)
            if model.whole is None and model.overlay is not None:
                says = overlay_classes(tree, model.counts, block.X, model.overlay, found)
                found = replace(found, predicted=says, classified=says)
            made = PredictedBlock(first, block, found)
            self.tally.add(made)
            self.confusion.add(block.class_values, found.predicted, block.weights)
            yield made
            first += len(block)
