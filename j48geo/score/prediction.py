"""Class and distribution of every case as Weka's J48 gives them: `predict`.

J48-TEXT-FORMAT section 3. Weka has two rules for the class. Its evaluation takes the arg
max of the distribution (`Prediction.predicted`); `classifyInstance` takes the first class
that exceeds those before it by more than 1e-6, without smoothing (`Prediction.classified`).
They differ for a few cases with missing values. `Flag` names the reasons why an estimate of a
case should be taken with care.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntFlag
from typing import NamedTuple

import numpy as np

from j48geo.arrays import Bools, Floats, Ints
from j48geo.core.cache import cached_for
from j48geo.core.counts import NodeCounts, leaf_basis
from j48geo.core.dataset import Dataset
from j48geo.core.routing import branch_shares, find_leaves, sum_divided_cases
from j48geo.core.tree import BoxTree
from j48geo.java.numbers import SMALL


class Flag(IntFlag):
    """Reasons why an estimate of a case should be taken with care, a bit each."""

    NO_CLASS = 1
    """The class of the case is not known, and so no distance: the prior."""
    NO_BOUNDARY = 2
    """A class has no boundary: its prior."""
    ONE_DISTANCE = 4
    """All cases have the same distance, so there is no bandwidth: shares at that distance."""
    EMPTY_PART = 8
    """No case shares the separator or leaf: all cases speak, as in GDK."""
    FAR = 16
    """Beyond the reach of all kernels: the classes of the nearest case."""
    NO_CASES = 32
    """Nothing to estimate from: the prior, or equal shares."""
    NOT_LARGEST = 64
    """The tree's class, which stands, is not the one with the largest probability."""
    NEAR_THRESHOLD = 128
    """A value lies within the rounding of a printed threshold: the text does not tell its leaf."""
    UNKNOWN_SHARES = 256
    """A missing value divides the case by counts that the text rounds, or does not give."""
    TIE = 512
    """Classes are equal: the one declared first is taken, if the order is known."""
    NO_DISTRIBUTION = 1024
    """The text does not give the classes of the leaf's cases."""
    ROUNDED = 2048
    """The distribution comes from counts that were printed with two decimals: off by up to 0.02."""


_NAMES = {flag: flag.name.lower().replace("_", "-") for flag in Flag if flag.name}


def flag_names(mask: int) -> list[str]:
    """The names of the bits that are set.

    Examples
    --------
    >>> flag_names(Flag.FAR | Flag.NO_BOUNDARY)
    ['no-boundary', 'far']
    """
    return [name for flag, name in _NAMES.items() if mask & flag]


EQUAL = 1e-12
"""Class weights this close are equal: they differ by the rounding of sums alone.

Weka compares them exactly, so among classes that tie but for rounding its arg max depends
on the order in which it once added up its rows. Where sums of weights were rounded no text
keeps that order, and the first class wins here, so that the answer does not depend on the
order of the rows. Where none was (`NodeCounts.exact`) Weka's rule holds as it stands.
"""


@dataclass(frozen=True, eq=False)
class Prediction:
    """Weka's answers.

    Parameters
    ----------
    distribution : array of float64, shape (n_cases, n_classes)
        Weight of each class; not normalised, since the shares of empty leaves are lost. A
        row of NaN where the counts do not determine it.
    predicted : array of int, shape (n_cases,)
        Class with the largest weight, the first of equals; -1 if it cannot be known.
    classified : array of int, shape (n_cases,)
        Class by the rule of ``classifyInstance``; -1 if it cannot be known.
    leaf : array of int, shape (n_cases,)
        Leaf that the case reaches; -1 where a missing value divides it, or a text does not
        tell which it is.
    doubts : array of int, shape (n_cases,), optional
        Where a text alone answers: what it leaves open, bits of `j48geo.score.prediction.Flag`.
    """

    distribution: Floats
    predicted: Ints
    classified: Ints
    leaf: Ints
    doubts: Ints | None = None


class _Leaves(NamedTuple):
    """What the leaves say, made once: rows of numbers, and the classes that follow from them."""

    numbers: Floats  # raw distributions; with Laplace smoothing these and the smoothed ones
    label: Ints
    predicted: Ints
    classified: Ints


def leaf_distributions(tree: BoxTree, counts: NodeCounts, *, laplace: bool = False) -> Floats:
    """Distribution that each leaf gives a case, shape (n_leaves, n_classes); read-only.

    n_k / N, or (n_k + 1) / (N + K) with `laplace`. An empty leaf (N <= 1e-6) gives that of
    its parent node. Without any weight: zeros, or 1 / K with `laplace`. NaN where unknown.
    """
    return cached_for(tree, _smoothed_distributions if laplace else _raw_distributions, counts)


