"""Cases asked block by block, and the rows that come of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from j48geo.core.counts import counts_from_data
from j48geo.core.dataset import Dataset
from j48geo.data.arff.stream import read_arff
from j48geo.decide.evaluation.evaluation import MetricOptions, evaluate_cases
from j48geo.decide.evaluation.scored_cases import ScoredCases, score_cases
from j48geo.errors import UnknownNameError
from j48geo.geometry.metric import fit_metric
from j48geo.read.readers import read_tree
from j48geo.score.probabilities import ProbabilityModel, fit_probabilities
from j48geo.score.setting import Setting

METHODS = ("raw", "global", "gdk", "local", "laplace")


def fitted(folder: Path) -> tuple[ProbabilityModel, Dataset]:
    rows = read_arff(folder / "data.arff")
    tree = read_tree(folder / "model.txt", header=rows.header)
    counts = counts_from_data(tree, rows.X, rows.class_values, rows.weights)
    metric = fit_metric(tree, "standard", rows.X)
    setting = Setting(tree, counts, metric, positive=1, training=rows)
    return fit_probabilities(setting, methods=("raw", "gdk", "laplace")), rows


def judged(model: ProbabilityModel, rows: Dataset, step: int) -> ScoredCases:
    blocks = (
        replace(rows, X=rows.X[i : i + step], weights=rows.weights[i : i + step])
        for i in range(0, len(rows), step)
    )
    return score_cases(model.setting, model, blocks, METHODS)


def test_the_size_of_the_blocks_does_not_matter(fixtures_dir: Path) -> None:
    model, rows = fitted(fixtures_dir / "pima")
    whole, parts = judged(model, rows, 1000), judged(model, rows, 37)
    assert tuple(method.method for method in whole.methods) == METHODS
    for one, other in zip(whole.methods, parts.methods, strict=True):
        assert np.array_equal(one.score, other.score)
        assert (one.distribution is None) == (one.method in ("global", "local"))
    assert evaluate_cases(whole) == evaluate_cases(parts)


def test_rows_without_a_class_are_left_out_and_none_may_be_left(fixtures_dir: Path) -> None:
    model, rows = fitted(fixtures_dir / "iris")
    X = rows.X.copy()
    X[:120, -1] = np.nan
    some = judged(model, replace(rows, X=X), 50)
    assert (len(some.actual), some.left_out) == (30, 120)
    X[:, -1] = np.nan
    none = judged(model, replace(rows, X=X), 50)
    assert (len(none.actual), none.left_out) == (0, 150)
    found = evaluate_cases(none)
    assert (found.cases, found.tree_accuracy, found.proximity.value) == (0, None, None)
    assert found.comparisons == ()
    for row in found.rows:
        assert (row.auc, row.interval, row.partial_auc, row.mse, row.tied_pairs) == (None,) * 5
        assert row.distinct == 0


def test_what_an_evaluation_measures_is_carried_with_it(fixtures_dir: Path) -> None:
    model, rows = fitted(fixtures_dir / "iris")
    cases = judged(model, rows, 150)
    found = evaluate_cases(cases, MetricOptions(fpr=0.5), optimistic=True)
    assert found.measures.fpr == 0.5
    assert found.optimistic
    assert [(c.method, c.against) for c in found.comparisons] == [
        ("global", "laplace"),
        ("local", "laplace"),
    ]
    first = found.rows[0]
    assert first.auc is not None
    assert found.comparisons[0].difference == pytest.approx(
        found.rows[1].auc - found.rows[4].auc, abs=1e-12
    )
    # With three classes every distribution has an M, and rankings have none.
    assert [row.m is None for row in found.rows] == [False, True, False, True, False]


def test_an_unknown_method_is_told(fixtures_dir: Path) -> None:
    model, rows = fitted(fixtures_dir / "iris")
    with pytest.raises(UnknownNameError, match="guess"):
        score_cases(model.setting, model, [rows], ("raw", "guess"))


def test_rows_of_weight_0_are_no_cases(fixtures_dir: Path) -> None:
    model, rows = fitted(fixtures_dir / "iris")
    weights, X = rows.weights.copy(), rows.X.copy()
    weights[10:40] = 0
    X[30:60, -1] = np.nan
    some = judged(model, replace(rows, X=X, weights=weights), 50)
    assert (len(some.actual), some.left_out, some.weightless) == (100, 30, 20)
    kept = np.r_[0:10, 60:150]
    only = judged(model, replace(rows, X=rows.X[kept], weights=rows.weights[kept]), 150)
    assert evaluate_cases(some) == evaluate_cases(only)
    none = judged(model, replace(rows, weights=np.zeros(len(rows))), 50)
    assert (len(none.actual), none.left_out, none.weightless) == (0, 0, 150)


@pytest.mark.parametrize("weight", [-1.0, np.nan, np.inf])
def test_weights_that_are_none_are_refused(fixtures_dir: Path, weight: float) -> None:
    model, rows = fitted(fixtures_dir / "iris")
    weights = rows.weights.copy()
    weights[7] = weight
    with pytest.raises(ValueError, match="a weight is negative or not finite"):
        evaluate_cases(judged(model, replace(rows, weights=weights), 150))


@pytest.mark.parametrize("factor", [2.0**-1000, 2.0**-3, 2.0**300])
def test_the_unit_of_the_weights_does_not_matter(fixtures_dir: Path, factor: float) -> None:
    model, rows = fitted(fixtures_dir / "iris")
    weights = np.random.default_rng(2).uniform(1, 3, len(rows))
    one, other = (judged(model, replace(rows, weights=w), 150) for w in (weights, weights * factor))
    assert evaluate_cases(one) == evaluate_cases(other)


def test_zero_and_infinite_distances_are_counted_among_the_cases(fixtures_dir: Path) -> None:
    model, rows = fitted(fixtures_dir / "iris")
    X = rows.X.copy()
    X[:60, 3] = 0.6  # on a threshold
    X[140:, 3] = np.inf
    some = judged(model, replace(rows, X=X), 37)
    found = evaluate_cases(some).proximity
    assert (found.zeros, found.measured, found.infinite) == (some.zeros.zeros, 140, 10)
    assert found.zeros >= 60
    assert some.zeros.attributes == ["petalwidth"]
    assert found.has_boundary
    assert found.value is not None


def test_what_learnt_from_the_cases_is_carried_along(fixtures_dir: Path) -> None:
    model, rows = fitted(fixtures_dir / "iris")
    assert evaluate_cases(judged(model, rows, 150), calibrated=["gdk"]).calibrated == ("gdk",)
