"""An evaluation of all classes, none being positive: as a table with its legend, CSV, JSON."""

from __future__ import annotations

from j48geo.decide.evaluation.evaluation import ClassesEvaluation, MethodClassMetrics
from j48geo.show.reports.evaluation import (
    calibration_sentence,
    format_log_loss,
    proximity_sentence,
    resubstitution_sentence,
    zero_sentence,
)
from j48geo.show.rows.row_report import csv_table
from j48geo.show.text import PLAIN, Style, json_text, text_table


def class_evaluation_to_text(evaluation: ClassesEvaluation, style: Style = PLAIN) -> str:
    """A table of the methods, what its columns mean, and what lambda says."""
    titles = ["method", "M", "MSE", "log-loss", "accuracy"]
    titles += [f"AUC({name})" for name in evaluation.classes]
    rows = [
        [
            *(
                row.method,
                _format_four(row.m),
                _format_four(row.mse),
                format_log_loss(row.log_loss),
            ),
            *(_format_four(row.accuracy), *map(_format_four, row.aucs)),
        ]
        for row in evaluation.rows
    ]
    cases = "1 case" if evaluation.cases == 1 else f"{evaluation.cases} cases"
    notes = [f"{cases} of {len(evaluation.classes)} classes"]
    if evaluation.optimistic:
        notes.append(resubstitution_sentence())
    if evaluation.calibrated:
        notes.append(calibration_sentence(evaluation.calibrated))
    legend = [
        "M: of Hand and Till, the mean AUC over all pairs of classes; AUC(c): c against the rest, "
        "ties half",
        "MSE: squared errors summed over the classes; log-loss: in nats, inf (n) if the class of n "
        "cases had probability 0",
        "accuracy: of the most probable class; 'global' is a ranking and has no probabilities",
    ]
    if evaluation.tree_accuracy is not None:
        share = f"{evaluation.tree_accuracy:.4g}"
        legend.append(f"accuracy of the tree's own labels, whatever the method: {share}")
    legend.append(proximity_sentence(evaluation.proximity))
    zeros = zero_sentence(evaluation.proximity)
    legend += [zeros] if zeros is not None and evaluation.proximity.zeros else []
    return "".join(
        [
            *(f"{sentence}\n" for sentence in notes),
            "\n",
            text_table(titles, rows, titles[1:], style),
            "\n",
            *(f"{sentence}\n" for sentence in legend),
        ]
    )


def _row(evaluation: ClassesEvaluation, row: MethodClassMetrics) -> dict[str, object]:
    loss = row.log_loss
    return {
        "method": row.method,
        "m": row.m,
        "mse": row.mse,
        "log_loss": None if loss is None or loss.impossible else loss.value,
        "impossible": None if loss is None else loss.impossible,
        "accuracy": row.accuracy,
        "auc": dict(zip(evaluation.classes, row.aucs, strict=True)),
    }


def class_evaluation_to_jsonl(evaluation: ClassesEvaluation) -> list[str]:
    """The evaluation of all classes as JSON lines, one a method."""
    return [f"{json_text(_row(evaluation, row))}\n" for row in evaluation.rows]


def class_evaluation_to_json(evaluation: ClassesEvaluation) -> dict[str, object]:
    """Everything; null is not defined, or a log-loss that `impossible` cases make infinite."""
    return {
        "positive": None,
        "classes": list(evaluation.classes),
        "cases": evaluation.cases,
        "cases_of": dict(zip(evaluation.classes, evaluation.cases_of, strict=True)),
        "training_data": evaluation.optimistic,
        "calibrated_on_these": list(evaluation.calibrated),
        "log_loss_unit": "nats",
        "methods": [_row(evaluation, row) for row in evaluation.rows],
        "tree_accuracy": evaluation.tree_accuracy,
        "lambda": {
            "value": evaluation.proximity.value,
            "sentence": proximity_sentence(evaluation.proximity),
        },
    }


def class_evaluation_to_csv(evaluation: ClassesEvaluation) -> str:
    """One line a method; empty where nothing is defined."""
    titles = ["method", "m", "mse", "log_loss", "impossible", "accuracy"]
    rows = [
        [*(_row(evaluation, row)[title] for title in titles), *row.aucs] for row in evaluation.rows
    ]
    return csv_table([*titles, *(f"auc({name})" for name in evaluation.classes)], rows)


def _format_four(x: float | None) -> str | None:
    return None if x is None else f"{x:.4f}"
