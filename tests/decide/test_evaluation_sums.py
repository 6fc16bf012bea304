"""Evaluations from sums: the same to the last bit for any cut of the rows, in any order."""

from __future__ import annotations

import pickle
from dataclasses import replace
from functools import reduce
from operator import add
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_measures import delong_difference, delong_interval

from j48geo.core.counts import counts_from_data
from j48geo.core.dataset import Dataset
from j48geo.data.arff.stream import read_arff
from j48geo.decide.evaluation.auc import auc
from j48geo.decide.evaluation.evaluation import MetricOptions, evaluate_cases, evaluate_metrics
from j48geo.decide.evaluation.evaluation_sums import EvaluationSums
from j48geo.decide.evaluation.metrics import compute_metrics
from j48geo.decide.evaluation.score_tables import ScoreCounts, ScoreSlice
from j48geo.decide.evaluation.scored_cases import score_cases
from j48geo.errors import ChoiceError
from j48geo.geometry.metric import fit_metric
from j48geo.read.readers import read_tree
from j48geo.score.probabilities import ProbabilityModel, fit_probabilities
from j48geo.score.setting import Setting

METHODS = ("raw", "laplace", "gdk", "nearby", "global", "local")
SCORES = st.sampled_from([0.0, -0.0, 0.25, 0.5, 1.0, np.nan, np.inf, -np.inf])
CASES = st.lists(
    st.tuples(SCORES, SCORES, st.integers(0, 2), st.sampled_from([1.0, 0.1, 3.0, 1e-3])),
    max_size=40,
)


def table(cases: list[tuple[float, float, int, float]]) -> ScoreCounts:
    columns = np.array(cases, dtype=float).reshape(-1, 4)
    keys, label, weight = columns[:, :2].T, columns[:, 2].astype(np.intp), columns[:, 3]
    return ScoreCounts.of(list(keys), label, weight)


def bits(found: ScoreCounts) -> list[bytes]:
    return [a.tobytes() for a in (*found.keys, found.label, found.weight, found.count)]


@given(CASES, CASES, CASES)
def test_tables_add_up_whatever_the_order(one: list, other: list, third: list) -> None:
    whole = bits(table([*one, *other, *third]))
    assert bits(table(one) + table(other) + table(third)) == whole
    assert bits(table(third) + (table(other) + table(one))) == whole
    assert bits(table(one) + table([])) == bits(table(one))
    assert table(one).count.sum() == len(one)


def sorted_keys(found: ScoreCounts) -> list[tuple[float, ...]]:
    """Keys of the rows, NaN as the least of numbers."""
    columns = (np.where(np.isnan(k), -np.inf, k).tolist() for k in found.keys)
    nan = (np.isnan(k).tolist() for k in found.keys)
    return [
        tuple(x for pair in zip(row, unknown, strict=True) for x in (pair[0], not pair[1]))
        for row, unknown in zip(zip(*columns, strict=True), zip(*nan, strict=True), strict=True)
    ]


@given(CASES)
def test_a_table_is_ordered_best_first_and_its_groups_are_its_scores(cases: list) -> None:
    found = table(cases)
    keys = sorted_keys(found)
    assert keys == sorted(keys, reverse=True)
    assert len(ScoreSlice.whole(found)) == len(set(keys))


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.booleans()), min_size=4))
def test_counted_cases_have_the_area_and_the_intervals_of_single_ones(cases: list) -> None:
    one, other, label = (np.array(column) for column in zip(*cases, strict=True))
    one, other, ones = one.astype(float), other.astype(float), np.ones(len(cases))
    found = ScoreCounts.of([one, other], label, ones)
    yes = found.label == 1
    assert auc(found.keys[0], yes, found.mass) == auc(one, label)
    for counted, single in (
        (
            delong_interval(found.keys[0], yes, counts=found.count),
            delong_interval(one, label),
        ),
        (
            delong_difference(found.keys[0], found.keys[1], yes, counts=found.count),
            delong_difference(one, other, label),
        ),
    ):
        assert (counted is None) == (single is None)
        assert counted is None or counted == pytest.approx(single, rel=1e-9, abs=1e-12)