def _raw_distributions(tree: BoxTree, counts: NodeCounts) -> Floats:
    basis = leaf_basis(tree, counts)
    total = basis.total[:, None]
    # Weka takes a total of less than 1e-6 for none; a comparison with NaN stays NaN below.
    nothing = total < SMALL
    raw: Floats = np.where(nothing, 0.0, basis.per_class / np.where(nothing, 1.0, total))
    raw.setflags(write=False)
    return raw


def _smoothed_distributions(tree: BoxTree, counts: NodeCounts) -> Floats:
    basis = leaf_basis(tree, counts)
    smoothed: Floats = (basis.per_class + 1.0) / (basis.total[:, None] + len(tree.classes))
    smoothed.setflags(write=False)
    return smoothed


def predict(tree: BoxTree, counts: NodeCounts, X: Floats, *, laplace: bool = False) -> Prediction:
    """Class and distribution of every case, as Weka gives them.

    Parameters
    ----------
    counts
        Weights of the nodes, from training data or as far as the text gives them. Where
        they do not determine the distribution the class may still be known: it is the
        label of the leaf, or the common label of all leaves that a divided case reaches.
    X : array of float64, shape (n_cases, n_attributes)
    laplace
        Whether the tree was grown with ``-A``.
    """
    leaves = cached_for(tree, _smoothed_leaves if laplace else _raw_leaves, counts)
    n_classes = len(tree.classes)
    leaf = find_leaves(tree, X)
    distribution = np.take(leaves.numbers[:, -n_classes:], leaf, axis=0)
    predicted, classified = leaves.predicted[leaf], leaves.classified[leaf]
    divided = np.flatnonzero(leaf < 0)
    if len(divided):
        shares = cached_for(tree, weka_shares, counts)
        numbers, label = sum_divided_cases(tree, X[divided], shares, leaves.numbers, leaves.label)
        distribution[divided] = numbers[:, -n_classes:]
        predicted[divided], classified[divided] = _find_classes(counts, numbers, label, n_classes)
    prediction = Prediction(distribution, predicted, classified, leaf)
    if counts.source == "data" or counts.total is not None:
        return prediction
    return _limit_to_text(tree, X, leaf < 0, prediction, laplace)


def weka_shares(tree: BoxTree, counts: NodeCounts) -> Floats:
    """What each node gets of a case whose value is missing where its parent asks."""
    return branch_shares(tree, counts.weight, counts.total, counts.empty)


def _raw_leaves(tree: BoxTree, counts: NodeCounts) -> _Leaves:
    return _leaves(tree, counts, leaf_distributions(tree, counts))


def _smoothed_leaves(tree: BoxTree, counts: NodeCounts) -> _Leaves:
    both = [leaf_distributions(tree, counts, laplace=smoothed) for smoothed in (False, True)]
    return _leaves(tree, counts, np.hstack(both))


def _leaves(tree: BoxTree, counts: NodeCounts, numbers: Floats) -> _Leaves:
    label = np.array([leaf.label for leaf in tree.leaves], dtype=np.intp)
    return _Leaves(numbers, label, *_find_classes(counts, numbers, label, len(tree.classes)))


def _find_classes(
    counts: NodeCounts, numbers: Floats, label: Ints, n_classes: int
) -> tuple[Ints, Ints]:
    """The two classes of Weka; `label` is that of the leaves that speak, -1 if they differ."""
    plain, distribution = numbers[:, :n_classes], numbers[:, -n_classes:]
    classified = _first_exceeding(plain)
    if counts.total is None:
        classified = _class_of(plain, label, classified, 0.0 if counts.exact else EQUAL)
    return choose_classes(distribution, label, exact=counts.exact), classified


def choose_classes(distribution: Floats, label: Ints, *, exact: bool) -> Ints:
    """`Prediction.predicted` of distributions, shape (n_cases,).

    Parameters
    ----------
    label : array of int, shape (n_cases,)
        The label on which all leaves of the case agree, -1 if they do not: the class where
        the distribution does not decide.
    exact
        Whether every bit is Weka's (`NodeCounts.exact`), so that its rule holds as it stands.
    """
    equal = 0.0 if exact else EQUAL
    return _class_of(distribution, label, find_first_largest(distribution, equal), equal)


