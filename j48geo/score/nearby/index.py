"""A tree with its softened faces as flat arrays, which both engines of `nearby` walk over.

Every face of an attribute is a place in one sorted list that begins with -inf and ends with
inf, so an unbounded side is a face like any other and two nodes with the same face share
what is found out about it. Each node keeps its own box in the attribute of its own split:
the weight of a child follows from that of its parent alone::

    w(left) = w · Φ(low, t') / Φ(low, high)      w(right) = w · Φ(t', high) / Φ(low, high)

where Φ(a, b) is the chance of the error to fall between two faces. A later factor undoes the
earlier one of the same attribute, so at a leaf the product over its attributes is left.

Moved faces may pass each other: a face below its node, moved, may lie outside the box that
the faces above it leave. Then it is put on the end of that box. Nothing is lost by that: the
branch beyond has an empty interval and weight 0, the other one has the whole.
"""

from __future__ import annotations

import weakref
from dataclasses import dataclass

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.core.cache import cached_for
from j48geo.core.descent import build_split_table
from j48geo.core.fitted_values import NearbyLeaves
from j48geo.core.tree import BoxTree


@dataclass(frozen=True, eq=False)
class NearbyIndex:
    """Nodes in preorder, and the faces of all attributes.

    Parameters
    ----------
    column : array of int, shape (n_nodes,)
        Column of the split; -1 at a leaf.
    tested : array of int, shape (n_nodes,)
        Place of the column among those with a numeric split; -1 at all other nodes.
    value : array of int, shape (n_nodes,)
        The value that a binary nominal split singles out; -1 at all other nodes.
    face, low, high : array of int, shape (n_nodes,)
        Face of a numeric split, and the ends of the node's box: low <= face <= high.
    depth : array of int, shape (n_nodes,)
        How many nodes are above each.
    low_node, high_node : array of int, shape (n_nodes,)
        The nodes above whose faces are the ends of the box; -1 where it is unbounded.
    first_child, child : array of int
        The children of node i, in order of branches, are those in `child` from
        ``first_child[i]`` up to ``first_child[i + 1]``.
    leaf : array of int, shape (n_nodes,)
        Leaf index of a leaf, else -1.
    first_face : array of int, shape (n_tested + 1,)
        Where the faces of each tested column begin.
    place, rank : array of float64, shape (n_faces,)
        t' of each face, ascending in each column, and F(t').
    portion : array of float64, shape (n_nodes,)
        Part of all leaves that lie below the node.
    waiting
        How many nodes can wait at most while a search goes down into others.
    """

    column: Ints
    tested: Ints
    value: Ints
    face: Ints
    low: Ints
    high: Ints
    depth: Ints
    low_node: Ints
    high_node: Ints
    first_child: Ints
    child: Ints
    leaf: Ints
    first_face: Ints
    place: Floats
    rank: Floats
    portion: Floats
    waiting: int


_plans: weakref.WeakKeyDictionary[NearbyLeaves, tuple[weakref.ref[BoxTree], NearbyIndex]] = (
    weakref.WeakKeyDictionary()
)


def find_index(tree: BoxTree, nearby: NearbyLeaves) -> NearbyIndex:
    """The plan of a tree; kept as long as `nearby` lives."""
    entry = _plans.get(nearby)
    if entry is not None and entry[0]() is tree:
        return entry[1]
    plan = _plan(tree, nearby)
    _plans[nearby] = (weakref.ref(tree), plan)
    return plan


def mid_ranks(knot: Floats, rank: Floats, x: Floats) -> Floats:
    """F at `x`: linear between the knots, flat outside, 0 without any; NaN stays NaN.

    The compiled loop does the same operations in the same order; so the engines agree to
    the last bit, and equal cases stay equal whichever of them is used.
    """
    if not len(knot):
        return np.where(np.isnan(x), np.nan, 0.0)
    after = np.searchsorted(knot, x, side="right")  # NaN comes last
    at = np.clip(after - 1, 0, max(0, len(knot) - 2))
    over = np.minimum(at + 1, len(knot) - 1)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        gap = knot[over] - knot[at]
        wide = np.isinf(gap)  # two numbers whose difference is none: their halves have one
        step = np.where(wide, x * 0.5 - knot[at] * 0.5, x - knot[at])
        gap = np.where(wide, knot[over] * 0.5 - knot[at] * 0.5, gap)
        between = rank[at] + (rank[over] - rank[at]) * (step / gap)
    inside = np.where(after == 0, rank[0], np.where(after == len(knot), rank[-1], between))
    return np.where(np.isnan(x), np.nan, inside)


