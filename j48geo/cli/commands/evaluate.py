"""``j48geo evaluate``: all methods side by side on rows whose class is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from j48geo.cli.inputs import Inputs
from j48geo.cli.notes import (
    describe_metric,
    describe_positive,
    describe_training,
    note_fitting,
    zero_distance_notes,
)
from j48geo.cli.options import Share, input_options, option_group, output_options
from j48geo.cli.options_model import choice_options, methods_option
from j48geo.cli.options_plot import PlotOptions, plot_evaluation, plot_options
from j48geo.cli.output import Output
from j48geo.defaults import FPR
from j48geo.model.choices import PROBABILITY_CHOICES

if TYPE_CHECKING:
    from j48geo.model.evaluation import ConfusionResult, EvaluationResult
    from j48geo.model.model import Model

EXAMPLES = """\b
Examples:
  j48geo evaluate model.txt new.arff --train data.arff
  j48geo evaluate model.txt new.arff --train data.arff --methods laplace,local,gdk --fpr 0.2
  j48geo evaluate model.txt new.arff --train data.arff --interval bootstrap --seed 7 -f json
  j48geo evaluate model.txt new.arff --train data.arff --plot overview.svg
  j48geo evaluate model.txt --train data.arff --cv 10
"""


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


@click.command(epilog=EXAMPLES, short_help="Compare all methods on rows whose class is known.")
@input_options("TEST", optional=True, labels=True, old_weka=True, calibrate=True)
@click.option(
    "--cv",
    type=click.IntRange(min=2),
    metavar="N",
    default=None,
    help="In the place of TEST: grow the tree again without each of N folds of the training data.",
)
@methods_option(
    "--methods",
    "--method",
    default=None,
    words="Some of raw, laplace, m, hs, global, local, gdk, ldk, ldk-leaf, nearby, or plugins' "
    "scores, with commas. Default: all but ldk-leaf.",
)
@measure_options
@plot_options
@choice_options(*PROBABILITY_CHOICES)
@output_options("table", "csv", "json", "jsonl")
def evaluate(
    inputs: Inputs,
    cv: int | None,
    methods: tuple[str, ...] | None,
    measures: dict[str, Any],
    pictures: PlotOptions,
    choices: dict[str, Any],
    output: Output,
) -> None:
    """Compare rankings and probabilities on the rows of TEST, whose class is known.

    A row for each method: AUC with its interval, partial AUC, squared error, log-loss,
    calibration error, accuracy, different scores and tied pairs; 'global' and 'local' are
    rankings and have no probabilities. With more than two classes and no '--positive' all
    classes are judged: M of Hand and Till, and each class against the rest. Below it the
    confusion matrix, and lambda: whether the tree's errors lie near its decision boundary,
    without which geometric ranking is not to be trusted. Of trees that answer together (a
    MODEL of AdaBoostM1, Bagging, ...) there is the confusion matrix alone.

    With '--cv N' there is no TEST: a tree is grown as J48 grew MODEL, without each fold of the
    training data in turn, and all methods are judged on the rows that it has not seen. The
    folds are those of Weka's cross-validation, so the confusion matrix is Weka's, too.
    """
    from j48geo.decide.evaluation.evaluation import MetricOptions
    from j48geo.model.settings import check_names

    notes = output.notes
    output.check_other(pictures.plot, "--plot")
    if methods is not None:
        check_names(methods, rankings=True)
    if cv is not None:
        _cross(inputs, cv, methods, measures, pictures, choices, output)
        return
    if inputs.data is None:
        raise click.UsageError("Missing argument 'TEST', or --cv N in its place")
    test = inputs.data
    with inputs.open(notes, choices, several=True) as (model, rows):
        if model.committee is not None:
            if methods is not None or choices or inputs.calibrate or pictures.plot is not None:
                model.require_one("a comparison of methods")
            confused = model.confusion(rows, progress=notes.progress)
            notes.settings(describe_training(model))
            notes.note(*confused.notes)
            output.write(_confusion_pieces(output, confused))
            return
        sample = inputs.sample(model, notes, test)
        if pictures.keeps_rows:
            rows.keep()
        result = model.evaluate(
            rows,
            methods,
            measures=MetricOptions(**measures),
            is_training=inputs.trained_on(test, model),
            progress=notes.progress,
            **sample,
        )
        _note_evaluation(model, result, output)
        with plot_evaluation(result, pictures, rows, inputs.model, methods):
            output.write(_evaluation_pieces(output, result))


def _check_cross(inputs: Inputs, pictures: PlotOptions) -> None:
    if inputs.data is not None:
        raise click.UsageError("--cv takes the place of TEST: expected one of them")
    for name in ("calibrate", "labels"):
        if getattr(inputs, name) is not None:
            raise click.UsageError(f"--{name} is for one tree: expected no --cv")
    if pictures.picture == "slice":
        raise click.UsageError("--picture slice is for one tree: expected no --cv")


def _cross(
    inputs: Inputs,
    folds: int,
    methods: tuple[str, ...] | None,
    measures: dict[str, Any],
    pictures: PlotOptions,
    choices: dict[str, Any],
    output: Output,
) -> None:
    """Judge by trees that are grown again."""
    from j48geo.data.rows import Rows
    from j48geo.decide.evaluation.evaluation import MetricOptions
    from j48geo.show.reports.evaluation import cross_validation_sentence

    _check_cross(inputs, pictures)
    notes = output.notes
    with inputs.open(notes, choices) as (model, _):
        result = model.cross_validate(
            folds, methods, measures=MetricOptions(**measures), progress=notes.progress
        )
        notes.settings(describe_training(model), describe_positive(model))
        notes.note(*result.notes)
        if result.learnt.recalibrated:
            note_fitting(result.learnt, notes)
        if output.format != "table":  # which says so itself
            notes.note(cross_validation_sentence(result.folds, result.options))
        rows = Rows(model.training_name, model.header, ())
        with plot_evaluation(result, pictures, rows, inputs.model, methods):
            output.write(_evaluation_pieces(output, result))


def _confusion_pieces(output: Output, result: ConfusionResult) -> list[str]:
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


def _note_evaluation(model: Model, evaluated: EvaluationResult, output: Output) -> None:
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


def _evaluation_pieces(output: Output, evaluated: EvaluationResult) -> list[str]:
    """The comparison of methods in the format that was asked for."""
    from j48geo.decide.evaluation.evaluation import ClassesEvaluation
    from j48geo.show.reports import class_evaluation as every
    from j48geo.show.reports import evaluation as shown
    from j48geo.show.text import json_text

    result, confusion = evaluated.evaluation, evaluated.confusion
    folds, options = evaluated.folds, evaluated.options
    if output.format == "table":
        return [shown.evaluation_result_to_text(result, confusion, folds, options, output.style)]
    if output.format == "json":
        if isinstance(result, ClassesEvaluation):
            record = every.class_evaluation_to_json(result)
        else:
            record = shown.evaluation_to_json(result)
        record |= shown.confusion_to_json(confusion)
        record |= {"folds": folds, "options": options} if folds else {}
        return [json_text(record, indent=1), "\n"]
    if isinstance(result, ClassesEvaluation):
        if output.format == "csv":
            return [every.class_evaluation_to_csv(result)]
        return every.class_evaluation_to_jsonl(result)
    if output.format == "csv":
        return [shown.evaluation_to_csv(result)]
    return shown.evaluation_to_jsonl(result)
