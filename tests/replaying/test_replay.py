"""Counting again: what agrees, what differs, and what the counts decide."""

from __future__ import annotations

from dataclasses import replace
from math import nan
from typing import Any

import literal_weka
import numpy as np
from hand_made import WEATHER, chain_tree, weather_rows, weather_tree
from hypothesis import given
from hypothesis import strategies as st
from random_trees import datasets, plant_tree, trees

from j48geo.core.counts import counts_from_data
from j48geo.core.dataset import Attribute, Dataset, Header
from j48geo.core.tree import BoxTree, Leaf, Options, Split, TreeLayout
from j48geo.java.numbers import leaf_counts_to_string, round_count
from j48geo.replaying.replay import replay
from j48geo.replaying.stratify import select_growing_rows

LINE = Header("line", (Attribute("x"), Attribute("class", "nominal", ("a", "b"))), 1)


def with_counts(tree: BoxTree, rows: Dataset) -> BoxTree:
    """The tree as Weka would print it after training on these rows."""
    counts = counts_from_data(tree, rows.X, rows.class_values, rows.weights)
    leaves = []
    for leaf, node in zip(tree.leaves, tree.leaf_nodes, strict=True):
        weight = float(counts.bag[node].sum())
        errors = weight - float(counts.bag[node, leaf.label])
        token = leaf_counts_to_string(weight, errors)
        wrong = round_count(errors) if "/" in token else None
        leaves.append(replace(leaf, weight=round_count(weight), errors=wrong, token=token))
    return replace(tree, leaves=tuple(leaves))


def line_rows(*rows: tuple[float, int], weights: list[float] | None = None) -> Dataset:
    X = np.array(rows, dtype=np.float64).reshape(-1, 2)
    return Dataset(LINE, X, np.ones(len(X)) if weights is None else np.array(weights))


def stump(split: Split, left: str, right: str, labels: tuple[int, int] = (0, 1), **more: Any):
    """A tree of one split whose leaves print these counts."""
    leaves = []
    for token, label in zip((left, right), labels, strict=True):
        weight, _, errors = token.strip("()").partition("/")
        wrong = float(errors) if errors else None
        leaves.append(Leaf(0, label, float(weight), wrong, token, 3 + len(leaves)))
    return plant_tree(LINE, (split, leaves), **more)


def test_rows_of_the_training_give_back_every_count() -> None:
    result = replay(weather_tree(), weather_rows())
    assert result.ok
    assert result.recognised
    assert result.differences == result.restored == result.notes == ()
    assert result.compared == 5
    assert result.counts.per_class[0].tolist() == [9, 6]


def test_a_leaf_that_differs_is_shown_with_both_counts() -> None:
    rows = weather_rows()
    X = rows.X.copy()
    X[0, 1] = 76.0
    result = replay(weather_tree(), replace(rows, X=X))
    assert not result.ok
    assert not result.recognised
    told = [(d.leaf, d.line, d.printed_weight, d.weight, d.errors) for d in result.differences]
    assert told == [(0, 5, 2.0, 1.0, 0.0), (1, 6, 3.0, 4.0, 1.0)]


def test_other_rows_are_said_to_weigh_something_else() -> None:
    rows = weather_rows()
    result = replay(weather_tree(), replace(rows, X=rows.X[:7], weights=rows.weights[:7]))
    assert not result.ok
    assert result.notes == ("the leaves hold 15 in all, the data has 7",)


def test_data_without_an_attribute_of_the_tree_does_not_replay() -> None:
    rows = weather_rows()
    header = Header("other", (WEATHER.attributes[0], WEATHER.attributes[3]), 1)
    result = replay(weather_tree(), Dataset(header, rows.X[:, [0, 3]], rows.weights))
    assert not result.ok
    said = "the data: no column 'humidity', which the model asks for; it has outlook, play"
    assert result.notes == (said,)
    assert result.counts.source == "text"


def test_columns_in_another_order_are_found_by_name() -> None:
    rows = weather_rows()
    order = [3, 2, 1, 0]
    header = Header("turned", tuple(WEATHER.attributes[k] for k in order), 1)
    result = replay(weather_tree(), Dataset(header, rows.X[:, order], rows.weights))
    assert result.ok
    assert result.tree.header.class_index == 0


def test_rows_without_a_class_do_not_count_and_are_mentioned() -> None:
    rows = weather_rows()
    X = np.vstack([rows.X, [[0, 70, 0, nan]]])
    result = replay(weather_tree(), Dataset(WEATHER, X, np.ones(len(X))))
    assert result.ok
    assert result.notes == ("1 rows without a class do not count",)


