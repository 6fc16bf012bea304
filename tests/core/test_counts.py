"""Counts of nodes from the text and from rows, compared with plain loops."""

from __future__ import annotations

from dataclasses import replace
from math import nan

import literal_weka
import numpy as np
from hand_made import chain_tree, weather_rows, weather_tree
from hypothesis import given
from random_trees import HEADER, datasets, plant_tree, trees

from j48geo.core.counts import (
    NodeCounts,
    counts_from_data,
    counts_from_text,
    find_leaf_label,
    leaf_basis,
)
from j48geo.core.dataset import Dataset
from j48geo.core.tree import BoxTree, Leaf, Split


@given(trees(), datasets())
def test_counts_of_rows_are_those_of_plain_loops(tree: BoxTree, rows: Dataset) -> None:
    counts = counts_from_data(tree, rows.X, rows.class_values, rows.weights)
    expected = literal_weka.counts(
        tree, rows.X.tolist(), rows.class_values.tolist(), rows.weights.tolist()
    )
    np.testing.assert_allclose(counts.per_class, expected, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(counts.weight, np.sum(expected, axis=1), rtol=1e-5, atol=1e-4)
    np.testing.assert_allclose(counts.weight, counts.bag.sum(axis=1))
    assert counts.source == "data"


def test_whole_rows_are_counted_where_they_end() -> None:
    tree, rows = weather_tree(), weather_rows()
    counts = counts_from_data(tree, rows.X, rows.class_values, rows.weights)
    assert counts.leaves(tree).tolist() == [[2, 0], [0, 3], [4, 0], [0, 2], [3, 1]]
    assert counts.per_class[0].tolist() == [9, 6]
    assert counts.per_class is counts.bag
    assert counts.known.all()


def test_a_missing_value_follows_the_known_ones() -> None:
    split = Split(0, "numeric", 0.5)
    tree = plant_tree(HEADER, (split, [Leaf(0, 0), Leaf(0, 1)]))
    X = np.array([[0, 0, 0, 0, 0], [1, 0, 0, 0, 1], [1, 0, 0, 0, 1], [nan, 0, 0, 0, 2.0]])
    counts = counts_from_data(tree, X, X[:, 4], np.array([1.0, 1.0, 1.0, 6.0]))
    assert counts.leaves(tree).tolist() == [[1, 0, 2], [0, 2, 4]]


def test_without_a_known_value_all_branches_get_the_same() -> None:
    tree = plant_tree(HEADER, (Split(2, "multiway"), [Leaf(0, 0)] * 3))
    X = np.array([[0, 0, nan, 0, 1.0]])
    counts = counts_from_data(tree, X, X[:, 4], np.array([3.0]))
    assert counts.leaves(tree)[:, 1].tolist() == [1, 1, 1]


def test_a_tiny_share_stays_with_the_parent() -> None:
    split = Split(0, "numeric", 0.5)
    tree = plant_tree(HEADER, (split, [Leaf(0, 0), Leaf(0, 1)]))
    X = np.array([[0, 0, 0, 0, 0], [1, 0, 0, 0, 1], [nan, 0, 0, 0, 2.0]])
    counts = counts_from_data(tree, X, X[:, 4], np.array([1.0, 2e6 - 1, 1000.0]))
    assert counts.leaves(tree)[0].tolist() == [1, 0, 0]
    assert counts.bag[1].tolist() == [1, 0, 1000 / 2e6]
    assert counts.bag[2].tolist() == counts.per_class[2].tolist()


def test_rows_without_a_class_do_not_count() -> None:
    tree, rows = weather_tree(), weather_rows()
    X = rows.X.copy()
    X[:3, 3] = nan
    counts = counts_from_data(tree, X, X[:, 3], rows.weights)
    assert counts.weight[0] == len(rows) - 3


def test_no_rows_give_zeros() -> None:
    tree = weather_tree()
    counts = counts_from_data(tree, np.empty((0, 4)), np.empty(0), np.empty(0))
    assert not counts.per_class.any()
    assert not counts.weight.any()


def test_two_classes_are_determined_by_the_text() -> None:
    tree, rows = weather_tree(), weather_rows()
    text = counts_from_text(tree)
    data = counts_from_data(tree, rows.X, rows.class_values, rows.weights)
    assert text.per_class.tolist() == data.per_class.tolist()
    assert text.weight.tolist() == data.weight.tolist()
    assert text.source == "text"


def test_three_classes_are_known_only_where_nothing_is_wrong() -> None:
    inner = (Split(1, "numeric", 0.0), [Leaf(0, 1, 3.0), Leaf(0, 2, 4.0)])
    tree = plant_tree(HEADER, (Split(0, "numeric", 0.5), [inner, Leaf(0, 0, 5.0, 2.0)]))
    counts = counts_from_text(tree)
    assert counts.known.tolist() == [False, True, True, True, False]
    assert counts.per_class[1].tolist() == [0, 3, 4]
    assert counts.weight.tolist() == [12, 7, 3, 4, 5]


def test_a_leaf_without_counts_makes_its_ancestors_unknown() -> None:
    tree = weather_tree()
    leaves = (replace(tree.leaves[0], weight=None), *tree.leaves[1:])
    counts = counts_from_text(replace(tree, leaves=leaves))
    assert counts.known.tolist() == [False, False, False, True, True, True, True, True]
    assert np.isnan(counts.weight[[0, 1, 2]]).all()


def test_a_relabelled_leaf_may_have_more_errors_than_hits() -> None:
    tree = weather_tree()
    leaves = (*tree.leaves[:4], Leaf(4, 1, 4.0, 3.0))
    assert counts_from_text(replace(tree, leaves=leaves)).leaves(tree)[4].tolist() == [3, 1]


def test_sums_go_up_a_tree_deeper_than_the_stack_of_python() -> None:
    tree = chain_tree(20_000)
    assert counts_from_text(tree).weight[0] == 20_001


def test_counting_leaves_the_tree_as_it_was() -> None:
    tree, rows = weather_tree(), weather_rows()
    before = tree.digest()
    counts_from_data(tree, rows.X, rows.class_values, rows.weights)
    counts_from_text(tree)
    assert tree.digest() == before


def test_an_empty_leaf_takes_the_counts_of_its_parent() -> None:
    tree = plant_tree(HEADER, (Split(2, "multiway"), [Leaf(0, 0), Leaf(0, 0), Leaf(0, 1)]))
    X = np.array([[0, 0, 0, 0, 0.0], [0, 0, 2, 0, 1], [0, 0, 2, 0, 2]])
    counts = counts_from_data(tree, X, X[:, 4], np.ones(3))
    basis = leaf_basis(tree, counts)
    assert basis.node.tolist() == [1, 0, 3]
    assert basis.per_class.tolist() == [[1, 0, 0], [1, 1, 1], [0, 1, 1]]
    assert basis.total.tolist() == [1, 3, 2]
    stored = replace(counts, total=np.array([3.0, 1, 0, 2]), empty=np.zeros(4, dtype=np.bool_))
    assert leaf_basis(tree, stored).node.tolist() == [1, 2, 3], "the file says which are empty"


def test_a_leaf_that_only_its_parent_counts_takes_what_the_parent_counted_for_it() -> None:
    split = Split(0, "numeric", 0.5)
    tree = plant_tree(HEADER, (split, [Leaf(0, 0), Leaf(0, 1)]))
    X = np.array([[0, 0, 0, 0, 0], [1, 0, 0, 0, 1], [nan, 0, 0, 0, 2.0]])
    counts = counts_from_data(tree, X, X[:, 4], np.array([1e-7, 1.0, 1e6]))
    assert counts.leaves(tree)[0].tolist() == [1e-7, 0, 0]
    basis = leaf_basis(tree, counts)
    assert basis.node.tolist() == [1, 2]
    assert basis.per_class[0].tolist() == counts.bag[1].tolist()
    assert counts.bag[1, 2] > 0.09


def test_a_tree_of_one_empty_leaf_has_no_parent_to_ask() -> None:
    tree = plant_tree(HEADER, Leaf(0, 0))
    nothing = np.zeros((1, 3))
    basis = leaf_basis(tree, NodeCounts(nothing, np.zeros(1), "data", nothing))
    assert basis.node.tolist() == [0]
    assert basis.total.tolist() == [0]


def test_the_label_of_an_empty_leaf_is_that_of_its_parent() -> None:
    bag, parent = np.array([0.0, 1e-6]), np.array([5.0, 4.0])
    assert find_leaf_label(bag, 1e-6, parent) == 0
    assert find_leaf_label(np.array([0.0, 2e-6]), 2e-6, parent) == 1
