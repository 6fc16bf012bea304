"""What Weka's J48 would say: class and distribution of every case.

J48-TEXT-FORMAT section 3. Weka has two rules for the class. Its evaluation takes the arg
max of the distribution (`Prediction.predicted`); `classifyInstance` takes the first class
that exceeds those before it by more than 1e-6, without smoothing (`Prediction.classified`).
They differ for a few cases with missing values.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from j48geo.arrays import Bools, Floats, Ints
from j48geo.core.counts import NodeCounts
from j48geo.core.routing import Routes, nested_sums, route, shares_by_weight
from j48geo.core.tree import BoxTree
from j48geo.java.numbers import SMALL

__all__ = [
    "EQUAL",
    "Prediction",
    "contradicted",
    "leaf_distributions",
    "predict",
    "predicted_classes",
]

EQUAL = 1e-12
"""Class weights this close are equal: they differ by the rounding of sums alone.

Weka compares them exactly, so among classes that tie but for rounding its arg max depends
on the order in which it once added up its rows, which no text keeps. Here the first class
wins, so that the answer does not depend on the order of the rows. It does not agree with
Weka more often than an exact comparison: on random trees made for ties about 0.6 % of the
rows differ either way, all of them such ties.
"""


@dataclass(frozen=True, eq=False)
class Prediction:
    """Weka's answers.

    Parameters
    ----------
    distribution : array of float64, shape (n_cases, n_classes)
        Weight of each class; not normalised, since the shares of empty leaves are lost. A
        row of NaN where the counts do not determine it.
    predicted : array of int, shape (n_cases,)
        Class with the largest weight, the first of equals; -1 if it cannot be known.
    classified : array of int, shape (n_cases,)
        Class by the rule of ``classifyInstance``; -1 if it cannot be known.
    leaf : array of int, shape (n_cases,)
        Leaf that the case reaches; -1 where a missing value divides it.
    """

    distribution: Floats
    predicted: Ints
    classified: Ints
    leaf: Ints


def leaf_distributions(tree: BoxTree, counts: NodeCounts, *, laplace: bool = False) -> Floats:
    """Distribution that each leaf gives a case, shape (n_leaves, n_classes).

    n_k / N, or (n_k + 1) / (N + K) with `laplace`. An empty leaf (N <= 1e-6) gives that of
    its parent node. Without any weight: zeros, or 1 / K with `laplace`. NaN where unknown.
    """
    nodes = np.array(tree.leaf_nodes, dtype=np.intp)
    used = counts.per_class[nodes]
    total = used.sum(axis=1) if counts.total is None else counts.total[nodes]
    for leaf, node in enumerate(nodes):
        parent = tree.nodes[node].parent
        if parent < 0 or not _is_empty(counts, node):
            continue
        if counts.weight[node] <= SMALL:
            used[leaf] = counts.per_class[parent]
            stored = None if counts.total is None else counts.total[parent]
        else:
            # Empty but for what only its parent counted: Weka asks the parent's bag.
            used[leaf] = counts.bag[node]
            stored = None if counts.total is None else counts.weight[node]
        total[leaf] = used[leaf].sum() if stored is None else stored
    total = total[:, None]
    if laplace:
        smoothed: Floats = (used + 1.0) / (total + used.shape[1])
        return smoothed
    # Weka takes a total of less than 1e-6 for none; a comparison with NaN stays NaN below.
    nothing = total < SMALL
    raw: Floats = np.where(nothing, 0.0, used / np.where(nothing, 1.0, total))
    return raw


def _is_empty(counts: NodeCounts, node: int) -> bool:
    """Whether a leaf has nothing of its own to say."""
    if counts.empty is not None:
        return bool(counts.empty[node])
    return bool(counts.weight[node] <= SMALL or counts.per_class[node].sum() <= SMALL)


def predict(tree: BoxTree, counts: NodeCounts, X: Floats, *, laplace: bool = False) -> Prediction:
    """Class and distribution of every case, as Weka gives them.

    Parameters
    ----------
    counts
        Weights of the nodes, from training data or as far as the text gives them. Where
        they do not determine the distribution the class may still be known: it is the
        label of the leaf, or the common label of all leaves that a divided case reaches.
    X : array of float64, shape (n_cases, n_attributes)
    laplace
        Whether the tree was grown with ``-A``.
    """
    routes = route(tree, X, counts.weight, counts.total, counts.empty)
    n_classes = len(tree.classes)
    leaves = leaf_distributions(tree, counts)
    if laplace:
        leaves = np.hstack((leaves, leaf_distributions(tree, counts, laplace=True)))
    answers = _answers(tree, counts, X, routes, leaves)
    plain, distribution = answers[:, :n_classes], answers[:, -n_classes:]
    label = _common_label(tree, routes)
    leaf = np.full(len(X), -1, dtype=np.intp)
    whole = ~routes.divided[routes.case]
    leaf[routes.case[whole]] = routes.leaf[whole]
    exact = counts.total is not None
    classified = _first_exceeding(plain)
    return Prediction(
        distribution,
        predicted_classes(distribution, label, exact=exact),
        classified if exact else _class_of(plain, label, classified),
        leaf,
    )


def predicted_classes(distribution: Floats, label: Ints, *, exact: bool) -> Ints:
    """`Prediction.predicted` of distributions, shape (n_cases,).

    Parameters
    ----------
    label : array of int, shape (n_cases,)
        The label on which all leaves of the case agree, -1 if they do not: the class where
        the distribution does not decide.
    exact
        Whether every bit is Weka's (`NodeCounts.total`), so that its rule holds as it stands.
    """
    if exact:
        decided = distribution.max(axis=1, initial=0.0) > 0
        return np.where(decided, distribution.argmax(axis=1), label)
    return _class_of(distribution, label, _first_largest(distribution))


def _answers(
    tree: BoxTree, counts: NodeCounts, X: Floats, routes: Routes, leaves: Floats
) -> Floats:
    """What each case gets of its leaves, shape (n_cases, n_numbers)."""
    if not routes.divided.any():
        return leaves[routes.leaf]
    found = np.empty((len(X), leaves.shape[1]))
    whole = ~routes.divided[routes.case]
    found[routes.case[whole]] = leaves[routes.leaf[whole]]
    divide = shares_by_weight(tree, counts.weight, counts.total, counts.empty)
    found[routes.divided] = nested_sums(tree, X[routes.divided], divide, leaves)
    return found


def contradicted(distribution: Floats, predicted: Ints) -> Bools:
    """Whether another class than the predicted one is the most probable, shape (n_cases,)."""
    own = distribution[np.arange(len(predicted)), predicted]
    found: Bools = own < distribution.max(axis=1, initial=0.0) - EQUAL
    return found & (predicted >= 0)


def _common_label(tree: BoxTree, routes: Routes) -> Ints:
    """The label on which all leaves of a case agree; -1 if they do not."""
    labels = np.array([leaf.label for leaf in tree.leaves], dtype=np.intp)[routes.leaf]
    n = len(routes.divided)
    lowest = np.full(n, len(tree.classes), dtype=np.intp)
    highest = np.full(n, -1, dtype=np.intp)
    np.minimum.at(lowest, routes.case, labels)
    np.maximum.at(highest, routes.case, labels)
    return np.where(lowest == highest, highest, -1)


def _class_of(distribution: Floats, label: Ints, chosen: Ints) -> Ints:
    """The chosen class where the distribution decides, else the label of the leaves."""
    largest = distribution.max(axis=1, initial=0.0)
    decided = largest > 0  # False for NaN too
    # Equal weights go to the class declared first, and so does Weka's label. Where the
    # order of the classes was only guessed from the text, the label is the one to believe.
    row = np.arange(len(label))
    gap = np.abs(distribution[row, label] - distribution[row, chosen])
    return np.where(decided & ~((label >= 0) & (gap <= EQUAL)), chosen, label)


def _first_largest(distribution: Floats) -> Ints:
    """The arg max; weights within `EQUAL` are equal, and the first of them wins."""
    largest = distribution.max(axis=1, keepdims=True, initial=0.0)
    first: Ints = np.argmax(distribution >= largest - EQUAL, axis=1)
    return first


def _first_exceeding(distribution: Floats) -> Ints:
    """``classifyInstance``: the best so far gives way only to more than 1e-6 above it."""
    best = np.full(len(distribution), -1.0)
    chosen = np.zeros(len(distribution), dtype=np.intp)
    for k in range(distribution.shape[1]):
        better = distribution[:, k] - best > SMALL
        best = np.where(better, distribution[:, k], best)
        chosen[better] = k
    return chosen
