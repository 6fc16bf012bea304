"""The searches as plain loops, for numba to compile; Python alone runs them too, slowly.

All of them go by the squared distance of `index`, kept from node to node. It is within
rounding of the definition's: it decides what to skip, with a margin (`guard` times, plus
`TINY` where squares leave the normal doubles), and where the margin does not decide, the
definition's own sum, in its own order, does.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from j48geo.arrays import Bools, Floats, Ints
from j48geo.geometry.distance_numpy import TIE

__all__ = ["TINY", "by_class", "first_leaf", "nearest", "squared_distance"]

Words = NDArray[np.uint64]

TINY = 1e-290


def squared_distance(
    x: Floats,
    leaf: int,
    scale: Floats,
    weight: float,
    start: Ints,
    attribute: Ints,
    low: Floats,
    high: Floats,
    subset: Ints,
    allowed: Bools,
) -> float:
    """Squared distance of a case to the closed box of a leaf, as the definition adds it up."""
    total = 0.0
    for k in range(start[leaf], start[leaf + 1]):
        value = x[attribute[k]]
        if subset[k] >= 0:
            if value == value and not allowed[subset[k], int(value)]:
                total += weight
        elif value < low[k]:
            gap = (low[k] - value) / scale[attribute[k]]
            total += gap * gap
        elif value > high[k]:
            gap = (value - high[k]) / scale[attribute[k]]
            total += gap * gap
    return total


def nearest(
    begin: int,
    end: int,
    X: Floats,
    predicted: Ints,
    pure: Ints,
    squares: Floats,
    met: Ints,
    scale: Floats,
    unit: Floats,
    weight: float,
    guard: float,
    room: int,
    attribute: Ints,
    threshold: Floats,
    low: Floats,
    high: Floats,
    right: Ints,
    first_child: Ints,
    child: Ints,
    first_route: Ints,
    route: Ints,
    leaf: Ints,
    start: Ints,
    face_attribute: Ints,
    face_low: Floats,
    face_high: Floats,
    face_subset: Ints,
    allowed: Bools,
) -> None:
    """Squared distance of each case to the nearest leaf of another label.

    Depth first, near child first; subtrees with the case's own label alone are skipped.
    """
    stack = np.empty(room, dtype=np.int64)
    stacked = np.empty(room, dtype=np.float64)
    tied = np.empty(len(leaf), dtype=np.int64)  # leaves that rounding does not tell apart
    for i in range(begin, end):
        own = predicted[i]
        visits = 0
        best = np.inf
        limit = np.inf
        n_tied = 0
        top = 0
        if own >= 0 and pure[0] != own:
            stack[0] = 0
            stacked[0] = 0.0
            top = 1
        while top > 0:
            top -= 1
            node = stack[top]
            squared = stacked[top]
            if squared > limit:
                continue
            while True:
                visits += 1
                a = attribute[node]
                if a < 0:  # a leaf
                    if squared * guard + TINY < best:
                        n_tied = 0
                    tied[n_tied] = leaf[node]
                    n_tied += 1
                    if squared < best:
                        best = squared
                        limit = best * guard + TINY
                        if best == 0.0:
                            top = 0
                    break
                x = X[i, a]
                far = right[node]
                if far >= 0:  # a numeric split
                    near = node + 1
                    beyond = squared
                    if x == x:
                        gap = (x - threshold[node]) * unit[a]
                        more = gap * gap
                        if x < low[node]:
                            gap = (low[node] - x) * unit[a]
                            more -= gap * gap
                        elif x > high[node]:
                            gap = (x - high[node]) * unit[a]
                            more -= gap * gap
                        if more > 0.0:  # not for a difference of infinities
                            beyond += more
                        if x > threshold[node]:
                            near, far = far, near
                    if beyond <= limit and pure[far] != own:
                        stack[top] = far
                        stacked[top] = beyond
                        top += 1
                    node = near
                else:
                    taken = -1
                    beyond = squared
                    if x == x:
                        taken = route[first_route[node] + int(x)]
                        if taken >= 0:
                            beyond += weight
                    first = first_child[node]
                    for k in range(first_child[node + 1] - 1, first - 1, -1):
                        if k - first != taken and beyond <= limit and pure[child[k]] != own:
                            stack[top] = child[k]
                            stacked[top] = beyond
                            top += 1
                    if taken < 0:
                        break
                    node = child[first + taken]
                if pure[node] == own:
                    break
        if best > 0.0:
            best = np.inf
            for k in range(n_tied):
                best = min(
                    best,
                    squared_distance(
                        X[i],
                        tied[k],
                        scale,
                        weight,
                        start,
                        face_attribute,
                        face_low,
                        face_high,
                        face_subset,
                        allowed,
                    ),
                )
        squares[i] = best if own >= 0 else np.nan
        if len(met):
            met[i] = visits


def first_leaf(
    begin: int,
    end: int,
    X: Floats,
    predicted: Ints,
    pure: Ints,
    squares: Floats,
    found: Ints,
    scale: Floats,
    unit: Floats,
    weight: float,
    guard: float,
    room: int,
    attribute: Ints,
    threshold: Floats,
    low: Floats,
    high: Floats,
    right: Ints,
    first_child: Ints,
    child: Ints,
    first_route: Ints,
    route: Ints,
    leaf: Ints,
    start: Ints,
    face_attribute: Ints,
    face_low: Floats,
    face_high: Floats,
    face_subset: Ints,
    allowed: Bools,
) -> None:
    """The first leaf in text order of another label within the known distance of each case."""
    stack = np.empty(room, dtype=np.int64)
    stacked = np.empty(room, dtype=np.float64)
    for i in range(begin, end):
        own = predicted[i]
        bound = squares[i] * (1 + TIE)
        limit = bound * guard + TINY
        top = 0
        if own >= 0 and pure[0] != own:
            stack[0] = 0
            stacked[0] = 0.0
            top = 1
        while top > 0:
            top -= 1
            node = stack[top]
            squared = stacked[top]
            a = attribute[node]
            if a < 0:
                inside = squared == 0.0 or squared * guard + TINY < bound
                if not inside:
                    exact = squared_distance(
                        X[i],
                        leaf[node],
                        scale,
                        weight,
                        start,
                        face_attribute,
                        face_low,
                        face_high,
                        face_subset,
                        allowed,
                    )
                    inside = exact <= bound
                if inside:
                    found[i] = leaf[node]
                    top = 0
                continue
            x = X[i, a]
            if right[node] >= 0:
                left = squared
                rest = squared
                if x == x:
                    gap = (x - threshold[node]) * unit[a]
                    more = gap * gap
                    if x < low[node]:
                        gap = (low[node] - x) * unit[a]
                        more -= gap * gap
                    elif x > high[node]:
                        gap = (x - high[node]) * unit[a]
                        more -= gap * gap
                    if more > 0.0:
                        if x > threshold[node]:
                            left += more
                        else:
                            rest += more
                if rest <= limit and pure[right[node]] != own:
                    stack[top] = right[node]
                    stacked[top] = rest
                    top += 1
                if left <= limit and pure[node + 1] != own:
                    stack[top] = node + 1
                    stacked[top] = left
                    top += 1
                continue
            first = first_child[node]
            taken = -1
            if x == x:
                taken = route[first_route[node] + int(x)]
            for k in range(first_child[node + 1] - 1, first - 1, -1):
                beyond = squared
                if taken >= 0 and k - first != taken:
                    beyond += weight
                if beyond <= limit and pure[child[k]] != own:
                    stack[top] = child[k]
                    stacked[top] = beyond
                    top += 1


def by_class(
    begin: int,
    end: int,
    X: Floats,
    predicted: Ints,
    labels: Ints,
    masks: Words,
    squares: Floats,
    scale: Floats,
    unit: Floats,
    weight: float,
    guard: float,
    room: int,
    attribute: Ints,
    threshold: Floats,
    low: Floats,
    high: Floats,
    right: Ints,
    first_child: Ints,
    child: Ints,
    first_route: Ints,
    route: Ints,
    leaf: Ints,
    start: Ints,
    face_attribute: Ints,
    face_low: Floats,
    face_high: Floats,
    face_subset: Ints,
    allowed: Bools,
) -> None:
    """Squared distance of each case to the nearest leaf of every class, best node first.

    A class is finished when the next node is further away than its best leaf by more than
    rounding; nodes without an unfinished class are skipped. The case's own class gets the
    smallest of the others.
    """
    n_classes = squares.shape[1]
    words = masks.shape[1]
    heap = np.empty(len(leaf) + 1, dtype=np.int64)
    keys = np.empty(len(leaf) + 1, dtype=np.float64)
    unfinished = np.empty(words, dtype=np.uint64)
    closing = np.empty(n_classes, dtype=np.int64)  # classes found and not yet finished
    one = np.uint64(1)
    for i in range(begin, end):
        own = predicted[i]
        best = squares[i]
        best[:] = np.inf
        if own < 0:
            best[:] = np.nan
            continue
        for w in range(words):
            unfinished[w] = masks[0, w]
        unfinished[own // 64] &= ~(one << np.uint64(own % 64))
        n_closing = 0
        soonest = np.inf  # the smallest of their limits
        size = 1
        heap[0] = 0
        keys[0] = 0.0
        while size > 0:
            node = heap[0]
            squared = keys[0]
            size -= 1
            if size > 0:  # the last one sinks from the root
                last_node = heap[size]
                last_key = keys[size]
                at = 0
                while True:
                    below = 2 * at + 1
                    if below >= size:
                        break
                    if below + 1 < size and keys[below + 1] < keys[below]:
                        below += 1
                    if keys[below] >= last_key:
                        break
                    heap[at] = heap[below]
                    keys[at] = keys[below]
                    at = below
                heap[at] = last_node
                keys[at] = last_key
            if squared > soonest:
                left = 0
                soonest = np.inf
                for k in range(n_closing):
                    c = closing[k]
                    limit = best[c] * guard + TINY
                    if squared > limit:
                        unfinished[c // 64] &= ~(one << np.uint64(c % 64))
                    else:
                        closing[left] = c
                        left += 1
                        soonest = min(soonest, limit)
                n_closing = left
                if n_closing == 0:
                    remaining = np.uint64(0)
                    for w in range(words):
                        remaining |= unfinished[w]
                    if remaining == 0:
                        break
            while True:
                wanted = np.uint64(0)
                for w in range(words):
                    wanted |= masks[node, w] & unfinished[w]
                if wanted == 0:
                    break
                a = attribute[node]
                if a < 0:
                    exact = 0.0
                    if squared > 0.0:
                        exact = squared_distance(
                            X[i],
                            leaf[node],
                            scale,
                            weight,
                            start,
                            face_attribute,
                            face_low,
                            face_high,
                            face_subset,
                            allowed,
                        )
                    c = labels[leaf[node]]
                    if exact < best[c]:
                        if best[c] == np.inf:
                            closing[n_closing] = c
                            n_closing += 1
                        best[c] = exact
                        soonest = min(soonest, exact * guard + TINY)
                        if exact == 0.0:
                            unfinished[c // 64] &= ~(one << np.uint64(c % 64))
                    break
                first = first_child[node]
                x = X[i, a]
                near = first
                beyond = squared
                if right[node] >= 0:
                    if x == x:
                        gap = (x - threshold[node]) * unit[a]
                        more = gap * gap
                        if x < low[node]:
                            gap = (low[node] - x) * unit[a]
                            more -= gap * gap
                        elif x > high[node]:
                            gap = (x - high[node]) * unit[a]
                            more -= gap * gap
                        if more > 0.0:
                            beyond += more
                        if x > threshold[node]:
                            near = first + 1
                elif x == x and route[first_route[node] + int(x)] >= 0:
                    near = first + route[first_route[node] + int(x)]
                    beyond += weight
                for k in range(first, first_child[node + 1]):
                    if k == near:
                        continue
                    wanted = np.uint64(0)
                    for w in range(words):
                        wanted |= masks[child[k], w] & unfinished[w]
                    if wanted == 0:
                        continue
                    at = size
                    size += 1
                    while at > 0:
                        above = (at - 1) // 2
                        if keys[above] <= beyond:
                            break
                        heap[at] = heap[above]
                        keys[at] = keys[above]
                        at = above
                    heap[at] = child[k]
                    keys[at] = beyond
                node = child[near]
        smallest = np.inf
        for c in range(n_classes):
            if c != own:
                smallest = min(smallest, best[c])
        best[own] = smallest
