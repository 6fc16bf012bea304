"""Explanations: what is said about a case, and that the changes do what they say."""

from __future__ import annotations

from dataclasses import replace
from math import inf, isnan, nan, sqrt

import numpy as np
import pytest
from hand_made import one_leaf_tree, weather_rows, weather_tree
from hypothesis import given
from hypothesis import strategies as st
from random_geometry import metrics
from random_trees import HEADER, datasets, plant_tree, trees

from j48geo.core.counts import NodeCounts, counts_from_data
from j48geo.core.dataset import Dataset
from j48geo.core.fitted_values import Metric
from j48geo.core.routing import find_leaves
from j48geo.core.tree import BoxTree, Leaf, Split
from j48geo.geometry.distance import boundary
from j48geo.geometry.explanation import Explanation, Step, explain
from j48geo.geometry.faces import midgap_tree
from j48geo.geometry.smallest_change import ValueChange, column_steps
from j48geo.score.prediction import predict


def classes_of(tree: BoxTree, counts: NodeCounts):
    return lambda X: predict(tree, counts, X).predicted


def weather(row: list[float], **more) -> Explanation:
    tree, rows = weather_tree(), weather_rows()
    counts = counts_from_data(tree, rows.X, rows.class_values, rows.weights)
    metric = Metric("none", np.ones(4))
    return explain(tree, np.array(row), metric, classes_of(tree, counts), **more)


@pytest.mark.parametrize(("nearer", "leaf"), [(1e-12, 0), (1e-7, 2), (1e-3, 2)])
def test_leaves_are_tied_up_to_rounding_and_no_further(nearer: float, leaf: int) -> None:
    inner = (Split(0, "numeric", 2.0 - nearer), [Leaf(0, 1), Leaf(0, 0)])
    tree = plant_tree(HEADER, (Split(0, "numeric", 0.0), [Leaf(0, 0), inner]))
    row = np.array([1.0, 0, 0, 0, 0])
    labels = np.array([leaf.label for leaf in tree.leaves])
    told = explain(tree, row, Metric("none", np.ones(5)), lambda X: labels[find_leaves(tree, X)])
    assert told.nearest_leaf == leaf


@given(trees(), datasets(min_rows=1), datasets(min_rows=1), metrics(), st.booleans())
def test_applying_the_change_gives_the_class_it_names(
    tree: BoxTree, training: Dataset, rows: Dataset, metric: Metric, in_steps: bool
) -> None:
    counts = counts_from_data(tree, training.X, training.class_values, training.weights)
    classify = classes_of(tree, counts)
    steps = column_steps(rows.X) if in_steps else None
    for row in rows.X[:4]:
        told = explain(tree, row, metric, classify, steps=steps)
        for flip in (*told.per_class, *((told.flip,) if told.flip else ())):
            changed = row.copy()
            for change in flip.changes:
                before = changed[change.attribute]
                assert change.before == before or (isnan(change.before) and isnan(before))
                changed[change.attribute] = change.to
            np.testing.assert_array_equal(changed, flip.changed)
            assert classify(changed[None])[0] == flip.flips_to != told.predicted
        classes = [flip.flips_to for flip in told.per_class]
        assert classes == sorted(set(classes))


@given(trees(), datasets(min_rows=1), datasets(min_rows=1), metrics())
def test_a_case_that_some_change_flips_is_told_one_and_the_smallest(
    tree: BoxTree, training: Dataset, rows: Dataset, metric: Metric
) -> None:
    """Where every leaf gives its own label, the change leads into the nearest leaf."""
    full = tuple(replace(leaf, weight=1.0, errors=0.0) for leaf in tree.leaves)
    exact = tuple(
        n if n.split is None else replace(n, split=replace(n.split, slack=0.0)) for n in tree.nodes
    )
    tree = replace(tree, leaves=full, nodes=exact, tolerance=0.0)
    per_class = np.zeros((tree.size, 3))
    for leaf, node in zip(tree.leaves, tree.leaf_nodes, strict=True):
        per_class[node, leaf.label] = 1.0
    for node in reversed(tree.nodes):
        if node.children:
            per_class[node.index] = per_class[list(node.children)].sum(axis=0)
    counts = NodeCounts(per_class, per_class.sum(axis=1), "data", per_class)
    classify = classes_of(tree, counts)
    for row in rows.X[:4]:
        told = explain(tree, row, metric, classify)
        found = boundary(tree, row[None], metric, np.array([told.predicted]))
        assert (told.distance, told.nearest_leaf) == (found.distance[0], found.nearest_leaf[0])
        if told.nearest_leaf < 0:
            assert told.flip is None
            continue
        assert told.flip is not None
        assert told.flip.leaf == told.nearest_leaf
        assert told.flip.flips_to == tree.leaves[told.nearest_leaf].label
        assert told.flip.distance == pytest.approx(told.distance, rel=1e-9, abs=1e-12)
        squares = sum(c.scaled**2 for c in told.flip.changes)
        assert np.sqrt(squares) == pytest.approx(told.distance, rel=1e-9, abs=1e-9)


@given(
    trees(),
    datasets(min_rows=1),
    datasets(min_rows=1),
    metrics(),
    st.sampled_from([0.0, 1.0, 10.0]),
    st.booleans(),
)
def test_no_change_told_for_a_class_is_smaller_than_the_smallest(
    tree: BoxTree, training: Dataset, rows: Dataset, metric: Metric, step: float, midgap: bool
) -> None:
    counts = counts_from_data(tree, training.X, training.class_values, training.weights)
    faces = midgap_tree(tree, training.X) if midgap else None
    steps = np.full(rows.X.shape[1], step)
    classify = classes_of(tree, counts)
    for row in rows.X[:4]:
        told = explain(tree, row, metric, classify, steps=steps, face_tree=faces)
        alone = explain(
            tree, row, metric, classify, steps=steps, face_tree=faces, per_class=False
        ).flip
        sizes = [sqrt(sum(c.scaled**2 for c in flip.changes)) for flip in told.per_class]
        for flip in (told.flip, alone):
            if flip is not None and sizes:
                size = sqrt(sum(c.scaled**2 for c in flip.changes))
                assert size <= min(sizes) * (1 + 1e-8) + 1e-12


