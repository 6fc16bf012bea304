"""Bounds of every class probability that a printed tree allows, its numbers being rounded.

A text prints the weights of leaves with two decimals, of more than two classes only the sum
of the wrong ones, and most thresholds with six decimals. All trees that print alike are
looked at together: a probability becomes an interval, and a row that some of them send to
the left and some to the right goes both ways.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from j48geo.arrays import Bools, Floats, Ints
from j48geo.core.cache import cached_for
from j48geo.core.counts import NodeCounts, find_basis_nodes
from j48geo.core.descent import goes_left
from j48geo.core.tree import BoxTree, Split
from j48geo.java.numbers import HALF_UNIT, SMALL

ROUNDED_COUNT = 0.0051
"""Half a unit of the second decimal, and the shares of 1e-6 that only the parent counts."""
_OPEN, _MISSING = -2, -1
HALF_SIXTH_DECIMAL = HALF_UNIT * (1 + 1e-9)
"""How far a number may be from what it prints as."""
_NEAR = 2e-6


class ClassBounds(NamedTuple):
    """Least and most that a tree may give each class, and which it may decide for.

    All of shape (n_cases, n_classes). A decision (``classifyInstance``) is made without
    smoothing: where leaves are smoothed, `may` says nothing.
    """

    low: Floats
    high: Floats
    may: Bools


@dataclass(frozen=True, eq=False)
class TreeBounds:
    """A printed tree with everything that its rounded numbers may stand for.

    Parameters
    ----------
    counts
        Counts of the training rows where these are known: then nothing is rounded.
    thresholds
        The least and the largest value of the training rows that a rounded threshold may
        stand for, by node; where it is not told, the rounding of the sixth decimal counts.
    laplace
        Whether leaves are smoothed (``-A``); None if that is not known.
    as_printed
        Whether numbers that are hardly rounded ones are taken as they stand: see
        `find_exact_nodes`, and counts if all of the tree are whole.
    """

    tree: BoxTree
    counts: NodeCounts | None = None
    thresholds: Mapping[int, tuple[float, float]] | None = None
    laplace: bool | None = False
    as_printed: bool = False

    def reach(self, X: Floats) -> tuple[dict[int, Ints], dict[int, Ints]]:
        """Rows that may come to each node, and the branch of each at every inner node.

        A branch is -1 where the value is missing, and -2 where the text does not tell it.
        """
        reach: dict[int, Ints] = {0: np.arange(len(X), dtype=np.intp)}
        ways: dict[int, Ints] = {}
        for node in self.tree.nodes:
            if node.split is None or node.index not in reach:
                continue
            cases = reach[node.index]
            way = self._ways(node.index, node.split, X[cases, node.split.attribute])
            ways[node.index] = way
            for k, child in enumerate(node.children):
                part = cases[(way == k) | (way < 0)]
                if len(part):
                    reach[child] = part
        return reach, ways

    def bounds(self, X: Floats) -> ClassBounds:
        """Least and most that the tree may give each class, for every row.

        Parameters
        ----------
        X : array of float64, shape (n_cases, n_attributes)
        """
        tree = self.tree
        weights = self._weights()
        leaves = _leaf_bounds(tree, weights, self.laplace)
        reach, ways = self.reach(X)
        node_bounds: dict[int, ClassBounds] = {}
        for node in reversed(tree.nodes):
            if node.index not in reach:
                continue
            if node.split is None:
                n = len(reach[node.index])
                node_bounds[node.index] = ClassBounds(
                    *(np.repeat(b[node.leaf][None], n, 0) for b in leaves)
                )
                continue
            shares = _shares(tree, node.children, weights)
            inside = [node_bounds.pop(child, None) for child in node.children]
            node_bounds[node.index] = _combine_branches(
                ways[node.index], inside, shares, len(tree.classes)
            )
        return node_bounds[0]

    def leaves(self) -> ClassBounds:
        """Bounds of every leaf, shape (n_leaves, n_classes)."""
        return _leaf_bounds(self.tree, self._weights(), self.laplace)

    def _weights(self) -> _Weights:
        if self.counts is not None:
            return _weights_from_counts(self.counts)
        return _weights_from_text(self.tree, whole=self.as_printed and counts_are_whole(self.tree))

    def _ways(self, node: int, split: Split, x: Floats) -> Ints:
        """Branch of each value; `_MISSING`, or `_OPEN` where the text does not tell it."""
        missing = np.isnan(x)
        if split.kind == "multiway":
            return np.where(missing, _MISSING, x).astype(np.intp)
        if split.kind == "binary":
            return np.where(missing, _MISSING, np.where(x == split.value, 0, 1))
        low = high = split.threshold
        if split.slack > 0:
            low, high = low - HALF_UNIT, high + HALF_UNIT
            low, high = (self.thresholds or {}).get(node, (low, high))
        if self.as_printed:
            stands = node in cached_for(self.tree, find_exact_nodes)
            way = printed_branches(split, x, self.tree.tolerance, as_it_stands=stands)
            return np.where(missing, _MISSING, way)
        # Weka before 3.8.3 sends up to 1e-6 above a threshold to the left.
        return np.select([missing, x <= low, x > high + SMALL], [_MISSING, 0, 1], _OPEN)


def counts_are_whole(tree: BoxTree) -> bool:
    """Whether no leaf prints a fraction: then nothing was rounded away."""
    return all(
        leaf.weight is not None and leaf.weight % 1 == 0 and (leaf.errors or 0.0) % 1 == 0
        for leaf in tree.leaves
    ) and not any(leaf.token.endswith("/0.0)") for leaf in tree.leaves)


def printed_branches(
    split: Split, x: Floats, tolerance: float = 0.0, *, as_it_stands: bool = False
) -> Ints:
    """Branch of each value at a printed threshold; -2 where the rounding of the text decides.

    Values within half a unit of the sixth decimal are open.

    Parameters
    ----------
    tolerance
        As in `j48geo.core.descent.goes_left`.
    as_it_stands
        Whether the threshold is the printed number (`find_exact_nodes`): then itself is
        not open, though its neighbours are.
    """
    left = goes_left(split, x, tolerance)
    if split.slack == 0:
        return np.where(left, 0, 1)
    t = split.threshold
    around = (x >= t - HALF_SIXTH_DECIMAL) & (x <= t + HALF_SIXTH_DECIMAL + tolerance)
    if as_it_stands:
        around &= x != t
    return np.where(around, _OPEN, np.where((x == t) & ~np.bool_(split.closed), 1, ~left))


def find_exact_nodes(tree: BoxTree) -> frozenset[int]:
    """Nodes whose printed threshold is hardly a rounded one.

    A number with six decimals may be rounded, and so may the others of its attribute. One
    with five may have lost a zero; it is rounded if any number of the tree has six.
    """
    decimals = {
        node.index: (split.attribute, len(split.token.partition(".")[2]) if split.token else 6)
        for node, split in tree.splits
        if split.slack > 0
    }
    rounded = {attribute for attribute, n in decimals.values() if n >= 6}
    shortest = 5 if rounded else 6
    return frozenset(i for i, (a, n) in decimals.items() if n < shortest and a not in rounded)


class _Weights(NamedTuple):
    """Least and most weight of each class at each node, shape (n_nodes, n_classes), and of all."""

    low: Floats
    high: Floats
    least: Floats
    most: Floats
    label: Ints | None
    """Class that a leaf prints, by node; None where the weights are exact."""


def _weights_from_text(tree: BoxTree, *, whole: bool = False) -> _Weights:
    """What the printed counts of the leaves allow; `whole` ones are exact."""
    rounded, near = (0.0, 0.0) if whole else (ROUNDED_COUNT, _NEAR)
    n, classes = tree.size, len(tree.classes)
    low, high = np.zeros((n, classes)), np.zeros((n, classes))
    least, most = np.zeros(n), np.zeros(n)
    label = np.full(n, -1, dtype=np.intp)
    for leaf, node in zip(tree.leaves, tree.leaf_nodes, strict=True):
        label[node] = leaf.label
        if leaf.weight is None:
            high[node], most[node] = np.inf, np.inf
            continue
        errors = leaf.errors or 0.0
        # Errors below 0.005 print as /0.0, below 1e-6 not at all.
        wrong = (0.0, near)
        if errors or leaf.token.endswith("/0.0)"):
            wrong = (max(0.0, errors - rounded), errors + rounded)
        least[node], most[node] = max(0.0, leaf.weight - rounded), leaf.weight + rounded
        low[node, leaf.label] = max(0.0, least[node] - wrong[1])
        high[node, leaf.label] = most[node] - wrong[0]
        others = np.arange(classes) != leaf.label
        low[node, others] = wrong[0] if classes == 2 else 0.0
        high[node, others] = min(wrong[1], high[node, leaf.label] + near)
    _add_up(tree, low, high, least, most)
    return _Weights(low, high, least, most, label)


def _weights_from_counts(counts: NodeCounts) -> _Weights:
    return _Weights(counts.per_class, counts.per_class, counts.weight, counts.weight, None)


def _add_up(tree: BoxTree, *arrays: Floats) -> None:
    for node in reversed(tree.nodes):
        if node.children:
            for array in arrays:
                array[node.index] = array[list(node.children)].sum(axis=0)


def _leaf_bounds(tree: BoxTree, weights: _Weights, laplace: bool | None) -> ClassBounds:
    """Bounds of every leaf, shape (n_leaves, n_classes)."""
    ways = [laplace] if laplace is not None else [False, True]
    each = [_leaf_shares(tree, weights, smoothed) for smoothed in ways]
    plain = each[0] if not ways[0] else _leaf_shares(tree, weights, False)
    low = np.minimum.reduce([bounds[0] for bounds in each])
    high = np.maximum.reduce([bounds[1] for bounds in each])
    return ClassBounds(low, high, _possible_classes(tree, weights, *plain))


def _leaf_shares(tree: BoxTree, weights: _Weights, laplace: bool) -> tuple[Floats, Floats]:
    # Equal where a leaf surely is empty, or surely is not; else both may stand for it.
    low, high = _shares_of_classes(weights, find_basis_nodes(tree, weights.most), laplace)
    low_too, high_too = _shares_of_classes(weights, find_basis_nodes(tree, weights.least), laplace)
    return np.minimum(low, low_too), np.maximum(high, high_too)


def _shares_of_classes(weights: _Weights, nodes: Ints, laplace: bool) -> tuple[Floats, Floats]:
    """n_k / N, or (n_k + 1) / (N + K), with n_k in its bounds and the others in theirs."""
    low, high = weights.low[nodes], weights.high[nodes]
    one = 1.0 if laplace else 0.0
    with np.errstate(invalid="ignore", divide="ignore"):
        rest_most = np.minimum(
            high.sum(axis=1, keepdims=True) - high, weights.most[nodes, None] - low
        )
        rest_least = np.maximum(
            low.sum(axis=1, keepdims=True) - low, weights.least[nodes, None] - high
        ).clip(min=0.0)
        more = one * low.shape[1]
        least = (low + one) / (low + np.maximum(rest_most, 0.0) + more)
        most = (high + one) / (high + rest_least + more)
    # Without any weight there is no opinion, and of infinite weights nothing is known.
    return np.nan_to_num(least, nan=0.0), np.nan_to_num(most, nan=1.0).clip(max=1.0)


def _possible_classes(tree: BoxTree, weights: _Weights, low: Floats, high: Floats) -> Bools:
    """Which classes ``classifyInstance`` may give at each leaf.

    It takes the first class that exceeds those before it by more than 1e-6. The label of the
    leaf is found likewise from weights instead of their shares, so another class can only win
    where the two are nearly equal.
    """
    possible: Bools = high >= low.max(axis=1, keepdims=True) - _NEAR
    if weights.label is None:
        return _first_exceeding(low)
    order = np.arange(low.shape[1])
    for leaf, node in enumerate(tree.leaf_nodes):
        label = tree.leaves[leaf].label
        if tree.leaves[leaf].weight == 0:
            continue  # the label of an empty leaf is its parent's
        if weights.least[node] >= 1:
            possible[leaf] &= order <= label  # later ones that are equal do not exceed it
        first = weights.high[node] >= weights.low[node, label] - SMALL * weights.most[node]
        possible[leaf] &= first
        possible[leaf, label] = True
    return possible


def _first_exceeding(p: Floats) -> Bools:
    """The class of ``classifyInstance``, and those that come as near as a rounded sum."""
    top = p.max(axis=1, keepdims=True)
    near: Bools = p >= top - 1e-9
    close = (p >= top - _NEAR).sum(axis=1) > near.sum(axis=1)
    first = np.zeros_like(near)
    first[np.arange(len(p)), near.argmax(axis=1)] = True
    return np.where(close[:, None], p >= top - _NEAR, first)


def _shares(
    tree: BoxTree, children: tuple[int, ...], weights: _Weights
) -> tuple[list[float], list[float]]:
    """Least and most of a divided row that each branch gets."""
    kids = list(children)
    least, most = weights.least[kids], weights.most[kids]
    low, high = [], []
    total = most.sum()
    for k, child in enumerate(kids):
        all_low = least[k] + total - most[k] if total < np.inf else np.inf
        all_high = most[k] + least.sum() - least[k]
        a = least[k] / all_low if 0 < all_low < np.inf else 0.0
        b = most[k] / all_high if all_high > 0 and most[k] < np.inf else 1.0
        is_leaf = tree.nodes[child].is_leaf  # empty ones get nothing
        low.append(0.0 if is_leaf and least[k] <= SMALL else float(a))
        high.append(0.0 if is_leaf and most[k] <= SMALL else float(min(b, 1.0)))
    return low, high


def _combine_branches(
    way: Ints,
    inside: list[ClassBounds | None],
    shares: tuple[list[float], list[float]],
    classes: int,
) -> ClassBounds:
    """What a node says: its branch, a mixture of all branches, or one of them."""
    n = len(way)
    low, high = np.zeros((n, classes)), np.zeros((n, classes))
    may = np.zeros((n, classes), dtype=np.bool_)
    lost, open_ = way == _MISSING, way == _OPEN
    low[open_] = 1.0
    for k, branch_bounds in enumerate(inside):
        if branch_bounds is None:
            continue
        mine = (way == k) | (way < 0)
        for kind in (way == k, lost, open_):
            at = kind[mine]
            if not at.any():
                continue
            part = ClassBounds(*(b[at] for b in branch_bounds))
            if kind is lost:
                low[kind] += shares[0][k] * part.low
                high[kind] += shares[1][k] * part.high
            elif kind is open_:
                low[kind] = np.minimum(low[kind], part.low)
                high[kind] = np.maximum(high[kind], part.high)
            else:
                low[kind], high[kind] = part.low, part.high
            may[kind] |= part.may
    if lost.any():
        np.minimum(high, 1.0, out=high)
        # What all branches decide for, their mixture does, too; else its numbers tell.
        agreed = (may[lost].sum(axis=1) == 1) & (sum(shares[0]) > 0)
        near = high[lost] >= low[lost].max(axis=1, keepdims=True) - _NEAR
        may[lost] = np.where(agreed[:, None], may[lost], near)
    return ClassBounds(low, high, may)