@pytest.fixture(scope="module", params=["pima", "iris"])
def model(request: pytest.FixtureRequest, fixtures_dir: Path) -> tuple[ProbabilityModel, Dataset]:
    """A tree with every kind of method, and rows with weights, missing values and classes."""
    rows = read_arff(fixtures_dir / request.param / "data.arff")
    tree = read_tree(fixtures_dir / request.param / "model.txt", header=rows.header)
    counts = counts_from_data(tree, rows.X, rows.class_values, rows.weights)
    setting = Setting(tree, counts, fit_metric(tree, "standard", rows.X), 1, training=rows)
    random = np.random.default_rng(5)
    X = rows.X.copy()
    X[random.random(X.shape) < 0.03] = np.nan
    weights = random.choice([1.0, 0.1, 1 / 3, 0.0], size=len(rows))
    fit = fit_probabilities(setting, methods=("raw", "laplace", "gdk", "nearby"))
    return fit, replace(rows, X=X, weights=weights)


def judge(model: ProbabilityModel, rows: Dataset, some: np.ndarray) -> EvaluationSums:
    part = replace(rows, X=rows.X[some], weights=rows.weights[some])
    total_weight = len(rows.header.class_attribute.values) > 2
    return EvaluationSums.of(
        score_cases(model.setting, model, [part], METHODS[:5], every_class=total_weight)
    )


def figures(judged: EvaluationSums, every_class: bool = False, **how: object) -> object:
    names = tuple(method.method for method in judged.methods)
    measures = MetricOptions(**how)
    return evaluate_metrics(
        compute_metrics(judged, measures.meter(names, every_class=every_class)), measures
    )


@pytest.mark.parametrize("seed", range(3))
def test_an_evaluation_does_not_depend_on_partitions(
    model: tuple[ProbabilityModel, Dataset], seed: int
) -> None:
    fit, rows = model
    random = np.random.default_rng(seed)
    whole = judge(fit, rows, np.arange(len(rows)))
    places = random.integers(0, 9, len(rows))  # the ninth part has no rows
    parts = [judge(fit, rows, np.flatnonzero(places == k)) for k in random.permutation(10)]
    parts = [pickle.loads(pickle.dumps(part)) for part in parts]
    added = reduce(add, parts)
    assert figures(added) == figures(whole)
    if whole.methods[0].per_class:
        assert figures(added, True) == figures(whole, True)
    assert added.confusion.weight.tolist() == whole.confusion.weight.tolist()
    assert (added.cases, added.left_out, added.weightless) == (
        whole.cases,
        whole.left_out,
        whole.weightless,
    )


def test_a_local_ranking_is_put_together_from_its_parts(
    model: tuple[ProbabilityModel, Dataset],
) -> None:
    fit, rows = model
    methods = ("raw", "laplace", "gdk", "nearby", "local")
    cases = score_cases(fit.setting, fit, [rows], methods)
    parts = [
        EvaluationSums.of(
            score_cases(
                fit.setting,
                fit,
                [replace(rows, X=rows.X[k::7], weights=rows.weights[k::7])],
                methods,
            )
        )
        for k in range(7)
    ]
    assert figures(reduce(add, parts)) == evaluate_cases(cases)


def test_a_bootstrap_cannot_be_summed_and_other_methods_cannot_be_added(
    model: tuple[ProbabilityModel, Dataset],
) -> None:
    fit, rows = model
    found = judge(fit, rows, np.arange(20))
    with pytest.raises(ChoiceError, match="a bootstrap draws single cases"):
        figures(found, interval="bootstrap")
    other = EvaluationSums.of(score_cases(fit.setting, fit, [rows], METHODS))
    with pytest.raises(ValueError, match="parts"):
        _ = found + other
