"""Leaf estimates: their formulas, exact equality, and what cases get from them."""

from __future__ import annotations

from fractions import Fraction
from math import isnan, nan
from pathlib import Path

import numpy as np
import pytest
from hand_made import weather_rows, weather_tree
from hypothesis import given
from hypothesis import strategies as st
from random_trees import datasets, trees

from j48geo import load
from j48geo.core.build import at_most, build_tree, leaf
from j48geo.core.counts import NodeCounts, counts_from_data, counts_from_text
from j48geo.core.dataset import Attribute, Dataset, Header
from j48geo.core.tree import BoxTree
from j48geo.errors import UnknownCountsError, UnknownNameError
from j48geo.score.leaf_estimates import (
    ESTIMATES,
    Estimate,
    case_estimates,
    class_estimates,
    class_shares,
    estimate_leaves,
    find_m,
    make_estimator,
)
from j48geo.score.prediction import leaf_distributions, predict

HEADER = Header("h", (Attribute("x"), Attribute("c", "nominal", ("a", "b"))), 1)


def row_of_leaves(*counts: tuple[float, float]) -> tuple[BoxTree, NodeCounts]:
    """A tree whose leaves hold these weights of classes a and b."""
    part = leaf("a")
    for k in range(len(counts) - 1):
        part = at_most("x", k, part, leaf("a"))
    tree = build_tree(HEADER, part)
    per_class = np.zeros((tree.size, 2))
    for node, pair in zip(tree.leaf_nodes, counts, strict=True):
        per_class[node] = pair
    for node in reversed(tree.nodes):
        if node.children:
            per_class[node.index] = per_class[list(node.children)].sum(axis=0)
    return tree, NodeCounts(per_class, per_class.sum(axis=1), "data", per_class)


def test_the_formulas_are_those_of_the_paper() -> None:
    tree, counts = row_of_leaves((3, 1), (0, 6))
    assert estimate_leaves(tree, counts, 0, "raw").tolist() == [0.75, 0.0]
    assert estimate_leaves(tree, counts, 0, "laplace").tolist() == [4 / 6, 1 / 8]
    # p(a) = 3/10, so m = 10 / 0.3
    m = Fraction(100, 3)
    expected = [float((3 + 10) / (4 + m)), float((0 + 10) / (6 + m))]
    assert estimate_leaves(tree, counts, 0, "m").tolist() == expected
    assert estimate_leaves(tree, counts, 0, "m", mp=0.0).tolist() == [0.75, 0.0]


def test_equal_ratios_are_equal_numbers() -> None:
    tree, counts = row_of_leaves((1, 1), (3, 3), (0.1 + 0.2, 0.1 + 0.2), (1, 0))
    found = estimate_leaves(tree, counts, 0)
    assert found[0] == found[1] == found[2] == 0.5
    assert found[3] == 2 / 3


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), min_size=1, max_size=30))
def test_numbers_compare_as_the_cross_multiplied_counts_do(pairs: list[tuple[int, int]]) -> None:
    tree, counts = row_of_leaves(*[(a, b + (a + b == 0)) for a, b in pairs])
    used = counts.leaves(tree)
    for kind, more in (("raw", (0, 0)), ("laplace", (1, 2))):
        found = estimate_leaves(tree, counts, 0, kind)
        for i, (a, b) in enumerate(used.tolist()):
            for j, (c, d) in enumerate(used.tolist()):
                left = (a + more[0]) * (c + d + more[1])
                right = (c + more[0]) * (a + b + more[1])
                assert (found[i] < found[j], found[i] == found[j]) == (left < right, left == right)


def test_different_ratios_stay_different_though_no_double_tells_them_apart() -> None:
    big = 2.0**53
    tree, counts = row_of_leaves((big - 2, 2.0), (big - 1, 1.0), (big - 1, 2.0))
    found = estimate_leaves(tree, counts, 0, "raw")
    exact = [Fraction(a) / (Fraction(a) + Fraction(b)) for a, b in counts.leaves(tree).tolist()]
    assert np.argsort(found).tolist() == sorted(range(3), key=lambda i: exact[i])
    assert len(set(found.tolist())) == 3


def test_an_empty_leaf_has_the_estimate_of_its_parent() -> None:
    tree, counts = row_of_leaves((0, 0), (3, 1), (5, 5))
    found = estimate_leaves(tree, counts, 0, "raw")
    assert found.tolist() == [0.75, 0.75, 0.5]


