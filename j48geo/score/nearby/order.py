"""What the compiled search wants to know of its cases before it begins: their order, their ranks.

Cases that fall into the same leaf, or into leaves near each other, meet the same nodes; so the
search takes them in the order of their leaves.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from j48geo.arrays import Floats, Ints

__all__ = ["Routes", "order_cases", "rank_cases"]


class Routes(NamedTuple):
    """Where a case goes at each node; see `j48geo.score.nearby.plan.Plan`."""

    leaf: Ints
    column: Ints
    tested: Ints
    value: Ints
    face: Ints
    first_child: Ints
    child: Ints
    place: Floats


def order_cases(X: Floats, order: Ints, routes: Routes) -> None:
    """Cases in the order of the leaves they fall into, as far as their values are known."""
    n_nodes = len(routes.leaf)
    end = np.empty(len(X), dtype=np.int64)
    first = np.zeros(n_nodes + 1, dtype=np.int64)
    for i in range(len(X)):
        node = 0
        while routes.leaf[node] < 0:
            x = X[i, routes.column[node]]
            if x != x:
                break
            if routes.tested[node] >= 0:
                branch = 0 if x <= routes.place[routes.face[node]] else 1
            elif routes.value[node] >= 0:
                branch = 0 if int(x) == routes.value[node] else 1
            else:
                branch = int(x)
            node = routes.child[routes.first_child[node] + branch]
        end[i] = node
        first[node + 1] += 1
    for node in range(n_nodes):
        first[node + 1] += first[node]
    for i in range(len(X)):
        order[first[end[i]]] = i
        first[end[i]] += 1


def rank_cases(X: Floats, k: int, column: int, knot: Floats, rank: Floats, own: Floats) -> None:
    """F(x) in tested column `k` of all cases, as `mid_ranks` has it; 0 where x is missing."""
    for i in range(len(X)):
        x = X[i, column]
        if x != x or len(knot) == 0:
            own[i, k] = 0.0
            continue
        lower = 0
        upper = len(knot)
        while lower < upper:
            middle = (lower + upper) // 2
            if knot[middle] <= x:
                lower = middle + 1
            else:
                upper = middle
        if lower == 0:
            own[i, k] = rank[0]
        elif lower == len(knot):
            own[i, k] = rank[lower - 1]
        else:
            step = x - knot[lower - 1]
            gap = knot[lower] - knot[lower - 1]
            if gap == np.inf:
                step = x * 0.5 - knot[lower - 1] * 0.5
                gap = knot[lower] * 0.5 - knot[lower - 1] * 0.5
            own[i, k] = rank[lower - 1] + (rank[lower] - rank[lower - 1]) * (step / gap)
