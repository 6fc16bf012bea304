"""Training weight of every node, by class: read off the text, or counted from the rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from j48geo.arrays import Bools, Floats, Ints
from j48geo.core.cache import cached_for
from j48geo.core.descent import Visit, descend, descend_by_levels
from j48geo.core.routing import takes_numba
from j48geo.core.tree import BoxTree
from j48geo.java.numbers import SMALL


@dataclass(frozen=True, eq=False)
class NodeCounts:
    """Training weight of each node of a tree, by class.

    Parameters
    ----------
    per_class : array of float64, shape (n_nodes, n_classes)
        Weight of each class at the node; a row of NaN where it is unknown.
    weight : array of float64, shape (n_nodes,)
        Weight of all classes, as the parent counts it (`bag`); known wherever the text
        prints it, even if `per_class` is not.
    source
        ``text``, or ``data`` where they were counted, here or by Weka.
    bag : array of float64, shape (n_nodes, n_classes)
        The same as `per_class`, but as the parent counts its branches: with the shares of
        at most 1e-6 that Weka counts there and does not send down. They are part of the
        printed counts. Usually the very same array.
    total : array of float64, shape (n_nodes,), optional
        Weight of all classes as the node itself counts it, where the file stores it: Weka's
        own sum, in the order of its rows. Without it the sums are made anew, and the last
        bits of a distribution may differ from Weka's.
    empty : array of bool, shape (n_nodes,), optional
        Which leaves Weka calls empty, where the file stores it; otherwise those without
        weight.
    """

    per_class: Floats
    weight: Floats
    source: Literal["text", "data"]
    bag: Floats
    total: Floats | None = None
    empty: Bools | None = None

    def leaves(self, tree: BoxTree) -> Floats:
        """Weight of each class at each leaf, shape (n_leaves, n_classes)."""
        return self.per_class[list(tree.leaf_nodes)]

    @cached_property
    def exact(self) -> bool:
        """Whether all weights are Weka's own to the last bit.

        They are if Weka stored them, or if none of the sums can have been rounded, whatever
        the order of the rows: if all are multiples of 1/1024 and none is too large for that.
        """
        if self.total is not None or self.source == "text":
            return self.total is not None
        parts = np.concatenate([self.per_class, self.bag]) * 1024.0
        return bool((parts == np.floor(parts)).all() and parts[0].sum() < 2.0**52)

    @property
    def known(self) -> Bools:
        """Where `per_class` is known, shape (n_nodes,)."""
        known: Bools = np.isfinite(self.per_class.sum(axis=1))
        return known


def add_errors_to_weights(tree: BoxTree) -> BoxTree:
    """The tree if ``(n/e)`` means n right and e wrong, n + e in all, as in some sensor tools."""
    leaves = tuple(
        replace(leaf, weight=leaf.weight + leaf.errors)
        if leaf.weight is not None and leaf.errors
        else leaf
        for leaf in tree.leaves
    )
    return replace(tree, leaves=leaves, layout=replace(tree.layout, summed=True))


def counts_from_text(tree: BoxTree) -> NodeCounts:
    """Counts as far as the printed ``(W/E)`` of the leaves determine them.

    Two classes: the label has W - E, the other E. More classes: only where E is nothing.
    A leaf without printed counts is unknown. Inner nodes are the sums of their leaves, so
    they are unknown as soon as one of these is.

    Notes
    -----
    Printed numbers have two decimals; with missing values or instance weights the result
    is that much off (J48-TEXT-FORMAT section 1.1).
    """
    n_classes = len(tree.classes)
    per_class = np.zeros((tree.size, n_classes))
    weight = np.zeros(tree.size)
    for leaf, node in zip(tree.leaves, tree.leaf_nodes, strict=True):
        errors = leaf.errors or 0.0
        if leaf.weight is None:
            weight[node] = np.nan
            per_class[node] = np.nan
            continue
        weight[node] = leaf.weight
        if errors and n_classes != 2:
            per_class[node] = np.nan
            continue
        per_class[node, leaf.label] = leaf.weight - errors
        if errors:
            per_class[node, 1 - leaf.label] = errors
    for inner in reversed(tree.nodes):
        if inner.children:
            kids = list(inner.children)
            if len(kids) == 2:  # the same sums, in a third of the time
                weight[inner.index] = weight[kids[0]] + weight[kids[1]]
                per_class[inner.index] = per_class[kids[0]] + per_class[kids[1]]
                continue
            weight[inner.index] = weight[kids].sum()
            per_class[inner.index] = per_class[kids].sum(axis=0)
    return NodeCounts(per_class, weight, "text", per_class)


def counts_from_data(tree: BoxTree, X: Floats, y: Floats, weights: Floats) -> NodeCounts:
    """Counts of training rows sent down the final tree, J48-TEXT-FORMAT section 4.

    Rows with a missing class do not count. A missing value is divided in proportion to the
    weight of the known values at that node; if these weigh nothing, evenly. Shares of at
    most 1e-6 are dropped.

    Parameters
    ----------
    X : array of float64, shape (n_cases, n_attributes)
    y : array of float64, shape (n_cases,)
        Class index, NaN if missing.
    weights : array of float64, shape (n_cases,)
        Instance weights.
    """
    known = ~np.isnan(y)
    if not known.all():
        X, y, weights = X[known], y[known], weights[known]
    label = y.astype(np.intp)
    n_classes = len(tree.classes)
    per_class = np.zeros((tree.size, n_classes))
    whole = not np.isnan(X[:, tree.used_attributes]).any()
    if whole and takes_numba(tree, len(X)):
        from j48geo.core.routing_numba import count_rows, make_steps

        X = np.ascontiguousarray(X, dtype=np.float64)
        count_rows(cached_for(tree, make_steps), X, label, weights, per_class)
        return NodeCounts(per_class, per_class.sum(axis=1), "data", per_class)
    levels = descend_by_levels(tree, X) if whole else None
    if levels is not None:
        cells = per_class.reshape(-1)
        for cases, node in levels:
            # In the order of the rows, as at every single node: sums are the same to the bit.
            np.add.at(cells, node * n_classes + label[cases], weights[cases])
        return NodeCounts(per_class, per_class.sum(axis=1), "data", per_class)
    dropped: dict[int, Floats] = {}

    def divide(visit: Visit, branch: Ints) -> Floats:
        children = tree.nodes[visit.node].children
        shares = divide_by_known(visit.share, branch, len(children))
        lost = branch < 0
        missing = np.bincount(label[visit.cases[lost]], visit.share[lost], n_classes)
        for k in np.flatnonzero((shares > 0) & (shares <= SMALL)):
            dropped[children[k]] = shares[k] * missing
            shares[k] = 0.0
        return shares

    for visit in descend(tree, X, weights, divide):
        per_class[visit.node] = np.bincount(label[visit.cases], visit.share, n_classes)
    bag = per_class
    if dropped:
        bag = per_class.copy()
        for child, more in dropped.items():
            bag[child] += more
    return NodeCounts(per_class, bag.sum(axis=1), "data", bag)


# An empty leaf takes its parent's counts. Everything that asks what a leaf says does so here:
# Weka's predictions, the estimates, the bounds of a text, and the labels of written models.


def is_empty(weight: Floats) -> Bools:
    """Whether Weka takes a leaf of this weight for empty: at most 1e-6, False for NaN."""
    empty: Bools = weight <= SMALL
    return empty


def find_basis_nodes(tree: BoxTree, weight: Floats) -> Ints:
    """The node whose counts stand for each leaf: its own, or its parent if it is empty.

    Parameters
    ----------
    weight : array of float64, shape (n_nodes,)
        What decides which leaves are empty, such as `NodeCounts.weight`.
    """
    nodes = np.array(tree.leaf_nodes, dtype=np.intp)
    parent = np.array([tree.nodes[node].parent for node in tree.leaf_nodes], dtype=np.intp)
    return np.where((parent >= 0) & is_empty(weight[nodes]), parent, nodes)


class LeafBasis(NamedTuple):
    """The counts that stand for each leaf when it answers, its parent's where it is empty.

    Parameters
    ----------
    node : array of int, shape (n_leaves,)
        The node that they belong to.
    per_class : array of float64, shape (n_leaves, n_classes)
        Weight of each class; NaN where it is unknown. Read-only.
    total : array of float64, shape (n_leaves,)
        Weight of all classes: Weka's own sum where it is stored. Read-only.
    """

    node: Ints
    per_class: Floats
    total: Floats


def leaf_basis(tree: BoxTree, counts: NodeCounts) -> LeafBasis:
    """The counts that stand for each leaf, made once for a tree and its counts."""
    return cached_for(tree, _leaf_basis, counts)


def _leaf_basis(tree: BoxTree, counts: NodeCounts) -> LeafBasis:
    nodes = np.array(tree.leaf_nodes, dtype=np.intp)
    basis = find_basis_nodes(tree, counts.weight)
    if counts.empty is None:
        empty = (basis != nodes) | is_empty(counts.per_class[nodes].sum(axis=1))
    else:
        empty = counts.empty[nodes]
        basis = np.where(empty, basis, nodes)
    per_class, stored = counts.per_class[basis], counts.total
    if tree.size > 1:
        # Empty but for shares that only its parent counted: Weka asks the parent's bag.
        dropped = np.flatnonzero(empty & (basis == nodes))
        per_class[dropped] = counts.bag[nodes[dropped]]
    total = per_class.sum(axis=1) if stored is None else stored[basis]
    if stored is not None and tree.size > 1:
        total[dropped] = counts.weight[nodes[dropped]]
    for array in (basis, per_class, total):
        array.flags.writeable = False  # they are shared
    return LeafBasis(basis, per_class, total)


def find_leaf_label(bag: Floats, weight: float, parent: Floats) -> int:
    """The label that Weka prints for a leaf.

    Parameters
    ----------
    bag, weight
        Weight of each class and of all at the leaf, as its parent counts its branches.
    parent
        Weight of each class at the parent node, which labels an empty leaf.
    """
    return find_largest_class(parent if weight <= SMALL else bag)


def divide_by_known(share: Floats, branch: Ints, count: int) -> Floats:
    """Part of the known weight that each branch has, or the same for all if there is none."""
    known = branch >= 0
    weight = np.bincount(branch[known], share[known], count)
    total = weight.sum()
    return weight / total if total >= SMALL else np.full(count, 1.0 / count)


def find_largest_class(counts: Floats) -> int:
    """``maxClass``: the best so far gives way only to more than 1e-6 above it."""
    best, chosen = 0.0, 0
    for k, count in enumerate(counts.tolist()):
        if count - best > SMALL:
            best, chosen = count, k
    return chosen
