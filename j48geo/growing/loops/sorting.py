"""Sorting with the same exchanges as Weka's."""

from __future__ import annotations

from j48geo.arrays import Floats, Ints

__all__ = ["exchange", "order_pair", "sort_keys"]


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


def sort_keys(key: Floats, index: Ints) -> None:
    """Sort `key`, and `index` with it, exchanging equals just as Weka's sort does.

    Quicksort by the median of three. It is not stable, and what it does to equal keys is
    the order in which weights are summed later.
    """
    left = [0]
    right = [len(key) - 1]
    while len(left) > 0:
        lo = left.pop()
        hi = right.pop()
        size = hi - lo + 1
        if size < 2:
            continue
        if size == 2:
            order_pair(key, index, lo, hi)
            continue
        if size == 3:
            order_pair(key, index, lo, lo + 1)
            order_pair(key, index, lo, hi)
            order_pair(key, index, lo + 1, hi)
            continue
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
        left.append(lo)
        right.append(a - 1)
        left.append(a + 1)
        right.append(hi)
