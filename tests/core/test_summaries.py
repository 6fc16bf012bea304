"""Summaries: exact, and the same for any cut of the rows and any order of adding."""

from __future__ import annotations

import pickle
from fractions import Fraction
from functools import reduce
from math import fsum, inf, nan, sqrt
from operator import add

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from j48geo.core.summaries import ExactSum, Moments, add_sums, exact_sums, running_sums

finite = st.floats(allow_nan=False, allow_infinity=False)
numbers = st.lists(finite | st.sampled_from([0.1, -0.0, 5e-324, 1.7e308, -1.7e308, 2.0**-1022]))


def cut(values: list[float], places: list[int]) -> list[np.ndarray]:
    """Parts of the values, some of them empty."""
    ends = sorted(min(p, len(values)) for p in places)
    return [np.array(part) for part in np.split(np.array(values, dtype=float), ends)]


@given(numbers)
def test_a_sum_is_the_double_nearest_to_the_true_one(values: list[float]) -> None:
    try:
        expected = fsum(values)
    except OverflowError:
        total = sum(map(Fraction, values))
        expected = inf if total > 0 else -inf
        if abs(total) < Fraction(2) ** 1024 - Fraction(2) ** 970:
            expected = float(total)
    assert ExactSum.of(values).result() == expected


@given(numbers, st.lists(st.integers(0, 30), max_size=6), st.randoms())
def test_sums_and_moments_are_the_same_for_any_cut_and_any_order(
    values: list[float], places: list[int], random: object
) -> None:
    parts = cut(values, places)
    random.shuffle(parts)  # type: ignore[attr-defined]
    whole = np.array(values, dtype=float)
    assert reduce(add, map(ExactSum.of, parts), ExactSum()) == ExactSum.of(whole)
    assert reduce(add, map(Moments.of, parts), Moments()) == Moments.of(whole)


@given(numbers)
def test_moments_are_those_of_fractions(values: list[float]) -> None:
    found, exact = Moments.of(np.array(values, dtype=float)), [Fraction(v) for v in values]
    assert Fraction(found.total.units, 2**2148) == sum(exact)
    assert Fraction(found.squares.units, 2**2148) == sum(v * v for v in exact)
    assert (found.count, found.infinite) == (len(values), 0)
    if len(values) > 1 and max(map(abs, values)) < 1e150:
        mean = sum(exact) / len(exact)
        variance = sum((v - mean) ** 2 for v in exact) / (len(exact) - 1)
        assert found.mean == float(mean)
        if float(variance) > 1e-290:
            assert found.deviation == pytest.approx(sqrt(variance), rel=4e-16)


@pytest.mark.parametrize("size", [1e-300, 1.0, 1e300])
def test_a_deviation_is_right_at_any_size(size: float) -> None:
    assert Moments.of(np.array([1.0, 2.0, 3.0]) * size).deviation == pytest.approx(size, rel=1e-15)


def test_not_a_bit_of_a_full_chunk_is_lost() -> None:
    values = 1.0 + np.random.default_rng(5).random(1 << 13)
    assert ExactSum.of(values) == reduce(add, [ExactSum.of([x]) for x in values.tolist()])
    assert Moments.of(values).total == ExactSum.of(values)
    assert Fraction(ExactSum.of(values).units, 1 << 2148) == sum(map(Fraction, values.tolist()))


def test_a_chunk_more_makes_no_difference() -> None:
    x = np.random.default_rng(0).normal(size=50_000) * 1e3
    assert ExactSum.of(x).result() == fsum(x)
    assert Moments.of(x).total == ExactSum.of(x)
    assert Moments.of(x) == Moments.of(x[::-1])
    assert Moments.of(x).deviation == pytest.approx(np.std(x, ddof=1), rel=1e-13)


@given(st.lists(st.tuples(st.integers(0, 3), finite)))
def test_sums_at_places_are_the_sums_of_each_place(cases: list[tuple[int, float]]) -> None:
    place = np.array([p for p, _ in cases], dtype=np.intp)
    values = np.array([v for _, v in cases], dtype=float)
    expected = {k: ExactSum.of(values[place == k]) for k in set(place.tolist())}
    assert exact_sums(values, place) == expected
    half = len(cases) // 2
    parts = [exact_sums(values[s], place[s]) for s in (slice(half, None), slice(half))]
    assert add_sums(*parts) == expected


@given(st.lists(st.tuples(finite, st.floats(0, 1e308)) | st.tuples(finite, st.just(1.0))))
def test_a_weighed_sum_is_that_of_fractions(cases: list[tuple[float, float]]) -> None:
    x, w = (np.array([case[k] for case in cases], dtype=float) for k in (0, 1))
    expected = sum((Fraction(a) * Fraction(b) for a, b in cases), Fraction(0))
    assert Fraction(ExactSum.dot(x, w).units, 2**2148) == expected
    total = sum(map(Fraction, w.tolist()), Fraction(0))
    mean = ExactSum.dot(x, w).over(ExactSum.of(w))
    assert mean == (float(expected / total) if total else None)


def test_what_is_not_known_or_not_finite_has_its_place() -> None:
    found = Moments.of(np.array([1.0, nan, inf, 3.0]))
    assert (found.count, found.infinite, found.low, found.high) == (3, 1, 1.0, inf)
    assert np.isnan(found.mean)
    assert np.isnan(found.deviation)
    assert np.isnan(Moments().mean)
    for bad in (nan, inf):
        with pytest.raises(ValueError, match="not finite"):
            ExactSum.of([bad])
        with pytest.raises(ValueError, match="not finite"):
            exact_sums(np.array([bad]), np.array([0]))


def test_a_summary_travels() -> None:
    found = Moments.of(np.array([0.1, 0.2]))
    assert pickle.loads(pickle.dumps(found)) == found
    assert len(pickle.dumps(found)) < 1500


@given(numbers, st.integers(0, 30), st.lists(finite, max_size=3))
def test_running_sums_are_rounded_once_and_go_on_from_any_place(
    values: list[float], place: int, before: list[float]
) -> None:
    x, start = np.array(values, dtype=float), ExactSum.of(before)
    found = running_sums(x, start)
    expected = [(start + ExactSum.of(values[: k + 1])).result() for k in range(len(values))]
    assert found.tolist() == expected
    first, second = x[:place], x[place:]
    parts = [running_sums(first, start), running_sums(second, start + ExactSum.of(first))]
    assert np.concatenate(parts).tobytes() == found.tobytes()


def test_running_sums_of_whole_numbers_are_quick_and_the_same() -> None:
    x = np.random.default_rng(1).integers(0, 9, 1000).astype(float)
    assert running_sums(x, ExactSum.of([2.0])).tolist() == (2 + np.cumsum(x)).tolist()
