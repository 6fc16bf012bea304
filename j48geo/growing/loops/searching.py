"""The search for the attribute to split by."""

from __future__ import annotations

from typing import Any

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.growing.loops.counting import SLACK, Here, add_missing, before, enough, gain, ratio
from j48geo.growing.loops.cuts import try_numeric, try_presorted
from j48geo.growing.loops.sorting import sort_keys

__all__ = [
    "MISSING_KEY",
    "choose",
    "context_of",
    "judge_nominal",
    "keep_bags",
    "search",
    "search_presorted",
    "try_nominal",
]

NUMBERS = -1
"""In `Columns.n_values`: a numeric attribute."""

MISSING_KEY = float(np.finfo(np.float64).max)
"""Where missing values stand when rows are sorted."""


def keep_bags(P: Floats, B: Floats, all_P: Floats, all_B: Floats, bag: int) -> None:
    """Copy the weights of bags to their place among those of all attributes."""
    # Cell by cell: for an assignment of slices numba compiles a check with a long message,
    # which takes it a second and more wherever it stands.
    for b in range(len(B)):
        all_B[bag + b] = B[b]
        for c in range(P.shape[1]):
            all_P[bag + b, c] = P[b, c]


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
            keep_bags(P, B, found.P, found.B, bag)
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
            keep_bags(pair, sizes, found.P, found.B, bag)


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


def context_of(columns: Any, rows: Ints, W: float) -> Any:
    """What holds for all splits of a node with these rows."""
    seen = np.zeros(columns.n_classes, dtype=np.bool_)
    for i in range(len(rows)):
        seen[columns.y[rows[i]]] = True
    present = np.empty(columns.n_classes, dtype=np.intp)
    n_present = 0
    for c in range(columns.n_classes):
        if seen[c]:
            present[n_present] = c
            n_present += 1
    return Here(W, present[:n_present], columns.xlogx)


def search(columns: Any, rows: Ints, w: Floats, W: float, rules: Any, found: Any) -> int:
    """The attribute to split by, -1 if none; its distribution is then in `found`.

    Parameters
    ----------
    rows, w
        Rows of the node and their weights, reordered in place by every numeric attribute.
    W
        Weight of all rows.
    """
    n = len(rows)
    y = columns.y
    here = context_of(columns, rows, W)
    value = np.empty(n)
    weight = np.empty(n)
    label = np.empty(n, dtype=np.intp)
    index = np.empty(n, dtype=np.intp)
    old_rows = np.empty(n, dtype=np.intp)
    for a in range(len(columns.n_values)):
        found.valid[a] = False
        found.gain[a] = 0.0
        found.ratio[a] = 0.0
        if columns.n_values[a] >= 0:
            try_nominal(columns, a, rows, w, rules, here, found)
        if columns.n_values[a] != NUMBERS:
            continue
        x = columns.X[a]
        for i in range(n):
            v = x[rows[i]]
            value[i] = v if v == v else MISSING_KEY
            index[i] = i
            old_rows[i] = rows[i]
            weight[i] = w[i]
        sort_keys(value, index)
        known = n
        for i in range(n):
            row = old_rows[index[i]]
            rows[i] = row
            w[i] = weight[index[i]]
            label[i] = y[row]
            if known == n and x[row] != x[row]:
                known = i
        try_numeric(value[:known], label[:known], w[:known], columns, a, rules, here, found)
    a = choose(columns.n_values, rules, found)
    if a >= 0:
        bags = 2 if columns.n_values[a] < 0 or rules.binary else columns.n_values[a]
        bag = columns.first_bag[a]
        P = found.P[bag : bag + bags]
        B = found.B[bag : bag + bags]
        found.T[a] = add_missing(columns.X[a], y, rows, w, P, B, found.C[a], found.T[a])
    return a


def search_presorted(
    columns: Any, rows: Ints, w: Floats, W: float, orders: Ints, begin: int, rules: Any, found: Any
) -> int:
    """`search` where weights are whole and nothing is missing, so that no order of rows matters.

    Parameters
    ----------
    orders : array of int, shape (n_orders, n_rows)
        All rows as each numeric attribute sorts them.
    begin
        Where the rows of the node begin in every order.
    """
    n = len(rows)
    here = context_of(columns, rows, W)
    value = np.empty(n)
    weight = np.empty(n)
    label = np.empty(n, dtype=np.intp)
    for a in range(len(columns.n_values)):
        found.valid[a] = False
        found.gain[a] = 0.0
        found.ratio[a] = 0.0
        if columns.n_values[a] >= 0:
            try_nominal(columns, a, rows, w, rules, here, found)
        if columns.n_values[a] != NUMBERS:
            continue
        for i in range(n):
            row = orders[columns.order[a], begin + i]
            value[i] = columns.X[a, row]
            label[i] = columns.y[row]
            weight[i] = columns.weight[row]
        try_presorted(value, label, weight, columns, a, rules, here, found)
    return choose(columns.n_values, rules, found)
