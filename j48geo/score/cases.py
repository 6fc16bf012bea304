"""From rows to cases: the classes that the tree gives them, or labels laid over its leaves."""

from __future__ import annotations

import numpy as np

from j48geo.arrays import Bools, Floats, Ints
from j48geo.core.counts import NodeCounts
from j48geo.core.routing import route
from j48geo.core.tree import BoxTree
from j48geo.java.numbers import SMALL
from j48geo.score.flags import Flag
from j48geo.score.predict import EQUAL, Prediction, leaf_distributions, predict
from j48geo.score.setting import Cases, Setting

__all__ = ["cases_of", "label_overlay", "overlay_classes", "spoken_distributions"]

PRINTED = 0.015
"""How far the printed weight and errors of a leaf together can be off, and a bit."""


def cases_of(setting: Setting, X: Floats) -> Cases:
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
    slack = PRINTED if counts.source == "text" else SMALL
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
    found = np.where(prediction.leaf >= 0, labels[prediction.leaf], prediction.predicted)
    divided = np.flatnonzero(prediction.leaf < 0)
    if not len(divided):
        return found
    spoken, speaks = spoken_distributions(tree, counts, labels)
    routes = route(tree, X[divided], counts.weight, counts.total, counts.empty)
    sums = np.zeros((len(divided), spoken.shape[1]))
    np.add.at(sums, routes.case, spoken[routes.leaf] * routes.share[:, None])
    touched = np.bincount(routes.case, speaks[routes.leaf], len(divided)) > 0
    largest = np.argmax(sums >= sums.max(axis=1, keepdims=True) - EQUAL, axis=1)
    touched &= ~np.isnan(sums.sum(axis=1))  # else only a label of all its leaves is known
    found[divided[touched]] = largest[touched]
    if prediction.doubts is not None:  # nobody knows the leaf
        near = (prediction.doubts & Flag.NEAR_THRESHOLD) != 0
        found[near & (prediction.predicted < 0)] = -1
    return found


def spoken_distributions(tree: BoxTree, counts: NodeCounts, labels: Ints) -> tuple[Floats, Bools]:
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