def _plan(tree: BoxTree, nearby: NearbyLeaves) -> NearbyIndex:
    m = tree.size
    order = {int(a): k for k, a in enumerate(nearby.attribute)}
    table = cached_for(tree, build_split_table)
    tested = np.full(m, -1, dtype=np.intp)
    for node, split in tree.splits:
        if split.kind == "numeric":
            tested[node.index] = order[split.attribute]
    face, low, high = np.zeros((3, m), dtype=np.intp)
    places: list[Floats] = []
    ranks: list[Floats] = []
    first_face = np.zeros(len(order) + 1, dtype=np.intp)
    for k in range(len(order)):
        own = np.flatnonzero(tested == k)
        place = np.unique(np.concatenate([[-np.inf, np.inf], nearby.face[own]]))
        face[own] = first_face[k] + np.searchsorted(place, nearby.face[own])
        first_face[k + 1] = first_face[k] + len(place)
        places.append(place)
        ranks.append(mid_ranks(*nearby.knots(k), place))
    low_node, high_node = _box_in(tree, tested, first_face, face, low, high)
    return NearbyIndex(
        table.attribute,
        tested,
        table.value,
        face,
        low,
        high,
        np.array([node.depth for node in tree.nodes], dtype=np.intp),
        low_node,
        high_node,
        table.first_child,
        table.child,
        table.leaf,
        first_face,
        np.concatenate(places) if places else np.empty(0),
        np.concatenate(ranks) if ranks else np.empty(0),
        _portions(tree),
        _waiting(tree),
    )


def _waiting(tree: BoxTree) -> int:
    siblings = [0] * tree.size  # of a node and of all above it
    for node in tree.nodes[1:]:
        siblings[node.index] = siblings[node.parent] + len(tree.nodes[node.parent].children) - 1
    return max(siblings) + 1


def _portions(tree: BoxTree) -> Floats:
    below = [0] * tree.size
    for node in reversed(tree.nodes):
        below[node.index] += node.is_leaf
        if node.parent >= 0:
            below[node.parent] += below[node.index]
    return np.array(below, dtype=np.float64) / len(tree.leaves)


def _box_in(
    tree: BoxTree, tested: Ints, first_face: Ints, face: Ints, low: Ints, high: Ints
) -> tuple[Ints, Ints]:
    """Fill in the boxes of the nodes, and put faces that lie outside theirs on its end.

    Returns the nodes that have made the ends of the boxes.
    """
    end_nodes = np.full((2, tree.size), -1, dtype=np.intp)
    # The box at hand in each column: face and node of its lower end, and of its upper one.
    lows = [(int(f), -1) for f in first_face[:-1]]
    highs = [(int(f) - 1, -1) for f in first_face[1:]]
    trail: list[tuple[int, int, tuple[int, int], tuple[int, int]]] = []
    for node in tree.nodes:
        i, parent = node.index, node.parent
        while trail and trail[-1][0] >= node.depth:
            _, k, lows[k], highs[k] = trail.pop()
        if parent >= 0 and (k := int(tested[parent])) >= 0:
            trail.append((node.depth, k, lows[k], highs[k]))
            (highs if node.branch == 0 else lows)[k] = (int(face[parent]), parent)
        if (k := int(tested[i])) >= 0:
            (low[i], end_nodes[0, i]), (high[i], end_nodes[1, i]) = lows[k], highs[k]
            face[i] = min(max(int(face[i]), int(low[i])), int(high[i]))
    return end_nodes[0], end_nodes[1]
