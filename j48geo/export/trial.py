"""Rows that try every corner of a tree, for the self-test of an export."""

from __future__ import annotations

from math import inf, nan, nextafter

import numpy as np

from j48geo.arrays import Floats
from j48geo.core.tree import BoxTree

__all__ = ["trial_rows"]

_LEAVES, _MISSING, _GIVEN = 64, 8, 16


def trial_rows(tree: BoxTree, X: Floats | None = None) -> Floats:
    """Rows on the thresholds of the tree, rows with missing values, and some that are given.

    Parameters
    ----------
    tree
        All of its numeric tests are ``x <= threshold``.
    X : array of float64, shape (n_cases, n_attributes), optional
        Rows at hand, of which some are taken.

    Returns
    -------
    array of float64, shape (n_rows, n_attributes)
        Columns that the tree does not ask about are 0.
    """
    boxes = [tree.boxes[k] for k in _spread(len(tree.leaves), _LEAVES)]
    rows = []
    for box in boxes:
        row = np.zeros(len(tree.header))
        for a, interval in box.intervals.items():
            # On the threshold from the left, or as close to it as can be from the right.
            row[a] = interval.high if interval.high < inf else nextafter(interval.low, inf)
        if all(box.subsets.values()):  # else no row reaches this leaf
            for a, values in box.subsets.items():
                row[a] = min(values)
            rows.append(row)
    for a in [tree.used_attributes[k] for k in _spread(len(tree.used_attributes), _MISSING)]:
        row = rows[len(rows) // 2].copy()
        row[a] = nan
        rows.append(row)
    empty = np.zeros(len(tree.header))
    empty[list(tree.used_attributes)] = nan
    rows.append(empty)
    if X is not None:
        unused = np.ones(len(tree.header), dtype=np.bool_)
        unused[list(tree.used_attributes)] = False
        rows += [np.where(unused, 0.0, X[k]) for k in _spread(len(X), _GIVEN)]
    return np.array(rows)


def _spread(count: int, most: int) -> list[int]:
    """At most so many places from 0 to `count`, evenly spread."""
    return sorted({round(k) for k in np.linspace(0, count - 1, min(count, most)).tolist()})
