"""The nearby leaves of many cases, compiled by numba; the same as by levels, bit for bit."""

from __future__ import annotations

from collections.abc import Callable
from math import erfc, sqrt
from typing import NamedTuple

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.compiled import compiled, in_threads
from j48geo.core.learnt import NearbyLeaves
from j48geo.score.nearby.plan import Plan

__all__ = ["mixed_by_search", "nodes_met_by_search"]

ROOT_12 = sqrt(12.0)
LEAF, COLUMN, TESTED, FACE, LOW, HIGH, FIRST, END, VALUE = range(9)
"""What is known of a node, side by side: a third faster than an array for each."""


class SoftTree(NamedTuple):
    """A tree with softened faces; see `NearbyLeaves` and `Plan`.

    Parameters
    ----------
    width
        Standard deviation of the error times the square root of 2.
    nodes : array of int, shape (n_nodes, 9)
        Columns as named above; the children of a node are those in `child` from FIRST up
        to END.
    """

    width: float
    attribute: Ints
    scale: Floats
    first_knot: Ints
    knot: Floats
    knot_rank: Floats
    share: Floats
    leaf_value: Floats
    nodes: Ints
    child: Ints
    place: Floats
    place_rank: Floats


def mixed_by_search(plan: Plan, nearby: NearbyLeaves, X: Floats, least: float) -> Floats:
    """Mean of the leaf values by weight, shape (n_cases, n_classes).

    Raises
    ------
    ImportError
        If there is no numba.
    """
    return _searched(compiled(mix_leaves), plan, nearby, X, least, np.empty(0, dtype=np.intp))


def nodes_met_by_search(plan: Plan, nearby: NearbyLeaves, X: Floats, least: float) -> Ints:
    """Number of nodes that the search meets for each case: work without a clock."""
    met = np.zeros(len(X), dtype=np.intp)
    _searched(compiled(mix_leaves), plan, nearby, X, least, met)
    return met


def _searched(
    loop: Callable[[Floats, Floats, Ints, float, SoftTree], None],
    plan: Plan,
    nearby: NearbyLeaves,
    X: Floats,
    least: float,
    met: Ints,
) -> Floats:
    mixed = np.empty((len(X), nearby.leaf_value.shape[1]))
    tree = _soft_tree(plan, nearby)

    def search(part: slice) -> None:
        loop(X[part], mixed[part], met[part], least, tree)

    in_threads(search, len(X))
    return mixed


def _soft_tree(plan: Plan, nearby: NearbyLeaves) -> SoftTree:
    first, end = plan.first_child[:-1], plan.first_child[1:]
    packed = (plan.leaf, plan.column, plan.tested, plan.face, plan.low, plan.high)
    return SoftTree(
        nearby.sigma * sqrt(2.0),
        nearby.attribute,
        nearby.scale,
        nearby.first_knot,
        nearby.knot,
        nearby.rank,
        nearby.share,
        nearby.leaf_value,
        np.ascontiguousarray(np.stack([*packed, first, end, plan.value], axis=1)),
        plan.child,
        plan.place,
        plan.rank,
    )


