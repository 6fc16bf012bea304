"""Kernel sums against their definition in exact fractions."""

from __future__ import annotations

from fractions import Fraction
from math import inf, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from literal_kernels import literal_box, literal_gauss

from j48geo.score.gauss_transform import log_ratio, nearest_index
from j48geo.score.kernel_sums import log_kernel_sums

METHODS = ("direct", "fast", "auto")


def same(found: np.ndarray, expected: list[list[float]]) -> None:
    """Equal to 1e-12, or to the last digits where the logarithm is large."""
    wanted = np.array(expected).reshape(found.shape)
    assert not np.isnan(found).any()
    np.testing.assert_array_equal(np.isneginf(found), np.isneginf(wanted))
    np.testing.assert_allclose(found, wanted, rtol=4e-15, atol=1e-12)


def check(s: list[float], w: list[list[float]], t: list[float], b: float) -> None:
    arrays = np.array(s), np.array(w).reshape(len(s), -1), np.array(t)
    for method in METHODS:
        same(log_kernel_sums(*arrays, b, method=method), literal_gauss(s, w, t, b))
    same(log_kernel_sums(*arrays, b, kernel="box"), literal_box(s, w, t, b))


places = st.one_of(
    st.integers(-5, 5).map(float),
    st.floats(-3, 3),
    st.floats(-1e6, 1e6),
    st.floats(-1e300, 1e300),
)
weight = st.one_of(st.just(0.0), st.just(1.0), st.floats(1e-3, 1e3), st.floats(1e-300, 1e300))
bandwidths = st.one_of(st.just(1.0), st.floats(1e-3, 1e3), st.floats(1e-300, 1e300))


@settings(max_examples=150)
@given(st.data())
def test_every_method_is_the_definition(data: st.DataObject) -> None:
    columns = data.draw(st.integers(1, 3))
    rows = st.tuples(places, st.lists(weight, min_size=columns, max_size=columns))
    sample = data.draw(st.lists(rows, min_size=1, max_size=12))
    targets = data.draw(st.lists(places, max_size=6))
    check([s for s, _ in sample], [w for _, w in sample], targets, data.draw(bandwidths))


@pytest.mark.parametrize("method", METHODS)
def test_no_sources_or_no_targets_or_no_weight(method) -> None:
    none, one = np.empty(0), np.array([3.0])
    assert log_kernel_sums(none, np.empty((0, 2)), one, 1.0, method=method).tolist() == [[-inf] * 2]
    assert log_kernel_sums(one, np.ones((1, 2)), none, 1.0, method=method).shape == (0, 2)
    assert log_kernel_sums(one, np.ones((1, 0)), one, 1.0, method=method).shape == (1, 0)
    assert log_kernel_sums(one, np.zeros((1, 1)), one, 1.0, method=method).tolist() == [[-inf]]
    box = log_kernel_sums(one, np.zeros((1, 1)), one, 1.0, kernel="box")
    assert box.tolist() == [[-inf]]


@pytest.mark.parametrize("method", METHODS)
def test_far_away_the_nearest_decides_and_nothing_is_lost(method) -> None:
    s, w = np.array([0.0, 1.0, 1.0, 2.0]), np.array([[1, 0], [1, 1], [0, 2], [0, 0]], dtype=float)
    found = log_kernel_sums(s, w, np.array([1e9, -1e9]), 1e-3, method=method)
    assert found[0].tolist() == pytest.approx([0.0, log(3)], abs=1e-15)
    # The second column is 1 further away: (d² - d*²) / 2b² with d* = 1e9.
    assert found[1].tolist() == pytest.approx([0.0, log(3) - (2e9 + 1) / 2e-6], rel=1e-15)


@pytest.mark.parametrize("method", METHODS)
def test_half_way_between_two_far_sources_both_count(method) -> None:
    s, w = np.array([0.1, 2e6 + 0.3]), np.eye(2)
    t = np.array([1e6 + 0.2, 1e6 + 0.2 + 1e-9, 1e6, 3e5])
    same(
        log_kernel_sums(s, w, t, 1.0, method=method),
        literal_gauss(s.tolist(), w.tolist(), t.tolist(), 1.0),
    )


