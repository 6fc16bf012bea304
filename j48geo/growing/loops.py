"""Growing as plain loops, for numba to compile; Python alone runs them too, slowly.

Every sum runs in the order of the rows and every comparison has, or has not, the slack of
1e-6 that Weka's has: GROW.md says which. The order is part of the result, since sums of
fractional weights round; so are the four sums of a distribution, none of which may be made
from another.
"""

from __future__ import annotations

from math import log, sqrt
from typing import Any, NamedTuple

import numpy as np

from j48geo.arrays import Bools, Floats, Ints

__all__ = [
    "BINARY",
    "COMPILED",
    "MULTIWAY",
    "NUMERIC",
    "Columns",
    "Found",
    "Rules",
    "add_missing",
    "choose",
    "divide",
    "extra_errors",
    "fill_numeric",
    "gain",
    "leaf_errors",
    "major",
    "one_bag",
    "partition",
    "raised_errors",
    "ratio",
    "redistribute",
    "scan",
    "search",
    "side_of",
    "sort_keys",
    "try_nominal",
    "try_numeric",
    "xlogx",
]

SLACK = 1e-6
GAP = 1e-5
LN2 = log(2.0)
MISSING_KEY = float(np.finfo(np.float64).max)
"""Where missing values stand when rows are sorted."""

NUMERIC, MULTIWAY, BINARY = 0, 1, 2
"""Kinds of a split."""


class Columns(NamedTuple):
    """The rows that a tree is grown from, by column.

    Parameters
    ----------
    X : array of float64, shape (n_attributes, n_rows)
        NaN is missing.
    n_values : array of int, shape (n_attributes,)
        Declared values of a nominal attribute, -1 for numbers and -2 for the class.
    y, weight : arrays, shape (n_rows,)
    first_bag : array of int, shape (n_attributes,)
        Where the bags of an attribute stand in `Found`.
    order : array of int, shape (n_attributes,)
        Which of the orders of the rows is that of a numeric attribute.
    xlogx : array of float64
        x ln x of the first whole numbers.
    """

    X: Floats
    n_values: Ints
    y: Ints
    weight: Floats
    n_classes: int
    first_bag: Ints
    order: Ints
    xlogx: Floats


class Rules(NamedTuple):
    """What the search obeys: J48's -M, -B, -J and the bound of many-valued attributes."""

    least: int
    binary: bool
    correct: bool
    many: float
    all_many: bool


class Found(NamedTuple):
    """What the search finds out about every attribute; bags as `Columns.first_bag` says.

    Parameters
    ----------
    gain, ratio, cut, value
        Of the best split by the attribute; `cut` of numbers, `value` of ``-B``.
    P, B, C, T
        Distribution: weight by bag and class, by bag, by class, of all.
    """

    valid: Bools
    gain: Floats
    ratio: Floats
    cut: Floats
    value: Ints
    P: Floats
    B: Floats
    C: Floats
    T: Floats


# ------------------------------------------------------------------------ distributions


def xlogx(x: float, table: Floats) -> float:
    """x ln x, and 0 below 1e-6; whole numbers are looked up."""
    if x < SLACK:
        return 0.0
    if x < len(table):
        whole = int(x)
        if whole == x:
            return float(table[whole])
    return x * log(x)


def major(counts: Floats) -> int:
    """The class of the largest weight; the first of those that are equal within 1e-6."""
    largest = 0.0
    found = 0
    for c in range(len(counts)):
        if counts[c] - largest > SLACK:
            largest = counts[c]
            found = c
    return found


def one_bag(y: Ints, n_classes: int, rows: Ints, w: Floats) -> tuple[Floats, float]:
    """Weight of every class and of all, summed in the order of the rows."""
    C = np.zeros(n_classes)
    T = 0.0
    for i in range(len(rows)):
        C[y[rows[i]]] += w[i]
        T += w[i]
    return C, T


