"""Where cases go: down the tree, all at once, missing values over several branches.

A case with a missing value is divided over the branches of the node that asks for it, so a
case reaches leaves with shares. How a node divides depends on what is asked: a prediction
divides by the weights of the branches (J48-TEXT-FORMAT section 3), the count of training
rows by the known values at that node (section 4). `descend` leaves that to its caller.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from j48geo.arrays import Bools, Floats, Ints
from j48geo.compiled import Choice, Engine, times_to_come
from j48geo.core.kept import kept_with
from j48geo.core.tree import BoxTree, Split
from j48geo.errors import MismatchError
from j48geo.java.numbers import SMALL

__all__ = [
    "Divide",
    "Routes",
    "Visit",
    "branch_shares",
    "branches",
    "check_width",
    "descend",
    "descend_by_levels",
    "divide_by",
    "divided_sums",
    "goes_left",
    "leaf_of",
    "route",
    "takes_numba",
]


class Visit(NamedTuple):
    """The cases that reach a node.

    Parameters
    ----------
    node
        Index of the node.
    cases : array of int, shape (k,)
        Their row numbers from 0, ascending.
    share : array of float64, shape (k,)
        What of each case arrives.
    """

    node: int
    cases: Ints
    share: Floats


Divide = Callable[[Visit, Ints], Floats]
"""Shares of the branches of a node for its cases with a missing value.

Called with the visit and the branch of each of its cases (-1: missing) wherever a value is
missing; gives one share a branch. A branch with share 0 is not entered.
"""


@dataclass(frozen=True, eq=False)
class Routes:
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


def goes_left(split: Split, x: Floats, tolerance: float = 0.0) -> Bools:
    """Whether known values `x` take the left branch of a split with two branches.

    Numeric: ``x <= t`` (``x < t`` if the split is not closed), with the slack of a rounded
    threshold added to t; before Weka 3.8.3 also ``x - t < 1e-6`` (`tolerance`). Binary
    nominal: the split's value goes left.
    """
    left: Bools
    if split.kind != "numeric":
        left = x == split.value
        return left
    bound = split.threshold + split.slack
    left = x <= bound if split.closed else x < bound
    if tolerance > 0:
        with np.errstate(over="ignore", invalid="ignore"):
            left |= x - split.threshold < tolerance
    return left


def branches(split: Split, x: Floats, tolerance: float = 0.0) -> Ints:
    """Branch that each value takes, -1 where it is missing (NaN)."""
    missing = np.isnan(x)
    if split.kind == "multiway":
        return np.where(missing, -1, x).astype(np.intp)
    return np.where(missing, -1, np.where(goes_left(split, x, tolerance), 0, 1))


def descend(tree: BoxTree, X: Floats, share: Floats, divide: Divide) -> Iterator[Visit]:
    """Visit in preorder every node that some case reaches, leaves and inner nodes.

    Parameters
    ----------
    X : array of float64, shape (n_cases, n_attributes)
        Columns in the order of the tree's header.
    share : array of float64, shape (n_cases,)
        What of each case starts at the root: 1, or the instance weights.
    divide
        Gives the shares of the branches where a value is missing.

    Notes
    -----
    The stack is explicit, since trees may be deeper than Python's own. Cases stay in the
    order of their rows at every node, so sums over them add up in Weka's order.
    """
    columns = {a: np.ascontiguousarray(X[:, a]) for a in tree.used_attributes}
    incomplete = {a for a, column in columns.items() if np.isnan(column).any()}
    stack = [Visit(0, np.arange(len(X), dtype=np.intp), share)] if len(X) else []
    while stack:
        visit = stack.pop()
        yield visit
        node = tree.nodes[visit.node]
        split = node.split
        if split is None:
            continue
        x = columns[split.attribute][visit.cases]
        if split.attribute in incomplete and (missing := np.isnan(x)).any():
            stack.extend(_divided(tree, visit, branches(split, x, tree.tolerance), missing, divide))
            continue
        for child, part in zip(reversed(node.children), _parts(tree, split, x), strict=True):
            if len(part):
                stack.append(Visit(child, visit.cases[part], visit.share[part]))


_DOWN, _NODE, _BY_LEVEL, _DIVIDED = 4e-7, 8e-6, 1.5e-6, 4e-5
"""Seconds that NumPy takes for a case, and for a node; for a case level by level; for a case
that is divided."""

_choice = Choice()

_CASES_A_NODE = 16
"""Cases for each node of the tree, with more of which a visit of every node is quicker."""


class _Table(NamedTuple):
    """The splits of all nodes, a leaf's with attribute -1, and the children of each in a row."""

    attribute: Ints
    threshold: Floats
    bound: Floats
    closed: Bools
    value: Ints  # of a binary split, else -1
    multiway: Bools
    first_child: Ints
    child: Ints
    leaf: Ints


