"""Measures of scores and probabilities against plain loops and scikit-learn."""

from __future__ import annotations

from dataclasses import replace
from math import exp, inf, log, nan, sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_measures import delong_difference, delong_interval, tied_pairs
from sklearn.metrics import brier_score_loss, roc_auc_score
from sklearn.metrics import log_loss as sklearn_log_loss

from j48geo.decide.evaluation.auc import (
    ScorePairs,
    accuracy,
    auc,
    combine_scores,
    compute_proximity,
    count_pairs,
    partial_auc,
)
from j48geo.decide.evaluation.intervals import (
    bootstrap_interval,
)
from j48geo.decide.evaluation.probability_metrics import (
    calibration_error,
    largest_class,
    log_loss,
    mean_squared_error,
    reliability,
)
from j48geo.decide.roc import curve

SCORES = st.sampled_from([-inf, -1.5, -0.0, 0.0, 1e-300, 0.25, 0.5, 1.0, inf])
CASES = st.lists(
    st.tuples(SCORES, st.booleans(), st.sampled_from([0.0, 0.5, 1.0, 3.0])), max_size=25
)


def columns(cases: list[tuple[float, bool, float]]) -> tuple[list, list, list]:
    return [c[0] for c in cases], [c[1] for c in cases], [c[2] for c in cases]


# ------------------------------------------------------------------- definitions in loops


def literal_pairs(scores: list, positive: list, weights: list) -> tuple[float, float, float]:
    won = tied = total = 0.0
    for a, yes, v in zip(scores, positive, weights, strict=True):
        for b, also, w in zip(scores, positive, weights, strict=True):
            if yes and not also:
                won += v * w * (a > b)
                tied += v * w * (a == b)
                total += v * w
    return won, tied, total


def literal_delong(scores: list, positive: list) -> tuple[float, float]:
    """AUC and its variance, from all pairs."""
    up = [s for s, yes in zip(scores, positive, strict=True) if yes]
    down = [s for s, yes in zip(scores, positive, strict=True) if not yes]

    def psi(a: float, b: float) -> float:
        return 1.0 if a > b else 0.5 if a == b else 0.0

    area = sum(psi(a, b) for a in up for b in down) / (len(up) * len(down))
    of_up = [sum(psi(a, b) for b in down) / len(down) for a in up]
    of_down = [sum(psi(a, b) for a in up) / len(up) for b in down]
    s10 = sum((v - area) ** 2 for v in of_up) / (len(up) - 1)
    s01 = sum((v - area) ** 2 for v in of_down) / (len(down) - 1)
    return area, s10 / len(up) + s01 / len(down)


def literal_bins(p: list, positive: list, w: list, bins: int, by: str) -> list[int]:
    total = sum(w)
    places = []
    for x in p:
        if by == "width":
            places.append(min(int(bins * x), bins - 1))
        else:
            below = sum(v for y, v in zip(p, w, strict=True) if y < x)
            own = sum(v for y, v in zip(p, w, strict=True) if y == x)
            places.append(min(int(bins * ((below + own / 2) / total)), bins - 1))
    return places


def literal_calibration(p: list, positive: list, w: list, bins: int, by: str) -> float:
    places = literal_bins(p, positive, w, bins, by)
    error = 0.0
    for b in range(bins):
        mine = [i for i, place in enumerate(places) if place == b]
        weight = sum(w[i] for i in mine)
        if weight:
            share = sum(w[i] for i in mine if positive[i]) / weight
            promised = sum(w[i] * p[i] for i in mine) / weight
            error += weight * abs(share - promised)
    return error / sum(w)


# ----------------------------------------------------------------------------- pairs, AUC


@given(CASES)
def test_pairs_are_those_of_two_loops(cases: list[tuple[float, bool, float]]) -> None:
    scores, positive, weights = columns(cases)
    won, tied, total = literal_pairs(scores, positive, [1.0] * len(cases))
    found = count_pairs(scores, positive)
    assert (found.won, found.tied, found.total) == (won, tied, total)
    assert all(isinstance(x, int) for x in (found.won, found.tied, found.total))
    weighed = count_pairs(scores, positive, weights)
    # Halves and threes: the sums are exact.
    assert (weighed.won, weighed.tied, weighed.total) == literal_pairs(scores, positive, weights)


