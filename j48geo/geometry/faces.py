"""The boxes of all leaves as flat arrays: which faces bound each leaf, and who made them.

The same boxes as `BoxTree.boxes`, built in one pass without an object for every leaf and
attribute, since trees may have a hundred thousand nodes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import isfinite
from typing import NamedTuple

import numpy as np

from j48geo.arrays import Bools, Floats, Ints
from j48geo.core.boxes import Interval
from j48geo.core.cache import cached_for
from j48geo.core.descent import (
    Visit,
    build_split_table,
    descend,
    descend_by_levels,
    goes_left,
)
from j48geo.core.tree import BoxTree, Node, narrow_interval, narrow_subset

_BLOCK_CELLS = 1_000_000


@dataclass(frozen=True, eq=False)
class Faces:
    """Bounds of the leaves, sorted by leaf and then by attribute.

    Parameters
    ----------
    start : array of int, shape (n_leaves + 1,)
        The bounds of leaf l are those from ``start[l]`` up to ``start[l + 1]``.
    attribute : array of int, shape (n_bounds,)
        Column that is bounded.
    low, high : array of float64, shape (n_bounds,)
        Ends of the interval, infinite if free; of a nominal attribute both NaN.
    low_node, high_node : array of int, shape (n_bounds,)
        Tree node that made the face, -1 if there is none. Of a nominal attribute
        `low_node` is the deepest node that tested it.
    subset : array of int, shape (n_bounds,)
        Number of the set of values for a nominal attribute, else -1.
    only : array of int, shape (n_subsets,)
        The value of a set that has just one; else -1. A split has as many of these sets as
        branches, so that a table of them would grow with the square.
    row : array of int, shape (n_subsets,)
        Row of `allowed` for every other set; else 0.
    allowed : array of bool, shape (n_rows, most values of an attribute)
        Which values belong to the set.
    empty : array of bool, shape (n_leaves,)
        Whether no case can lie in the box.
    node_low, node_high : array of float64, shape (n_nodes,)
        Interval of an inner node in the attribute of its own numeric split.
    node_subset : array of int, shape (n_nodes,)
        Values of an inner node in the attribute of its own nominal split, the number of a
        set; else -1.
    """

    start: Ints
    attribute: Ints
    low: Floats
    high: Floats
    low_node: Ints
    high_node: Ints
    subset: Ints
    only: Ints
    row: Ints
    allowed: Bools
    empty: Bools
    node_low: Floats
    node_high: Floats
    node_subset: Ints

    def contains(self, subset: Ints, value: Ints) -> Bools:
        """Whether each value belongs to the set of this number; the arrays are broadcast."""
        only = self.only[subset]
        inside: Bools = np.where(only >= 0, only == value, self.allowed[self.row[subset], value])
        return inside

    @property
    def first_value(self) -> Ints:
        """The first value of each set, shape (n_subsets,); 0 of the empty one."""
        return np.where(self.only >= 0, self.only, self.allowed.argmax(axis=1)[self.row])


class _Rows(NamedTuple):
    """One row a leaf, one column a used attribute."""

    low: Floats
    high: Floats
    low_node: Ints
    high_node: Ints
    subset: Ints


def _rows(count: int, width: int) -> _Rows:
    return _Rows(
        np.full((count, width), -np.inf),
        np.full((count, width), np.inf),
        np.full((count, width), -1, dtype=np.intp),
        np.full((count, width), -1, dtype=np.intp),
        np.full((count, width), -1, dtype=np.intp),
    )


class _Walk:
    """The box of the node at hand, narrowed on the way down and widened on the way up."""

    def __init__(self, tree: BoxTree) -> None:
        self.tree = tree
        self.place = {a: k for k, a in enumerate(tree.used_attributes)}
        self.row = _rows(1, len(self.place))
        self.box: dict[int, Interval | frozenset[int]] = {}
        self.subsets: dict[frozenset[int], int] = {}
        self.empty = 0  # attributes of the box that no value satisfies
        self._trail: list[tuple[int, int, Interval | frozenset[int], int]] = []
        for a, k in self.place.items():
            attribute = tree.header.attributes[a]
            whole = frozenset(range(len(attribute.values)))
            self.box[a] = whole if attribute.is_nominal else Interval()
            if attribute.is_nominal:
                self.row.low[0, k] = self.row.high[0, k] = np.nan

    def enter(self, node: Node) -> None:
        """Move from the node before it in preorder to this one."""
        while self._trail and self._trail[-1][0] >= node.depth:
            _, a, old, owner = self._trail.pop()
            self._set(a, old, owner)
        if node.parent < 0:
            return
        split = self.tree.nodes[node.parent].split
        assert split is not None
        a = split.attribute
        now = self.box[a]
        owner = int(self.row.low_node[0, self.place[a]])
        new: Interval | frozenset[int]
        if isinstance(now, Interval):
            new = narrow_interval(now, split, node.branch, node.parent)
            if new is now:
                return
        else:
            new = narrow_subset(now, split, node.branch, len(now))
        self._trail.append((node.depth, a, now, owner))
        self._set(a, new, node.parent)

    def subset(self, values: frozenset[int]) -> int:
        """Number of a set of values."""
        return self.subsets.setdefault(values, len(self.subsets))

    def _set(self, a: int, new: Interval | frozenset[int], owner: int) -> None:
        k, row, old = self.place[a], self.row, self.box[a]
        self.box[a] = new
        if isinstance(new, Interval):
            assert isinstance(old, Interval)
            self.empty += new.is_empty - old.is_empty
            row.low[0, k], row.high[0, k] = new.low, new.high
            row.low_node[0, k], row.high_node[0, k] = new.low_node, new.high_node
        else:
            self.empty += (not new) - (not old)
            row.low_node[0, k] = owner
            row.subset[0, k] = self.subset(new) if owner >= 0 else -1


def find_faces(tree: BoxTree) -> Faces:
    """The boxes of the tree's leaves; kept as long as the tree lives."""
    return cached_for(tree, _faces)