def _table(tree: BoxTree) -> _Table:
    m = tree.size
    attribute, value = np.full((2, m), -1, dtype=np.intp)
    threshold, bound = np.zeros((2, m))
    closed, multiway = np.zeros((2, m), dtype=np.bool_)
    for node, split in tree.splits:
        i = node.index
        attribute[i] = split.attribute
        if split.kind == "numeric":
            threshold[i], bound[i] = split.threshold, split.threshold + split.slack
            closed[i] = split.closed
        elif split.kind == "binary":
            value[i] = split.value
        else:
            multiway[i] = True
    counts = np.array([len(node.children) for node in tree.nodes], dtype=np.intp)
    child = np.array([k for node in tree.nodes for k in node.children], dtype=np.intp)
    leaf = np.array([node.leaf for node in tree.nodes], dtype=np.intp)
    first = np.cumsum(counts) - counts
    return _Table(attribute, threshold, bound, closed, value, multiway, first, child, leaf)


def descend_by_levels(tree: BoxTree, X: Floats) -> Iterator[tuple[Ints, Ints]] | None:
    """All cases a step further at a time: those that have not ended, ascending, and their nodes.

    A case goes as far as the first test that asks for a value it has not. None where there are
    so many cases that `descend` is quicker. Which of the two is taken is a matter of time only:
    a large tree has few cases at each node.
    """
    return None if len(X) > _CASES_A_NODE * tree.size else _levels(tree, X)


def _levels(tree: BoxTree, X: Floats) -> Iterator[tuple[Ints, Ints]]:
    table = kept_with(tree, _table)
    cases = np.arange(len(X), dtype=np.intp)
    node = np.zeros(len(X), dtype=np.intp)
    while len(cases):
        yield cases, node
        going = np.flatnonzero(table.leaf[node] < 0)
        cases, node = cases[going], node[going]
        x = X[cases, table.attribute[node]]
        if (missing := np.isnan(x)).any():
            cases, node, x = cases[~missing], node[~missing], x[~missing]
        # The comparisons of `goes_left`, a split for each case.
        left = np.where(table.closed[node], x <= table.bound[node], x < table.bound[node])
        if tree.tolerance > 0:
            with np.errstate(over="ignore", invalid="ignore"):
                left |= x - table.threshold[node] < tree.tolerance
        value = table.value[node]
        branch = np.where(value >= 0, x != value, ~left).astype(np.intp)
        several = np.flatnonzero(table.multiway[node])
        branch[several] = x[several].astype(np.intp)
        node = table.child[table.first_child[node] + branch]


def _parts(tree: BoxTree, split: Split, x: Floats) -> Iterator[Ints]:
    """Positions of the known values `x` that take each branch, from the last to the first."""
    if split.kind != "multiway":
        left = goes_left(split, x, tree.tolerance)
        yield np.flatnonzero(~left)
        yield np.flatnonzero(left)
        return
    branch = x.astype(np.intp)
    order = np.argsort(branch, kind="stable")
    starts = np.searchsorted(branch[order], np.arange(tree.branch_count(split)))
    yield from reversed(np.split(order, starts[1:]))


def _divided(
    tree: BoxTree, visit: Visit, branch: Ints, missing: Bools, divide: Divide
) -> Iterator[Visit]:
    """Visits of the children, from the last to the first, where values are missing."""
    shares = divide(visit, branch)
    children = tree.nodes[visit.node].children
    order = np.argsort(branch, kind="stable")
    starts = np.searchsorted(branch[order], np.arange(len(children) + 1))
    lost = order[: starts[0]]
    for k in range(len(children) - 1, -1, -1):
        factor = shares[k]
        part = order[starts[k] : starts[k + 1]]
        if factor != 0:
            part = np.sort(np.concatenate([part, lost])) if len(part) else lost
        if len(part):
            share = visit.share[part]
            if factor != 0:
                share = np.where(missing[part], share * factor, share)
            yield Visit(children[k], visit.cases[part], share)


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
    table = kept_with(tree, _table)
    count = np.diff(np.append(table.first_child, len(table.child)))
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
    found = np.ones(tree.size)
    found[table.child] = shares
    silent = node_weight <= SMALL if empty is None else empty
    found[silent & (table.leaf >= 0) & (np.arange(tree.size) > 0)] = 0.0
    return found


