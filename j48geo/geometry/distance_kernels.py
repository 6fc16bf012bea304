"""Searches for the nearest leaf as plain loops for numba; Python alone runs them too, slowly.

All of them go by the squared distance of `search_index`, kept from node to node. It is within
rounding of the definition's: it decides what to skip, with a margin (`guard` times, plus
`TINY` where squares leave the normal doubles), and where the margin does not decide, the
definition's own sum, in its own order, does.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from j48geo.arrays import Bools, Floats, Ints
from j48geo.compilation import helper, inlined

BitWords = NDArray[np.uint64]

TINY = 1e-290
"""Added to limits, since a factor alone is no margin where squares underflow."""


class IndexNodes(NamedTuple):
    """Nodes of a tree in preorder: the first child of a node follows it.

    Parameters
    ----------
    # Arrays in names of their own: fields of a tuple in the inner loop cost three times as much.
    attribute, threshold, low, high
        The split, and the node's box in its attribute; a leaf has attribute -1.
    right : array of int
        Second child of a numeric split; -1 for nominal splits and leaves.
    first_child, child : array of int
        The children of node i, in order of branches, are those in `child` from
        ``first_child[i]`` up to ``first_child[i + 1]``.
    first_route, route : array of int
        For each nominal node, from `first_route` on, the position among its children of
        the one that takes a value; -1 for values that do not belong to its box.
    leaf : array of int
        Leaf index of a leaf, else -1.
    """

    attribute: Ints
    threshold: Floats
    low: Floats
    high: Floats
    right: Ints
    first_child: Ints
    child: Ints
    first_route: Ints
    route: Ints
    leaf: Ints


class LeafBoxes(NamedTuple):
    """The boxes of the leaves, as in `j48geo.geometry.faces.Faces`."""

    start: Ints
    attribute: Ints
    low: Floats
    high: Floats
    subset: Ints
    only: Ints
    row: Ints
    allowed: Bools


class SearchSpace(NamedTuple):
    """A tree in a metric: all that a search goes by, but the classes of leaves and nodes.

    Parameters
    ----------
    first_other, other : array of int
        The children of nominal nodes to look at beside the one that takes the case, see
        `j48geo.geometry.distance_numba.other_children`.
    scale, unit : array of float64, shape (n_attributes,)
        Of each attribute, and 1 by it.
    weight
        Squared distance to another value of a nominal attribute.
    guard
        Squared distances that differ by this factor differ whatever rounding did.
    tie
        Leaves within this factor of the smallest squared distance are tied.
    room
        Largest number of nodes that wait in a depth-first search.
    """

    nodes: IndexNodes
    bounds: LeafBoxes
    first_other: Ints
    other: Ints
    scale: Floats
    unit: Floats
    weight: float
    guard: float
    tie: float
    room: int


@helper
def squared_distance(space: SearchSpace, leaf: int, x: Floats) -> float:
    """Squared distance of a case to the closed box of a leaf, as the definition adds it up."""
    start, attribute, low, high, subset, only, row, allowed = space.bounds
    scale = space.scale
    total = 0.0
    for k in range(start[leaf], start[leaf + 1]):
        value = x[attribute[k]]
        values = subset[k]
        if values >= 0:
            if value == value:
                one = only[values]
                if one >= 0:
                    if one != int(value):
                        total += space.weight
                elif not allowed[row[values], int(value)]:
                    total += space.weight
        elif value < low[k]:
            gap = (low[k] - value) / scale[attribute[k]]
            total += gap * gap
        elif value > high[k]:
            gap = (value - high[k]) / scale[attribute[k]]
            total += gap * gap
    return total


@helper
def step_across(x: float, threshold: float, low: float, high: float, unit: float) -> float:
    """What the squared distance grows by beyond the threshold of a node."""
    gap = (x - threshold) * unit
    more = gap * gap
    if x < low:
        gap = (low - x) * unit
        more -= gap * gap
    elif x > high:
        gap = (x - high) * unit
        more -= gap * gap
    # Not for a missing value, nor for a difference of infinities.
    return more if more > 0.0 else 0.0


@inlined
def push_others(
    node: int,
    taken: int,
    squared: float,
    own: int,
    first_other: Ints,
    other: Ints,
    child: Ints,
    pure: Ints,
    stack: Ints,
    stacked: Floats,
    top: int,
) -> int:
    """Put the children of a nominal node but the taken one on the stack, the last one first."""
    for j in range(first_other[node + 1] - 1, first_other[node] - 1, -1):
        k = other[j]
        if k != taken and pure[child[k]] != own:
            stack[top] = child[k]
            stacked[top] = squared
            top += 1
    return top


@inlined
def nearest_square(space: SearchSpace, close: Ints, n_close: int, x: Floats) -> float:
    """The definition's smallest squared distance to the leaves that may be nearest."""
    best = np.inf
    for k in range(n_close):
        best = min(best, squared_distance(space, close[k], x))
    return best


