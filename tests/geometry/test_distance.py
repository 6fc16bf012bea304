"""Distances: the literal algorithm, the definition in NumPy and the search agree."""

from __future__ import annotations

from dataclasses import replace
from math import inf, nan

import literal_boundary
import numpy as np
import pytest
from hand_made import chain_tree, one_leaf_tree, weather_tree
from hypothesis import given
from hypothesis import strategies as st
from random_geometry import cases_for, grown_tree, scenes
from random_trees import HEADER, plant_tree

from j48geo.arrays import Floats
from j48geo.compilation import is_numba_available
from j48geo.core.fitted_values import Metric
from j48geo.core.routing import find_leaves
from j48geo.core.tree import BoxTree, Leaf, Split
from j48geo.errors import MismatchError, UnknownNameError
from j48geo.geometry import distance_numba
from j48geo.geometry.distance import (
    boundary,
    boundary_distance,
    class_boundary,
    class_distances,
    has_boundary,
    leaf_labels,
)
from j48geo.geometry.distance_numpy import define_class_distances, squared_distances

ENGINES = ["numpy", "numba"] if is_numba_available() else ["numpy"]


def plain(tree: BoxTree, weight: float = 1.0) -> Metric:
    return Metric("none", np.ones(len(tree.header)), weight)


def own_classes(tree: BoxTree, X: Floats) -> np.ndarray:
    """Class of the case's leaf; of a divided case any class will do here."""
    leaf = find_leaves(tree, X)
    return np.where(leaf >= 0, leaf_labels(tree)[leaf], np.arange(len(X)) % len(tree.classes))


@pytest.mark.parametrize("engine", ENGINES)
@given(scene=scenes())
def test_distances_and_leaves_are_those_of_the_literal_algorithm(
    engine: str, scene: tuple[BoxTree, Floats, Metric]
) -> None:
    tree, X, metric = scene
    predicted = own_classes(tree, X)
    labels = leaf_labels(tree).tolist()
    found = boundary(tree, X, metric, predicted, engine=engine)
    scale, weight = metric.scale.tolist(), metric.nominal_weight
    for i, row in enumerate(X.tolist()):
        expected = literal_boundary.distance_from(
            tree, row, int(predicted[i]), labels, scale, weight
        )
        assert found.nearest_leaf[i] == expected.leaf
        assert found.distance[i] == pytest.approx(expected.distance, rel=1e-14, abs=1e-12)


@pytest.mark.parametrize("engine", ENGINES)
@given(scene=scenes())
def test_class_distances_are_those_of_the_literal_algorithm(
    engine: str, scene: tuple[BoxTree, Floats, Metric]
) -> None:
    tree, X, metric = scene
    predicted = own_classes(tree, X)
    labels = leaf_labels(tree).tolist()
    found = class_distances(tree, X, metric, predicted, engine=engine)
    scale, weight = metric.scale.tolist(), metric.nominal_weight
    for i, row in enumerate(X.tolist()):
        for c in range(len(tree.classes)):
            expected = literal_boundary.class_distance(
                tree, row, int(predicted[i]), c, labels, scale, weight
            )
            assert found[i, c] == pytest.approx(expected, rel=1e-14, abs=1e-12)


@given(scene=scenes(), labels=st.lists(st.integers(0, 2), min_size=81, max_size=81))
def test_an_overlay_of_labels_is_the_relabelled_tree(
    scene: tuple[BoxTree, Floats, Metric], labels: list[int]
) -> None:
    tree, X, metric = scene
    overlay = np.resize(labels, len(tree.leaves))
    leaves = zip(tree.leaves, overlay.tolist(), strict=True)
    relabelled = replace(tree, leaves=tuple(replace(x, label=label) for x, label in leaves))
    predicted = own_classes(relabelled, X)
    for engine in ENGINES:
        one = boundary(tree, X, metric, predicted, labels=overlay, engine=engine)
        two = boundary(relabelled, X, metric, predicted, engine=engine)
        np.testing.assert_array_equal(one.distance, two.distance)
        np.testing.assert_array_equal(one.nearest_leaf, two.nearest_leaf)


@given(scenes())
def test_one_class_against_all_is_a_column_of_all_classes(
    scene: tuple[BoxTree, Floats, Metric],
) -> None:
    tree, X, metric = scene
    predicted = own_classes(tree, X)
    for engine in ENGINES:
        columns = class_distances(tree, X, metric, predicted, engine=engine)
        for c in range(len(tree.classes)):
            one = class_boundary(tree, X, metric, predicted, c, engine=engine)
            np.testing.assert_array_equal(one.distance, columns[:, c])


@given(scenes(), st.integers(0, 1), st.floats(0.0, 3.0))
def test_moving_away_from_the_boundary_never_shortens_the_distance(
    scene: tuple[BoxTree, Floats, Metric], column: int, step: float
) -> None:
    """Against one face, the distance is a maximum of linear functions: it never bends inwards."""
    tree, X, metric = scene
    squared = squared_distances(tree, X, metric)
    for leaf, box in enumerate(tree.boxes):
        interval = box.intervals.get(column)
        if box.is_empty or interval is None:
            continue
        moved = X.copy()
        above = X[:, column] >= interval.high
        below = X[:, column] <= interval.low
        moved[above, column] += step
        moved[below, column] -= step
        further = squared_distances(tree, moved, metric)[:, leaf]
        assert (further >= squared[:, leaf]).all()


