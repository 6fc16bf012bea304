"""A slice through the boxes of a tree: two numeric attributes vary, the others are a case's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.compilation import Engine
from j48geo.core.descent import find_branches
from j48geo.core.fitted_values import Metric
from j48geo.core.routing import find_leaves
from j48geo.core.tree import BoxTree, Split
from j48geo.errors import J48GeoError
from j48geo.geometry.distance import boundary_distance, has_boundary, leaf_labels

FARTHEST_VALUE = 1e100
"""Values that are larger lie outside every cut: squares of their distances are no numbers."""


class SliceError(J48GeoError):
    """A cut that cannot be made: what is wrong, and what was expected."""

    exit_code = 2


@dataclass(frozen=True, eq=False)
class TreeSlice:
    """The leaves that a cut meets, their borders, and distances on a grid.

    Parameters
    ----------
    columns
        The two attributes that vary: across, upwards.
    at : array of float64, shape (n_attributes,)
        The case that fixes the others.
    leaves, labels : array of int, shape (k,)
        The leaves met, in text order, and their classes.
    rectangles : array of float64, shape (k, 4)
        left, right, bottom, top of each; infinite where unbounded.
    across, upwards : array of float64, shape (nx,) and (ny,)
        The grid.
    distance : array of float64, shape (ny, nx)
        d(x, Γ) in all attributes: the nearest boundary may lie outside the cut.
    label : array of int, shape (ny, nx)
        Class of each point of the grid.
    """

    columns: tuple[int, int]
    at: Floats
    leaves: Ints
    labels: Ints
    rectangles: Floats
    across: Floats
    upwards: Floats
    distance: Floats
    label: Ints

    def signed(self, positive: int) -> Floats:
        """The geometric score g of two classes on the grid (AB05 definition 1)."""
        return np.where(self.label == positive, self.distance, -self.distance)

    @property
    def boundary(self) -> Floats:
        """Segments where the class changes, shape (k, 2, 2): two ends of two coordinates.

        Clipped to the grid.
        """
        view = (self.across[0], self.across[-1], self.upwards[0], self.upwards[-1])
        segments = [*_shared_edges(self.rectangles, self.labels, view)]
        turned = _shared_edges(
            self.rectangles[:, [2, 3, 0, 1]], self.labels, (*view[2:], *view[:2])
        )
        segments += [segment[:, ::-1] for segment in turned]
        return np.array(segments).reshape(-1, 2, 2)


def typical_case(tree: BoxTree, X: Floats) -> Floats:
    """Median of each numeric attribute, commonest value of each nominal one.

    0 where an attribute is never known.
    """
    case = np.zeros(len(tree.header))
    for column, attribute in enumerate(tree.header.attributes):
        values = X[:, column]
        values = values[np.isfinite(values)]
        if len(values) and attribute.is_numeric:
            with np.errstate(over="ignore"):  # the middle of two huge values
                case[column] = np.median(values)
        elif len(values) and attribute.is_nominal:
            case[column] = np.argmax(np.bincount(values.astype(np.intp)))
    return case


def cut_slice(
    tree: BoxTree,
    metric: Metric,
    columns: tuple[int, int],
    at: Floats,
    *,
    X: Floats | None = None,
    labels: Ints | None = None,
    face_tree: BoxTree | None = None,
    steps: int = 301,
    engine: Engine = "auto",
) -> TreeSlice:
    """Cut the boxes of a tree along two numeric attributes.

    Parameters
    ----------
    columns
        The attribute across and the one upwards.
    at : array of float64, shape (n_attributes,)
        The case that the cut goes through; no value that a test asks for is missing.
    X : array of float64, shape (n_cases, n_attributes)
        Cases that the grid shall cover. Thresholds that are met are always covered; what is
        beyond `FARTHEST_VALUE` never is.
    labels : array of int, shape (n_leaves,)
        Labels of the leaves, if not the tree's own.
    face_tree
        The tree whose faces are measured, if not the same (`midgap_tree`).
    steps
        Points of the grid in each direction.

    Raises
    ------
    SliceError
        If the attributes are not two numeric ones, or a value of `at` is missing.
    """
    at = np.asarray(at, dtype=np.float64)
    _check(tree, columns, at)
    own = leaf_labels(tree, labels)
    boxes = tree.boxes
    met = [leaf for leaf in _find_leaves_met(tree, columns, at) if not boxes[leaf].is_empty]
    rectangles = np.array(
        [[end for column in columns for end in _ends(tree, leaf, column)] for leaf in met]
    ).reshape(-1, 4)
    across, upwards = (
        _axis(
            rectangles[:, 2 * k : 2 * k + 2],
            at[c],
            None if X is None else X[:, c],
            metric.scale[c],
            steps,
        )
        for k, c in enumerate(columns)
    )
    grid = np.tile(at, (len(across) * len(upwards), 1))
    grid[:, columns[0]] = np.tile(across, len(upwards))
    grid[:, columns[1]] = np.repeat(upwards, len(across))
    label = own[find_leaves(tree, grid)]
    if has_boundary(tree, labels=labels):
        distance = boundary_distance(
            face_tree or tree, grid, metric, label, labels=labels, engine=engine
        )
    else:
        distance = np.full(len(grid), np.inf)
    shape = (len(upwards), len(across))
    leaves = np.array(met, dtype=np.intp)
    return TreeSlice(
        *(columns, at, leaves, own[leaves], rectangles),
        *(across, upwards, distance.reshape(shape), label.reshape(shape)),
    )


def _check(tree: BoxTree, columns: tuple[int, int], at: Floats) -> None:
    for column in columns:
        attribute = tree.header.attributes[column]
        if not attribute.is_numeric or column == tree.header.class_index:
            kind = "the class" if column == tree.header.class_index else attribute.type
            raise SliceError(
                f"attribute {attribute.name!r} is {kind}; expected a numeric one to cut along"
            )
    if columns[0] == columns[1]:
        name = tree.header.attributes[columns[0]].name
        raise SliceError(f"attribute {name!r} is named twice; expected two attributes")
    if at.shape != (len(tree.header),):
        raise SliceError(f"a case of shape {at.shape}; expected {len(tree.header)} values")
    for column in set(tree.used_attributes) - set(columns):
        if np.isnan(at[column]):
            name = tree.header.attributes[column].name
            raise SliceError(f"attribute {name!r} of the case is missing; expected a value")


def _find_leaves_met(tree: BoxTree, columns: Sequence[int], at: Floats) -> Iterator[int]:
    """Leaves that are reached if the tests of `columns` may go either way, in text order."""
    stack = [0]
    while stack:
        node = tree.nodes[stack.pop()]
        split: Split | None = node.split
        if split is None:
            yield node.leaf
        elif split.attribute in columns:
            stack.extend(reversed(node.children))
        else:
            x = at[split.attribute : split.attribute + 1]
            stack.append(node.children[int(find_branches(split, x, tree.tolerance)[0])])


def _ends(tree: BoxTree, leaf: int, column: int) -> tuple[float, float]:
    interval = tree.boxes[leaf].intervals.get(column)
    return (-np.inf, np.inf) if interval is None else (interval.low, interval.high)


def _axis(ends: Floats, at: float, values: Floats | None, scale: float, steps: int) -> Floats:
    """Even points that cover the thresholds, the case and the other cases, and a bit more."""
    known: Floats = np.append(ends.ravel(), at)
    if values is not None:
        known = np.append(known, values)
    known = known[np.abs(known) <= FARTHEST_VALUE]
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)
    margin = 0.04 * (high - low) if values is not None and high > low else scale
    if not 0 < margin <= FARTHEST_VALUE:
        margin = 1.0
    margin = max(margin, 1e-13 * max(abs(low), abs(high)))  # what is less is rounded away
    return np.linspace(low - margin, high + margin, steps)


def _shared_edges(
    rectangles: Floats, labels: Ints, view: tuple[float, float, float, float]
) -> Iterator[Floats]:
    """Upright segments where the right side of one is the left side of another class."""
    left, right, bottom, top = rectangles.T
    for i in range(len(rectangles)):
        if not view[0] < right[i] < view[1]:
            continue
        for j in np.flatnonzero((left == right[i]) & (labels != labels[i])):
            low = max(bottom[i], bottom[j], view[2])
            high = min(top[i], top[j], view[3])
            if low < high:
                yield np.array([[right[i], low], [right[i], high]])
