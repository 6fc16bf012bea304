"""From the nearest leaf back to the case: its projection, and the test that separates them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from j48geo.arrays import Bools, Floats, Ints
from j48geo.core.cache import cached_for
from j48geo.core.descent import build_split_table
from j48geo.core.fitted_values import Metric
from j48geo.core.tree import BoxTree
from j48geo.geometry.faces import Faces, find_faces

_BLOCK = 100_000


@dataclass(frozen=True, eq=False)
class CaseSeparators:
    """For each case the test of its nearest leaf that carries the projection.

    Parameters
    ----------
    attribute : array of int, shape (n_cases,)
        Column that is tested; -1 where the leaf refuses the case no test, or there is no
        leaf. That happens to cases that a missing value divides.
    threshold : array of float64, shape (n_cases,)
        Place of the face; NaN for a nominal test and where there is none.
    node : array of int, shape (n_cases,)
        Tree node that made the face, -1 if there is none. Cases with the same node have
        the same separator.
    margin : array of float64, shape (n_cases,)
        Scaled distance from the case to the face.
    """

    attribute: Ints
    threshold: Floats
    node: Ints
    margin: Floats


class _Pairs(NamedTuple):
    """Cases with the bounds of their leaves, sorted by case and then by attribute."""

    case: Ints
    bound: Ints
    first: Ints
    """Where the bounds of each case begin; cases whose leaf has none are left out."""


def _pairs(faces: Faces, leaf: Ints) -> Iterator[_Pairs]:
    for begin in range(0, len(leaf), _BLOCK):
        part = leaf[begin : begin + _BLOCK]
        lengths = np.where(part >= 0, faces.start[part + 1] - faces.start[part], 0)
        cases = np.flatnonzero(lengths)
        lengths = lengths[cases]
        first = np.cumsum(lengths) - lengths
        bound = np.arange(lengths.sum()) + np.repeat(faces.start[part[cases]] - first, lengths)
        yield _Pairs(np.repeat(cases + begin, lengths), bound, first)


def project_cases(tree: BoxTree, X: Floats, nearest_leaf: Ints) -> Floats:
    """The point of the closed box of the nearest leaf that is nearest to each case.

    A row of NaN where there is no leaf; a missing value stays missing; a nominal value
    outside the leaf's set becomes the first value of the set.

    Notes
    -----
    AB05 and ABD07 Algorithm 2.
    """
    faces = find_faces(tree)
    points = np.array(X, dtype=np.float64)
    points[nearest_leaf < 0] = np.nan
    first_value = faces.first_value.astype(np.float64)
    for case, bound, _ in _pairs(faces, nearest_leaf):
        column = faces.attribute[bound]
        x = points[case, column]
        subset = faces.subset[bound]
        nominal = subset >= 0
        inside = np.clip(x, np.where(nominal, x, faces.low[bound]), faces.high[bound])
        inside = np.where(nominal, x, inside)
        refused = nominal & ~_contains(faces, subset, x)
        points[case, column] = np.where(refused, first_value[subset], inside)
    return points


def find_separators(tree: BoxTree, X: Floats, metric: Metric, nearest_leaf: Ints) -> CaseSeparators:
    """Of the tests that the nearest leaf refuses each case, the one with the largest margin.

    Parameters
    ----------
    nearest_leaf : array of int, shape (n_cases,)
        From `j48geo.geometry.distance.boundary`; -1 if there is none.

    Notes
    -----
    Which tests are refused is found by asking them, as the tree itself would, and not by
    comparing the case with its projection: a case with x = b is refused by ``x > b``
    although its distance is 0. Ties go to the lowest attribute. ABD07 section 5.1.
    """
    faces = find_faces(tree)
    n = len(X)
    attribute = np.full(n, -1, dtype=np.intp)
    node = np.full(n, -1, dtype=np.intp)
    threshold = np.full(n, np.nan)
    margin = np.full(n, np.nan)
    table = cached_for(tree, build_split_table)
    for case, bound, first in _pairs(faces, nearest_leaf):
        if not len(case):
            continue
        column = faces.attribute[bound]
        x = X[case, column]
        low, high = faces.low[bound], faces.high[bound]
        low_node, high_node = faces.low_node[bound], faces.high_node[bound]  # -1 without a bound
        below = (low_node >= 0) & table.goes_left(low_node, x) & (faces.subset[bound] < 0)
        above = (high_node >= 0) & ~table.goes_left(high_node, x)
        outside = (faces.subset[bound] >= 0) & ~_contains(faces, faces.subset[bound], x)
        refused = (below | above | outside) & ~np.isnan(x)
        face = np.where(below, low, np.where(above, high, np.nan))
        with np.errstate(over="ignore", invalid="ignore"):
            far = np.abs(x - face) / metric.scale[column]
        # An infinite value at an infinite face lies on it.
        far = np.where(outside, metric.nominal_weight, np.where(np.isnan(far), 0.0, far))
        far = np.where(refused, far, -1.0)
        largest = np.maximum.reduceat(far, first)
        lengths = np.diff(first, append=len(case))
        hit = np.flatnonzero(refused & (far == np.repeat(largest, lengths)))
        rows, at = np.unique(case[hit], return_index=True)
        hit = hit[at]
        attribute[rows] = column[hit]
        threshold[rows] = face[hit]
        margin[rows] = far[hit]
        owner = np.where(above, high_node, low_node)
        node[rows] = owner[hit]
    return CaseSeparators(attribute, threshold, node, margin)


def _contains(faces: Faces, subset: Ints, x: Floats) -> Bools:
    """Whether the set of each bound contains the value; a missing one is in every set."""
    known = ~np.isnan(x) & (subset >= 0)
    value = np.where(known, x, 0).astype(np.intp)
    inside: Bools = ~known | faces.contains(subset, value)
    return inside
