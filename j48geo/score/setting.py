"""The contract of all scores: what they depend on (`Setting`), what they are given (`Cases`).

A `Setting` is made once and can be sent anywhere; `classify_cases` makes `Cases` of one block of
rows: the classes that the tree gives them, or the labels laid over its leaves.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from j48geo import defaults
from j48geo.arrays import Bools, Floats, Ints
from j48geo.compilation import Engine
from j48geo.core.counts import NodeCounts
from j48geo.core.dataset import Dataset
from j48geo.core.fitted_values import FittedValues, LeafValues, Metric, NearbyLeaves
from j48geo.core.routing import route_cases
from j48geo.core.tree import BoxTree
from j48geo.errors import ChoiceError, NeedsTrainingError
from j48geo.geometry.distance import (
    boundary_distance,
    class_boundary,
    class_distances,
    has_boundary,
)
from j48geo.java.numbers import SMALL
from j48geo.score.leaf_estimates import Estimate, estimate_leaves, m_times_p
from j48geo.score.prediction import EQUAL, Flag, Prediction, leaf_distributions, predict

Within = Literal["g", "nearby"]


@dataclass(frozen=True, eq=False)
class Setting:
    """Everything that the scores of cases depend on: tree, counts, metric, positive class, options.

    Parameters
    ----------
    positive
        Index of the positive class.
    training
        Training data, for scores that learn from it.
    estimate, mp
        Kind of leaf estimate, see `j48geo.score.leaf_estimates.estimate_leaves`.
    boundary
        With more than two classes: ``class`` measures to the boundary of the positive
        class against all others (-h_c), ``any`` to the literal Γ of AB05. With two classes
        they are the same.
    labels : array of int, shape (n_leaves,)
        Labels of the leaves, if not the tree's own.
    face_tree
        The tree whose faces are measured, if not the same (`midgap_tree`).
    laplace
        Whether the tree was grown with ``-A``, which may change predictions.
    fitted_nearby
        What the nearby-leaf average has learnt, if it is known already.
    sigma
        Width of the error that the nearby-leaf average allows for, see
        `j48geo.score.nearby.average.fit_nearby`.
    leaves
        What the leaves say that the nearby-leaf average averages.
    shrinkage
        λ of the leaf estimates that are drawn towards the nodes above, see
        `j48geo.score.leaf_estimates.shrunken_estimates`; None for the default of the method.
    spread
        Standard deviation of every attribute in the training data, if it is known already.
    within
        What orders cases of equal leaf estimates in the local ranking: ``g``, the
        geometric score, or ``nearby``, the nearby-leaf average.
    """

    tree: BoxTree
    counts: NodeCounts
    metric: Metric
    positive: int
    training: Dataset | None = None
    estimate: Estimate = "laplace"
    mp: float = defaults.MP
    boundary: Literal["class", "any"] = "class"
    labels: Ints | None = None
    face_tree: BoxTree | None = None
    laplace: bool = False
    engine: Engine = "auto"
    sigma: float = defaults.SIGMA
    within: Within = "g"
    leaves: LeafValues = "laplace"
    shrinkage: float | None = None
    fitted_nearby: NearbyLeaves | None = None
    spread: Floats | None = None

    def __post_init__(self) -> None:
        n = len(self.tree.classes)
        if not 0 <= self.positive < n:  # -1 would quietly be the last class
            raise ChoiceError("positive", f"{self.positive}: expected a class from 0 to {n - 1}")

    @property
    def measured(self) -> BoxTree:
        """The tree whose faces are measured."""
        return self.tree if self.face_tree is None else self.face_tree

    @cached_property
    def leaf_estimates(self) -> Floats:
        """Estimated probability of the positive class at every leaf, shape (n_leaves,)."""
        return estimate_leaves(self.tree, self.counts, self.positive, self.estimate, mp=self.mp)

    @cached_property
    def nearby(self) -> NearbyLeaves:
        """What the nearby-leaf average has learnt from the training data.

        Raises
        ------
        NeedsTrainingError
            If there is no training data.
        """
        if self.fitted_nearby is not None:
            return self.fitted_nearby
        if self.training is None:
            raise NeedsTrainingError(
                "the nearby-leaf average learns faces and spreads from the training data"
            )
        from j48geo.score.nearby.average import fit_nearby  # most rankings need none

        strength = defaults.LEAF_SHRINKAGE if self.shrinkage is None else self.shrinkage
        return fit_nearby(
            self.tree,
            self.counts,
            self.training.X,
            sigma=self.sigma,
            leaf_values=self.leaves,
            shrinkage=strength,
            spread=self.spread,
        )

    @cached_property
    def has_boundary(self) -> bool:
        """Whether there is a boundary to measure the positive class by."""
        c = None if self.boundary == "any" else self.positive
        return has_boundary(self.tree, labels=self.labels, c=c)


@dataclass(frozen=True, eq=False)
class Cases:
    """Cases and what is known of them: what a score function is given.

    Parameters
    ----------
    X : array of float64, shape (n_cases, n_attributes)
    prediction
        Weka's answers.
    predicted : array of int, shape (n_cases,)
        c(x): Weka's class, or with an overlay of labels the label of the case's leaf.
    """

    setting: Setting
    X: Floats
    prediction: Prediction
    predicted: Ints

    @cached_property
    def distance(self) -> Floats:
        """d(x, Γ), shape (n_cases,)."""
        s = self.setting
        return boundary_distance(
            s.measured, self.X, s.metric, self.predicted, labels=s.labels, engine=s.engine
        )

    @cached_property
    def class_distances(self) -> Floats:
        """d(x, Γ_c) for every class, shape (n_cases, n_classes)."""
        s = self.setting
        if len(s.tree.classes) == 2:
            return np.stack([self.distance, self.distance], axis=1)
        return class_distances(
            s.measured, self.X, s.metric, self.predicted, labels=s.labels, engine=s.engine
        )

    @cached_property
    def nearby(self) -> Floats:
        """The nearby-leaf average of every class, shape (n_cases, n_classes)."""
        from j48geo.score.nearby.average import nearby_distribution

        s = self.setting
        return nearby_distribution(s.tree, s.nearby, self.X, engine=s.engine)

    def class_distance(self, c: int) -> Floats:
        """d(x, Γ_c) for one class, shape (n_cases,)."""
        s = self.setting
        if len(s.tree.classes) == 2:
            return self.distance
        if "class_distances" in self.__dict__:
            return self.class_distances[:, c]
        return class_boundary(
            s.measured, self.X, s.metric, self.predicted, c, labels=s.labels, engine=s.engine
        ).distance


def restore_mp(counts: NodeCounts, fitted: FittedValues, positive: int) -> float:
    """M p(c) of the m-estimate for this positive class."""
    root = counts.per_class[0]
    if fitted.m is None or not root.sum() > 0:
        return defaults.MP
    return m_times_p(counts, positive, fitted.m)


Score = Callable[[Setting, Cases], "Floats | tuple[Floats, Floats]"]
"""A score: numbers of which larger is better, one a case, shape (n_cases,).

