from __future__ import annotations

from random import Random

import numpy as np
import pytest
from sklearn.metrics import (
    f1_score,
    precision_score,
    recall_score,
    roc_auc_score,
)

from j48geo.decide.roc import curve, hand_till


def random_scores(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    n = int(random.integers(2, 60))
    scores = random.integers(0, int(random.choice([3, 10, 1000])), n) / 7
    actual = random.random(n) < random.uniform(0.1, 0.9)
    return scores, actual, random.choice([1.0, 0.5, 2.0, 3.0], n)


@pytest.mark.parametrize("seed", range(40))
def test_the_area_is_scikit_learns_with_ties_and_weights(seed: int) -> None:
    scores, actual, weights = random_scores(seed)
    found = curve(scores, actual, weights).auc
    if actual.all() or not actual.any():
        assert found is None
    else:
        assert found == pytest.approx(
            roc_auc_score(actual, scores, sample_weight=weights), abs=1e-12
        )


@pytest.mark.parametrize("seed", range(12))
def test_every_point_has_scikit_learns_precision_recall_and_f(seed: int) -> None:
    scores, actual, weights = random_scores(seed)
    if not actual.any():
        return
    found = curve(scores, actual, weights)
    assert np.isnan(found.precision[0])
    assert np.isnan(found.f_measure[0])
    for i in range(1, len(found.threshold)):
        called = scores >= found.threshold[i]
        given = {"sample_weight": weights, "zero_division": np.nan}
        assert found.precision[i] == pytest.approx(precision_score(actual, called, **given))
        assert found.tpr[i] == pytest.approx(recall_score(actual, called, **given))
        assert found.f_measure[i] == pytest.approx(f1_score(actual, called, **given))


def test_a_partial_area_is_the_integral_up_to_there() -> None:
    found = curve([4, 3, 2, 1], [True, False, True, False])
    assert found.auc == pytest.approx(0.75)
    assert found.partial_auc(0.5) == pytest.approx(0.25)
    assert found.partial_auc(0.25) == pytest.approx(0.125)
    tied = curve([1, 1, 1, 1], [True, False, True, False])
    assert tied.partial_auc(0.5) == pytest.approx(0.125)
    assert tied.partial_auc(0.0) == 0


def test_at_the_break_even_point_precision_is_recall() -> None:
    found = curve([4, 3, 2, 1], [True, False, True, False]).break_even
    assert found == (0.5, 0.5, 0.5)
    value = curve([2, 2, 2, 1], [True, True, False, False]).break_even
    assert value is not None
    assert value[0] == pytest.approx(2 / 3)
    assert value[1] == pytest.approx(1 / 3)
    assert curve([1, 2], [True, True]).break_even is None


def test_the_hull_has_no_point_above_it() -> None:
    random = Random(3)
    for _ in range(50):
        n = random.randint(2, 30)
        actual = [True, False, *(random.random() < 0.4 for _ in range(n - 2))]
        found = curve([random.randint(0, 9) for _ in range(n)], actual)
        corners = found.hull
        assert corners[0] == 0
        assert corners[-1] == len(found.threshold) - 1
        x, y = found.fpr, found.tpr
        on = np.interp(x, x[corners], y[corners])
        assert (y <= on + 1e-12).sum() >= len(y) - 1  # the vertical first edge
        slopes = np.diff(y[corners]) / np.maximum(np.diff(x[corners]), 1e-300)
        assert (np.diff(slopes) < 0).all()


@pytest.mark.parametrize("seed", range(10))
def test_m_is_scikit_learns_one_against_one_macro(seed: int) -> None:
    random = np.random.default_rng(seed)
    classes = int(random.integers(3, 6))
    actual = np.concatenate([np.arange(classes), random.integers(0, classes, 50)])
    leaves = random.dirichlet(np.ones(classes), 7)
    scores = leaves[random.integers(0, 7, len(actual))]
    wanted = roc_auc_score(actual, scores, multi_class="ovo", average="macro")
    assert hand_till(scores, actual) == pytest.approx(wanted, abs=1e-12)


def test_m_leaves_out_classes_without_a_case() -> None:
    scores = [[0.8, 0.1, 0.1], [0.2, 0.7, 0.1]]
    assert hand_till(scores, [0, 1]) == 1.0
    assert hand_till(scores, [0, 0]) is None


def test_infinite_scores_have_their_place_and_nan_has_none() -> None:
    assert curve([np.inf, 1.0], [True, False]).auc == 1.0
    with pytest.raises(ValueError, match="NaN"):
        curve([np.nan], [True])
