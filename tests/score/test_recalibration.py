"""Recalibration: against its definitions, and against scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from literal_recalibration import cross_entropy, isotonic

from j48geo.arrays import Floats
from j48geo.errors import MismatchError, UnknownNameError
from j48geo.score.recalibration import (
    fit_recalibration,
    isotonic_map,
    platt_map,
    recalibrate,
)

SHARES = st.sampled_from((0.0, 0.1, 0.25, 0.5, 0.9, 1.0)) | st.floats(0, 1)
CASES = st.lists(
    st.tuples(SHARES, st.sampled_from((0.0, 1.0)), st.sampled_from((1.0, 1.0, 0.5, 3.0))),
    min_size=1,
    max_size=12,
)


def arrays(cases: list[tuple[float, float, float]]) -> tuple[Floats, Floats, Floats]:
    p, hit, weight = np.array(cases).T
    return p, hit, weight


def random_cases(seed: int, n: int = 300) -> tuple[Floats, Floats, Floats]:
    rng = np.random.default_rng(seed)
    p = rng.beta(0.7, 0.7, n).round(2)
    hit = (rng.random(n) < 0.2 + 0.6 * p**2).astype(float)
    return p, hit, rng.choice([1.0, 2.0, 0.5], n)


@given(CASES)
def test_isotonic_is_the_growing_function_of_least_squares(
    cases: list[tuple[float, float, float]],
) -> None:
    p, hit, weight = arrays(cases)
    knots, values = isotonic_map(p, hit, weight)
    for x, expected in isotonic(p.tolist(), hit.tolist(), weight.tolist()):
        assert np.interp(x, knots, values) == pytest.approx(expected, abs=1e-15)
    assert (np.diff(knots) > 0).all()
    assert (np.diff(values) >= 0).all()


def test_isotonic_is_scikit_learns_between_and_beyond_the_cases() -> None:
    from sklearn.isotonic import IsotonicRegression

    at = np.linspace(0, 1, 501)
    for seed in range(5):
        p, hit, weight = random_cases(seed)
        theirs = IsotonicRegression(out_of_bounds="clip").fit(p, hit, weight).predict(at)
        n = weight.sum()
        found = np.interp(at, *isotonic_map(p, hit, weight))
        bounded = np.clip(theirs, 1 / (n + 2), (n + 1) / (n + 2))
        # scikit-learn draws its lines between values that were not kept off 0 and 1.
        np.testing.assert_allclose(found, bounded, rtol=0, atol=2 / n)
        inside = (theirs > 0.02) & (theirs < 0.98)
        np.testing.assert_allclose(found[inside], theirs[inside], rtol=0, atol=1 / n)


@settings(max_examples=40, deadline=None)
@given(CASES)
def test_no_other_sigmoid_is_nearer_to_platts_targets(
    cases: list[tuple[float, float, float]],
) -> None:
    p, hit, weight = arrays(cases)
    a, b = platt_map(p, hit, weight).tolist()
    assert a >= 0
    given = (p.tolist(), hit.tolist(), weight.tolist())
    best = cross_entropy(a, b, *given)
    for da in (-0.1, -1e-3, 0.0, 1e-3, 0.1):
        for db in (-0.1, -1e-3, 0.0, 1e-3, 0.1):
            if a + da >= 0:
                assert cross_entropy(a + da, b + db, *given) >= best - 1e-9


def test_platt_is_scikit_learns_sigmoid_over_the_log_odds() -> None:
    calibration = pytest.importorskip("sklearn.calibration")
    for seed in range(5):
        p, hit, weight = random_cases(seed)
        bounded = np.clip(p, 1e-6, 1 - 1e-6)
        z = np.log(bounded / (1 - bounded))
        theirs = calibration._SigmoidCalibration().fit(z, hit, weight).predict(z)
        two = np.stack([1 - p, p], axis=1)
        learnt = fit_recalibration("platt", two, hit.astype(np.intp), weight)
        np.testing.assert_allclose(recalibrate(learnt, two)[:, 1], theirs, rtol=0, atol=1e-4)


@given(CASES, st.sampled_from(("isotonic", "platt")))
def test_the_order_stays_and_nothing_is_certain(
    cases: list[tuple[float, float, float]], kind: str
) -> None:
    p, hit, weight = arrays(cases)
    two = np.stack([1 - p, p], axis=1)
    learnt = fit_recalibration(kind, two, hit.astype(np.intp), weight)
    at = np.linspace(0, 1, 21)
    found = recalibrate(learnt, np.stack([1 - at, at], axis=1))
    assert (np.diff(found[:, 1]) >= 0).all()
    assert ((found > 0) & (found < 1)).all()
    np.testing.assert_allclose(found.sum(axis=1), 1.0, rtol=0, atol=1e-12)


def test_of_two_classes_it_does_not_matter_which_is_first() -> None:
    p, hit, weight = random_cases(9)
    two = np.stack([1 - p, p], axis=1)
    actual = hit.astype(np.intp)
    for kind in ("isotonic", "platt"):
        one = recalibrate(fit_recalibration(kind, two, actual, weight), two)
        turned = fit_recalibration(kind, two[:, ::-1], 1 - actual, weight)
        np.testing.assert_allclose(
            recalibrate(turned, two[:, ::-1])[:, ::-1], one, rtol=0, atol=1e-9
        )


def test_more_classes_are_recalibrated_one_by_one_and_sum_to_one() -> None:
    rng = np.random.default_rng(3)
    p = rng.dirichlet((1, 1, 1), 400)
    actual = np.array([rng.choice(3, p=row**2 / (row**2).sum()) for row in p])
    for kind in ("isotonic", "platt"):
        learnt = fit_recalibration(kind, p, actual, np.ones(400))
        assert len(learnt.maps) == 3
        found = recalibrate(learnt, p)
        np.testing.assert_allclose(found.sum(axis=1), 1.0, rtol=0, atol=1e-12)
        fit = isotonic_map if kind == "isotonic" else platt_map
        for c in range(3):
            np.testing.assert_array_equal(
                learnt.maps[c], fit(p[:, c], (actual == c).astype(float), np.ones(400))
            )
        said = -np.log(np.maximum(p[np.arange(400), actual], 1e-6)).mean()
        meant = -np.log(found[np.arange(400), actual]).mean()
        assert meant < said


def test_without_cases_nothing_is_learnt() -> None:
    nothing = np.empty((0, 2))
    with pytest.raises(MismatchError, match="no cases to recalibrate by"):
        fit_recalibration("platt", nothing, np.empty(0, dtype=np.intp), np.empty(0))
    with pytest.raises(UnknownNameError, match="unknown recalibration 'odd'"):
        fit_recalibration("odd", np.ones((1, 2)) / 2, np.zeros(1, dtype=np.intp), np.ones(1))
