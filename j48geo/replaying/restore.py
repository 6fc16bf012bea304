"""Thresholds as they were before they were printed with six decimals.

J48's thresholds are values of the training data. Of the values that a printed number can
stand for, the largest restores the routing of every training row (J48-TEXT-FORMAT
section 5).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from j48geo.arrays import Floats
from j48geo.core.tree import BoxTree, Split
from j48geo.java.numbers import HALF_UNIT, compatible

__all__ = ["RestoredThreshold", "restored_thresholds", "threshold_choices"]


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
    asked: dict[int, list[tuple[int, float, float]]] = {}
    for node, split in tree.splits:
        half_unit = _rounding(tree, split)
        if half_unit:
            asked.setdefault(split.attribute, []).append((node.index, split.threshold, half_unit))
    found: dict[int, tuple[float, ...]] = {}
    for a, rounded in asked.items():
        found.update(_fitting(np.sort(X[~np.isnan(X[:, a]), a]), rounded))
    return found


def _fitting(
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
    for k in np.flatnonzero(compatible(alone, threshold[one], half_unit[one])).tolist():
        yield rounded[one[k]][0], (float(alone[k]),)
    for k in np.flatnonzero(count > 1).tolist():
        node, t, h = rounded[k]
        near = values[first[k] : first[k] + count[k]]
        if fitting := near[compatible(near, t, h)].tolist():
            yield node, tuple(reversed(fitting))


def _rounding(tree: BoxTree, split: Split) -> float:
    """How far the printed threshold may be off: half a unit of its last decimal, or 0.

    Weka's own texts say it by the slack of the split. Other producers' numbers count as
    exact, and are off by their own number of decimals if they are not.
    """
    if split.kind != "numeric":
        return 0.0
    if tree.layout.dialect == "weka":
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
