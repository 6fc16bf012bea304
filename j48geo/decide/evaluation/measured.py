"""What is measured of the tables of an evaluation: the sums of their slices, and their figures.

One machine takes each table as one slice. A cluster sorts the cases of each table into ranges of
their scores, asks for the masses of all ranges, and then for the sums of each.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from j48geo.decide.evaluation.judged import Judged, Place, compared
from j48geo.decide.evaluation.probabilities import Bins
from j48geo.decide.evaluation.slice_sums import BinSums, ClassSums, Differences, RankSums
from j48geo.decide.evaluation.slices import Masses, Placements, Slice, both

__all__ = ["Measured", "Meter", "Sums", "measured"]

Sums = RankSums | BinSums | Differences | ClassSums


@dataclass(frozen=True)
class Meter:
    """Which sums are asked of the slices of each table; frozen, and fit to be pickled.

    Parameters
    ----------
    methods
        The methods that are judged.
    fpr, bins, by
        See `j48geo.decide.evaluation.table.Measures`.
    every_class
        Whether all classes are judged, not the positive one.
    others
        Where the leaf estimate places the cases that each difference is held against, by the
        number of that comparison.
    """

    methods: tuple[str, ...]
    fpr: float
    bins: int
    by: Bins
    every_class: bool = False
    others: Mapping[int, Placements] = field(default_factory=dict)

    def asks(self, place: Place) -> bool:
        """Whether a table is needed."""
        return place[0] in (("estimate", "class") if self.every_class else _POSITIVE)

    def keys(self, place: Place, count: int) -> int:
        """How many of the keys of a table order its cases."""
        return count - 1 if place[0] == "joint" else count

    @property
    def against(self) -> dict[int, Place]:
        """The table of the leaf estimate that each difference is held against."""
        if self.every_class:
            return {}
        pairs = compared(self.methods)
        return {k: ("score", self.methods.index(other), 0) for k, (_, other) in enumerate(pairs)}

    def with_placements(self, found: Mapping[Place, Placements]) -> Meter:
        """The same, knowing where the leaf estimates place cases."""
        against = {k: found[place] for k, place in self.against.items() if place in found}
        return replace(self, others=against)

    def sums(self, place: Place, cases: Slice) -> Sums:
        """Those of a slice of a table."""
        kind, at, c = place
        if kind == "score":
            return RankSums.of(cases, self.fpr)
        if kind == "probability":
            return BinSums.of(cases, self.bins, by_mass=self.by == "mass")
        if kind == "joint":
            return Differences.of(cases, self.others[at]) if at in self.others else Differences()
        return ClassSums.of(cases, c)


_POSITIVE = ("score", "probability", "joint", "estimate")


@dataclass(frozen=True, eq=False)
class Measured:
    """All sums that the figures of an evaluation are worked out from.

    Parameters
    ----------
    judged
        What needs no order; its tables do not matter.
    meter
        What was asked for.
    total, sums
        Masses of all cases, and the sums over all slices, of each table.
    """

    judged: Judged
    meter: Meter
    total: Mapping[Place, Masses]
    sums: Mapping[Place, Sums]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The methods."""
        return tuple(method.method for method in self.judged.methods)

    def ranked(self, method: int) -> tuple[RankSums, Masses]:
        """The ranking of a method."""
        sums = self.sums["score", method, 0]
        assert isinstance(sums, RankSums)
        return sums, self.total["score", method, 0]

    def calibration_error(self, method: int) -> float | None:
        """That of a method; None if it is a ranking."""
        sums = self.sums.get(("probability", method, 0))
        assert sums is None or isinstance(sums, BinSums)
        return None if sums is None else sums.error

    def difference(self, comparison: int) -> tuple[Differences, Masses]:
        """How differently two methods place the cases."""
        sums = self.sums["joint", comparison, 0]
        assert isinstance(sums, Differences)
        return sums, self.total["joint", comparison, 0]

    def _of_class(self, kind: str, method: int, c: int) -> tuple[ClassSums, Masses]:
        place = (kind, method, c)
        found = self.sums[place]
        assert isinstance(found, ClassSums)
        return found, self.total[place]

    def m(self, method: int) -> float | None:
        """M of Hand and Till; None with two classes, or if fewer than two have cases."""
        if ("estimate", method, 0) not in self.sums:
            return None
        weight = self._of_class("estimate", method, 0)[1]
        present = [c for c in range(len(self.judged.classes)) if weight[c].units > 0]
        areas = []
        for k, i in enumerate(present):
            for j in present[k + 1 :]:
                for c, other in ((i, j), (j, i)):
                    sums, total = self._of_class("estimate", method, c)
                    area = sums.against(other, total)
                    assert area is not None  # both have cases
                    areas.append(area)
        return float(np.mean(areas)) if areas else None

    def aucs(self, method: int) -> tuple[float | None, ...]:
        """AUC of every class against the others; none if the method has no score for each."""
        found = []
        for c in range(len(self.judged.classes)):
            if ("class", method, c) in self.sums:
                sums, total = self._of_class("class", method, c)
                found.append(sums.against_rest(total))
        return tuple(found)


def measured(judged: Judged, meter: Meter) -> Measured:
    """The sums of all tables, each as one slice."""
    exponent = judged.weight_exponent
    slices = {
        place: Slice.whole(table.scaled(exponent), meter.keys(place, len(table.keys)))
        for place, table in judged.tables.items()
        if meter.asks(place)
    }
    found = {
        place: Placements.of(slices[place])
        for place in set(meter.against.values())
        if both(slices[place].total)
    }
    meter = meter.with_placements(found)
    return Measured(
        judged,
        meter,
        {place: cases.total for place, cases in slices.items()},
        {place: meter.sums(place, cases) for place, cases in slices.items()},
    )
