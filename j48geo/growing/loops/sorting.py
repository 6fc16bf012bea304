"""Sorting with the same exchanges as Weka's."""

from __future__ import annotations

import numpy as np

from j48geo.arrays import Floats, Ints

__all__ = ["exchange", "order_pair", "part", "sort_keys"]


def exchange(key: Floats, index: Ints, i: int, j: int) -> None:
    """Exchange two entries."""
    k = key[i]
    key[i] = key[j]
    key[j] = k
    n = index[i]
    index[i] = index[j]
    index[j] = n


def order_pair(key: Floats, index: Ints, i: int, j: int) -> None:
    """Exchange two entries if they are the wrong way round."""
    if key[i] > key[j]:
        exchange(key, index, i, j)


def part(key: Floats, index: Ints, lo: int, hi: int) -> int:
    """Put smaller keys left and larger ones right of a key in its final place; that place."""
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
    return a


def sort_keys(key: Floats, index: Ints) -> None:
    """Sort `key`, and `index` with it, exchanging equals just as Weka's sort does.

    Quicksort by the median of three. It is not stable, and what it does to equal keys is
    the order in which weights are summed later.
    """
    # Of two parts the larger one waits, so that never more than 64 do.
    waiting = np.empty((64, 2), dtype=np.intp)
    waiting[0, 0] = 0
    waiting[0, 1] = len(key) - 1
    depth = 1
    while depth > 0:
        depth -= 1
        lo = waiting[depth, 0]
        hi = waiting[depth, 1]
        while hi - lo > 2:
            a = part(key, index, lo, hi)
            if a - lo < hi - a:
                waiting[depth, 0] = a + 1
                waiting[depth, 1] = hi
                hi = a - 1
            else:
                waiting[depth, 0] = lo
                waiting[depth, 1] = a - 1
                lo = a + 1
            depth += 1
        if hi - lo == 1:
            order_pair(key, index, lo, hi)
        elif hi - lo == 2:
            order_pair(key, index, lo, lo + 1)
            order_pair(key, index, lo, hi)
            order_pair(key, index, lo + 1, hi)
