"""The nearby leaves of many cases by NumPy: all pairs of case and node, level by level."""

from __future__ import annotations

from functools import lru_cache
from math import erfc, pi, sqrt
from typing import NamedTuple

import numpy as np

from j48geo.arrays import Bools, Floats, Ints
from j48geo.core.fitted_values import NearbyLeaves
from j48geo.score.nearby.index import NearbyIndex, mid_ranks

_BLOCK_CELLS = 2_000_000


_CELLS_A_UNIT = 256
_FARTHEST = 26.0
"""Faces are taken to be no farther, where the chance is 5e-296."""
_THIRD, _SIXTH, _THIRTIETH = 1 / 3, 1 / 6, 1 / 30


@lru_cache(maxsize=1)
def tail_table() -> tuple[Floats, Floats]:
    """The chance beyond u, erfc(u) / 2, and its slope at u = 0, 1/256, ..., 26."""
    u = np.arange(int(_FARTHEST * _CELLS_A_UNIT) + 1) / _CELLS_A_UNIT
    return np.array([0.5 * erfc(x) for x in u.tolist()]), -np.exp(-u * u) / sqrt(pi)


def normal_tails(u: Floats) -> Floats:
    """The chance of the error to lie beyond u >= 0, in units of its width: erfc(u) / 2.

    A Taylor series to the fifth power about the next place of the table. Every derivative is
    the slope times a polynomial, since that of exp(-u²) is -2u exp(-u²). It is off by 2e-16 at
    most, and by 2e-9 of the chance where that is next to nothing. The compiled loop does the
    same operations in the same order.
    """
    u = np.minimum(u, _FARTHEST)
    cell = (u * _CELLS_A_UNIT + 0.5).astype(np.intp)
    at = cell * (1.0 / _CELLS_A_UNIT)
    rest = u - at
    chance, slope = tail_table()
    square = at * at
    series = ((4.0 * square - 12.0) * square + 3.0) * _THIRTIETH
    series = (3.0 - 2.0 * square) * at * _SIXTH + series * rest
    series = (2.0 * square - 1.0) * _THIRD + series * rest
    series = series * rest - at
    series = series * rest + 1.0
    tails: Floats = chance[cell] + slope[cell] * (series * rest)
    return tails


def error_units(nearby: NearbyLeaves) -> tuple[Floats, float]:
    """What makes units of the error's width of differences of values, and of ranks.

    The width is √2 standard deviations of the error. Never infinite: 0 times it is 0.
    """
    width = nearby.sigma * sqrt(2.0)
    largest = np.finfo(np.float64).max
    with np.errstate(all="ignore"):
        by_value = np.minimum(1.0 / (nearby.scale * width), largest)
        return by_value, float(np.minimum(sqrt(12.0) / np.float64(width), largest))


class ReachedLeaves(NamedTuple):
    """Leaves with a say: parallel arrays, sorted by case, then by leaf."""

    case: Ints
    leaf: Ints
    weight: Floats


class _Faces:
    """What is known of the faces seen from the cases: the chance of the error to pass them.

    One row for each different value of a column, one cell a face, filled when first asked
    for. A cell is the chance beyond the face as seen from the case, which has all its digits
    where it is small: above 0 for a face below the case, under 0 for one above it. So the
    chance between two faces is their difference, and 1 more if the case lies between them.
    """

    def __init__(self, plan: NearbyIndex, nearby: NearbyLeaves, X: Floats) -> None:
        self.plan, self.nearby = plan, nearby
        self.units, self.rank_units = error_units(nearby)
        tested = len(nearby.attribute)
        self.start = np.zeros((len(X), tested), dtype=np.intp)
        self.rank = np.zeros((len(X), tested))
        size = 0
        ends: list[tuple[Ints, Ints]] = []
        for k, column in enumerate(nearby.attribute):
            value, row = np.unique(X[:, column], return_inverse=True)
            count = int(plan.first_face[k + 1] - plan.first_face[k])
            self.start[:, k] = size - plan.first_face[k] + row.reshape(-1) * count
            self.rank[:, k] = mid_ranks(*nearby.knots(k), value)[row.reshape(-1)]
            first = size + np.arange(len(value)) * count
            ends.append((first, first + count - 1))
            size += len(value) * count
        self.beyond = np.zeros(size)
        self.done = np.zeros(size, dtype=np.bool_)
        self.slot = np.zeros(size, dtype=np.intp)
        unbounded = tail_table()[0][-1]
        for first, last in ends:  # infinite faces, also to an infinite case: unbounded sides
            self.beyond[first], self.beyond[last] = unbounded, -unbounded
            self.done[first] = self.done[last] = True

    def fill(self, cell: Ints, face: Ints, k: Ints, case: Ints, x: Floats) -> None:
        """See to it that these cells are known."""
        new = np.flatnonzero(~self.done[cell])
        self.slot[cell[new]] = new  # of several with the same cell the last one stays
        new = new[self.slot[cell[new]] == new]
        if not len(new):
            return
        cell, face, k, x = cell[new], face[new], k[new], x[new]
        with np.errstate(over="ignore"):
            offset = (self.plan.place[face] - x) * self.units[k]
            by_rank = (self.plan.rank[face] - self.rank[case[new], k]) * self.rank_units
            offset = np.where(np.abs(by_rank) > np.abs(offset), by_rank, offset)
        tail = normal_tails(np.abs(offset))
        self.beyond[cell] = np.where(offset < 0, tail, -tail)
        self.done[cell] = True

    def between(self, low: Ints, high: Ints) -> Floats:
        """Chance of the error to fall between two cells."""
        low_end, high_end = self.beyond[low], self.beyond[high]
        inside = (low_end > 0) & (high_end < 0)
        chance: Floats = np.maximum(0.0, high_end - low_end + inside)
        return chance


