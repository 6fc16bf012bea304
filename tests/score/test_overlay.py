from __future__ import annotations

from dataclasses import replace
from math import nan

import numpy as np
from hand_made import one_leaf_tree, weather_rows, weather_tree

from j48geo.core.counts import counts_from_data, counts_from_text
from j48geo.core.tree import BoxTree, Options
from j48geo.score.prediction import predict
from j48geo.score.setting import label_overlay, overlay_classes


def turned(tree: BoxTree, leaf: int) -> BoxTree:
    """The tree with another label at one leaf, and errors that fit it."""
    old = tree.leaves[leaf]
    assert old.weight is not None
    new = replace(old, label=1 - old.label, errors=old.weight - (old.errors or 0.0), token="")
    return replace(tree, leaves=(*tree.leaves[:leaf], new, *tree.leaves[leaf + 1 :]))


def test_majority_labels_are_no_overlay() -> None:
    for tree in (weather_tree(), one_leaf_tree()):
        assert label_overlay(tree, counts_from_text(tree)) is None


def test_a_relabelled_tree_is_known_by_its_counts_from_text_or_rows() -> None:
    tree, rows = turned(weather_tree(), 4), weather_rows()
    for counts in (
        counts_from_text(tree),
        counts_from_data(tree, rows.X, rows.class_values, rows.weights),
    ):
        labels = label_overlay(tree, counts)
        assert labels is not None
        assert labels.tolist() == [0, 1, 0, 1, 1]


def test_an_even_leaf_and_rounded_counts_are_no_sign_of_new_labels() -> None:
    tree = one_leaf_tree()
    for weight, errors in ((4.0, 2.0), (0.01, 0.01), (3.01, 1.51)):
        even = replace(tree, leaves=(replace(tree.leaves[0], weight=weight, errors=errors),))
        assert label_overlay(even, counts_from_text(even)) is None


def test_a_case_has_the_label_of_its_leaf_and_a_divided_one_weighs_its_leaves() -> None:
    tree = replace(weather_tree(), options=Options(laplace=False))
    counts = counts_from_text(tree)
    X = np.array([[1, 80, 1, nan], [2, 80, nan, nan], [nan, 70, 0, nan], [0, nan, 0, nan]])
    weka = predict(tree, counts, X)
    assert weka.leaf.tolist() == [2, -1, -1, -1]
    own = np.array([x.label for x in tree.leaves])
    assert overlay_classes(tree, counts, X, own, weka).tolist() == weka.predicted.tolist()
    # Leaf 5 (3 yes, 1 no) speaks for no with 3/4 now: rainy is no with 2/6 + 4/6 * 3/4. The
    # other rows do not reach it, whichever way they are divided.
    changed = np.array([0, 1, 0, 1, 1])
    assert weka.predicted.tolist() == [0, 0, 0, 1]
    assert overlay_classes(tree, counts, X, changed, weka).tolist() == [0, 1, 0, 1]


def test_a_divided_case_keeps_wekas_class_if_no_leaf_it_reaches_has_a_new_label() -> None:
    tree = weather_tree()
    counts = counts_from_text(tree)
    X = np.array([[2, 80, nan, nan], [nan, 70, 0, nan]])
    weka = predict(tree, counts, X)
    other = replace(weka, predicted=1 - weka.predicted)  # whatever Weka may have said
    own = np.array([x.label for x in tree.leaves])
    assert overlay_classes(tree, counts, X, own, other).tolist() == other.predicted.tolist()


def test_without_distributions_the_larger_part_of_a_divided_case_decides() -> None:
    tree = weather_tree()
    counts = counts_from_text(tree)
    blind = replace(counts, per_class=np.full_like(counts.per_class, nan))
    X = np.array([[2, 80, nan, nan]])
    labels = np.array([0, 0, 0, 0, 1])
    assert overlay_classes(tree, blind, X, labels, predict(tree, blind, X)).tolist() == [1]
