"""Find the rows whose class a printed tree leaves open because its numbers are rounded, and why.

A text prints thresholds with six decimals and counts with two, of more than two classes only
the sum of the wrong ones, and seldom the order in which the classes were declared. A row has
a class only if all trees that print alike give it the same one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from j48geo.arrays import Bools, Floats, Ints
from j48geo.core.cache import cached_for
from j48geo.core.tree import BoxTree
from j48geo.score.prediction import Flag
from j48geo.score.uncertainty_bounds import (
    HALF_SIXTH_DECIMAL,
    ClassBounds,
    TreeBounds,
    counts_are_whole,
    find_exact_nodes,
)

_CLOSE = 1e-9
MOST_OFF = 0.02
"""What the flag `rounded` promises: no probability is further from Weka's than this."""


class DoubtfulRows(NamedTuple):
    """Rows that the text may not decide, and what is known of them.

    Parameters
    ----------
    rows : array of int, shape (k,)
        Their numbers, from 0.
    near : array of bool, shape (k,)
        Whether the text does not tell their leaf.
    label : array of int, shape (k,)
        Class of Weka's evaluation that is sure, -1 if none is.
    classified : array of int, shape (k,)
        Class of ``classifyInstance`` that is sure, -1 if none is: it knows no smoothing.
    known : array of bool, shape (k,)
        Whether the distribution is.
    flags : array of int, shape (k,)
        What is open: bits of `Flag`.
    low, high : array of float64, shape (k, n_classes)
        Least and most that the distribution may say.
    """

    rows: Ints
    near: Bools
    label: Ints
    classified: Ints
    known: Bools
    flags: Ints
    low: Floats
    high: Floats


def is_near_threshold(tree: BoxTree, X: Floats) -> Bools:
    """Rows with a value within the rounding of some threshold of its attribute, shape (n_cases,).

    Most of them never come to that threshold; the others surely do not depend on rounding.
    """
    is_near = np.zeros(len(X), dtype=np.bool_)
    by_column: dict[int, dict[float, bool]] = {}
    stand = cached_for(tree, find_exact_nodes)
    for node, split in tree.splits:
        if split.slack > 0:
            seen = by_column.setdefault(split.attribute, {})
            seen[split.threshold] = node.index in stand and seen.get(split.threshold, True)
    for column, seen in by_column.items():
        thresholds = np.array([*sorted(seen), np.inf, np.inf])
        whole = np.array([*(seen[t] for t in sorted(seen)), False, False])
        x = X[:, column]
        with np.errstate(invalid="ignore"):
            first = np.searchsorted(thresholds[:-2], x - HALF_SIXTH_DECIMAL - tree.tolerance)
            close = thresholds[first] <= x + HALF_SIXTH_DECIMAL
            itself = whole[first] & (thresholds[first] == x)
            is_near |= np.where(itself, thresholds[first + 1] <= x + HALF_SIXTH_DECIMAL, close)
    return is_near


def find_doubtful_rows(tree: BoxTree, X: Floats, divided: Bools, laplace: bool) -> DoubtfulRows:
    """What is sure of rows near thresholds, and of those that a missing value divides.

    Parameters
    ----------
    X : array of float64, shape (n_cases, n_attributes)
    divided : array of bool, shape (n_cases,)
        Whether a test on the way of the case asks for a missing value.
    laplace
        Whether leaves are smoothed (``-A``), as far as that is known.
    """
    rows = np.flatnonzero(divided | is_near_threshold(tree, X))
    if not len(rows):
        none = np.zeros(0, dtype=np.bool_)
        nothing = np.zeros((0, len(tree.classes)))
        return DoubtfulRows(rows, none, rows, rows, none, rows, nothing, nothing)
    # Where nobody says whether leaves are smoothed, a class must be sure either way.
    ways_to_say = [laplace] if laplace or tree.options.laplace is not None else [False, True]
    bounds = [TreeBounds(tree, laplace=way, as_printed=True) for way in ways_to_say]
    reach, ways = bounds[0].reach(X[rows])
    near, missing = np.zeros((2, len(rows)), dtype=np.bool_)
    for node, way in ways.items():
        near[reach[node][way == -2]] = True
        missing[reach[node][way == -1]] = True
    doubtful = np.flatnonzero(near | missing)
    rows, near, missing = rows[doubtful], near[doubtful], missing[doubtful]
    label = common = _common_label(tree, bounds[0], X[rows])
    each = [tree_bounds.bounds(X[rows]) for tree_bounds in bounds]
    bounds_of_all = each[0]
    plain = bounds_of_all
    if ways_to_say[0]:
        plain = TreeBounds(tree, laplace=False, as_printed=True).bounds(X[rows])
    best, margin = _ahead(bounds_of_all)
    sure = missing.copy()
    for other in each:
        winner, by = _ahead(other)
        sure &= (winner == best) & (by > _CLOSE)
    label = np.where((label < 0) & sure, best, label)
    known = (bounds_of_all.high - bounds_of_all.low).max(axis=1, initial=0.0) <= _CLOSE
    known &= not (laplace and tree.header.inferred)
    tie = missing & known & (np.abs(margin) <= _CLOSE)
    if len(each) > 1:
        tie &= np.abs(_ahead(each[1])[1]) <= _CLOSE
    flags = np.zeros(len(rows), dtype=np.intp)
    flags[near] |= Flag.NEAR_THRESHOLD
    flags[missing & ~known & (label < 0)] |= Flag.UNKNOWN_SHARES
    decided = np.where(plain.may.sum(axis=1) == 1, plain.may.argmax(axis=1), -1)
    classified = np.where((common < 0) & missing, decided, common)
    if tree.header.inferred:
        flags[tie & (label < 0)] |= Flag.TIE
    else:  # the first of equals, whose order is declared
        flags[tie & (label < 0)] |= Flag.TIE  # the last bit of Weka's sums may favour another
        label = np.where((label < 0) & tie, _first_of_equals(bounds_of_all), label)
        equal = missing & ((plain.high - plain.low).max(axis=1, initial=0.0) <= _CLOSE)
        equal &= np.abs(_ahead(plain)[1]) <= _CLOSE
        classified = np.where((classified < 0) & equal, _first_of_equals(plain), classified)
    return DoubtfulRows(
        rows, near, label, classified, known, flags, bounds_of_all.low, bounds_of_all.high
    )


