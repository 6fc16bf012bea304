"""Leaf estimates that are drawn towards those of the nodes above them: hierarchical shrinkage.

A leaf of three cases says little; the node above it has more cases, and the root has all. So
each step down the path of a leaf is taken only in part, the less of it the fewer cases the
node has from which it starts.
"""

from __future__ import annotations

from math import isfinite
from typing import Literal

import numpy as np

from j48geo.arrays import Floats
from j48geo.core.counts import NodeCounts
from j48geo.core.tree import BoxTree
from j48geo.errors import J48GeoError, UnknownNameError
from j48geo.java.numbers import SMALL
from j48geo.score.leaf.estimates import speaking_counts

__all__ = ["NodeEstimate", "ShrinkageError", "shrunken_estimates"]

NodeEstimate = Literal["raw", "laplace"]


class ShrinkageError(J48GeoError):
    """A strength of shrinkage that is no number of at least 0."""

    exit_code = 2


def shrunken_estimates(
    tree: BoxTree, counts: NodeCounts, shrinkage: float, kind: NodeEstimate = "raw"
) -> Floats:
    """Estimated probability of every class at every leaf, shape (n_leaves, n_classes).

    Rows sum to 1, or are NaN where no node has any cases and `kind` is ``raw``.

    Parameters
    ----------
    counts
        Training weight of each class at each node. A node without any has what its parent has.
    shrinkage
        λ, in cases: 0 leaves the estimates of the leaves as they are, and the larger it is,
        the nearer they come to those of all cases.
    kind
        p of a node: ``raw`` k/n, or ``laplace`` (k + 1)/(n + C) with C declared classes.

    Raises
    ------
    ShrinkageError
        If `shrinkage` is not a number of at least 0.
    UnknownCountsError
        If the class counts of a leaf are not known.

    Notes
    -----
    h(root) = p(root), and below it
    h(node) = h(parent) + (p(node) - p(parent)) / (1 + λ / n(parent)).
    With ``raw`` this is the hierarchical shrinkage of Agarwal et al. (2022). Since n falls
    along a path, h is a mean of the p on it, so it is a probability.

    Examples
    --------
    >>> from j48geo.core.build import at_most, grow_tree, leaf
    >>> from j48geo.core.counts import counts_from_text
    >>> from j48geo.core.dataset import Attribute, Header
    >>> header = Header("h", (Attribute("x"), Attribute("c", "nominal", ("a", "b"))), 1)
    >>> tree = grow_tree(header, at_most("x", 2, leaf("a", 5), leaf("b", 5)))
    >>> shrunken_estimates(tree, counts_from_text(tree), 10).tolist()
    [[0.75, 0.25], [0.25, 0.75]]
    """
    if not (isfinite(shrinkage) and shrinkage >= 0):
        raise ShrinkageError(f"shrinkage {shrinkage:g}; expected a number of at least 0")
    if kind not in ("raw", "laplace"):
        raise UnknownNameError("estimate", kind, ("raw", "laplace"))
    speaking_counts(tree, counts)  # names a leaf whose counts are not known
    k = counts.per_class
    n = k.sum(axis=1)
    added = 1.0 if kind == "laplace" else 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        p = (k + added) / (n + added * k.shape[1])[:, None]
        part = n / (n + shrinkage)  # the same as 1 / (1 + λ / n), and no division by 0
    h = p.copy()
    for node in tree.nodes:  # parents come first
        parent = node.parent
        if parent < 0:
            continue
        if n[node.index] <= SMALL or n[parent] <= SMALL:  # nothing of its own
            p[node.index], h[node.index] = p[parent], h[parent]
        else:
            h[node.index] = h[parent] + (p[node.index] - p[parent]) * part[parent]
    found: Floats = np.maximum(h[list(tree.leaf_nodes)], 0.0)  # -1e-17 is a rounded 0; NaN stays
    return found