def rows_at_a_time(plan: NearbyIndex) -> int:
    """How many cases to walk with, so that memory stays bounded."""
    return max(16, _BLOCK_CELLS // max(1, len(plan.place) + len(plan.leaf)))


def walk_levels(plan: NearbyIndex, nearby: NearbyLeaves, X: Floats, lost: float) -> ReachedLeaves:
    """The leaves that cases reach.

    Parameters
    ----------
    lost
        What all that is left out may weigh together, for one case; a subtree has its part of
        it by its leaves. 0 leaves out nothing that counts.
    """
    least = lost * plan.portion
    faces = _Faces(plan, nearby, X)
    case = np.arange(len(X), dtype=np.intp)
    node = np.zeros(len(X), dtype=np.intp)
    weight = np.ones(len(X))
    leaves: list[tuple[Ints, Ints, Floats]] = []
    while len(case):
        ended = plan.leaf[node] >= 0
        leaves.append((case[ended], plan.leaf[node[ended]], weight[ended]))
        case, node, weight = case[~ended], node[~ended], weight[~ended]
        x = X[case, plan.column[node]]
        missing = np.isnan(x)
        numeric = plan.tested[node] >= 0
        parts = [
            _past_faces(plan, faces, *_those(numeric & ~missing, case, node, weight, x)),
            _by_value(plan, *_those(~numeric & ~missing, case, node, weight, x)),
            _divide_missing(plan, nearby, *_those(missing, case, node, weight, x)[:3]),
        ]
        case, node, weight = (np.concatenate(same) for same in zip(*parts, strict=True))
        is_heavy = weight > least[node]
        case, node, weight = case[is_heavy], node[is_heavy], weight[is_heavy]
    if not leaves:
        return ReachedLeaves(case, node, weight)
    cases, leaf, weights = (np.concatenate(same) for same in zip(*leaves, strict=True))
    order = np.lexsort((leaf, cases))
    return ReachedLeaves(cases[order], leaf[order], weights[order])


def _those(
    chosen: Bools, case: Ints, node: Ints, weight: Floats, x: Floats
) -> tuple[Ints, Ints, Floats, Floats]:
    return case[chosen], node[chosen], weight[chosen], x[chosen]


def _past_faces(
    plan: NearbyIndex, faces: _Faces, case: Ints, node: Ints, weight: Floats, x: Floats
) -> tuple[Ints, Ints, Floats]:
    """Both children of numeric splits."""
    k = plan.tested[node]
    row = faces.start[case, k] if len(case) else k
    low, face, high = row + plan.low[node], row + plan.face[node], row + plan.high[node]
    # The ends of a node's box are faces of nodes above it, and so known already.
    faces.fill(face, plan.face[node], k, case, x)
    left, right = faces.between(low, face), faces.between(face, high)
    whole = left + right
    # What the other attributes leave.
    others = np.divide(weight, whole, out=np.zeros_like(weight), where=whole > 0)
    first = plan.first_child[node]
    return (
        np.concatenate([case, case]),
        np.concatenate([plan.child[first], plan.child[first + 1]]),
        np.concatenate([left * others, right * others]),
    )


def _by_value(
    plan: NearbyIndex, case: Ints, node: Ints, weight: Floats, x: Floats
) -> tuple[Ints, Ints, Floats]:
    """The child of the value: a nominal split is not softened."""
    value = x.astype(np.intp)
    branch = np.where(plan.value[node] >= 0, value != plan.value[node], value)
    return case, plan.child[plan.first_child[node] + branch], weight


def _divide_missing(
    plan: NearbyIndex, nearby: NearbyLeaves, case: Ints, node: Ints, weight: Floats
) -> tuple[Ints, Ints, Floats]:
    """All children of splits that ask for a missing value."""
    first = plan.first_child[node]
    count = plan.first_child[node + 1] - first
    before = np.repeat(np.cumsum(count) - count, count)
    child = plan.child[np.repeat(first, count) + np.arange(len(before)) - before]
    return np.repeat(case, count), child, np.repeat(weight, count) * nearby.share[child]


def average_by_levels(plan: NearbyIndex, nearby: NearbyLeaves, X: Floats, lost: float) -> Floats:
    """Mean of the leaf values by weight, shape (n_cases, n_classes)."""
    common = nearby.leaf_value.min(axis=1)
    more = nearby.leaf_value - common[:, None]
    mixed = np.empty((len(X), nearby.leaf_value.shape[1]))
    step = rows_at_a_time(plan)
    for begin in range(0, len(X), step):
        block = X[begin : begin + step]
        case, leaf, weight = walk_levels(plan, nearby, block, lost)
        # Bincount adds one by one, leaf after leaf, as the compiled loop does.
        total = np.bincount(case, weight, len(block))
        shared = np.bincount(case, weight * common[leaf], len(block))
        for c, value in enumerate(more.T):
            part = np.bincount(case, weight * value[leaf], len(block))
            mixed[begin : begin + step, c] = (shared + part) / total
    return mixed
