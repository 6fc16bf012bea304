"""Weka's answers, compared with its recursion in plain loops."""

from __future__ import annotations

from dataclasses import replace
from math import nan

import literal_weka
import numpy as np
from hand_made import weather_rows, weather_tree
from hypothesis import assume, given
from hypothesis import strategies as st
from random_trees import HEADER, datasets, plant_tree, trees

from j48geo.core.counts import NodeCounts, counts_from_data, counts_from_text
from j48geo.core.dataset import Dataset
from j48geo.core.tree import BoxTree, Leaf, Split
from j48geo.score.prediction import is_contradicted, leaf_distributions, predict

SUNNY, OVERCAST, RAINY = 0, 1, 2
YES, NO = 0, 1


@given(trees(), datasets(min_rows=1), datasets(), st.booleans())
def test_answers_are_those_of_the_recursion(
    tree: BoxTree, training: Dataset, rows: Dataset, laplace: bool
) -> None:
    counts = counts_from_data(tree, training.X, training.class_values, training.weights)
    if (counts.bag != counts.per_class).any():  # the plain loops know no bags
        own = counts.per_class
        counts = NodeCounts(own, own.sum(axis=1), "data", own)
    found = counts.per_class.tolist()
    said = predict(tree, counts, rows.X, laplace=laplace)
    for i, row in enumerate(rows.X.tolist()):
        raw = literal_weka.distribution(tree, found, row, False)
        expected = literal_weka.distribution(tree, found, row, True) if laplace else raw
        np.testing.assert_allclose(said.distribution[i], expected, rtol=1e-12, atol=1e-12)
        if max(raw) > 0:
            best = literal_weka.classify(raw)
            assert raw[said.classified[i]] >= raw[best] - 1e-12
        if max(expected) > 0:
            assert expected[said.predicted[i]] >= max(expected) - 1e-12


@given(trees(), datasets(min_rows=1), datasets(), st.booleans())
def test_answers_from_stored_totals_are_those_of_the_recursion_to_the_bit(
    tree: BoxTree, training: Dataset, rows: Dataset, laplace: bool
) -> None:
    counts = counts_from_data(tree, training.X, training.class_values, training.weights)
    leaf = np.array([node.is_leaf for node in tree.nodes])
    total = counts.per_class.sum(axis=1)
    assume((total[~leaf] > 0).all())
    counts = replace(counts, total=total, empty=leaf & (total <= 1e-6))
    said = predict(tree, counts, rows.X, laplace=laplace)
    for i, row in enumerate(rows.X.tolist()):
        raw = literal_weka.stored_distribution(tree, counts, row, False)
        expected = literal_weka.stored_distribution(tree, counts, row, laplace)
        assert said.distribution[i].tolist() == expected
        assert said.classified[i] == literal_weka.classify(raw)


def test_a_leaf_gives_its_shares() -> None:
    tree, rows = weather_tree(), weather_rows()
    counts = counts_from_data(tree, rows.X, rows.class_values, rows.weights)
    said = predict(tree, counts, np.array([[RAINY, 80.0, 1.0, nan], [SUNNY, 75.0, nan, nan]]))
    assert said.distribution.tolist() == [[0.75, 0.25], [1.0, 0.0]]
    assert said.predicted.tolist() == said.classified.tolist() == [YES, YES]
    assert said.leaf.tolist() == [4, 0]


def test_laplace_smooths_the_distribution_only() -> None:
    tree, rows = weather_tree(), weather_rows()
    counts = counts_from_data(tree, rows.X, rows.class_values, rows.weights)
    said = predict(tree, counts, np.array([[RAINY, 80.0, 1.0, nan]]), laplace=True)
    assert said.distribution.tolist() == [[4 / 6, 2 / 6]]
    assert said.classified.tolist() == [YES]