def _faces(tree: BoxTree) -> Faces:
    walk = _Walk(tree)
    width = len(walk.place)
    block = max(1, _BLOCK_CELLS // max(1, width))
    room = _rows(min(block, len(tree.leaves)), width)
    parts: list[tuple[Ints, Ints, _Rows]] = []
    empty = np.zeros(len(tree.leaves), dtype=np.bool_)
    node_low, node_high = np.full((2, tree.size), np.nan)
    node_subset = np.full(tree.size, -1, dtype=np.intp)
    for node in tree.nodes:
        walk.enter(node)
        if node.split is not None:
            own = walk.box[node.split.attribute]
            if isinstance(own, Interval):
                node_low[node.index], node_high[node.index] = own.low, own.high
            else:
                node_subset[node.index] = walk.subset(own)
            continue
        at = node.leaf % block
        for array, now in zip(room, walk.row, strict=True):
            array[at] = now[0]
        empty[node.leaf] = walk.empty > 0
        if at == block - 1 or node.leaf == len(tree.leaves) - 1:
            parts.append(_bounded_cells(room, at + 1))
    counts = np.concatenate([part[0] for part in parts])
    column = np.concatenate([part[1] for part in parts])
    low, high, low_node, high_node, subset = (
        np.concatenate([part[2][k] for part in parts]) for k in range(5)
    )
    return Faces(
        np.concatenate([[0], np.cumsum(counts)]).astype(np.intp),
        np.array(tree.used_attributes, dtype=np.intp)[column],
        low,
        high,
        low_node,
        high_node,
        subset,
        *_table(tree, walk.subsets),
        empty,
        node_low,
        node_high,
        node_subset,
    )


def _bounded_cells(room: _Rows, count: int) -> tuple[Ints, Ints, _Rows]:
    """The bounded cells of the first rows: how many a row, their columns, their content."""
    bounded = (room.low_node[:count] >= 0) | (room.high_node[:count] >= 0)
    _, column = np.nonzero(bounded)
    low, high, low_node, high_node, subset = room
    cells = _Rows(
        low[:count][bounded],
        high[:count][bounded],
        low_node[:count][bounded],
        high_node[:count][bounded],
        subset[:count][bounded],
    )
    return bounded.sum(axis=1), column, cells


def _table(tree: BoxTree, subsets: dict[frozenset[int], int]) -> tuple[Ints, Ints, Bools]:
    """The sets: the value of each that has one only, the row of each other, and the rows."""
    most = max((len(tree.header.attributes[a].values) for a in tree.used_attributes), default=0)
    only = np.full(max(1, len(subsets)), -1, dtype=np.intp)
    row = np.zeros(len(only), dtype=np.intp)
    several = [values for values in subsets if len(values) != 1]
    allowed = np.zeros((max(1, len(several)), max(1, most)), dtype=np.bool_)
    for k, values in enumerate(several):
        row[subsets[values]] = k
        allowed[k, list(values)] = True
    for values, k in subsets.items():
        if len(values) == 1:
            (only[k],) = values
    return only, row, allowed


# Faces in the middle of the gap: ``separators="midgap"``, an extension, off by default.
#
# J48's thresholds are values of the training data, so cases often lie on a face exactly and
# have distance 0. Here each numeric face is moved to the middle between the threshold and the
# next larger training value at its node, for measuring only.


def midgap_tree(tree: BoxTree, X: Floats) -> BoxTree:
    """A tree with the same nodes whose numeric faces lie in the middle of their gaps.

    Use it for distances only, with the classes that the true tree predicts. A face stays
    where it is if no training case at its node lies above it. No training case changes
    its leaf.

    Parameters
    ----------
    X : array of float64, shape (n_cases, n_attributes)
        The training cases.
    """
    whole = not np.isnan(X[:, tree.used_attributes]).any()
    levels = descend_by_levels(tree, X) if whole else None
    gaps = _gaps_by_node(tree, X) if levels is None else _gaps_by_level(tree, X, levels)
    moved: dict[int, float] = {}
    for node, base, upper in gaps:
        middle = base + (upper - base) / 2
        if base < middle < upper and isfinite(middle):
            moved[node] = middle
    return tree.with_thresholds(moved)


def _gaps_by_node(tree: BoxTree, X: Floats) -> Iterator[tuple[int, float, float]]:
    """Nodes with a gap above their threshold: where it begins, and the case that ends it."""

    def everywhere(visit: Visit, branch: Ints) -> Floats:
        return np.ones(len(tree.nodes[visit.node].children))

    for visit in descend(tree, X, np.ones(len(X)), everywhere):
        split = tree.nodes[visit.node].split
        if split is None or split.kind != "numeric" or not isfinite(split.threshold):
            continue
        x = X[visit.cases, split.attribute]
        x = x[~np.isnan(x)]
        left = goes_left(split, x, tree.tolerance)
        if left.all():
            continue
        # With a rounded threshold, or old Weka's tolerance, cases above it may go left.
        base = max(split.threshold, float(x[left].max(initial=-np.inf)))
        yield visit.node, base, float(x[~left].min())


def _gaps_by_level(
    tree: BoxTree, X: Floats, levels: Iterable[tuple[Ints, Ints]]
) -> Iterator[tuple[int, float, float]]:
    """The same where no value is missing, all nodes of a level at once."""
    table = cached_for(tree, build_split_table)
    inner = np.flatnonzero(table.attribute >= 0)
    parent = np.full(tree.size, -1)
    parent[table.child] = np.repeat(np.arange(tree.size), np.diff(table.first_child))
    is_left = np.zeros(tree.size, dtype=np.bool_)
    is_left[table.child[table.first_child[inner]]] = True
    numeric = (table.attribute >= 0) & (table.value < 0) & ~table.multiway
    base = np.where(np.isfinite(table.threshold), table.threshold, np.inf)
    upper = np.full(tree.size, np.inf)
    for cases, node in levels:
        above = parent[node]
        is_numeric_branch = (above >= 0) & numeric[above]
        above, left = above[is_numeric_branch], is_left[node[is_numeric_branch]]
        x = X[cases[is_numeric_branch], table.attribute[above]]
        np.maximum.at(base, above[left], x[left])
        np.minimum.at(upper, above[~left], x[~left])
    some = np.flatnonzero(numeric & (base < upper) & np.isfinite(upper))
    yield from zip(some.tolist(), base[some].tolist(), upper[some].tolist(), strict=True)
