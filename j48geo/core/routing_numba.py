"""Route cases down a tree by loops that numba compiles: the answers of `routing`, bit for bit."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from j48geo.arrays import Floats, Ints
from j48geo.compilation import compile_loop, helper, run_in_threads
from j48geo.core.cache import cached_for
from j48geo.core.descent import build_split_table
from j48geo.core.tree import BoxTree

_ATTRIBUTE, _KIND, _OTHER, _FIRST, _END = range(5)
"""What is known of a node, side by side. The first child of a node is the next one; _OTHER is the
second child of a split with two branches, and the number of a leaf. The children of a node are
those in the list of all from _FIRST up to _END."""
_LEAF, _CLOSED, _OPEN, _CLOSED_LOOSE, _OPEN_LOOSE, _BINARY, _MULTIWAY = range(7)


class Steps(NamedTuple):
    """The `SplitTable` of a tree as compiled loops walk it: what belongs together side by side.

    Parameters
    ----------
    node : array of int32, shape (n_nodes, 5)
        Columns as named above.
    bound : array of float64, shape (n_nodes,)
        Where a numeric split cuts; the value that a binary one singles out.
    threshold : array of float64, shape (n_nodes,)
        The threshold without its slack, from which old Weka's tolerance is counted.
    child : array of int
        The children of all nodes, in order of branches.
    depth
        Length of the longest path.
    """

    node: NDArray[np.int32]
    bound: Floats
    threshold: Floats
    child: Ints
    tolerance: float
    depth: int


def make_steps(tree: BoxTree) -> Steps:
    """The tree, made ready for the loops below."""
    table = cached_for(tree, build_split_table)
    is_leaf = table.leaf >= 0
    node = np.empty((tree.size, 5), dtype=np.int32)
    node[:, _ATTRIBUTE] = table.attribute
    numeric = (_CLOSED_LOOSE if tree.tolerance > 0 else _CLOSED) + ~table.closed
    node[:, _KIND] = np.select(
        [is_leaf, table.multiway, table.value >= 0], [_LEAF, _MULTIWAY, _BINARY], numeric
    )
    node[:, _FIRST] = table.first_child[:-1]
    node[:, _END] = table.first_child[1:]
    node[is_leaf, _OTHER] = table.leaf[is_leaf]
    node[~is_leaf, _OTHER] = table.child[table.first_child[1:][~is_leaf] - 1]
    bound = np.where(table.value >= 0, table.value, table.bound)
    depth = max(here.depth for here in tree.nodes)
    return Steps(node, bound, table.threshold, table.child, tree.tolerance, depth)


def walk_to_leaves(steps: Steps, X: Floats) -> Ints:
    """Leaf of each case, -1 where a test on its way asks for a missing value.

    Raises
    ------
    ImportError
        If there is no numba.
    """
    ends = np.empty(len(X), dtype=np.intp)
    loop = compile_loop(walk_down)
    run_in_threads(lambda part: loop(X[part], ends[part], steps), len(X))
    return ends


def add_divided_cases(
    steps: Steps, X: Floats, shares: Floats, numbers: Floats, label: Ints
) -> tuple[Floats, Ints]:
    """See `j48geo.core.routing.sum_divided_cases`."""
    sums = np.empty((len(X), numbers.shape[1]))
    common = np.empty(len(X), dtype=np.intp)
    loop = compile_loop(add_up)
    numbers = np.ascontiguousarray(numbers)

    def work(part: slice) -> None:
        loop(X[part], shares, numbers, label, sums[part], common[part], steps)

    run_in_threads(work, len(X))
    return sums, common


def count_rows(steps: Steps, X: Floats, label: Ints, weights: Floats, per_class: Floats) -> None:
    """Add the weight of each case to its class at every node on its way; no value is missing."""
    compile_loop(count_down)(X, label, weights, per_class, steps)


@helper
def next_node(k: int, x: float, steps: Steps) -> int:
    """The node that a known value leads to; the comparisons of `goes_left`."""
    kind = steps.node[k, _KIND]
    if kind == _MULTIWAY:
        several: int = steps.child[steps.node[k, _FIRST] + int(x)]
        return several
    if kind == _BINARY:
        left = x == steps.bound[k]
    elif kind in (_CLOSED, _CLOSED_LOOSE):
        left = x <= steps.bound[k]
    else:
        left = x < steps.bound[k]
    if kind in (_CLOSED_LOOSE, _OPEN_LOOSE):
        left = left or x - steps.threshold[k] < steps.tolerance
    right: int = steps.node[k, _OTHER]
    return k + 1 if left else right


def walk_down(X: Floats, found: Ints, steps: Steps) -> None:
    """Leaf of each case; -1 where a value is missing."""
    node, bound = steps.node, steps.bound
    for i in range(len(X)):
        k = 0
        while True:
            kind = node[k, _KIND]
            if kind == _LEAF:
                found[i] = node[k, _OTHER]
                break
            x = X[i, node[k, _ATTRIBUTE]]
            if x != x:
                found[i] = -1
                break
            if kind == _CLOSED:  # nearly all of them
                k = k + 1 if x <= bound[k] else node[k, _OTHER]
            else:
                k = next_node(k, x, steps)


def add_up(
    X: Floats,
    shares: Floats,
    numbers: Floats,
    label: Ints,
    sums: Floats,
    common: Ints,
    steps: Steps,
) -> None:
    """Sums of divided cases, each node's branches before its parent's, and the common label."""
    node, child = steps.node, steps.child
    width = numbers.shape[1]
    # The nodes on the way that divide the case: which, its next branch, what arrived, the sum.
    asked = np.empty(steps.depth + 1, dtype=np.int64)
    following = np.empty(steps.depth + 1, dtype=np.int64)
    arrived = np.empty(steps.depth + 1, dtype=np.float64)
    added = np.empty((steps.depth + 2, width), dtype=np.float64)  # the first is the whole sum
    for i in range(len(X)):
        top = 0
        k = 0
        share = 1.0
        agreed = -2  # no leaf so far
        added[0] = 0.0
        while k >= 0:
            # Down to a leaf, or to the next node that divides the case.
            while True:
                if node[k, _KIND] == _LEAF:
                    leaf = node[k, _OTHER]
                    if agreed == -2:
                        agreed = label[leaf]
                    elif agreed != label[leaf]:
                        agreed = -1
                    for c in range(width):
                        added[top, c] += share * numbers[leaf, c]
                    break
                x = X[i, node[k, _ATTRIBUTE]]
                if x != x:
                    asked[top] = k
                    following[top] = node[k, _FIRST]
                    arrived[top] = share
                    top += 1
                    added[top] = 0.0
                    break
                k = next_node(k, x, steps)
            # The next branch of the last node that divides; a sum that is complete goes to the
            # one before.
            k = -1
            while top > 0 and k < 0:
                while following[top - 1] < node[asked[top - 1], _END] and k < 0:
                    branch = child[following[top - 1]]
                    following[top - 1] += 1
                    if shares[branch] != 0.0:
                        k = branch
                        share = arrived[top - 1] * shares[branch]
                if k < 0:
                    for c in range(width):
                        added[top - 1, c] += added[top, c]
                    top -= 1
        for c in range(width):
            sums[i, c] = added[0, c]
        common[i] = max(agreed, -1)


def count_down(X: Floats, label: Ints, weights: Floats, per_class: Floats, steps: Steps) -> None:
    """Weight of each class at every node, added in the order of the rows."""
    for i in range(len(X)):
        k = 0
        per_class[0, label[i]] += weights[i]
        while steps.node[k, _KIND] != _LEAF:
            k = next_node(k, X[i, steps.node[k, _ATTRIBUTE]], steps)
            per_class[k, label[i]] += weights[i]
