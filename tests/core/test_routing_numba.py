"""The compiled loops that send cases down a tree give the answers of NumPy, bit for bit."""

from __future__ import annotations

import numpy as np
import pytest
from hand_made import chain_tree, one_leaf_tree, weather_rows
from hypothesis import example, given
from random_geometry import cases_for, grown_tree
from random_trees import datasets, trees

from j48geo.arrays import Floats
from j48geo.compilation import is_numba_available
from j48geo.core import routing, routing_numba
from j48geo.core.counts import NodeCounts, counts_from_data, counts_from_text
from j48geo.core.dataset import Dataset
from j48geo.core.routing import branch_shares, find_leaves, sum_divided_cases
from j48geo.core.tree import BoxTree
from j48geo.score.prediction import predict

needs_numba = pytest.mark.skipif(not is_numba_available(), reason="no numba")


def assert_same(tree: BoxTree, counts: NodeCounts, X: Floats) -> None:
    """Leaves, sums of divided cases and their labels are equal, NaN where the other has it."""
    leaf = find_leaves(tree, X, engine="numpy")
    np.testing.assert_array_equal(find_leaves(tree, X, engine="numba"), leaf)
    numbers = np.random.default_rng(len(X)).random((len(tree.leaves), 3))
    label = np.array([leaf.label for leaf in tree.leaves], dtype=np.intp)
    shares = branch_shares(tree, counts.weight)
    for divided in (X[leaf < 0], X):
        one = sum_divided_cases(tree, divided, shares, numbers, label, engine="numpy")
        two = sum_divided_cases(tree, divided, shares, numbers, label, engine="numba")
        np.testing.assert_array_equal(one[0], two[0])
        np.testing.assert_array_equal(one[1], two[1])


@given(trees(depth=4), datasets(), datasets())
@example(one_leaf_tree(), weather_rows(), weather_rows())
def test_the_loops_are_plain_python_too(tree: BoxTree, rows: Dataset, more: Dataset) -> None:
    counts = counts_from_data(tree, rows.X, rows.class_values, rows.weights)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(routing_numba, "compile_loop", lambda loop: loop)
        with np.errstate(over="ignore", invalid="ignore"):
            assert_same(tree, counts, more.X)
            assert_same(tree, counts_from_text(tree), more.X)


@given(trees(depth=4), datasets())
def test_rows_are_counted_alike(tree: BoxTree, rows: Dataset) -> None:
    known = ~np.isnan(rows.X[:, [*tree.used_attributes, tree.header.class_index or 0]]).any(axis=1)
    X, y, weights = rows.X[known], rows.class_values[known], rows.weights[known]
    expected = counts_from_data(tree, X, y, weights)
    per_class = np.zeros_like(expected.per_class)
    steps = routing_numba.make_steps(tree)
    with np.errstate(over="ignore", invalid="ignore"):
        routing_numba.count_down(X, y.astype(np.intp), weights, per_class, steps)
    np.testing.assert_array_equal(per_class, expected.per_class)


@needs_numba
@pytest.mark.parametrize("missing", [0.0, 0.02, 0.3])
@pytest.mark.parametrize("leaves", [3, 400])
def test_compiled_they_are_the_same_in_blocks_and_threads(missing: float, leaves: int) -> None:
    tree = grown_tree(leaves, leaves, numbers=5, colours=2, classes=3)
    X = cases_for(tree, 1, 9000, missing=missing)
    whole = cases_for(tree, 2, 3000)
    y = np.random.default_rng(1).integers(3, size=len(whole)).astype(np.float64)
    counts = counts_from_data(tree, whole, y, np.random.default_rng(2).random(len(whole)))
    assert_same(tree, counts, X)
    found = predict(tree, counts, X)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(routing, "_DOWN", 1.0)
        patch.setattr(routing, "_BY_LEVEL", 1.0)
        patch.setattr(routing, "_DIVIDED", 1.0)
        before = routing._choice.blocks["numba"]
        divided_before = routing._divided_choice.blocks["numba"]
        again = predict(tree, counts, X)
        assert routing._choice.blocks["numba"] == before + 1
        assert routing._divided_choice.blocks["numba"] == divided_before + (missing > 0)
        compiled = counts_from_data(tree, whole, y, np.random.default_rng(2).random(len(whole)))
    for name in ("distribution", "predicted", "classified", "leaf"):
        np.testing.assert_array_equal(getattr(found, name), getattr(again, name))
    np.testing.assert_array_equal(counts.per_class, compiled.per_class)


@needs_numba
def test_a_very_deep_tree_divides_a_case_at_every_step() -> None:
    tree = chain_tree(2_000)
    X = np.array([[np.nan, np.nan], [1.5, np.nan]])
    assert_same(tree, counts_from_text(tree), X)
