"""Distance to the decision boundary: the definition, cases times leaves, in NumPy.

AB05 Algorithms 1 and 2, ABD07 Algorithms 1 and 2. The squared distance of a case to the
closed box of a leaf is the sum, over the attributes in ascending order, of the squared
scaled gap; every engine adds in this order, so all of them give the same bits.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.core.cache import cached_for
from j48geo.core.fitted_values import Metric
from j48geo.core.tree import BoxTree
from j48geo.geometry.faces import Faces, find_faces

TIE = 1e-9
"""Leaves with d² at most (1 + TIE) times the smallest are tied; the first in the text wins."""

_BLOCK_CELLS = 500_000


@dataclass(frozen=True, eq=False)
class Boundary:
    """How far the decision boundary is, and behind which leaf.

    Parameters
    ----------
    distance : array of float64, shape (n_cases,)
        d(x, Γ), in units of the metric; infinite if no leaf has another label, NaN if the
        class of the case is not known.
    nearest_leaf : array of int, shape (n_cases,)
        The nearest leaf with another label, the first in text order among equals; -1 if
        there is none.
    """

    distance: Floats
    nearest_leaf: Ints


@dataclass(frozen=True, eq=False)
class _Column:
    """One attribute: its distinct bounds, and which leaves have them."""

    attribute: int
    leaves: Ints  # positions among the leaves that are not empty
    which: Ints  # the bound of each of them
    low: Floats
    high: Floats
    sets: Ints | None  # of a nominal attribute, the set of each bound


@dataclass(frozen=True, eq=False)
class _Table:
    faces: Faces
    leaves: Ints  # those that are not empty
    columns: tuple[_Column, ...]


def define_boundary(
    tree: BoxTree,
    X: Floats,
    metric: Metric,
    predicted: Ints,
    labels: Ints,
    *,
    want_leaf: bool = True,
) -> Boundary:
    """`Boundary` by the definition; see `j48geo.geometry.distance.boundary`."""
    leaves = cached_for(tree, _table).leaves
    label = labels[leaves][:, None]
    distance = np.full(len(X), np.nan)
    nearest = np.full(len(X), -1, dtype=np.intp)
    for rows, squared in _blocks(tree, X, metric):
        own = predicted[rows]
        other = (label != own) & (own >= 0)
        best = np.where(other, squared, np.inf).min(axis=0, initial=np.inf)
        distance[rows] = np.where(own >= 0, np.sqrt(best), np.nan)
        if want_leaf and len(leaves):
            some = other.any(axis=0)
            first = leaves[(other & (squared <= best * (1 + TIE))).argmax(axis=0)]
            nearest[rows] = np.where(some, first, -1)
    return Boundary(distance, nearest)


def define_class_distances(
    tree: BoxTree, X: Floats, metric: Metric, predicted: Ints, labels: Ints
) -> Floats:
    """d(x, Γ_c) by the definition; see `j48geo.geometry.distance.class_distances`."""
    n_classes = len(tree.classes)
    label = labels[cached_for(tree, _table).leaves]
    of_class = [np.flatnonzero(label == c) for c in range(n_classes)]
    distances = np.full((len(X), n_classes), np.nan)
    for rows, squared in _blocks(tree, X, metric):
        nearest = np.stack([squared[k].min(axis=0, initial=np.inf) for k in of_class], axis=1)
        own = predicted[rows]
        case = np.flatnonzero(own >= 0)
        inside = (case, own[case])
        nearest[inside] = np.inf
        nearest[inside] = nearest[case].min(axis=1, initial=np.inf)
        nearest[own < 0] = np.nan
        distances[rows] = np.sqrt(nearest)
    return distances


def squared_distances(tree: BoxTree, X: Floats, metric: Metric) -> Floats:
    """Squared distance of every case to every box, shape (n_cases, n_leaves).

    Infinite for an empty box: it is never nearest. AB05 Algorithm 2, with closed boxes.
    """
    squares = np.full((len(X), len(tree.leaves)), np.inf)
    leaves = cached_for(tree, _table).leaves
    for rows, squared in _blocks(tree, X, metric):
        squares[rows, leaves] = squared.T
    return squares


def _blocks(tree: BoxTree, X: Floats, metric: Metric) -> Iterator[tuple[slice, Floats]]:
    """Blocks of cases with their squared distances, shape (leaves not empty, cases)."""
    table = cached_for(tree, _table)
    step = max(1, _BLOCK_CELLS // max(1, len(table.leaves)))
    for begin in range(0, len(X), step):
        rows = slice(begin, min(begin + step, len(X)))
        squared = np.zeros((len(table.leaves), rows.stop - begin))
        for column in table.columns:
            gaps = _squared_gaps(table.faces, column, X[rows, column.attribute], metric)
            if len(column.leaves) == len(table.leaves):
                squared += gaps[column.which]
            else:
                squared[column.leaves] += gaps[column.which]
        yield rows, squared


def _squared_gaps(faces: Faces, column: _Column, x: Floats, metric: Metric) -> Floats:
    """Squared contribution of an attribute to each of its bounds, shape (n_bounds, n_cases)."""
    if column.sets is not None:
        known = ~np.isnan(x)
        value = np.where(known, x, 0).astype(np.intp)
        outside = ~faces.contains(column.sets[:, None], value) & known
        return np.where(outside, metric.nominal_weight * metric.nominal_weight, 0.0)
    # fmax prefers numbers to NaN: a missing value, or an infinite one at an infinite end,
    # has no gap.
    with np.errstate(over="ignore", invalid="ignore"):
        below = column.low[:, None] - x
        gap: Floats = np.fmax(np.fmax(below, x - column.high[:, None]), 0.0)
        gap /= metric.scale[column.attribute]
        gap *= gap
    return gap


def _table(tree: BoxTree) -> _Table:
    faces = find_faces(tree)
    leaves = np.flatnonzero(~faces.empty)
    place = np.full(len(tree.leaves), -1, dtype=np.intp)
    place[leaves] = np.arange(len(leaves))
    leaf = np.repeat(place, np.diff(faces.start))
    used = np.flatnonzero(leaf >= 0)
    order = used[np.argsort(faces.attribute[used], kind="stable")]
    starts = np.flatnonzero(np.diff(faces.attribute[order], prepend=-1))
    columns = tuple(
        _column(faces, int(faces.attribute[bounds[0]]), leaf[bounds], bounds)
        for bounds in (np.split(order, starts[1:]) if len(order) else ())
    )
    return _Table(faces, leaves, columns)


def _column(faces: Faces, attribute: int, leaves: Ints, bounds: Ints) -> _Column:
    if faces.subset[bounds[0]] >= 0:
        sets, which = np.unique(faces.subset[bounds], return_inverse=True)
        free = np.full(len(sets), np.nan)
        return _Column(attribute, leaves, which, free, free, sets)
    ends = np.stack([faces.low[bounds], faces.high[bounds]], axis=1)
    distinct, which = np.unique(ends, axis=0, return_inverse=True)
    which = which.reshape(-1)
    return _Column(attribute, leaves, which, distinct[:, 0], distinct[:, 1], None)