def mix_leaves(X: Floats, mixed: Floats, met: Ints, least: float, tree: SoftTree) -> None:
    """Mean of the leaf values for each case: depth first, leaves in text order.

    What is found out about a face is kept for the case at hand; the ends of a node's box
    are faces of nodes above it, and so known when the node is met.
    """
    nodes, child, place = tree.nodes, tree.child, tree.place
    knot, knot_rank, leaf_value = tree.knot, tree.knot_rank, tree.leaf_value
    n_classes = leaf_value.shape[1]
    stack = np.empty(len(nodes) + 1, dtype=np.int64)
    stacked = np.empty(len(nodes) + 1, dtype=np.float64)
    passed = np.zeros((len(place), 2), dtype=np.float64)  # chances below and above a face
    seen = np.full(len(place), -1, dtype=np.int64)  # last case that a face was looked at for
    ranked = np.full(len(tree.attribute), -1, dtype=np.int64)
    own_rank = np.zeros(len(tree.attribute), dtype=np.float64)
    sums = np.empty(n_classes, dtype=np.float64)
    for f in range(len(place)):
        if place[f] == -np.inf:
            passed[f, 1] = 1.0
            seen[f] = len(X)
        elif place[f] == np.inf:
            passed[f, 0] = 1.0
            seen[f] = len(X)
    for i in range(len(X)):
        total = 0.0
        visits = 0
        sums[:] = 0.0
        stack[0] = 0
        stacked[0] = 1.0
        top = 1
        while top > 0:
            top -= 1
            node = stack[top]
            weight = stacked[top]
            while True:
                visits += 1
                leaf = nodes[node, LEAF]
                if leaf >= 0:
                    total += weight
                    for c in range(n_classes):
                        sums[c] += weight * leaf_value[leaf, c]
                    break
                x = X[i, nodes[node, COLUMN]]
                k = nodes[node, TESTED]
                first = nodes[node, FIRST]
                if x != x:  # missing: the last branch waits longest
                    for j in range(nodes[node, END] - 1, first - 1, -1):
                        part = weight * tree.share[child[j]]
                        if part > least:
                            stack[top] = child[j]
                            stacked[top] = part
                            top += 1
                    break
                if k < 0:
                    value = nodes[node, VALUE]
                    if value < 0:
                        node = child[first + int(x)]
                    elif int(x) == value:
                        node = child[first]
                    else:
                        node = child[first + 1]
                    continue
                f = nodes[node, FACE]
                if seen[f] < i:
                    seen[f] = i
                    if ranked[k] < i:  # F(x), as `mid_ranks` has it
                        ranked[k] = i
                        begins = tree.first_knot[k]
                        ends = tree.first_knot[k + 1]
                        lower = begins
                        upper = ends
                        while lower < upper:
                            middle = (lower + upper) // 2
                            if knot[middle] <= x:
                                lower = middle + 1
                            else:
                                upper = middle
                        if begins == ends:
                            own_rank[k] = 0.0
                        elif lower == begins:
                            own_rank[k] = knot_rank[begins]
                        elif lower == ends:
                            own_rank[k] = knot_rank[ends - 1]
                        else:
                            step = x - knot[lower - 1]
                            gap = knot[lower] - knot[lower - 1]
                            if gap == np.inf:
                                step = x * 0.5 - knot[lower - 1] * 0.5
                                gap = knot[lower] * 0.5 - knot[lower - 1] * 0.5
                            rise = knot_rank[lower] - knot_rank[lower - 1]
                            own_rank[k] = knot_rank[lower - 1] + rise * (step / gap)
                    offset = (place[f] - x) / tree.scale[k]
                    by_rank = ROOT_12 * (tree.place_rank[f] - own_rank[k])
                    if abs(by_rank) > abs(offset):
                        offset = by_rank
                    tail = 0.5 * erfc(abs(offset) / tree.width)
                    if offset < 0.0:
                        passed[f, 0] = tail
                        passed[f, 1] = 1.0 - tail
                    else:
                        passed[f, 0] = 1.0 - tail
                        passed[f, 1] = tail
                lo = nodes[node, LOW]
                hi = nodes[node, HIGH]
                if passed[lo, 0] < 0.5:
                    whole = passed[hi, 0] - passed[lo, 0]
                    left = passed[f, 0] - passed[lo, 0]
                else:
                    whole = passed[lo, 1] - passed[hi, 1]
                    left = passed[lo, 1] - passed[f, 1]
                if passed[f, 0] < 0.5:
                    right = passed[hi, 0] - passed[f, 0]
                else:
                    right = passed[f, 1] - passed[hi, 1]
                left = weight * (max(0.0, left) / whole)
                right = weight * (max(0.0, right) / whole)
                if left > least:
                    if right > least:
                        stack[top] = child[first + 1]
                        stacked[top] = right
                        top += 1
                    node = child[first]
                    weight = left
                elif right > least:
                    node = child[first + 1]
                    weight = right
                else:
                    break
        for c in range(n_classes):
            mixed[i, c] = sums[c] / total
        if len(met):
            met[i] = visits
