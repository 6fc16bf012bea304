"""The loops of growing in NumPy, for whole weights and nothing missing: the same results.

All sums are then exact, whatever their order. Logarithms are looked up or Python's own,
never NumPy's, which may differ in the last bit.
"""

from __future__ import annotations

from itertools import pairwise
from math import log
from typing import Any

import numpy as np

from j48geo.arrays import Bools, Floats, Ints
from j48geo.growing.loops.branches import MULTIWAY, NUMERIC, leaf_errors
from j48geo.growing.loops.distributions import (
    LN2,
    NodeContext,
    SplitTest,
    class_information,
    gain_ratio,
)
from j48geo.growing.loops.numeric_cuts import correct_gain, least_cut_weight
from j48geo.growing.loops.split_search import choose_attribute, evaluate_nominal
from j48geo.java.numbers import SMALL
from j48geo.replaying.thresholds import NARROWEST_CUT

_BLOCK = 1 << 16
"""Cells that are looked at together."""

_log = np.frompyfunc(log, 1, 1)


def count_classes(y: Ints, n_classes: int, rows: Ints, w: Floats) -> tuple[Floats, float]:
    """Weight of every class and of all."""
    return _sum_weights(y[rows], w, n_classes), float(w.sum())


def _sum_weights(place: Ints, w: Floats, count: int) -> Floats:
    """Weight in every place."""
    sums: Floats = np.bincount(place, w, count)  # type: ignore[assignment]
    return sums


def find_branches(x: Floats, test: Any) -> Ints:
    """The branch of every value."""
    if test.kind == MULTIWAY:
        return x.astype(np.intp)
    right: Bools = ~(x <= test.cut) if test.kind == NUMERIC else x != test.value
    return right.astype(np.intp)


def redistribute(
    columns: Any, test: Any, bags: int, rows: Ints, w: Floats
) -> tuple[Floats, Floats, Floats, float]:
    """P, B, C, T of a given split for these rows."""
    K = columns.n_classes
    place = find_branches(columns.X[test.a][rows], test) * K + columns.y[rows]
    P = _sum_weights(place, w, bags * K).reshape(bags, K)
    return P, P.sum(axis=1), P.sum(axis=0), float(w.sum())


def divide(
    X: Floats, test: Any, B: Floats, T: float, rows: Ints, w: Floats
) -> tuple[Ints, Floats, Ints]:
    """Rows and weights of all branches one after the other, and where each branch starts."""
    side = find_branches(X[test.a][rows], test)
    order = np.argsort(side, kind="stable")
    start = np.concatenate([[0], np.cumsum(np.bincount(side, minlength=len(B)))])
    return rows[order], w[order], start