def test_nothing_over_nothing_is_unknown() -> None:
    tree, counts = row_of_leaves((0, 0))
    assert isnan(estimate_leaves(tree, counts, 0, "raw")[0])
    assert estimate_leaves(tree, counts, 0).tolist() == [0.5]
    assert estimate_leaves(tree, counts, 0, "m").tolist() == [0.0]


@given(trees(), datasets(min_rows=1))
def test_raw_and_laplace_estimates_are_wekas_distributions(tree: BoxTree, rows: Dataset) -> None:
    counts = counts_from_data(tree, rows.X, rows.class_values, rows.weights)
    own = counts.per_class
    counts = NodeCounts(own, own.sum(axis=1), "data", own)
    # Weka gives no distribution at all, but zeros, if the cases weigh less than 1e-6.
    answered = leaf_distributions(tree, counts).any(axis=1)
    for c in range(3):
        for kind, laplace in (("raw", False), ("laplace", True)):
            found = estimate_leaves(tree, counts, c, kind)
            expected = leaf_distributions(tree, counts, laplace=laplace)[:, c]
            known = ~np.isnan(found) & (counts.weight[0] > 1e-3) & answered
            np.testing.assert_allclose(found[known], expected[known], rtol=1e-9, atol=1e-6)


def test_cases_that_weigh_next_to_nothing_have_a_ratio_but_no_distribution_of_weka() -> None:
    own = np.array([[3e-7, 1e-7], [3e-7, 0.0], [0.0, 1e-7]])
    tree = build_tree(HEADER, at_most("x", 2, leaf("a"), leaf("b")))
    counts = NodeCounts(own, own.sum(axis=1), "data", own)
    assert estimate_leaves(tree, counts, 0, "raw").tolist() == pytest.approx([0.75, 0.75])
    assert not leaf_distributions(tree, counts).any()


def test_a_divided_case_has_the_mean_of_its_leaves() -> None:
    tree, rows = weather_tree(), weather_rows()
    counts = counts_from_data(tree, rows.X, rows.class_values, rows.weights)
    X = np.array([[0.0, nan, 0.0, nan], [0.0, 70.0, 0.0, nan]])
    leaves = estimate_leaves(tree, counts, 0)
    said = predict(tree, counts, X)
    found = case_estimates(tree, counts, X, leaves, said.leaf)
    assert found.tolist() == pytest.approx([0.4 * leaves[0] + 0.6 * leaves[1], leaves[0]])


def test_an_m_beyond_all_bounds_leaves_the_share_of_the_class() -> None:
    share = Fraction(1, 3)
    near, limit = (make_estimator("m", 2, share, m) for m in (Fraction(10**9), None))
    k, n = Fraction(5), Fraction(6)
    assert near(k, n) != share
    assert float(near(k, n) or 0) == pytest.approx(float(share))
    assert limit(k, n) == share
    assert find_m(10, Fraction(0)) is None


@given(trees(), datasets(min_rows=1), st.sampled_from(ESTIMATES))
def test_estimates_of_all_classes_sum_to_one_and_are_those_of_each(
    tree: BoxTree, rows: Dataset, kind: Estimate
) -> None:
    counts = counts_from_data(tree, rows.X, rows.class_values, rows.weights)
    found = class_estimates(tree, counts, kind, m=7)
    known = ~np.isnan(found).any(axis=1)
    np.testing.assert_allclose(found[known].sum(axis=1), 1.0, rtol=0, atol=1e-12)
    shares = class_shares(tree, counts)
    for c in range(len(tree.classes)):
        mp = 7 * float(shares[c]) if shares else 7.0
        wanted = estimate_leaves(tree, counts, c, kind, mp=mp)
        np.testing.assert_allclose(found[known, c], wanted[known], rtol=1e-12)


def test_unknown_counts_are_refused_with_advice() -> None:
    tree = build_tree(HEADER, at_most("x", 1, leaf("a", 3, 1), leaf("b")))
    with pytest.raises(UnknownCountsError) as error:
        estimate_leaves(tree, counts_from_text(tree), 0)
    assert str(error.value) == (
        "leaf 2: the text does not tell how many cases of each class it holds; "
        "expected the training data"
    )
    with pytest.raises(UnknownNameError, match="unknown estimate 'best'; known: laplace, m, raw"):
        estimate_leaves(tree, counts_from_text(tree), 0, "best")


def test_an_m_beyond_all_measure_leaves_the_share_of_the_class(fixtures_dir: Path) -> None:
    pima = fixtures_dir / "pima"
    model = load(pima / "model.txt", train=pima / "data.arff").with_(m=1e308)
    found = model.predict_proba(pima / "data.arff", method="m")
    assert np.allclose(found[:, 1], 268 / 768, rtol=1e-12)