def add_missing(
    x: Floats, y: Ints, rows: Ints, w: Floats, P: Floats, B: Floats, C: Floats, T: float
) -> float:
    """Add the rows whose value is missing, by the shares of the others; give the new T."""
    bags = len(B)
    share = np.empty(bags)
    nothing = abs(T) < SLACK
    for b in range(bags):
        share[b] = 1.0 / bags if nothing else B[b] / T
    for i in range(len(rows)):
        row = rows[i]
        if x[row] != x[row]:
            c = y[row]
            C[c] += w[i]
            T += w[i]
            for b in range(bags):
                P[b, c] += share[b] * w[i]
                B[b] += share[b] * w[i]
    return T


def gain(
    P: Floats, B: Floats, T: float, old: float, W: float, table: Floats
) -> float:
    """Gain of information by row, times the share of rows whose value is known."""
    s = 0.0
    for b in range(len(B)):
        for c in range(P.shape[1]):
            s += xlogx(P[b, c], table)
        s -= xlogx(B[b], table)
    new = -(s / LN2)
    g = (1.0 - (W - T) / W) * (old - new)
    if abs(g) < SLACK:
        return 0.0
    return g / T


def before(C: Floats, T: float, table: Floats) -> float:
    """Information in the classes before a split."""
    s = 0.0
    for c in range(len(C)):
        s += xlogx(C[c], table)
    return (xlogx(T, table) - s) / LN2


def ratio(B: Floats, T: float, g: float, W: float, table: Floats) -> float:
    """Gain by the information of the split itself, missing values being a branch of it."""
    s = 0.0
    if T > SLACK:
        for b in range(len(B)):
            s -= xlogx(B[b], table)
        s -= xlogx(W - T, table)
        s += xlogx(W, table)
    s /= LN2
    if abs(s) < SLACK:
        return 0.0
    return g / (s / W)


def enough(B: Floats, least: float) -> bool:
    """Whether two bags have the least weight."""
    found = 0
    for b in range(len(B)):
        if least - B[b] < SLACK or B[b] >= least:
            found += 1
    return found >= 2


# ------------------------------------------------------------------------------ sorting


def sort_keys(key: Floats, index: Ints) -> None:
    """Sort `key`, and `index` with it, exchanging equals just as Weka's sort does.

    Quicksort by the median of three. It is not stable, and what it does to equal keys is
    the order in which weights are summed later.
    """
    left = [0]
    right = [len(key) - 1]
    while len(left) > 0:
        lo = left.pop()
        hi = right.pop()
        size = hi - lo + 1
        if size < 2:
            continue
        if size == 2:
            order_pair(key, index, lo, hi)
            continue
        if size == 3:
            order_pair(key, index, lo, lo + 1)
            order_pair(key, index, lo, hi)
            order_pair(key, index, lo + 1, hi)
            continue
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
        left.append(lo)
        right.append(a - 1)
        left.append(a + 1)
        right.append(hi)


def order_pair(key: Floats, index: Ints, i: int, j: int) -> None:
    """Exchange two entries if they are the wrong way round."""
    if key[i] > key[j]:
        exchange(key, index, i, j)


def exchange(key: Floats, index: Ints, i: int, j: int) -> None:
    """Exchange two entries."""
    k = key[i]
    key[i] = key[j]
    key[j] = k
    n = index[i]
    index[i] = index[j]
    index[j] = n


# --------------------------------------------------------------------- one attribute


def scan(
    value: Floats,
    label: Ints,
    weight: Floats,
    rules: Any,
    W: float,
    P: Floats,
    B: Floats,
    C: Floats,
    table: Floats,
) -> tuple[float, int]:
    """The best cut of sorted rows: its gain, and the last row on its left, -1 if none will do.

    P, B and C are places to work in.
    """
    m = len(value)
    P[:] = 0.0
    B[:] = 0.0
    C[:] = 0.0
    T = 0.0
    for i in range(m):
        P[1, label[i]] += weight[i]
        B[1] += weight[i]
        C[label[i]] += weight[i]
        T += weight[i]
    least = 0.1 * T / len(C)
    if least - rules.least < SLACK or least <= rules.least:
        least = float(rules.least)
    elif least - 25.0 > SLACK:
        least = 25.0
    if 2.0 * least - m > SLACK:  # a number of rows, not their weight
        return 0.0, -1
    old = before(C, T, table)
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
            g = gain(P, B, T, old, W, table)
            if g - best > SLACK:
                best = g
                at = i
    if cuts == 0:
        return 0.0, -1
    if rules.correct:
        best -= log(float(cuts)) / LN2 / W
    if best < SLACK or best <= 0.0:
        return 0.0, -1
    return best, at