def divide_by(tree: BoxTree, shares: Floats) -> Divide:
    """The rule by which a node divides cases: each branch gets its share of `branch_shares`."""

    def divide(visit: Visit, branch: Ints) -> Floats:
        return shares[list(tree.nodes[visit.node].children)]

    return divide


def route(
    tree: BoxTree,
    X: Floats,
    node_weight: Floats,
    total: Floats | None = None,
    empty: Bools | None = None,
) -> Routes:
    """Leaves that the cases reach, missing values divided as Weka does when it predicts.

    Parameters
    ----------
    X : array of float64, shape (n_cases, n_attributes)
    node_weight : array of float64, shape (n_nodes,)
        Training weight of every node; NaN where unknown.
    total, empty
        See `branch_shares`.
    """
    ends = leaf_of(tree, X)
    divided = ends < 0
    if not divided.any():
        return Routes(np.arange(len(X), dtype=np.intp), ends, np.ones(len(X)), divided)
    rows = np.flatnonzero(divided)
    divide = divide_by(tree, branch_shares(tree, node_weight, total, empty))
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
    return Routes(cases[order], np.concatenate(leaf)[order], np.concatenate(share)[order], divided)


def divided_sums(
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
    if _choice.takes_numba(engine, len(X) * _DIVIDED, times_to_come(len(X))):
        from j48geo.core.routing_numba import steps_of, sum_divided

        X = np.ascontiguousarray(X, dtype=np.float64)
        return sum_divided(kept_with(tree, steps_of), X, shares, numbers, label)
    visits = list(descend(tree, X, np.ones(len(X)), divide_by(tree, shares)))
    found: dict[int, tuple[Ints, Floats]] = {}
    lowest = np.full(len(X), len(tree.classes), dtype=np.intp)
    highest = np.full(len(X), -1, dtype=np.intp)
    for visit in reversed(visits):  # branches before their node
        node = tree.nodes[visit.node]
        if node.is_leaf:
            found[node.index] = visit.cases, visit.share[:, None] * numbers[node.leaf]
            lowest[visit.cases] = np.minimum(lowest[visit.cases], label[node.leaf])
            highest[visit.cases] = np.maximum(highest[visit.cases], label[node.leaf])
            continue
        below = [found.pop(child) for child in node.children if child in found]
        if len(below) == 1 and len(below[0][0]) == len(visit.cases):
            found[node.index] = below[0]
            continue
        sums = np.zeros((len(visit.cases), numbers.shape[1]))
        for cases, part in below:
            # Cases are ascending at every node, and those of a branch are among its node's.
            sums[np.searchsorted(visit.cases, cases)] += part
        found[node.index] = visit.cases, sums
    everything = np.zeros((len(X), numbers.shape[1]))
    if 0 in found:
        cases, sums = found[0]
        everything[cases] = sums
    return everything, np.where(lowest == highest, highest, -1)


def takes_numba(tree: BoxTree, n_cases: int, engine: Engine = "auto") -> bool:
    """Whether so many cases are to go down the tree by the compiled loops."""
    by_level = n_cases <= _CASES_A_NODE * tree.size
    seconds = n_cases * _BY_LEVEL if by_level else n_cases * _DOWN + tree.size * _NODE
    return _choice.takes_numba(engine, seconds, times_to_come(n_cases))


def check_width(tree: BoxTree, X: Floats) -> None:
    """Refuse rows of more or fewer columns than the tree's header has.

    Raises
    ------
    MismatchError
        If the shape of `X` is another.
    """
    width = len(tree.header)
    if X.ndim != 2 or X.shape[1] != width:
        raise MismatchError(
            f"the rows have shape {X.shape}; expected {width} columns, those of the tree's header"
        )


def leaf_of(tree: BoxTree, X: Floats, *, engine: Engine = "auto") -> Ints:
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
    check_width(tree, X)
    if takes_numba(tree, len(X), engine):
        from j48geo.core.routing_numba import find_leaves, steps_of

        return find_leaves(kept_with(tree, steps_of), np.ascontiguousarray(X, dtype=np.float64))
    found = np.full(len(X), -1, dtype=np.intp)
    levels = descend_by_levels(tree, X)
    if levels is not None:
        leaf = kept_with(tree, _table).leaf
        for cases, node in levels:
            found[cases] = leaf[node]  # -1 as long as a case has not ended
        return found

    def stop(visit: Visit, branch: Ints) -> Floats:
        return np.zeros(len(tree.nodes[visit.node].children))

    for visit in descend(tree, X, np.ones(len(X)), stop):
        place = tree.nodes[visit.node].leaf
        if place >= 0:
            found[visit.cases] = place
    return found
