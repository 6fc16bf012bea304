"""Search the attribute to split a node by: sorting, the best cut of numbers, nominal splits.

The entry points are `search`, and `search_presorted` where the order of rows cannot matter.
"""

from __future__ import annotations

from math import log
from typing import Any

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.growing.loops.distributions import (
    LN2,
    NUMERIC_COLUMN,
    NodeContext,
    add_missing,
    class_information,
    gain_ratio,
    has_two_branches,
    information_gain,
)
from j48geo.java.numbers import SMALL
from j48geo.replaying.thresholds import NARROWEST_CUT


def exchange(key: Floats, index: Ints, i: int, j: int) -> None:
    """Exchange two entries."""
    k = key[i]
    key[i] = key[j]
    key[j] = k
    n = index[i]
    index[i] = index[j]
    index[j] = n


def order_pair(key: Floats, index: Ints, i: int, j: int) -> None:
    """Exchange two entries if they are the wrong way round."""
    if key[i] > key[j]:
        exchange(key, index, i, j)


def partition_keys(key: Floats, index: Ints, lo: int, hi: int) -> int:
    """Put smaller keys left and larger ones right of a key in its final place; that place."""
    middle = (lo + hi) // 2
    order_pair(key, index, lo, middle)
    order_pair(key, index, lo, hi)
    order_pair(key, index, middle, hi)
    exchange(key, index, middle, hi - 1)
    pivot = key[hi - 1]
    a = lo
    b = hi - 1
    while True:
        a += 1
        while key[a] < pivot:
            a += 1
        b -= 1
        while key[b] > pivot:
            b -= 1
        if a >= b:
            break
        exchange(key, index, a, b)
    exchange(key, index, a, hi - 1)
    return a


def sort_keys(key: Floats, index: Ints) -> None:
    """Sort `key`, and `index` with it, exchanging equals just as Weka's sort does.

    Quicksort by the median of three. It is not stable, and what it does to equal keys is
    the order in which weights are summed later.
    """
    # Of two parts the larger one waits, so that never more than 64 do.
    waiting = np.empty((64, 2), dtype=np.intp)
    waiting[0, 0] = 0
    waiting[0, 1] = len(key) - 1
    depth = 1
    while depth > 0:
        depth -= 1
        lo = waiting[depth, 0]
        hi = waiting[depth, 1]
        while hi - lo > 2:
            a = partition_keys(key, index, lo, hi)
            if a - lo < hi - a:
                waiting[depth, 0] = a + 1
                waiting[depth, 1] = hi
                hi = a - 1
            else:
                waiting[depth, 0] = lo
                waiting[depth, 1] = a - 1
                lo = a + 1
            depth += 1
        if hi - lo == 1:
            order_pair(key, index, lo, hi)
        elif hi - lo == 2:
            order_pair(key, index, lo, lo + 1)
            order_pair(key, index, lo, hi)
            order_pair(key, index, lo + 1, hi)


def least_cut_weight(T: float, n_classes: int, least: int) -> float:
    """Weight that both sides of a cut must have."""
    share = 0.1 * T / n_classes
    if share - least < SMALL or share <= least:
        return float(least)
    if share - 25.0 > SMALL:
        return 25.0
    return share


def correct_gain(best: float, at: int, cuts: int, W: float, correct: bool) -> tuple[float, int]:
    """The gain less the cost of having chosen among so many cuts; -1 if nothing is left."""
    if cuts == 0:
        return 0.0, -1
    if correct:
        best -= log(float(cuts)) / LN2 / W
    if best < SMALL or best <= 0.0:
        return 0.0, -1
    return best, at


def clear(P: Floats, B: Floats, C: Floats) -> None:
    """Empty two bags."""
    for c in range(len(C)):
        P[0, c] = 0.0
        P[1, c] = 0.0
        C[c] = 0.0
    B[0] = 0.0
    B[1] = 0.0


def whole_xlogx(n: int, table: Floats) -> float:
    """Compute x ln x of a whole number, nearly always by looking it up."""
    if n < len(table):
        return float(table[n])
    return n * log(n)


def scan_cuts(
    value: Floats,
    label: Ints,
    weight: Floats,
    rules: Any,
    context: Any,
    P: Floats,
    B: Floats,
    C: Floats,
) -> tuple[float, int]:
    """The best cut of sorted rows: its gain, and the last row on its left, -1 if none will do.

    P, B and C are places to work in.
    """
    m = len(value)
    clear(P, B, C)
    T = 0.0
    for i in range(m):
        P[1, label[i]] += weight[i]
        B[1] += weight[i]
        C[label[i]] += weight[i]
        T += weight[i]
    least = least_cut_weight(T, len(C), rules.least)
    if 2.0 * least - m > SMALL:  # a number of rows, not their weight
        return 0.0, -1
    old = class_information(C, T, context.table)
    best = 0.0
    at = -1
    cuts = 0
    for i in range(m - 1):
        c = label[i]
        P[1, c] -= weight[i]
        P[0, c] += weight[i]
        B[1] -= weight[i]
        B[0] += weight[i]
        if (
            value[i] + NARROWEST_CUT < value[i + 1]
            and (least - B[0] < SMALL or B[0] >= least)
            and (least - B[1] < SMALL or B[1] >= least)
        ):
            cuts += 1
            g = information_gain(P, B, T, old, context.W, context.present, context.table)
            if g - best > SMALL:
                best = g
                at = i
    return correct_gain(best, at, cuts, context.W, rules.correct)


