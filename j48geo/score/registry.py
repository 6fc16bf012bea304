"""Scores by name: those of the house, and those that other packages offer.

A package offers a score by naming a function in its metadata::

    [project.entry-points."j48geo.scores"]
    mine = "mypackage.scores:mine"

The function takes a `Setting` and `Cases` and gives numbers, larger is better; the contract
is that of `j48geo.score.setting.Score`.
"""

from __future__ import annotations

import numpy as np

from j48geo.arrays import Floats
from j48geo.errors import J48GeoError
from j48geo.geometry.distance import geometric_score
from j48geo.score.leaf.estimates import case_estimates
from j48geo.score.setting import Cases, Score, Setting

__all__ = [
    "BUILTIN",
    "by_distance",
    "by_leaf",
    "by_nearby",
    "global_geometric",
    "local_geometric",
    "score_function",
    "score_names",
]


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


BUILTIN: dict[str, Score] = {
    "global": global_geometric,
    "local": local_geometric,
    "leaf": by_leaf,
    "nearby": by_nearby,
    "distance": by_distance,
}
"""The scores of the house, by name."""


def score_names() -> tuple[str, ...]:
    """Names that `score_function` knows; no plugin is imported."""
    from j48geo.plugins import SCORES, names

    return names(SCORES, BUILTIN)


def score_function(name: str) -> Score:
    """The score called `name`: ``global``, ``local``, ``leaf``, ``nearby``, or a plugin's.

    What a plugin gives is checked: one number a case, or two such arrays.

    Raises
    ------
    UnknownNameError, PluginError
        If there is none, or it cannot be loaded.
    """
    if name in BUILTIN:
        return BUILTIN[name]
    from j48geo.plugins import SCORES, load  # with all of importlib.metadata: only for guests

    return _guarded(name, load(SCORES, name, BUILTIN))


def _guarded(name: str, score: Score) -> Score:
    from j48geo.plugins import PluginError

    def guarded(setting: Setting, cases: Cases) -> Floats | tuple[Floats, Floats]:
        try:
            found = score(setting, cases)
        except J48GeoError:
            raise
        except Exception as error:  # whatever a foreign function does
            reason = " ".join(str(error).split())
            raise PluginError(f"score {name!r} failed: {type(error).__name__}: {reason}") from error
        if isinstance(found, tuple) and len(found) == 2:
            return _numbers(name, found[0], cases), _numbers(name, found[1], cases)
        return _numbers(name, found, cases)

    return guarded


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