def test_a_value_must_go_past_a_greater_than() -> None:
    told = weather([0, 70.0, 0, nan])
    assert told.predicted == 0
    assert [(s.node, s.relation, s.category) for s in told.path] == [(0, "=", 0), (1, "<=", -1)]
    assert told.path[1] == Step(1, 1, 70.0, 0, "<=", 75.0, -1)
    assert (told.leaf, told.nearest_leaf, told.distance) == (0, 3, 1.0)
    to_no = weather([0, 74.5, 0, nan]).flip
    assert to_no is not None
    (change,) = to_no.changes
    assert (change.attribute, change.before, change.relation) == (1, 74.5, ">")
    assert (change.threshold, change.node) == (75.0, 1)
    assert change.to == np.nextafter(75.0, inf)
    assert change.beyond == change.to - 75.0 > 0


def test_a_step_past_the_threshold_can_be_a_sensible_one() -> None:
    flip = weather([0, 74.5, 0, nan], steps=np.array([0, 0.5, 0, 0])).flip
    assert flip is not None
    assert flip.changes[0].to == 75.5
    assert flip.changes[0].beyond == 0.5


def test_the_threshold_itself_will_do_for_at_most() -> None:
    flip = weather([0, 75.25, 1, nan]).flip
    assert flip is not None
    assert flip.changes == (ValueChange(1, 75.25, 75.0, "<=", 75.0, 0.0, (), 1, 0.25),)


def test_a_nominal_change_lists_all_choices() -> None:
    flip = weather([2, 60.0, 0, nan]).flip  # rainy and windy: no
    assert flip is not None
    (change,) = flip.changes
    assert (change.attribute, change.to, change.relation) == (0, 0.0, "in")
    assert change.choices == (0,)
    assert isnan(change.threshold)


def test_a_missing_value_is_filled_in_where_the_leaf_asks_for_it() -> None:
    told = weather([0, nan, 0, nan])
    assert (told.leaf, [s.node for s in told.path]) == (-1, [0])
    assert told.distance == 0.0
    assert told.flip is not None
    (change,) = told.flip.changes
    assert (change.attribute, change.scaled) == (1, 0.0)
    assert isnan(change.before)


def test_one_class_only_has_nothing_to_flip_to() -> None:
    tree = one_leaf_tree()
    told = explain(
        tree, np.zeros(4), Metric("none", np.ones(4)), lambda X: np.zeros(len(X), dtype=np.intp)
    )
    assert (told.distance, told.nearest_leaf, told.flip, told.per_class) == (inf, -1, None, ())
    assert told.separator is None
    assert np.isnan(told.projection).all()


def test_an_unknown_class_has_nothing_to_flip_from() -> None:
    told = explain(
        weather_tree(),
        np.array([0, nan, 0, nan]),
        Metric("none", np.ones(4)),
        lambda X: np.full(len(X), -1),
    )
    assert isnan(told.distance)
    assert (told.predicted, told.nearest_leaf, told.flip, told.per_class) == (-1, -1, None, ())


def test_the_strict_dialect_stops_before_the_threshold() -> None:
    tree = plant_tree(HEADER, (Split(0, "numeric", 1.0, closed=False), [Leaf(0, 0), Leaf(0, 1)]))
    said = {False: 1, True: 0}

    def classify(X: np.ndarray) -> np.ndarray:
        return np.array([said[bool(x < 1.0)] for x in X[:, 0]])

    metric = Metric("none", np.ones(5))
    down = explain(tree, np.array([2.0, 0, 0, 0, 0]), metric, classify).flip
    assert down is not None
    assert (down.changes[0].relation, down.changes[0].to) == ("<", np.nextafter(1.0, -inf))
    up = explain(tree, np.array([0.0, 0, 0, 0, 0]), metric, classify).flip
    assert up is not None
    assert (up.changes[0].relation, up.changes[0].to, up.changes[0].beyond) == (">=", 1.0, 0.0)


def test_midgap_faces_are_measured_and_the_true_ones_changed() -> None:
    faces = midgap_tree(weather_tree(), weather_rows().X)
    told = weather([0, 75.0, 1, nan], face_tree=faces)
    assert told.distance == np.sqrt(2)  # to a windy rainy day; the face is 7.5 away
    assert told.nearest_leaf == 3
    on_the_face = weather([0, 82.5, 1, nan], face_tree=faces)
    assert (on_the_face.predicted, on_the_face.distance) == (1, 0.0)
    assert on_the_face.flip is not None
    assert on_the_face.flip.size == 1.0  # another outlook; humidity would have to change by 7.5
    near_the_test = weather([0, 75.25, 1, nan], face_tree=faces)
    assert (near_the_test.predicted, near_the_test.distance) == (1, 0.0)
    assert near_the_test.flip is not None
    assert near_the_test.flip.changes[0].to == 75.0


def test_the_step_of_a_column_is_its_last_decimal() -> None:
    X = np.array([[1.0, 0.25, 1 / 3, nan, 1e300], [3.0, nan, 0.5, nan, 1.0]])
    assert column_steps(X).tolist() == [1.0, 0.01, 0.0, 0.0, 0.0]