@inlined
def first_tied(
    space: SearchSpace, close: Ints, n_close: int, x: Floats, limit: float, inside: int
) -> int:
    """The first leaf in the text of those within a squared distance and the one inside, if any."""
    leaf = space.nodes.leaf[inside] if inside < len(space.nodes.leaf) else -1
    for k in range(n_close):
        if (leaf < 0 or close[k] < leaf) and squared_distance(space, close[k], x) <= limit:
            leaf = close[k]
    return leaf


def search_nearest(
    X: Floats,
    predicted: Ints,
    pure: Ints,
    squares: Floats,
    found: Ints,
    met: Ints,
    space: SearchSpace,
) -> None:
    """Squared distance of each case to the nearest leaf of another label, and that leaf.

    Depth first, near child first; subtrees with the case's own label alone are skipped. Of
    tied leaves the first in the text is found. `found` and `met`, the number of nodes that
    the search met, may be empty: then they are not asked for.
    """
    attribute, threshold, low, high, right, first_child, child, first_route, route, leaf = (
        space.nodes
    )
    unit, weight, guard = space.unit, space.weight, space.guard
    first_other, other = space.first_other, space.other
    tie = space.tie if len(found) else 1.0
    margin = tie * guard
    stack = np.empty(space.room, dtype=np.int64)
    stacked = np.empty(space.room, dtype=np.float64)
    close = np.empty(len(leaf), dtype=np.int64)  # leaves that may be nearest, or tied
    for i in range(len(X)):
        own = predicted[i]
        visits = 0
        best = np.inf
        limit = np.inf
        last = len(leaf)  # no node behind this one is of interest
        n_close = 0
        top = 0
        if own >= 0:
            stack[0] = 0
            stacked[0] = 0.0
            top = 1
        while top > 0:
            top -= 1
            node = stack[top]
            squared = stacked[top]
            if squared > limit:
                continue
            # Down to the near child, while far ones wait, until a leaf or a label of one kind.
            while node <= last and pure[node] != own:
                visits += 1
                a = attribute[node]
                if a < 0:  # a leaf
                    if squared * margin + TINY < best:
                        n_close = 0
                    close[n_close] = leaf[node]
                    n_close += 1
                    if squared < best:
                        best = squared
                        limit = best * margin + TINY
                    if squared == 0.0:  # none is nearer; in preorder, later ones lose a tie
                        last = node if len(found) else -1
                    break
                x = X[i, a]
                far = right[node]
                if far >= 0:  # a numeric split
                    near = node + 1
                    beyond = squared
                    beyond += step_across(x, threshold[node], low[node], high[node], unit[a])
                    if x > threshold[node]:
                        near, far = far, near
                    if beyond <= limit and pure[far] != own:
                        stack[top] = far
                        stacked[top] = beyond
                        top += 1
                    node = near
                else:  # a nominal split: its other children are all equally far
                    taken = route[first_route[node] + int(x)] if x == x else -1
                    first = first_child[node]
                    beyond = squared + weight if taken >= 0 else squared
                    if beyond <= limit:
                        top = push_others(
                            node,
                            first + taken,
                            beyond,
                            own,
                            first_other,
                            other,
                            child,
                            pure,
                            stack,
                            stacked,
                            top,
                        )
                    if taken < 0:
                        break
                    node = child[first + taken]
        # Sums kept from node to node are within rounding; the definition's own decide.
        if best > 0.0:
            best = nearest_square(space, close, n_close, X[i])
        squares[i] = best if own >= 0 else np.nan
        if len(found):
            found[i] = first_tied(space, close, n_close, X[i], best * tie, last)
        if len(met):
            met[i] = visits


@helper
def push_node(heap: Ints, keys: Floats, size: int, node: int, key: float) -> None:
    """Put a node into a heap of `size` nodes, the smallest key first."""
    at = size
    while at > 0:
        above = (at - 1) // 2
        if keys[above] <= key:
            break
        heap[at] = heap[above]
        keys[at] = keys[above]
        at = above
    heap[at] = node
    keys[at] = key