def test_a_source_without_weight_is_not_the_nearest() -> None:
    s, w = np.array([0.0, 5.0]), np.array([[1.0], [0.0]])
    assert log_kernel_sums(s, w, np.array([5.0]), 1.0).tolist() == [[0.0]]


@pytest.mark.parametrize("method", METHODS)
def test_order_and_splitting_of_sources_do_not_matter(method) -> None:
    chance = np.random.default_rng(3)
    s, w, t = chance.normal(size=300).round(1), chance.random((300, 2)), chance.normal(size=200)
    once = log_kernel_sums(s, w, t, 0.3, method=method)
    mixed = chance.permutation(300)
    np.testing.assert_allclose(
        log_kernel_sums(s[mixed], w[mixed], t, 0.3, method=method), once, rtol=0, atol=1e-13
    )
    twice = log_kernel_sums(np.tile(s, 2), np.tile(w, (2, 1)) / 2, t, 0.3, method=method)
    np.testing.assert_allclose(twice, once, rtol=0, atol=1e-13)


def test_the_box_has_exact_borders() -> None:
    # 0.15 + 0.05 and 0.15 - 0.05 are rounded, the sources beside them are not taken by mistake
    for centre in (0.15, 0.3, 1.1, 1e6 + 0.1):
        for width in (0.1, 0.2, 0.7):
            edges = [centre - width / 2, centre + width / 2]
            s = [np.nextafter(e, e + side).item() for e in edges for side in (-1, 0, 1)]
            found = log_kernel_sums(
                np.array(s), np.ones((6, 1)), np.array([centre]), width, kernel="box"
            )
            # One source more or less changes the logarithm by 0.18; NumPy's and Python's logarithms
            # of 3 differ in the last bit with NumPy 1.26.
            (expected,) = literal_box(s, [[1.0]] * 6, [centre], width)
            assert found[0].tolist() == pytest.approx(expected, abs=1e-15)


def test_a_light_window_of_the_box_is_exact_among_heavy_ones() -> None:
    s = np.arange(10.0)
    w = np.where(s == 5, 1e-17, 0.1)[:, None]
    found = log_kernel_sums(s, w, np.array([5.0]), 1.0, kernel="box")
    assert found[0, 0] == pytest.approx(log(1e-17), abs=1e-12)


@given(st.lists(places, min_size=1, max_size=8), places)
def test_the_nearest_source_is_exactly_the_nearest(s: list[float], t: float) -> None:
    rising = np.sort(np.array(s))
    found = rising[nearest_index(rising, np.array([t]))[0]]
    assert abs(Fraction(found) - Fraction(t)) == min(abs(Fraction(x) - Fraction(t)) for x in s)


def test_the_ratio_of_kernels_far_beyond_is_not_nan() -> None:
    far = np.array([-1e299, 0.0, 1e299])
    assert not np.isnan(log_ratio(far[:, None], far, np.array([1e299]), 1e-300)).any()


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"bandwidth": 0.0}, "bandwidth"),
        ({"bandwidth": np.nan}, "bandwidth"),
        ({"bandwidth": np.inf}, "bandwidth"),
        ({"weights": np.array([[-1.0]])}, "weights"),
        ({"weights": np.array([1.0])}, "row"),
        ({"targets": np.array([np.nan])}, "finite"),
        ({"sources": np.array([np.inf])}, "finite"),
        ({"kernel": "cosine"}, "kernel"),
        ({"method": "guess"}, "method"),
    ],
)
def test_what_makes_no_sense_is_refused(change, text) -> None:
    one = np.ones(1)
    given = {"sources": one, "weights": np.ones((1, 1)), "targets": one, "bandwidth": 1.0}
    with pytest.raises(ValueError, match=text):
        log_kernel_sums(**(given | change))
