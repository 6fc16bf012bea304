"""Scores by name (`score_function`), and the scores of a batch of cases (`score_batch`).

A `Setting` is made once, and `score_batch` called for each block of cases: in a loop over a
file, in threads, in processes, or by any engine that maps a function over blocks. Ranks need
the scores of all blocks together, and nothing else.

Another package offers a score by naming a function in its metadata::

    [project.entry-points."j48geo.scores"]
    mine = "mypackage.scores:mine"

The function takes a `Setting` and `Cases` and gives numbers, larger is better; the contract
is that of `j48geo.score.setting.Score`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from j48geo.arrays import Bools, Floats, Ints
from j48geo.core.counts import NodeCounts
from j48geo.errors import J48GeoError
from j48geo.geometry.distance import algebraic_distances, geometric_score, has_boundary
from j48geo.score.leaf_estimates import case_estimates
from j48geo.score.prediction import is_contradicted
from j48geo.score.setting import Cases, Score, Setting, classify_cases


def global_geometric(setting: Setting, cases: Cases) -> Floats:
    """The geometric score g; the leaf estimate where there is no boundary.

    AB05 definition 1 and theorem 1; with more than two classes -h_c of ABD07.
    """
    if not setting.has_boundary:
        return by_leaf(setting, cases)
    any_class = setting.boundary == "any"
    distance = cases.distance if any_class else cases.class_distance(setting.positive)
    return geometric_score(distance, cases.predicted, setting.positive)


def local_geometric(setting: Setting, cases: Cases) -> Floats | tuple[Floats, Floats]:
    """The leaf estimate, and g among cases of equal estimate: AB05 theorem 2.

    With ``within="nearby"`` the nearby-leaf average in the place of g (extension), which
    needs no boundary.
    """
    estimate = by_leaf(setting, cases)
    if setting.within == "nearby":
        return estimate, by_nearby(setting, cases)
    if not setting.has_boundary:
        return estimate
    return estimate, global_geometric(setting, cases)


def by_leaf(setting: Setting, cases: Cases) -> Floats:
    """The leaf estimate alone: AB05 equation (1)."""
    return case_estimates(
        setting.tree, setting.counts, cases.X, setting.leaf_estimates, cases.prediction.leaf
    )


def by_nearby(setting: Setting, cases: Cases) -> Floats:
    """The nearby-leaf average of the positive class (extension); needs the training data."""
    return cases.nearby[:, setting.positive]


def by_distance(setting: Setting, cases: Cases) -> Floats:
    """d(x, Γ): how far the nearest region of any other class is, whichever class the case has.

    Without a boundary, and where the class is not known, there is nothing to order by.
    """
    return np.where(cases.predicted < 0, np.nan, cases.distance)


BUILTIN_SCORES: dict[str, Score] = {
    "global": global_geometric,
    "local": local_geometric,
    "leaf": by_leaf,
    "nearby": by_nearby,
    "distance": by_distance,
}
"""The scores of the house, by name."""


def score_names() -> tuple[str, ...]:
    """Names that `score_function` knows; no plugin is imported."""
    from j48geo.plugins import SCORE_GROUP, plugin_names

    return plugin_names(SCORE_GROUP, BUILTIN_SCORES)


def score_function(name: str) -> Score:
    """The score called `name`: ``global``, ``local``, ``leaf``, ``nearby``, or a plugin's.

    What a plugin gives is checked: one number a case, or two such arrays.

    Raises
    ------
    UnknownNameError, PluginError
        If there is none, or it cannot be loaded.
    """
    if name in BUILTIN_SCORES:
        return BUILTIN_SCORES[name]
    from j48geo.plugins import (  # with all of importlib.metadata: only for guests
        SCORE_GROUP,
        load_plugin,
    )

    return _check_plugin_score(name, load_plugin(SCORE_GROUP, name, BUILTIN_SCORES))


def _check_plugin_score(name: str, score: Score) -> Score:
    from j48geo.plugins import PluginError

    def checked_score(setting: Setting, cases: Cases) -> Floats | tuple[Floats, Floats]:
        try:
            result = score(setting, cases)
        except J48GeoError:
            raise
        except Exception as error:  # whatever a foreign function does
            reason = " ".join(str(error).split())
            raise PluginError(f"score {name!r} failed: {type(error).__name__}: {reason}") from error
        if isinstance(result, tuple) and len(result) == 2:
            return _numbers(name, result[0], cases), _numbers(name, result[1], cases)
        return _numbers(name, result, cases)

    return checked_score


def _numbers(name: str, found: object, cases: Cases) -> Floats:
    from j48geo.plugins import PluginError

    expected = f"expected one number a case: shape ({len(cases.X)},)"
    try:
        numbers = np.asarray(found, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise PluginError(f"score {name!r} gave a {type(found).__name__}; {expected}") from error
    if numbers.shape != (len(cases.X),):
        raise PluginError(f"score {name!r} gave shape {numbers.shape}; {expected}")
    return numbers


@dataclass(frozen=True, eq=False)
class ScoredBatch:
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
) -> ScoredBatch:
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
    >>> from j48geo.core.build import at_most, build_tree, leaf
    >>> from j48geo.core.counts import counts_from_text
    >>> from j48geo.core.dataset import Attribute, Header
    >>> header = Header("h", (Attribute("x"), Attribute("c", "nominal", ("a", "b"))), 1)
    >>> tree = build_tree(header, at_most("x", 2, leaf("a", 3), leaf("b", 5)))
    >>> setting = Setting(tree, counts_from_text(tree), fit_metric(tree, "none"), positive=0)
    >>> score_batch(setting, np.array([[0.5, 0], [5.0, 0]])).score.tolist()
    [1.5, -3.0]
    """
    score = score_function(by)
    cases = classify_cases(setting, X)
    h = algebraic_distances(cases.class_distances, cases.predicted) if all_classes else None
    result = score(setting, cases)
    numbers, within = result if isinstance(result, tuple) else (result, None)
    other = is_contradicted(cases.nearby, cases.predicted) if by == "nearby" else None
    return ScoredBatch(
        numbers, within, cases.distance, cases.predicted, cases.prediction.leaf, h, other
    )


def boundary_notes(setting: Setting, by: str) -> tuple[str, ...]:
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
