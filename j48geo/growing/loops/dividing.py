"""Dividing the rows of a node over its branches."""

from __future__ import annotations

from typing import Any

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.growing.loops.counting import SLACK, add_missing

__all__ = ["BINARY", "MULTIWAY", "NUMERIC", "divide", "partition", "redistribute", "side_of"]

NUMERIC, MULTIWAY, BINARY = 0, 1, 2
"""Kinds of a split."""


def side_of(v: float, kind: int, cut: float, value: int) -> int:
    """The branch a value belongs to, -1 if it is missing."""
    if v != v:
        return -1
    if kind == 0:
        return 0 if v <= cut else 1
    if kind == 1:
        return int(v)
    return 0 if int(v) == value else 1


def redistribute(
    columns: Any, question: Any, bags: int, rows: Ints, w: Floats
) -> tuple[Floats, Floats, Floats, float]:
    """P, B, C, T of a given split for these rows: the known ones, then the missing ones."""
    a, kind, cut, value = question
    x = columns.X[a]
    P = np.zeros((bags, columns.n_classes))
    B = np.zeros(bags)
    C = np.zeros(columns.n_classes)
    T = 0.0
    missing = False
    for i in range(len(rows)):
        b = side_of(x[rows[i]], kind, cut, value)
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
    X: Floats, question: Any, B: Floats, T: float, rows: Ints, w: Floats
) -> tuple[Ints, Floats, Ints]:
    """Rows and weights of all branches one after the other, and where each branch starts.

    A row whose value is missing goes to every branch whose share is not nothing.
    """
    a, kind, cut, value = question
    x = X[a]
    bags = len(B)
    share = np.empty(bags)
    for b in range(bags):
        share[b] = B[b] / T if T != 0.0 else 0.0
    side = np.empty(len(rows), dtype=np.intp)
    count = np.zeros(bags, dtype=np.intp)
    for i in range(len(rows)):
        b = side_of(x[rows[i]], kind, cut, value)
        side[i] = b
        if b >= 0:
            count[b] += 1
        else:
            for k in range(bags):
                if share[k] > SLACK:
                    count[k] += 1
    start = np.zeros(bags + 1, dtype=np.intp)
    for b in range(bags):
        start[b + 1] = start[b] + count[b]
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
                if share[k] > SLACK:
                    new_rows[place[k]] = rows[i]
                    new_w[place[k]] = share[k] * w[i]
                    place[k] += 1
    return new_rows, new_w, start


def partition(
    X: Floats, question: Any, bags: int, orders: Ints, begin: int, end: int, side: Ints
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
    a, kind, cut, value = question
    start = np.zeros(bags + 1, dtype=np.intp)
    for i in range(begin, end):
        row = orders[0, i]
        b = side_of(X[a, row], kind, cut, value)
        side[row] = b
        start[b + 1] += 1
    start[0] = begin
    for b in range(bags):
        start[b + 1] += start[b]
    kept = np.empty(end - begin, dtype=orders.dtype)
    place = np.empty(bags, dtype=np.intp)
    for k in range(orders.shape[0]):
        for b in range(bags):
            place[b] = start[b]
        for i in range(end - begin):
            kept[i] = orders[k, begin + i]
        for i in range(end - begin):
            b = side[kept[i]]
            orders[k, place[b]] = kept[i]
            place[b] += 1
    return start