def _first_of_equals(said: ClassBounds) -> Ints:
    """The first class of those that have the most."""
    first: Ints = np.argmax(said.low >= said.low.max(axis=1, keepdims=True) - _CLOSE, axis=1)
    return first


def _ahead(said: ClassBounds) -> tuple[Ints, Floats]:
    """The class that may have least is largest, and how far it surely is before the others."""
    best = said.low.argmax(axis=1)
    at = np.arange(len(best))
    others = said.high.copy()
    others[at, best] = -np.inf
    return best, said.low[at, best] - others.max(axis=1, initial=-np.inf)


def _common_label(tree: BoxTree, bounds: TreeBounds, X: Floats) -> Ints:
    """The label of all leaves that a case may come to; -1 if they differ.

    A missing value sends nothing to an empty leaf.
    """
    reach, _ = bounds.reach(X)
    whole = counts_are_whole(tree)  # else (0.0) may stand for up to 0.005
    lowest = np.full(len(X), len(tree.classes), dtype=np.intp)
    highest = np.full(len(X), -1, dtype=np.intp)
    for leaf, node in zip(tree.leaves, tree.leaf_nodes, strict=True):
        if node in reach:
            cases = reach[node]
            if leaf.weight == 0 and whole:
                parent = tree.nodes[node].parent
                split = tree.nodes[parent].split if parent >= 0 else None
                if split is not None:
                    cases = cases[~np.isnan(X[cases, split.attribute])]
            lowest[cases] = np.minimum(lowest[cases], leaf.label)
            highest[cases] = np.maximum(highest[cases], leaf.label)
    return np.where(lowest == highest, highest, -1)


def drop_rounded(
    tree: BoxTree, found: Floats, leaf: Ints, doubtful: DoubtfulRows, laplace: bool
) -> Floats:
    """Distributions of a text, NaN where they may be off by more than `MOST_OFF`.

    Parameters
    ----------
    found : array of float64, shape (n_cases, n_classes)
        Distributions that the printed counts give.
    leaf : array of int, shape (n_cases,)
        Leaf of each case, -1 if it is divided.
    """
    if counts_are_whole(tree) or not len(found):
        return found
    leaves = TreeBounds(tree, laplace=laplace, as_printed=True).leaves()
    low, high = leaves.low[leaf], leaves.high[leaf]
    low[doubtful.rows], high[doubtful.rows] = doubtful.low, doubtful.high
    off = np.maximum(found - low, high - found).max(axis=1)
    return np.where((off > MOST_OFF)[:, None], np.nan, found)


def leaf_flags(tree: BoxTree, distribution: Floats) -> Ints:
    """What is to be said of every distribution of a text: that it is not told, or rounded."""
    unknown = np.isnan(distribution).any(axis=1)
    rounded = 0 if counts_are_whole(tree) else int(Flag.ROUNDED)
    return np.where(unknown, int(Flag.NO_DISTRIBUTION), rounded).astype(np.intp)
