"""Search the attribute to split a node by: the best split of each, and the choice among them.

The entry points are `search`, and `search_presorted` where the order of rows cannot matter.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.growing.loops.distributions import (
    NUMERIC_COLUMN,
    NodeContext,
    add_missing,
    class_information,
    gain_ratio,
    has_two_branches,
    information_gain,
)
from j48geo.growing.loops.numeric_cuts import sort_keys, try_numeric, try_presorted
from j48geo.java.numbers import SMALL

MISSING_KEY = float(np.finfo(np.float64).max)
"""Where missing values stand when rows are sorted."""


def store_bags(P: Floats, B: Floats, all_P: Floats, all_B: Floats, bag: int) -> None:
    """Copy the weights of bags to their place among those of all attributes."""
    # Cell by cell: for an assignment of slices numba compiles a check with a long message,
    # which takes it a second and more wherever it stands.
    for b in range(len(B)):
        all_B[bag + b] = B[b]
        for c in range(P.shape[1]):
            all_P[bag + b, c] = P[b, c]


def evaluate_nominal(
    P: Floats, B: Floats, T: float, a: int, bag: int, rules: Any, context: Any, best_splits: Any
) -> None:
    """What splits by the values of an attribute are worth, given all their counts."""
    W, present, table = context
    C = best_splits.C[a]
    best_splits.T[a] = T
    old = class_information(C, T, table)
    if not rules.binary:
        if has_two_branches(B, rules.least):
            best_splits.valid[a] = True
            g = information_gain(P, B, T, old, W, present, table)
            best_splits.gain[a] = g
            best_splits.ratio[a] = gain_ratio(B, T, g, W, table)
            store_bags(P, B, best_splits.P, best_splits.B, bag)
        return
    # With -B: every value against all others, the first of the best ratios.
    pair = np.zeros((2, len(C)))
    sizes = np.zeros(2)
    for b in range(len(B)):
        if not (rules.least - B[b] < SMALL or B[b] >= rules.least):
            continue
        for c in range(len(C)):
            pair[0, c] = P[b, c]
            pair[1, c] = C[c] - P[b, c]
        sizes[0] = B[b]
        sizes[1] = T - B[b]
        if not has_two_branches(sizes, rules.least):
            continue
        best_splits.valid[a] = True
        g = information_gain(pair, sizes, T, old, W, present, table)
        r = gain_ratio(sizes, T, g, W, table)
        if b == 0 or r - best_splits.ratio[a] > SMALL:
            best_splits.gain[a] = g
            best_splits.ratio[a] = r
            best_splits.value[a] = b
            store_bags(pair, sizes, best_splits.P, best_splits.B, bag)


def try_nominal(
    columns: Any, a: int, rows: Ints, w: Floats, rules: Any, context: Any, best_splits: Any
) -> None:
    """The split of one nominal attribute: a branch a value, or with -B its best value."""
    x = columns.X[a]
    n = columns.n_values[a]
    P = np.zeros((n, columns.n_classes))
    B = np.zeros(n)
    C = best_splits.C[a]
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
    evaluate_nominal(P, B, T, a, columns.first_bag[a], rules, context, best_splits)


def choose_attribute(n_values: Ints, rules: Any, best_splits: Any) -> int:
    """Among attributes of at least average gain (less 0.001) the one of the best ratio."""
    # Attributes with very many values would raise the average and do not count in it.
    total = 0.0
    counted = 0
    for a in range(len(n_values)):
        if best_splits.valid[a] and (
            n_values[a] < 0 or rules.all_many or rules.many - n_values[a] > SMALL
        ):
            total += best_splits.gain[a]
            counted += 1
    if counted == 0:
        return -1
    # All that reach the average take part, those with many values too.
    average = total / counted
    best = 0.0
    chosen = -1
    for a in range(len(n_values)):
        if (
            best_splits.valid[a]
            and best_splits.gain[a] >= average - 0.001
            and best_splits.ratio[a] - best > SMALL
        ):
            best = best_splits.ratio[a]
            chosen = a
    return chosen


def find_context(columns: Any, rows: Ints, W: float) -> Any:
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
    return NodeContext(W, present[:n_present], columns.xlogx)


def search(columns: Any, rows: Ints, w: Floats, W: float, rules: Any, best_splits: Any) -> int:
    """The attribute to split by, -1 if none; its distribution is then in `best_splits`.

    Parameters
    ----------
    rows, w
        Rows of the node and their weights, reordered in place by every numeric attribute.
    W
        Weight of all rows.
    """
    n = len(rows)
    y = columns.y
    context = find_context(columns, rows, W)
    value = np.empty(n)
    weight = np.empty(n)
    label = np.empty(n, dtype=np.intp)
    index = np.empty(n, dtype=np.intp)
    old_rows = np.empty(n, dtype=np.intp)
    for a in range(len(columns.n_values)):
        best_splits.valid[a] = False
        best_splits.gain[a] = 0.0
        best_splits.ratio[a] = 0.0
        if columns.n_values[a] >= 0:
            try_nominal(columns, a, rows, w, rules, context, best_splits)
        if columns.n_values[a] != NUMERIC_COLUMN:
            continue
        # Missing values go to the end of the sorted rows.
        x = columns.X[a]
        for i in range(n):
            v = x[rows[i]]
            value[i] = v if v == v else MISSING_KEY
            index[i] = i
            old_rows[i] = rows[i]
            weight[i] = w[i]
        sort_keys(value, index)
        # The rows stay in this order for the next attribute: sums of weights follow it.
        known = n
        for i in range(n):
            row = old_rows[index[i]]
            rows[i] = row
            w[i] = weight[index[i]]
            label[i] = y[row]
            if known == n and x[row] != x[row]:
                known = i
        try_numeric(
            value[:known], label[:known], w[:known], columns, a, rules, context, best_splits
        )
    a = choose_attribute(columns.n_values, rules, best_splits)
    # Rows whose value is missing join the chosen split only: gains are those of known values.
    if a >= 0:
        bags = 2 if columns.n_values[a] < 0 or rules.binary else columns.n_values[a]
        bag = columns.first_bag[a]
        P = best_splits.P[bag : bag + bags]
        B = best_splits.B[bag : bag + bags]
        best_splits.T[a] = add_missing(
            columns.X[a], y, rows, w, P, B, best_splits.C[a], best_splits.T[a]
        )
    return a


def search_presorted(
    columns: Any,
    rows: Ints,
    w: Floats,
    W: float,
    orders: Ints,
    begin: int,
    rules: Any,
    best_splits: Any,
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
    context = find_context(columns, rows, W)
    value = np.empty(n)
    weight = np.empty(n)
    label = np.empty(n, dtype=np.intp)
    for a in range(len(columns.n_values)):
        best_splits.valid[a] = False
        best_splits.gain[a] = 0.0
        best_splits.ratio[a] = 0.0
        if columns.n_values[a] >= 0:
            try_nominal(columns, a, rows, w, rules, context, best_splits)
        if columns.n_values[a] != NUMERIC_COLUMN:
            continue
        for i in range(n):
            row = orders[columns.order[a], begin + i]
            value[i] = columns.X[a, row]
            label[i] = columns.y[row]
            weight[i] = columns.weight[row]
        try_presorted(value, label, weight, columns, a, rules, context, best_splits)
    return choose_attribute(columns.n_values, rules, best_splits)
