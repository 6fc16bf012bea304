"""Probability of a class at a leaf: raw, Laplace, m-estimate, or shrunken towards the nodes above.

Leaves with equal estimates are one group of the local ranking, so equality must be that of
the exact ratio: (1 + 1) / (2 + 2) equals (3 + 1) / (6 + 2), whatever rounding says. An empty
leaf takes the counts of its parent (`effective_counts`).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import inf, isfinite, isnan, nan, nextafter
from typing import Literal

import numpy as np

from j48geo import defaults
from j48geo.arrays import Floats, Ints
from j48geo.core.counts import NodeCounts, is_empty, leaf_basis
from j48geo.core.routing import route_cases
from j48geo.core.tree import BoxTree
from j48geo.errors import ChoiceError, UnknownCountsError, UnknownNameError

Number = int | float | Fraction

Estimate = Literal["laplace", "m", "raw"]
ESTIMATES: tuple[Estimate, ...] = ("laplace", "m", "raw")


def to_fraction(x: Number) -> Fraction:
    """The decimal number that `x` shows: 0.1 is one tenth, not the double next to it."""
    return Fraction(repr(float(x))) if isinstance(x, float) else Fraction(x)


@dataclass(frozen=True)
class Estimator:
    """The share of a class that has `k` of the `n` cases at a leaf: (k + a)/(n + b), exactly.

    Parameters
    ----------
    a, b
        What is added to the cases of the class and to all; `b` is None if both grow beyond
        all bounds.
    limit
        What is left if they do.
    """

    a: Fraction
    b: Fraction | None
    limit: Fraction = Fraction(0)

    def __call__(self, k: Fraction, n: Fraction) -> Fraction | None:
        """The estimate; None for 0/0."""
        if self.b is None:
            return self.limit
        return (k + self.a) / (n + self.b) if n + self.b else None


def make_estimator(
    kind: Estimate,
    classes: int = 2,
    share: Fraction | None = None,
    m: Fraction | None = None,
) -> Estimator:
    """Raw k/n, Laplace (k + 1)/(n + C), or the m-estimate (k + m p)/(n + m).

    Parameters
    ----------
    classes
        C, the number of declared classes.
    share
        p, the share of the class in training; only the m-estimate needs it.
    m
        The m of the m-estimate; None if it is beyond all bounds, which leaves p.

    Notes
    -----
    AB05 equation (1).

    Examples
    --------
    >>> raw, smoothed = make_estimator("raw"), make_estimator("laplace")
    >>> str(raw(Fraction(3), Fraction(8))), str(smoothed(Fraction(3), Fraction(8)))
    ('3/8', '2/5')
    """
    if kind == "raw":
        return Estimator(Fraction(0), Fraction(0))
    if kind == "laplace":
        return Estimator(Fraction(1), Fraction(classes))
    if kind != "m":
        raise UnknownNameError("estimate", kind, ESTIMATES)
    if share is None:
        raise ValueError("the m-estimate needs the share of the class")
    return Estimator(share, None, share) if m is None else Estimator(m * share, m)


def find_m(mp: Number, share: Fraction) -> Fraction | None:
    """The m whose product with the share of a class is `mp`; None if the class has no share."""
    return to_fraction(mp) / share if share else None


def m_times_p(counts: NodeCounts, positive: int, m: float) -> float:
    """The product m p(c); m itself where p(c) is not known and nothing will be estimated."""
    root = counts.per_class[0]
    total = float(root.sum())
    if not total > 0:
        return m
    product = m * float(root[positive]) / total
    return product if product < inf else m * (float(root[positive]) / total)


def class_shares(tree: BoxTree, counts: NodeCounts) -> tuple[Fraction, ...] | None:
    """p(c): the part of the training weight that each class has; None if there is no weight.

    Raises
    ------
    UnknownCountsError
        If the counts of a leaf are not known.
    """
    if np.isnan(counts.per_class[0]).any():
        effective_counts(tree, counts)  # names the leaf
    weights = [Fraction(k) for k in counts.per_class[0].tolist()]
    total = sum(weights, start=Fraction(0))
    return tuple(k / total for k in weights) if total else None


def estimate_leaves(
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
    >>> from j48geo.core.build import at_most, build_tree, leaf
    >>> from j48geo.core.counts import counts_from_text
    >>> from j48geo.core.dataset import Attribute, Header
    >>> header = Header("h", (Attribute("x"), Attribute("c", "nominal", ("a", "b"))), 1)
    >>> tree = build_tree(header, at_most("x", 2, leaf("a", 2, 1), leaf("a", 6, 3)))
    >>> estimate_leaves(tree, counts_from_text(tree), 0).tolist()
    [0.5, 0.5]
    """
    if kind not in ESTIMATES:
        raise UnknownNameError("estimate", kind, ESTIMATES)
    shares = class_shares(tree, counts)
    share = shares[c] if shares else Fraction(0)
    estimate = make_estimator(kind, len(tree.classes), share, find_m(mp, share))
    rows, which = _different_rows(tree, counts)
    return _numbers([estimate(row[c], sum(row, start=Fraction(0))) for row in rows])[which]