@given(CASES)
def test_the_area_is_scikit_learns_and_that_of_the_curve(
    cases: list[tuple[float, bool, float]],
) -> None:
    scores, positive, weights = columns(cases)
    finite = np.nan_to_num(np.array(scores), posinf=9.0, neginf=-9.0)
    used = np.array(weights)
    for w in (None, weights):
        found = auc(scores, positive, w)
        said = np.array(positive, dtype=bool) if w is None else np.array(positive)[used > 0]
        if len(said) == 0 or said.all() or not said.any():
            assert found is None
            assert tied_pairs(scores, positive, w) is None
            assert partial_auc(scores, positive, 0.1, w) is None
            continue
        assert found == pytest.approx(roc_auc_score(positive, finite, sample_weight=w), abs=1e-12)
        assert found == pytest.approx(curve(finite, positive, w).auc, abs=1e-12)
        for x in (0.0, 0.1, 0.5, 1.0):
            wanted = curve(finite, positive, w).partial_auc(x)
            assert partial_auc(scores, positive, x, w) == pytest.approx(wanted, abs=1e-12)


def test_a_score_against_its_negative_gives_one_together() -> None:
    random = np.random.default_rng(7)
    scores = random.integers(0, 200, 3000) / 7
    positive = random.random(3000) < 0.2
    up, down = count_pairs(scores, positive), count_pairs(-scores, positive)
    assert up.won + up.tied + down.won == up.total
    assert up.tied == down.tied
    assert up.auc is not None
    assert auc(scores, positive, np.full(3000, 2.0)) == pytest.approx(up.auc, abs=1e-14)


def test_equal_scores_win_half_and_are_counted_as_tied() -> None:
    assert count_pairs([1, 1, 1], [True, False, False]) == ScorePairs(0, 2, 2)
    assert auc([1, 1, 1], [True, False, False]) == 0.5
    assert tied_pairs([1, 1, 1], [True, False, False]) == 1.0
    assert tied_pairs([0.0, -0.0, 3.0], [True, False, False]) == 0.5
    assert auc([1.0, 2.0], [True, True]) is None


def test_what_is_no_score_or_weight_is_refused() -> None:
    with pytest.raises(ValueError, match="a score is NaN"):
        auc([1.0, np.nan], [True, False])
    with pytest.raises(ValueError, match="a weight is negative or not finite"):
        auc([1.0, 2.0], [True, False], [1.0, -1.0])


def test_a_partial_area_is_not_renormalised() -> None:
    perfect = partial_auc([2, 1], [True, False], 0.1)
    assert perfect == pytest.approx(0.1)
    assert partial_auc([1, 1], [True, False], 0.1) == pytest.approx(0.005)


@given(
    st.lists(
        st.tuples(st.sampled_from([0.25, 0.5, 0.75]), st.sampled_from([-1.0, 0.0, -0.0, 2.0])),
        max_size=20,
    )
)
def test_a_pair_of_scores_becomes_one_that_orders_alike(pairs: list[tuple[float, float]]) -> None:
    score, within = (np.array([p[k] for p in pairs], dtype=np.float64) for k in (0, 1))
    found = combine_scores(score, within)
    for a, x in zip(pairs, found, strict=True):
        for b, y in zip(pairs, found, strict=True):
            assert (a > b) == (x > y)
            assert (a == b) == (x == y)
    assert combine_scores(score, None) is score


# ------------------------------------------------------------------------------ intervals


@pytest.mark.parametrize("seed", range(20))
def test_delongs_variance_is_that_of_all_pairs(seed: int) -> None:
    random = np.random.default_rng(seed)
    n = int(random.integers(6, 50))
    scores = random.integers(0, int(random.choice([3, 10, 1000])), n) / 7
    positive = np.arange(n) < random.integers(2, n - 2)
    area, variance = literal_delong(scores.tolist(), positive.tolist())
    z = 1.959963984540054
    plain = delong_interval(scores, positive, scale="plain")
    logit = delong_interval(scores, positive)
    if not 0 < area < 1:
        assert plain is None
        assert logit is None
        return
    half = z * sqrt(variance)
    assert plain == pytest.approx((max(0.0, area - half), min(1.0, area + half)), abs=1e-12)
    ends = [log(area / (1 - area)) + sign * half / (area * (1 - area)) for sign in (-1, 1)]
    assert logit == pytest.approx([1 / (1 + exp(-x)) for x in ends], abs=1e-12)
    # Weights that are all alike tell nothing new.
    assert delong_interval(scores, positive, np.full(n, 3.0)) == pytest.approx(logit, abs=1e-12)


