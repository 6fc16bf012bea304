"""Weka's stratified cross-validation: its folds, and trees grown and tested on them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.compilation import expect_trees
from j48geo.core.dataset import Dataset
from j48geo.decide.evaluation.weka_evaluation import EvaluatedRows
from j48geo.growing.nodes import GrownTree
from j48geo.growing.options import GrowOptionsError
from j48geo.java.random import JavaRandom
from j48geo.replaying.stratify import deal_rows
from j48geo.score.prediction import predict

_NO_CLASS = -1


class Fold(NamedTuple):
    """Rows to grow from and rows to test by, each in Weka's order.

    The order matters to the last bits of sums of fractional weights.
    """

    train: Ints
    test: Ints


def stratified_folds(y: Floats, *, folds: int = 10, seed: int = 1) -> Iterator[Fold]:
    """The folds that Weka's command line makes of these rows for ``-x`` and ``-s``.

    Parameters
    ----------
    y : array of float, shape (n_cases,)
        Number of each row's class, NaN if it is missing: such rows are dealt like a class of
        their own.
    folds
        How many, at least 2.
    seed
        Of the random order.

    Yields
    ------
    Fold
        One after the other: the order of a fold's training rows depends on the folds before it.

    Raises
    ------
    GrowOptionsError
        If there are fewer than two folds, or fewer rows than folds.

    Notes
    -----
    All rows are shuffled by ``java.util.Random(seed)`` and dealt by class; a fold is a run of
    them. The training rows of a fold, all others, are then shuffled by the same generator.
    """
    if not 2 <= folds <= len(y):
        raise GrowOptionsError(
            f"{folds} folds of {len(y)} rows; expected at least 2, no more than rows"
        )
    label = np.where(np.isnan(y), _NO_CLASS, y).astype(np.intp)
    random = JavaRandom(seed)
    order = random.shuffle(np.arange(len(y), dtype=np.intp))
    order = order[deal_rows(label[order], folds)]
    for test in np.array_split(order, folds):
        others = order[~np.isin(order, test, assume_unique=True)]
        yield Fold(random.shuffle(others), test)


def evaluate_grown(grown: GrownTree, train: Dataset, rows: Dataset) -> EvaluatedRows:
    """The predictions of a tree grown from `train` for rows in the same columns."""
    laplace = bool(grown.tree.options.laplace)
    y = train.class_values
    known = ~np.isnan(y)
    count = np.ones(len(grown.tree.classes))
    np.add.at(count, y[known].astype(np.intp), train.weights[known])
    prior = count / count.sum()
    with np.errstate(all="ignore"):
        distribution = predict(grown.tree, grown.counts, rows.X, laplace=laplace).distribution
    return EvaluatedRows(
        distribution, rows.class_values, rows.weights, np.broadcast_to(prior, distribution.shape)
    )


def cross_validate_grown(
    data: Dataset, grow: Callable[[Dataset], GrownTree], *, folds: int = 10, seed: int = 1
) -> EvaluatedRows:
    """Predict every row by a tree that was grown without its fold, fold after fold.

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
        parts.append(evaluate_grown(grown, rows, _chosen(data, fold.test)))
    return EvaluatedRows(
        *(
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("distribution", "actual", "weight", "prior")
        )
    )


def _chosen(data: Dataset, rows: Ints) -> Dataset:
    return replace(data, X=data.X[rows], weights=data.weights[rows])
