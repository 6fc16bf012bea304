"""Faces in the middle of the gap: ``separators="midgap"``, an extension, off by default.

J48's thresholds are values of the training data, so cases often lie on a face exactly and
have distance 0. Here each numeric face is moved to the middle between the threshold and the
next larger training value at its node, for measuring only.
"""

from __future__ import annotations

from math import isfinite

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.core.descending import Visit, descend, goes_left
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
    moved: dict[int, float] = {}

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
        upper = float(x[~left].min())
        middle = base + (upper - base) / 2
        if base < middle < upper and isfinite(middle):
            moved[visit.node] = middle
    return tree.with_thresholds(moved)