@pytest.mark.parametrize("seed", range(10))
def test_the_difference_of_two_areas_has_delongs_variance(seed: int) -> None:
    random = np.random.default_rng(seed)
    n = int(random.integers(8, 40))
    positive = np.arange(n) < random.integers(3, n - 3)
    one, other = random.integers(0, 9, n) + 2 * positive, random.integers(0, 4, n) + positive
    up = [i for i in range(n) if positive[i]]
    down = [j for j in range(n) if not positive[j]]

    def wins(s: np.ndarray, i: int, j: int) -> float:
        return 1.0 if s[i] > s[j] else 0.5 if s[i] == s[j] else 0.0

    more = {(i, j): wins(one, i, j) - wins(other, i, j) for i in up for j in down}
    wanted = sum(more.values()) / len(more)
    of_up = [sum(more[i, j] for j in down) / len(down) for i in up]
    of_down = [sum(more[i, j] for i in up) / len(up) for j in down]
    variance = 0.0
    for values in (of_up, of_down):
        spread = sum((v - wanted) ** 2 for v in values) / (len(values) - 1)
        variance += spread / len(values)
    reach = 1.959963984540054 * sqrt(variance)
    found = delong_difference(one, other, positive)
    assert found == pytest.approx((wanted, wanted - reach, wanted + reach), abs=1e-12)
    back = delong_difference(other, one, positive)
    assert back == pytest.approx((-wanted, -wanted - reach, -wanted + reach), abs=1e-12)
    assert delong_difference(one, one, positive) == (0.0, 0.0, 0.0)


def test_delong_and_the_bootstrap_agree_on_many_cases() -> None:
    random = np.random.default_rng(3)
    positive = np.arange(1500) < 500
    for weights in (None, random.choice([0.5, 1.0, 4.0], 1500)):
        for scores in (random.normal(size=1500) + positive, np.round(random.normal(size=1500), 0)):
            sure = delong_interval(scores, positive, weights)
            drawn = bootstrap_interval(scores, positive, weights, seed=1, replicates=2000)
            assert sure is not None
            assert drawn == pytest.approx(sure, abs=0.1 * (sure[1] - sure[0]))
            found = auc(scores, positive, weights)
            assert found is not None
            assert sure[0] < found < sure[1]


def test_the_seed_decides_what_the_bootstrap_draws() -> None:
    random = np.random.default_rng(5)
    scores, positive = random.normal(size=80), np.arange(80) < 30
    first = bootstrap_interval(scores, positive, seed=1, replicates=50)
    assert first == bootstrap_interval(scores, positive, seed=1, replicates=50)
    assert first != bootstrap_interval(scores, positive, seed=2, replicates=50)
    # The same cases are drawn for every score: a rising function changes nothing.
    assert first == bootstrap_interval(np.exp(scores), positive, seed=1, replicates=50)
    wide = bootstrap_interval(scores, positive, seed=1, replicates=50, level=0.99)
    assert first is not None
    assert wide is not None
    assert wide[0] <= first[0] < first[1] <= wide[1]


def weighed(interval: Any, scores: list[int]) -> Any:
    """The interval of cases of which the last one is of the second class and weighs nothing."""
    return interval(scores, [True, True, False, False, False], [1, 1, 1, 1, 1e-17])


def test_no_interval_where_nothing_tells_how_far_it_goes() -> None:
    apart = [True, True, False, False]
    assert delong_difference([3, 4, 1, 2], [1, 1, 1, 1], apart) is None  # surely better, by luck
    assert delong_difference([3, 1], [1, 2], [True, False]) is None
    for interval in (
        delong_interval,
        lambda s, y, w=None: bootstrap_interval(s, y, w, seed=0, replicates=9),
    ):
        assert interval([1, 2, 3], [True, False, False]) is None  # one positive case
        assert interval([3, 4, 1, 2], [True, True, False, False]) is None  # AUC 1
        assert interval([1, 2, 3, 4], [True, True, False, False]) is None  # AUC 0
        # One lost pair, too light to be told from none.
        for scores in ([3, 4, 1, 2, 5], [3, 4, 5, 6, 1]):
            assert weighed(interval, scores) is None
        # A score that says nothing says so of all cases.
        assert interval([1, 1, 1, 1], [True, True, False, False]) == (0.5, 0.5)


