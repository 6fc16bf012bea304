"""What rounding to float does to a tree: which thresholds and which rows are at risk."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

import numpy as np

from j48geo.arrays import Floats
from j48geo.core.descent import goes_left
from j48geo.export.tree_table import ExportError, ExportInput, TreeTable, quote_name, tree_of_table
from j48geo.score.prediction import find_first_largest, predict
from j48geo.text import pluralize

FLOAT_EQUAL = 1e-6
"""Sums of floats that are this close are equal."""

_SHOWN = 20


@dataclass(frozen=True)
class RoundingRisk:
    """The report of a tree in float.

    Parameters
    ----------
    summary
        One sentence.
    words
        That sentence, and a line for each threshold that sends rows at hand another way.
    """

    summary: str
    words: tuple[str, ...]


def round_bounds(table: TreeTable, subject: ExportInput) -> Floats:
    """The bounds of ``x <= bound`` in float, as doubles, shape (n_tests,).

    Thresholds are rounded to the nearest float, as the values of a row are: a value that lies
    on its threshold stays there. A test that asks for ``<`` gets the next float below.

    Raises
    ------
    ExportError
        If a threshold is too large for a float.
    """
    bounds = []
    for test in table.tests:
        split = table.tree.nodes[test.node].split
        open_ = split is not None and test.kind == "numeric" and not split.closed
        if open_ and split is not None and table.tree.tolerance == 0:
            bound = np.nextafter(_nearest_float(split.threshold + split.slack), np.float32(-np.inf))
        else:
            bound = _nearest_float(test.bound)
        if not isfinite(bound):
            raise ExportError(
                f"{subject.source}: the threshold {test.bound!r} of "
                f"{table.attribute(test).name!r} is too large for a float; expected double"
            )
        bounds.append(float(bound))
    return np.array(bounds)


def assess_rounding(subject: ExportInput, table: TreeTable, bounds: Floats) -> RoundingRisk:
    """Which thresholds change, and which of the rows at hand go another way for it."""
    numeric = [k for k, test in enumerate(table.tests) if test.kind == "numeric"]
    changed = sum(table.tests[k].bound != bounds[k] for k in numeric)
    opening = f"float32: {changed} of {pluralize(len(numeric), 'threshold')} rounded; "
    if subject.X is None:
        summary = f"{opening}no rows given to try: give DATA to see which are at risk"
        return RoundingRisk(summary, (f"{summary}.",))
    exact = tree_of_table(table)
    near = tree_of_table(table, bounds)
    rounded = _round_rows(subject.X)
    before = predict(exact, subject.counts, subject.X, laplace=subject.laplace)
    after = predict(near, subject.counts, rounded, laplace=subject.laplace)
    moved = (before.leaf != after.leaf) | (
        np.abs(before.distribution - after.distribution).max(axis=1, initial=0.0) > 1e-6
    )
    classes = table.classes
    whole = (before.leaf >= 0) & (after.leaf >= 0)
    says = after.predicted
    if table.exact:  # which the sums of floats are not
        tolerant = find_first_largest(after.distribution, FLOAT_EQUAL)
        says = np.where(after.distribution.max(axis=1, initial=0.0) > 0, tolerant, says)
    other = np.where(whole, classes[before.leaf] != classes[after.leaf], before.predicted != says)
    rows = pluralize(len(rounded), "row")
    summary = f"{opening}{int(moved.sum())} of {rows} reach other leaves, {int(other.sum())} "
    summary += "other classes"
    lines = []
    for k in numeric:
        test = table.tests[k]
        split, new = exact.nodes[test.node].split, near.nodes[test.node].split
        assert split is not None
        assert new is not None
        x, y = subject.X[:, test.attribute], rounded[:, test.attribute]
        known = ~np.isnan(x)
        risky = int((goes_left(split, x[known]) != goes_left(new, y[known])).sum())
        if risky:
            lines.append(
                f"At risk: {quote_name(table.attribute(test).name)} <= {test.bound!r} becomes "
                f"{float(bounds[k])!r}, which {pluralize(risky, 'value')} of these rows cross"
            )
    more = [f"... and {len(lines) - _SHOWN} more thresholds"] if len(lines) > _SHOWN else []
    return RoundingRisk(summary, (f"{summary}.", *lines[:_SHOWN], *more))


def _nearest_float(x: float) -> np.float32:
    with np.errstate(over="ignore"):
        return np.float32(x)


def _round_rows(X: Floats) -> Floats:
    with np.errstate(over="ignore"):
        return X.astype(np.float32).astype(np.float64)
