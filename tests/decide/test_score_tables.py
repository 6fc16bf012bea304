"""Figures from slices of sorted cases: the same to the last bit for any cut between scores."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import add

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from j48geo.decide.evaluation.auc import count_pairs, partial_auc
from j48geo.decide.evaluation.metrics import ClassSums, Differences, RankSums
from j48geo.decide.evaluation.probability_metrics import BinSums, calibration_error
from j48geo.decide.evaluation.score_tables import (
    ClassMasses,
    PairSums,
    PlacementSpread,
    ScoreCounts,
    ScorePlacements,
    ScoreSlice,
)
from j48geo.decide.roc import hand_till

SCORES = st.sampled_from([0.0, 0.1, 0.25, 1 / 3, 0.5, 0.7, 1.0])
WEIGHTS = st.sampled_from([1.0, 1.0, 0.1, 1 / 3, 3.0, 1e-3, 7.0])
CASES = st.lists(st.tuples(SCORES, SCORES, st.integers(0, 2), WEIGHTS), max_size=60)
CUTS = st.lists(st.floats(0, 1), max_size=5)


def tables(cases: list[tuple[float, float, int, float]], positive: int | None = 1) -> ScoreCounts:
    columns = np.array(cases, dtype=float).reshape(-1, 4)
    label = columns[:, 2].astype(np.intp)
    if positive is not None:
        label = (label == positive).astype(np.intp)
    return ScoreCounts.of([columns[:, 0], columns[:, 1]], label, columns[:, 3])


def one_key(table: ScoreCounts, key: int) -> ScoreCounts:
    return ScoreCounts.of([table.keys[key]], table.label, table.weight, table.count)


def cut(table: ScoreCounts, cuts: list[float], keys: int) -> list[ScoreSlice]:
    """Slices between cuts of the first key, some of them empty; each knows what is above."""
    place = np.searchsorted(np.sort(np.array(cuts, dtype=float)), table.keys[0], "right")
    total, above, found = ClassMasses.of(table), ClassMasses(), []
    for k in range(len(cuts), -1, -1):
        some = place == k
        part = ScoreCounts(
            tuple(key[some] for key in table.keys),
            *(column[some] for column in (table.label, table.weight, table.count)),
        )
        found.append(ScoreSlice(part, above, total, keys))
        above = above + ClassMasses.of(part)
    assert above == total
    return found


def check(
    table: ScoreCounts, cuts: list[float], keys: int, ask: Callable[[ScoreSlice], object]
) -> None:
    """The sums of slices, in any order, are those of all cases."""
    whole = ask(ScoreSlice.whole(table, keys))
    parts = [ask(part) for part in cut(table, cuts, keys)]
    assert reduce(add, parts) == whole  # type: ignore[arg-type]
    assert reduce(add, parts[::-1]) == whole  # type: ignore[arg-type]


@given(CASES, CUTS)
def test_the_sums_of_a_ranking_do_not_depend_on_slices(cases: list, cuts: list[float]) -> None:
    table = tables(cases)
    check(one_key(table, 0), cuts, 1, lambda part: RankSums.of(part, 0.3))
    check(table, cuts, 2, lambda part: RankSums.of(part, 0.3))
    for by_mass in (False, True):
        check(one_key(table, 0), cuts, 1, lambda part, by=by_mass: BinSums.of(part, 4, by_mass=by))


@given(CASES, CUTS)
def test_differences_and_classes_do_not_depend_on_slices(cases: list, cuts: list[float]) -> None:
    table = tables(cases)
    whole = ScoreSlice.whole(one_key(table, 1))
    if {0, 1} <= set(table.label.tolist()):
        others = reduce(add, [ScorePlacements.of(part) for part in cut(whole.table, cuts, 1)])
        check(table, cuts, 1, lambda part: Differences.of(part, others))
        assert others.up.tobytes() == ScorePlacements.of(whole).up.tobytes()
    many = one_key(tables(cases, None), 0)
    check(many, cuts, 1, lambda part: ClassSums.of(part, 1))


@given(CASES)
def test_the_figures_are_those_of_single_cases(cases: list) -> None:
    table = one_key(tables(cases), 0)
    score, yes, mass = table.keys[0], table.label == 1, table.mass
    whole = ScoreSlice.whole(table)
    sums = RankSums.of(whole, 0.3)
    area, pairs = sums.area(whole.total), count_pairs(score, yes, mass)
    assert (area is None) == (pairs.auc is None)
    if area is not None:
        assert float(area) == pytest.approx(pairs.auc, rel=1e-12)
        assert sums.partial.result() == pytest.approx(partial_auc(score, yes, 0.3, mass), rel=1e-9)
        tied = sums.pairs.tied_share(whole.total[1], whole.total[0])
        assert tied == pytest.approx(pairs.tied_share, rel=1e-12)
    bins = BinSums.of(whole, 4, by_mass=False).error
    assert bins == pytest.approx(calibration_error(score, yes, mass, bins=4, by="width"), abs=1e-12)


@given(st.lists(st.tuples(SCORES, SCORES, st.integers(0, 2)), min_size=1, max_size=40))
def test_the_pairs_of_classes_are_those_of_hand_and_till(cases: list) -> None:
    first, second, label = (np.array(column) for column in zip(*cases, strict=True))
    scores = np.stack([first, second, 1 - first], axis=1)
    found = [ScoreCounts.of([column], label, np.ones(len(label))) for column in scores.T]
    present = sorted(set(label.tolist()))
    areas = [
        ClassSums.of(ScoreSlice.whole(found[c]), c).against(other, ClassMasses.of(found[c]))
        for c in present
        for other in present
        if c != other
    ]
    expected = hand_till(scores, label)
    assert (np.mean(areas) if areas else None) == (
        None if expected is None else pytest.approx(expected, rel=1e-12)
    )


@given(st.lists(st.floats(0, 1), min_size=2, max_size=30))
def test_a_variance_is_that_of_its_values(values: list[float]) -> None:
    x = np.array(values)
    spread = PlacementSpread.of(np.ones(len(x)), x)
    total = ClassMasses.of(ScoreCounts.of([x], np.ones(len(x), dtype=np.intp), np.ones(len(x))))
    mean = spread.first.exact / len(x)
    found = float(spread.variance(mean, total[1], len(x)))
    assert found == pytest.approx(np.var(x, ddof=1) / len(x), rel=1e-9, abs=1e-30)


def test_whole_weights_give_whole_pairs() -> None:
    table = ScoreCounts.of(
        [np.array([0.9, 0.4, 0.4, 0.1])], np.array([1, 1, 0, 0]), np.array([1.0, 2.0, 1.0, 3.0])
    )
    found = PairSums.of(ScoreSlice.whole(table), 1, 0)
    assert (found.won.result(), found.tied.result()) == (1 * 4 + 2 * 3, 2 * 1)
