"""Projections and separators, compared with the plain loops."""

from __future__ import annotations

from math import isnan, nan

import literal_boundary
import numpy as np
import pytest
from hand_made import weather_tree
from hypothesis import given
from random_geometry import scenes
from random_trees import HEADER, plant_tree

from j48geo.arrays import Floats
from j48geo.core.fitted_values import Metric
from j48geo.core.routing import find_leaves
from j48geo.core.tree import BoxTree, Leaf, Split
from j48geo.geometry.distance import boundary, leaf_labels
from j48geo.geometry.projection import find_separators, project_cases


def nearest(tree: BoxTree, X: Floats, metric: Metric) -> np.ndarray:
    leaf = find_leaves(tree, X)
    predicted = np.where(leaf >= 0, leaf_labels(tree)[leaf], 0)
    return boundary(tree, X, metric, predicted).nearest_leaf


@given(scenes())
def test_projections_are_those_of_algorithm_2(scene: tuple[BoxTree, Floats, Metric]) -> None:
    tree, X, metric = scene
    leaves = nearest(tree, X, metric)
    found = project_cases(tree, X, leaves)
    for i, row in enumerate(X.tolist()):
        if leaves[i] < 0:
            assert np.isnan(found[i]).all()
        else:
            expected = literal_boundary.projection_onto_leaf(tree, row, int(leaves[i]))
            np.testing.assert_array_equal(found[i], expected)


@given(scenes())
def test_separators_are_those_of_the_plain_loops(scene: tuple[BoxTree, Floats, Metric]) -> None:
    tree, X, metric = scene
    leaves = nearest(tree, X, metric)
    found = find_separators(tree, X, metric, leaves)
    scale, weight = metric.scale.tolist(), metric.nominal_weight
    for i, row in enumerate(X.tolist()):
        u, t, node = literal_boundary.separator(tree, row, int(leaves[i]), scale, weight)
        assert (found.attribute[i], found.node[i]) == (u, node)
        assert found.threshold[i] == t or (isnan(t) and isnan(found.threshold[i]))
        assert isnan(found.margin[i]) == (node < 0)


def test_a_case_on_its_face_has_a_separator_though_no_coordinate_changes() -> None:
    tree = weather_tree()
    X = np.array([[0.0, 75.0, 0.0, nan]])
    metric = Metric("none", np.ones(4))
    found = find_separators(tree, X, metric, np.array([1]))
    assert (found.attribute[0], found.threshold[0], found.node[0]) == (1, 75.0, 1)
    assert found.margin[0] == 0.0
    assert project_cases(tree, X, np.array([1]))[0, 1] == 75.0


def test_the_largest_scaled_margin_wins_and_ties_go_to_the_first_attribute() -> None:
    corner = (Split(1, "numeric", 1.0), [Leaf(0, 0), Leaf(0, 1)])
    tree = plant_tree(HEADER, (Split(0, "numeric", 1.0), [Leaf(0, 0), corner]))
    X = np.array([[0.0, 0.0, 0, 0, 0], [0.0, -2.0, 0, 0, 0], [-2.0, 0.5, 0, 0, 0]])
    found = find_separators(tree, X, Metric("none", np.ones(5)), np.array([2, 2, 2]))
    assert found.attribute.tolist() == [0, 1, 0]
    assert found.node.tolist() == [0, 2, 0]
    half = find_separators(
        tree, X, Metric("custom", np.array([4.0, 1, 1, 1, 1])), np.array([2, 2, 2])
    )
    assert half.attribute.tolist() == [1, 1, 0]
    assert half.margin.tolist() == pytest.approx([1.0, 3.0, 0.75])


def test_where_there_is_no_leaf_or_nothing_is_refused_there_is_no_separator() -> None:
    tree = weather_tree()
    X = np.array([[0.0, 75.0, 0.0, nan], [nan, 80.0, nan, nan]])
    found = find_separators(tree, X, Metric("none", np.ones(4)), np.array([-1, 1]))
    assert found.attribute.tolist() == found.node.tolist() == [-1, -1]
    assert np.isnan(found.threshold).all()
    assert np.isnan(found.margin).all()