def _limit_to_text(
    tree: BoxTree, X: Floats, divided: Bools, found: Prediction, laplace: bool
) -> Prediction:
    """The answers of a text alone: nothing where its rounding would decide."""
    from j48geo.score.uncertainty import drop_rounded, find_doubtful_rows, leaf_flags

    distribution, leaf = found.distribution.copy(), found.leaf.copy()
    predicted, classified = found.predicted.copy(), found.classified.copy()
    if laplace and tree.header.inferred:
        distribution[:] = np.nan  # smoothing counts the classes, and a text may lack some
    # A leaf that prints (0.0) says its label, whether it is empty or weighs less than 0.005.
    labels = np.array([k.label if k.weight == 0 else -1 for k in tree.leaves] + [-1], dtype=np.intp)
    by_label = labels[leaf] >= 0
    predicted[by_label] = classified[by_label] = labels[leaf[by_label]]
    open_ = find_doubtful_rows(tree, X, divided, laplace)
    distribution = drop_rounded(tree, distribution, found.leaf, open_, laplace)
    distribution[open_.rows[~open_.known & open_.near]] = np.nan
    leaf[open_.rows[open_.near]] = -1
    predicted[open_.rows] = open_.label
    classified[open_.rows] = open_.classified
    doubts = leaf_flags(tree, distribution)
    doubts[open_.rows] |= open_.flags
    doubts[predicted < 0] |= Flag.NO_CLASS
    return Prediction(distribution, predicted, classified, leaf, doubts)


def is_contradicted(distribution: Floats, predicted: Ints) -> Bools:
    """Whether another class than the predicted one is the most probable, shape (n_cases,)."""
    own = distribution[np.arange(len(predicted)), predicted]
    is_less: Bools = own < distribution.max(axis=1, initial=0.0) - EQUAL
    return is_less & (predicted >= 0)


def _class_of(distribution: Floats, label: Ints, chosen: Ints, equal: float) -> Ints:
    """The chosen class where the distribution decides, else the label of the leaves."""
    largest = distribution.max(axis=1, initial=0.0)
    decided = largest > 0  # False for NaN too
    # Equal weights go to the class declared first, and so does Weka's label. Where the
    # order of the classes was only guessed from the text, the label is the one to believe.
    row = np.arange(len(label))
    gap = np.abs(distribution[row, label] - distribution[row, chosen])
    return np.where(decided & ~((label >= 0) & (gap <= equal)), chosen, label)


def find_first_largest(distribution: Floats, equal: float) -> Ints:
    """The arg max; weights within `equal` are equal, and the first of them wins."""
    largest = distribution.max(axis=1, keepdims=True, initial=0.0)
    first: Ints = np.argmax(distribution >= largest - equal, axis=1)
    return first


def _first_exceeding(distribution: Floats) -> Ints:
    """``classifyInstance``: the best so far gives way only to more than 1e-6 above it."""
    best = np.full(len(distribution), -1.0)
    chosen = np.zeros(len(distribution), dtype=np.intp)
    for k in range(distribution.shape[1]):
        better = distribution[:, k] - best > SMALL
        best = np.where(better, distribution[:, k], best)
        chosen[better] = k
    return chosen


class PredictedBlock(NamedTuple):
    """Rows, what is predicted for them, and the number of the first of them."""

    first_row: int
    rows: Dataset
    prediction: Prediction


def actual_classes(rows: Dataset) -> Ints:
    """Index of the class of each row, -1 if missing."""
    values = rows.class_values
    return np.where(np.isnan(values), -1, values).astype(np.intp)


class PredictionTally:
    """Counts what was predicted, to say it in words at the end.

    Parameters
    ----------
    whole
        Whether several trees answer together: then a row has no leaf.
    """

    def __init__(self, *, whole: bool = False) -> None:
        self.whole = whole
        self.rows = 0
        self.known = 0
        self.right = 0
        self.divided = 0
        self.without_distribution = 0
        self.without_class = 0
        self.near = 0

    def add(self, block: PredictedBlock) -> None:
        """Count the rows of a block."""
        p = block.prediction
        actual = block.rows.class_values
        known = ~np.isnan(actual) & (p.predicted >= 0)
        self.rows += len(p.predicted)
        self.known += int(known.sum())
        self.right += int((p.predicted[known] == actual[known]).sum())
        near = np.zeros(len(p.leaf), dtype=np.bool_)
        if p.doubts is not None:
            near = (p.doubts & Flag.NEAR_THRESHOLD) != 0
        self.near += int((near & (p.predicted < 0)).sum())
        self.divided += 0 if self.whole else int(((p.leaf < 0) & ~near).sum())
        self.without_distribution += int(np.isnan(p.distribution).any(axis=1).sum())
        self.without_class += int((p.predicted < 0).sum())
