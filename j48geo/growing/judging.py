"""What grown trees say of rows: their own, those of a test file, those of folds left out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.compilation import expect_trees
from j48geo.core.dataset import Dataset
from j48geo.growing.folds import stratified_folds
from j48geo.growing.nodes import Grown
from j48geo.score.prediction import predict

__all__ = ["Judged", "cross_validated", "judged"]


@dataclass(frozen=True, eq=False)
class Judged:
    """Rows with what a tree says of them, and what could be said without it.

    Parameters
    ----------
    distribution : array of float64, shape (n_cases, n_classes)
        As the tree gives it.
    actual : array of float64, shape (n_cases,)
        Number of the class, NaN if it is missing.
    weight : array of float64, shape (n_cases,)
    prior : array of float64, shape (n_cases, n_classes)
        Shares of the classes among the rows that the tree was grown from, each counted from
        1 on, as Weka does it.
    """

    distribution: Floats
    actual: Floats
    weight: Floats
    prior: Floats


def judged(grown: Grown, train: Dataset, rows: Dataset) -> Judged:
    """What a tree grown from `train` says of rows in the same columns."""
    laplace = bool(grown.tree.options.laplace)
    y = train.class_values
    known = ~np.isnan(y)
    count = np.ones(len(grown.tree.classes))
    np.add.at(count, y[known].astype(np.intp), train.weights[known])
    prior = count / count.sum()
    with np.errstate(all="ignore"):
        distribution = predict(grown.tree, grown.counts, rows.X, laplace=laplace).distribution
    return Judged(
        distribution, rows.class_values, rows.weights, np.broadcast_to(prior, distribution.shape)
    )


def cross_validated(
    data: Dataset, grow: Callable[[Dataset], Grown], *, folds: int = 10, seed: int = 1
) -> Judged:
    """Every row as a tree sees it that was grown without its fold, fold after fold.

    Raises
    ------
    GrowOptionsError
        If there are fewer than two folds, or fewer rows than folds.
    """
    parts = []
    for k, fold in enumerate(stratified_folds(data.class_values, folds=folds, seed=seed)):
        rows = _chosen(data, fold.train)
        with expect_trees(folds - k):
            grown = grow(rows)
        parts.append(judged(grown, rows, _chosen(data, fold.test)))
    return Judged(
        *(
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("distribution", "actual", "weight", "prior")
        )
    )


def _chosen(data: Dataset, rows: Ints) -> Dataset:
    return replace(data, X=data.X[rows], weights=data.weights[rows])
