"""The nearby leaves of many cases, compiled by numba; the same as by levels, bit for bit.

Cases that lie near each other meet the same nodes: they are taken in the order of the leaves that
they fall into, and many of them walk down the tree side by side.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.compilation import compile_loop, run_in_threads
from j48geo.core.fitted_values import NearbyLeaves
from j48geo.score.nearby.index import NearbyIndex
from j48geo.score.nearby.numba_kernels import (
    CaseArrays,
    CaseRoutes,
    SoftTree,
    average_leaves,
    order_cases,
    rank_cases,
)
from j48geo.score.nearby.numpy_engine import error_units, tail_table

LANES = 128
"""How many cases walk side by side."""
MOST_SHARED = 4096
"""More faces than this, seen from so many cases, would not be kept near the processor."""


def average_by_search(plan: NearbyIndex, nearby: NearbyLeaves, X: Floats, lost: float) -> Floats:
    """Mean of the leaf values by weight, shape (n_cases, n_classes).

    Raises
    ------
    ImportError
        If there is no numba.
    """
    return _search_leaves(compile_loop, plan, nearby, X, lost, np.empty(0, dtype=np.intp))


def count_nodes_met(plan: NearbyIndex, nearby: NearbyLeaves, X: Floats, lost: float) -> Ints:
    """Number of nodes that the search meets for each case: work without a clock."""
    met = np.zeros(len(X), dtype=np.intp)
    _search_leaves(compile_loop, plan, nearby, X, lost, met)
    return met


def _search_leaves(
    made: Callable[[Any], Any],
    plan: NearbyIndex,
    nearby: NearbyLeaves,
    X: Floats,
    lost: float,
    met: Ints,
) -> Floats:
    """The mean by loops that `made` has compiled, or left as they are."""
    order = np.empty(len(X), dtype=np.int64)
    made(order_cases)(X, order, _routes(plan))
    ranks = np.zeros((len(X), len(nearby.attribute)))
    for k, column in enumerate(nearby.attribute.tolist()):
        made(rank_cases)(X, k, column, *nearby.knots(k), ranks)
    mixed = np.empty((len(X), nearby.leaf_value.shape[1]))
    tree = _soft_tree(plan, nearby, lost)

    def search(part: slice) -> None:
        made(average_leaves)(CaseArrays(X, order[part], ranks), mixed, met, tree)

    run_in_threads(search, len(X))
    return mixed


def _routes(plan: NearbyIndex) -> CaseRoutes:
    return CaseRoutes(
        plan.leaf,
        plan.column,
        plan.tested,
        plan.value,
        plan.face,
        plan.first_child,
        plan.child,
        plan.place,
    )


def _soft_tree(plan: NearbyIndex, nearby: NearbyLeaves, lost: float) -> SoftTree:
    first, end = plan.first_child[:-1], plan.first_child[1:]
    packed = (plan.leaf, plan.column, plan.tested, plan.face)
    common = nearby.leaf_value.min(axis=1)
    more = nearby.leaf_value - common[:, None]
    leaf, more_class = np.nonzero(more)
    shared, rows = _rows(plan)
    return SoftTree(
        nearby.attribute,
        *error_units(nearby),
        nearby.share,
        common,
        np.searchsorted(leaf, np.arange(len(common) + 1)),
        more_class,
        more[leaf, more_class],
        np.ascontiguousarray(np.stack([*packed, *rows, first, end, plan.value], axis=1)),
        lost * plan.portion,
        plan.child,
        plan.place,
        plan.rank,
        *tail_table(),
        plan.waiting + 1,
        LANES,
        int(max(part.max() for part in rows)) + 1,
        shared,
    )


def _rows(plan: NearbyIndex) -> tuple[bool, tuple[Ints, Ints, Ints]]:
    """Where the search keeps the chances of a node's face and of the ends of its box.

    In a row for each face, if nodes share them; else in one for each depth, below two for the
    unbounded sides, and the next node of that depth takes its place.
    """
    if len(plan.place) <= min(MOST_SHARED, (plan.tested >= 0).sum() // 4):
        return True, (plan.face, plan.low, plan.high)
    own = plan.depth + 2
    low = np.where(plan.low_node < 0, 0, own[plan.low_node])
    high = np.where(plan.high_node < 0, 1, own[plan.high_node])
    return False, (own, low, high)
