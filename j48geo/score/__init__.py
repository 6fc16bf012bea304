"""Predictions, estimates of probabilities, and scores that cases are ranked by.

`predict` gives Weka's class and distribution. `estimate_leaves` and `shrunken_estimates` estimate
the probability of a class at every leaf. With a `Setting`, `score_batch` scores a block of cases
and `rank_scores` ranks them; `fit_probabilities` and `estimate_probabilities` give the
probability of every class by any method of `METHODS`.
"""

from __future__ import annotations

from j48geo.lazy import lazy_exports

TYPE_CHECKING = False  # as type checkers read it; importing typing takes longer than all of this
if TYPE_CHECKING:
    from j48geo.score.leaf_estimates import (
        case_estimates,
        class_estimates,
        estimate_leaves,
        shrunken_estimates,
    )
    from j48geo.score.methods import METHODS, Method
    from j48geo.score.prediction import Flag, Prediction, predict
    from j48geo.score.probabilities import (
        Probabilities,
        ProbabilityModel,
        estimate_probabilities,
        fit_probabilities,
    )
    from j48geo.score.ranking import RankedRows, Ranking, rank_scores
    from j48geo.score.recalibration import fit_recalibration, recalibrate
    from j48geo.score.scores import (
        ScoredBatch,
        default_positive,
        score_batch,
        score_function,
        score_names,
    )
    from j48geo.score.setting import Cases, Setting, classify_cases

__all__ = [
    "METHODS",
    "Cases",
    "Flag",
    "Method",
    "Prediction",
    "Probabilities",
    "ProbabilityModel",
    "RankedRows",
    "Ranking",
    "ScoredBatch",
    "Setting",
    "case_estimates",
    "class_estimates",
    "classify_cases",
    "default_positive",
    "estimate_leaves",
    "estimate_probabilities",
    "fit_probabilities",
    "fit_recalibration",
    "predict",
    "rank_scores",
    "recalibrate",
    "score_batch",
    "score_function",
    "score_names",
    "shrunken_estimates",
]

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "METHODS": "methods",
        "Cases": "setting",
        "Flag": "prediction",
        "Method": "methods",
        "Prediction": "prediction",
        "Probabilities": "probabilities",
        "ProbabilityModel": "probabilities",
        "RankedRows": "ranking",
        "Ranking": "ranking",
        "ScoredBatch": "scores",
        "Setting": "setting",
        "case_estimates": "leaf_estimates",
        "class_estimates": "leaf_estimates",
        "classify_cases": "setting",
        "default_positive": "scores",
        "estimate_leaves": "leaf_estimates",
        "estimate_probabilities": "probabilities",
        "fit_probabilities": "probabilities",
        "fit_recalibration": "recalibration",
        "predict": "prediction",
        "rank_scores": "ranking",
        "recalibrate": "recalibration",
        "score_batch": "scores",
        "score_function": "scores",
        "score_names": "scores",
        "shrunken_estimates": "leaf_estimates",
    },
)