@pytest.mark.parametrize("engine", ENGINES)
def test_a_case_on_a_threshold_has_no_distance(engine: str) -> None:
    tree = weather_tree()
    X = np.array([[0, 75.0, 0, nan], [0, 76.0, 0, nan], [0, 70.0, 0, nan]])
    found = boundary(tree, X, plain(tree), np.array([0, 1, 0]), engine=engine)
    assert found.distance.tolist() == [0.0, 1.0, 1.0]
    assert found.nearest_leaf.tolist() == [1, 0, 3]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_nominal_value_outside_the_set_costs_its_weight(engine: str) -> None:
    tree = weather_tree()
    X = np.array([[1.0, 60.0, 1, nan]])  # overcast, not windy: yes
    found = boundary(tree, X, plain(tree, 0.5), np.array([0]), engine=engine)
    # To leaf 3: another outlook and windy; to leaf 1: another outlook and 15 of humidity.
    assert found.nearest_leaf.tolist() == [3]
    assert found.distance.tolist() == [np.sqrt(0.5)]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_missing_value_costs_nothing(engine: str) -> None:
    tree = weather_tree()
    X = np.array([[0, nan, 0, nan], [nan, 80.0, nan, nan]])
    found = boundary(tree, X, plain(tree), np.array([1, 0]), engine=engine)
    assert found.distance.tolist() == [0.0, 0.0]
    assert found.nearest_leaf.tolist() == [0, 1]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_tree_with_one_class_has_no_boundary(engine: str) -> None:
    tree = one_leaf_tree()
    X = np.zeros((2, 4))
    found = boundary(tree, X, plain(tree), np.array([0, -1]), engine=engine)
    assert found.distance[0] == inf
    assert np.isnan(found.distance[1])
    assert found.nearest_leaf.tolist() == [-1, -1]
    assert not has_boundary(tree)
    assert class_distances(tree, X[:1], plain(tree), np.array([0]), engine=engine).tolist() == [
        [inf, inf]
    ]


def test_a_class_without_a_leaf_has_no_boundary() -> None:
    tree = plant_tree(HEADER, (Split(0, "numeric", 1.0), [Leaf(0, 0), Leaf(1, 1)]))
    assert has_boundary(tree)
    assert has_boundary(tree, c=1)
    assert not has_boundary(tree, c=2)


@pytest.mark.parametrize("engine", ENGINES)
def test_an_empty_box_is_never_nearest(engine: str) -> None:
    inner = (Split(0, "numeric", 2.0), [Leaf(0, 1), Leaf(0, 2)])  # x <= 1 and x > 2: empty
    tree = plant_tree(HEADER, (Split(0, "numeric", 1.0), [inner, Leaf(0, 0)]))
    X = np.array([[1.5, 0, 0, 0, 0]])
    found = boundary(tree, X, plain(tree), np.array([0]), engine=engine)
    assert (found.distance.tolist(), found.nearest_leaf.tolist()) == ([0.5], [0])
    assert not has_boundary(tree, c=2)
    assert class_distances(tree, X, plain(tree), np.array([0]), engine=engine).tolist() == [
        [0.5, 0.5, inf]
    ]


@pytest.mark.parametrize("engine", ENGINES)
def test_infinite_values_are_far_from_everything_finite(engine: str) -> None:
    tree = plant_tree(HEADER, (Split(0, "numeric", 1.0), [Leaf(0, 0), Leaf(0, 1)]))
    X = np.array([[inf, 0, 0, 0, 0], [-inf, 0, 0, 0, 0], [1e300, 0, 0, 0, 0]])
    found = boundary(tree, X, plain(tree), np.array([1, 0, 1]), engine=engine)
    assert found.distance.tolist() == [inf, inf, inf]
    assert found.nearest_leaf.tolist() == [0, 1, 0]


@pytest.mark.parametrize("engine", ENGINES)
def test_tied_leaves_give_way_to_the_first_in_the_text(engine: str) -> None:
    right = (Split(1, "numeric", 0.0), [Leaf(0, 1), Leaf(0, 1)])
    tree = plant_tree(HEADER, (Split(0, "numeric", 1.0), [Leaf(0, 0), right]))
    X = np.array([[0.0, y, 0, 0, 0] for y in (-1e-6, 0.0, 1e-6, 1e-3)])
    found = boundary(tree, X, plain(tree), np.zeros(4, dtype=int), engine=engine)
    assert found.nearest_leaf.tolist() == [1, 1, 1, 2]
    assert found.distance.tolist() == [1.0, 1.0, 1.0, 1.0]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_tree_deeper_than_the_stack_is_measured(engine: str) -> None:
    tree = chain_tree(5000)
    X = np.array([[0.5, 0.0], [2500.25, 0.0], [9000.0, 0.0]])
    predicted = own_classes(tree, X)
    found = boundary(tree, X, plain(tree), predicted, engine=engine)
    assert found.distance.tolist() == [0.5, 0.25, 4000.0]


