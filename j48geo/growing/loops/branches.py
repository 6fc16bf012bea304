"""Divide the rows of a node over its branches, and estimate errors as pruning does."""

from __future__ import annotations

from math import pow, sqrt
from typing import Any

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.growing.loops.distributions import (
    SplitTest,
    add_missing,
    count_classes,
    find_major_class,
)
from j48geo.java.numbers import SMALL

NUMERIC, MULTIWAY, BINARY = 0, 1, 2
"""Kinds of a split."""


def find_branch(v: float, kind: int, cut: float, value: int) -> int:
    """The branch a value belongs to, -1 if it is missing."""
    if v != v:
        return -1
    if kind == NUMERIC:
        return 0 if v <= cut else 1
    if kind == MULTIWAY:
        return int(v)
    return 0 if int(v) == value else 1


def redistribute(
    columns: Any, test: Any, bags: int, rows: Ints, w: Floats
) -> tuple[Floats, Floats, Floats, float]:
    """P, B, C, T of a given split for these rows: the known ones, then the missing ones."""
    a, kind, cut, value = test
    x = columns.X[a]
    P = np.zeros((bags, columns.n_classes))
    B = np.zeros(bags)
    C = np.zeros(columns.n_classes)
    T = 0.0
    missing = False
    for i in range(len(rows)):
        b = find_branch(x[rows[i]], kind, cut, value)
        if b < 0:
            missing = True
            continue
        c = columns.y[rows[i]]
        P[b, c] += w[i]
        B[b] += w[i]
        C[c] += w[i]
        T += w[i]
    if missing:
        T = add_missing(x, columns.y, rows, w, P, B, C, T)
    return P, B, C, T


def divide(
    X: Floats, test: Any, B: Floats, T: float, rows: Ints, w: Floats
) -> tuple[Ints, Floats, Ints]:
    """Rows and weights of all branches one after the other, and where each branch starts.

    A row whose value is missing goes to every branch whose share is not nothing.
    """
    a, kind, cut, value = test
    x = X[a]
    bags = len(B)
    share = np.empty(bags)
    for b in range(bags):
        share[b] = B[b] / T if T != 0.0 else 0.0
    # First pass: the branch of each row, and how many rows each branch gets.
    side = np.empty(len(rows), dtype=np.intp)
    count = np.zeros(bags, dtype=np.intp)
    for i in range(len(rows)):
        b = find_branch(x[rows[i]], kind, cut, value)
        side[i] = b
        if b >= 0:
            count[b] += 1
        else:
            for k in range(bags):
                if share[k] > SMALL:
                    count[k] += 1
    start = np.zeros(bags + 1, dtype=np.intp)
    for b in range(bags):
        start[b + 1] = start[b] + count[b]
    # Second pass: every row to its place, in the order of the rows.
    place = start.copy()
    new_rows = np.empty(start[bags], dtype=rows.dtype)
    new_w = np.empty(start[bags])
    for i in range(len(rows)):
        b = side[i]
        if b >= 0:
            new_rows[place[b]] = rows[i]
            new_w[place[b]] = w[i]
            place[b] += 1
        else:
            for k in range(bags):
                if share[k] > SMALL:
                    new_rows[place[k]] = rows[i]
                    new_w[place[k]] = share[k] * w[i]
                    place[k] += 1
    return new_rows, new_w, start


