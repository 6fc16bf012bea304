"""The search over the tree, compiled by numba: the answers of `distance_numpy`, bit for bit."""

from __future__ import annotations

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.compiled import compiled, in_threads
from j48geo.core.kept import kept_with
from j48geo.core.tree import BoxTree
from j48geo.geometry import search_loops as loops
from j48geo.geometry.distance_numpy import TIE, Boundary
from j48geo.geometry.faces import faces_of
from j48geo.geometry.metric import Metric
from j48geo.geometry.search_index import (
    Index,
    class_masks,
    make_index,
    other_children,
    pure_labels,
)

__all__ = ["search_boundary", "search_class_distances"]


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
        Whether the nearest leaf is asked for; without it none is given.
    met : array of int, shape (n_cases,)
        Filled with the number of nodes that the search for the distance met.
    """
    index = kept_with(tree, make_index)
    pure = pure_labels(index, labels)
    squares = np.empty(len(X))
    leaf = np.full(len(X), -1, dtype=np.intp)
    found = leaf if want_leaf else leaf[:0]
    visits = leaf[:0] if met is None else met
    space = _space(tree, index, metric, labels)
    nearest = compiled(loops.nearest)

    def search(part: slice) -> None:
        nearest(X[part], predicted[part], pure, squares[part], found[part], visits[part], space)

    in_threads(search, len(X))
    return Boundary(np.sqrt(squares), leaf)


def search_class_distances(
    tree: BoxTree, X: Floats, metric: Metric, predicted: Ints, labels: Ints
) -> Floats:
    """d(x, Γ_c) by search; see `j48geo.geometry.distance.class_distances`."""
    index = kept_with(tree, make_index)
    masks = class_masks(index, labels, len(tree.classes))
    squares = np.empty((len(X), len(tree.classes)))
    space = _space(tree, index, metric, labels)
    by_class = compiled(loops.by_class)

    def search(part: slice) -> None:
        by_class(X[part], predicted[part], labels, masks, squares[part], space)

    in_threads(search, len(X))
    return np.sqrt(squares)


def _space(tree: BoxTree, index: Index, metric: Metric, labels: Ints) -> loops.Space:
    faces = faces_of(tree)
    return loops.Space(
        index.nodes,
        loops.Bounds(
            faces.start,
            faces.attribute,
            faces.low,
            faces.high,
            faces.subset,
            faces.only,
            faces.row,
            faces.allowed,
        ),
        *other_children(index, labels),
        scale=np.ascontiguousarray(metric.scale),
        unit=1.0 / metric.scale,
        weight=metric.nominal_weight * metric.nominal_weight,
        # Each step down rounds a few times; the margin covers the deepest path.
        guard=float(1.0 + 16 * np.finfo(np.float64).eps * (index.depth + 8)),
        tie=1 + TIE,
        room=index.room,
    )
