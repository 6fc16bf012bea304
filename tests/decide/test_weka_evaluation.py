"""The numbers of Weka's evaluation beside scikit-learn's, where both define the same."""

from __future__ import annotations

from math import isnan

import numpy as np
import pytest
from sklearn import metrics

from j48geo.decide.evaluation.weka_evaluation import EvaluatedRows, weka_evaluation


def random_rows(seed: int, classes: int = 3, n: int = 80) -> EvaluatedRows:
    rng = np.random.default_rng(seed)
    told = rng.integers(1, 6, (n, classes)).astype(float)  # many ties
    told /= told.sum(axis=1, keepdims=True)
    actual = rng.integers(0, classes, n).astype(float)
    prior = np.broadcast_to(np.full(classes, 1 / classes), told.shape)
    return EvaluatedRows(told, actual, rng.integers(1, 4, n).astype(float), prior)


@pytest.mark.parametrize("seed", range(5))
def test_the_numbers_are_scikit_learns(seed: int) -> None:
    rows = random_rows(seed)
    found = weka_evaluation(rows)
    actual, called = rows.actual.astype(int), rows.distribution.argmax(axis=1)
    weight = rows.weight
    assert found.known == weight.sum()
    assert found.correct / found.known == pytest.approx(
        metrics.accuracy_score(actual, called, sample_weight=weight)
    )
    assert found.kappa == pytest.approx(
        metrics.cohen_kappa_score(actual, called, sample_weight=weight)
    )
    for k, row in enumerate(found.classes):
        mine, score = actual == k, rows.distribution[:, k]
        assert row.roc_area == pytest.approx(
            metrics.roc_auc_score(mine, score, sample_weight=weight)
        )
        assert row.prc_area == pytest.approx(
            metrics.average_precision_score(mine, score, sample_weight=weight)
        )
        assert row.mcc == pytest.approx(
            metrics.matthews_corrcoef(mine, called == k, sample_weight=weight)
        )
        told = metrics.precision_recall_fscore_support(
            mine, called == k, average="binary", sample_weight=weight
        )
        assert (row.precision, row.recall, row.f_measure) == pytest.approx(told[:3])
    share = np.bincount(actual, weight) / weight.sum()
    assert found.average.roc_area == pytest.approx(
        sum(s * row.roc_area for s, row in zip(share, found.classes, strict=True))
    )


def test_errors_are_means_over_classes_and_relative_to_the_class_shares() -> None:
    told, prior = np.array([[0.8, 0.2], [0.4, 0.6]]), np.full((2, 2), 0.5)
    found = weka_evaluation(EvaluatedRows(told, np.array([0.0, 1.0]), np.array([1.0, 3.0]), prior))
    assert found.absolute == pytest.approx((0.2 + 3 * 0.4) / 4)
    assert found.squared == pytest.approx(((0.04 + 3 * 0.16) / 4) ** 0.5)
    assert found.relative_absolute == pytest.approx(100 * found.absolute / 0.5)
    assert found.relative_squared == pytest.approx(100 * found.squared / 0.5)


def test_a_row_without_a_class_counts_in_the_areas_alone() -> None:
    told = np.array([[0.9, 0.1], [0.2, 0.8], [0.5, 0.5]])
    actual = np.array([0.0, 1.0, np.nan])
    prior = np.full((3, 2), 0.5)
    found = weka_evaluation(EvaluatedRows(told, actual, np.ones(3), prior))
    assert (found.known, found.unknown, found.correct) == (2, 1, 2)
    assert found.classes[0].roc_area == 1.0
    last = weka_evaluation(EvaluatedRows(told, actual[[0, 2, 1]], np.ones(3), prior))
    assert last.classes[1].roc_area == 0.5  # the row without a class comes before the positive one


def test_what_is_nothing_by_nothing_is_left_open() -> None:
    told, prior = np.tile([1.0, 0.0], (3, 1)), np.full((3, 2), 0.5)
    found = weka_evaluation(EvaluatedRows(told, np.zeros(3), np.ones(3), prior))
    assert found.kappa == 1.0
    assert found.classes[0].precision == 1.0
    assert isnan(found.classes[0].fp_rate)
    assert isnan(found.classes[1].recall)
    nobody = weka_evaluation(EvaluatedRows(told * 0, np.zeros(3), np.ones(3), prior))
    assert (nobody.open, nobody.correct) == (3, 0)


def test_two_scores_of_no_weight_above_all_others_take_the_area_of_precision_away() -> None:
    told = np.array([[0.9, 0.1], [0.8, 0.2], [0.7, 0.3], [0.3, 0.7]])
    prior, actual = np.full((4, 2), 0.5), np.array([0.0, 0, 0, 1])
    found = weka_evaluation(EvaluatedRows(told, actual, np.array([0.0, 1, 1, 1]), prior))
    assert found.classes[0].prc_area == 1.0
    found = weka_evaluation(EvaluatedRows(told, actual, np.array([0.0, 0, 1, 1]), prior))
    assert isnan(found.classes[0].prc_area)
    assert (found.classes[0].roc_area, found.classes[1].prc_area) == (1.0, 1.0)