def scan_whole_cuts(
    value: Floats, label: Ints, weight: Floats, rules: Any, context: Any, n_classes: int
) -> tuple[float, int]:
    """The same as `scan_cuts` where weights are whole and all are known."""
    present = context.present
    table = context.table
    m = len(value)
    left = np.zeros(n_classes, dtype=np.intp)
    right = np.zeros(n_classes, dtype=np.intp)
    total = 0
    for i in range(m):
        right[label[i]] += int(weight[i])
        total += int(weight[i])
    least = least_cut_weight(context.W, n_classes, rules.least)
    if 2.0 * least - m > SMALL:
        return 0.0, -1
    s = 0.0
    for k in range(len(present)):
        s += whole_xlogx(right[present[k]], table)
    old = (whole_xlogx(total, table) - s) / LN2
    best = 0.0
    at = -1
    cuts = 0
    below = 0
    for i in range(m - 1):
        w = int(weight[i])
        left[label[i]] += w
        right[label[i]] -= w
        below += w
        if (
            value[i] + NARROWEST_CUT < value[i + 1]
            and (least - below < SMALL or below >= least)
            and (least - (total - below) < SMALL or total - below >= least)
        ):
            cuts += 1
            s = 0.0
            for k in range(len(present)):
                s += whole_xlogx(left[present[k]], table)
            s -= whole_xlogx(below, table)
            for k in range(len(present)):
                s += whole_xlogx(right[present[k]], table)
            s -= whole_xlogx(total - below, table)
            g = old - -(s / LN2)
            g = 0.0 if abs(g) < SMALL else g / context.W
            if g - best > SMALL:
                best = g
                at = i
    return correct_gain(best, at, cuts, context.W, rules.correct)


def count_cut(label: Ints, weight: Floats, at: int, P: Floats, B: Floats, C: Floats) -> float:
    """The distribution of a cut after row `at`, made anew; its T."""
    clear(P, B, C)
    for i in range(len(label)):
        b = 0 if i <= at else 1
        P[b, label[i]] += weight[i]
        C[label[i]] += weight[i]
        B[b] += weight[i]
    return float(0.0 + B[0] + B[1])


def store_cut(
    value: Floats,
    label: Ints,
    weight: Floats,
    bag: int,
    a: int,
    g: float,
    at: int,
    context: Any,
    best_splits: Any,
) -> None:
    """Note the cut after row `at`, of gain `g`, as the best of an attribute."""
    upper = value[at + 1]
    lower = value[at]
    cut = (upper + lower) / 2.0
    best_splits.cut[a] = lower if cut == upper else cut
    B = best_splits.B[bag : bag + 2]
    T = count_cut(label, weight, at, best_splits.P[bag : bag + 2], B, best_splits.C[a])
    best_splits.T[a] = T
    best_splits.valid[a] = True
    best_splits.gain[a] = g
    best_splits.ratio[a] = gain_ratio(B, T, g, context.W, context.table)


def try_numeric(
    value: Floats,
    label: Ints,
    weight: Floats,
    columns: Any,
    a: int,
    rules: Any,
    context: Any,
    best_splits: Any,
) -> None:
    """The best cut of one numeric attribute, its known rows given in their order."""
    bag = columns.first_bag[a]
    P = best_splits.P[bag : bag + 2]
    B = best_splits.B[bag : bag + 2]
    g, at = scan_cuts(value, label, weight, rules, context, P, B, best_splits.C[a])
    if at >= 0:
        store_cut(value, label, weight, bag, a, g, at, context, best_splits)


def try_presorted(
    value: Floats,
    label: Ints,
    weight: Floats,
    columns: Any,
    a: int,
    rules: Any,
    context: Any,
    best_splits: Any,
) -> None:
    """The same as `try_numeric` where weights are whole and all are known."""
    g, at = scan_whole_cuts(value, label, weight, rules, context, columns.n_classes)
    if at >= 0:
        store_cut(value, label, weight, columns.first_bag[a], a, g, at, context, best_splits)


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
        try_numeric(
            value[:known], label[:known], w[:known], columns, a, rules, context, best_splits
        )
    a = choose_attribute(columns.n_values, rules, best_splits)
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
