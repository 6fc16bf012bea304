"""Exact thresholds for those that a text prints with six decimals.

J48's thresholds are values of the training data (`threshold_choices`), or with
``-doNotMakeSplitPointActualValue`` the middle between two of them (`midpoint_choices`).
Of the values that a printed number can stand for, the largest restores the routing of every
training row (J48-TEXT-FORMAT section 5).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from j48geo.arrays import Floats
from j48geo.core.descent import find_branches
from j48geo.core.tree import BoxTree, Split
from j48geo.java.numbers import HALF_UNIT, is_compatible


@dataclass(frozen=True)
class RestoredThreshold:
    """A threshold that the text gives only rounded.

    Parameters
    ----------
    node
        Index of the node.
    attribute
        Name of the attribute.
    printed
        The number as the text has it.
    value
        The value of the data that it stands for.
    """

    node: int
    attribute: str
    printed: str
    value: float


def threshold_choices(tree: BoxTree, X: Floats) -> dict[int, tuple[float, ...]]:
    """For each node with a rounded threshold the values of `X` it can stand for, largest first.

    Nodes without such a value are left out.

    Parameters
    ----------
    X : array of float64, shape (n_cases, n_attributes)
        All rows, also those without a class: Weka looks at them too.

    Notes
    -----
    J48 cuts between values more than 1e-5 apart, so at the node where a cut was found all
    choices route alike. Subtree raising may later send other rows there; then the largest
    is not always the right one.
    """
    rounded_by_column: dict[int, list[tuple[int, float, float]]] = {}
    for node, split in tree.splits:
        half_unit = _rounding(tree, split)
        if half_unit:
            rounded_by_column.setdefault(split.attribute, []).append(
                (node.index, split.threshold, half_unit)
            )
    choices: dict[int, tuple[float, ...]] = {}
    for a, rounded in rounded_by_column.items():
        choices.update(_find_fitting(np.sort(X[~np.isnan(X[:, a]), a]), rounded))
    return choices


def _find_fitting(
    values: Floats, rounded: list[tuple[int, float, float]]
) -> Iterator[tuple[int, tuple[float, ...]]]:
    """Nodes with the values that they can stand for; `rounded` is node, threshold, half unit."""
    # Sorted already; np.unique would load numpy.ma for it.
    values = values[np.concatenate([[True], values[1:] != values[:-1]])[: len(values)]]
    threshold = np.array([t for _, t, _ in rounded])
    half_unit = np.array([h for _, _, h in rounded])
    reach = 2 * half_unit + 4 * np.spacing(np.minimum(np.abs(threshold), 1e308))
    first = np.searchsorted(values, threshold - reach)
    count = np.searchsorted(values, threshold + reach) - first
    # Mostly there is one value near, or none: these are compared all at once.
    one = np.flatnonzero(count == 1)
    alone = values[first[one]]
    for k in np.flatnonzero(is_compatible(alone, threshold[one], half_unit[one])).tolist():
        yield rounded[one[k]][0], (float(alone[k]),)
    for k in np.flatnonzero(count > 1).tolist():
        node, t, h = rounded[k]
        near = values[first[k] : first[k] + count[k]]
        if fitting := near[is_compatible(near, t, h)].tolist():
            yield node, tuple(reversed(fitting))


def _rounding(tree: BoxTree, split: Split) -> float:
    """How far the printed threshold may be off: half a unit of its last decimal, or 0.

    Weka's own texts say it by the slack of the split. Other producers' numbers count as
    exact, and are off by their own number of decimals if they are not.
    """
    if split.kind != "numeric":
        return 0.0
    if tree.layout.is_weka:
        return HALF_UNIT if split.slack > 0 else 0.0
    decimals = split.token.partition(".")[2]
    return 0.5 * 10.0 ** -len(decimals) if decimals.isdecimal() else 0.0


def restored_thresholds(before: BoxTree, after: BoxTree) -> tuple[RestoredThreshold, ...]:
    """The thresholds of `after` that are other numbers than in `before`."""
    return tuple(
        RestoredThreshold(
            node.index,
            before.attribute(old).name,
            old.token or repr(old.threshold),
            new.threshold,
        )
        for (node, old), (_, new) in zip(before.splits, after.splits, strict=True)
        if old.kind == "numeric" and old.threshold != new.threshold
    )


NARROWEST_CUT = 1e-5
"""J48 cuts only between values that are further apart."""

MOST_PARTNERS = 100_000
"""Values of a node that are tried as the lower one of a pair, the nearest first."""


def midpoint_choices(tree: BoxTree, X: Floats) -> dict[int, tuple[float, ...]]:
    """For each node with a rounded threshold the middles it can stand for, the likeliest first.

    Choices of one node route its rows differently: one choice for each way. Nodes are left out
    where several middles would do and none is that of neighbours: nothing can tell which.

    Parameters
    ----------
    X : array of float64, shape (n_cases, n_attributes)
        The rows that the tree was grown from.
    """
    choices: dict[int, tuple[float, ...]] = {}
    rows = {0: np.arange(len(X), dtype=np.intp)}
    for node in tree.nodes:
        node_rows = rows.pop(node.index)
        split = node.split
        if split is None:
            continue
        x = X[node_rows, split.attribute]
        if split.kind == "numeric" and split.slack > 0:
            middles = _middles(np.unique(x[~np.isnan(x)]), split.threshold)
            if middles:
                choices[node.index] = middles
                split = _move_threshold(split, middles[0])
        branch = find_branches(split, x, tree.tolerance)
        for k, child in enumerate(node.children):
            # A missing value goes every way, with a part of its weight.
            rows[child] = node_rows[(branch == k) | (branch < 0)]
    return choices


def _move_threshold(split: Split, threshold: float) -> Split:
    return Split(split.attribute, "numeric", threshold=threshold, closed=split.closed)


def _middles(values: Floats, printed: float) -> tuple[float, ...]:
    """One middle of two of the ascending `values` for each way to part them near `printed`."""
    inside = values[is_compatible(values, printed)]
    low, high = _pairs(values, printed)
    middles = (low + high) / 2
    # The closest pair is the likeliest: the others had values between them that were not there.
    order = np.argsort(high - low, kind="stable")
    if not len(inside):
        place = int(np.searchsorted(values, printed))
        certain = (middles == middles[:1]).all() or (
            low[order[0]] == values[place - 1] and high[order[0]] == values[place]
        )
        return (float(middles[order[0]]),) if len(order) and certain else ()
    ways = np.searchsorted(inside, middles, side="right")
    likeliest: dict[int, float] = {}
    for k in order.tolist():
        likeliest.setdefault(int(ways[k]), float(middles[k]))
    return tuple(likeliest.values())


def _pairs(values: Floats, printed: float) -> tuple[Floats, Floats]:
    """Lower and upper values of the pairs whose middle prints as `printed`."""
    # The lower value of a pair is at most what the number can stand for, the upper at least.
    lower = values[: int(np.searchsorted(values, printed + 2 * HALF_UNIT))][-MOST_PARTNERS:]
    reach = 4 * HALF_UNIT
    with np.errstate(over="ignore", invalid="ignore"):
        first = np.searchsorted(values, 2 * printed - lower - reach)
        last = np.searchsorted(values, 2 * printed - lower + reach, side="right")
    counts = np.maximum(last - first, 0)
    low = np.repeat(lower, counts)
    offsets = np.arange(len(low)) - np.repeat(np.cumsum(counts) - counts, counts)
    high = values[np.repeat(first, counts) + offsets]
    with np.errstate(over="ignore"):
        fits = (high - low > NARROWEST_CUT) & is_compatible((low + high) / 2, printed)
    return low[fits], high[fits]
