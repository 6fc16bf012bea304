"""Signed distances of rows to the decision boundary."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from j48geo.arrays import Floats
from j48geo.data.rows import Rows
from j48geo.geometry.distance import algebraic_distances, geometric_score
from j48geo.model.measuring import find_metric, find_setting
from j48geo.score.cases import cases_of

if TYPE_CHECKING:
    from j48geo.model.model import Model

__all__ = ["signed_distances"]


def signed_distances(model: Model, rows: Rows) -> Floats:
    """Distance to the boundary, positive inside the class; a column a class if there are more.

    Returns
    -------
    array of float64
        With two classes shape (n_cases,), of the positive one; with more shape
        (n_cases, n_classes), -h_c of every class.
    """
    if model.choices.learns_metric and model.training is None and model.fitted is None:
        rows.keep()
    metric = find_metric(model, rows, f"{rows.name}, the data itself")
    setting = find_setting(model, model.positive_index or 0, metric)
    several = len(model.classes) > 2
    if not several:
        model.require_positive("the sign of a distance")
    parts = [np.empty((0, len(model.classes))) if several else np.empty(0)]
    for block in rows:
        cases = cases_of(setting, block.X)
        if several:
            parts.append(-algebraic_distances(cases.class_distances, cases.predicted))
        else:
            parts.append(geometric_score(cases.distance, cases.predicted, setting.positive))
    return np.concatenate(parts)
