"""The search for the attribute to split by."""

from __future__ import annotations

from typing import Any

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.growing.loops.counting import SLACK, Here, add_missing, before, enough, gain, ratio
from j48geo.growing.loops.cuts import try_numeric
from j48geo.growing.loops.sorting import sort_keys

__all__ = ["MISSING_KEY", "choose", "judge_nominal", "search", "try_nominal"]

MISSING_KEY = float(np.finfo(np.float64).max)
"""Where missing values stand when rows are sorted."""


def judge_nominal(
    P: Floats, B: Floats, T: float, a: int, bag: int, rules: Any, here: Any, found: Any
) -> None:
    """What splits by the values of an attribute are worth, given all their counts."""
    W, present, table = here
    C = found.C[a]
    found.T[a] = T
    old = before(C, T, table)
    if not rules.binary:
        if enough(B, rules.least):
            found.valid[a] = True
            g = gain(P, B, T, old, W, present, table)
            found.gain[a] = g
            found.ratio[a] = ratio(B, T, g, W, table)
            found.P[bag : bag + len(B)] = P
            found.B[bag : bag + len(B)] = B
        return
    pair = np.zeros((2, len(C)))
    sizes = np.zeros(2)
    for b in range(len(B)):
        if not (rules.least - B[b] < SLACK or B[b] >= rules.least):
            continue
        for c in range(len(C)):
            pair[0, c] = P[b, c]
            pair[1, c] = C[c] - P[b, c]
        sizes[0] = B[b]
        sizes[1] = T - B[b]
        if not enough(sizes, rules.least):
            continue
        found.valid[a] = True
        g = gain(pair, sizes, T, old, W, present, table)
        r = ratio(sizes, T, g, W, table)
        if b == 0 or r - found.ratio[a] > SLACK:
            found.gain[a] = g
            found.ratio[a] = r
            found.value[a] = b
            found.P[bag : bag + 2] = pair
            found.B[bag : bag + 2] = sizes


def try_nominal(
    columns: Any, a: int, rows: Ints, w: Floats, rules: Any, here: Any, found: Any
) -> None:
    """The split of one nominal attribute: a branch a value, or with -B its best value."""
    x = columns.X[a]
    n = columns.n_values[a]
    P = np.zeros((n, columns.n_classes))
    B = np.zeros(n)
    C = found.C[a]
    C[:] = 0.0
    T = 0.0
    for i in range(len(rows)):
        v = x[rows[i]]
        if v == v:
            b = int(v)
            c = columns.y[rows[i]]
            P[b, c] += w[i]
            B[b] += w[i]
            C[c] += w[i]
            T += w[i]
    judge_nominal(P, B, T, a, columns.first_bag[a], rules, here, found)


def choose(n_values: Ints, rules: Any, found: Any) -> int:
    """Among attributes of at least average gain (less 0.001) the one of the best ratio."""
    total = 0.0
    counted = 0
    for a in range(len(n_values)):
        if found.valid[a] and (
            n_values[a] < 0 or rules.all_many or rules.many - n_values[a] > SLACK
        ):
            total += found.gain[a]
            counted += 1
    if counted == 0:
        return -1
    average = total / counted
    best = 0.0
    chosen = -1
    for a in range(len(n_values)):
        if found.valid[a] and found.gain[a] >= average - 0.001 and found.ratio[a] - best > SLACK:
            best = found.ratio[a]
            chosen = a
    return chosen


def search(
    columns: Any,
    rows: Ints,
    w: Floats,
    W: float,
    orders: Ints,
    begin: int,
    rules: Any,
    found: Any,
) -> int:
    """The attribute to split by, -1 if none; its distribution is then in `found`.

    Parameters
    ----------
    rows, w
        Rows of the node and their weights, reordered in place by every numeric attribute.
    W
        Weight of all rows.
    orders : array of int, shape (n_orders, n_rows) or (0, 0)
        All rows as each numeric attribute sorts them, where the order cannot matter (whole
        weights, nothing missing); otherwise empty, and they are sorted here.
    begin
        Where the rows of the node begin in every order.
    """
    n = len(rows)
    y = columns.y
    table = columns.xlogx
    presorted = orders.shape[0] > 0
    whole = presorted and len(table) > W
    seen = np.zeros(columns.n_classes, dtype=np.bool_)
    for i in range(n):
        seen[y[rows[i]]] = True
    here = Here(W, np.flatnonzero(seen), table)
    value = np.empty(n)
    weight = np.empty(n)
    label = np.empty(n, dtype=np.intp)
    for a in range(len(columns.n_values)):
        found.valid[a] = False
        found.gain[a] = 0.0
        found.ratio[a] = 0.0
        n_values = columns.n_values[a]
        if n_values == -2:
            continue
        if n_values >= 0:
            try_nominal(columns, a, rows, w, rules, here, found)
            continue
        x = columns.X[a]
        m = n
        if presorted:
            for i in range(n):
                row = orders[columns.order[a], begin + i]
                value[i] = x[row]
                label[i] = y[row]
                weight[i] = columns.weight[row]
        else:
            index = np.empty(n, dtype=np.intp)
            for i in range(n):
                v = x[rows[i]]
                value[i] = v if v == v else MISSING_KEY
                index[i] = i
            sort_keys(value, index)
            old_rows = rows.copy()
            for i in range(n):
                row = old_rows[index[i]]
                rows[i] = row
                weight[i] = w[index[i]]
                label[i] = y[row]
                if m == n and x[row] != x[row]:
                    m = i
            w[:] = weight
        try_numeric(
            value[:m],
            label[:m],
            weight[:m],
            a,
            columns.first_bag[a],
            rules,
            here,
            found,
            whole,
        )
    a = choose(columns.n_values, rules, found)
    if a >= 0:
        bags = 2 if columns.n_values[a] < 0 or rules.binary else columns.n_values[a]
        bag = columns.first_bag[a]
        P = found.P[bag : bag + bags]
        B = found.B[bag : bag + bags]
        found.T[a] = add_missing(columns.X[a], y, rows, w, P, B, found.C[a], found.T[a])
    return a