@pytest.mark.parametrize(
    ("seed", "shape"),
    [
        (1, {"leaves": 800, "classes": 26, "grid": 16}),
        (2, {"leaves": 700, "classes": 2}),
        (3, {"leaves": 500, "classes": 5, "colours": 3, "grid": 8}),
        (4, {"leaves": 400, "classes": 150, "colours": 2}),
        (5, {"leaves": 60, "numbers": 1, "colours": 4, "classes": 70}),
    ],
)
def test_both_engines_give_the_same_bits_on_large_trees(seed: int, shape: dict[str, int]) -> None:
    pytest.importorskip("numba")
    tree = grown_tree(seed, **shape)
    grid = shape.get("grid", 0)
    X = cases_for(tree, seed, 6000, missing=0.03, grid=grid)
    predicted = own_classes(tree, X)
    predicted[::97] = -1
    scale = np.random.default_rng(seed).uniform(0.1, 3, len(tree.header))
    metric = Metric("custom", scale, 0.7)
    one = boundary(tree, X, metric, predicted, engine="numpy")
    two = boundary(tree, X, metric, predicted, engine="numba")
    np.testing.assert_array_equal(one.distance, two.distance)
    np.testing.assert_array_equal(one.nearest_leaf, two.nearest_leaf)
    alone = boundary_distance(tree, X, metric, predicted, engine="numba")
    np.testing.assert_array_equal(one.distance, alone)
    np.testing.assert_array_equal(
        class_distances(tree, X, metric, predicted, engine="numpy"),
        class_distances(tree, X, metric, predicted, engine="numba"),
    )


@given(scene=scenes())
def test_the_search_is_plain_python_too(scene: tuple[BoxTree, Floats, Metric]) -> None:
    tree, X, metric = scene
    predicted, labels = own_classes(tree, X), leaf_labels(tree)
    with pytest.MonkeyPatch.context() as patch, np.errstate(over="ignore", invalid="ignore"):
        patch.setattr(distance_numba, "compile_loop", lambda loop: loop)
        found = distance_numba.search_boundary(tree, X, metric, predicted, labels)
        classes = distance_numba.search_class_distances(tree, X, metric, predicted, labels)
    expected = boundary(tree, X, metric, predicted, engine="numpy")
    np.testing.assert_array_equal(found.distance, expected.distance)
    np.testing.assert_array_equal(found.nearest_leaf, expected.nearest_leaf)
    np.testing.assert_array_equal(
        classes, define_class_distances(tree, X, metric, predicted, labels)
    )


def test_no_cases_have_no_distances() -> None:
    tree = weather_tree()
    nothing = np.empty((0, 4))
    for engine in ENGINES:
        found = boundary(tree, nothing, plain(tree), np.empty(0, dtype=int), engine=engine)
        assert found.distance.shape == found.nearest_leaf.shape == (0,)


def test_what_does_not_fit_is_refused() -> None:
    tree = weather_tree()
    X, predicted, metric = np.zeros((2, 4)), np.zeros(2, dtype=int), plain(tree)
    with pytest.raises(MismatchError, match=r"shape \(2, 3\); expected 4 columns"):
        boundary(tree, X[:, :3], metric, predicted)
    with pytest.raises(MismatchError, match="a metric of 3 attributes; expected the tree's 4"):
        boundary(tree, X, Metric("none", np.ones(3)), predicted)
    with pytest.raises(MismatchError, match="1 predicted classes; expected one a case: 2"):
        boundary(tree, X, metric, predicted[:1])
    with pytest.raises(MismatchError, match="predicted out of range; expected at most 1"):
        boundary(tree, X, metric, predicted + 2)
    with pytest.raises(MismatchError, match=r"labels of shape \(2,\); expected one for each of 5"):
        boundary(tree, X, metric, predicted, labels=predicted)
    with pytest.raises(MismatchError, match="labels out of range; expected 0 to 1"):
        boundary(tree, X, metric, predicted, labels=np.full(5, 2))
    with pytest.raises(UnknownNameError, match="unknown engine 'fast'; known: auto, numpy, numba"):
        boundary(tree, X, metric, predicted, engine="fast")


@given(scenes(), st.data())
def test_two_cases_of_a_class_differ_in_distance_by_no_more_than_they_are_apart(
    scene: tuple[BoxTree, Floats, Metric], data: st.DataObject
) -> None:
    tree, X, metric = scene
    steps = st.lists(st.floats(-2, 2), min_size=2 * len(X), max_size=2 * len(X))
    moved = X.copy()
    moved[:, :2] += np.reshape(data.draw(steps), (len(X), 2))
    apart = np.nan_to_num((moved - X)[:, :2] / metric.scale[:2])
    predicted = own_classes(tree, X)
    here = boundary_distance(tree, X, metric, predicted)
    there = boundary_distance(tree, moved, metric, predicted)
    known = np.isfinite(here)
    step = np.sqrt((apart**2).sum(axis=1))[known]
    assert (np.abs(here[known] - there[known]) <= step * (1 + 1e-9) + 1e-9).all()
