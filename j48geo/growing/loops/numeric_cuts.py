"""The best cut of a numeric attribute: Weka's sort, the scan of all cuts, what is stored of one.

The entry points are `sort_keys`, `try_numeric`, and `try_presorted` where the order of rows cannot
matter.
"""

from __future__ import annotations

from math import log
from typing import Any

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.growing.loops.distributions import (
    LN2,
    class_information,
    gain_ratio,
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
    # Both stop at keys equal to the pivot too: that decides where equals end up.
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
        # Three keys and fewer are put in order pair by pair.
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
    # All rows right of the cut to begin with, added in the order of the rows as Weka does.
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
    # One row after the other goes to the left; a cut lies between two different values.
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
            if g - best > SMALL:  # the first of equals, within Weka's slack
                best = g
                at = i
    return correct_gain(best, at, cuts, context.W, rules.correct)


def scan_whole_cuts(
    value: Floats, label: Ints, weight: Floats, rules: Any, context: Any, n_classes: int
) -> tuple[float, int]:
    """The best cut of sorted rows by whole numbers: what `scan_cuts` finds, and quicker.

    Weights are whole and nothing is missing, so that sums are exact in any order and x ln x is
    looked up.
    """
    present = context.present
    table = context.table
    m = len(value)
    # All rows right of the cut to begin with.
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
            # The terms in the order of `information_gain`: the sum of logarithms rounds.
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
    # The middle of two neighbouring doubles may round up to the upper one, which goes right.
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
    """Store the best cut of one numeric attribute where weights are whole and none is missing."""
    g, at = scan_whole_cuts(value, label, weight, rules, context, columns.n_classes)
    if at >= 0:
        store_cut(value, label, weight, columns.first_bag[a], a, g, at, context, best_splits)
