"""Distances to the decision boundary, signed or not: check the input, choose the engine.

Two engines give the same answers, bit for bit: the definition in NumPy, quick to start, and
the search compiled by numba, which costs the better part of a second to load and then is a
hundred times as fast. Small work never loads numba.
"""

from __future__ import annotations

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.compilation import Engine, EngineChoice, times_to_come
from j48geo.core.cache import cached_for
from j48geo.core.columns import check_width
from j48geo.core.fitted_values import Metric
from j48geo.core.tree import BoxTree
from j48geo.errors import MismatchError
from j48geo.geometry.distance_numpy import Boundary, define_boundary, define_class_distances
from j48geo.geometry.faces import find_faces

_CELL = 3e-9
"""Seconds that the definition takes for one case and one bound of a leaf."""

_choice = EngineChoice("j48geo.geometry.distance_kernels:search_nearest", 1.4)
_by_class_choice = EngineChoice("j48geo.geometry.distance_kernels:search_by_class", 1.5)


def boundary(
    tree: BoxTree,
    X: Floats,
    metric: Metric,
    predicted: Ints,
    *,
    labels: Ints | None = None,
    engine: Engine = "auto",
) -> Boundary:
    """Distance of every case to the decision boundary, and the nearest leaf beyond it.

    Parameters
    ----------
    X : array of float64, shape (n_cases, n_attributes)
        Columns in the order of the tree's header, NaN where missing.
    predicted : array of int, shape (n_cases,)
        c(x): the class that Weka gives the case; -1 if it is not known.
    labels : array of int, shape (n_leaves,)
        Labels of the leaves, if not the tree's own.
    engine
        ``auto`` chooses by the amount of work; the answers are the same.

    Notes
    -----
    AB05 Algorithm 1: the smallest distance to the closed box of a leaf whose label is not
    c(x). A case on a threshold has distance 0; leaves with an empty box are never nearest.

    Examples
    --------
    >>> from j48geo.geometry.metric import fit_metric
    >>> from j48geo.core.build import at_most, build_tree, leaf
    >>> from j48geo.core.dataset import Attribute, Header
    >>> header = Header("h", (Attribute("x"), Attribute("c", "nominal", ("a", "b"))), 1)
    >>> tree = build_tree(header, at_most("x", 2, leaf("a"), leaf("b")))
    >>> X, predicted = np.array([[-1.0, 0], [2.0, 0], [2.5, 1]]), np.array([0, 0, 1])
    >>> found = boundary(tree, X, fit_metric(tree, "none"), predicted)
    >>> found.distance.tolist(), found.nearest_leaf.tolist()
    ([3.0, 0.0, 0.5], [1, 1, 0])
    """
    X, predicted, own = _check_cases(tree, X, metric, predicted, labels)
    if _use_numba(_choice, tree, len(X), metric, engine):
        from j48geo.geometry.distance_numba import search_boundary  # small work needs none

        return search_boundary(tree, X, metric, predicted, own)
    return define_boundary(tree, X, metric, predicted, own)


def boundary_distance(
    tree: BoxTree,
    X: Floats,
    metric: Metric,
    predicted: Ints,
    *,
    labels: Ints | None = None,
    engine: Engine = "auto",
) -> Floats:
    """d(x, Γ) alone, shape (n_cases,); quicker than `boundary`, and the same number."""
    X, predicted, own = _check_cases(tree, X, metric, predicted, labels)
    if _use_numba(_choice, tree, len(X), metric, engine):
        from j48geo.geometry.distance_numba import search_boundary

        return search_boundary(tree, X, metric, predicted, own, want_leaf=False).distance
    return define_boundary(tree, X, metric, predicted, own, want_leaf=False).distance


def class_boundary(
    tree: BoxTree,
    X: Floats,
    metric: Metric,
    predicted: Ints,
    c: int,
    *,
    labels: Ints | None = None,
    engine: Engine = "auto",
) -> Boundary:
    """Distance to Γ_c, the boundary between class `c` and all others, and its nearest leaf.

    Notes
    -----
    ABD07 definition 1: if c(x) = c the nearest leaf not labelled c, else the nearest leaf
    labelled c. It is `boundary` of the tree relabelled to c or not c.
    """
    own = leaf_labels(tree, labels)
    inside = np.where(np.asarray(predicted) < 0, -1, np.asarray(predicted) == c)
    return boundary(
        tree, X, metric, inside.astype(np.intp), labels=(own == c).astype(np.intp), engine=engine
    )


def class_distances(
    tree: BoxTree,
    X: Floats,
    metric: Metric,
    predicted: Ints,
    *,
    labels: Ints | None = None,
    engine: Engine = "auto",
) -> Floats:
    """d(x, Γ_c) for every class, shape (n_cases, n_classes).

    Infinite where no leaf has the label that is looked for; a row of NaN where the class
    of the case is not known. With two classes both columns are d(x, Γ).

    Notes
    -----
    ABD07 Algorithm 1, without the sign: see `algebraic_distance`.
    """
    X, predicted, own = _check_cases(tree, X, metric, predicted, labels)
    n_classes = len(tree.classes)
    if n_classes == 2:
        both = boundary_distance(tree, X, metric, predicted, labels=own, engine=engine)
        return np.stack([both, both], axis=1)
    if _use_numba(_by_class_choice, tree, len(X), metric, engine):
        from j48geo.geometry.distance_numba import search_class_distances

        return search_class_distances(tree, X, metric, predicted, own)
    return define_class_distances(tree, X, metric, predicted, own)