def test_a_missing_value_mixes_the_leaves() -> None:
    tree = weather_tree()
    counts = counts_from_text(tree)
    said = predict(tree, counts, np.array([[nan, 90.0, 0.0, nan]]))
    # sunny 5/15 no, overcast 4/15 yes, rainy 6/15 no
    np.testing.assert_allclose(said.distribution, [[4 / 15, 11 / 15]])
    assert said.predicted.tolist() == [NO]
    assert said.leaf.tolist() == [-1]


def three_branches(*counts: list[float]) -> tuple[BoxTree, NodeCounts]:
    """A split over three colours with these class counts at its leaves."""
    leaves = [Leaf(0, int(np.argmax(c))) for c in counts]
    tree = plant_tree(HEADER, (Split(2, "multiway"), leaves))
    per_class = np.array([np.sum(counts, axis=0), *counts], dtype=np.float64)
    return tree, NodeCounts(per_class, per_class.sum(axis=1), "data", per_class)


def test_an_empty_leaf_answers_with_its_parent() -> None:
    tree, counts = three_branches([3, 1, 0], [0, 0, 0], [0, 4, 0])
    row = np.array([[0, 0, 1.0, 0, nan]])
    assert predict(tree, counts, row).distribution.tolist() == [[3 / 8, 5 / 8, 0]]
    smoothed = predict(tree, counts, row, laplace=True)
    assert smoothed.distribution.tolist() == [[4 / 11, 6 / 11, 1 / 11]]
    assert smoothed.leaf.tolist() == [1]


def test_an_empty_leaf_has_no_share_of_a_missing_value() -> None:
    tree, counts = three_branches([3, 1, 0], [0, 0, 0], [0, 4, 0])
    said = predict(tree, counts, np.array([[0, 0, nan, 0, nan]]))
    assert said.distribution.tolist() == [[3 / 8, 5 / 8, 0]]


def test_what_only_the_parent_counted_answers_for_an_empty_leaf() -> None:
    tree, counts = three_branches([3, 1, 0], [0, 0, 0], [0, 4, 0])
    bag = counts.per_class.copy()
    bag[2] = [0, 0, 2e-6]
    counts = replace(counts, bag=bag, weight=bag.sum(axis=1))
    assert leaf_distributions(tree, counts)[1].tolist() == [0, 0, 1]


def test_the_first_of_equal_classes_wins() -> None:
    tree, counts = three_branches([0, 2, 2], [1, 0, 1], [1, 1, 1])
    said = predict(tree, counts, np.array([[0, 0, float(k), 0, nan] for k in range(3)]))
    assert said.predicted.tolist() == said.classified.tolist() == [1, 0, 0]


def test_sums_that_differ_by_rounding_are_equal() -> None:
    tree, counts = three_branches([0.1 + 0.2, 0.3, 0], [0.3, 0.1 + 0.2, 0], [1, 0, 0])
    said = predict(tree, counts, np.array([[0, 0, 0.0, 0, nan], [0, 0, 1.0, 0, nan]]))
    assert said.predicted[0] == 0
    tree = replace(tree, leaves=(*tree.leaves[:1], Leaf(1, 0), *tree.leaves[2:]))
    assert predict(tree, counts, np.array([[0, 0, 1.0, 0, nan]])).predicted.tolist() == [0]


def test_where_no_sum_was_rounded_the_last_bit_decides_as_in_weka() -> None:
    # By hand both classes get 5/11 of a case whose value is missing.
    tree, counts = three_branches([1, 2, 0], [3, 2, 0], [1, 1, 1])
    case = np.array([[0, 0, nan, 0, nan]])
    said = predict(tree, counts, case)
    assert counts.exact
    assert said.distribution[0].tolist()[:2] == [0.4545454545454545, 0.45454545454545453]
    assert said.predicted.tolist() == [1]
    thirds = NodeCounts(counts.per_class / 3, counts.weight / 3, "data", counts.bag / 3)
    assert not thirds.exact
    assert predict(tree, thirds, case).predicted.tolist() == [0]