def fill_numeric(
    label: Ints, weight: Floats, at: int, P: Floats, B: Floats, C: Floats
) -> float:
    """The distribution of a cut after row `at`, made anew; its T."""
    P[:] = 0.0
    B[:] = 0.0
    C[:] = 0.0
    for i in range(len(label)):
        b = 0 if i <= at else 1
        P[b, label[i]] += weight[i]
        C[label[i]] += weight[i]
        B[b] += weight[i]
    return float(0.0 + B[0] + B[1])


def try_numeric(
    value: Floats,
    label: Ints,
    weight: Floats,
    a: int,
    bag: int,
    rules: Any,
    W: float,
    found: Any,
    table: Floats,
) -> None:
    """The best cut of one numeric attribute, its known rows given in their order."""
    P = found.P[bag : bag + 2]
    B = found.B[bag : bag + 2]
    g, at = scan(value, label, weight, rules, W, P, B, found.C[a], table)
    if at < 0:
        return
    upper = value[at + 1]
    lower = value[at]
    cut = (upper + lower) / 2.0
    found.cut[a] = lower if cut == upper else cut
    T = fill_numeric(label, weight, at, P, B, found.C[a])
    found.T[a] = T
    found.valid[a] = True
    found.gain[a] = g
    found.ratio[a] = ratio(B, T, g, W, table)


def try_nominal(
    columns: Any, a: int, rows: Ints, w: Floats, rules: Any, W: float, found: Any
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
    judge_nominal(P, B, T, a, columns.first_bag[a], rules, W, found, columns.xlogx)


def judge_nominal(
    P: Floats,
    B: Floats,
    T: float,
    a: int,
    bag: int,
    rules: Any,
    W: float,
    found: Any,
    table: Floats,
) -> None:
    """What splits by the values of an attribute are worth, given all their counts."""
    C = found.C[a]
    found.T[a] = T
    old = before(C, T, table)
    if not rules.binary:
        if enough(B, rules.least):
            found.valid[a] = True
            g = gain(P, B, T, old, W, table)
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
        g = gain(pair, sizes, T, old, W, table)
        r = ratio(sizes, T, g, W, table)
        if b == 0 or r - found.ratio[a] > SLACK:
            found.gain[a] = g
            found.ratio[a] = r
            found.value[a] = b
            found.P[bag : bag + 2] = pair
            found.B[bag : bag + 2] = sizes


# ---------------------------------------------------------------------- all attributes


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
            try_nominal(columns, a, rows, w, rules, W, found)
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
            value[:m], label[:m], weight[:m], a, columns.first_bag[a], rules, W, found, table
        )
    a = choose(columns.n_values, rules, found)
    if a >= 0:
        bags = 2 if columns.n_values[a] < 0 or rules.binary else columns.n_values[a]
        bag = columns.first_bag[a]
        P = found.P[bag : bag + bags]
        B = found.B[bag : bag + bags]
        found.T[a] = add_missing(columns.X[a], y, rows, w, P, B, found.C[a], found.T[a])
    return a


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
        if (
            found.valid[a]
            and found.gain[a] >= average - 0.001
            and found.ratio[a] - best > SLACK
        ):
            best = found.ratio[a]
            chosen = a
    return chosen


# ------------------------------------------------------------------------ dividing rows


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
    columns: Any, a: int, kind: int, cut: float, value: int, bags: int, rows: Ints, w: Floats
) -> tuple[Floats, Floats, Floats, float]:
    """P, B, C, T of a given split for these rows: the known ones, then the missing ones."""
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
    X: Floats, a: int, kind: int, cut: float, value: int, B: Floats, T: float,
    rows: Ints, w: Floats,
) -> tuple[Ints, Floats, Ints]:
    """Rows and weights of all branches one after the other, and where each branch starts.

    A row whose value is missing goes to every branch whose share is not nothing.
    """
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


