"""The sums that metrics are computed from: of a ranking, a difference, a class, calibration bins.

One machine takes each table of scores as one slice (`compute_metrics`). A cluster sorts the cases
of each table into ranges of their scores, asks for the masses of all ranges, and then for the sums
of each.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property

import numpy as np

from j48geo.core.summaries import ExactSum, Summary
from j48geo.decide.evaluation.evaluation_sums import EvaluationSums, TableKey, list_comparisons
from j48geo.decide.evaluation.probability_metrics import BinSums, CalibrationBins
from j48geo.decide.evaluation.score_tables import (
    NO_WEIGHT,
    ClassMasses,
    PairSums,
    PlacementSpread,
    ScorePlacements,
    ScoreSlice,
    has_both_classes,
)
from j48geo.decide.roc import area_terms, mean_pair_auc

_NO_PAIRS, _NO_SPREAD = PairSums(), PlacementSpread()


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
    up: PlacementSpread = _NO_SPREAD
    down: PlacementSpread = _NO_SPREAD
    partial: ExactSum = NO_WEIGHT
    distinct: int = 0
    lost: int = 0
    gained: int = 0

    @classmethod
    def of(cls, cases: ScoreSlice, fpr: float) -> RankSums:
        """The sums of a slice.

        Parameters
        ----------
        fpr
            False positive rate up to which the partial area goes.
        """
        if not has_both_classes(cases.total):
            return cls(distinct=len(cases))
        placed, table = ScorePlacements.of(cases), cases.table
        squared = table.count * table.weight**2
        positive = cases.masses(1) > 0
        behind = cases.up_to(0)
        ahead = cases.below(0) + cases.masses(0)
        return cls(
            PairSums.of(cases, 1, 0),
            PlacementSpread.of(
                cases.sum_groups(np.where(table.label == 1, squared, 0.0)), placed.up
            ),
            PlacementSpread.of(
                cases.sum_groups(np.where(table.label == 0, squared, 0.0)), placed.down
            ),
            _partial(cases, fpr),
            len(cases),
            int((positive & (behind > 0)).sum()),
            int((positive & (ahead > 0)).sum()),
        )

    def area(self, total: ClassMasses) -> Fraction | None:
        """Area under the ROC curve, exactly; None if a class is absent."""
        return self.pairs.area(total[1], total[0])


def _partial(cases: ScoreSlice, x: float) -> ExactSum:
    """Part of the area under the ROC curve over the slice, as far as the rate is at most `x`."""
    rates = []
    for label in (0, 1):
        reached = np.concatenate([[cases.above[label].result()], cases.up_to(label)])
        rates.append(reached / cases.total[label].result())
    fpr, tpr = rates
    return ExactSum.of(area_terms(fpr, tpr, x))


@dataclass(frozen=True)
class Differences(Summary):
    """How differently two scores place the same positive and negative cases."""

    up: PlacementSpread = _NO_SPREAD
    down: PlacementSpread = _NO_SPREAD

    @classmethod
    def of(cls, cases: ScoreSlice, others: ScorePlacements) -> Differences:
        """The sums of a slice whose last key is the other score.

        Parameters
        ----------
        others
            Where that score places the cases.
        """
        if not has_both_classes(cases.total):
            return cls()
        mine, table = ScorePlacements.of(cases), cases.table
        other = np.searchsorted(others.falling, 0.0 - table.keys[-1])
        squared, spreads = table.count * table.weight**2, []
        for label, own, its in ((1, mine.up, others.up), (0, mine.down, others.down)):
            rows = table.label == label
            spreads.append(PlacementSpread.of(squared[rows], (own[cases.group] - its[other])[rows]))
        return cls(*spreads)


@dataclass(frozen=True)
class ClassSums(Summary):
    """Pairs of a case of one class and one of each other class."""

    SAME = ("label",)

    label: int
    pairs: Mapping[int, PairSums] = field(default_factory=dict)

    @classmethod
    def of(cls, cases: ScoreSlice, label: int) -> ClassSums:
        """The sums of a slice of the scores of class `label`."""
        others = sorted(c for c in cases.total.weight if c != label)
        return cls(label, {c: PairSums.of(cases, label, c) for c in others})

    def against(self, other: int, total: ClassMasses) -> float | None:
        """AUC among the cases of this class and another."""
        area = self.pairs.get(other, _NO_PAIRS).area(total[self.label], total[other])
        return None if area is None else float(area)

    def against_rest(self, total: ClassMasses) -> float | None:
        """AUC of this class against all others."""
        others = sum((w for c, w in total.weight.items() if c != self.label), start=NO_WEIGHT)
        area = sum(self.pairs.values(), start=_NO_PAIRS).area(total[self.label], others)
        return None if area is None else float(area)


Sums = RankSums | BinSums | Differences | ClassSums


@dataclass(frozen=True)
class MetricsRequest:
    """Which sums are asked of the slices of each table; frozen, and fit to be pickled.

    Parameters
    ----------
    methods
        The methods that are judged.
    fpr, bins, by
        See `j48geo.decide.evaluation.evaluation.MetricOptions`.
    every_class
        Whether all classes are judged, not the positive one.
    others
        Where the leaf estimate places the cases that each difference is held against, by the
        number of that comparison.
    """

    methods: tuple[str, ...]
    fpr: float
    bins: int
    by: CalibrationBins
    every_class: bool = False
    others: Mapping[int, ScorePlacements] = field(default_factory=dict)

    def asks(self, place: TableKey) -> bool:
        """Whether a table is needed."""
        return place[0] in (("estimate", "class") if self.every_class else _POSITIVE)

    def keys(self, place: TableKey, count: int) -> int:
        """How many of the keys of a table order its cases."""
        return count - 1 if place[0] == "joint" else count

    @property
    def against(self) -> dict[int, TableKey]:
        """The table of the leaf estimate that each difference is held against."""
        if self.every_class:
            return {}
        pairs = list_comparisons(self.methods)
        return {k: ("score", self.methods.index(other), 0) for k, (_, other) in enumerate(pairs)}

    def with_placements(self, placements: Mapping[TableKey, ScorePlacements]) -> MetricsRequest:
        """The same, knowing where the leaf estimates place cases."""
        against = {k: placements[place] for k, place in self.against.items() if place in placements}
        return replace(self, others=against)

    def sums(self, place: TableKey, cases: ScoreSlice) -> Sums:
        """The sums of a slice of a table."""
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
class Metrics:
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

    judged: EvaluationSums
    meter: MetricsRequest
    total: Mapping[TableKey, ClassMasses]
    sums: Mapping[TableKey, Sums]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The methods."""
        return tuple(method.method for method in self.judged.methods)

    def ranked(self, method: int) -> tuple[RankSums, ClassMasses]:
        """The ranking of a method."""
        sums = self.sums["score", method, 0]
        assert isinstance(sums, RankSums)
        return sums, self.total["score", method, 0]

    def calibration_error(self, method: int) -> float | None:
        """Calibration error of a method; None if it is a ranking."""
        sums = self.sums.get(("probability", method, 0))
        assert sums is None or isinstance(sums, BinSums)
        return None if sums is None else sums.error

    def difference(self, comparison: int) -> tuple[Differences, ClassMasses]:
        """How differently two methods place the cases."""
        sums = self.sums["joint", comparison, 0]
        assert isinstance(sums, Differences)
        return sums, self.total["joint", comparison, 0]

    def _of_class(self, kind: str, method: int, c: int) -> tuple[ClassSums, ClassMasses]:
        place = (kind, method, c)
        sums = self.sums[place]
        assert isinstance(sums, ClassSums)
        return sums, self.total[place]

    def m(self, method: int) -> float | None:
        """M of Hand and Till; None with two classes, or if fewer than two have cases."""
        if ("estimate", method, 0) not in self.sums:
            return None
        weight = self._of_class("estimate", method, 0)[1]
        present = [c for c in range(len(self.judged.classes)) if weight[c].units > 0]

        def area(c: int, other: int) -> float | None:
            sums, total = self._of_class("estimate", method, c)
            return sums.against(other, total)

        return mean_pair_auc(present, area)

    def aucs(self, method: int) -> tuple[float | None, ...]:
        """AUC of every class against the others; none if the method has no score for each."""
        areas = []
        for c in range(len(self.judged.classes)):
            if ("class", method, c) in self.sums:
                sums, total = self._of_class("class", method, c)
                areas.append(sums.against_rest(total))
        return tuple(areas)


def compute_metrics(evaluation_sums: EvaluationSums, request: MetricsRequest) -> Metrics:
    """The sums of all tables, each as one slice."""
    exponent = evaluation_sums.weight_exponent
    slices = {
        place: ScoreSlice.whole(table.scale_weights(exponent), request.keys(place, len(table.keys)))
        for place, table in evaluation_sums.tables.items()
        if request.asks(place)
    }
    placements = {
        place: ScorePlacements.of(slices[place])
        for place in set(request.against.values())
        if has_both_classes(slices[place].total)
    }
    request = request.with_placements(placements)
    return Metrics(
        evaluation_sums,
        request,
        {place: cases.total for place, cases in slices.items()},
        {place: request.sums(place, cases) for place, cases in slices.items()},
    )