A pair is a score and what orders cases of equal score. It must be pure, and depend on each
case alone: cases come in blocks of any size. What it learns from ``setting.training`` it may
keep by the identity of the setting (``functools.lru_cache`` on a function of it will do).
"""


PRINTED_SLACK = 0.015
"""How far the printed weight and errors of a leaf together can be off, and a bit."""


def classify_cases(setting: Setting, X: Floats) -> Cases:
    """Rows with Weka's answers about them.

    Parameters
    ----------
    X : array of float64, shape (n_cases, n_attributes)
        Columns in the order of the tree's header.

    Raises
    ------
    MismatchError
        If `X` has more or fewer columns.
    """
    prediction = predict(setting.tree, setting.counts, X, laplace=setting.laplace)
    predicted = prediction.predicted
    if setting.labels is not None:
        predicted = overlay_classes(setting.tree, setting.counts, X, setting.labels, prediction)
    return Cases(setting, X, prediction, predicted)


def label_overlay(tree: BoxTree, counts: NodeCounts) -> Ints | None:
    """The tree's own labels, if they are not the majorities of its counts, else None.

    J48 labels a leaf with its majority. A tree that says otherwise was relabelled, and its
    labels are what it means.
    """
    labels = np.array([leaf.label for leaf in tree.leaves], dtype=np.intp)
    rows = counts.leaves(tree)
    own = rows[np.arange(len(labels)), labels]
    slack = PRINTED_SLACK if counts.source == "text" else SMALL
    with np.errstate(invalid="ignore"):
        other = (rows.max(axis=1) > own + slack).any()
    return labels if other else None


def overlay_classes(
    tree: BoxTree, counts: NodeCounts, X: Floats, labels: Ints, prediction: Prediction
) -> Ints:
    """The label of each case's leaf, shape (n_cases,).

    A case that a missing value divides keeps Weka's class, unless part of it reaches a leaf
    with a new label. Then such leaves speak for their new label as they did for their
    majority: the two classes change places in the leaf's distribution, and the class with
    the largest sum wins, the first of equals. Where distributions are not known, the
    label to which most of the case goes.

    Parameters
    ----------
    labels : array of int, shape (n_leaves,)
    prediction
        Weka's answers for these cases.
    """
    labels = np.asarray(labels, dtype=np.intp)
    classes = np.where(prediction.leaf >= 0, labels[prediction.leaf], prediction.predicted)
    divided = np.flatnonzero(prediction.leaf < 0)
    if not len(divided):
        return classes
    spoken, speaks = overlay_distributions(tree, counts, labels)
    routes = route_cases(tree, X[divided], counts.weight, counts.total, counts.empty)
    sums = np.zeros((len(divided), spoken.shape[1]))
    np.add.at(sums, routes.case, spoken[routes.leaf] * routes.share[:, None])
    touched = np.bincount(routes.case, speaks[routes.leaf], len(divided)) > 0
    largest = np.argmax(sums >= sums.max(axis=1, keepdims=True) - EQUAL, axis=1)
    touched &= ~np.isnan(sums.sum(axis=1))  # else only a label of all its leaves is known
    classes[divided[touched]] = largest[touched]
    if prediction.doubts is not None:  # nobody knows the leaf
        near = (prediction.doubts & Flag.NEAR_THRESHOLD) != 0
        classes[near & (prediction.predicted < 0)] = -1
    return classes


def overlay_distributions(tree: BoxTree, counts: NodeCounts, labels: Ints) -> tuple[Floats, Bools]:
    """What each leaf says for a case that is divided, shape (n_leaves, n_classes).

    Also whether that is something else than Weka says, shape (n_leaves,): a new label, or a
    label instead of a distribution that is not known.
    """
    spoken = leaf_distributions(tree, counts).copy()
    row = np.arange(len(labels))
    most = np.argmax(spoken, axis=1)
    new: Bools = spoken[row, most] - spoken[row, labels] > EQUAL
    unknown: Bools = np.isnan(spoken.sum(axis=1))
    spoken[unknown] = np.eye(spoken.shape[1])[labels[unknown]]
    spoken[row[new], labels[new]], spoken[row[new], most[new]] = (
        spoken[row[new], most[new]],
        spoken[row[new], labels[new]],
    )
    return spoken, new | unknown
