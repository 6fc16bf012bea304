"""Figures of a ranking from its slices: cases of neighbouring scores, and what lies above them.

An area under a curve, its variance, ties and calibration bins need, for each score, how much
weight has better ones. A `Slice` of the sorted cases needs no more than the `Masses` above it and
in all to give its part of the sums; the parts add up. So a cluster that has sorted its scores by
ranges gives the figures of one machine, to the last bit, and nobody holds all scores: terms depend
on exact masses, which are rounded once, and sums of terms are exact.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.core.summaries import ExactSum, Summary, exact_sums, running
from j48geo.decide.evaluation.score_table import ScoreTable

__all__ = ["NOTHING", "Masses", "PairSums", "Placements", "Slice", "Spread", "both"]

NOTHING = ExactSum()


@dataclass(frozen=True)
class Masses(Summary):
    """Weight and number of the cases of each class."""

    weight: Mapping[int, ExactSum] = field(default_factory=dict)
    count: Mapping[int, int] = field(default_factory=dict)

    @classmethod
    def of(cls, table: ScoreTable) -> Masses:
        """Those of a table."""
        weight = exact_sums(table.mass, table.label)
        return cls(weight, {c: int(table.count[table.label == c].sum()) for c in weight})

    def __getitem__(self, label: int) -> ExactSum:
        return self.weight.get(label, NOTHING)

    @property
    def every(self) -> ExactSum:
        """The weight of all classes."""
        return sum(self.weight.values(), start=NOTHING)


@dataclass(frozen=True, eq=False)
class Slice:
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

    table: ScoreTable
    above: Masses
    total: Masses
    keys: int
    _made: dict[tuple[str, int], Floats] = field(default_factory=dict, repr=False)

    @classmethod
    def whole(cls, table: ScoreTable, keys: int | None = None) -> Slice:
        """The slice that has all cases."""
        return cls(table, Masses(), Masses.of(table), len(table.keys) if keys is None else keys)

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

    def summed(self, values: Floats) -> Floats:
        """The sum of a column in each group."""
        found: Floats = np.add.reduceat(values, self.starts) if len(self) else np.zeros(0)
        return found

    def at_ends(self, values: Floats, start: ExactSum) -> Floats:
        """What a sum that begins with `start` has come to behind each group."""
        last = np.append(self.starts[1:], len(self.table))[: len(self)] - 1
        found: Floats = running(values, start)[last]
        return found

    def rows(self, label: int) -> Floats:
        """The weight of each row that is of a class, 0 of others."""
        return np.where(self.table.label == label, self.table.mass, 0.0)

    def masses(self, label: int) -> Floats:
        """The weight of a class in each group."""
        return self.summed(self.rows(label))

    def up_to(self, label: int) -> Floats:
        """The weight of a class that has scores as good as those of each group, or better."""
        if ("up to", label) not in self._made:
            self._made["up to", label] = self.at_ends(self.rows(label), self.above[label])
        return self._made["up to", label]

    def below(self, label: int) -> Floats:
        """The weight of a class that has worse scores than each group."""
        if ("below", label) not in self._made:
            left = self.total[label] - self.above[label]
            self._made["below", label] = self.at_ends(-self.rows(label), left)
        return self._made["below", label]


@dataclass(frozen=True)
class PairSums(Summary):
    """Pairs of a case of one class and one of another that a score orders, as exact weights."""

    won: ExactSum = NOTHING
    tied: ExactSum = NOTHING

    @classmethod
    def of(cls, cases: Slice, mine: int, other: int) -> PairSums:
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
class Spread(Summary):
    """Squared weights of cases, with their values and the squares of these: for a variance."""

    squares: ExactSum = NOTHING
    first: ExactSum = NOTHING
    second: ExactSum = NOTHING

    @classmethod
    def of(cls, squares: Floats, values: Floats) -> Spread:
        """That of some values, each with the sum of the squared weights that have it."""
        high, low = _squared(values)
        second = ExactSum.dot(high, squares) + ExactSum.dot(low, squares)
        return cls(ExactSum.of(squares), ExactSum.dot(values, squares), second)

    def variance(self, mean: Fraction, weight: ExactSum, count: int) -> Fraction:
        """Variance of the weighed mean of the values, whose mean is given."""
        squared = self.second.exact - 2 * mean * self.first.exact + mean**2 * self.squares.exact
        return max(Fraction(0), squared) / weight.exact**2 * Fraction(count, count - 1)


def _squared(x: Floats) -> tuple[Floats, Floats]:
    """The square rounded, and what the rounding left out (Veltkamp and Dekker)."""
    part = 134217729.0 * x
    high = part - (part - x)
    low = x - high
    square = x * x
    return square, ((high * high - square) + 2.0 * high * low) + low * low


@dataclass(frozen=True, eq=False)
class Placements:
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
    def of(cls, cases: Slice) -> Placements:
        """Those of a slice; there are cases of both classes somewhere."""
        positive, negative = cases.masses(1), cases.masses(0)
        above = np.concatenate([[cases.above[1].result()], cases.up_to(1)])[: len(cases)]
        return cls(
            0.0 - cases.table.keys[0][cases.starts],
            (2.0 * cases.below(0) + negative) / (2.0 * cases.total[0].result()),
            (2.0 * above + positive) / (2.0 * cases.total[1].result()),
        )

    def __add__(self, other: Placements) -> Placements:
        falling = np.concatenate([self.falling, other.falling])
        order = np.argsort(falling, kind="stable")
        up, down = np.concatenate([self.up, other.up]), np.concatenate([self.down, other.down])
        return Placements(falling[order], up[order], down[order])


def both(total: Masses) -> bool:
    """Whether there are positive and negative cases."""
    return total[1].units > 0 and total[0].units > 0
