"""Loops of the nearby-leaf average that numba compiles: many cases walk down a tree side by side.

Every step is the same arithmetic on many numbers, which processors do several at once. A case
that has left a subtree stays in its row with weight 0, and what it adds there is 0. Cases that
fall into leaves near each other meet the same nodes, so they are taken in the order of their
leaves (`order_cases`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from j48geo.arrays import Bools, Floats, Ints
from j48geo.compilation import helper, inlined

_LEAF, _COLUMN, _TESTED, _FACE, _ROW, _LOW, _HIGH, _FIRST, _END, _VALUE = range(10)
"""What is known of a node, side by side: a third faster than an array for each."""
_CELLS_A_UNIT = 256.0
"""How finely the error function is tabled; between the cells a series of five terms is exact."""
_FARTHEST = 26.0
"""Beyond so many widths of the error nothing is left of a chance in double precision."""
_THIRD, _SIXTH, _THIRTIETH = 1 / 3, 1 / 6, 1 / 30
_NOT_HERE, _DIVIDED = -2, -1
"""Instead of a branch: nothing of the case arrived, or its value is missing."""


class SoftTree(NamedTuple):
    """A tree with softened faces; see `NearbyLeaves` and `NearbyIndex`.

    Parameters
    ----------
    units, rank_units
        What makes units of the error's width of differences of values, and of ranks.
    common : array of float64, shape (n_leaves,)
        The smallest value of each leaf: most classes have it, since few cases are in a leaf.
    first_more, more_class, more : arrays
        The classes of leaf i that have more, and how much, are those from ``first_more[i]``
        up to ``first_more[i + 1]``.
    nodes : array of int, shape (n_nodes, 10)
        Columns as named above. _ROW, _LOW and _HIGH are the rows of `Scratch.beyond` for the
        face of the node and for the ends of its box; the children of a node are those in
        `child` from _FIRST up to _END.
    least : array of float64, shape (n_nodes,)
        What a node must weigh not to be left out.
    chance, slope : array of float64, shape (n_cells,)
        From `tail_table`.
    waiting
        How many nodes may be on the stack.
    lanes
        How many cases walk side by side.
    n_rows
        How many rows of chances are kept.
    shared
        Whether every face has a row of its own, which all nodes with this face use; else the
        first two rows are the unbounded sides, and a node writes the row of its depth.
    """

    attribute: Ints
    units: Floats
    rank_units: float
    share: Floats
    common: Floats
    first_more: Ints
    more_class: Ints
    more: Floats
    nodes: Ints
    least: Floats
    child: Ints
    place: Floats
    place_rank: Floats
    chance: Floats
    slope: Floats
    waiting: int
    lanes: int
    n_rows: int
    shared: bool


class CaseArrays(NamedTuple):
    """The cases, the order in which they are taken, and their ranks in the tested columns."""

    X: Floats
    order: Ints
    rank: Floats


class Scratch(NamedTuple):
    """What is found out about the cases at hand; `x` and `rank` have a row a tested column.

    Parameters
    ----------
    beyond : array of float64, shape (n_rows, lanes)
        The chance beyond faces, see `j48geo.score.nearby.numpy_engine`.
    """

    x: Floats
    rank: Floats
    beyond: Floats
    offset: Floats
    cell: Ints
    step: Floats


class LaneSums(NamedTuple):
    """What the leaves have given the cases at hand so far.

    Parameters
    ----------
    total : array of float64, shape (lanes,)
        Weight of all leaves met.
    shared : array of float64, shape (lanes,)
        Weight times the value that all classes of a leaf have.
    more : array of float64, shape (n_classes, lanes)
        Weight times what single classes have beyond that.
    """

    total: Floats
    shared: Floats
    more: Floats


@inlined
def fill_unbounded(beyond: Floats, tree: SoftTree) -> None:
    """Chances beyond the unbounded sides of boxes, which are the same for all cases."""
    certain = tree.chance[-1]
    beyond[0] = certain
    if tree.shared:
        for f in range(len(tree.place)):
            if np.isinf(tree.place[f]):
                beyond[f] = certain if tree.place[f] < 0 else -certain
    else:
        beyond[1] = -certain


@inlined
def load_cases(
    begin: int,
    cases: CaseArrays,
    tree: SoftTree,
    case: Ints,
    now: Scratch,
    missing: Bools,
    gaps: Bools,
) -> None:
    """Take the next cases, and their values and ranks in the tested columns, side by side."""
    last = len(cases.order) - 1
    for j in range(tree.lanes):  # the last case stands in for those that are not there
        case[j] = cases.order[min(begin + j, last)]
    for k in range(len(tree.attribute)):
        gaps[k] = False
        for j in range(tree.lanes):
            value = cases.X[case[j], tree.attribute[k]]
            missing[k, j] = value != value
            gaps[k] |= missing[k, j]
            now.x[k, j] = 0.0 if missing[k, j] else value
            now.rank[k, j] = cases.rank[case[j], k]


@inlined
def add_leaf(leaf: int, weight: Floats, tree: SoftTree, sums: LaneSums) -> None:
    """Add the values of a leaf, as far as the cases reach it."""
    value = tree.common[leaf]
    for j in range(tree.lanes):
        sums.total[j] += weight[j]
        sums.shared[j] += weight[j] * value
    for at in range(tree.first_more[leaf], tree.first_more[leaf + 1]):
        c = tree.more_class[at]
        value = tree.more[at]
        for j in range(tree.lanes):
            sums.more[c, j] += weight[j] * value


@inlined
def divide_weights(
    weight: Floats,
    stacked: Floats,
    top: int,
    left: Floats,
    right: Floats,
    least_left: float,
    least_right: float,
    lanes: int,
) -> tuple[int, int]:
    """Leave in `weight` what goes left, put on the stack what goes right; how many cases do."""
    goes_left = 0
    goes_right = 0
    for j in range(lanes):
        both = left[j] + right[j]
        others = weight[j] / both  # what the other attributes leave
        others = others if both > 0.0 else 0.0
        part = left[j] * others
        weight[j] = part if part > least_left else 0.0
        goes_left += part > least_left
        part = right[j] * others
        stacked[top, j] = part if part > least_right else 0.0
        goes_right += part > least_right
    return goes_left, goes_right


@inlined
def divide_missing(
    weight: Floats,
    stacked: Floats,
    top: int,
    whole: Floats,
    missing: Bools,
    k: int,
    share_left: float,
    share_right: float,
    least_left: float,
    least_right: float,
    lanes: int,
) -> tuple[int, int]:
    """Divide cases without a value in tested column `k` by the shares of the branches."""
    goes_left = 0
    goes_right = 0
    for j in range(lanes):
        if missing[k, j]:
            part = whole[j] * share_left
            weight[j] = part if part > least_left else 0.0
            part = whole[j] * share_right
            stacked[top, j] = part if part > least_right else 0.0
        goes_left += weight[j] > 0.0
        goes_right += stacked[top, j] > 0.0
    return goes_left, goes_right


@inlined
def store_means(case: Ints, count: int, sums: LaneSums, mixed: Floats) -> None:
    """Write the mean of the leaf values of the first `count` lanes."""
    for j in range(count):
        for c in range(mixed.shape[1]):
            mixed[case[j], c] = (sums.shared[j] + sums.more[c, j]) / sums.total[j]


@helper
def find_tail_chances(f: int, k: int, row: int, now: Scratch, tree: SoftTree) -> None:
    """The chances beyond face `f` of tested column `k`."""
    place, units = tree.place[f], tree.units[k]
    rank, rank_units = tree.place_rank[f], tree.rank_units
    chance, slope = tree.chance, tree.slope
    beyond, offset, cell, step = now.beyond, now.offset, now.cell, now.step
    if np.isinf(place):  # also to an infinite case
        beyond[row] = chance[-1] if place < 0 else -chance[-1]
        return
    # Short loops that write little: longer ones are not vectorised.
    for j in range(tree.lanes):
        by_value = (place - now.x[k, j]) * units
        by_rank = (rank - now.rank[k, j]) * rank_units
        offset[j] = by_rank if abs(by_rank) > abs(by_value) else by_value
    for j in range(tree.lanes):
        far = abs(offset[j])
        far = far if far < _FARTHEST else _FARTHEST
        cell[j] = np.uint64(far * _CELLS_A_UNIT + 0.5)
    for j in range(tree.lanes):
        far = abs(offset[j])
        far = far if far < _FARTHEST else _FARTHEST
        at = cell[j] * (1.0 / _CELLS_A_UNIT)
        rest = far - at
        square = at * at
        series = ((4.0 * square - 12.0) * square + 3.0) * _THIRTIETH
        series = (3.0 - 2.0 * square) * at * _SIXTH + series * rest
        series = (2.0 * square - 1.0) * _THIRD + series * rest
        series = series * rest - at
        series = series * rest + 1.0
        step[j] = series * rest
    for j in range(tree.lanes):
        step[j] = chance[cell[j]] + slope[cell[j]] * step[j]
    for j in range(tree.lanes):
        beyond[row, j] = step[j] if offset[j] < 0.0 else -step[j]


@helper
def split_chances(
    low: int, f: int, high: int, beyond: Floats, left: Floats, right: Floats, lanes: int
) -> None:
    """Chance of the error to fall between the lower end and a face, and above it."""
    for j in range(lanes):
        at_face = beyond[f, j]
        chance = at_face - beyond[low, j]
        more = 1.0 if (beyond[low, j] > 0.0) & (at_face < 0.0) else 0.0
        chance += more
        left[j] = chance if chance > 0.0 else 0.0
        chance = beyond[high, j] - at_face
        more = 1.0 if (at_face > 0.0) & (beyond[high, j] < 0.0) else 0.0
        chance += more
        right[j] = chance if chance > 0.0 else 0.0


@helper
def push_values(
    node: int,
    X: Floats,
    case: Ints,
    weight: Floats,
    top: int,
    stack: Ints,
    stacked: Floats,
    tree: SoftTree,
) -> int:
    """Put the children of a nominal split on the stack, the last branch first."""
    first = tree.nodes[node, _FIRST]
    value = tree.nodes[node, _VALUE]
    branches = np.empty(tree.lanes, dtype=np.int64)
    divided = False
    after = 0
    for j in range(tree.lanes):
        branches[j] = _NOT_HERE
        if weight[j] > 0.0:
            x = X[case[j], tree.nodes[node, _COLUMN]]
            if x != x:
                branches[j] = _DIVIDED
                divided = True
                after = tree.nodes[node, _END] - first
            elif value < 0:
                branches[j] = int(x)
            else:
                branches[j] = 0 if int(x) == value else 1
            after = max(after, branches[j] + 1)
    while after > 0:
        branch = after - 1
        child = tree.child[first + branch]
        arrives = False
        for j in range(tree.lanes):
            part = weight[j] if branches[j] == branch else 0.0
            if branches[j] == _DIVIDED:
                part = weight[j] * tree.share[child]
            stacked[top, j] = part if part > tree.least[child] else 0.0
            arrives |= part > tree.least[child]
        if arrives:
            stack[top] = child
            top += 1
        after = 0 if not divided else branch
        if not divided:  # the next smaller branch that some case takes
            for j in range(tree.lanes):
                if branches[j] < branch:
                    after = max(after, branches[j] + 1)
    return top


def average_leaves(cases: CaseArrays, mixed: Floats, met: Ints, tree: SoftTree) -> None:
    """Mean of the leaf values for each case: depth first, leaves in text order.

    What is found out about a face is kept for the cases at hand; the ends of a node's box
    are faces of nodes above it, and so known when the node is met.
    """
    nodes, child, least = tree.nodes, tree.child, tree.least
    n_tested = len(tree.attribute)
    lanes = tree.lanes  # not a constant: loops of known length are unrolled, not vectorised
    stack = np.empty(tree.waiting, dtype=np.int64)
    stacked = np.empty((tree.waiting, lanes), dtype=np.float64)
    now = Scratch(
        np.empty((n_tested, lanes), dtype=np.float64),
        np.empty((n_tested, lanes), dtype=np.float64),
        np.empty((tree.n_rows, lanes), dtype=np.float64),
        np.empty(lanes, dtype=np.float64),
        np.empty(lanes, dtype=np.uint64),  # signed ones would be asked whether they are negative
        np.empty(lanes, dtype=np.float64),
    )
    sums = LaneSums(
        np.empty(lanes, dtype=np.float64),
        np.empty(lanes, dtype=np.float64),
        np.empty((mixed.shape[1], lanes), dtype=np.float64),
    )
    seen = np.empty(tree.n_rows, dtype=np.int64)  # the cases that a row was filled for
    for row in range(tree.n_rows):
        seen[row] = -1
    missing = np.empty((n_tested, lanes), dtype=np.bool_)
    gaps = np.empty(n_tested, dtype=np.bool_)  # whether some case has no value there
    left = np.empty(lanes, dtype=np.float64)
    right = np.empty(lanes, dtype=np.float64)
    whole = np.empty(lanes, dtype=np.float64)
    weight = np.empty(lanes, dtype=np.float64)
    case = np.empty(lanes, dtype=np.int64)
    visits = np.empty(lanes, dtype=np.int64)
    fill_unbounded(now.beyond, tree)
    for begin in range(0, len(cases.order), lanes):
        # The next cases start at the root with weight 1.
        load_cases(begin, cases, tree, case, now, missing, gaps)
        sums.total[:] = 0.0
        sums.shared[:] = 0.0
        sums.more[:] = 0.0
        visits[:] = 0
        stack[0] = 0
        stacked[0] = 1.0
        top = 1
        while top > 0:
            # The node that was put on the stack last, and what of each case comes to it.
            top -= 1
            node = stack[top]
            for j in range(lanes):
                weight[j] = stacked[top, j]
            while True:
                if len(met):
                    for j in range(lanes):
                        visits[j] += weight[j] > 0.0
                leaf = nodes[node, _LEAF]
                if leaf >= 0:
                    add_leaf(leaf, weight, tree, sums)
                    break
                k = nodes[node, _TESTED]
                if k < 0:
                    top = push_values(node, cases.X, case, weight, top, stack, stacked, tree)
                    break
                # A numeric split: the chances beyond its face, unless they are known already.
                row = nodes[node, _ROW]
                if seen[row] < begin or not tree.shared:
                    seen[row] = begin
                    find_tail_chances(nodes[node, _FACE], k, row, now, tree)
                split_chances(
                    nodes[node, _LOW], row, nodes[node, _HIGH], now.beyond, left, right, lanes
                )
                if gaps[k]:
                    for j in range(lanes):
                        whole[j] = weight[j]
                first = nodes[node, _FIRST]
                one, other = child[first], child[first + 1]
                goes_left, goes_right = divide_weights(
                    weight, stacked, top, left, right, least[one], least[other], lanes
                )
                if gaps[k]:
                    more_left, more_right = divide_missing(
                        weight,
                        stacked,
                        top,
                        whole,
                        missing,
                        k,
                        tree.share[one],
                        tree.share[other],
                        least[one],
                        least[other],
                        lanes,
                    )
                    goes_left += more_left
                    goes_right += more_right
                # On to the left child, while the right one waits; or to the only one reached.
                if goes_left > 0:
                    if goes_right > 0:
                        stack[top] = other
                        top += 1
                    node = one
                elif goes_right > 0:
                    for j in range(lanes):
                        weight[j] = stacked[top, j]
                    node = other
                else:
                    break
        count = min(lanes, len(cases.order) - begin)
        store_means(case, count, sums, mixed)
        if len(met):
            for j in range(count):
                met[case[j]] = visits[j]


class CaseRoutes(NamedTuple):
    """Where a case goes at each node; see `j48geo.score.nearby.index.NearbyIndex`."""

    leaf: Ints
    column: Ints
    tested: Ints
    value: Ints
    face: Ints
    first_child: Ints
    child: Ints
    place: Floats


def order_cases(X: Floats, order: Ints, routes: CaseRoutes) -> None:
    """Cases in the order of the leaves they fall into, as far as their values are known."""
    n_nodes = len(routes.leaf)
    end = np.empty(len(X), dtype=np.int64)
    first = np.zeros(n_nodes + 1, dtype=np.int64)
    for i in range(len(X)):
        node = 0
        while routes.leaf[node] < 0:
            x = X[i, routes.column[node]]
            if x != x:
                break
            if routes.tested[node] >= 0:
                branch = 0 if x <= routes.place[routes.face[node]] else 1
            elif routes.value[node] >= 0:
                branch = 0 if int(x) == routes.value[node] else 1
            else:
                branch = int(x)
            node = routes.child[routes.first_child[node] + branch]
        end[i] = node
        first[node + 1] += 1
    for node in range(n_nodes):
        first[node + 1] += first[node]
    for i in range(len(X)):
        order[first[end[i]]] = i
        first[end[i]] += 1


def rank_cases(X: Floats, k: int, column: int, knot: Floats, rank: Floats, own: Floats) -> None:
    """F(x) in tested column `k` of all cases, as `mid_ranks` has it; 0 where x is missing."""
    for i in range(len(X)):
        x = X[i, column]
        if x != x or len(knot) == 0:
            own[i, k] = 0.0
            continue
        lower = 0
        upper = len(knot)
        while lower < upper:
            middle = (lower + upper) // 2
            if knot[middle] <= x:
                lower = middle + 1
            else:
                upper = middle
        if lower == 0:
            own[i, k] = rank[0]
        elif lower == len(knot):
            own[i, k] = rank[lower - 1]
        else:
            step = x - knot[lower - 1]
            gap = knot[lower] - knot[lower - 1]
            if gap == np.inf:
                step = x * 0.5 - knot[lower - 1] * 0.5
                gap = knot[lower] * 0.5 - knot[lower - 1] * 0.5
            own[i, k] = rank[lower - 1] + (rank[lower] - rank[lower - 1]) * (step / gap)
