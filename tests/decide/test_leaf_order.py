from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hand_made import odd_tree, weather_rows, weather_tree
from plain_measures import local_positive_accuracy

from j48geo.core.build import LeafSpec, build_tree, by_value, leaf
from j48geo.core.counts import counts_from_data, counts_from_text
from j48geo.core.dataset import Attribute, Header
from j48geo.core.tree import BoxTree
from j48geo.decide.leaf_counts import PositiveCounts, class_counts
from j48geo.decide.leaf_order import order_leaves
from j48geo.errors import UnknownCountsError, UnknownNameError
from j48geo.score.leaf_estimates import estimate_leaves


def fan(*leaves: LeafSpec, classes: tuple[str, ...] = ("a", "b")) -> BoxTree:
    """One split with a branch for each leaf."""
    values = tuple(f"v{k}" for k in range(len(leaves)))
    header = Header("h", (Attribute("x", "nominal", values), Attribute("c", "nominal", classes)), 1)
    return build_tree(header, by_value("x", *leaves))


def groups_of(tree: BoxTree) -> list[tuple[int, ...]]:
    counts = class_counts(tree, counts_from_text(tree)).against_rest(0)
    return [group.leaves for group in order_leaves(counts).groups]


def test_text_and_rows_give_the_same_order() -> None:
    tree, rows = weather_tree(), weather_rows()
    from_text = class_counts(tree, counts_from_text(tree))
    from_rows = class_counts(tree, counts_from_data(tree, rows.X, rows.class_values, rows.weights))
    assert from_text == from_rows
    assert order_leaves(from_text.against_rest(0)).ranks == (1, 4, 1, 4, 3)


def test_printed_decimals_are_taken_as_decimals() -> None:
    tree = fan(leaf("a", 253.41, 3.75), leaf("b", 0.3, 0.1))
    found = class_counts(tree, counts_from_text(tree))
    assert found.own == (
        (Fraction(24966, 100), Fraction(375, 100)),
        (Fraction(1, 10), Fraction(2, 10)),
    )


def test_equal_within_the_rounding_of_printed_counts_is_a_tie() -> None:
    assert groups_of(fan(leaf("a", 3, 1), leaf("a", 3.01, 1))) == [(0, 1)]
    assert groups_of(fan(leaf("b", 3, 1), leaf("b", 3.01, 1))) == [(0, 1)]


def test_beyond_the_rounding_of_printed_counts_there_is_no_tie() -> None:
    assert groups_of(fan(leaf("a", 3, 1), leaf("a", 3.05, 1))) == [(1,), (0,)]


def test_whole_counts_are_exact() -> None:
    assert groups_of(fan(leaf("a", 3000, 1001), leaf("a", 3000, 1000))) == [(1,), (0,)]


def test_leaves_without_errors_are_one_group() -> None:
    assert groups_of(fan(leaf("a", 2.33), leaf("a", 7), leaf("a", 7.01, 0.01))) == [(0, 1), (2,)]


def test_an_empty_leaf_speaks_with_its_parents_counts() -> None:
    tree = fan(leaf("a", 4, 1), leaf("a", 0), leaf("b", 4, 1))
    found = class_counts(tree, counts_from_text(tree))
    assert found.own[1] == (0, 0)
    assert found.basis[1] == (4, 4)
    assert order_leaves(found.against_rest(0)).accuracy[1] == Fraction(1, 2)


def test_a_leaf_with_nothing_above_it_has_no_accuracy_and_its_place_at_one_half() -> None:
    order = order_leaves(PositiveCounts.of([3, 0, 1], [1, 0, 3]))
    assert order.accuracy == (Fraction(3, 4), None, Fraction(1, 4))
    assert [group.leaves for group in order.groups] == [(0,), (1,), (2,)]


def test_smoothing_can_change_the_order() -> None:
    counts = PositiveCounts.of([1, 30], [0, 1])
    assert [g.leaves for g in order_leaves(counts).groups] == [(0,), (1,)]
    assert [g.leaves for g in order_leaves(counts, "laplace").groups] == [(1,), (0,)]
    assert [g.leaves for g in order_leaves(counts, "m").groups] == [(0,), (1,)]


def test_the_estimates_are_those_of_the_rankings() -> None:
    tree = weather_tree()
    counts = counts_from_text(tree)
    for ours, theirs in (("none", "raw"), ("laplace", "laplace"), ("m", "m")):
        found = order_leaves(class_counts(tree, counts).against_rest(1), ours).accuracy  # type: ignore[arg-type]
        wanted = estimate_leaves(tree, counts, 1, theirs)  # type: ignore[arg-type]
        assert [float(r) for r in found if r is not None] == pytest.approx(wanted.tolist())


def test_the_m_estimate_of_an_absent_class_is_nothing() -> None:
    assert local_positive_accuracy(0, 3, "m", share=Fraction(0)) == 0
    assert local_positive_accuracy(0, 0) is None


def test_unknown_counts_are_refused_with_what_to_give() -> None:
    tree = fan(leaf("a", 3, 1), leaf("b", 2), classes=("a", "b", "c"))
    with pytest.raises(UnknownCountsError, match=r"leaf 1: .*expected the training data"):
        class_counts(tree, counts_from_text(tree))
    with pytest.raises(UnknownCountsError):
        class_counts(odd_tree(), counts_from_text(odd_tree()))


def test_an_unknown_smoothing_is_named() -> None:
    with pytest.raises(UnknownNameError, match="smoothing 'much'"):
        order_leaves(PositiveCounts.of([1], [1]), "much")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="not negative"):
        PositiveCounts.of([-1], [1])


def test_sums_of_shares_that_differ_by_rounding_alone_are_a_tie() -> None:
    tree = fan(leaf("a", 0.7, 0.1), leaf("a", 0.7, 0.1), leaf("b", 3, 1))
    text = counts_from_text(tree)
    noisy = text.per_class.copy()
    noisy[1] = [0.1 + 0.2 + 0.3, 0.1]  # 0.6 but for the last bits
    noisy[2] = [0.3 + 0.2 + 0.1, 0.1]
    assert noisy[1, 0] != noisy[2, 0]
    data = replace(text, per_class=noisy, source="data")
    found = order_leaves(class_counts(tree, data).against_rest(0))
    assert [group.leaves for group in found.groups] == [(0, 1), (2,)]
