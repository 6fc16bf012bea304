"""Why a case has its class: its path, its distance to the boundary, and the smallest change.

`explain` is the entry point; the smallest change comes from `j48geo.geometry.smallest_change`.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isnan, nan, sqrt

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.core.descent import find_branches
from j48geo.core.fitted_values import Metric
from j48geo.core.tree import BoxTree
from j48geo.geometry.distance import leaf_labels
from j48geo.geometry.distance_numpy import TIE, squared_distances
from j48geo.geometry.faces import find_faces
from j48geo.geometry.projection import find_separators, project_cases
from j48geo.geometry.smallest_change import ChangeSearch, Classify, Flip, Relation


@dataclass(frozen=True)
class Step:
    """A test that the case passed on its way.

    Parameters
    ----------
    node, branch
        The tree node, and which of its children the case took.
    value
        What the case has in `attribute`.
    relation, threshold, category
        What the branch asks: ``value relation threshold``, or for a nominal attribute
        ``value relation category`` (an index, else -1).
    """

    node: int
    attribute: int
    value: float
    branch: int
    relation: Relation
    threshold: float
    category: int


@dataclass(frozen=True)
class Separator:
    """The test that carries the projection, see `j48geo.geometry.projection.find_separators`."""

    attribute: int
    threshold: float
    node: int
    margin: float


@dataclass(frozen=True, eq=False)
class Explanation:
    """All there is to say about one case.

    Parameters
    ----------
    predicted
        Its class, -1 if not known.
    path, leaf
        The tests passed, up to the leaf or to the first one that asks for a missing
        value; then the leaf is -1.
    distance, nearest_leaf
        d(x, Γ) and the leaf beyond, see `j48geo.geometry.distance_numpy.Boundary`.
    separator
        None if there is no nearest leaf or it refuses the case no test.
    projection : array of float64, shape (n_attributes,)
        The nearest point of the nearest leaf; NaN if there is none.
    flip
        The smallest change that flips the class; None if there is none. Its leaf is the
        nearest one, unless cases there are not given the leaf's label, or the step past a
        threshold makes the way into another leaf shorter.
    per_class
        For each other class that some change leads to the smallest such change.
    """

    predicted: int
    path: tuple[Step, ...]
    leaf: int
    distance: float
    nearest_leaf: int
    separator: Separator | None
    projection: Floats
    flip: Flip | None
    per_class: tuple[Flip, ...]


def explain(
    tree: BoxTree,
    x: Floats,
    metric: Metric,
    classify: Classify,
    *,
    labels: Ints | None = None,
    steps: Floats | None = None,
    face_tree: BoxTree | None = None,
    per_class: bool = True,
) -> Explanation:
    """Explain one case.

    Parameters
    ----------
    x : array of float64, shape (n_attributes,)
    classify
        Gives the classes of cases, shape (n, n_attributes) to (n,), as Weka would.
    labels : array of int, shape (n_leaves,)
        Labels of the leaves, if not the tree's own.
    steps : array of float64, shape (n_attributes,)
        Smallest sensible step of each attribute (`column_steps`): how far past a threshold a
        value is put; 0 where there is none: a number with few digits. Without steps the next
        larger or smaller number is taken.
    face_tree
        The tree whose faces are measured, if not the same (`midgap_tree`).
    per_class
        Whether the smallest change for each other class is wanted, too; with many classes that
        is most of the work.
    """
    x = np.array(x, dtype=np.float64)
    own = leaf_labels(tree, labels)
    faces = tree if face_tree is None else face_tree
    predicted = int(classify(x[None])[0])
    path, leaf = _path(tree, x)
    squared = squared_distances(faces, x[None], metric)[0]
    other = (own != predicted) & ~find_faces(faces).empty
    if predicted < 0:
        other[:] = False
    order = _by_distance(squared, other)
    nearest = int(order[0]) if len(order) else -1
    distance = nan if predicted < 0 else sqrt(squared[other].min()) if len(order) else inf
    bounds = squared if face_tree is None else squared_distances(tree, x[None], metric)[0]
    trial = ChangeSearch(tree, x, metric, classify, steps, squared, bounds)
    flip = trial.smallest(_by_distance(bounds, other), lambda c: 0 <= c != predicted)
    classes = np.unique(own[other]).tolist() if per_class else []
    each = [flip] if len(tree.classes) == 2 and classes else []  # there is but one other class
    if not each:
        wanted = {c: _by_distance(bounds, other & (own == c)) for c in classes}
        each = trial.each(wanted)
    return Explanation(
        predicted,
        path,
        leaf,
        distance,
        nearest,
        _separator(faces, x, metric, nearest),
        project_cases(faces, x[None], np.array([nearest]))[0],
        flip,
        tuple(change for change in each if change is not None),
    )


def _path(tree: BoxTree, x: Floats) -> tuple[tuple[Step, ...], int]:
    steps: list[Step] = []
    node = tree.nodes[0]
    while (split := node.split) is not None:
        value = x[split.attribute]
        if isnan(value):
            return tuple(steps), -1
        branch = int(find_branches(split, np.array([value]), tree.tolerance)[0])
        relation: Relation
        threshold, category = nan, -1
        if split.kind == "numeric":
            threshold = split.threshold
            relation = ("<=", ">")[branch] if split.closed else ("<", ">=")[branch]
        elif split.kind == "multiway":
            relation, category = "=", branch
        else:
            relation, category = ("=", "!=")[branch], split.value
        steps.append(
            Step(node.index, split.attribute, float(value), branch, relation, threshold, category)
        )
        node = tree.nodes[node.children[branch]]
    return tuple(steps), node.leaf


def _by_distance(squared: Floats, among: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> Ints:
    """Leaves by distance; those tied with the nearest come in text order."""
    leaves = np.flatnonzero(among)
    d = squared[leaves]
    tied = d <= d.min(initial=inf) * (1 + TIE)
    return leaves[np.lexsort((leaves, np.where(tied, -1.0, d)))]


def _separator(tree: BoxTree, x: Floats, metric: Metric, leaf: int) -> Separator | None:
    separators = find_separators(tree, x[None], metric, np.array([leaf]))
    if separators.node[0] < 0:
        return None
    return Separator(
        int(separators.attribute[0]),
        float(separators.threshold[0]),
        int(separators.node[0]),
        float(separators.margin[0]),
    )
