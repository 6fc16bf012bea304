"""The sums that a slice of sorted cases gives: of a ranking, a difference, a class, bins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from j48geo.arrays import Bools
from j48geo.core.summaries import ExactSum, Summary, exact_sums
from j48geo.decide.evaluation.slices import (
    NOTHING,
    Masses,
    PairSums,
    Placements,
    Slice,
    Spread,
    both,
)

__all__ = ["BinSums", "ClassSums", "Differences", "RankSums"]

_NO_PAIRS, _NO_SPREAD = PairSums(), Spread()


@dataclass(frozen=True)
class RankSums(Summary):
    """What a score says of positive cases (label 1) and others (label 0).

    Parameters
    ----------
    pairs
        Of a positive and a negative case.
    up, down
        Placements of the positive and of the negative cases.
    partial
        The area under the curve up to some false positive rate.
    distinct
        How many different scores there are.
    lost, gained
        How many scores are those of a positive case and not better than that of some
        negative one, and how many not worse.
    """

    pairs: PairSums = _NO_PAIRS
    up: Spread = _NO_SPREAD
    down: Spread = _NO_SPREAD
    partial: ExactSum = NOTHING
    distinct: int = 0
    lost: int = 0
    gained: int = 0

    @classmethod
    def of(cls, cases: Slice, fpr: float) -> RankSums:
        """The sums of a slice.

        Parameters
        ----------
        fpr
            False positive rate up to which the partial area goes.
        """
        if not both(cases.total):
            return cls(distinct=len(cases))
        placed, table = Placements.of(cases), cases.table
        squared = table.count * table.weight**2
        positive = cases.masses(1) > 0
        behind = cases.up_to(0)
        ahead = cases.below(0) + cases.masses(0)
        return cls(
            PairSums.of(cases, 1, 0),
            Spread.of(cases.summed(np.where(table.label == 1, squared, 0.0)), placed.up),
            Spread.of(cases.summed(np.where(table.label == 0, squared, 0.0)), placed.down),
            _partial(cases, fpr),
            len(cases),
            int((positive & (behind > 0)).sum()),
            int((positive & (ahead > 0)).sum()),
        )

    def area(self, total: Masses) -> Fraction | None:
        """Area under the ROC curve, exactly; None if a class is absent."""
        return self.pairs.area(total[1], total[0])


def _partial(cases: Slice, x: float) -> ExactSum:
    """Part of the area under the ROC curve over the slice, as far as the rate is at most `x`."""
    rates = []
    for label in (0, 1):
        reached = np.concatenate([[cases.above[label].result()], cases.up_to(label)])
        rates.append(reached / cases.total[label].result())
    fpr, tpr = rates
    last = int(np.count_nonzero(fpr[:-1] < x))
    step, width = np.diff(fpr)[:last], (np.minimum(fpr[1:], x) - fpr[:-1])[:last]
    part = np.divide(width, step, out=np.zeros(last), where=step > 0)
    return ExactSum.of(width * (tpr[:last] + np.diff(tpr)[:last] * part / 2.0))


@dataclass(frozen=True)
class Differences(Summary):
    """How differently two scores place the same positive and negative cases."""

    up: Spread = _NO_SPREAD
    down: Spread = _NO_SPREAD

    @classmethod
    def of(cls, cases: Slice, others: Placements) -> Differences:
        """The sums of a slice whose last key is the other score.

        Parameters
        ----------
        others
            Where that score places the cases.
        """
        if not both(cases.total):
            return cls()
        mine, table = Placements.of(cases), cases.table
        other = np.searchsorted(others.falling, 0.0 - table.keys[-1])
        squared, found = table.count * table.weight**2, []
        for label, own, its in ((1, mine.up, others.up), (0, mine.down, others.down)):
            rows = table.label == label
            found.append(Spread.of(squared[rows], (own[cases.group] - its[other])[rows]))
        return cls(*found)


@dataclass(frozen=True)
class ClassSums(Summary):
    """Pairs of a case of one class and one of each other class."""

    SAME = ("label",)

    label: int
    pairs: Mapping[int, PairSums] = field(default_factory=dict)

    @classmethod
    def of(cls, cases: Slice, label: int) -> ClassSums:
        """The sums of a slice of the scores of class `label`."""
        others = sorted(c for c in cases.total.weight if c != label)
        return cls(label, {c: PairSums.of(cases, label, c) for c in others})

    def against(self, other: int, total: Masses) -> float | None:
        """AUC among the cases of this class and another."""
        found = self.pairs.get(other, _NO_PAIRS).area(total[self.label], total[other])
        return None if found is None else float(found)

    def against_rest(self, total: Masses) -> float | None:
        """AUC of this class against all others."""
        others = sum((w for c, w in total.weight.items() if c != self.label), start=NOTHING)
        found = sum(self.pairs.values(), start=_NO_PAIRS).area(total[self.label], others)
        return None if found is None else float(found)


@dataclass(frozen=True)
class BinSums(Summary):
    """Weight, promised probability and positive weight of the cases of each bin."""

    weight: Mapping[int, ExactSum] = field(default_factory=dict)
    promised: Mapping[int, ExactSum] = field(default_factory=dict)
    positive: Mapping[int, ExactSum] = field(default_factory=dict)

    @classmethod
    def of(cls, cases: Slice, bins: int, *, by_mass: bool) -> BinSums:
        """Those of a slice of probabilities, see `probabilities.reliability`."""
        table, p = cases.table, cases.table.keys[0]
        if by_mass:
            own = cases.summed(table.mass)
            below = cases.at_ends(-table.mass, cases.total.every - cases.above.every)
            middle = (below + own / 2.0) / cases.total.every.result()
            place = np.minimum(np.floor(bins * middle), bins - 1).astype(np.intp)[cases.group]
        else:
            place = np.clip(np.floor(p * bins), 0, bins - 1).astype(np.intp)
        yes: Bools = table.label == 1
        return cls(
            exact_sums(table.mass, place),
            exact_sums(table.mass * p, place),
            exact_sums(table.mass[yes], place[yes]),
        )

    @property
    def error(self) -> float | None:
        """Mean difference of what came true and what was promised; None without cases."""
        weight, apart = [], []
        for place in sorted(self.weight):
            whole = self.weight[place]
            if whole.units:
                share = self.positive.get(place, NOTHING).over(whole) or 0.0
                apart.append(abs(share - (self.promised[place].over(whole) or 0.0)))
                weight.append(whole.result())
        return ExactSum.dot(np.array(apart), np.array(weight)).over(ExactSum.of(weight))