@given(trees(), datasets(min_rows=1), datasets())
def test_weights_that_cannot_round_leave_nothing_to_a_tolerance(
    tree: BoxTree, training: Dataset, rows: Dataset
) -> None:
    counts = counts_from_data(tree, training.X, training.class_values, training.weights)
    assume(counts.exact)
    said = predict(tree, counts, rows.X)
    largest = said.distribution.max(axis=1, initial=0.0)
    chosen = said.distribution[np.arange(len(rows)), said.predicted]
    assert (chosen == largest)[largest > 0].all()


def test_the_two_rules_differ_where_a_class_leads_by_less_than_a_millionth() -> None:
    lead = 4e-7
    tree, counts = three_branches([0.5 - lead / 2, 0.5 + lead / 2, 0], [1, 0, 0], [1, 0, 0])
    said = predict(tree, counts, np.array([[0, 0, 0.0, 0, nan]]))
    assert said.predicted.tolist() == [1]
    assert said.classified.tolist() == [0]


def test_more_than_two_classes_leave_the_text_silent_but_for_the_label() -> None:
    leaves = [Leaf(0, 0, 5.0, 2.0), Leaf(0, 1, 0.0), Leaf(0, 2, 4.0)]
    tree = plant_tree(HEADER, (Split(2, "multiway"), leaves))
    said = predict(tree, counts_from_text(tree), np.array([[0, 0, k, 0, nan] for k in (0, 1, 2)]))
    assert np.isnan(said.distribution[:2]).all()
    assert said.distribution[2].tolist() == [0, 0, 1]
    assert said.predicted.tolist() == said.classified.tolist() == [0, 1, 2]


def test_a_divided_case_is_known_where_all_its_leaves_say_the_same() -> None:
    same = (Split(1, "numeric", 0.0), [Leaf(0, 0, 5.0, 2.0), Leaf(0, 0, 3.0, 1.0)])
    tree = plant_tree(HEADER, (Split(0, "numeric", 0.5), [same, Leaf(0, 2, 4.0, 1.0)]))
    X = np.array([[0.0, nan, 0, 0, nan], [nan, 0.0, 0, 0, nan]])
    said = predict(tree, counts_from_text(tree), X)
    assert said.predicted.tolist() == said.classified.tolist() == [0, -1]
    assert said.leaf.tolist() == [-1, -1]
    assert np.isnan(said.distribution).all()


def test_a_tree_without_counts_still_gives_its_labels() -> None:
    tree = plant_tree(HEADER, (Split(0, "numeric", 0.5), [Leaf(0, 2), Leaf(0, 1)]))
    said = predict(tree, counts_from_text(tree), np.array([[0.0] * 5, [1.0] * 5, [nan] * 5]))
    assert said.predicted.tolist() == [2, 1, -1]
    assert np.isnan(said.distribution).all()


def test_a_tree_grown_from_nothing_answers_with_its_label() -> None:
    tree = plant_tree(HEADER, Leaf(0, 0, 0.0))
    said = predict(tree, counts_from_text(tree), np.array([[nan] * 5]))
    assert said.distribution.tolist() == [[0, 0, 0]]
    assert said.predicted.tolist() == [0]
    smoothed = predict(tree, counts_from_text(tree), np.array([[nan] * 5]), laplace=True)
    np.testing.assert_allclose(smoothed.distribution, 1 / 3)


def test_no_rows_give_no_answers() -> None:
    tree = weather_tree()
    said = predict(tree, counts_from_text(tree), np.empty((0, 4)))
    assert said.distribution.shape == (0, 2)
    assert len(said.predicted) == len(said.classified) == len(said.leaf) == 0


def test_predicting_leaves_the_tree_as_it_was() -> None:
    tree = weather_tree()
    before = tree.digest()
    predict(tree, counts_from_text(tree), weather_rows().X, laplace=True)
    assert tree.digest() == before


def test_classes_a_hair_apart_are_equal_and_two_hairs_apart_are_not() -> None:
    near = np.array([[0.5 - 2e-13, 0.5 + 2e-13], [0.5 - 2e-12, 0.5 + 2e-12]])
    assert is_contradicted(near, np.array([0, 0])).tolist() == [False, True]