def class_estimates(
    tree: BoxTree, counts: NodeCounts, kind: Estimate = "laplace", *, m: Number | None = None
) -> Floats:
    """Estimated probability of every class at every leaf, shape (n_leaves, n_classes).

    Rows sum to 1, or are NaN where there is nothing to divide by.

    Parameters
    ----------
    m
        The m of the m-estimate, one for all classes; None if it is beyond all bounds, which
        leaves the shares of the classes in training.

    Raises
    ------
    UnknownCountsError
        If the counts of a leaf are not known.
    """
    n_classes = len(tree.classes)
    rows, which = _different_rows(tree, counts)
    shares = class_shares(tree, counts)
    if kind == "m" and shares is None:
        return np.full((len(which), n_classes), nan)
    totals = [sum(row, start=Fraction(0)) for row in rows]
    columns = []
    for c, share in enumerate(shares or (None,) * n_classes):
        estimate = make_estimator(kind, n_classes, share, None if m is None else to_fraction(m))
        columns.append(_numbers([estimate(row[c], n) for row, n in zip(rows, totals, strict=True)]))
    return np.stack(columns, axis=1)[which]


def case_estimates(
    tree: BoxTree, counts: NodeCounts, X: Floats, estimates: Floats, leaf: Ints
) -> Floats:
    """Estimate of every case: that of its leaf, shape (n_cases,).

    A case that a missing value divides gets the mean of its leaves, weighed by its shares.

    Parameters
    ----------
    estimates : array of float64, shape (n_leaves,)
        From `estimate_leaves`.
    leaf : array of int, shape (n_cases,)
        Leaf of each case, -1 where it is divided (`j48geo.score.prediction.Prediction.leaf`).
    """
    scores = estimates[leaf]
    divided = np.flatnonzero(leaf < 0)
    if len(divided):
        routes = route_cases(tree, X[divided], counts.weight)
        parts = routes.share * estimates[routes.leaf]
        with np.errstate(divide="ignore", invalid="ignore"):
            # By the sum of the shares, since those of empty leaves are lost.
            scores[divided] = np.bincount(routes.case, parts, len(divided)) / np.bincount(
                routes.case, routes.share, len(divided)
            )
    return scores


def effective_counts(tree: BoxTree, counts: NodeCounts) -> Floats:
    """Counts that speak for each leaf, shape (n_leaves, n_classes).

    Its own, or its parent's if it is empty.

    Raises
    ------
    UnknownCountsError
        If the counts of a leaf are not known.
    """
    used = leaf_basis(tree, counts).per_class
    unknown = np.flatnonzero(~np.isfinite(used).all(axis=1))
    if len(unknown):
        raise unknown_counts_error(tree, int(unknown[0]))
    return used


def unknown_counts_error(tree: BoxTree, leaf: int) -> UnknownCountsError:
    """The error for a leaf that is not pure in a tree of several classes without its data."""
    line = tree.leaves[leaf].line
    return UnknownCountsError(
        f"leaf {leaf + 1}{f' (line {line})' if line else ''}: the text does not tell how many "
        "cases of each class it holds; expected the training data"
    )


def _different_rows(tree: BoxTree, counts: NodeCounts) -> tuple[list[list[Fraction]], Ints]:
    """The counts that speak for leaves, each row once, and which of them speaks for each leaf."""
    rows, which = np.unique(effective_counts(tree, counts), axis=0, return_inverse=True)
    return [[Fraction(k) for k in row] for row in rows.tolist()], which.reshape(-1)


def _numbers(ratios: list[Fraction | None]) -> Floats:
    """The nearest double of each ratio, moved by a bit where two ratios would share one."""
    number: dict[Fraction, float] = {}
    last = nan
    for ratio in sorted({r for r in ratios if r is not None}):
        value = float(ratio)
        if not isnan(last) and value <= last:
            value = nextafter(last, 2.0)
        number[ratio] = last = value
    return np.array([nan if r is None else number[r] for r in ratios])


# Leaf estimates that are drawn towards those of the nodes above them: hierarchical shrinkage.
#
# A leaf of three cases says little; the node above it has more cases, and the root has all. So
# each step down the path of a leaf is taken only in part, the less of it the fewer cases the
# node has from which it starts.


NodeEstimate = Literal["raw", "laplace"]


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
    ChoiceError
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
    >>> from j48geo.core.build import at_most, build_tree, leaf
    >>> from j48geo.core.counts import counts_from_text
    >>> from j48geo.core.dataset import Attribute, Header
    >>> header = Header("h", (Attribute("x"), Attribute("c", "nominal", ("a", "b"))), 1)
    >>> tree = build_tree(header, at_most("x", 2, leaf("a", 5), leaf("b", 5)))
    >>> shrunken_estimates(tree, counts_from_text(tree), 10).tolist()
    [[0.75, 0.25], [0.25, 0.75]]
    """
    if not (isfinite(shrinkage) and shrinkage >= 0):
        raise ChoiceError("shrinkage", f"{shrinkage:g}; expected a number of at least 0")
    if kind not in ("raw", "laplace"):
        raise UnknownNameError("estimate", kind, ("raw", "laplace"))
    effective_counts(tree, counts)  # names a leaf whose counts are not known
    k = counts.per_class
    n = k.sum(axis=1)
    added = 1.0 if kind == "laplace" else 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        p = (k + added) / (n + added * k.shape[1])[:, None]
        part = n / (n + shrinkage)  # the same as 1 / (1 + λ / n), and no division by 0
    h = p.copy()
    empty = is_empty(n)
    for node in tree.nodes:  # parents come first
        parent = node.parent
        if parent < 0:
            continue
        if empty[node.index] or empty[parent]:  # nothing of its own
            p[node.index], h[node.index] = p[parent], h[parent]
        else:
            h[node.index] = h[parent] + (p[node.index] - p[parent]) * part[parent]
    estimates: Floats = np.maximum(
        h[list(tree.leaf_nodes)], 0.0
    )  # -1e-17 is a rounded 0; NaN stays
    return estimates
