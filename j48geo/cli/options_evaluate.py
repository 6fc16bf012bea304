"""What ``evaluate`` says: how to measure, notes, and the answers in every format."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from j48geo.cli.notes import (
    describe_metric,
    describe_positive,
    describe_training,
    note_fitting,
    zero_distance_notes,
)
from j48geo.cli.options import Share, option_group
from j48geo.cli.output import Output
from j48geo.defaults import FPR

if TYPE_CHECKING:
    from j48geo.model.evaluation import ConfusionResult, EvaluationResult
    from j48geo.model.model import Model


def _make_metric_options(**given: Any) -> dict[str, Any]:
    if given["interval"] != "bootstrap":
        for name in ("seed", "replicates"):
            if given[name] is not None:
                raise click.UsageError(f"--{name} is for --interval bootstrap")
    return {name: value for name, value in given.items() if value is not None}


measure_options = option_group(
    "measures",
    _make_metric_options,
    click.option(
        "--interval",
        type=click.Choice(["delong", "bootstrap"]),
        default="delong",
        show_default=True,
        help="Confidence interval (95 %) of the AUC.",
    ),
    click.option(
        "--seed",
        type=click.IntRange(min=0),
        metavar="N",
        default=None,
        help="Of the bootstrap. Default: 0.",
    ),
    click.option(
        "--replicates",
        type=click.IntRange(min=2),
        metavar="N",
        default=None,
        help="Of the bootstrap. Default: 1000.",
    ),
    click.option(
        "--fpr",
        type=Share(min_open=True),
        metavar="X",
        default=FPR,
        show_default=True,
        help="False positive rate up to which the partial AUC goes.",
    ),
)


def confusion_pieces(output: Output, result: ConfusionResult) -> list[str]:
    """The confusion matrix of trees that answer together."""
    from j48geo.show.reports.evaluation import confusion_summary_to_text, confusion_to_json
    from j48geo.show.rows.row_report import csv_table
    from j48geo.show.text import json_text

    right = result.confusion.accuracy
    row = {"method": "weka", "rows": result.rows, "answered": result.answered, "accuracy": right}
    if output.format == "jsonl":
        return [json_text(row), "\n"]
    if output.format == "json":
        return [json_text(row | confusion_to_json(result.confusion), indent=1), "\n"]
    if output.format == "csv":
        return [csv_table(list(row), [list(row.values())])]
    return [
        confusion_summary_to_text(
            result.model, result.rows, result.answered, result.confusion, output.style
        )
    ]


def note_evaluation(model: Model, evaluated: EvaluationResult, output: Output) -> None:
    """What the answers depend on, and what must be said of them."""
    from j48geo.model.evaluation import uses_distances
    from j48geo.show.reports import evaluation as shown

    notes, result, setting = output.notes, evaluated.evaluation, evaluated.learnt.model.setting
    names = [method.method for method in evaluated.judged.methods]
    measured = uses_distances(names)
    notes.settings(
        describe_training(model),
        describe_metric(model, setting.metric) if measured else "",
        describe_positive(model),
    )
    notes.note(*evaluated.notes)
    if measured:
        notes.note(*setting.metric.notes)
        nearby = "" if "nearby" in names else "--methods nearby"
        notes.note(*zero_distance_notes(evaluated.judged.zeros, model, setting, nearby))
    if result.optimistic and output.format != "table":  # which says so itself
        notes.note(shown.resubstitution_sentence())
    if not result.optimistic:
        note_fitting(evaluated.learnt, notes)
    if result.calibrated and output.format != "table":
        notes.note(shown.calibration_sentence(result.calibrated))
    if output.format in ("csv", "jsonl"):  # the others show it
        notes.detail(
            shown.proximity_sentence(result.proximity), shown.zero_sentence(result.proximity) or ""
        )


def evaluation_pieces(output: Output, evaluated: EvaluationResult) -> list[str]:
    """The comparison of methods in the format that was asked for."""
    from j48geo.decide.evaluation.evaluation import ClassesEvaluation
    from j48geo.show.reports import class_evaluation as every
    from j48geo.show.reports import evaluation as shown
    from j48geo.show.reports.evaluation import confusion_to_json, confusion_to_text
    from j48geo.show.text import json_text

    result, output_format, style = evaluated.evaluation, output.format, output.style
    matrix = confusion_to_text(evaluated.confusion, style)
    folds = {"folds": evaluated.folds, "options": evaluated.options} if evaluated.folds else {}
    heading = []
    if evaluated.folds:
        heading.append(f"{shown.cross_validation_sentence(evaluated.folds, evaluated.options)}\n")
    if isinstance(result, ClassesEvaluation):
        if output_format == "jsonl":
            return every.class_evaluation_to_jsonl(result)
        if output_format == "csv":
            return [every.class_evaluation_to_csv(result)]
        if output_format == "json":
            whole = (
                every.class_evaluation_to_json(result)
                | confusion_to_json(evaluated.confusion)
                | folds
            )
            return [json_text(whole, indent=1), "\n"]
        return [*heading, every.class_evaluation_to_text(result, style), "\n", matrix]
    if output_format == "jsonl":
        return shown.evaluation_to_jsonl(result)
    if output_format == "json":
        whole = shown.evaluation_to_json(result) | confusion_to_json(evaluated.confusion) | folds
        return [json_text(whole, indent=1), "\n"]
    if output_format == "csv":
        return [shown.evaluation_to_csv(result)]
    return [*heading, shown.evaluation_to_text(result, style), "\n", matrix]
