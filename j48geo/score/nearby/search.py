"""The nearby leaves of many cases, compiled by numba; the same as by levels, bit for bit.

Cases that lie near each other meet the same nodes. They are sorted by the leaf that they fall
into and walk down the tree side by side, 64 at a time, so that every step is the same arithmetic
on 64 numbers, which processors do several at once. A case that has left a subtree stays in its
row with weight 0, and what it adds there is 0.
"""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import NamedTuple

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.compiled import compiled, helper, in_threads
from j48geo.core.learnt import NearbyLeaves
from j48geo.score.nearby.levels import tail_table
from j48geo.score.nearby.plan import Plan

__all__ = ["mixed_by_search", "nodes_met_by_search"]

ROOT_12 = sqrt(12.0)
LEAF, COLUMN, TESTED, FACE, LOW, HIGH, FIRST, END, VALUE = range(9)
"""What is known of a node, side by side: a third faster than an array for each."""
LANES = 64
CELLS_A_UNIT = 256.0
FARTHEST = 27.25


class SoftTree(NamedTuple):
    """A tree with softened faces; see `NearbyLeaves` and `Plan`.

    Parameters
    ----------
    width
        Standard deviation of the error times the square root of 2.
    nodes : array of int, shape (n_nodes, 9)
        Columns as named above; the children of a node are those in `child` from FIRST up
        to END.
    tails : array of float64, shape (n_cells, 6)
        From `tail_table`.
    lanes
        How many cases walk side by side.
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
    tails: Floats
    lanes: int


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
        tail_table(),
        LANES,
    )


@helper
def sort_cases(X: Floats, order: Ints, tree: SoftTree) -> None:
    """Cases in the order of the leaves they fall into, as far as their values are known."""
    nodes, child = tree.nodes, tree.child
    end = np.empty(len(X), dtype=np.int64)
    first = np.zeros(len(nodes) + 1, dtype=np.int64)
    for i in range(len(X)):
        node = 0
        while nodes[node, LEAF] < 0:
            x = X[i, nodes[node, COLUMN]]
            if x != x:
                break
            if nodes[node, TESTED] >= 0:
                branch = 0 if x <= tree.place[nodes[node, FACE]] else 1
            elif nodes[node, VALUE] >= 0:
                branch = 0 if int(x) == nodes[node, VALUE] else 1
            else:
                branch = int(x)
            node = child[nodes[node, FIRST] + branch]
        end[i] = node
        first[node + 1] += 1
    for node in range(len(nodes)):
        first[node + 1] += first[node]
    for i in range(len(X)):
        order[first[end[i]]] = i
        first[end[i]] += 1


@helper
def rank_cases(k: int, x: Floats, own_rank: Floats, tree: SoftTree) -> None:
    """F(x) in tested column `k`, as `mid_ranks` has it."""
    knot, knot_rank = tree.knot, tree.knot_rank
    begins = tree.first_knot[k]
    ends = tree.first_knot[k + 1]
    for j in range(tree.lanes):
        lower = begins
        upper = ends
        while lower < upper:
            middle = (lower + upper) // 2
            if knot[middle] <= x[k, j]:
                lower = middle + 1
            else:
                upper = middle
        if begins == ends:
            own_rank[k, j] = 0.0
        elif lower == begins:
            own_rank[k, j] = knot_rank[begins]
        elif lower == ends:
            own_rank[k, j] = knot_rank[ends - 1]
        else:
            step = x[k, j] - knot[lower - 1]
            gap = knot[lower] - knot[lower - 1]
            if gap == np.inf:
                step = x[k, j] * 0.5 - knot[lower - 1] * 0.5
                gap = knot[lower] * 0.5 - knot[lower - 1] * 0.5
            rise = knot_rank[lower] - knot_rank[lower - 1]
            own_rank[k, j] = knot_rank[lower - 1] + rise * (step / gap)


@helper
def look_at(
    f: int,
    k: int,
    x: Floats,
    own_rank: Floats,
    offset: Floats,
    far: Floats,
    below: Floats,
    above: Floats,
    tree: SoftTree,
) -> None:
    """The chances below and above face `f` of tested column `k`; `offset`, `far` are scratch."""
    place, rank, scale, width = tree.place[f], tree.place_rank[f], tree.scale[k], tree.width
    tails = tree.tails
    for j in range(tree.lanes):
        by_value = (place - x[k, j]) / scale
        by_rank = ROOT_12 * (rank - own_rank[k, j])
        offset[j] = by_rank if abs(by_rank) > abs(by_value) else by_value
    for j in range(tree.lanes):
        units = abs(offset[j]) / width
        far[j] = units if units < FARTHEST else FARTHEST
    for j in range(tree.lanes):
        cell = int(far[j] * CELLS_A_UNIT + 0.5)
        rest = far[j] - cell / CELLS_A_UNIT
        tail = tails[cell, 5]
        tail = tail * rest + tails[cell, 4]
        tail = tail * rest + tails[cell, 3]
        tail = tail * rest + tails[cell, 2]
        tail = tail * rest + tails[cell, 1]
        far[j] = tail * rest + tails[cell, 0]
    for j in range(tree.lanes):
        below[f, j] = far[j] if offset[j] < 0.0 else 1.0 - far[j]
    for j in range(tree.lanes):
        above[f, j] = 1.0 - far[j] if offset[j] < 0.0 else far[j]


@helper
def push_values(
    node: int,
    X: Floats,
    case: Ints,
    weight: Floats,
    least: float,
    top: int,
    stack: Ints,
    stacked: Floats,
    tree: SoftTree,
) -> int:
    """Put the children of a nominal split on the stack, the last branch first."""
    first = tree.nodes[node, FIRST]
    value = tree.nodes[node, VALUE]
    branches = np.full(LANES, -2, dtype=np.int64)  # nothing arrived
    after = 0
    for j in range(LANES):
        if weight[j] > 0.0:
            x = X[case[j], tree.nodes[node, COLUMN]]
            if x != x:
                branches[j] = -1
                after = tree.nodes[node, END] - first
            elif value < 0:
                branches[j] = int(x)
            else:
                branches[j] = 0 if int(x) == value else 1
            after = max(after, branches[j] + 1)
    divided = (branches == -1).any()
    while after > 0:
        branch = after - 1
        share = tree.share[tree.child[first + branch]]
        arrives = False
        for j in range(LANES):
            part = weight[j] if branches[j] == branch else 0.0
            if branches[j] == -1:
                part = weight[j] * share
            stacked[top, j] = part if part > least else 0.0
            arrives |= part > least
        if arrives:
            stack[top] = tree.child[first + branch]
            top += 1
        after = 0 if not divided else branch
        if not divided:  # the next smaller branch that some case takes
            for j in range(LANES):
                if branches[j] < branch:
                    after = max(after, branches[j] + 1)
    return top


@helper
def between(below: Floats, above: Floats, low: int, high: int, found: Floats, lanes: int) -> None:
    """Chance of the error to fall between two faces, from the side with less rounding."""
    for j in range(lanes):
        from_below = below[high, j] - below[low, j]
        from_above = above[low, j] - above[high, j]
        chance = from_below if below[low, j] < 0.5 else from_above
        found[j] = chance if chance > 0.0 else 0.0


@helper
def keep_weights(weight: Floats, others: Floats, least: float, lanes: int) -> bool:
    """Chances times what the other attributes leave; 0 where it is too little."""
    kept = 0
    for j in range(lanes):
        part = weight[j] * others[j]
        weight[j] = part if part > least else 0.0
        kept += part > least
    return kept > 0


def mix_leaves(X: Floats, mixed: Floats, met: Ints, least: float, tree: SoftTree) -> None:
    """Mean of the leaf values for each case: depth first, leaves in text order.

    What is found out about a face is kept for the cases at hand; the ends of a node's box
    are faces of nodes above it, and so known when the node is met.
    """
    nodes, child, place, leaf_value = tree.nodes, tree.child, tree.place, tree.leaf_value
    n_classes = leaf_value.shape[1]
    n_tested = len(tree.attribute)
    lanes = tree.lanes  # not a constant: loops of known length are unrolled, not vectorised
    order = np.empty(len(X), dtype=np.int64)
    sort_cases(X, order, tree)
    stack = np.empty(len(nodes) + 1, dtype=np.int64)
    stacked = np.empty((len(nodes) + 1, LANES), dtype=np.float64)
    below = np.zeros((len(place), LANES), dtype=np.float64)  # chances below and above a face
    above = np.zeros((len(place), LANES), dtype=np.float64)
    seen = np.full(len(place), -1, dtype=np.int64)  # last row of cases it was looked at for
    x = np.zeros((n_tested, LANES), dtype=np.float64)
    own_rank = np.zeros((n_tested, LANES), dtype=np.float64)
    ranked = np.full(n_tested, -1, dtype=np.int64)
    missing = np.zeros((n_tested, LANES), dtype=np.bool_)
    gaps = np.zeros(n_tested, dtype=np.bool_)  # whether some case has no value there
    left = np.zeros(LANES, dtype=np.float64)
    right = np.zeros(LANES, dtype=np.float64)
    others = np.zeros(LANES, dtype=np.float64)
    weight = np.zeros(LANES, dtype=np.float64)
    total = np.zeros(LANES, dtype=np.float64)
    sums = np.zeros((n_classes, LANES), dtype=np.float64)
    case = np.zeros(LANES, dtype=np.int64)
    visits = np.zeros(LANES, dtype=np.int64)
    for f in range(len(place)):
        if place[f] == -np.inf:
            above[f] = 1.0
            seen[f] = len(X)
        elif place[f] == np.inf:
            below[f] = 1.0
            seen[f] = len(X)
    for begin in range(0, len(X), LANES):
        for j in range(lanes):  # the last case stands in for those that are not there
            case[j] = order[min(begin + j, len(X) - 1)]
        for k in range(n_tested):
            gaps[k] = False
            for j in range(lanes):
                value = X[case[j], tree.attribute[k]]
                missing[k, j] = value != value
                gaps[k] |= missing[k, j]
                x[k, j] = 0.0 if missing[k, j] else value
        total[:] = 0.0
        sums[:] = 0.0
        visits[:] = 0
        stack[0] = 0
        stacked[0] = 1.0
        top = 1
        while top > 0:
            top -= 1
            node = stack[top]
            for j in range(lanes):
                weight[j] = stacked[top, j]
            while True:
                if len(met):
                    for j in range(lanes):
                        visits[j] += weight[j] > 0.0
                leaf = nodes[node, LEAF]
                if leaf >= 0:
                    for j in range(lanes):
                        total[j] += weight[j]
                    for c in range(n_classes):
                        value = leaf_value[leaf, c]
                        for j in range(lanes):
                            sums[c, j] += weight[j] * value
                    break
                k = nodes[node, TESTED]
                first = nodes[node, FIRST]
                if k < 0:
                    top = push_values(node, X, case, weight, least, top, stack, stacked, tree)
                    break
                f = nodes[node, FACE]
                if seen[f] < begin:
                    seen[f] = begin
                    if ranked[k] < begin:
                        ranked[k] = begin
                        rank_cases(k, x, own_rank, tree)
                    look_at(f, k, x, own_rank, left, others, below, above, tree)
                # One short loop for each array that is written: longer ones are not vectorised.
                between(below, above, nodes[node, LOW], nodes[node, HIGH], others, lanes)
                for j in range(lanes):  # what the other attributes leave
                    rest = weight[j] / others[j]
                    others[j] = rest if weight[j] > 0.0 else 0.0
                between(below, above, nodes[node, LOW], f, left, lanes)
                between(below, above, f, nodes[node, HIGH], right, lanes)
                goes_left = keep_weights(left, others, least, lanes)
                goes_right = keep_weights(right, others, least, lanes)
                if gaps[k]:
                    for j in range(lanes):
                        if missing[k, j]:
                            one = weight[j] * tree.share[child[first]]
                            other = weight[j] * tree.share[child[first + 1]]
                            left[j] = one if one > least else 0.0
                            right[j] = other if other > least else 0.0
                        goes_left |= left[j] > 0.0
                        goes_right |= right[j] > 0.0
                if goes_left:
                    if goes_right:
                        stack[top] = child[first + 1]
                        for j in range(lanes):
                            stacked[top, j] = right[j]
                        top += 1
                    for j in range(lanes):
                        weight[j] = left[j]
                    node = child[first]
                elif goes_right:
                    for j in range(lanes):
                        weight[j] = right[j]
                    node = child[first + 1]
                else:
                    break
        for j in range(min(LANES, len(X) - begin)):
            for c in range(n_classes):
                mixed[case[j], c] = sums[c, j] / total[j]
            if len(met):
                met[case[j]] = visits[j]
