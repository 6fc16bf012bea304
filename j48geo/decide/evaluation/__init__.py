"""Evaluate scores and probabilities on cases whose class is known.

`score_cases` asks every method about the rows, `evaluate_cases` gives the metrics of all methods
side by side. ``auc``, ``probability_metrics`` and ``confusion`` hold the metrics of plain arrays,
``intervals`` their confidence intervals; ``score_tables``, ``evaluation_sums`` and ``metrics`` the
exact sums that parts of a cluster add up; ``weka_evaluation`` the numbers that Weka prints.
"""

from __future__ import annotations

from j48geo.lazy import lazy_exports

TYPE_CHECKING = False  # as type checkers read it; importing typing takes longer than all of this
if TYPE_CHECKING:
    from j48geo.decide.evaluation.auc import Proximity, accuracy, compute_proximity, partial_auc
    from j48geo.decide.evaluation.confusion import ConfusionMatrix
    from j48geo.decide.evaluation.evaluation import (
        ClassesEvaluation,
        Evaluation,
        MethodMetrics,
        MetricOptions,
        evaluate_cases,
        evaluate_metrics,
    )
    from j48geo.decide.evaluation.evaluation_sums import EvaluationSums
    from j48geo.decide.evaluation.intervals import auc_interval, bootstrap_interval, wilson_interval
    from j48geo.decide.evaluation.metrics import Metrics, MetricsRequest, compute_metrics
    from j48geo.decide.evaluation.probability_metrics import (
        LogLoss,
        Reliability,
        calibration_error,
        log_loss,
        mean_squared_error,
        reliability,
    )
    from j48geo.decide.evaluation.score_tables import ScoreCounts, ScoreSlice
    from j48geo.decide.evaluation.scored_cases import (
        CasesPart,
        MethodScores,
        ScoredCases,
        score_cases,
        score_parts,
    )
    from j48geo.decide.evaluation.weka_evaluation import WekaEvaluation

__all__ = [
    "CasesPart",
    "ClassesEvaluation",
    "ConfusionMatrix",
    "Evaluation",
    "EvaluationSums",
    "LogLoss",
    "MethodMetrics",
    "MethodScores",
    "MetricOptions",
    "Metrics",
    "MetricsRequest",
    "Proximity",
    "Reliability",
    "ScoreCounts",
    "ScoreSlice",
    "ScoredCases",
    "WekaEvaluation",
    "accuracy",
    "auc_interval",
    "bootstrap_interval",
    "calibration_error",
    "compute_metrics",
    "compute_proximity",
    "evaluate_cases",
    "evaluate_metrics",
    "log_loss",
    "mean_squared_error",
    "partial_auc",
    "reliability",
    "score_cases",
    "score_parts",
    "wilson_interval",
]

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "CasesPart": "scored_cases",
        "ClassesEvaluation": "evaluation",
        "ConfusionMatrix": "confusion",
        "Evaluation": "evaluation",
        "EvaluationSums": "evaluation_sums",
        "LogLoss": "probability_metrics",
        "MethodMetrics": "evaluation",
        "MethodScores": "scored_cases",
        "MetricOptions": "evaluation",
        "Metrics": "metrics",
        "MetricsRequest": "metrics",
        "Proximity": "auc",
        "Reliability": "probability_metrics",
        "ScoreCounts": "score_tables",
        "ScoreSlice": "score_tables",
        "ScoredCases": "scored_cases",
        "WekaEvaluation": "weka_evaluation",
        "accuracy": "auc",
        "auc_interval": "intervals",
        "bootstrap_interval": "intervals",
        "calibration_error": "probability_metrics",
        "compute_metrics": "metrics",
        "compute_proximity": "auc",
        "evaluate_cases": "evaluation",
        "evaluate_metrics": "evaluation",
        "log_loss": "probability_metrics",
        "mean_squared_error": "probability_metrics",
        "partial_auc": "auc",
        "reliability": "probability_metrics",
        "score_cases": "scored_cases",
        "score_parts": "scored_cases",
        "wilson_interval": "intervals",
    },
)
