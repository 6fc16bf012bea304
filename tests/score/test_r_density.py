"""R's density() against plain loops, and against numbers that R printed."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from literal_kernels import literal_r_density

from j48geo.score.kernel_sums import log_kernel_sums, r_density

PRINTED = Path(__file__).resolve().parents[2] / "fixtures" / "r_density.json"


@pytest.mark.parametrize("n", [512, 100, 600])
@pytest.mark.parametrize("count", [1, 2, 40])
def test_it_is_what_r_documents(n: int, count: int) -> None:
    chance = np.random.default_rng(count)
    s, w = chance.normal(size=count).round(2), chance.random(count)
    w[1:] *= chance.random(count - 1) < 0.7
    t = np.linspace(-6, 6, 50)
    for b in (0.05, 0.5, 3.0):
        expected = literal_r_density(s.tolist(), w.tolist(), b, t.tolist(), n=n)
        found = r_density(s, w, b, t, n=n)
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12 * max(expected))


@pytest.mark.parametrize("case", json.loads(PRINTED.read_text()), ids=lambda case: case["name"])
def test_it_is_what_r_printed(case: dict) -> None:
    found = r_density(case["sources"], case["weights"], case["bandwidth"], case["targets"])
    # R prints 15 digits, and a density of some 1e-17 of the maximum is rounding of the FFT.
    np.testing.assert_allclose(found, case["density"], rtol=0, atol=1e-13 * max(case["density"]))


def test_the_ends_of_the_grid_are_3_bandwidths_out() -> None:
    s, one = np.array([-1.0, 2.0]), np.ones(2)
    inside = r_density(s, one, 0.5, np.array([-2.5, 3.5]))
    outside = r_density(s, one, 0.5, np.array([-2.5001, 3.5001, 1e300, -np.inf]))
    assert (inside > 0).all()
    assert outside.tolist() == [0.0] * 4
    wider = r_density(s, one, 0.5, np.array([-2.9, 3.9]), cut=4.0)
    assert (wider > 0).all()


def test_the_grid_is_close_to_the_exact_sum_but_not_equal() -> None:
    chance = np.random.default_rng(1)
    s, w = chance.normal(size=1000), np.ones(1000)
    b = 0.1 * np.ptp(s)
    exact = np.exp(log_kernel_sums(s, w[:, None], s, b)[:, 0]) / (1000 * b * np.sqrt(2 * np.pi))
    error = np.abs(r_density(s, w, b, s) - exact).max() / exact.max()
    assert 1e-6 < error < 0.01


def test_weights_are_shares() -> None:
    s, w, t = np.array([0.0, 1.0, 4.0]), np.array([1.0, 2.0, 5.0]), np.linspace(-1, 5, 9)
    np.testing.assert_allclose(r_density(s, w, 1.0, t), r_density(s, 8 * w, 1.0, t), rtol=1e-14)


def test_nothing_has_density_0() -> None:
    assert r_density(np.empty(0), np.empty(0), 1.0, np.zeros(2)).tolist() == [0.0, 0.0]
    assert r_density(np.zeros(1), np.zeros(1), 1.0, np.zeros(2)).tolist() == [0.0, 0.0]
    assert r_density(np.zeros(1), np.ones(1), 1.0, np.empty(0)).tolist() == []


@pytest.mark.parametrize("bandwidth", [0.0, -1.0, np.nan, np.inf])
def test_a_bandwidth_is_positive(bandwidth: float) -> None:
    with pytest.raises(ValueError, match="bandwidth"):
        r_density(np.zeros(1), np.ones(1), bandwidth, np.zeros(1))


def test_weights_and_sources_are_numbers() -> None:
    with pytest.raises(ValueError, match="finite"):
        r_density(np.zeros(1), -np.ones(1), 1.0, np.zeros(1))
    with pytest.raises(ValueError, match="finite"):
        r_density(np.full(1, np.nan), np.ones(1), 1.0, np.zeros(1))
