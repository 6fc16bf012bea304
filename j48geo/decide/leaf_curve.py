"""The curve of leaf scores: over the counts of the leaves themselves, or over rows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.core.counts import NodeCounts
from j48geo.core.dataset import Dataset
from j48geo.core.tree import BoxTree
from j48geo.decide.leaf_counts import ClassCounts
from j48geo.decide.roc import Curve, curve, hand_till
from j48geo.score.leaf_estimates import case_estimates
from j48geo.score.prediction import predict

__all__ = ["LeafCurve", "case_curve", "count_curve"]


@dataclass(frozen=True, eq=False)
class LeafCurve:
    """A curve, and what goes with it.

    Parameters
    ----------
    m
        M of Hand and Till, with more than two classes; None with two.
    called, actual, weights : arrays, shape (n_cases,)
        The tree's own class, the true class, and the weight of every case: where the tree
        itself stands on the curve.
    """

    curve: Curve
    m: float | None
    called: Ints
    actual: Ints
    weights: Floats


def count_curve(tree: BoxTree, counts: ClassCounts, of_leaf: Floats, positive: int) -> LeafCurve:
    """A case for each leaf and class, as heavy as the counts say.

    Parameters
    ----------
    of_leaf : array of float64, shape (n_leaves, n_scores)
        Score of each leaf: of the positive class, or with more than two one for every class.
    """
    weights = np.array([[float(k) for k in row] for row in counts.own])
    leaf, actual = np.nonzero(weights > 0)
    labels = np.array([x.label for x in tree.leaves], dtype=np.intp)
    return _made(of_leaf[leaf], labels[leaf], actual, weights[leaf, actual], positive)


def case_curve(
    tree: BoxTree,
    counts: NodeCounts,
    of_leaf: Floats,
    positive: int,
    rows: Iterable[Dataset],
    *,
    laplace: bool = False,
) -> LeafCurve:
    """The rows that have a class, each with the score of its leaf."""
    column = tree.header.class_index
    assert column is not None
    scores, actual, weights = [np.empty((0, of_leaf.shape[1]))], [np.empty(0)], [np.empty(0)]
    called = [np.empty(0, dtype=np.intp)]
    for block in rows:
        known = ~np.isnan(block.X[:, column])
        X = block.X[known]
        said = predict(tree, counts, X, laplace=laplace)
        leaf = said.leaf
        found = np.column_stack(
            [case_estimates(tree, counts, X, values, leaf) for values in of_leaf.T]
        )
        # Means over several leaves that are equal but for rounding are equal.
        found[leaf < 0] = np.round(found[leaf < 0], 12)
        scores.append(found)
        called.append(said.predicted)
        actual.append(X[:, column])
        weights.append(block.weights[known])
    every = np.concatenate(scores)
    # A case whose shares were all lost in empty leaves.
    scored = np.where(np.isnan(every), 0.5, every)
    classes = np.concatenate(actual).astype(np.intp)
    return _made(scored, np.concatenate(called), classes, np.concatenate(weights), positive)


def _made(scores: Floats, called: Ints, actual: Ints, weights: Floats, positive: int) -> LeafCurve:
    several = scores.shape[1] > 1
    found = curve(scores[:, positive if several else 0], actual == positive, weights)
    m = hand_till(scores, actual, weights) if several else None
    return LeafCurve(found, m, called, actual, weights)
