"""The search over the tree, compiled by numba; the same answers as `boundary`, bit for bit.

The compiled loops release the interpreter's lock and run in threads, a part of the cases
each: numba's own parallel loops may not be entered by two threads at once.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import lru_cache
from threading import Lock
from typing import Any

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.core.tree import BoxTree
from j48geo.geometry import search_loops as loops
from j48geo.geometry.distance_numpy import Boundary
from j48geo.geometry.faces import faces_of, kept_with
from j48geo.geometry.metric import Metric
from j48geo.geometry.search_index import Index, class_masks, make_index, pure_labels

__all__ = ["fits_search", "in_threads", "search_boundary", "search_class_distances"]

_PART = 4096
"""Cases that a thread takes at least."""
_lock = Lock()


def fits_search(metric: Metric) -> bool:
    """Whether the scales and their inverses are ordinary doubles, so that both are exact."""
    return bool((metric.scale > 1e-290).all() and (metric.scale < 1e290).all())


def search_boundary(
    tree: BoxTree,
    X: Floats,
    metric: Metric,
    predicted: Ints,
    labels: Ints,
    *,
    want_leaf: bool = True,
    met: Ints | None = None,
) -> Boundary:
    """`Boundary` by search; see `j48geo.geometry.distance.boundary`.

    Parameters
    ----------
    want_leaf
        Whether the nearest leaf is asked for; finding the first of equals is a search of
        its own.
    met : array of int, shape (n_cases,)
        Filled with the number of nodes that the search for the distance met.
    """
    index = kept_with(tree, make_index)
    pure = pure_labels(index, labels)
    squares = np.empty(len(X))
    leaf = np.full(len(X), -1, dtype=np.intp)
    visits = np.empty(0, dtype=np.intp) if met is None else met
    shared = _arguments(tree, index, metric)
    nearest, first_leaf = _compiled("nearest"), _compiled("first_leaf") if want_leaf else None

    def part(begin: int, end: int) -> None:
        nearest(begin, end, X, predicted, pure, squares, visits, *shared)
        if first_leaf is not None:
            first_leaf(begin, end, X, predicted, pure, squares, leaf, *shared)

    in_threads(part, len(X))
    return Boundary(np.sqrt(squares), leaf)


def search_class_distances(
    tree: BoxTree, X: Floats, metric: Metric, predicted: Ints, labels: Ints
) -> Floats:
    """d(x, Γ_c) by search; see `j48geo.geometry.distance.class_distances`."""
    index = kept_with(tree, make_index)
    masks = class_masks(index, labels, len(tree.classes))
    squares = np.empty((len(X), len(tree.classes)))
    shared = _arguments(tree, index, metric)
    by_class = _compiled("by_class")

    def part(begin: int, end: int) -> None:
        by_class(begin, end, X, predicted, labels, masks, squares, *shared)

    in_threads(part, len(X))
    return np.sqrt(squares)


def _compiled(name: str) -> Callable[..., Any]:
    """The compiled loop of this name; ImportError if there is no numba."""
    with _lock:
        _compile("squared_distance")  # the others call it
        return _compile(name)


@lru_cache(maxsize=8)
def _compile(name: str) -> Callable[..., Any]:
    from numba import njit

    plain: Callable[..., Any] = getattr(loops, name)
    made: Callable[..., Any]
    try:
        made = njit(cache=True, nogil=True)(plain)
    except RuntimeError:  # no place to keep the compiled code: compile it every time
        made = njit(nogil=True)(plain)
    setattr(loops, name, made)
    return made


def in_threads(part: Callable[[int, int], None], count: int) -> None:
    """Call `part` with ranges that make up 0 to `count`, in threads if that pays."""
    threads = min(os.cpu_count() or 1, max(1, count // _PART))
    if threads == 1:
        part(0, count)
        return
    from concurrent.futures import ThreadPoolExecutor  # with all of logging; rarely needed

    step = max(_PART, -(-count // (4 * threads)))
    with ThreadPoolExecutor(threads) as pool:
        waiting = [pool.submit(part, b, min(b + step, count)) for b in range(0, count, step)]
        for one in waiting:
            one.result()


def _arguments(tree: BoxTree, index: Index, metric: Metric) -> tuple[Any, ...]:
    """What all loops need to know about the tree and the metric."""
    faces = faces_of(tree)
    # Each step down rounds a few times; the margin covers the deepest path.
    guard = 1.0 + 16 * np.finfo(np.float64).eps * (index.depth + 8)
    return (
        np.ascontiguousarray(metric.scale),
        1.0 / metric.scale,
        metric.nominal_weight * metric.nominal_weight,
        guard,
        index.room,
        index.attribute,
        index.threshold,
        index.low,
        index.high,
        index.right,
        index.first_child,
        index.child,
        index.first_route,
        index.route,
        index.leaf,
        faces.start,
        faces.attribute,
        faces.low,
        faces.high,
        faces.subset,
        faces.allowed,
    )
