"""Format the answer of each command: as text, CSV, JSON or rows."""

from __future__ import annotations

from j48geo.lazy import lazy_exports

TYPE_CHECKING = False  # as type checkers read it; importing typing takes longer than all of this
if TYPE_CHECKING:
    from j48geo.show.reports.audit import audit_rows, audit_titles, audit_to_text, split_to_json
    from j48geo.show.reports.check import check_sentence, check_to_json, check_to_text
    from j48geo.show.reports.class_evaluation import (
        class_evaluation_to_csv,
        class_evaluation_to_json,
        class_evaluation_to_text,
    )
    from j48geo.show.reports.curve import curve_to_arff, curve_to_csv, curve_to_json, curve_to_text
    from j48geo.show.reports.data import (
        data_to_csv,
        data_to_json,
        data_to_jsonl,
        summary_to_text,
    )
    from j48geo.show.reports.evaluation import (
        confusion_to_json,
        confusion_to_text,
        evaluation_to_csv,
        evaluation_to_json,
        evaluation_to_text,
    )
    from j48geo.show.reports.explanation import explanation_to_json, explanation_to_text
    from j48geo.show.reports.labellings import (
        labellings_to_csv,
        labellings_to_json,
        labellings_to_text,
        leaves_to_text,
        relabelling_to_csv,
        relabelling_to_json,
        relabelling_to_text,
        relabelling_to_tree,
    )
    from j48geo.show.reports.predictions import (
        prediction_report,
        prediction_sentences,
        predictions_to_weka,
    )
    from j48geo.show.reports.probabilities import probability_report, probability_sentences
    from j48geo.show.reports.ranking import ranking_details, ranking_report, ranking_sentences
    from j48geo.show.reports.weka_evaluation import (
        weka_evaluation_to_text,
        weka_evaluations_to_text,
    )

__all__ = [
    "audit_rows",
    "audit_titles",
    "audit_to_text",
    "check_sentence",
    "check_to_json",
    "check_to_text",
    "class_evaluation_to_csv",
    "class_evaluation_to_json",
    "class_evaluation_to_text",
    "confusion_to_json",
    "confusion_to_text",
    "curve_to_arff",
    "curve_to_csv",
    "curve_to_json",
    "curve_to_text",
    "data_to_csv",
    "data_to_json",
    "data_to_jsonl",
    "evaluation_to_csv",
    "evaluation_to_json",
    "evaluation_to_text",
    "explanation_to_json",
    "explanation_to_text",
    "labellings_to_csv",
    "labellings_to_json",
    "labellings_to_text",
    "leaves_to_text",
    "prediction_report",
    "prediction_sentences",
    "predictions_to_weka",
    "probability_report",
    "probability_sentences",
    "ranking_details",
    "ranking_report",
    "ranking_sentences",
    "relabelling_to_csv",
    "relabelling_to_json",
    "relabelling_to_text",
    "relabelling_to_tree",
    "split_to_json",
    "summary_to_text",
    "weka_evaluation_to_text",
    "weka_evaluations_to_text",
]

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "audit_rows": "audit",
        "audit_titles": "audit",
        "audit_to_text": "audit",
        "check_sentence": "check",
        "check_to_json": "check",
        "check_to_text": "check",
        "class_evaluation_to_csv": "class_evaluation",
        "class_evaluation_to_json": "class_evaluation",
        "class_evaluation_to_text": "class_evaluation",
        "confusion_to_json": "evaluation",
        "confusion_to_text": "evaluation",
        "curve_to_arff": "curve",
        "curve_to_csv": "curve",
        "curve_to_json": "curve",
        "curve_to_text": "curve",
        "data_to_csv": "data",
        "data_to_json": "data",
        "data_to_jsonl": "data",
        "evaluation_to_csv": "evaluation",
        "evaluation_to_json": "evaluation",
        "evaluation_to_text": "evaluation",
        "explanation_to_json": "explanation",
        "explanation_to_text": "explanation",
        "labellings_to_csv": "labellings",
        "labellings_to_json": "labellings",
        "labellings_to_text": "labellings",
        "leaves_to_text": "labellings",
        "prediction_report": "predictions",
        "prediction_sentences": "predictions",
        "predictions_to_weka": "predictions",
        "probability_report": "probabilities",
        "probability_sentences": "probabilities",
        "ranking_details": "ranking",
        "ranking_report": "ranking",
        "ranking_sentences": "ranking",
        "relabelling_to_csv": "labellings",
        "relabelling_to_json": "labellings",
        "relabelling_to_text": "labellings",
        "relabelling_to_tree": "labellings",
        "split_to_json": "audit",
        "summary_to_text": "data",
        "weka_evaluation_to_text": "weka_evaluation",
        "weka_evaluations_to_text": "weka_evaluation",
    },
)
