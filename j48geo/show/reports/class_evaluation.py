"""All classes judged at once: as a table with its legend, as CSV and as JSON."""

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


def class_evaluation_to_text(found: ClassesEvaluation, style: Style = PLAIN) -> str:
    """A table of the methods, what its columns mean, and what lambda says."""
    titles = ["method", "M", "MSE", "log-loss", "accuracy"]
    titles += [f"AUC({name})" for name in found.classes]
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
        for row in found.rows
    ]
    cases = "1 case" if found.cases == 1 else f"{found.cases} cases"
    said = [f"{cases} of {len(found.classes)} classes"]
    if found.optimistic:
        said.append(resubstitution_sentence())
    if found.calibrated:
        said.append(calibration_sentence(found.calibrated))
    legend = [
        "M: of Hand and Till, the mean AUC over all pairs of classes; AUC(c): c against the rest, "
        "ties half",
        "MSE: squared errors summed over the classes; log-loss: in nats, inf (n) if the class of n "
        "cases had probability 0",
        "accuracy: of the most probable class; 'global' is a ranking and has no probabilities",
    ]
    if found.tree_accuracy is not None:
        legend.append(
            f"accuracy of the tree's own labels, whatever the method: {found.tree_accuracy:.4g}"
        )
    legend.append(proximity_sentence(found.proximity))
    zeros = zero_sentence(found.proximity)
    legend += [zeros] if zeros is not None and found.proximity.zeros else []
    return "".join(
        [
            *(f"{sentence}\n" for sentence in said),
            "\n",
            text_table(titles, rows, titles[1:], style),
            "\n",
            *(f"{sentence}\n" for sentence in legend),
        ]
    )


def _row(found: ClassesEvaluation, row: MethodClassMetrics) -> dict[str, object]:
    loss = row.log_loss
    return {
        "method": row.method,
        "m": row.m,
        "mse": row.mse,
        "log_loss": None if loss is None or loss.impossible else loss.value,
        "impossible": None if loss is None else loss.impossible,
        "accuracy": row.accuracy,
        "auc": dict(zip(found.classes, row.aucs, strict=True)),
    }


def class_evaluation_to_jsonl(found: ClassesEvaluation) -> list[str]:
    """One line a method."""
    return [f"{json_text(_row(found, row))}\n" for row in found.rows]


def class_evaluation_to_json(found: ClassesEvaluation) -> dict[str, object]:
    """Everything; null is not defined, or a log-loss that `impossible` cases make infinite."""
    return {
        "positive": None,
        "classes": list(found.classes),
        "cases": found.cases,
        "cases_of": dict(zip(found.classes, found.cases_of, strict=True)),
        "training_data": found.optimistic,
        "calibrated_on_these": list(found.calibrated),
        "log_loss_unit": "nats",
        "methods": [_row(found, row) for row in found.rows],
        "tree_accuracy": found.tree_accuracy,
        "lambda": {
            "value": found.proximity.value,
            "sentence": proximity_sentence(found.proximity),
        },
    }


def class_evaluation_to_csv(found: ClassesEvaluation) -> str:
    """One line a method; empty where nothing is defined."""
    titles = ["method", "m", "mse", "log_loss", "impossible", "accuracy"]
    rows = [[*(_row(found, row)[title] for title in titles), *row.aucs] for row in found.rows]
    return csv_table([*titles, *(f"auc({name})" for name in found.classes)], rows)


def _format_four(x: float | None) -> str | None:
    return None if x is None else f"{x:.4f}"
