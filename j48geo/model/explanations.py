"""Explain rows (`explain_rows`): why the tree gives a row its class, and what would change it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.core.fitted_values import NearbyLeaves
from j48geo.data.rows import Rows
from j48geo.errors import ChoiceError, NeedsTrainingError
from j48geo.geometry.explanation import explain as explain_case
from j48geo.geometry.smallest_change import column_steps
from j48geo.model.settings import find_metric, find_setting
from j48geo.score.explained_case import ExplainedCase
from j48geo.score.nearby.average import LeafShares, shares_of_cases
from j48geo.score.prediction import predict
from j48geo.score.setting import overlay_classes

if TYPE_CHECKING:
    from j48geo.model.model import Model


class CaseExplanation(ExplainedCase):
    """Why one row has its class; as text what ``j48geo explain`` prints."""

    def __str__(self) -> str:
        from j48geo.show.reports.explanation import explanation_to_text

        return explanation_to_text(self)


BATCH_ROWS = 64
"""Rows whose leaves around are looked for together."""


def explain_rows(
    model: Model,
    rows: Rows,
    numbers: Iterable[int] | None = None,
    *,
    per_class: bool = True,
) -> Iterator[CaseExplanation]:
    """Explain rows, one after the other.

    Parameters
    ----------
    numbers
        Which rows, counted from 1, in the order of the answers; None for all.
    per_class
        Whether the smallest change for each class is wanted, too.
    """
    if model.fits_metric_to_rows:
        rows.keep()
    metric = find_metric(model, rows, f"{rows.name}, the data itself")
    setting = find_setting(model, model.positive_index or 0, metric)
    nearby = _find_nearby(model)
    tree = model.labelled_tree

    def classify(X: Floats) -> Ints:
        prediction = predict(tree, model.counts, X, laplace=model.laplace)
        if model.overlay is None:
            return prediction.predicted
        return overlay_classes(tree, model.counts, X, model.overlay, prediction)

    dates = [i for i, a in enumerate(tree.header.attributes) if a.type == "date"]
    steps = None if model.training is None else column_steps(model.training.X, dates)
    picked = _select_cases(rows, numbers)
    while some := list(islice(picked, BATCH_ROWS)):
        around: list[LeafShares | None] = [None] * len(some)
        if nearby is not None:
            around = [*shares_of_cases(tree, nearby, np.stack([x for _, x, _ in some]))]
        for (number, x, sample), shares in zip(some, around, strict=True):
            if steps is None:
                steps = column_steps(sample, dates)
            explanation = explain_case(
                tree,
                x,
                metric,
                classify,
                steps=steps,
                face_tree=setting.face_tree,
                per_class=per_class,
            )
            sigma = 0.0 if nearby is None else nearby.sigma
            yield CaseExplanation(
                number, x, tree, model.counts, metric, explanation, nearby=shares, sigma=sigma
            )


def _find_nearby(model: Model) -> NearbyLeaves | None:
    """What is known of the leaves around: by the model file, or from the training data."""
    if len(model.tree.leaves) == 1:
        return None
    if model.fitted is not None:
        if model.fitted.nearby is None and model.choices.sigma is not None:
            raise NeedsTrainingError(f"{model.source} was not fitted for nearby")
        return model.fitted.nearby
    if model.training is None:
        if model.choices.sigma is not None:
            raise NeedsTrainingError("sigma: the leaves around are learnt from the training data")
        return None
    if not model.has_leaf_counts:
        return None
    plain = find_metric(replace(model, choices=replace(model.choices, metric="none")))
    return find_setting(model, model.positive_index or 0, plain).nearby


def _select_cases(
    rows: Rows, numbers: Iterable[int] | None
) -> Iterator[tuple[int, Floats, Floats]]:
    """Number and values of every row that is wanted, and some rows of its kind."""
    seen = 0
    if numbers is None:
        for block in rows:
            for i, x in enumerate(block.X):
                yield seen + i + 1, x.copy(), block.X
            seen += len(block)
        return
    wanted = list(numbers)
    missing = set(wanted)
    values_by_number: dict[int, Floats] = {}
    sample = np.empty((0, len(rows.header)))
    for block in rows:
        sample = sample if len(sample) else block.X
        for number in tuple(missing):
            if seen < number <= seen + len(block):
                values_by_number[number] = block.X[number - seen - 1].copy()
                missing.discard(number)
        seen += len(block)
        if not missing:
            break
    if missing:
        expected = f"expected 1 to {seen}" if seen else "it has no rows"
        raise ChoiceError("row", f"{min(missing)}: no such row in {rows.name}; {expected}")
    for number in wanted:
        yield number, values_by_number[number], sample
