"""Criteria of a split as plain formulas, number by number (FFH02 section 3.2, MZR08 section 2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log2, sqrt

from j48geo.decide.labellings import leaf_auc
from j48geo.decide.leaf_counts import PositiveCounts
from j48geo.decide.leaf_order import order_leaves

Shares = Sequence[float]
"""Share of each class at a node; they sum to 1."""


def error(f: Shares) -> float:
    """Share of all classes but the largest; two classes: min(a, b)."""
    return 1.0 - max(f)


def gini(f: Shares) -> float:
    """Σ f (1 - f); two classes: 2ab (FFH02 section 3.2, MZR08 section 2)."""
    return sum(x * (1.0 - x) for x in f)


def entropy(f: Shares) -> float:
    """Shannon's entropy in bits."""
    return -sum(x * log2(x) for x in f if x > 0) + 0.0


def dkm(f: Shares) -> float | None:
    """2 √(ab) of Kearns and Mansour; None unless there are two classes."""
    return 2.0 * sqrt(f[0] * f[1]) if len(f) == 2 else None


def asymmetric_entropy(f: Shares, w: Shares) -> float | None:
    """The entropy h_W(f) = Σ f (1 - f) / ((1 - 2w) f + w²); None if W has a 0 or a 1.

    It is largest at f = W, where it is the number of classes.

    Notes
    -----
    MZR08 section 2. With two classes and w = 1/2 it is four times Gini.

    Examples
    --------
    >>> asymmetric_entropy([0.25, 0.75], [0.25, 0.75])
    2.0
    """
    if not all(0 < x < 1 for x in w):
        return None
    return sum(x * (1.0 - x) / ((1.0 - 2.0 * at) * x + at * at) for x, at in zip(f, w, strict=True))


def off_centred_entropy(f: Shares, w: Shares) -> float | None:
    """Entropy of the shares moved so that W becomes one half; two classes only, else None.

    Notes
    -----
    MZR08 section 2, after Lallich and others: π = p / (2w) up to w, (p + 1 - 2w) / (2 (1 - w))
    from there.
    """
    if len(f) != 2 or not all(0 < x < 1 for x in w):
        return None
    p, at = f[0], w[0]
    moved = p / (2.0 * at) if p <= at else (p + 1.0 - 2.0 * at) / (2.0 * (1.0 - at))
    return entropy([moved, 1.0 - moved])


def mean_impurity(
    branches: Sequence[Shares], impurity: Callable[[Shares], float | None]
) -> float | None:
    """I(s) = Σ p_j f(branch j), from counts; empty branches have no part in it."""
    total = sum(map(sum, branches))
    if not total:
        return None
    mean = 0.0
    for counts in branches:
        n = sum(counts)
        if n:
            found = impurity([k / n for k in counts])
            if found is None:
                return None
            mean += n / total * found
    return mean


def split_information(branches: Sequence[Shares]) -> float | None:
    """Entropy of the sizes of the branches."""
    total = sum(map(sum, branches))
    return entropy([sum(counts) / total for counts in branches]) if total else None


def gain_ratio(branches: Sequence[Shares]) -> float | None:
    """Gain of entropy by split information; None if all cases go one way."""
    information = split_information(branches)
    if not information:
        return None
    parent = mean_impurity([[sum(column) for column in zip(*branches, strict=True)]], entropy)
    children = mean_impurity(branches, entropy)
    assert parent is not None
    assert children is not None
    return (parent - children) / information


def auc_split(branches: Sequence[Shares], positive: int) -> float | None:
    """AUC of the branches in the order of their accuracy; None if a class is absent.

    Notes
    -----
    FFH02 definition 8. Two branches: (1 + |p1/p - n1/n|) / 2.

    Examples
    --------
    >>> auc_split([[3, 5], [5, 1], [4, 2]], positive=0)
    0.71875
    """
    plus = [row[positive] for row in branches]
    rest = [sum(row[:positive]) + sum(row[positive + 1 :]) for row in branches]
    area = leaf_auc(order_leaves(PositiveCounts.of(plus, rest)))
    return None if area is None else float(area)
