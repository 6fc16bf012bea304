"""Errors as pruning estimates them."""

from __future__ import annotations

from math import pow, sqrt
from typing import Any

from j48geo.arrays import Floats, Ints
from j48geo.growing.loops.counting import SLACK, Question, major, one_bag
from j48geo.growing.loops.dividing import divide, redistribute

__all__ = ["extra_errors", "leaf_errors", "raised_errors", "upper_bound"]


def upper_bound(N: float, e: float, z: float) -> float:
    """The normal approximation of the same."""
    f = (e + 0.5) / N
    r = (f + z * z / (2.0 * N) + z * sqrt(f / N - f * f / N + z * z / (4.0 * N * N))) / (
        1.0 + z * z / N
    )
    return r * N - e


def extra_errors(N: float, e: float, cf: float, z: float) -> float:
    """Errors to add to e of N so that the sum is the upper end of the confidence interval."""
    if cf > 0.5:
        return 0.0
    if e < 1.0:
        base = N * (1.0 - pow(cf, 1.0 / N))
        if e == 0.0:
            return base
        # The same for one error.
        one = max(N - 1.0, 0.0) if N <= 1.5 else upper_bound(N, 1.0, z)
        return base + e * (one - base)
    if e + 0.5 >= N:
        return max(N - e, 0.0)
    return upper_bound(N, e, z)


def leaf_errors(C: Floats, T: float, cf: float, z: float) -> float:
    """Errors of a leaf with these classes, pessimistically."""
    if abs(T) < SLACK:
        return 0.0
    wrong = T - C[major(C)]
    return float(wrong + extra_errors(T, wrong, cf, z))


def raised_errors(
    columns: Any, asked: Any, top: int, rows: Ints, w: Floats, cf: float, z: float
) -> float:
    """Errors of the subtree below node `top` if these rows were sent into it.

    Rows are sent down on a stack; the errors are then added from the leaves up, children in
    order.
    """
    first = asked.first
    bags = asked.bags
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
        question = Question(
            asked.attribute[node], asked.kind[node], asked.cut[node], asked.value[node]
        )
        _, B, _, T = redistribute(columns, question, k, at, weight)
        new_rows, new_w, start = divide(columns.X, question, B, T, at, weight)
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
