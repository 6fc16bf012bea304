"""Where cases go, compared with one case at a time."""

from __future__ import annotations

from math import isnan, nan

import numpy as np
from hand_made import chain_tree, one_leaf_tree, weather_rows, weather_tree
from hypothesis import given
from literal_weka import branch_of
from random_trees import HEADER, datasets, plant_tree, splits, trees

from j48geo.core.counts import counts_from_data, counts_from_text
from j48geo.core.dataset import Dataset
from j48geo.core.descent import find_branches, goes_left
from j48geo.core.routing import find_leaves, route_cases
from j48geo.core.tree import BoxTree, Leaf, Split


def literal_routes(tree: BoxTree, row: list, weight: np.ndarray) -> dict[int, float]:
    found: dict[int, float] = {}

    def go(index: int, share: float) -> None:
        node = tree.nodes[index]
        if node.split is None:
            found[node.leaf] = share
            return
        x = row[node.split.attribute]
        if not isnan(x):
            go(node.children[branch_of(node.split, x, tree.tolerance)], share)
            return
        total = sum(weight[child] for child in node.children)
        for child in node.children:
            part = weight[child] / total if total else 1 / len(node.children)
            if part and not (tree.nodes[child].is_leaf and weight[child] <= 1e-6):
                go(child, share * part)

    go(0, 1.0)
    return found


def test_the_threshold_goes_left() -> None:
    x = np.array([74.0, 75.0, np.nextafter(75.0, 76.0)])
    assert goes_left(Split(0, "numeric", 75.0), x).tolist() == [True, True, False]
    assert goes_left(Split(0, "numeric", 75.0, closed=False), x).tolist() == [True, False, False]


def test_a_rounded_threshold_has_slack() -> None:
    x = np.array([0.1234564, 0.1234566])
    assert goes_left(Split(0, "numeric", 0.123456, slack=5e-7), x).tolist() == [True, False]


def test_old_weka_lets_a_little_more_go_left() -> None:
    x = np.array([1.0, 1.0 + 9e-7, 1.0 + 2e-6])
    assert goes_left(Split(0, "numeric", 1.0), x).tolist() == [True, False, False]
    assert goes_left(Split(0, "numeric", 1.0), x, 1e-6).tolist() == [True, True, False]


def test_a_whole_millionth_above_is_too_much_for_old_weka_too() -> None:
    x = np.array([np.nextafter(1e-6, 0), 1e-6])
    assert goes_left(Split(0, "numeric", 0.0), x, 1e-6).tolist() == [True, False]


def test_the_largest_numbers_overflow_without_a_word() -> None:
    x = np.array([-1.7e308, 1.7e308, np.inf, -np.inf])
    assert goes_left(Split(0, "numeric", 1.7e308), x, 1e-6).tolist() == [True, True, False, True]


@given(splits(), datasets())
def test_every_value_takes_the_branch_of_the_definition(split: Split, rows: Dataset) -> None:
    for tolerance in (0.0, 1e-6):
        column = rows.X[:, split.attribute]
        expected = [-1 if isnan(x) else branch_of(split, x, tolerance) for x in column]
        assert find_branches(split, column, tolerance).tolist() == expected


@given(trees(), datasets(), datasets())
def test_routes_are_those_of_one_case_at_a_time(
    tree: BoxTree, training: Dataset, rows: Dataset
) -> None:
    counts = counts_from_data(tree, training.X, training.class_values, training.weights)
    routes = route_cases(tree, rows.X, counts.weight)
    assert (np.lexsort((routes.leaf, routes.case)) == np.arange(len(routes.case))).all()
    for i, row in enumerate(rows.X.tolist()):
        mine = routes.case == i
        found = dict(zip(routes.leaf[mine].tolist(), routes.share[mine].tolist(), strict=True))
        expected = literal_routes(tree, row, counts.weight)
        assert found.keys() == expected.keys()
        np.testing.assert_allclose([found[k] for k in expected], list(expected.values()))


@given(trees(), datasets())
def test_a_case_has_one_leaf_unless_a_missing_value_is_asked_for(
    tree: BoxTree, rows: Dataset
) -> None:
    leaves = find_leaves(tree, rows.X)
    routes = route_cases(tree, rows.X, np.ones(tree.size))
    assert ((leaves < 0) == routes.divided).all()
    whole = ~routes.divided[routes.case]
    assert (leaves[routes.case[whole]] == routes.leaf[whole]).all()
    assert (routes.share[whole] == 1).all()


@given(trees(), datasets())
def test_a_whole_case_lies_in_the_box_of_its_leaf(tree: BoxTree, rows: Dataset) -> None:
    for row, leaf in zip(rows.X.tolist(), find_leaves(tree, rows.X).tolist(), strict=True):
        exact = all(s.slack == 0 for _, s in tree.splits) and tree.tolerance == 0
        if leaf < 0 or not exact:
            continue
        box = tree.boxes[leaf]
        assert all(row[a] in interval for a, interval in box.intervals.items())
        assert all(row[a] in values for a, values in box.subsets.items())


def test_a_missing_value_is_divided_by_the_weights_of_the_branches() -> None:
    tree = weather_tree()
    weight = counts_from_text(tree).weight
    routes = route_cases(tree, np.array([[nan, 80, nan, nan]]), weight)
    assert routes.leaf.tolist() == [1, 2, 3, 4]
    np.testing.assert_allclose(routes.share, [5 / 15, 4 / 15, 2 / 15, 4 / 15])
    assert routes.divided.tolist() == [True]


def test_the_share_of_an_empty_leaf_is_lost() -> None:
    split = Split(2, "multiway")
    tree = plant_tree(HEADER, (split, [Leaf(0, 0), Leaf(0, 1), Leaf(0, 0)]))
    row = np.array([[nan] * 5])
    routes = route_cases(tree, row, np.array([4.0, 3.0, 0.0, 1.0]))
    assert routes.leaf.tolist() == [0, 2]
    assert routes.share.tolist() == [0.75, 0.25]


def test_unknown_weights_give_unknown_shares() -> None:
    split = Split(0, "numeric", 1.0)
    tree = plant_tree(HEADER, (split, [Leaf(0, 0), Leaf(0, 1)]))
    routes = route_cases(tree, np.array([[nan] * 5, [0.0] * 5]), np.full(3, nan))
    assert routes.case.tolist() == [0, 0, 1]
    assert np.isnan(routes.share[:2]).all()
    assert routes.share[2] == 1


def test_no_rows_and_no_splits_are_no_trouble() -> None:
    tree = weather_tree()
    assert len(find_leaves(tree, np.empty((0, 4)))) == 0
    assert len(route_cases(tree, np.empty((0, 4)), np.ones(tree.size)).case) == 0
    assert find_leaves(one_leaf_tree(), weather_rows().X).tolist() == [0] * len(weather_rows())


def test_a_tree_deeper_than_the_stack_of_python_is_walked() -> None:
    tree = chain_tree(20_000)
    X = np.array([[-1.0, nan], [1.5, nan], [20_001.0, nan]])
    assert find_leaves(tree, X).tolist() == [0, 1, 20_000]
    routes = route_cases(tree, X, counts_from_text(tree).weight)
    assert routes.leaf.tolist() == [0, 1, 20_000]
