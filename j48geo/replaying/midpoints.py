"""Thresholds of ``-doNotMakeSplitPointActualValue``: the middle between two values of the data.

Such a threshold is in no row, but J48 found it between two neighbours among the rows of its
node (J48-TEXT-FORMAT section 5). Where the middle of today's neighbours prints as the text
does, that is the threshold, to the last bit. Subtree raising may have sent more rows to the
node since; then it is the middle of two values that were neighbours before.
"""

from __future__ import annotations

import numpy as np

from j48geo.arrays import Floats
from j48geo.core.descent import find_branches
from j48geo.core.tree import BoxTree, Split
from j48geo.java.numbers import HALF_UNIT, compatible

__all__ = ["midpoint_choices"]

NARROWEST = 1e-5
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
    found: dict[int, tuple[float, ...]] = {}
    rows = {0: np.arange(len(X), dtype=np.intp)}
    for node in tree.nodes:
        here = rows.pop(node.index)
        split = node.split
        if split is None:
            continue
        x = X[here, split.attribute]
        if split.kind == "numeric" and split.slack > 0:
            choices = _middles(np.unique(x[~np.isnan(x)]), split.threshold)
            if choices:
                found[node.index] = choices
                split = _moved(split, choices[0])
        branch = find_branches(split, x, tree.tolerance)
        for k, child in enumerate(node.children):
            # A missing value goes every way, with a part of its weight.
            rows[child] = here[(branch == k) | (branch < 0)]
    return found


def _moved(split: Split, threshold: float) -> Split:
    return Split(split.attribute, "numeric", threshold=threshold, closed=split.closed)


def _middles(values: Floats, printed: float) -> tuple[float, ...]:
    """One middle of two of the ascending `values` for each way to part them near `printed`."""
    inside = values[compatible(values, printed)]
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
        fits = (high - low > NARROWEST) & compatible((low + high) / 2, printed)
    return low[fits], high[fits]
