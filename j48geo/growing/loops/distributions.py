"""Distributions of rows over bags and classes, and the information in them."""

from __future__ import annotations

from math import log
from typing import NamedTuple

import numpy as np

from j48geo.arrays import Bools, Floats, Ints
from j48geo.java.numbers import SMALL

LN2 = log(2.0)

NUMERIC_COLUMN, CLASS_COLUMN = -1, -2
"""What stands for numbers and for the class in `TrainingColumns.n_values`."""


class TrainingColumns(NamedTuple):
    """The rows that a tree is grown from, by column.

    Parameters
    ----------
    X : array of float64, shape (n_attributes, n_rows)
        NaN is missing.
    n_values : array of int, shape (n_attributes,)
        Declared values of a nominal attribute, -1 for numbers and -2 for the class.
    y, weight : arrays, shape (n_rows,)
    first_bag : array of int, shape (n_attributes,)
        Where the bags of an attribute stand in `BestSplits`.
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


class SearchRules(NamedTuple):
    """What the search obeys: J48's -M, -B, -J and the bound of many-valued attributes."""

    least: int
    binary: bool
    correct: bool
    many: float
    all_many: bool


class NodeContext(NamedTuple):
    """What holds for all splits of one node.

    Parameters
    ----------
    W
        Weight of its rows.
    present
        Classes that its rows have.
    table
        `TrainingColumns.xlogx`.
    """

    W: float
    present: Ints
    table: Floats


class SplitTest(NamedTuple):
    """The test of a node: attribute, kind of split, and the cut or the value."""

    a: int
    kind: int
    cut: float
    value: int


class SplitArrays(NamedTuple):
    """What every node asks, its first child (the others follow), and how many there are."""

    attribute: Ints
    kind: Ints
    cut: Floats
    value: Ints
    first: Ints
    bags: Ints


class BestSplits(NamedTuple):
    """What the search finds out about every attribute; bags as `TrainingColumns.first_bag` says.

    Parameters
    ----------
    gain, ratio, cut, value
        Of the best split by the attribute; `cut` of numbers, `value` of ``-B``.
    P, B, C, T
        NodeDistribution: weight by bag and class, by bag, by class, of all.
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


def xlogx(x: float, table: Floats) -> float:
    """X ln x, and 0 below 1e-6; whole numbers are looked up."""
    if x < SMALL:
        return 0.0
    if x < len(table):
        whole = int(x)
        if whole == x:
            return float(table[whole])
    return x * log(x)


def find_major_class(counts: Floats) -> int:
    """`j48geo.core.counts.find_largest_class` for compiled loops."""
    largest = 0.0
    major = 0
    for c in range(len(counts)):
        if counts[c] - largest > SMALL:
            largest = counts[c]
            major = c
    return major


def count_classes(y: Ints, n_classes: int, rows: Ints, w: Floats) -> tuple[Floats, float]:
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
    # The shares are those of the known rows: they do not move while missing ones are added.
    share = np.empty(bags)
    nothing = abs(T) < SMALL
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


def information_gain(
    P: Floats, B: Floats, T: float, old: float, W: float, present: Ints, table: Floats
) -> float:
    """Gain of information by row, times the share of rows whose value is known.

    Classes that are not present would add 0.
    """
    s = 0.0
    for b in range(len(B)):
        for k in range(len(present)):
            s += xlogx(P[b, present[k]], table)
        s -= xlogx(B[b], table)
    new = -(s / LN2)
    g = (1.0 - (W - T) / W) * (old - new)
    if abs(g) < SMALL:
        return 0.0
    return g / T


def class_information(C: Floats, T: float, table: Floats) -> float:
    """Information in the classes before a split."""
    s = 0.0
    for c in range(len(C)):
        s += xlogx(C[c], table)
    return (xlogx(T, table) - s) / LN2


def gain_ratio(B: Floats, T: float, g: float, W: float, table: Floats) -> float:
    """Gain divided by the information of the split itself; missing values count as a branch."""
    s = 0.0
    if T > SMALL:
        for b in range(len(B)):
            s -= xlogx(B[b], table)
        s -= xlogx(W - T, table)
        s += xlogx(W, table)
    s /= LN2
    if abs(s) < SMALL:
        return 0.0
    return g / (s / W)


def has_two_branches(B: Floats, least: float) -> bool:
    """Whether two bags have the least weight."""
    heavy = 0
    for b in range(len(B)):
        if least - B[b] < SMALL or B[b] >= least:
            heavy += 1
    return heavy >= 2