def nodes_met(
    tree: BoxTree, X: Floats, metric: Metric, predicted: Ints, *, labels: Ints | None = None
) -> Ints:
    """Number of nodes that the compiled search meets for each case: work without a clock."""
    from j48geo.geometry.distance_numba import search_boundary

    X, predicted, own = _check_cases(tree, X, metric, predicted, labels)
    met = np.zeros(len(X), dtype=np.intp)
    search_boundary(tree, X, metric, predicted, own, want_leaf=False, met=met)
    return met


def has_boundary(tree: BoxTree, *, labels: Ints | None = None, c: int | None = None) -> bool:
    """Whether the tree tells classes apart at all: some two leaves that are not empty differ.

    Parameters
    ----------
    c
        Ask for the boundary of this class against all others.
    """
    own = leaf_labels(tree, labels)[~find_faces(tree).empty]
    if c is not None:
        own = (own == c).astype(np.intp)
    return len(own) > 0 and bool((own != own[0]).any())


def leaf_labels(tree: BoxTree, labels: Ints | None = None) -> Ints:
    """Class index of each leaf: the overlay if there is one, else the tree's own."""
    if labels is None:
        return cached_for(tree, _own_labels).copy()
    own = np.ascontiguousarray(labels, dtype=np.intp)
    if own.shape != (len(tree.leaves),):
        raise MismatchError(
            f"labels of shape {own.shape}; expected one for each of {len(tree.leaves)} leaves"
        )
    if len(own) and not 0 <= own.min() <= own.max() < len(tree.classes):
        raise MismatchError(f"labels out of range; expected 0 to {len(tree.classes) - 1}")
    return own


def _own_labels(tree: BoxTree) -> Ints:
    return np.array([leaf.label for leaf in tree.leaves], dtype=np.intp)


def _check_cases(
    tree: BoxTree, X: Floats, metric: Metric, predicted: Ints, labels: Ints | None
) -> tuple[Floats, Ints, Ints]:
    X = np.ascontiguousarray(X, dtype=np.float64)
    predicted = np.ascontiguousarray(predicted, dtype=np.intp)
    check_width(tree.header, X)
    width = len(tree.header)
    if metric.scale.shape != (width,):
        raise MismatchError(
            f"a metric of {metric.scale.size} attributes; expected the tree's {width}"
        )
    if predicted.shape != (len(X),):
        raise MismatchError(f"{predicted.size} predicted classes; expected one a case: {len(X)}")
    if len(X) and predicted.max() >= len(tree.classes):
        raise MismatchError(f"predicted out of range; expected at most {len(tree.classes) - 1}")
    return X, predicted, leaf_labels(tree, labels)


def _use_numba(
    choice: EngineChoice, tree: BoxTree, n_cases: int, metric: Metric, engine: Engine
) -> bool:
    cells = n_cases * (len(find_faces(tree).attribute) + len(tree.leaves))
    # The search wants scales that are ordinary doubles, and their inverses, too. Work that only
    # NumPy can do never makes numba pay.
    if not ((metric.scale > 1e-290) & (metric.scale < 1e290)).all():
        engine, cells = "numpy", 0
    return choice.takes_numba(engine, cells * _CELL, times_to_come(n_cases))


# -------------------------------------------------------------------------- signed distances
#
# Their signs are opposite. The geometric score g of AB05 is positive inside the positive class,
# since it is ranked by; the algebraic distance h_c of ABD07 is negative inside class c. With two
# classes g = -h_c of the positive class.


def geometric_score(distance: Floats, predicted: Ints, positive: int) -> Floats:
    """The geometric score g: + d if the case is given the positive class, else - d.

    Parameters
    ----------
    distance : array of float64, shape (n_cases,)
        d(x, Γ); with more than two classes d(x, Γ_c) of the positive class makes it -h_c.
    predicted : array of int, shape (n_cases,)
        c(x), -1 if not known; then the score is NaN.

    Notes
    -----
    AB05 definition 1, equation (2).

    Examples
    --------
    >>> geometric_score(np.array([0.5, 2.0]), np.array([1, 0]), positive=1).tolist()
    [0.5, -2.0]
    """
    score = np.where(predicted == positive, distance, -distance)
    return np.where(predicted < 0, np.nan, score)


def algebraic_distance(distance: Floats, predicted: Ints, c: int) -> Floats:
    """The algebraic distance h_c: - d(x, Γ_c) if the case is given class `c`, else + d.

    Parameters
    ----------
    distance : array of float64, shape (n_cases,)
        d(x, Γ_c), a column of `class_distances`.

    Notes
    -----
    ABD07 definitions 1 and 2.
    """
    return -geometric_score(distance, predicted, c)


def algebraic_distances(distances: Floats, predicted: Ints) -> Floats:
    """h_c for every class, shape (n_cases, n_classes).

    Parameters
    ----------
    distances : array of float64, shape (n_cases, n_classes)
        From `class_distances`.
    """
    columns = [algebraic_distance(d, predicted, c) for c, d in enumerate(distances.T)]
    return np.stack(columns, axis=1)