def partition(orders: Ints, begin: int, end: int, side: Ints, bags: int) -> Ints:
    """Divide rows begin..end of every order by `side` of the row, keeping each order.

    Returns
    -------
    array of int, shape (bags + 1,)
        Where each branch begins.
    """
    start = np.zeros(bags + 1, dtype=np.intp)
    kept = np.empty(end - begin, dtype=orders.dtype)
    for a in range(orders.shape[0]):
        if a == 0:
            for i in range(begin, end):
                start[side[orders[a, i]] + 1] += 1
            start[0] = begin
            for b in range(bags):
                start[b + 1] += start[b]
        place = start.copy()
        kept[:] = orders[a, begin:end]
        for i in range(end - begin):
            b = side[kept[i]]
            orders[a, place[b]] = kept[i]
            place[b] += 1
    return start


# ----------------------------------------------------------------------------- pruning


def extra_errors(N: float, e: float, cf: float, z: float) -> float:
    """Errors to add to e of N so that the sum is the upper end of the confidence interval."""
    if cf > 0.5:
        return 0.0
    if e < 1.0:
        base = N * (1.0 - cf ** (1.0 / N))
        if e == 0.0:
            return base
        # add(N, 1), by the two lines below for e = 1
        if 1.0 + 0.5 >= N:
            one = max(N - 1.0, 0.0)
        else:
            one = upper_bound(N, 1.0, z)
        return base + e * (one - base)
    if e + 0.5 >= N:
        return max(N - e, 0.0)
    return upper_bound(N, e, z)


def upper_bound(N: float, e: float, z: float) -> float:
    """The normal approximation of the same."""
    f = (e + 0.5) / N
    r = (f + z * z / (2.0 * N) + z * sqrt(f / N - f * f / N + z * z / (4.0 * N * N))) / (
        1.0 + z * z / N
    )
    return r * N - e


def leaf_errors(C: Floats, T: float, cf: float, z: float) -> float:
    """Errors of a leaf with these classes, pessimistically."""
    if abs(T) < SLACK:
        return 0.0
    wrong = T - C[major(C)]
    return float(wrong + extra_errors(T, wrong, cf, z))


def raised_errors(
    columns: Any,
    attribute: Ints,
    kind: Ints,
    cut: Floats,
    value: Ints,
    first: Ints,
    bags: Ints,
    top: int,
    rows: Ints,
    w: Floats,
    cf: float,
    z: float,
) -> float:
    """Errors of the subtree below node `top` if these rows were sent into it.

    The nodes are arrays: what a node asks, its first child (the others follow), its number
    of children. Rows are sent down on a stack; the errors are then added from the leaves
    up, children in order.
    """
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
            C, T = one_bag(columns.y, columns.n_classes, at, weight)
            errors[seen] = leaf_errors(C, T, cf, z)
            continue
        first_seen[seen] = len(nodes)
        a = attribute[node]
        _, B, _, T = redistribute(columns, a, kind[node], cut[node], value[node], k, at, weight)
        new_rows, new_w, start = divide(
            columns.X, a, kind[node], cut[node], value[node], B, T, at, weight
        )
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
    for seen in range(len(nodes) - 1, -1, -1):
        k = bags[nodes[seen]]
        if first_seen[seen] > 0:
            total = 0.0
            for b in range(k):
                total += errors[first_seen[seen] + b]
            errors[seen] = total
    return errors[0]


COMPILED = (
    *("xlogx", "major", "one_bag", "add_missing", "gain", "before", "ratio", "enough"),
    *("exchange", "order_pair", "sort_keys", "scan", "fill_numeric", "try_numeric"),
    *("judge_nominal", "try_nominal", "choose", "search", "side_of", "redistribute", "divide", "partition"),
    *("upper_bound", "extra_errors", "leaf_errors", "raised_errors"),
)
"""Names of the loops, those that are called before those that call them."""