@given(trees(), datasets())
def test_what_weka_would_print_replays(tree: BoxTree, rows: Dataset) -> None:
    result = replay(with_counts(tree, rows), rows)
    assert result.ok
    assert result.differences == ()


@given(trees(), datasets(min_rows=1), st.data())
def test_a_changed_count_is_found(tree: BoxTree, rows: Dataset, data: st.DataObject) -> None:
    printed = with_counts(tree, rows)
    k = data.draw(st.integers(0, len(printed.leaves) - 1))
    leaf = printed.leaves[k]
    assert leaf.weight is not None
    wrong = replace(leaf, weight=leaf.weight + data.draw(st.sampled_from((-0.02, 0.02, 1.0))))
    leaves = (*printed.leaves[:k], wrong, *printed.leaves[k + 1 :])
    result = replay(replace(printed, leaves=leaves, options=Options(reduced_error=False)), rows)
    assert not result.ok
    assert k in [d.leaf for d in result.differences]


def test_weights_and_fractions_agree_up_to_two_decimals() -> None:
    rows = line_rows((0, 0), (1, 0), (3, 1), (nan, 1), weights=[1.25, 1.0, 1.5, 1.0])
    # known weight 2.25 left of 3.75 in all: the missing one goes 0.6 left and 0.4 right
    result = replay(stump(Split(0, "numeric", 1.0), "(2.85/0.6)", "(1.9)"), rows)
    assert result.ok
    assert not replay(stump(Split(0, "numeric", 1.0), "(2.86/0.6)", "(1.9)"), rows).ok


def test_no_slash_and_slash_nought_differ() -> None:
    rows = line_rows((0, 0), (0, 1), (3, 1), weights=[1.0, 0.001, 1.0])
    assert replay(stump(Split(0, "numeric", 1.0), "(1.0/0.0)", "(1.0)"), rows).ok
    assert not replay(stump(Split(0, "numeric", 1.0), "(1.0)", "(1.0)"), rows).ok
    assert not replay(stump(Split(0, "numeric", 1.0), "(1.0/0.0)", "(1.0/0.0)"), rows).ok


def test_counts_that_saturate_agree() -> None:
    rows = line_rows((0, 0), (3, 1), weights=[3e17, 1.0])
    full = "(9.223372036854776E16)"
    assert replay(stump(Split(0, "numeric", 1.0), full, "(1.0)"), rows).ok
    assert not replay(stump(Split(0, "numeric", 1.0), "(1.0)", full), rows).ok


THIRD = 1 / 3


def third(**more: Any) -> BoxTree:
    split = Split(0, "numeric", 0.333333, slack=5e-7, token="0.333333")
    return stump(split, "(2.0)", "(2.0)", **more)


def test_a_rounded_threshold_is_restored_to_the_value_of_a_row() -> None:
    rows = line_rows((0.1, 0), (THIRD, 0), (0.5, 1), (0.6, 1))
    result = replay(third(), rows)
    assert result.ok
    ((node, attribute, printed, value),) = [
        (r.node, r.attribute, r.printed, r.value) for r in result.restored
    ]
    assert (node, attribute, printed, value) == (0, "x", "0.333333", THIRD)
    split = result.tree.nodes[0].split
    assert split is not None
    assert (split.threshold, split.slack) == (THIRD, 0.0)


def test_a_threshold_that_is_printed_exactly_loses_its_slack_only() -> None:
    rows = line_rows((0.1, 0), (0.333333, 0), (0.5, 1), (0.6, 1))
    result = replay(third(), rows)
    assert result.ok
    assert result.restored == ()
    split = result.tree.nodes[0].split
    assert split is not None
    assert split.slack == 0.0


def test_the_largest_of_several_values_is_taken_even_from_a_row_without_class() -> None:
    larger = THIRD + 1e-8
    rows = line_rows((0.1, 0), (THIRD, 0), (0.5, 1), (0.6, 1), (larger, nan))
    assert [r.value for r in replay(third(), rows).restored] == [larger]


def test_without_a_fitting_value_the_threshold_keeps_its_slack() -> None:
    rows = line_rows((0.1, 0), (0.2, 0), (0.5, 1), (0.6, 1))
    result = replay(third(), rows)
    assert result.ok
    assert result.restored == ()
    assert result.notes == (
        "1 threshold known to the printed decimals only: not restored from values of the data",
    )


