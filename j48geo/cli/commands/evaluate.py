"""``j48geo evaluate``: all methods side by side on rows whose class is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from j48geo.cli.commands.proba import say_learnt
from j48geo.cli.inputs import Inputs
from j48geo.cli.notes import metric_words, positive_words, training_words, zero_notes
from j48geo.cli.options import KERNEL, METRIC, chooses, grouped, methods_option, reads, writes
from j48geo.cli.output import Output
from j48geo.cli.plotting import PlotOptions, plot_judged, plot_options
from j48geo.defaults import FPR

if TYPE_CHECKING:
    from j48geo.model.answers.judging import Confused, Judgement
    from j48geo.model.model import Model

__all__ = ["evaluate"]

EXAMPLES = """\b
Examples:
  j48geo evaluate model.txt new.arff --train data.arff
  j48geo evaluate model.txt new.arff --train data.arff --methods laplace,local,gdk --fpr 0.2
  j48geo evaluate model.txt new.arff --train data.arff --interval bootstrap --seed 7 -f json
  j48geo evaluate model.txt new.arff --train data.arff --plot overview.svg
  j48geo evaluate model.txt --train data.arff --cv 10
"""


def _measures(**given: Any) -> dict[str, Any]:
    if given["interval"] != "bootstrap":
        for name in ("seed", "replicates"):
            if given[name] is not None:
                raise click.UsageError(f"--{name} is for --interval bootstrap")
    return {name: value for name, value in given.items() if value is not None}


measure_options = grouped(
    "measures",
    _measures,
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
        type=click.FloatRange(0, 1, min_open=True),
        metavar="X",
        default=FPR,
        show_default=True,
        help="False positive rate up to which the partial AUC goes.",
    ),
)


@click.command(epilog=EXAMPLES, short_help="Compare all methods on rows whose class is known.")
@reads("TEST", optional=True, labels=True, old_weka=True, calibrate=True)
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
@chooses("positive", "sigma", "leaves", "shrinkage", "recalibrate", "m", *KERNEL, *METRIC)
@writes("table", "csv", "json", "jsonl")
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
    from j48geo.data.source import same_file
    from j48geo.decide.evaluation.table import Measures
    from j48geo.model.usable import check_names

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
        if model.whole is not None:
            if methods is not None or choices or inputs.calibrate or pictures.plot is not None:
                model.require_one("a comparison of methods")
            confused = model.confusion(rows, watch=notes.watch)
            notes.settings(training_words(model))
            notes.note(*confused.notes)
            output.write(_confused(output, confused))
            return
        sample = inputs.sample(model, notes)
        learnt_from = _calibration(inputs, model)
        sample["sample_is_test"] = learnt_from is not None and same_file(learnt_from, test)
        if pictures.keeps_rows:
            rows.keep()
        found = model.evaluate(
            rows,
            methods,
            measures=Measures(**measures),
            is_training=model.training is not None
            if inputs.train is None
            else same_file(inputs.train, test),
            watch=notes.watch,
            **sample,
        )
        _say(model, found, output)
        with plot_judged(found, pictures, rows):
            output.write(_pieces(output, found))


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
    from j48geo.decide.evaluation.table import Measures
    from j48geo.show.reports.evaluate import cross_validation_sentence

    _check_cross(inputs, pictures)
    notes = output.notes
    with inputs.open(notes, choices) as (model, _):
        found = model.cross_validate(
            folds, methods, measures=Measures(**measures), watch=notes.watch
        )
        notes.settings(training_words(model), positive_words(model))
        notes.note(*found.notes)
        if found.learnt.recalibrated:
            say_learnt(found.learnt, notes)
        if output.format != "table":  # which says so itself
            notes.note(cross_validation_sentence(found.folds, found.options))
        rows = Rows(model.training_name, model.header, ())
        with plot_judged(found, pictures, rows):
            output.write(_pieces(output, found))


def _confused(output: Output, found: Confused) -> list[str]:
    from j48geo.show.reports.confusion import confused_words, confusion_json
    from j48geo.show.rowtable import csv_table
    from j48geo.show.text import json_text

    right = found.confusion.accuracy
    row = {"method": "weka", "rows": found.rows, "answered": found.answered, "accuracy": right}
    if output.format == "jsonl":
        return [json_text(row), "\n"]
    if output.format == "json":
        return [json_text(row | confusion_json(found.confusion), indent=1), "\n"]
    if output.format == "csv":
        return [csv_table(list(row), [list(row.values())])]
    return [confused_words(found.model, found.rows, found.answered, found.confusion, output.style)]


def _calibration(inputs: Inputs, model: Model) -> str | None:
    """The file of the cases for the kernel estimates, if it is not the training data."""
    kept = model.fitted
    if inputs.calibrate is not None or kept is None:
        return inputs.calibrate
    return None if kept.calibration == kept.training else kept.calibration


def _say(model: Model, found: Judgement, output: Output) -> None:
    from j48geo.model.answers.judging import measures_distances
    from j48geo.show.reports import evaluate as shown

    notes, result, setting = output.notes, found.evaluation, found.learnt.model.setting
    names = [method.method for method in found.judged.methods]
    measured = measures_distances(names)
    notes.settings(
        training_words(model),
        metric_words(model, setting.metric) if measured else "",
        positive_words(model),
    )
    notes.note(*found.notes)
    if measured:
        notes.note(*setting.metric.notes)
        notes.note(*zero_notes(found.judged.zeros, model, setting, "--method nearby"))
    if result.optimistic and output.format != "table":  # which says so itself
        notes.note(shown.resubstitution_sentence())
    if not result.optimistic:
        say_learnt(found.learnt, notes)
    if result.calibrated and output.format != "table":
        notes.note(shown.calibration_sentence(result.calibrated))
    if output.format in ("csv", "jsonl"):  # the others show it
        notes.detail(
            shown.proximity_sentence(result.proximity), shown.zero_sentence(result.proximity) or ""
        )


def _pieces(output: Output, found: Judgement) -> list[str]:
    from j48geo.decide.evaluation.classes import ClassesEvaluation
    from j48geo.show.reports import evaluate as shown
    from j48geo.show.reports import evaluate_classes as every
    from j48geo.show.reports.confusion import confusion_json, confusion_words
    from j48geo.show.text import json_text

    result, output_format, style = found.evaluation, output.format, output.style
    matrix = confusion_words(found.confusion, style)
    folds = {"folds": found.folds, "options": found.options} if found.folds else {}
    said = []
    if found.folds:
        said.append(f"{shown.cross_validation_sentence(found.folds, found.options)}\n")
    if isinstance(result, ClassesEvaluation):
        if output_format == "jsonl":
            return every.classes_jsonl(result)
        if output_format == "csv":
            return [every.classes_csv(result)]
        if output_format == "json":
            whole = every.classes_json(result) | confusion_json(found.confusion) | folds
            return [json_text(whole, indent=1), "\n"]
        return [*said, every.classes_words(result, style), "\n", matrix]
    if output_format == "jsonl":
        return shown.evaluation_jsonl(result)
    if output_format == "json":
        whole = shown.evaluation_json(result) | confusion_json(found.confusion) | folds
        return [json_text(whole, indent=1), "\n"]
    if output_format == "csv":
        return [shown.evaluation_csv(result)]
    return [*said, shown.evaluation_words(result, style), "\n", matrix]