@helper
def drop_first(heap: Ints, keys: Floats, size: int) -> None:
    """Take the first of a heap away, so that `size` nodes are left: the last one sinks."""
    node = heap[size]
    key = keys[size]
    at = 0
    while True:
        below = 2 * at + 1
        if below >= size:
            break
        if below + 1 < size and keys[below + 1] < keys[below]:
            below += 1
        if keys[below] >= key:
            break
        heap[at] = heap[below]
        keys[at] = keys[below]
        at = below
    heap[at] = node
    keys[at] = key


@helper
def remove_class(classes: BitWords, c: int) -> None:
    """Take a class out of a set of classes, a bit each."""
    classes[c // 64] &= ~(np.uint64(1) << np.uint64(c % 64))


@helper
def has_any_class(masks: BitWords, node: int, classes: BitWords) -> bool:
    """Whether a leaf below the node is of one of the classes."""
    common = np.uint64(0)
    for w in range(len(classes)):
        common |= masks[node, w] & classes[w]
    return bool(common != 0)


@inlined
def smallest_other(squares: Floats, i: int, own: int) -> float:
    """The smallest square of case `i` of all classes but one."""
    smallest = np.inf
    for c in range(squares.shape[1]):
        if c != own:
            smallest = min(smallest, squares[i, c])
    return smallest


def search_by_class(
    X: Floats, predicted: Ints, labels: Ints, masks: BitWords, squares: Floats, space: SearchSpace
) -> None:
    """Squared distance of each case to the nearest leaf of every class, best node first.

    A class is finished when the next node is further away than its best leaf by more than
    rounding; nodes without an unfinished class are skipped. The case's own class gets the
    smallest of the others.
    """
    attribute, threshold, low, high, right, first_child, child, first_route, route, leaf = (
        space.nodes
    )
    unit, weight, guard = space.unit, space.weight, space.guard
    first_other, other = space.first_other, space.other
    n_classes = squares.shape[1]
    heap = np.empty(len(leaf) + 1, dtype=np.int64)
    keys = np.empty(len(leaf) + 1, dtype=np.float64)
    unfinished = np.empty(masks.shape[1], dtype=np.uint64)
    closing = np.empty(n_classes, dtype=np.int64)  # classes found and not yet finished
    for i in range(len(X)):
        own = predicted[i]
        best = squares[i]
        best[:] = np.inf
        if own < 0:
            best[:] = np.nan
            continue
        # Cell by cell: for an assignment of slices numba compiles a check with a long message.
        for c in range(len(unfinished)):
            unfinished[c] = masks[0, c]
        remove_class(unfinished, own)
        n_closing = 0
        soonest = np.inf  # the smallest of their limits
        size = 1
        heap[0] = 0
        keys[0] = 0.0
        while size > 0:
            node = heap[0]
            squared = keys[0]
            size -= 1
            drop_first(heap, keys, size)
            if squared > soonest:  # some class is finished: the best of it is nearer than all else
                left = 0
                soonest = np.inf
                for k in range(n_closing):
                    c = closing[k]
                    limit = best[c] * guard + TINY
                    if squared > limit:
                        remove_class(unfinished, c)
                    else:
                        closing[left] = c
                        left += 1
                        soonest = min(soonest, limit)
                n_closing = left
                if n_closing == 0 and not has_any_class(masks, 0, unfinished):
                    break
            # Down to the near child, while far ones go into the heap, until a leaf.
            while has_any_class(masks, node, unfinished):
                a = attribute[node]
                if a < 0:  # a leaf
                    exact = 0.0
                    if squared > 0.0:
                        exact = squared_distance(space, leaf[node], X[i])
                    c = labels[leaf[node]]
                    if exact < best[c]:
                        if best[c] == np.inf:
                            closing[n_closing] = c
                            n_closing += 1
                        best[c] = exact
                        soonest = min(soonest, exact * guard + TINY)
                        if exact == 0.0:
                            remove_class(unfinished, c)
                    break
                x = X[i, a]
                first = first_child[node]
                near = first
                beyond = squared
                if right[node] >= 0:  # a numeric split
                    beyond += step_across(x, threshold[node], low[node], high[node], unit[a])
                    far = first + 1
                    if x > threshold[node]:
                        near, far = far, near
                    if has_any_class(masks, child[far], unfinished):
                        push_node(heap, keys, size, child[far], beyond)
                        size += 1
                else:
                    taken = route[first_route[node] + int(x)] if x == x else -1
                    if taken >= 0:
                        near = first + taken
                        beyond += weight
                    for j in range(first_other[node], first_other[node + 1]):
                        k = other[j]
                        if k != near and has_any_class(masks, child[k], unfinished):
                            push_node(heap, keys, size, child[k], beyond)
                            size += 1
                node = child[near]
        best[own] = smallest_other(squares, i, own)
