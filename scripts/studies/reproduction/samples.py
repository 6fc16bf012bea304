"""Samples as the papers' tables ask for them, and folds: seeded by name, number and seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

__all__ = ["Ints", "Sample", "draw", "folds"]

Ints = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Sample:
    """Rows to train on, some of them several times, and rows to test on."""

    train: Ints
    test: Ints


def draw(name: str, labels: Sequence[str], number: int, seed: int) -> Sample:
    """Sample `number` of a data set.

    Training takes 2n/3 draws with replacement, testing n/3 of the cases that were not drawn,
    both of each class in proportion (AB05 section 4.1, ABD07 section 4.1: "bootstrap samples
    divided into separate training and test sets in the proportion 2/3 1/3").
    """
    rng = np.random.default_rng([crc32(name.encode()), number, seed])
    of = np.array(labels)
    train, test = [], []
    for label in sorted(set(labels)):
        cases = np.flatnonzero(of == label)
        drawn = rng.choice(cases, round(2 * len(cases) / 3))
        others = np.setdiff1d(cases, drawn)
        train.append(drawn)
        test.append(rng.permutation(others)[: round(len(cases) / 3)])
    return Sample(rng.permutation(np.concatenate(train)), np.sort(np.concatenate(test)))


def folds(name: str, labels: Sequence[str], parts: int, seed: int) -> Ints:
    """Fold of each row, stratified."""
    rng = np.random.default_rng([crc32(name.encode()), seed])
    of = np.array(labels)
    fold = np.empty(len(of), dtype=np.intp)
    start = 0
    for label in sorted(set(labels)):
        places = rng.permutation(np.flatnonzero(of == label))
        fold[places] = (np.arange(len(places)) + start) % parts
        start += len(places)
    return fold