def partition(
    X: Floats, test: Any, bags: int, orders: Ints, begin: int, end: int, side: Ints
) -> Ints:
    """Divide rows begin..end of every order by a split, keeping each order."""
    part = orders[:, begin:end]
    branch = find_branches(X[test.a][part[0]], test)
    side[part[0]] = branch
    step = max(1, _BLOCK // (end - begin))
    for k in range(0, len(part), step):
        some = part[k : k + step]
        order = np.argsort(side[some], axis=1, kind="stable")
        part[k : k + step] = np.take_along_axis(some, order, axis=1)
    return np.cumsum(np.concatenate([[begin], np.bincount(branch, minlength=bags)]))


def raised_errors(
    columns: Any, splits: Any, top: int, rows: Ints, w: Floats, cf: float, z: float
) -> float:
    """Errors of the subtree below node `top` if these rows were sent into it."""
    first, bags = splits.first, splits.bags
    errors: dict[int, float] = {}
    seen: list[int] = []
    waiting = [(top, rows, w)]
    while waiting:
        node, at, weight = waiting.pop()
        if not bags[node]:
            C, T = count_classes(columns.y, columns.n_classes, at, weight)
            errors[node] = leaf_errors(C, T, cf, z)
            continue
        seen.append(node)
        test = SplitTest(
            splits.attribute[node], splits.kind[node], splits.cut[node], splits.value[node]
        )
        new_rows, new_w, start = divide(columns.X, test, np.empty(bags[node]), 0.0, at, weight)
        for b, (i, j) in enumerate(pairwise(start.tolist())):
            if i < j:  # no rows, no errors
                waiting.append((int(first[node]) + b, new_rows[i:j], new_w[i:j]))
    for node in reversed(seen):
        total = 0.0
        for child in range(int(first[node]), int(first[node] + bags[node])):
            total += errors.get(child, 0.0)
        errors[node] = total
    return errors[top]


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
    """The attribute to split by, -1 if none; its distribution is then in `best_splits`."""
    best_splits.valid[:] = False
    best_splits.gain[:] = 0.0
    best_splits.ratio[:] = 0.0
    K = columns.n_classes
    y = columns.y[rows]
    C = _sum_weights(y, w, K)
    present = np.flatnonzero(np.bincount(y, minlength=K))
    context = NodeContext(W, present, columns.xlogx)
    for a in np.flatnonzero(columns.n_values >= 0).tolist():
        n = int(columns.n_values[a])
        P = _sum_weights(columns.X[a][rows].astype(np.intp) * K + y, w, n * K).reshape(n, K)
        best_splits.C[a] = C
        bag = columns.first_bag[a]
        evaluate_nominal(P, P.sum(axis=1), W, a, bag, rules, context, best_splits)
    least = least_cut_weight(W, K, rules.least)
    if 2.0 * least - len(rows) <= SMALL:
        numbers = np.flatnonzero(columns.n_values == -1)
        step = max(1, _BLOCK // len(rows))
        part = orders[:, begin : begin + len(rows)]
        for k in range(0, len(numbers), step):
            _try_numbers(
                columns, numbers[k : k + step], part, C, present, W, least, rules, best_splits
            )
    return choose_attribute(columns.n_values, rules, best_splits)


def _try_numbers(
    columns: Any,
    attributes: Ints,
    part: Ints,
    C: Floats,
    present: Ints,
    T: float,
    least: float,
    rules: Any,
    best_splits: Any,
) -> None:
    """The best cut of each of some numeric attributes."""
    table = columns.xlogx
    order = part[columns.order[attributes]]
    value = columns.X[attributes[:, np.newaxis], order]
    with np.errstate(over="ignore"):
        which, at = np.nonzero(value[:, :-1] + NARROWEST_CUT < value[:, 1:])
    weight = columns.weight[order]
    left = np.cumsum(weight, axis=1)[which, at]
    fits: Bools = ((least - left < SMALL) | (left >= least)) & (
        (least - (T - left) < SMALL) | (T - left >= least)
    )
    which, at, left = which[fits], at[fits], left[fits]
    if not len(which):
        return
    label = columns.y[order]
    P = np.zeros((len(C), len(which)))
    for c in present:
        P[c] = np.cumsum(np.where(label == c, weight, 0.0), axis=1)[which, at]
    s = np.zeros(len(which))
    for c in present:
        s += _xlogx(P[c], table)
    s -= _xlogx(left, table)
    for c in present:
        s += _xlogx(C[c] - P[c], table)
    s -= _xlogx(T - left, table)
    gain = class_information(C, T, table) - -(s / LN2)
    gain = np.where(np.abs(gain) < SMALL, 0.0, gain / T)
    ends = np.searchsorted(which, np.arange(len(attributes) + 1)).tolist()
    for a, i, j in zip(attributes.tolist(), ends[:-1], ends[1:], strict=True):
        if i == j:
            continue
        best, chosen = _first_best(gain[i:j])
        best, chosen = correct_gain(best, chosen, j - i, T, rules.correct)
        if chosen < 0:
            continue
        k = i + chosen
        lower, upper = value[which[k], at[k]], value[which[k], at[k] + 1]
        cut = (upper + lower) / 2.0
        bag = slice(columns.first_bag[a], columns.first_bag[a] + 2)
        B = np.array([left[k], T - left[k]])
        best_splits.P[bag] = P[:, k], C - P[:, k]
        best_splits.B[bag] = B
        best_splits.C[a] = C
        best_splits.T[a] = T
        best_splits.cut[a] = lower if cut == upper else cut
        best_splits.valid[a] = True
        best_splits.gain[a] = best
        best_splits.ratio[a] = gain_ratio(B, T, best, T, table)


def _first_best(gain: Floats) -> tuple[float, int]:
    """The best gain and its place, where one counts as better only by more than 1e-6."""
    # What is kept is larger than all before it: only such are looked at.
    highest = np.maximum.accumulate(np.concatenate([[0.0], gain]))
    rises = np.flatnonzero(highest[1:] > highest[:-1])
    best, at = 0.0, -1
    for i, g in zip(rises.tolist(), gain[rises].tolist(), strict=True):
        if g - best > SMALL:
            best, at = g, i
    return best, at


def _xlogx(x: Floats, table: Floats) -> Floats:
    """X ln x of whole numbers, 0 where there are none."""
    if x.size and x.max() < len(table):
        return table[np.maximum(x, 0.0).astype(np.intp)]
    products = np.zeros(len(x))
    some = x >= SMALL
    products[some] = x[some] * np.asarray(_log(x[some]), dtype=np.float64)
    return products
