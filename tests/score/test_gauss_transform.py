"""The fast Gauss transform equals the direct sum to 1e-12, wherever the targets are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from j48geo.score.kernel_sums import KernelSums, log_kernel_sums


def check(s: np.ndarray, w: np.ndarray, t: np.ndarray, b: float, most: int = 300) -> None:
    """Every target goes through the transform, `most` of them are compared."""
    fast = log_kernel_sums(s, w, t, b, method="fast")
    some = np.random.default_rng(1).permutation(len(t))[:most]
    direct = log_kernel_sums(s, w, t[some], b, method="direct")
    assert not np.isnan(fast).any()
    np.testing.assert_allclose(fast[some], direct, rtol=4e-15, atol=1e-12)


def scene(name: str, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    chance = np.random.default_rng(7)
    s, t = chance.normal(size=n), chance.normal(size=n)
    one = np.ones((n, 1))
    side = np.stack([s < 0, s >= 0], axis=1).astype(float)
    match name:
        case "as in the paper":
            return s, np.hstack([one, side]), t, 0.9
        case "classes apart":
            return s, side, t, 0.1
        case "classes far apart":
            return s, side, t, 0.004
        case "a column far from the others":
            s = np.where(s > 0, s, s - 40)
            return s, side, 30 * t, 1.0
        case "targets out of sight":
            return s, side, 1e5 * t, 0.3
        case "targets just out of sight":
            return s, side, 8 + 2 * np.abs(t), 0.2
        case "a wide range":
            return 1e6 * chance.random(n), side, 1e6 * chance.random(n), 1.0
        case "a middling range":
            return 1e3 * chance.random(n), side, 1e3 * chance.random(n), 1.0
        case "lumps and a gap":
            return np.where(s > 0, s, s + 1e3), side, 1e3 * chance.random(n), 0.3
        case "duplicates":
            return s.round(1), chance.random((n, 2)), t.round(2), 0.05
        case "equal sources":
            return np.full(n, 0.1), one, t, 0.2
        case "equal targets":
            return s, one, np.full(n, 0.1), 0.2
        case "a huge bandwidth":
            return s, side, t, 1e9
        case "a tiny bandwidth":
            return s, side, t, 1e-12
        case "an outlier":
            s[0], t[0] = 1e14, -1e13
            return s, one, t, 0.1
        case "far from zero":
            return s + 1e9, one, t + 1e9, 0.1
        case "weights of all sizes":
            return s, np.exp(30 * chance.normal(size=(n, 2))), t, 0.3
        case "light in front of heavy":
            light = np.exp(-20 * np.maximum(s, 0))
            return s, light[:, None], 2 + 2 * np.abs(t), 0.1
        case "few weights":
            few = (chance.random((n, 3)) < 0.003).astype(float)
            few[:, 2] = 0
            return s, few, t, 0.1
    raise AssertionError(name)


SCENES = (
    "as in the paper",
    "classes apart",
    "classes far apart",
    "a column far from the others",
    "targets out of sight",
    "targets just out of sight",
    "a wide range",
    "a middling range",
    "lumps and a gap",
    "duplicates",
    "equal sources",
    "equal targets",
    "a huge bandwidth",
    "a tiny bandwidth",
    "an outlier",
    "far from zero",
    "weights of all sizes",
    "light in front of heavy",
    "few weights",
)


@pytest.mark.parametrize("name", SCENES)
def test_fast_equals_direct(name: str) -> None:
    check(*scene(name, 6000))


@pytest.mark.parametrize("name", SCENES)
def test_a_sum_does_not_depend_on_the_other_targets(name: str) -> None:
    s, w, t, b = scene(name, 3000)
    sums = KernelSums(s, w, b, method="fast")
    whole = sums.logs(t)
    for size in (1, 7, 1000):
        parts = [sums.logs(t[k : k + size]) for k in range(0, min(len(t), 60 * size), size)]
        found = np.concatenate(parts)
        assert found.tobytes() == whole[: len(found)].tobytes()


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 2**32),
    st.integers(1, 400),
    st.integers(1, 400),
    st.floats(-4, 4),
    st.floats(-4, 6),
    st.booleans(),
)
def test_fast_equals_direct_at_all_scales(
    seed: int, n: int, m: int, narrow: float, wide: float, lumpy: bool
) -> None:
    chance = np.random.default_rng(seed)
    s, t = chance.normal(size=n), chance.normal(size=m) * 10**wide
    if lumpy:
        s += 10.0 ** chance.integers(0, 4, size=n)
    w = chance.random((n, 2)) * (chance.random((n, 2)) < 0.4)
    check(s, w, t, 10.0**narrow)
    sums = KernelSums(s, w, 10.0**narrow, method="fast")
    whole, half = sums.logs(t), m // 2
    assert np.concatenate([sums.logs(t[:half]), sums.logs(t[half:])]).tobytes() == whole.tobytes()


def test_auto_takes_the_fast_way_for_many_sources() -> None:
    chance = np.random.default_rng(2)
    s, t = chance.normal(size=4000), chance.normal(size=4000)
    fast = log_kernel_sums(s, np.ones((4000, 1)), t, 0.3, method="fast")
    np.testing.assert_array_equal(log_kernel_sums(s, np.ones((4000, 1)), t, 0.3), fast)


def test_the_mass_of_many_is_right() -> None:
    n = 200_000
    s = np.random.default_rng(4).random(n)
    b = 0.01
    t = np.linspace(-0.1, 1.1, n)
    log_sums = log_kernel_sums(s, np.ones((n, 1)), t, b, method="fast")[:, 0]
    outside = np.maximum(np.maximum(s.min() - t, t - s.max()), 0)
    density = np.exp(log_sums - (outside / b) ** 2 / 2) / (n * b * np.sqrt(2 * np.pi))
    # Inside, s* is so near that log K(s*) is below 1e-3.
    area = np.sum((density[1:] + density[:-1]) / 2 * np.diff(t))
    assert area == pytest.approx(1, abs=1e-3)
