"""Thresholds as they were before they were printed with six decimals.

J48's thresholds are values of the training data. Of the values that a printed number can
stand for, the largest restores the routing of every training row (J48-TEXT-FORMAT
section 5).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ulp

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
    found: dict[int, tuple[float, ...]] = {}
    columns: dict[int, Floats] = {}
    for node, split in tree.splits:
        half_unit = _rounding(tree, split)
        if not half_unit:
            continue
        a = split.attribute
        if a not in columns:
            columns[a] = np.sort(X[~np.isnan(X[:, a]), a])
        near = _near(columns[a], split.threshold, half_unit)
        # Sorted already; np.unique would load numpy.ma for it.
        fitting = dict.fromkeys(near[compatible(near, split.threshold, half_unit)].tolist())
        if fitting:
            found[node.index] = tuple(reversed(fitting))
    return found


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


def _near(values: Floats, threshold: float, half_unit: float) -> Floats:
    """A few ascending values around the threshold, all compatible ones among them."""
    reach = 2 * half_unit + 4 * ulp(threshold)
    low, high = np.searchsorted(values, (threshold - reach, threshold + reach))
    return values[low:high]


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
