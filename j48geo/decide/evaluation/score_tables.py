"""Tables of scores of cases whose class is known, and slices of them in the order of the scores.

AUC, ties, the ROC curve, DeLong's variance and calibration depend on the scores through a
`ScoreCounts` alone: how often each score occurs in which class. Tables add up, and hold the same
rows in the same order however the cases were cut, so whatever is computed from one is the same
to the last bit.

These figures need, for each score, how much weight has better ones. A `ScoreSlice` of the sorted
cases needs no more than the `ClassMasses` above it and in all to give its part of the sums; the
parts add up. So a cluster that has sorted its scores by ranges gives the figures of one machine, to
the last bit, and nobody holds all scores: terms depend on exact masses, which are rounded once, and
sums of terms are exact.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from j48geo.arrays import Bools, Floats, Ints
from j48geo.core.summaries import ExactSum, Summary, exact_sums, running_sums


@dataclass(frozen=True, eq=False)
class ScoreCounts:
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
    >>> one = ScoreCounts.of([np.array([0.5, 0.9])], np.array([0, 1]), np.ones(2))
    >>> table = one + ScoreCounts.of([np.array([0.5])], np.array([0]), np.ones(1))
    >>> table.keys[0].tolist(), table.label.tolist(), table.count.tolist()
    ([0.9, 0.5], [1, 0], [1, 2])
    """

    keys: tuple[Floats, ...]
    label: Ints
    weight: Floats
    count: Ints

    @classmethod
    def of(
        cls, keys: Sequence[Floats], label: Ints | Bools, weights: Floats, count: Ints | None = None
    ) -> ScoreCounts:
        """The table of cases, one an entry, or `count` of them."""
        # The order is that of falling scores, with NaN at its end; minus 0 is 0.
        falling = [0.0 - key for key in keys]
        order, first = _group_rows([*falling, np.asarray(label), weights])
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

    def __add__(self, other: ScoreCounts) -> ScoreCounts:
        return ScoreCounts.of(
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
    def without_rows(self) -> ScoreCounts:
        """A table of the same kind without any cases."""
        keys = tuple(key[:0] for key in self.keys)
        return ScoreCounts(keys, self.label[:0], self.weight[:0], self.count[:0])

    def scale_weights(self, exponent: int) -> ScoreCounts:
        """The same with all weights times a power of two, which rounds nothing."""
        return replace(self, weight=np.ldexp(self.weight, exponent))


def _group_rows(columns: Sequence[NDArray[Any]]) -> tuple[Ints, Ints]:
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


NO_WEIGHT = ExactSum()


@dataclass(frozen=True)
class ClassMasses(Summary):
    """Weight and number of the cases of each class."""

    weight: Mapping[int, ExactSum] = field(default_factory=dict)
    count: Mapping[int, int] = field(default_factory=dict)

    @classmethod
    def of(cls, table: ScoreCounts) -> ClassMasses:
        """Weight of both classes in a table."""
        weight = exact_sums(table.mass, table.label)
        return cls(weight, {c: int(table.count[table.label == c].sum()) for c in weight})

    def __getitem__(self, label: int) -> ExactSum:
        return self.weight.get(label, NO_WEIGHT)

    @property
    def total_weight(self) -> ExactSum:
        """The weight of all classes."""
        return sum(self.weight.values(), start=NO_WEIGHT)


@dataclass(frozen=True, eq=False)
class ScoreSlice:
    """All cases of some neighbouring scores.

    Parameters
    ----------
    table
        The cases.
    above, total
        Masses of the cases with better scores, and of all cases.
    keys
        How many keys of the table order the cases; the others only tell them apart.
    """

    table: ScoreCounts
    above: ClassMasses
    total: ClassMasses
    keys: int
    _made: dict[tuple[str, int], Floats] = field(default_factory=dict, repr=False)

    @classmethod
    def whole(cls, table: ScoreCounts, keys: int | None = None) -> ScoreSlice:
        """The slice that has all cases."""
        return cls(
            table, ClassMasses(), ClassMasses.of(table), len(table.keys) if keys is None else keys
        )

    def __len__(self) -> int:
        return len(self.starts)

    @cached_property
    def starts(self) -> Ints:
        """The first row of each group of equal scores."""
        new = np.zeros(len(self.table), dtype=np.bool_)
        new[:1] = True
        for key in self.table.keys[: self.keys]:
            unknown = np.isnan(key)
            new[1:] |= (key[1:] != key[:-1]) & ~(unknown[1:] & unknown[:-1])
        return np.flatnonzero(new)

    @cached_property
    def group(self) -> Ints:
        """Which group each row belongs to."""
        return np.repeat(np.arange(len(self)), np.diff(self.starts, append=len(self.table)))

    def sum_groups(self, values: Floats) -> Floats:
        """The sum of a column in each group."""
        sums: Floats = np.add.reduceat(values, self.starts) if len(self) else np.zeros(0)
        return sums

    def sum_to_ends(self, values: Floats, start: ExactSum) -> Floats:
        """What a sum that begins with `start` has come to behind each group."""
        last = np.append(self.starts[1:], len(self.table))[: len(self)] - 1
        sums: Floats = running_sums(values, start)[last]
        return sums

    def rows(self, label: int) -> Floats:
        """The weight of each row that is of a class, 0 of others."""
        return np.where(self.table.label == label, self.table.mass, 0.0)

    def masses(self, label: int) -> Floats:
        """The weight of a class in each group."""
        return self.sum_groups(self.rows(label))

    def up_to(self, label: int) -> Floats:
        """The weight of a class that has scores as good as those of each group, or better."""
        if ("up to", label) not in self._made:
            self._made["up to", label] = self.sum_to_ends(self.rows(label), self.above[label])
        return self._made["up to", label]

    def below(self, label: int) -> Floats:
        """The weight of a class that has worse scores than each group."""
        if ("below", label) not in self._made:
            left = self.total[label] - self.above[label]
            self._made["below", label] = self.sum_to_ends(-self.rows(label), left)
        return self._made["below", label]


@dataclass(frozen=True)
class PairSums(Summary):
    """Pairs of a case of one class and one of another that a score orders, as exact weights."""

    won: ExactSum = NO_WEIGHT
    tied: ExactSum = NO_WEIGHT

    @classmethod
    def of(cls, cases: ScoreSlice, mine: int, other: int) -> PairSums:
        """The pairs in which the case of class `mine` lies in the slice."""
        own = cases.masses(mine)
        equal = cases.masses(other)
        return cls(ExactSum.dot(own, cases.below(other)), ExactSum.dot(own, equal))

    def area(self, mine: ExactSum, others: ExactSum) -> Fraction | None:
        """Share of the pairs that are won, ties counted half; None without pairs."""
        total = 2 * mine.exact * others.exact
        return (2 * self.won.exact + self.tied.exact) / total if total else None

    def tied_share(self, mine: ExactSum, others: ExactSum) -> float | None:
        """Share of the pairs that are tied; None without pairs."""
        total = mine.exact * others.exact
        return float(self.tied.exact / total) if total else None


@dataclass(frozen=True)
class PlacementSpread(Summary):
    """Squared weights of cases, with their values and the squares of these: for a variance."""

    squares: ExactSum = NO_WEIGHT
    first: ExactSum = NO_WEIGHT
    second: ExactSum = NO_WEIGHT

    @classmethod
    def of(cls, squares: Floats, values: Floats) -> PlacementSpread:
        """Spread of some values, each with the sum of the squared weights that have it."""
        high, low = _square_exactly(values)
        second = ExactSum.dot(high, squares) + ExactSum.dot(low, squares)
        return cls(ExactSum.of(squares), ExactSum.dot(values, squares), second)

    def variance(self, mean: Fraction, weight: ExactSum, count: int) -> Fraction:
        """Variance of the weighed mean of the values, whose mean is given."""
        squared = self.second.exact - 2 * mean * self.first.exact + mean**2 * self.squares.exact
        return max(Fraction(0), squared) / weight.exact**2 * Fraction(count, count - 1)


def _square_exactly(x: Floats) -> tuple[Floats, Floats]:
    """The square rounded, and what the rounding left out (Veltkamp and Dekker)."""
    part = 134217729.0 * x
    high = part - (part - x)
    low = x - high
    square = x * x
    return square, ((high * high - square) + 2.0 * high * low) + low * low


@dataclass(frozen=True, eq=False)
class ScorePlacements:
    """Share of the other class that each score beats, ties half.

    Parameters
    ----------
    falling : array of float64, shape (n_scores,)
        Minus the scores, rising; NaN last.
    up, down : array of float64, shape (n_scores,)
        What a positive case of that score wins, and what a negative one loses.
    """

    falling: Floats
    up: Floats
    down: Floats

    @classmethod
    def of(cls, cases: ScoreSlice) -> ScorePlacements:
        """Placements of the cases of a slice; there are cases of both classes somewhere."""
        positive, negative = cases.masses(1), cases.masses(0)
        above = np.concatenate([[cases.above[1].result()], cases.up_to(1)])[: len(cases)]
        return cls(
            0.0 - cases.table.keys[0][cases.starts],
            (2.0 * cases.below(0) + negative) / (2.0 * cases.total[0].result()),
            (2.0 * above + positive) / (2.0 * cases.total[1].result()),
        )

    def __add__(self, other: ScorePlacements) -> ScorePlacements:
        falling = np.concatenate([self.falling, other.falling])
        order = np.argsort(falling, kind="stable")
        up, down = np.concatenate([self.up, other.up]), np.concatenate([self.down, other.down])
        return ScorePlacements(falling[order], up[order], down[order])


def has_both_classes(total: ClassMasses) -> bool:
    """Whether there are positive and negative cases."""
    return total[1].units > 0 and total[0].units > 0