def test_thresholds_are_not_moved_to_a_row_near_by() -> None:
    rows = line_rows((0.1, 0), (THIRD, 0), (0.5, 1), (0.6, 1))
    result = replay(third(options=Options(midpoint=True)), rows)
    assert result.ok
    assert result.restored == ()


def test_a_threshold_stays_as_printed_where_that_agrees_better() -> None:
    # Both rows fit the printed number, but the counts say that they part.
    low, high = 0.3333329, 0.3333333
    split = Split(0, "numeric", 0.333333, slack=1e-7, token="0.333333")
    rows = line_rows((0.1, 0), (low, 0), (high, 1), (0.6, 1))
    result = replay(stump(split, "(2.0)", "(2.0)"), rows)
    assert result.ok
    assert result.restored == ()


def test_a_smaller_value_is_taken_where_only_that_gives_back_the_counts() -> None:
    smaller, larger = 0.3333331, 0.3333334
    rows = line_rows((0.1, 0), (smaller, 0), (larger, 1), (0.6, 1))
    result = replay(third(), rows)
    assert result.ok
    assert [r.value for r in result.restored] == [smaller]


def test_values_are_not_tried_out_for_rows_that_differ_anyway() -> None:
    rows = line_rows((0.1, 0), (0.3333331, 1), (0.3333334, 1), (0.6, 0))
    result = replay(third(), rows)
    assert not result.ok
    assert [r.value for r in result.restored] == [0.3333334]


def test_other_producers_thresholds_move_only_if_that_is_better() -> None:
    split = Split(0, "numeric", 0.33, token="0.33")
    rows = line_rows((0.1, 0), (THIRD, 0), (0.5, 1), (0.6, 1))
    other = TreeLayout(dialect="unico")
    better = replay(stump(split, "(2.0)", "(2.0)", layout=other), rows)
    assert better.ok
    assert [r.value for r in better.restored] == [THIRD]
    as_printed = replay(stump(split, "(1.0)", "(3.0/1.0)", layout=other), rows)
    assert as_printed.ok
    assert as_printed.restored == ()


def on_the_edge(**more: Any) -> tuple[BoxTree, Dataset]:
    """A tree whose counts put a row 5e-7 above the threshold on its left."""
    rows = line_rows((0.5, 0), (1.0, 0), (1.0 + 8e-7, 0), (2.0, 1))
    return stump(Split(0, "numeric", 1.0), "(3.0)", "(1.0)", **more), rows


def test_the_comparison_of_old_weka_is_found_by_the_counts() -> None:
    tree, rows = on_the_edge()
    result = replay(tree, rows)
    assert result.ok
    assert result.tree.tolerance == 1e-6
    assert result.notes == (
        "the counts agree only with the comparison of Weka before 3.8.3, x - t < 1e-6",
    )


def test_the_comparison_of_old_weka_is_not_tried_on_a_text_of_a_new_one() -> None:
    tree, rows = on_the_edge(options=Options(old_weka=False))
    result = replay(tree, rows)
    assert not result.ok
    assert [d.on_threshold for d in result.differences] == [(2, 3), (2, 3)]


def test_the_exact_comparison_is_found_though_the_text_looks_old() -> None:
    rows = line_rows((0.5, 0), (1.0, 0), (1.0 + 8e-7, 1), (2.0, 1))
    tree = stump(
        Split(0, "numeric", 1.0),
        "(2.0)",
        "(2.0)",
        options=Options(old_weka=True),
        tolerance=1e-6,
    )
    result = replay(tree, rows)
    assert result.ok
    assert result.tree.tolerance == 0
    assert result.notes == (
        "the counts agree only with the comparison of Weka since 3.8.3, x <= t",
    )


def reduced_error(options: Options, folds: int) -> tuple[BoxTree, Dataset]:
    rng = np.random.default_rng(5)
    x = rng.integers(0, 10, 40)
    labels = (x + rng.integers(0, 4, 40) > 6).astype(int)
    rows = line_rows(*zip(x.tolist(), labels.tolist(), strict=True))
    kept = literal_weka.select_growing_rows(labels.tolist(), folds)
    tree = plant_tree(LINE, (Split(0, "numeric", 5.0), [Leaf(0, 0), Leaf(0, 1)]), options=options)
    return with_counts(tree, replace(rows, X=rows.X[kept], weights=rows.weights[kept])), rows


def test_reduced_error_pruning_counts_the_growing_set() -> None:
    tree, rows = reduced_error(Options(reduced_error=True, folds=4), 4)
    result = replay(tree, rows)
    assert result.ok
    assert result.growing_set
    assert result.counts.weight[0] == 30
    assert result.notes == (
        "the counts are those of the growing set of reduced-error pruning (-R): 30 of 40 rows",
    )


