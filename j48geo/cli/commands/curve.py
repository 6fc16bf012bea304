"""``j48geo curve``: ROC and precision-recall points of leaf scores or any scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from j48geo.cli.inputs import Inputs
from j48geo.cli.notes import Notes, describe_positive, describe_training
from j48geo.cli.options import Share, input_options, option_group, output_options
from j48geo.cli.options_model import choice_options, smoothing_option
from j48geo.cli.options_plot import check_plot_path, plot_curve, plot_option
from j48geo.cli.output import Output

if TYPE_CHECKING:
    from j48geo.decide.curves import CurveResult

EXAMPLES = """\b
Examples:
  j48geo curve model.txt --positive sick
  j48geo curve model.txt new.arff --train data.arff --format arff -o roc.arff
  j48geo rank model.txt data.arff -o ranked.csv
  j48geo curve ranked.csv --score score --positive sick --plot roc.svg
"""

score_options = option_group(
    "scores",
    dict,
    click.option(
        "--score",
        metavar="NAME",
        default=None,
        help="Read SCORES, a CSV or ARFF file, instead of a model: the column with the scores.",
    ),
    click.option(
        "--actual",
        metavar="NAME",
        default=None,
        help="With --score: the column with the classes. Default: 'actual', or ARFF's last "
        "nominal.",
    ),
)


@click.command(
    epilog=EXAMPLES, short_help="ROC and precision-recall points; ThresholdCurve for Weka."
)
@input_options("DATA", optional=True)
@choice_options("positive", "m")
@score_options
@click.option(
    "--partial",
    type=Share(),
    metavar="X",
    default=None,
    help="Give the area up to this false positive rate, too.",
)
@plot_option
@smoothing_option("raw")
@output_options("table", "csv", "json", "arff")
def curve(
    inputs: Inputs,
    choices: dict[str, Any],
    scores: dict[str, str | None],
    partial: float | None,
    plot: str | None,
    smoothing: Any,
    output: Output,
) -> None:
    """Show the curve of the leaf estimates of MODEL, on its counts or on the rows of DATA.

    With '--score' the first argument is a file of scores and classes instead. A point for
    each distinct score: cases with at least that score are called positive; '*' marks
    corners of the convex hull. '--format arff' is what Weka's ThresholdCurve gives, with its
    columns and conventions. With more than two classes and no '--positive' the curve is that
    of the first class, as in Weka, and M judges them all.
    """
    from j48geo.show.reports.curve import curve_to_arff, curve_to_csv, curve_to_json, curve_to_text
    from j48geo.show.text import json_text

    check_plot_path(plot, output.path)
    score = scores["score"]
    if score is not None:
        if inputs.data is not None:
            raise click.UsageError("--score takes one file of scores, and no DATA")
        drawn = _of_scores(
            inputs.model, score, scores["actual"], choices.get("positive"), partial, output.notes
        )
    elif scores["actual"] is not None:
        raise click.UsageError("--actual is for --score")
    else:
        drawn = _of_leaves(inputs, choices, smoothing, partial, output.notes)
    method = score or {"none": "raw"}.get(smoothing, smoothing)
    plot_curve(drawn, plot, method=method, name=inputs.data or inputs.model)
    if output.format == "json":
        output.write([json_text(curve_to_json(drawn), indent=1), "\n"])
    else:
        show = {"csv": curve_to_csv, "arff": curve_to_arff}.get(output.format)
        output.write([curve_to_text(drawn, output.style) if show is None else show(drawn)])


def _of_scores(
    source: str,
    score: str,
    actual: str | None,
    positive: str | None,
    partial: float | None,
    notes: Notes,
) -> CurveResult:
    from j48geo.data.small_tables import read_score_table
    from j48geo.data.source import translate_errors
    from j48geo.decide.curves import CurveResult, score_curve
    from j48geo.errors import DataReadError

    table = translate_errors(DataReadError, source, lambda: read_score_table(source, score, actual))
    if table.left_out:
        notes.note(f"{table.left_out} rows without a score or a class are left out")
    curve, label = score_curve(table.scores, table.actual, table.weights, table.classes, positive)
    if positive is None:
        why = "the rarer one" if len(table.classes) == 2 else "the first class"
        notes.note(f"positive class {label!r}, {why}")
    return CurveResult(curve, label, partial)


def _of_leaves(
    inputs: Inputs, choices: dict[str, Any], smoothing: Any, partial: float | None, notes: Notes
) -> CurveResult:
    from j48geo.decide.curves import CurveResult
    from j48geo.decide.roc import locate_labels
    from j48geo.model.costs import draw_curve as leaf_curve

    with inputs.open(notes, choices) as (model, rows):
        notes.settings(describe_training(model), describe_positive(model))
        at = model.positive_index
        if at is None and len(model.classes) > 2:
            at = 0
            notes.note(f"positive class {model.classes[0]!r}, the first; --positive LABEL")
        if at is None:
            model.require_positive("a curve")
        assert at is not None
        curve = leaf_curve(model, at, smoothing, rows if inputs.data is not None else None)
    point = locate_labels(curve.called == at, curve.actual == at, curve.weights)
    several = len(model.classes) > 2
    return CurveResult(curve.curve, model.classes[at], partial, curve.m, several, point)