def partition(
    X: Floats, test: Any, bags: int, orders: Ints, begin: int, end: int, side: Ints
) -> Ints:
    """Divide rows begin..end of every order by a split, keeping each order.

    Parameters
    ----------
    side : array of int, shape (n_rows,)
        Room for the branch of each row.

    Returns
    -------
    array of int, shape (bags + 1,)
        Where each branch begins.
    """
    a, kind, cut, value = test
    # The branch of each row, and the size of each branch.
    start = np.zeros(bags + 1, dtype=np.intp)
    for i in range(begin, end):
        row = orders[0, i]
        b = find_branch(X[a, row], kind, cut, value)
        side[row] = b
        start[b + 1] += 1
    start[0] = begin
    for b in range(bags):
        start[b + 1] += start[b]
    # Every order is dealt out to the branches, which keeps it sorted within each of them.
    order = np.empty(end - begin, dtype=orders.dtype)
    place = np.empty(bags, dtype=np.intp)
    for k in range(orders.shape[0]):
        for b in range(bags):
            place[b] = start[b]
        for i in range(end - begin):
            order[i] = orders[k, begin + i]
        for i in range(end - begin):
            b = side[order[i]]
            orders[k, place[b]] = order[i]
            place[b] += 1
    return start


def upper_bound(N: float, e: float, z: float) -> float:
    """Errors to add to e of N, by the normal approximation of the confidence interval."""
    f = (e + 0.5) / N
    r = (f + z * z / (2.0 * N) + z * sqrt(f / N - f * f / N + z * z / (4.0 * N * N))) / (
        1.0 + z * z / N
    )
    return r * N - e


def extra_errors(N: float, e: float, cf: float, z: float) -> float:
    """Errors to add to e of N so that the sum is the upper end of the confidence interval."""
    if cf > 0.5:
        return 0.0
    # Less than one error: on the line between the bounds of no error and of one.
    if e < 1.0:
        base = N * (1.0 - pow(cf, 1.0 / N))
        if e == 0.0:
            return base
        # The same for one error.
        one = max(N - 1.0, 0.0) if N <= 1.5 else upper_bound(N, 1.0, z)
        return base + e * (one - base)
    if e + 0.5 >= N:
        return max(N - e, 0.0)
    return upper_bound(N, e, z)


def leaf_errors(C: Floats, T: float, cf: float, z: float) -> float:
    """Errors of a leaf with these classes, pessimistically."""
    if abs(T) < SMALL:
        return 0.0
    wrong = T - C[find_major_class(C)]
    return float(wrong + extra_errors(T, wrong, cf, z))


def raised_errors(
    columns: Any, splits: Any, top: int, rows: Ints, w: Floats, cf: float, z: float
) -> float:
    """Errors of the subtree below node `top` if these rows were sent into it.

    Rows are sent down on a stack; the errors are then added from the leaves up, children in
    order.
    """
    first = splits.first
    bags = splits.bags
    # Down: the rows of each node wait on the stack; a leaf gets its errors at once.
    waiting = [(top, rows, w)]
    nodes = [top]
    errors = [0.0]
    first_seen = [0]
    waiting_seen = [0]
    while len(waiting) > 0:
        node, at, weight = waiting.pop()
        seen = waiting_seen.pop()
        k = bags[node]
        if k == 0:
            C, T = count_classes(columns.y, columns.n_classes, at, weight)
            errors[seen] = leaf_errors(C, T, cf, z)
            continue
        first_seen[seen] = len(nodes)
        test = SplitTest(
            splits.attribute[node], splits.kind[node], splits.cut[node], splits.value[node]
        )
        _, B, _, T = redistribute(columns, test, k, at, weight)
        new_rows, new_w, start = divide(columns.X, test, B, T, at, weight)
        for b in range(k):
            nodes.append(first[node] + b)
            errors.append(0.0)
            first_seen.append(0)
        for b in range(k - 1, -1, -1):
            if start[b] < start[b + 1]:  # no rows, no errors
                waiting.append(
                    (
                        first[node] + b,
                        new_rows[start[b] : start[b + 1]],
                        new_w[start[b] : start[b + 1]],
                    )
                )
                waiting_seen.append(first_seen[seen] + b)
    # Up: nodes were listed after their parents, so the last come first.
    for seen in range(len(nodes) - 1, -1, -1):
        k = bags[nodes[seen]]
        if first_seen[seen] > 0:
            total = 0.0
            for b in range(k):
                total += errors[first_seen[seen] + b]
            errors[seen] = total
    return errors[0]
