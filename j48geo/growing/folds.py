"""The folds of Weka's stratified cross-validation: which rows, and in which order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.growing.options import GrowOptionsError
from j48geo.java.random import JavaRandom
from j48geo.replaying.growing_set import dealt_order

__all__ = ["Fold", "stratified_folds"]

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
    order = random.shuffled(np.arange(len(y), dtype=np.intp))
    order = order[dealt_order(label[order], folds)]
    for test in np.array_split(order, folds):
        others = order[~np.isin(order, test, assume_unique=True)]
        yield Fold(random.shuffled(others), test)
