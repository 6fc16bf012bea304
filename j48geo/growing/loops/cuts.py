"""The best cut of a numeric attribute."""

from __future__ import annotations

from math import log
from typing import Any

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.growing.loops.counting import LN2, SLACK, before, gain, ratio

__all__ = [
    "GAP",
    "clear",
    "corrected",
    "fill_numeric",
    "keep_cut",
    "least_of_cut",
    "scan",
    "scan_whole",
    "try_numeric",
    "try_presorted",
    "whole_xlogx",
]

GAP = 1e-5
"""Values must be further apart than this for a cut between them."""


def least_of_cut(T: float, n_classes: int, least: int) -> float:
    """Weight that both sides of a cut must have."""
    share = 0.1 * T / n_classes
    if share - least < SLACK or share <= least:
        return float(least)
    if share - 25.0 > SLACK:
        return 25.0
    return share


def corrected(best: float, at: int, cuts: int, W: float, correct: bool) -> tuple[float, int]:
    """The gain less the cost of having chosen among so many cuts; -1 if nothing is left."""
    if cuts == 0:
        return 0.0, -1
    if correct:
        best -= log(float(cuts)) / LN2 / W
    if best < SLACK or best <= 0.0:
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


def scan(
    value: Floats,
    label: Ints,
    weight: Floats,
    rules: Any,
    here: Any,
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
    least = least_of_cut(T, len(C), rules.least)
    if 2.0 * least - m > SLACK:  # a number of rows, not their weight
        return 0.0, -1
    old = before(C, T, here.table)
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
            value[i] + GAP < value[i + 1]
            and (least - B[0] < SLACK or B[0] >= least)
            and (least - B[1] < SLACK or B[1] >= least)
        ):
            cuts += 1
            g = gain(P, B, T, old, here.W, here.present, here.table)
            if g - best > SLACK:
                best = g
                at = i
    return corrected(best, at, cuts, here.W, rules.correct)


def scan_whole(
    value: Floats, label: Ints, weight: Floats, rules: Any, here: Any, n_classes: int
) -> tuple[float, int]:
    """The same as `scan` where weights are whole and all are known."""
    present = here.present
    table = here.table
    m = len(value)
    left = np.zeros(n_classes, dtype=np.intp)
    right = np.zeros(n_classes, dtype=np.intp)
    total = 0
    for i in range(m):
        right[label[i]] += int(weight[i])
        total += int(weight[i])
    least = least_of_cut(here.W, n_classes, rules.least)
    if 2.0 * least - m > SLACK:
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
            value[i] + GAP < value[i + 1]
            and (least - below < SLACK or below >= least)
            and (least - (total - below) < SLACK or total - below >= least)
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
            g = 0.0 if abs(g) < SLACK else g / here.W
            if g - best > SLACK:
                best = g
                at = i
    return corrected(best, at, cuts, here.W, rules.correct)


def fill_numeric(label: Ints, weight: Floats, at: int, P: Floats, B: Floats, C: Floats) -> float:
    """The distribution of a cut after row `at`, made anew; its T."""
    clear(P, B, C)
    for i in range(len(label)):
        b = 0 if i <= at else 1
        P[b, label[i]] += weight[i]
        C[label[i]] += weight[i]
        B[b] += weight[i]
    return float(0.0 + B[0] + B[1])


def keep_cut(
    value: Floats,
    label: Ints,
    weight: Floats,
    bag: int,
    a: int,
    g: float,
    at: int,
    here: Any,
    found: Any,
) -> None:
    """Note the cut after row `at`, of gain `g`, as the best of an attribute."""
    upper = value[at + 1]
    lower = value[at]
    cut = (upper + lower) / 2.0
    found.cut[a] = lower if cut == upper else cut
    B = found.B[bag : bag + 2]
    T = fill_numeric(label, weight, at, found.P[bag : bag + 2], B, found.C[a])
    found.T[a] = T
    found.valid[a] = True
    found.gain[a] = g
    found.ratio[a] = ratio(B, T, g, here.W, here.table)


def try_numeric(
    value: Floats,
    label: Ints,
    weight: Floats,
    columns: Any,
    a: int,
    rules: Any,
    here: Any,
    found: Any,
) -> None:
    """The best cut of one numeric attribute, its known rows given in their order."""
    bag = columns.first_bag[a]
    P = found.P[bag : bag + 2]
    B = found.B[bag : bag + 2]
    g, at = scan(value, label, weight, rules, here, P, B, found.C[a])
    if at >= 0:
        keep_cut(value, label, weight, bag, a, g, at, here, found)


def try_presorted(
    value: Floats,
    label: Ints,
    weight: Floats,
    columns: Any,
    a: int,
    rules: Any,
    here: Any,
    found: Any,
) -> None:
    """The same as `try_numeric` where weights are whole and all are known."""
    g, at = scan_whole(value, label, weight, rules, here, columns.n_classes)
    if at >= 0:
        keep_cut(value, label, weight, columns.first_bag[a], a, g, at, here, found)
