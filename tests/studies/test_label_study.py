"""A slice of scripts/studies/label_study: a data set that scikit-learn carries."""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from j48geo.decide.costs import cost_matrix
from j48geo.decide.leaf_counts import ClassCounts
from j48geo.decide.relabelling import class_estimates, label_leaves

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts" / "studies"))

from reproduction.label_study import (
    ESTIMATES,
    KINDS,
    Found,
    cheapest_labels,
    label_lines,
    matrices,
    study_labels,
)


@pytest.fixture(scope="module")
def iris() -> Found:
    return study_labels("iris")


@pytest.mark.parametrize("seed", range(5))
def test_labels_in_floats_are_those_of_the_library(seed: int) -> None:
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, 5, (30, 4)).tolist()
    own = np.argmax(counts, axis=1)
    exact = class_estimates(ClassCounts.of(counts), "laplace")
    costs = rng.integers(0, 4, (4, 4))
    found = cheapest_labels(np.array(exact, dtype=float), costs.astype(float), own)
    assert found.tolist() == list(label_leaves(exact, cost_matrix(costs.tolist()), own.tolist()))


def test_costs_are_of_every_kind_and_being_right_is_free() -> None:
    made = matrices("some", np.array([0.5, 0.25, 0.25]))
    assert list(made) == list(KINDS)
    assert all(not np.diag(matrix).any() for kind in made.values() for matrix in kind)
    assert made["one at 5"][1].tolist() == [[0, 1, 1], [5, 0, 5], [1, 1, 0]]
    lift = made["shares"][0][:, 0] / made["shares"][0][2, 0]
    assert lift.tolist() == [0, Fraction(1), 1]


def test_with_equal_costs_every_estimate_keeps_the_labels_of_j48(iris: Found) -> None:
    cost = iris.cost["equal"]
    assert 0.02 < cost["J48"] < 0.1
    assert {cost[who] for who in ESTIMATES} == {cost["J48"]}
    assert cost["one label"] == pytest.approx(2 / 3)


def test_the_tables_name_every_set_and_mark_the_cheapest(iris: Found) -> None:
    lines = label_lines({"iris": iris})
    assert sum(line.startswith("| iris |") for line in lines) == len(KINDS)
    equal = next(line for line in lines if line.startswith("| iris |"))
    assert equal.count("**") == 2 * (1 + len(ESTIMATES))