def test_intervals_on_the_logit_scale_keep_their_level() -> None:
    random = np.random.default_rng(11)
    positive = np.arange(60) < 20
    held = {"logit": 0, "plain": 0}
    for _ in range(400):
        scores = random.normal(size=60) + 1.8123876 * positive  # AUC 0.9
        for scale in ("logit", "plain"):
            found = delong_interval(scores, positive, scale=scale)
            assert found is not None
            held[scale] += found[0] <= 0.9 <= found[1]
    assert held["logit"] >= 370
    assert held["plain"] < held["logit"]


# -------------------------------------------------------------------------- probabilities


@pytest.mark.parametrize("seed", range(12))
def test_losses_are_scikit_learns(seed: int) -> None:
    random = np.random.default_rng(seed)
    n, classes = int(random.integers(3, 60)), int(random.integers(2, 5))
    p = random.dirichlet(np.ones(classes), n)
    actual = random.integers(0, classes, n)
    weights = random.choice([0.5, 1.0, 2.0], n)
    for w in (None, weights):
        found = log_loss(p, actual, w)
        wanted = sklearn_log_loss(actual, p, sample_weight=w, labels=range(classes))
        assert found.value == pytest.approx(wanted, abs=1e-12)
        assert found.impossible == 0
        squared = mean_squared_error(p, actual, w)
        each = [
            brier_score_loss(actual == c, p[:, c], sample_weight=w, pos_label=True)
            for c in range(classes)
            if 0 < (actual == c).sum() < n
        ]
        rest = [
            float(np.average(((actual == c) - p[:, c]) ** 2, weights=w))
            for c in range(classes)
            if not 0 < (actual == c).sum() < n
        ]
        assert squared == pytest.approx(sum(each) + sum(rest), abs=1e-12)
        assert accuracy(p.argmax(axis=1), actual, w) == pytest.approx(
            float(np.average(p.argmax(axis=1) == actual, weights=w)), abs=1e-12
        )


def test_what_was_impossible_makes_the_log_loss_infinite_and_is_counted() -> None:
    p = [[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]]
    found = log_loss(p, [1, 0, 1])
    assert (found.value, found.impossible) == (inf, 1)
    assert found.finite == pytest.approx(log(2) / 2)
    # A case without weight cannot spoil it.
    spared = log_loss(p, [1, 0, 1], [0.0, 1.0, 1.0])
    assert (spared.value, spared.impossible) == (pytest.approx(log(2) / 2), 0)
    assert log_loss([[0.0, 1.0]], [0]).finite is None
    assert str(log_loss([[1.0, 0.0]], [0]).value) == "0.0"


@given(
    st.lists(
        st.tuples(
            st.sampled_from([0.0, 0.05, 0.1, 0.25, 0.3, 0.5, 0.75, 1.0]),
            st.booleans(),
            st.sampled_from([0.5, 1.0, 3.0]),
        ),
        min_size=1,
        max_size=40,
    ),
    st.sampled_from([1, 2, 4, 10]),
    st.sampled_from(["mass", "width"]),
)
def test_the_calibration_error_is_that_of_its_bins(
    cases: list[tuple[float, bool, float]], bins: int, by: str
) -> None:
    p, positive, w = columns(cases)
    found = calibration_error(p, positive, w, bins=bins, by=by)
    assert found == pytest.approx(literal_calibration(p, positive, w, bins, by), abs=1e-12)
    shown = reliability(p, positive, w, bins=bins, by=by)
    assert len(shown.weight) == len(set(literal_bins(p, positive, w, bins, by)))
    assert shown.weight.sum() == pytest.approx(sum(w))
    assert (np.diff(shown.promised) > 0).all()
    backwards = calibration_error(p[::-1], positive[::-1], w[::-1], bins=bins, by=by)
    assert found == pytest.approx(backwards, abs=1e-12)


