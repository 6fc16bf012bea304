"""Probability of a class at a leaf: raw, Laplace or m-estimate.

Leaves with equal estimates are one group of the local ranking, so equality must be that of
the exact ratio: (1 + 1) / (2 + 2) equals (3 + 1) / (6 + 2), whatever rounding says.
"""

from __future__ import annotations

from fractions import Fraction
from math import isnan, nan, nextafter
from typing import Literal

import numpy as np

from j48geo import defaults
from j48geo.arrays import Floats, Ints
from j48geo.core.counts import NodeCounts
from j48geo.core.routing import route
from j48geo.core.tree import BoxTree
from j48geo.errors import MismatchError, UnknownNameError
from j48geo.java.numbers import SMALL

__all__ = [
    "ESTIMATES",
    "Estimate",
    "UnknownCountsError",
    "case_estimates",
    "leaf_estimates",
    "speaking_counts",
]

Estimate = Literal["laplace", "m", "raw"]
ESTIMATES: tuple[Estimate, ...] = ("laplace", "m", "raw")


class UnknownCountsError(MismatchError):
    """The class counts of some leaf are not known; the message says what to give."""


def leaf_estimates(
    tree: BoxTree,
    counts: NodeCounts,
    c: int,
    kind: Estimate = "laplace",
    *,
    mp: float = defaults.MP,
) -> Floats:
    """Estimated probability of class `c` at every leaf, shape (n_leaves,).

    Two leaves have equal numbers exactly if their ratios are exactly equal, and larger
    ratios have larger numbers. NaN where there is nothing to divide by.

    Parameters
    ----------
    counts
        Training weight of each class at each node. An empty leaf has that of its parent.
    kind
        ``raw`` k/n, ``laplace`` (k + 1)/(n + C) with C declared classes, or ``m``
        (k + m p(c))/(n + m).
    mp
        The product m p(c) of the m-estimate; p(c) is the share of the class at the root.

    Raises
    ------
    UnknownCountsError
        If the counts of a leaf are not known.

    Notes
    -----
    AB05 equation (1).

    Examples
    --------
    >>> from j48geo.core.build import at_most, grow_tree, leaf
    >>> from j48geo.core.counts import counts_from_text
    >>> from j48geo.core.dataset import Attribute, Header
    >>> header = Header("h", (Attribute("x"), Attribute("c", "nominal", ("a", "b"))), 1)
    >>> tree = grow_tree(header, at_most("x", 2, leaf("a", 2, 1), leaf("a", 6, 3)))
    >>> leaf_estimates(tree, counts_from_text(tree), 0).tolist()
    [0.5, 0.5]
    """
    if kind not in ESTIMATES:
        raise UnknownNameError("estimate", kind, ESTIMATES)
    used = speaking_counts(tree, counts)
    distinct, which = np.unique(used, axis=0, return_inverse=True)
    share = _share(counts.per_class[0], c)
    ratios = [_ratio([Fraction(k) for k in row], c, kind, mp, share) for row in distinct.tolist()]
    return np.array(_numbers(ratios), dtype=np.float64)[which.reshape(-1)]


def case_estimates(
    tree: BoxTree, counts: NodeCounts, X: Floats, estimates: Floats, leaf: Ints
) -> Floats:
    """Estimate of every case: that of its leaf, shape (n_cases,).

    A case that a missing value divides gets the mean of its leaves, weighed by its shares.

    Parameters
    ----------
    estimates : array of float64, shape (n_leaves,)
        From `leaf_estimates`.
    leaf : array of int, shape (n_cases,)
        Leaf of each case, -1 where it is divided (`j48geo.score.predict.Prediction.leaf`).
    """
    found = estimates[leaf]
    divided = np.flatnonzero(leaf < 0)
    if len(divided):
        routes = route(tree, X[divided], counts.weight)
        parts = routes.share * estimates[routes.leaf]
        with np.errstate(divide="ignore", invalid="ignore"):
            # By the sum of the shares, since those of empty leaves are lost.
            found[divided] = np.bincount(routes.case, parts, len(divided)) / np.bincount(
                routes.case, routes.share, len(divided)
            )
    return found


def speaking_counts(tree: BoxTree, counts: NodeCounts) -> Floats:
    """Counts that speak for each leaf, shape (n_leaves, n_classes).

    Its own, or its parent's if it is empty.

    Raises
    ------
    UnknownCountsError
        If the counts of a leaf are not known.
    """
    nodes = np.array(tree.leaf_nodes, dtype=np.intp)
    used = counts.per_class[nodes].copy()
    for leaf, node in enumerate(nodes.tolist()):
        parent = tree.nodes[node].parent
        if parent >= 0 and counts.weight[node] <= SMALL:
            used[leaf] = counts.per_class[parent]
    unknown = np.flatnonzero(~np.isfinite(used).all(axis=1))
    if len(unknown):
        place = tree.leaves[unknown[0]].line
        where = f"leaf {unknown[0] + 1}" + (f" (line {place})" if place else "")
        raise UnknownCountsError(
            f"{where}: the text does not tell how many cases of each class it holds; "
            "expected the training data"
        )
    return used


def _share(root: Floats, c: int) -> Fraction:
    """p(c): the part of the training weight that has class `c`, 0 if there is none."""
    total = sum(map(Fraction, root.tolist()), start=Fraction(0))
    return Fraction(float(root[c])) / total if total else Fraction(0)


def _ratio(
    weights: list[Fraction], c: int, kind: Estimate, mp: float, share: Fraction
) -> Fraction | None:
    k, n = weights[c], sum(weights, start=Fraction(0))
    if kind == "raw":
        return k / n if n else None
    if kind == "laplace":
        return (k + 1) / (n + len(weights))
    if not share:  # m grows beyond all bounds as p(c) goes to 0
        return Fraction(0)
    m = Fraction(mp) / share
    return (k + Fraction(mp)) / (n + m) if n + m else None


def _numbers(ratios: list[Fraction | None]) -> list[float]:
    """The nearest double of each ratio, moved by a bit where two ratios would share one."""
    number: dict[Fraction, float] = {}
    last = nan
    for ratio in sorted({r for r in ratios if r is not None}):
        value = float(ratio)
        if not isnan(last) and value <= last:
            value = nextafter(last, 2.0)
        number[ratio] = last = value
    return [nan if r is None else number[r] for r in ratios]
