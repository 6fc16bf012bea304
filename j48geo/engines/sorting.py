"""Evaluate by sorting: cases as rows that an engine sorts, and sums over ranges of sorted rows.

For more cases than one machine can hold. A `Sorter` makes rows of batches; the engine brings the
rows of each range of scores of each table together, and asks the sorter for the masses of every
range, and then, knowing what lies above each, for its sums.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from operator import add
from typing import Any

import numpy as np
from numpy.typing import NDArray

from j48geo.decide.evaluation.evaluation import MetricOptions
from j48geo.decide.evaluation.evaluation_sums import EvaluationSums, TableKey, weight_exponent
from j48geo.decide.evaluation.metrics import Metrics, MetricsRequest, Sums
from j48geo.decide.evaluation.score_tables import (
    ClassMasses,
    ScoreCounts,
    ScorePlacements,
    ScoreSlice,
    has_both_classes,
)
from j48geo.engines.evaluation import BatchEvaluator

KEYS = ("k0", "k1", "k2")
"""Columns of the keys; those that a table lacks are 0."""

Columns = Mapping[str, NDArray[Any]]


@dataclass(frozen=True)
class Offsets:
    """Masses in all and above each range, by the number of the table.

    Parameters
    ----------
    above
        By table and range; a range of larger number has better scores.
    total
        By table.
    """

    above: Mapping[tuple[int, int], ClassMasses]
    total: Mapping[int, ClassMasses]

    @classmethod
    def of(cls, masses: Mapping[tuple[int, int], ClassMasses]) -> Offsets:
        """Those of the masses of all ranges."""
        above: dict[tuple[int, int], ClassMasses] = {}
        total: dict[int, ClassMasses] = {}
        for table, place in sorted(masses, key=lambda key: (key[0], -key[1])):
            above[table, place] = total.get(table, ClassMasses())
            total[table] = above[table, place] + masses[table, place]
        return cls(above, total)


@dataclass(frozen=True)
class Sorter:
    """Makes rows of cases, and sums of sorted rows; frozen, and fit to be pickled.

    Parameters
    ----------
    judge
        What asks the methods about rows.
    meter
        Which sums are needed.
    places
        The tables, in the order of their numbers.
    widths
        How many keys each of them has.
    exponent
        Power of two that weights are multiplied by.
    """

    judge: BatchEvaluator
    meter: MetricsRequest
    places: tuple[TableKey, ...]
    widths: tuple[int, ...]
    exponent: int = 0

    @classmethod
    def of(cls, judge: BatchEvaluator, measures: MetricOptions | None = None) -> Sorter:
        """A sorter for an evaluation; ChoiceError for a bootstrap."""
        meter = judge.meter(measures)
        tables = {p: t for p, t in judge.nothing().tables.items() if meter.asks(p)}
        widths = tuple(len(table.keys) for table in tables.values())
        return cls(judge, meter, tuple(tables), widths)

    def scaled(self, largest: float) -> Sorter:
        """The same, knowing the largest weight."""
        return replace(self, exponent=weight_exponent(largest))

    def with_placements(self, placements: Mapping[int, ScorePlacements]) -> Sorter:
        """The same, knowing where leaf estimates place cases, by the number of their table."""
        known = {self.places[number]: placed for number, placed in placements.items()}
        return replace(self, meter=self.meter.with_placements(known))

    @property
    def against(self) -> tuple[int, ...]:
        """Numbers of the tables whose placements differences need."""
        return tuple(sorted({self.places.index(place) for place in self.meter.against.values()}))

    def rows(self, judged: EvaluationSums) -> Columns:
        """The rows of all tables of a batch."""
        tables = judged.tables
        parts_by_column: dict[str, list[NDArray[Any]]] = {
            name: [] for name in ("table", *KEYS, "label", "weight", "count")
        }
        for number, place in enumerate(self.places):
            table = tables[place]
            parts_by_column["table"].append(np.full(len(table), number, dtype=np.int32))
            for k, name in enumerate(KEYS):
                nothing = np.zeros(len(table))
                parts_by_column[name].append(table.keys[k] if k < len(table.keys) else nothing)
            parts_by_column["label"].append(table.label.astype(np.int32))
            parts_by_column["weight"].append(table.weight)
            parts_by_column["count"].append(table.count)
        return {name: np.concatenate(parts) for name, parts in parts_by_column.items()}

    def _table(self, number: int, columns: Columns) -> ScoreCounts:
        keys = [columns[name] for name in KEYS[: self.widths[number]]]
        table = ScoreCounts.of(keys, columns["label"], columns["weight"], columns["count"])
        return table.scale_weights(self.exponent)

    def masses(self, number: int, columns: Columns) -> ClassMasses:
        """Those of the cases of one range of a table: all that have these scores."""
        return ClassMasses.of(self._table(number, columns))

    def _slice(self, number: int, place: int, columns: Columns, offsets: Offsets) -> ScoreSlice:
        keys = self.meter.keys(self.places[number], self.widths[number])
        above, total = offsets.above[number, place], offsets.total[number]
        return ScoreSlice(self._table(number, columns), above, total, keys)

    def placements(
        self, number: int, place: int, columns: Columns, offsets: Offsets
    ) -> ScorePlacements | None:
        """Where a leaf estimate places the cases of a range; None if a class is absent."""
        if not has_both_classes(offsets.total[number]):
            return None
        return ScorePlacements.of(self._slice(number, place, columns, offsets))

    def sums(self, number: int, place: int, columns: Columns, offsets: Offsets) -> Sums:
        """The metric sums of the cases in one range of a table."""
        return self.meter.sums(self.places[number], self._slice(number, place, columns, offsets))

    def measured(
        self, judged: EvaluationSums, offsets: Offsets, sums: Iterable[tuple[int, Sums]]
    ) -> Metrics:
        """All sums together, by the number of their table."""
        nothing = self.judge.nothing().tables
        total, sums_by_place = {}, {}
        parts: dict[int, list[Any]] = {}
        for number, part in sums:
            parts.setdefault(number, []).append(part)
        for number, place in enumerate(self.places):
            total[place] = offsets.total.get(number, ClassMasses())
            keys = self.meter.keys(place, self.widths[number])
            none: Any = self.meter.sums(place, ScoreSlice.whole(nothing[place], keys))
            sums_by_place[place] = reduce(add, parts.get(number, []), none)
        return Metrics(judged, self.meter, total, sums_by_place)
