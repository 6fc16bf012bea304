"""Cases asked block by block, and the rows that come of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from j48geo.decide.evaluation_cases import JudgedCases, judge_cases
from j48geo.decide.evaluation_rows import Measures, evaluate_methods
from j48geo.errors import UnknownNameError
from j48geo.geometry.scaling import fit_metric
from j48geo.model.counts import counts_from_data
from j48geo.model.dataset import Dataset
from j48geo.read.arff import read_arff
from j48geo.read.door import read_tree
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


def judged(model: ProbabilityModel, rows: Dataset, step: int) -> JudgedCases:
    blocks = (
        replace(rows, X=rows.X[i : i + step], weights=rows.weights[i : i + step])
        for i in range(0, len(rows), step)
    )
    return judge_cases(model.setting, model, blocks, METHODS)


def test_the_size_of_the_blocks_does_not_matter(fixtures_dir: Path) -> None:
    model, rows = fitted(fixtures_dir / "pima")
    whole, parts = judged(model, rows, 1000), judged(model, rows, 37)
    assert tuple(method.method for method in whole.methods) == METHODS
    for one, other in zip(whole.methods, parts.methods, strict=True):
        assert np.array_equal(one.score, other.score)
        assert (one.distribution is None) == (one.method in ("global", "local"))
    assert evaluate_methods(whole) == evaluate_methods(parts)


def test_rows_without_a_class_are_left_out_and_none_may_be_left(fixtures_dir: Path) -> None:
    model, rows = fitted(fixtures_dir / "iris")
    X = rows.X.copy()
    X[:120, -1] = np.nan
    some = judged(model, replace(rows, X=X), 50)
    assert (len(some.actual), some.left_out) == (30, 120)
    X[:, -1] = np.nan
    none = judged(model, replace(rows, X=X), 50)
    assert (len(none.actual), none.left_out) == (0, 150)
    found = evaluate_methods(none)
    assert (found.cases, found.tree_accuracy, found.proximity.value) == (0, None, None)
    assert found.comparisons == ()
    for row in found.rows:
        assert (row.auc, row.interval, row.partial_auc, row.mse, row.tied_pairs) == (None,) * 5
        assert row.distinct == 0


def test_what_an_evaluation_measures_is_carried_with_it(fixtures_dir: Path) -> None:
    model, rows = fitted(fixtures_dir / "iris")
    cases = judged(model, rows, 150)
    found = evaluate_methods(cases, Measures(fpr=0.5), optimistic=True)
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
        judge_cases(model.setting, model, [rows], ("raw", "guess"))