def test_the_growing_set_is_found_if_the_text_does_not_say() -> None:
    tree, rows = reduced_error(Options(), 3)
    assert replay(tree, rows).growing_set


def test_the_growing_set_is_not_tried_if_the_text_denies_it() -> None:
    tree, rows = reduced_error(Options(reduced_error=False), 3)
    result = replay(tree, rows)
    assert not result.ok
    assert not result.growing_set


def test_right_and_wrong_counts_are_told_from_weka_s_by_the_rows() -> None:
    rows = line_rows(*[(0, 0)] * 9, *[(0, 1)] * 4, (5, 1))
    split = Split(0, "numeric", 1.0)
    tree = stump(split, "(9.0/4.0)", "(1.0)", layout=TreeLayout(dialect="unico"))
    result = replay(tree, rows)
    assert result.ok
    assert result.notes == ("(n/e) counts n right and e wrong cases here, not e wrong ones of n",)
    assert result.tree.leaves[0].weight == 13
    assert not replay(stump(split, "(9.0/4.0)", "(1.0)"), rows).ok
    weka_s = stump(split, "(13.0/4.0)", "(1.0)", layout=TreeLayout(dialect="unico"))
    assert replay(weka_s, rows).notes == ()


def test_a_text_without_counts_agrees_with_everything_and_recognises_nothing() -> None:
    tree = plant_tree(LINE, (Split(0, "numeric", 1.0), [Leaf(0, 0), Leaf(0, 1)]))
    result = replay(tree, line_rows((0, 0), (2, 1)))
    assert result.ok
    assert not result.recognised
    assert result.notes == ("the text prints no counts, so there is nothing to compare",)
    assert result.counts.leaves(tree).tolist() == [[1, 0], [0, 1]]


def test_a_deep_tree_replays() -> None:
    tree = chain_tree(3000)
    X = np.column_stack([np.arange(3001) + 0.5, np.arange(3001) % 2])
    rows = Dataset(tree.header, X, np.ones(3001))
    assert replay(with_counts(tree, rows), rows).ok


def test_replaying_leaves_the_tree_as_it_was() -> None:
    tree = third()
    before = tree.digest()
    replay(tree, line_rows((0.1, 0), (THIRD, 0), (0.5, 1), (0.6, 1)))
    assert tree.digest() == before


def test_the_growing_set_of_two_folds_is_half_of_the_rows() -> None:
    rows = line_rows(*[(float(i), int(i >= 6)) for i in range(12)])
    grown = select_growing_rows(rows.class_values.astype(np.intp), 2)
    half = Dataset(LINE, rows.X[grown], rows.weights[grown])
    tree = with_counts(stump(Split(0, "numeric", 5.0), "(1.0)", "(1.0)"), half)
    result = replay(replace(tree, options=Options(reduced_error=True, folds=2)), rows)
    assert len(grown) == 6
    assert result.ok
    assert result.growing_set


def test_a_threshold_that_is_not_rounded_stays_though_a_value_lies_near_by() -> None:
    exact = Split(0, "numeric", 0.333333, token="0.333333")
    rows = line_rows((0.1, 0), (0.3333328, 0), (0.5, 1), (0.6, 1))
    result = replay(stump(exact, "(2.0)", "(2.0)"), rows)
    assert result.ok
    assert result.restored == ()


def test_many_thresholds_may_each_stand_for_a_smaller_value() -> None:
    n, smaller, larger = 8, 0.3333331, 0.3333334
    header = Header(
        "wide", (*(Attribute(f"x{i}") for i in range(n)), LINE.attributes[1]), class_index=n
    )

    def plan(i: int, threshold: float, slack: float) -> Any:
        if i == n:
            return Leaf(0, 1)
        split = Split(i, "numeric", threshold, slack=slack, token="0.333333")
        return (split, [Leaf(0, i % 2), plan(i + 1, threshold, slack)])

    X = np.full((4 * n, n + 1), 0.9)
    for i in range(n):
        X[4 * i : 4 * i + 4, i] = (0.1, smaller, larger, 0.6)
    X[:, n] = np.arange(4 * n) % 2
    rows = Dataset(header, X, np.ones(len(X)))
    truth = with_counts(plant_tree(header, plan(0, smaller, 0.0)), rows)
    text = replace(plant_tree(header, plan(0, 0.333333, 5e-7)), leaves=truth.leaves)
    result = replay(text, rows)
    assert result.ok
    assert [r.value for r in result.restored] == [smaller] * n
