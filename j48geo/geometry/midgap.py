"""Faces in the middle of the gap: ``separators="midgap"``, an extension, off by default.

J48's thresholds are values of the training data, so cases often lie on a face exactly and
have distance 0. Here each numeric face is moved to the middle between the threshold and the
next larger training value at its node, for measuring only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import isfinite

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.core.descending import (
    Visit,
    descend,
    descend_by_levels,
    goes_left,
    split_table,
)
from j48geo.core.kept import kept_with
from j48geo.core.tree import BoxTree

__all__ = ["midgap_tree"]


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
    table = kept_with(tree, split_table)
    inner = np.flatnonzero(table.attribute >= 0)
    parent = np.full(tree.size, -1)
    parent[table.child] = np.repeat(
        np.arange(tree.size), np.diff(np.append(table.first_child, len(table.child)))
    )
    is_left = np.zeros(tree.size, dtype=np.bool_)
    is_left[table.child[table.first_child[inner]]] = True
    numeric = (table.attribute >= 0) & (table.value < 0) & ~table.multiway
    base = np.where(np.isfinite(table.threshold), table.threshold, np.inf)
    upper = np.full(tree.size, np.inf)
    for cases, node in levels:
        above = parent[node]
        asked = (above >= 0) & numeric[above]
        above, left = above[asked], is_left[node[asked]]
        x = X[cases[asked], table.attribute[above]]
        np.maximum.at(base, above[left], x[left])
        np.minimum.at(upper, above[~left], x[~left])
    some = np.flatnonzero(numeric & (base < upper) & np.isfinite(upper))
    yield from zip(some.tolist(), base[some].tolist(), upper[some].tolist(), strict=True)
