"""Criteria of splits as array functions: impurities, the area under the ROC curve, information."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, get_args

import numpy as np

from j48geo.arrays import Floats

Criterion = Literal[
    "gain-ratio", "gain", "gini", "dkm", "error", "auc", "asymmetric", "off-centred"
]
CRITERIA: tuple[Criterion, ...] = get_args(Criterion)

ImpurityFunction = Callable[[Floats], Floats]
"""Shares of the classes, shape (..., n_classes) -> impurity, shape (...)."""


def gini(f: Floats) -> Floats:
    """Σ f (1 - f); two classes: 2ab (FFH02 section 3.2)."""
    impurity: Floats = (f * (1.0 - f)).sum(axis=-1)
    return impurity


def dkm(f: Floats) -> Floats:
    """2 √(ab) of two classes (Kearns and Mansour)."""
    impurity: Floats = 2.0 * np.sqrt(f[..., 0] * f[..., 1])
    return impurity


def error(f: Floats) -> Floats:
    """Share of all classes but the largest."""
    impurity: Floats = 1.0 - f.max(axis=-1)
    return impurity


def entropy(f: Floats) -> Floats:
    """Shannon's entropy in bits."""
    # Taken from 0, so that a pure node has 0 and not -0.
    impurity: Floats = 0.0 - (f * np.log2(np.where(f > 0, f, 1.0))).sum(axis=-1)
    return impurity


def asymmetric(w: Floats) -> ImpurityFunction:
    """Σ f (1 - f) / ((1 - 2w) f + w²): largest at f = w (MZR08 section 2)."""

    def at(f: Floats) -> Floats:
        impurity: Floats = (f * (1.0 - f) / ((1.0 - 2.0 * w) * f + w * w)).sum(axis=-1)
        return impurity

    return at


def off_centred(w: float) -> ImpurityFunction:
    """Entropy of two classes moved so that the share w of the first becomes one half."""

    def at(f: Floats) -> Floats:
        p = f[..., 0]
        moved = np.where(p <= w, p / (2.0 * w), (p + 1.0 - 2.0 * w) / (2.0 * (1.0 - w)))
        return entropy(np.stack([moved, 1.0 - moved], axis=-1))

    return at


def impurity_of(criterion: Criterion, w: Floats) -> ImpurityFunction:
    """The impurity of a criterion that has one.

    Parameters
    ----------
    w : array of float64, shape (n_classes,)
        Shares of largest uncertainty, for the criteria that are not symmetric.
    """
    match criterion:
        case "gini":
            return gini
        case "dkm":
            return dkm
        case "error":
            return error
        case "asymmetric":
            return asymmetric(w)
        case "off-centred":
            return off_centred(float(w[0]))
    return entropy


def area(plus: Floats, minus: Floats) -> Floats:
    """Area under the ROC curve of the branches, in the order of their share of the first class.

    Parameters
    ----------
    plus, minus : arrays of float64, shape (..., n_branches)
        Counts of both classes; a branch with nothing in it has no part.

    Notes
    -----
    AUCsplit, FFH02 definition 8. Two branches: (1 + |p1/p - n1/n|) / 2.
    """
    total = plus + minus
    share = plus / np.where(total > 0, total, 1.0)
    order = np.argsort(-share, axis=-1, kind="stable")
    plus = np.take_along_axis(plus, order, axis=-1)
    minus = np.take_along_axis(minus, order, axis=-1)
    before = np.cumsum(plus, axis=-1) - plus
    squares = plus.sum(axis=-1) * minus.sum(axis=-1)
    auc: Floats = (minus * (2.0 * before + plus)).sum(axis=-1) / np.where(
        squares > 0, 2.0 * squares, 1.0
    )
    return np.where(squares > 0, auc, 0.5)


def split_information(weight: Floats) -> Floats:
    """Entropy of the sizes of the branches, shape (..., n_branches) -> (...)."""
    total = weight.sum(axis=-1, keepdims=True)
    return entropy(weight / np.where(total > 0, total, 1.0))
