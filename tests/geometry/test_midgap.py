"""Faces in the middle of their gaps."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hand_made import weather_rows, weather_tree
from hypothesis import given
from random_trees import HEADER, datasets, plant_tree, trees

from j48geo.core import descent
from j48geo.core.dataset import Dataset
from j48geo.core.routing import find_leaves
from j48geo.core.tree import BoxTree, Leaf, Split
from j48geo.geometry import faces
from j48geo.geometry.faces import midgap_tree


def test_a_face_moves_to_the_middle_of_threshold_and_next_value() -> None:
    tree, rows = weather_tree(), weather_rows()  # humidity 70 and 90 at node 1, 80 elsewhere
    moved = midgap_tree(tree, rows.X)
    assert moved.nodes[1].split.threshold == (75 + 90) / 2
    assert tree.nodes[1].split.threshold == 75.0


def test_a_face_with_nothing_above_stays() -> None:
    tree, rows = weather_tree(), weather_rows()
    low = rows.X[rows.X[:, 1] < 90]
    assert midgap_tree(tree, low).nodes[1].split.threshold == 75.0
    assert midgap_tree(tree, rows.X[:0]) == tree


def test_a_face_between_neighbouring_numbers_stays() -> None:
    tree = plant_tree(HEADER, (Split(0, "numeric", 1.0), [Leaf(0, 0), Leaf(0, 1)]))
    X = np.array([[1.0, 0, 0, 0, 0], [np.nextafter(1.0, 2), 0, 0, 0, 1]])
    assert midgap_tree(tree, X).nodes[0].split.threshold == 1.0


def test_it_stays_too_where_the_middle_would_round_up_to_the_next_number() -> None:
    odd = np.nextafter(1.0, 2)  # halves are rounded to even numbers: the next one
    tree = plant_tree(HEADER, (Split(0, "numeric", odd), [Leaf(0, 0), Leaf(0, 1)]))
    X = np.array([[odd, 0, 0, 0, 0], [np.nextafter(odd, 2), 0, 0, 0, 1]])
    moved = midgap_tree(tree, X)
    assert moved.nodes[0].split.threshold == odd
    assert find_leaves(moved, X).tolist() == [0, 1]


def test_it_keeps_its_slack_where_the_middle_would_be_the_last_value_below() -> None:
    split = Split(0, "numeric", 1.0, slack=5e-7)
    below = 1.0 + 5e-7
    if int(below * 2**52) % 2:  # an even number, which the middle is rounded to
        below = np.nextafter(below, 0)
    above = np.nextafter(below, 2)
    tree = plant_tree(HEADER, (split, [Leaf(0, 0), Leaf(0, 1)]), tolerance=0.0)
    X = np.array([[below, 0, 0, 0, 0], [above, 0, 0, 0, 1]])
    if find_leaves(tree, X).tolist() == [0, 0]:
        X[:, 0] = np.nextafter(X[:, 0], 2)
    moved = midgap_tree(tree, X)
    assert moved.nodes[0].split == split


@given(trees(), datasets())
def test_no_training_case_changes_its_leaf(tree: BoxTree, rows: Dataset) -> None:
    exact = tuple(
        n if n.split is None else replace(n, split=replace(n.split, slack=0.0)) for n in tree.nodes
    )
    tree = replace(tree, nodes=exact, tolerance=0.0)
    X = rows.X
    before = find_leaves(tree, X)
    np.testing.assert_array_equal(find_leaves(midgap_tree(tree, X), X), before)


@given(trees(), datasets())
def test_levels_and_single_nodes_give_the_same_faces(tree: BoxTree, rows: Dataset) -> None:
    X = np.where(np.isnan(rows.X), 0.0, rows.X)  # what is missing goes node by node
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(descent, "CASES_PER_NODE", 1000)
        by_level = midgap_tree(tree, X)
        patch.setattr(faces, "descend_by_levels", lambda tree, X: None)
        assert by_level == midgap_tree(tree, X)
