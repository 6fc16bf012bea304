"""Scores of a batch of cases: one pure function of a setting that can be sent anywhere.

A `Setting` is made once, and `score_batch` called for each block of cases: in a loop over a
file, in threads, in processes, or by any engine that maps a function over blocks. Ranks need
the scores of all blocks together, and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from j48geo.arrays import Bools, Floats, Ints
from j48geo.core.counts import NodeCounts
from j48geo.geometry.distance import algebraic_distances, has_boundary
from j48geo.score.cases import cases_of
from j48geo.score.predict import contradicted
from j48geo.score.registry import score_function
from j48geo.score.setting import Setting

__all__ = ["Batch", "default_positive", "notes", "score_batch"]


@dataclass(frozen=True, eq=False)
class Batch:
    """Scores of a block of cases.

    Parameters
    ----------
    score, within : array of float64, shape (n_cases,)
        What cases are ranked by, and among equals; `within` may be None.
    distance : array of float64, shape (n_cases,)
        d(x, Γ), whatever they are ranked by.
    predicted, leaf : array of int, shape (n_cases,)
        Class, -1 if unknown; leaf, -1 where a missing value divides the case.
    h : array of float64, shape (n_cases, n_classes)
        Algebraic distances, if asked for.
    contradicted : array of bool, shape (n_cases,)
        Where the nearby-leaf average, if cases are ranked by it, has another class than the
        tree, whose class stands; None for other scores.
    """

    score: Floats
    within: Floats | None
    distance: Floats
    predicted: Ints
    leaf: Ints
    h: Floats | None
    contradicted: Bools | None = None


def score_batch(
    setting: Setting, X: Floats, by: str = "global", *, all_classes: bool = False
) -> Batch:
    """Score a block of cases: pure, picklable, safe in threads.

    Parameters
    ----------
    X : array of float64, shape (n_cases, n_attributes)
        Columns in the order of the tree's header.
    by
        Name of the score: ``global``, ``local``, ``leaf``, ``nearby``, or a plugin's.
    all_classes
        Whether the algebraic distance of every class is wanted too.

    Raises
    ------
    UnknownNameError, PluginError
        If there is no such score, or a plugin's fails or does not give one number a case.
    NeedsTrainingError
        If the score learns from the training data and the setting has none.

    Examples
    --------
    >>> from j48geo.geometry.metric import fit_metric
    >>> from j48geo.core.build import at_most, grow_tree, leaf
    >>> from j48geo.core.counts import counts_from_text
    >>> from j48geo.core.dataset import Attribute, Header
    >>> header = Header("h", (Attribute("x"), Attribute("c", "nominal", ("a", "b"))), 1)
    >>> tree = grow_tree(header, at_most("x", 2, leaf("a", 3), leaf("b", 5)))
    >>> setting = Setting(tree, counts_from_text(tree), fit_metric(tree, "none"), positive=0)
    >>> score_batch(setting, np.array([[0.5, 0], [5.0, 0]])).score.tolist()
    [1.5, -3.0]
    """
    score = score_function(by)
    cases = cases_of(setting, X)
    h = algebraic_distances(cases.class_distances, cases.predicted) if all_classes else None
    found = score(setting, cases)
    numbers, within = found if isinstance(found, tuple) else (found, None)
    other = contradicted(cases.nearby, cases.predicted) if by == "nearby" else None
    return Batch(numbers, within, cases.distance, cases.predicted, cases.prediction.leaf, h, other)


def notes(setting: Setting, by: str) -> tuple[str, ...]:
    """What is to be said once about these scores."""
    if by not in ("global", "local") or setting.has_boundary:
        return ()
    if by == "local" and setting.within == "nearby":  # which needs no boundary
        return ()
    if has_boundary(setting.tree, labels=setting.labels):
        c = setting.tree.classes[setting.positive]
        what = f"no leaf is labelled {c!r}, so that class has no boundary"
    else:
        what = "all leaves have the same label: there is no decision boundary"
    return (f"{what}; cases are ranked by their leaf estimates",)


def default_positive(counts: NodeCounts) -> int | None:
    """The positive class if none is named: of two classes the rarer in training.

    None with more classes or unknown counts; equal counts give the class declared first.
    """
    root = counts.per_class[0]
    if len(root) != 2 or np.isnan(root).any():
        return None
    return int(root[1] < root[0])
