"""Hierarchical shrinkage: against its definition, its limits, and the package of its authors."""

from __future__ import annotations

import json
from math import inf, nan
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from literal_shrinkage import shrunken
from random_trees import datasets, trees
from sklearn.datasets import load_breast_cancer

from j48geo.core.build import at_most, build_tree, leaf
from j48geo.core.counts import NodeCounts, counts_from_data, counts_from_text
from j48geo.core.dataset import Attribute, Dataset, Header
from j48geo.core.tree import BoxTree
from j48geo.errors import ChoiceError, UnknownCountsError, UnknownNameError
from j48geo.score.leaf_estimates import (
    class_estimates,
    class_shares,
    shrunken_estimates,
)

STRENGTHS = st.sampled_from((0.0, 0.1, 1.0, 5.0, 25.0, 1e6)) | st.floats(0, 1e3)
HEADER = Header("h", (Attribute("x"), Attribute("c", "nominal", ("a", "b"))), 1)


@given(trees(depth=4), datasets(), STRENGTHS, st.sampled_from(("raw", "laplace")))
def test_every_leaf_has_what_the_definition_gives_it(
    tree: BoxTree, rows: Dataset, strength: float, kind: str
) -> None:
    counts = counts_from_data(tree, rows.X, rows.class_values, rows.weights)
    found = shrunken_estimates(tree, counts, strength, kind)
    for index in range(len(tree.leaves)):
        for c in range(len(tree.classes)):
            expected = shrunken(
                tree, counts.per_class.tolist(), index, c, strength, kind == "laplace"
            )
            if expected is None:
                assert np.isnan(found[index, c])
            else:
                assert found[index, c] == pytest.approx(expected, abs=1e-12)


@given(trees(depth=4), datasets(), STRENGTHS, st.sampled_from(("raw", "laplace")))
def test_what_comes_out_are_probabilities(
    tree: BoxTree, rows: Dataset, strength: float, kind: str
) -> None:
    counts = counts_from_data(tree, rows.X, rows.class_values, rows.weights)
    found = shrunken_estimates(tree, counts, strength, kind)
    found = found[~np.isnan(found).any(axis=1)]
    assert (found >= 0).all()
    np.testing.assert_allclose(found.sum(axis=1), 1.0, rtol=0, atol=1e-12)


@given(trees(depth=4), datasets(min_rows=1), st.sampled_from(("raw", "laplace")))
def test_without_strength_the_leaf_speaks_and_with_all_of_it_the_root(
    tree: BoxTree, rows: Dataset, kind: str
) -> None:
    counts = counts_from_data(tree, rows.X, rows.class_values, rows.weights)
    if not counts.per_class[0].sum() > 0:
        return
    own = [n for n, node in enumerate(tree.leaf_nodes) if counts.per_class[node].sum() > 1e-6]
    free = shrunken_estimates(tree, counts, 0.0, kind)
    plain = class_estimates(tree, counts, kind)
    np.testing.assert_allclose(free[own], plain[own], rtol=0, atol=1e-12)
    bound = shrunken_estimates(tree, counts, 1e300)
    shares = [float(p) for p in class_shares(tree, counts) or ()]
    np.testing.assert_allclose(bound, np.tile(shares, (len(bound), 1)), rtol=0, atol=1e-12)


@pytest.mark.parametrize("strength", [-1.0, nan, inf])
def test_a_strength_is_a_number_of_at_least_nothing(strength: float) -> None:
    tree = build_tree(HEADER, at_most("x", 2, leaf("a", 3), leaf("b", 3)))
    with pytest.raises(ChoiceError, match=r"shrinkage .*; expected a number of at least 0"):
        shrunken_estimates(tree, counts_from_text(tree), strength)


def test_only_raw_and_laplace_are_shrunk() -> None:
    tree = build_tree(HEADER, at_most("x", 2, leaf("a", 3), leaf("b", 3)))
    with pytest.raises(UnknownNameError):
        shrunken_estimates(tree, counts_from_text(tree), 1.0, "m")


def test_a_leaf_whose_counts_are_not_known_is_named() -> None:
    header = Header("h", (Attribute("x"), Attribute("c", "nominal", ("a", "b", "d"))), 1)
    tree = build_tree(header, at_most("x", 2, leaf("a", 3, 1), leaf("b", 3)))
    with pytest.raises(UnknownCountsError, match="leaf 1"):
        shrunken_estimates(tree, counts_from_text(tree), 1.0)


def test_leaves_are_shrunk_as_by_the_package_of_the_authors(fixtures_dir: Path) -> None:
    """The numbers of imodels, written by scripts/studies/compare_imodels."""
    by_imodels = json.loads((fixtures_dir / "imodels_shrinkage.json").read_text(encoding="utf-8"))
    tree, counts = _tree_and_counts(by_imodels)
    assert len(by_imodels["probabilities"]) == 3
    for strength, probabilities in by_imodels["probabilities"].items():
        estimates = shrunken_estimates(tree, counts, float(strength))
        np.testing.assert_allclose(estimates, probabilities, rtol=0, atol=1e-12)


def _tree_and_counts(nodes: dict[str, list[float]]) -> tuple[BoxTree, NodeCounts]:
    """A tree of scikit-learn as one of ours, which has the same preorder, with its counts."""
    X, y = load_breast_cancer(return_X_y=True)
    names = [f"x{k}" for k in range(X.shape[1])]
    attributes = (*(Attribute(n) for n in names), Attribute("c", "nominal", ("0", "1")))
    header = Header("sk", attributes, X.shape[1])

    def part(node: int) -> object:
        left, right = nodes["left"][node], nodes["right"][node]
        if left < 0:
            return leaf("0")
        return at_most(
            names[nodes["feature"][node]], nodes["threshold"][node], part(left), part(right)
        )

    tree = build_tree(header, part(0))
    rows = np.column_stack([X.astype(np.float32).astype(float), y])
    return tree, counts_from_data(tree, rows, y.astype(float), np.ones(len(y)))
