"""Send all cases down a tree at once: the branch of each value, and what is missing at a node.

How a node divides cases whose value is missing depends on what is asked, so `descend` leaves
that to its caller.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from j48geo.arrays import Bools, Floats, Ints
from j48geo.core.cache import cached_for
from j48geo.core.tree import BoxTree, Split


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


DivideRule = Callable[[Visit, Ints], Floats]
"""Shares of the branches of a node for its cases with a missing value.

Called with the visit and the branch of each of its cases (-1: missing) wherever a value is
missing; gives one share a branch. A branch with share 0 is not entered.
"""


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


def find_branches(split: Split, x: Floats, tolerance: float = 0.0) -> Ints:
    """Branch that each value takes, -1 where it is missing (NaN)."""
    missing = np.isnan(x)
    if split.kind == "multiway":
        return np.where(missing, -1, x).astype(np.intp)
    return np.where(missing, -1, np.where(goes_left(split, x, tolerance), 0, 1))


def descend(tree: BoxTree, X: Floats, share: Floats, divide: DivideRule) -> Iterator[Visit]:
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
            stack.extend(
                _divide_visit(tree, visit, find_branches(split, x, tree.tolerance), missing, divide)
            )
            continue
        for child, part in zip(
            reversed(node.children), _branch_positions(tree, split, x), strict=True
        ):
            if len(part):
                stack.append(Visit(child, visit.cases[part], visit.share[part]))


CASES_PER_NODE = 16
"""Cases for each node of the tree, with more of which a visit of every node is quicker."""


class SplitTable(NamedTuple):
    """The splits of a frozen tree as arrays, one entry a node, for all who walk many cases down.

    Two other tables are not this one: `j48geo.growing` has the splits of a tree that still
    changes, and `j48geo.export.tree_table` the tests alone, with the largest number that goes
    left for a bound, so that other languages need one comparison.

    Parameters
    ----------
    attribute : array of int, shape (n_nodes,)
        Column that the node asks about; -1 for a leaf.
    threshold, bound : array of float64, shape (n_nodes,)
        Of a numeric split: the threshold as it is known, and with its slack.
    closed : array of bool, shape (n_nodes,)
        Of a numeric split: whether the bound itself goes left.
    value : array of int, shape (n_nodes,)
        The value that a binary split singles out, else -1.
    multiway : array of bool, shape (n_nodes,)
        Whether there is a branch a value.
    first_child : array of int, shape (n_nodes + 1,)
        Where the children of each node begin in `child`, and where the last ones end.
    child : array of int
        The children of all nodes, in order of branches.
    leaf : array of int, shape (n_nodes,)
        Number of the leaf, -1 for an inner node.
    tolerance
        Of old Weka's comparison, see `BoxTree`.
    """

    attribute: Ints
    threshold: Floats
    bound: Floats
    closed: Bools
    value: Ints
    multiway: Bools
    first_child: Ints
    child: Ints
    leaf: Ints
    tolerance: float

    def goes_left(self, node: Ints, x: Floats) -> Bools:
        """`goes_left` of numeric splits, a node for each value."""
        left: Bools = np.where(self.closed[node], x <= self.bound[node], x < self.bound[node])
        if self.tolerance > 0:
            with np.errstate(over="ignore", invalid="ignore"):
                left |= x - self.threshold[node] < self.tolerance
        return left


def build_split_table(tree: BoxTree) -> SplitTable:
    """The splits of a tree as arrays; callers keep them by `cached_for`."""
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
    first = np.append(0, np.cumsum(counts))
    return SplitTable(
        attribute, threshold, bound, closed, value, multiway, first, child, leaf, tree.tolerance
    )


def descend_by_levels(tree: BoxTree, X: Floats) -> Iterator[tuple[Ints, Ints]] | None:
    """All cases a step further at a time: those that have not ended, ascending, and their nodes.

    A case goes as far as the first test that asks for a value it has not. None where there are
    so many cases that `descend` is quicker. Which of the two is taken is a matter of time only:
    a large tree has few cases at each node.
    """
    return None if len(X) > CASES_PER_NODE * tree.size else _walk_levels(tree, X)


def _walk_levels(tree: BoxTree, X: Floats) -> Iterator[tuple[Ints, Ints]]:
    table = cached_for(tree, build_split_table)
    cases = np.arange(len(X), dtype=np.intp)
    node = np.zeros(len(X), dtype=np.intp)
    while len(cases):
        yield cases, node
        going = np.flatnonzero(table.leaf[node] < 0)
        cases, node = cases[going], node[going]
        x = X[cases, table.attribute[node]]
        if (missing := np.isnan(x)).any():
            cases, node, x = cases[~missing], node[~missing], x[~missing]
        value = table.value[node]
        branch = np.where(value >= 0, x != value, ~table.goes_left(node, x)).astype(np.intp)
        several = np.flatnonzero(table.multiway[node])
        branch[several] = x[several].astype(np.intp)
        node = table.child[table.first_child[node] + branch]


def _branch_positions(tree: BoxTree, split: Split, x: Floats) -> Iterator[Ints]:
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


def _divide_visit(
    tree: BoxTree, visit: Visit, branch: Ints, missing: Bools, divide: DivideRule
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
