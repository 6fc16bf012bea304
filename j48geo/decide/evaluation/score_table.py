"""Scores of cases whose class is known, as a table: how often each score occurs in which class.

AUC, ties, the ROC curve, DeLong's variance and calibration depend on the scores through this
table alone. Tables add up, and hold the same rows in the same order however the cases were cut:
whatever is worked out from one is the same to the last bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from j48geo.arrays import Bools, Floats, Ints

__all__ = ["ScoreTable"]


@dataclass(frozen=True, eq=False)
class ScoreTable:
    """Distinct scores, classes and weights of cases, best first, and how many cases have each.

    Parameters
    ----------
    keys : arrays of float64, shape (n_rows,) each
        Scores, the first deciding, each next one among equals; larger is better, NaN worst.
    label : array of int, shape (n_rows,)
        Class of the cases.
    weight : array of float64, shape (n_rows,)
        Instance weight of each of these cases.
    count : array of int, shape (n_rows,)
        How many cases they are.

    Examples
    --------
    >>> one = ScoreTable.of([np.array([0.5, 0.9])], np.array([0, 1]), np.ones(2))
    >>> both = one + ScoreTable.of([np.array([0.5])], np.array([0]), np.ones(1))
    >>> both.keys[0].tolist(), both.label.tolist(), both.count.tolist()
    ([0.9, 0.5], [1, 0], [1, 2])
    """

    keys: tuple[Floats, ...]
    label: Ints
    weight: Floats
    count: Ints

    @classmethod
    def of(
        cls, keys: Sequence[Floats], label: Ints | Bools, weights: Floats, count: Ints | None = None
    ) -> ScoreTable:
        """The table of cases, one an entry, or `count` of them."""
        # The order is that of falling scores, with NaN at its end; minus 0 is 0.
        falling = [0.0 - key for key in keys]
        order, first = _grouped([*falling, np.asarray(label), weights])
        chosen = order[first]
        if count is None:
            sizes = np.diff(first, append=len(order))
        else:
            sizes = np.add.reduceat(count[order], first) if len(first) else count
        return cls(
            tuple(0.0 - key[chosen] for key in falling),
            np.asarray(label)[chosen].astype(np.intp),
            weights[chosen],
            sizes.astype(np.int64),
        )

    def __add__(self, other: ScoreTable) -> ScoreTable:
        return ScoreTable.of(
            [np.concatenate(pair) for pair in zip(self.keys, other.keys, strict=True)],
            np.concatenate([self.label, other.label]),
            np.concatenate([self.weight, other.weight]),
            np.concatenate([self.count, other.count]),
        )

    def __len__(self) -> int:
        return len(self.label)

    @property
    def mass(self) -> Floats:
        """Weight of all cases of each row, shape (n_rows,)."""
        return self.weight * self.count

    @property
    def emptied(self) -> ScoreTable:
        """A table of the same kind without any cases."""
        keys = tuple(key[:0] for key in self.keys)
        return ScoreTable(keys, self.label[:0], self.weight[:0], self.count[:0])

    def scaled(self, exponent: int) -> ScoreTable:
        """The same with all weights times a power of two, which rounds nothing."""
        return replace(self, weight=np.ldexp(self.weight, exponent))


def _grouped(columns: Sequence[NDArray[Any]]) -> tuple[Ints, Ints]:
    """Rows in ascending order, and where each group of equal rows begins in it."""
    varying = [c for c in columns if len(c) and c.min() != c.max()]  # NaN varies
    if not varying:
        n = len(columns[0])
        return np.arange(n), np.arange(min(n, 1))
    if len(varying) == 1:
        order: Ints = np.argsort(varying[0], kind="stable")
    else:
        order = np.lexsort(varying[::-1])
    new = np.zeros(len(order), dtype=np.bool_)
    new[0] = True
    for column in varying:
        now = column[order]
        new[1:] |= (now[1:] != now[:-1]) & ~((now[1:] != now[1:]) & (now[:-1] != now[:-1]))
    return order, np.flatnonzero(new)
