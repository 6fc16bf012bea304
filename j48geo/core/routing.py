"""Find the leaves that cases reach, and with which shares where values are missing.

A case with a missing value is divided over the branches of the node that asks for it, so a
case reaches leaves with shares. How a node divides depends on what is asked: a prediction
divides by the weights of the branches (J48-TEXT-FORMAT section 3), the count of training
rows by the known values at that node (section 4).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from j48geo.arrays import Bools, Floats, Ints
from j48geo.compilation import Engine, EngineChoice, times_to_come
from j48geo.core.cache import cached_for
from j48geo.core.columns import check_width
from j48geo.core.descent import (
    CASES_PER_NODE,
    DivideRule,
    Visit,
    build_split_table,
    descend,
    descend_by_levels,
)
from j48geo.core.tree import BoxTree
from j48geo.java.numbers import SMALL

_DOWN, _NODE, _BY_LEVEL, _DIVIDED = 4e-7, 8e-6, 1.5e-6, 4e-5
"""Seconds that NumPy takes for a case, and for a node; for a case level by level; for a case
that is divided."""

_choice = EngineChoice("j48geo.core.routing_numba:walk_down", 0.4)
_divided_choice = EngineChoice("j48geo.core.routing_numba:add_up", 0.8)


@dataclass(frozen=True, eq=False)
class LeafRoutes:
    """Which leaves the cases reach: parallel arrays, sorted by case, then by leaf.

    Parameters
    ----------
    case, leaf : array of int
        Row number from 0, leaf index.
    share : array of float64
        Part of the case that reaches the leaf: 1 if no value is missing, NaN if the
        weights that divide a missing value are unknown.
    divided : array of bool, shape (n_cases,)
        Whether a test on the way of the case asks for a missing value.
    """

    case: Ints
    leaf: Ints
    share: Floats
    divided: Bools


def branch_shares(
    tree: BoxTree, node_weight: Floats, total: Floats | None = None, empty: Bools | None = None
) -> Floats:
    """The rule of prediction: a branch gets the part of the weight that training sent there.

    What each node gets of a case whose value is missing where its parent asks, shape (n_nodes,).
    Empty leaves get nothing, and what they would have had is not given to the others.
    Unknown weights give unknown shares (NaN). If the node has no weight at all every branch
    gets the same; Weka itself divides nothing by nothing, and so do we with its `total`.

    Parameters
    ----------
    node_weight : array of float64, shape (n_nodes,)
        Weight that the branch to each node has.
    total : array of float64, shape (n_nodes,), optional
        Weight of all branches of each node, if it is not to be added up here.
    empty : array of bool, shape (n_nodes,), optional
        Which leaves are empty; by default those with a weight of at most 1e-6.
    """
    table = cached_for(tree, build_split_table)
    count = np.diff(table.first_child)
    whole = np.zeros(tree.size)
    if total is None:
        two = np.flatnonzero(count == 2)
        first = table.first_child[two]
        whole[two] = node_weight[table.child[first]] + node_weight[table.child[first + 1]]
        for node in np.flatnonzero(count > 2).tolist():
            first_child = table.first_child[node]
            kids = table.child[first_child : first_child + count[node]]
            whole[node] = node_weight[kids].sum()
        for node in np.flatnonzero(count == 1).tolist():
            whole[node] = node_weight[table.child[table.first_child[node]]]
    else:
        whole = total
    parent = np.repeat(np.arange(tree.size), count)  # of each in `child`
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = node_weight[table.child] / whole[parent]
    if total is None:
        shares = np.where(whole[parent] == 0, 1.0 / count[parent], shares)
    node_shares = np.ones(tree.size)
    node_shares[table.child] = shares
    silent = node_weight <= SMALL if empty is None else empty
    node_shares[silent & (table.leaf >= 0) & (np.arange(tree.size) > 0)] = 0.0
    return node_shares


def divide_by_shares(tree: BoxTree, shares: Floats) -> DivideRule:
    """The rule by which a node divides cases: each branch gets its share of `branch_shares`."""

    def divide(visit: Visit, branch: Ints) -> Floats:
        return shares[list(tree.nodes[visit.node].children)]

    return divide


def route_cases(
    tree: BoxTree,
    X: Floats,
    node_weight: Floats,
    total: Floats | None = None,
    empty: Bools | None = None,
) -> LeafRoutes:
    """Leaves that the cases reach, missing values divided as Weka does when it predicts.

    Parameters
    ----------
    X : array of float64, shape (n_cases, n_attributes)
    node_weight : array of float64, shape (n_nodes,)
        Training weight of every node; NaN where unknown.
    total, empty
        See `branch_shares`.
    """
    ends = find_leaves(tree, X)
    divided = ends < 0
    if not divided.any():
        return LeafRoutes(np.arange(len(X), dtype=np.intp), ends, np.ones(len(X)), divided)
    rows = np.flatnonzero(divided)
    divide = divide_by_shares(tree, branch_shares(tree, node_weight, total, empty))
    case, leaf, share = [np.flatnonzero(~divided)], [ends[~divided]], [np.ones(len(X) - len(rows))]
    for visit in descend(tree, X[rows], np.ones(len(rows)), divide):
        node = tree.nodes[visit.node]
        if node.is_leaf:
            case.append(rows[visit.cases])
            leaf.append(np.full(len(visit.cases), node.leaf, dtype=np.intp))
            share.append(visit.share)
    cases = np.concatenate(case)
    # Leaves come in text order, so a stable sort by case is a sort by case and leaf.
    order = np.argsort(cases, kind="stable")
    return LeafRoutes(
        cases[order], np.concatenate(leaf)[order], np.concatenate(share)[order], divided
    )


def sum_divided_cases(
    tree: BoxTree,
    X: Floats,
    shares: Floats,
    numbers: Floats,
    label: Ints,
    *,
    engine: Engine = "auto",
) -> tuple[Floats, Ints]:
    """What the leaves of each case say, times its shares, added up from the leaves to the root.

    A node that divides a case adds its branches in order, and only then does its own parent
    add it: Weka's order of additions, so that the sums are Weka's to the last bit. Adding
    all leaves of a case one after the other would not be.

    Parameters
    ----------
    X : array of float64, shape (n_cases, n_attributes)
        Cases with missing values.
    shares : array of float64, shape (n_nodes,)
        From `branch_shares`.
    numbers : array of float64, shape (n_leaves, n_numbers)
        The numbers that each leaf gives.
    label : array of int, shape (n_leaves,)
        A label of each leaf.

    Returns
    -------
    array of float64, shape (n_cases, n_numbers), and array of int, shape (n_cases,)
        The sums, and the label on which all leaves of a case agree, -1 if they do not.
    """
    if _divided_choice.takes_numba(engine, len(X) * _DIVIDED, times_to_come(len(X))):
        from j48geo.core.routing_numba import add_divided_cases, make_steps

        X = np.ascontiguousarray(X, dtype=np.float64)
        return add_divided_cases(cached_for(tree, make_steps), X, shares, numbers, label)
    visits = list(descend(tree, X, np.ones(len(X)), divide_by_shares(tree, shares)))
    node_sums: dict[int, tuple[Ints, Floats]] = {}
    lowest = np.full(len(X), len(tree.classes), dtype=np.intp)
    highest = np.full(len(X), -1, dtype=np.intp)
    for visit in reversed(visits):  # branches before their node
        node = tree.nodes[visit.node]
        if node.is_leaf:
            node_sums[node.index] = visit.cases, visit.share[:, None] * numbers[node.leaf]
            lowest[visit.cases] = np.minimum(lowest[visit.cases], label[node.leaf])
            highest[visit.cases] = np.maximum(highest[visit.cases], label[node.leaf])
            continue
        below = [node_sums.pop(child) for child in node.children if child in node_sums]
        if len(below) == 1 and len(below[0][0]) == len(visit.cases):
            node_sums[node.index] = below[0]
            continue
        sums = np.zeros((len(visit.cases), numbers.shape[1]))
        for cases, part in below:
            # Cases are ascending at every node, and those of a branch are among its node's.
            sums[np.searchsorted(visit.cases, cases)] += part
        node_sums[node.index] = visit.cases, sums
    everything = np.zeros((len(X), numbers.shape[1]))
    if 0 in node_sums:
        cases, sums = node_sums[0]
        everything[cases] = sums
    return everything, np.where(lowest == highest, highest, -1)


def takes_numba(tree: BoxTree, n_cases: int, engine: Engine = "auto") -> bool:
    """Whether so many cases are to go down the tree by the compiled loops."""
    by_level = n_cases <= CASES_PER_NODE * tree.size
    seconds = n_cases * _BY_LEVEL if by_level else n_cases * _DOWN + tree.size * _NODE
    return _choice.takes_numba(engine, seconds, times_to_come(n_cases))


def find_leaves(tree: BoxTree, X: Floats, *, engine: Engine = "auto") -> Ints:
    """Leaf of each case; -1 where a test on its way asks for a missing value.

    Parameters
    ----------
    X : array of float64, shape (n_cases, n_attributes)
    engine
        ``auto`` chooses by the amount of work; the answers are the same.

    Raises
    ------
    MismatchError
        If `X` has more or fewer columns than the tree's header.
    """
    check_width(tree.header, X)
    if takes_numba(tree, len(X), engine):
        from j48geo.core.routing_numba import make_steps, walk_to_leaves

        return walk_to_leaves(
            cached_for(tree, make_steps), np.ascontiguousarray(X, dtype=np.float64)
        )
    ends = np.full(len(X), -1, dtype=np.intp)
    levels = descend_by_levels(tree, X)
    if levels is not None:
        leaf = cached_for(tree, build_split_table).leaf
        for cases, node in levels:
            ends[cases] = leaf[node]  # -1 as long as a case has not ended
        return ends

    def stop(visit: Visit, branch: Ints) -> Floats:
        return np.zeros(len(tree.nodes[visit.node].children))

    for visit in descend(tree, X, np.ones(len(X)), stop):
        place = tree.nodes[visit.node].leaf
        if place >= 0:
            ends[visit.cases] = place
    return ends
