"""``j48geo rank``: cases ordered by how surely they belong to the positive class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from j48geo.cli.inputs import Inputs
from j48geo.cli.notes import (
    describe_metric,
    describe_positive,
    describe_training,
    zero_distance_notes,
)
from j48geo.cli.options import input_options, output_options
from j48geo.cli.options_model import apply_tuning, choice_options, refuse_unused, tune_option
from j48geo.cli.output import Output
from j48geo.model.choices import METRIC_CHOICES

if TYPE_CHECKING:
    from j48geo.model.model import Model
    from j48geo.model.rankings import RankedCases

EXAMPLES = """\b
Examples:
  j48geo rank model.txt data.arff --top 20
  j48geo rank model.txt new.arff --train data.arff --positive sick -o ranked.jsonl
  j48geo rank model.txt data.arff --by global --format arff -o ranked.arff
  j48geo rank model.txt new.arff --least-sure --top 10
"""


@click.command(epilog=EXAMPLES, short_help="Order the rows, surest of the positive class first.")
@input_options("DATA", labels=True, old_weka=True)
@click.option(
    "--by",
    metavar="auto|nearby|global|local|leaf|NAME",
    default="auto",
    show_default=True,
    help="Average of the leaves around; signed distance; leaf estimate, then distance; leaf "
    "estimate; any method of 'proba'; or a plugin's score. auto: nearby if the training data is "
    "known, else local.",
)
@choice_options(
    "positive",
    "within",
    "sigma",
    "leaves",
    "shrinkage",
    "estimate",
    "m",
    "boundary",
    *METRIC_CHOICES,
)
@click.option(
    "--top", type=click.IntRange(min=1), metavar="N", default=None, help="The first N rows only."
)
@click.option(
    "--least-sure",
    is_flag=True,
    help="Those first that lie nearest to the boundary, or whose two best classes are closest.",
)
@click.option(
    "--all-classes", is_flag=True, help="Add h, the algebraic distance of every class (< 0 inside)."
)
@tune_option("rank")
@output_options("table", "csv", "json", "jsonl", "arff", "parquet", carries=True)
def rank(
    inputs: Inputs,
    by: str,
    choices: dict[str, Any],
    top: int | None,
    least_sure: bool,
    all_classes: bool,
    tune: str | None,
    output: Output,
) -> None:
    """Rank the rows of DATA, best first, by how surely they are of the positive class.

    J48 gives all rows of a leaf the same probability; the leaves around, and the distance to
    the decision boundary, tell them apart. Equal scores share a rank (1, 1, 3). With more
    than two classes and no '--positive' rows are ordered by their distance to any change of
    class.
    """
    from j48geo.model.rankings import rank_rows
    from j48geo.model.settings import auto_ranking, check_names
    from j48geo.show.reports.ranking import ranking_report

    notes = output.notes
    if by != "auto":
        check_names([by], rankings=True)  # an unknown name is told before anything is read
        refuse_unused(choices, [by], shows_distance=True)
    with inputs.open(notes, choices, keep=output.kept) as (model, rows):
        method = auto_ranking(model) if by == "auto" else by
        refuse_unused(choices, [method], shows_distance=True)
        model = apply_tuning(model, tune, choices, [method], notes)
        # Columns of the input go along in the order of the ranking: these rows are needed twice.
        if output.format == "arff" or output.kept:
            rows.keep()
        ranking = rank_rows(
            model,
            rows,
            method,
            top=top,
            least_sure=least_sure,
            all_classes=all_classes,
            count_own=output.verbose,
            progress=notes.progress,
        )
        _note_ranking(model, ranking, by == "auto", output)
        at = rows.at if output.format == "arff" or output.kept else None
        report = ranking_report(ranking.rows, at)
        output.write(output.rows(report, model.tree.header, inputs.zone))


def _note_ranking(model: Model, ranking: RankedCases, is_auto: bool, output: Output) -> None:
    """Say what the ranking depends on, and what is remarkable about it."""
    from j48geo.score.methods import METHODS
    from j48geo.show.reports.ranking import ranking_details, ranking_sentences

    notes = output.notes
    method = ""
    if is_auto:
        is_global = ranking.method in ("global", "distance")
        other = "" if is_global else " (the papers' ranking: --by global)"
        method = f"ranked by {ranking.method}, {METHODS[ranking.method].words}{other}"
    notes.settings(
        describe_training(model),
        method,
        describe_metric(model, ranking.metric),
        describe_positive(model),
    )
    notes.note(*ranking.notes, *(ranking.metric.notes if len(ranking.rows.score) else ()))
    if ranking.method == "distance" and len(model.classes) > 2:
        first = "least sure" if ranking.least_sure else "surest"
        notes.note(f"no positive class: the {first} of any class come first (--positive LABEL)")
    if notes.verbose:
        leaves = len(model.tree.leaves)
        more = ranking_details(ranking.facts, ranking.rows.ranking.places, leaves)
        notes.note(f"metric: {ranking.metric.describe()}", *more)
    notes.note(*ranking_sentences(ranking.facts))
    measures = ranking.method not in METHODS or METHODS[ranking.method].measures
    if measures and ranking.setting.within == "g":
        notes.note(*zero_distance_notes(ranking.zeros, model, ranking.setting, "--by nearby"))
