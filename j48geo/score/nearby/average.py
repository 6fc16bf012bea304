"""The nearby-leaf average: leaf estimates, averaged over the leaves a case might fall into.

An extension, not in the papers. J48 gives all cases of a leaf the same estimate, and a case
just beyond a threshold quite another one. Here every numeric value is taken to be a little
off, by a normal error of 0.3 standard deviations: a leaf then has a chance to be the right
one, which is its weight, and the estimate is the mean over the leaves by their weights.

The offset of a face t' from a case is the one of larger absolute value of

    A(t') = (t' - x) / s        and        B(t') = √12 · (F(t') - F(x)),

in units of the attribute's spread: √12 makes the standard deviation of a uniform rank 1, so
that B is what A would be if the values were spread evenly. A and B grow with t', and both are
0 at t' = x, so that they have the same sign on either side: beyond x the offset is the larger
of two growing functions, before x the smaller of two. Hence it grows with t', the chance of a
face grows with it, and intervals side by side have chances that add up to that of their union.
So at every numeric node the weights of the branches add up to the weight of the node, and the
weights of all leaves to 1; the same holds at nominal nodes (the branch of the value takes all)
and for missing values (the branches share it as training did).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from j48geo import defaults
from j48geo.arrays import Floats, Ints
from j48geo.compilation import Engine, EngineChoice, times_to_come
from j48geo.core.columns import check_width
from j48geo.core.counts import NodeCounts
from j48geo.core.fitted_values import LEAF_VALUES, LeafValues, NearbyLeaves
from j48geo.core.routing import branch_shares
from j48geo.core.tree import BoxTree
from j48geo.errors import ChoiceError, MismatchError, UnknownNameError
from j48geo.geometry.faces import midgap_tree
from j48geo.geometry.metric import fit_metric
from j48geo.score.leaf_estimates import class_estimates, shrunken_estimates
from j48geo.score.nearby.index import NearbyIndex, find_index
from j48geo.score.nearby.numba_engine import average_by_search, count_nodes_met
from j48geo.score.nearby.numpy_engine import average_by_levels, rows_at_a_time, walk_levels

_LOST = 2.0**-41
"""What all subtrees that are left out may weigh together, for one case: 5e-13."""
_PAIR, _ROOT = 6e-8, 5e-6
"""Seconds that NumPy takes for one case and one node of a small tree; for a case and the square
root of the nodes of a large one, of which ever smaller parts are met."""

_choice = EngineChoice("j48geo.score.nearby.numba_kernels:average_leaves", 4.5)


def fit_nearby(
    tree: BoxTree,
    counts: NodeCounts,
    X: Floats,
    *,
    sigma: float = defaults.SIGMA,
    leaf_values: LeafValues = "laplace",
    shrinkage: float = defaults.LEAF_SHRINKAGE,
    spread: Floats | None = None,
) -> NearbyLeaves:
    """What the nearby-leaf average needs to know of a tree and its training cases.

    Parameters
    ----------
    counts
        Training weight of each class at each node. An empty leaf has that of its parent.
    X : array of float64, shape (n_cases, n_attributes)
        The training cases, for faces, spreads and ranks. All known values count the same:
        instance weights do not enter, and neither does a missing class matter.
    sigma
        Standard deviation of the error, in units of an attribute's spread.
    leaf_values
        ``laplace`` (k + 1)/(n + C) with C declared classes, ``m5`` (k + 5 p)/(n + 5)
        with p the share of the class in training, or ``shrunken``: Laplace's estimate,
        drawn towards those of the nodes above.
    shrinkage
        λ of ``shrunken``, see `j48geo.score.leaf_estimates.shrunken_estimates`.
    spread : array of float64, shape (n_attributes,)
        Standard deviation of every attribute in `X`, if it is known already.

    Raises
    ------
    ChoiceError
        If `sigma` is not a positive number, or `shrinkage` is below 0.
    UnknownNameError
        If `leaf_values` is unknown.
    UnknownCountsError
        If the class counts of a leaf are not known.

    Examples
    --------
    >>> from j48geo.core.build import at_most, build_tree, leaf
    >>> from j48geo.core.counts import counts_from_text
    >>> from j48geo.core.dataset import Attribute, Header
    >>> header = Header("h", (Attribute("x"), Attribute("c", "nominal", ("a", "b"))), 1)
    >>> tree = build_tree(header, at_most("x", 2, leaf("a", 3), leaf("b", 3)))
    >>> X = np.array([[0.0, 0], [1, 0], [2, 0], [4, 1], [5, 1], [6, 1]])
    >>> nearby = fit_nearby(tree, counts_from_text(tree), X)
    >>> nearby_distribution(tree, nearby, np.array([[-5.0, 0], [2.5, 0], [3, 0]])).round(3)
    array([[0.8  , 0.2  ],
           [0.656, 0.344],
           [0.5  , 0.5  ]])
    """
    if not 0 < sigma <= 1e300:
        raise ChoiceError("sigma", f"{sigma:g}; expected a positive number up to 1e300")
    X = _check_rows(tree, X)
    moved = midgap_tree(tree, X)
    face = np.full(tree.size, np.nan)
    for node, split in moved.splits:
        if split.kind == "numeric":
            face[node.index] = split.threshold
    tested = {split.attribute for _, split in tree.splits if split.kind == "numeric"}
    attribute = np.array(sorted(tested), dtype=np.intp)
    knots = [_knots(X[:, column]) for column in attribute]
    first_knot = np.cumsum([0, *(len(knot) for knot, _ in knots)]).astype(np.intp)
    if spread is None:
        spread = fit_metric(tree, "standard", X).scale
    return NearbyLeaves(
        float(sigma),
        face,
        _branch_shares(tree, counts),
        leaf_value_table(tree, counts, leaf_values, shrinkage),
        attribute,
        spread[attribute],
        first_knot,
        np.concatenate([np.empty(0), *(knot for knot, _ in knots)]),
        np.concatenate([np.empty(0), *(rank for _, rank in knots)]),
        leaf_values,
        float(shrinkage) if leaf_values == "shrunken" else None,
    )


def _knots(x: Floats) -> tuple[Floats, Floats]:
    """Different values of a column, and their mid-ranks.

    Infinite values have ranks like others and are no knots: a line from a number to
    infinity is flat.
    """
    value, count = np.unique(x[~np.isnan(x)], return_counts=True)
    rank = (np.cumsum(count) - 0.5 * count) / max(1, int(count.sum()))
    finite = np.isfinite(value)
    return value[finite], rank[finite]


def _branch_shares(tree: BoxTree, counts: NodeCounts) -> Floats:
    """What each node gets of a case with a missing value, the children of a node 1 together.

    Weka's shares of prediction. Weka loses what empty leaves would have had; here the
    others get it, and if there are no others, all branches the same.
    """
    weka = branch_shares(tree, counts.weight)
    share = np.ones(tree.size)
    for node, _ in tree.splits:
        children = list(node.children)
        shares = weka[children]
        total = float(shares.sum())
        share[children] = shares / total if total > 0 else 1.0 / len(shares)
    return share


def leaf_value_table(
    tree: BoxTree,
    counts: NodeCounts,
    kind: LeafValues,
    shrinkage: float = defaults.LEAF_SHRINKAGE,
) -> Floats:
    """What every leaf says of every class, shape (n_leaves, n_classes); see `fit_nearby`."""
    if kind not in LEAF_VALUES:
        raise UnknownNameError("leaf value", kind, LEAF_VALUES)
    if kind == "laplace":
        return class_estimates(tree, counts, "laplace")
    if kind == "shrunken":
        return shrunken_estimates(tree, counts, shrinkage, "laplace")
    values = class_estimates(tree, counts, "m", m=5)
    return np.where(np.isnan(values), 1.0 / values.shape[1], values)  # nothing was counted


def nearby_distribution(
    tree: BoxTree, nearby: NearbyLeaves, X: Floats, *, engine: Engine = "auto"
) -> Floats:
    """p(c|x): the nearby-leaf average of every class, shape (n_cases, n_classes).

    Rows sum to 1 and are never NaN.

    Parameters
    ----------
    X : array of float64, shape (n_cases, n_attributes)
        Columns in the order of the tree's header, NaN where missing.
    engine
        ``auto`` chooses by the amount of work; the answers are the same, bit for bit.

    Notes
    -----
    A subtree is left out if it weighs no more than 5e-13 times its part of all leaves. These
    parts add up to 1 at most, and so no probability is off by more than 5e-13.
    """
    X = _check_rows(tree, X, nearby)
    plan = find_index(tree, nearby)
    if _use_numba(plan, len(X), engine):
        return average_by_search(plan, nearby, X, _LOST)
    return average_by_levels(plan, nearby, X, _LOST)


def nearby_weights(tree: BoxTree, nearby: NearbyLeaves, X: Floats) -> Floats:
    """Weight of every leaf for every case, shape (n_cases, n_leaves); rows sum to 1.

    Nothing is left out: weights of leaves that are far away are tiny and right.

    Parameters
    ----------
    X : array of float64, shape (n_cases, n_attributes)
    """
    X = _check_rows(tree, X, nearby)
    plan = find_index(tree, nearby)
    weights = np.zeros((len(X), len(tree.leaves)))
    step = rows_at_a_time(plan)
    for begin in range(0, len(X), step):
        met = walk_levels(plan, nearby, X[begin : begin + step], 0.0)
        weights[begin + met.case, met.leaf] = met.weight
    return weights


@dataclass(frozen=True, eq=False)
class LeafShares:
    """The leaves that have a say about one case, the weightiest first.

    Parameters
    ----------
    leaf : array of int, shape (k,)
        Leaf indices.
    weight : array of float64, shape (k,)
        Their weights; equal ones in text order.
    value : array of float64, shape (k, n_classes)
        Their leaf values.
    others
        How many more leaves have some weight.
    rest
        What these weigh together.
    average : array of float64, shape (n_classes,)
        The nearby-leaf average of the case, over all leaves.
    """

    leaf: Ints
    weight: Floats
    value: Floats
    others: int
    rest: float
    average: Floats


def leaf_shares(
    tree: BoxTree, nearby: NearbyLeaves, x: Floats, *, least: float = 0.01
) -> LeafShares:
    """The leaves with a say about one case, to explain its nearby-leaf average.

    Parameters
    ----------
    x : array of float64, shape (n_attributes,)
    least
        Leaves of a smaller weight are only counted; the weightiest is always shown.
    """
    if np.ndim(x) != 1:
        raise MismatchError(f"a case of shape {np.shape(x)}; expected one row")
    return shares_of_cases(tree, nearby, np.asarray(x, dtype=np.float64)[None, :], least=least)[0]


def shares_of_cases(
    tree: BoxTree, nearby: NearbyLeaves, X: Floats, *, least: float = 0.01
) -> list[LeafShares]:
    """`leaf_shares` of several cases, which is much quicker than one after the other."""
    return [_shares(nearby, weight, least) for weight in nearby_weights(tree, nearby, X)]


def _shares(nearby: NearbyLeaves, weight: Floats, least: float) -> LeafShares:
    order = np.argsort(-weight, kind="stable")[: int((weight > 0).sum())]
    shown = order[: max(1, int((weight[order] >= least).sum()))]
    rest = order[len(shown) :]
    return LeafShares(
        shown,
        weight[shown],
        nearby.leaf_value[shown],
        len(rest),
        float(weight[rest].sum()),
        weight @ nearby.leaf_value,
    )


def nearby_nodes_met(tree: BoxTree, nearby: NearbyLeaves, X: Floats) -> Ints:
    """Number of nodes that the compiled search meets for each case: work without a clock."""
    X = _check_rows(tree, X, nearby)
    return count_nodes_met(find_index(tree, nearby), nearby, X, _LOST)


def _check_rows(tree: BoxTree, X: Floats, nearby: NearbyLeaves | None = None) -> Floats:
    X = np.ascontiguousarray(X, dtype=np.float64)
    check_width(tree.header, X)
    if nearby is not None and (
        nearby.face.shape != (tree.size,) or len(nearby.leaf_value) != len(tree.leaves)
    ):
        raise MismatchError(
            f"nearby leaves of a tree of {len(nearby.face)} nodes; expected {tree.size}"
        )
    return X


def _use_numba(plan: NearbyIndex, n_cases: int, engine: Engine) -> bool:
    n_nodes = len(plan.leaf)
    seconds = n_cases * min(n_nodes * _PAIR, n_nodes**0.5 * _ROOT)
    return _choice.takes_numba(engine, seconds, times_to_come(n_cases))