def test_a_calibrated_forecast_has_no_calibration_error() -> None:
    p = np.repeat([0.25, 0.75], 4)
    came = np.array([1, 0, 0, 0, 1, 1, 1, 0], dtype=bool)
    assert calibration_error(p, came) == 0.0
    assert calibration_error(p, came, by="width") == 0.0
    # In one wide bin too much and too little cancel; bins of equal weight part them.
    p = np.repeat([0.91, 0.99], 50)
    came = np.concatenate([np.arange(50) < 49, np.arange(50) < 46])
    assert calibration_error(p, came, by="width") == pytest.approx(0.0, abs=1e-12)
    assert calibration_error(p, came, bins=2) == pytest.approx(0.07)


def test_the_largest_class_is_the_first_of_equals() -> None:
    third = 1 / 3
    p = [[0.5, 0.5, 0.0], [0.2, 0.3, 0.5], [third, third + 1e-16, third]]
    assert largest_class(p).tolist() == [0, 2, 0]


def test_without_cases_nothing_is_defined() -> None:
    nothing = np.empty((0, 2))
    assert mean_squared_error(nothing, []) is None
    assert log_loss(nothing, []).value is None
    assert calibration_error([], []) is None
    assert accuracy([], []) is None
    assert count_pairs([], []) == ScorePairs(0, 0, 0)
    assert accuracy([1], [1], [0.0]) is None


# --------------------------------------------------------------------------------- lambda


@given(
    st.lists(st.tuples(st.sampled_from([0.0, 0.125, 0.5, 1.0, 4.0]), st.booleans()), max_size=20)
)
def test_lambda_is_equation_6(cases: list[tuple[float, bool]]) -> None:
    hit = [d for d, right in cases if right]
    error = [d for d, right in cases if not right]
    found = compute_proximity([d for d, _ in cases], [right for _, right in cases])
    assert (found.hits, found.errors) == (len(hit), len(error))
    assert found.hit_distance == (pytest.approx(sum(hit) / len(hit)) if hit else None)
    assert found.error_distance == (pytest.approx(sum(error) / len(error)) if error else None)
    if len(hit) < 2 or len(error) < 2:
        assert found.value is None
        return
    squared = 0.0
    for values in (hit, error):
        mean = sum(values) / len(values)
        deviation = sqrt(sum((d - mean) ** 2 for d in values) / (len(values) - 1))
        squared += (deviation / sqrt(len(values))) ** 2
    if squared == 0:
        assert found.value is None
    else:
        wanted = (sum(hit) / len(hit) - sum(error) / len(error)) / sqrt(squared)
        assert found.value == pytest.approx(wanted, abs=1e-9)


def test_lambda_is_not_defined_without_a_boundary() -> None:
    found = compute_proximity([inf] * 6, [True, True, True, False, False, False])
    assert found.value is None
    assert (found.hits, found.errors, found.hit_distance) == (0, 0, None)
    assert (found.infinite, found.zeros, found.zero_share) == (6, 0, None)
    assert found.has_boundary
    assert not compute_proximity([inf], [True], has_boundary=False).has_boundary


def test_lambda_leaves_out_infinite_distances_and_counts_zeros() -> None:
    d, right = [3.0, 5.0, 0.0, 1.0, 2.0, 0.0], [True, True, True, False, False, False]
    found = compute_proximity(d, right)
    assert (found.zeros, found.measured, found.zero_share) == (2, 6, 2 / 6)
    more = compute_proximity([inf, *d, inf], [True, *right, False])
    assert more == replace(found, infinite=2)


@pytest.mark.filterwarnings("error")
def test_lambda_of_huge_distances_is_that_of_small_ones() -> None:
    d, right = np.array([3.0, 5.0, 1.0, 2.0]), [True, True, False, False]
    found = compute_proximity(np.ldexp(d, 1020), right)
    assert found.value == compute_proximity(d, right).value
    assert found.hit_distance == 4 * 2.0**1020


def test_a_score_that_is_not_known_comes_last() -> None:
    assert combine_scores(np.array([0.5, nan, -inf, nan]), None).tolist() == [-1, -3, -2, -3]
