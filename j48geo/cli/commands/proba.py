"""``j48geo proba``: how probable each class is for each row."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from j48geo.cli.inputs import Inputs
from j48geo.cli.notes import (
    Notes,
    describe_metric,
    describe_positive,
    describe_training,
    note_fitting,
    zero_distance_notes,
)
from j48geo.cli.options import input_options, output_options
from j48geo.cli.options_model import (
    apply_tuning,
    choice_options,
    methods_option,
    refuse_unused,
    tune_option,
)
from j48geo.cli.output import Output
from j48geo.model.choices import PROBABILITY_CHOICES

if TYPE_CHECKING:
    from j48geo.model.model import Model
    from j48geo.model.predictions import Estimates
    from j48geo.score.probabilities import EstimatedBlock

EXAMPLES = """\b
Examples:
  j48geo proba model.txt data.arff
  j48geo proba model.txt new.arff --train data.arff --method gdk,ldk,laplace
  j48geo proba model.txt new.arff --train data.arff --calibrate fresh.arff -o p.jsonl
"""


@click.command(epilog=EXAMPLES, short_help="Probability of every class, by several methods.")
@input_options("DATA", labels=True, old_weka=True, calibrate=True)
@methods_option(
    "--method",
    default=None,
    words="One or several of raw, laplace, m, hs, gdk, ldk, ldk-leaf, nearby, with commas. "
    "Default: nearby if the training data is known, else laplace.",
)
@choice_options(*PROBABILITY_CHOICES)
@tune_option("proba")
@output_options("table", "csv", "json", "jsonl", "arff", "parquet", carries=True)
def proba(
    inputs: Inputs,
    methods: tuple[str, ...] | None,
    choices: dict[str, Any],
    tune: str | None,
    output: Output,
) -> None:
    """Estimate the probability of every class for every row of DATA.

    J48 gives all rows of a leaf the same probability, and one that is too sure. 'nearby'
    averages the leaves around; 'gdk' asks the training cases that lie about as far from the
    decision boundary, 'ldk' those among them with the same separator; 'raw', 'laplace' and
    'm' ask the leaf, 'hs' also the nodes above it. The tree's class stands, whatever is most
    probable. Flags tell where an estimate is not what was asked for.
    """
    from j48geo.model.settings import auto_probability, check_names
    from j48geo.show.reports.probabilities import probability_report

    notes = output.notes
    if methods is not None:
        check_names(methods)
        refuse_unused(choices, methods, calibrate=inputs.calibrate)
    with inputs.open(notes, choices, keep=output.kept) as (model, rows):
        names = (auto_probability(model),) if methods is None else methods
        refuse_unused(choices, names, calibrate=inputs.calibrate)
        model = apply_tuning(model, tune, choices, names, notes)
        sample = inputs.sample(model, notes)
        estimates = model.estimates(rows, methods, progress=notes.progress, **sample)
        _note_settings(model, estimates, methods is None, notes)
        fitted, tree = estimates.model, estimates.model.setting.tree
        blocks = _note_counts(model, estimates, notes)
        report = probability_report(tree.classes, fitted.methods, fitted.setting.positive, blocks)
        output.write(output.rows(report, tree.header, inputs.zone))


def _note_settings(model: Model, estimates: Estimates, auto: bool, notes: Notes) -> None:
    from j48geo.score.methods import METHODS

    names = estimates.model.methods
    metric = estimates.model.setting.metric
    method = ""
    if auto:
        method = f"estimated by {names[0]}, {METHODS[names[0]].words} (the papers': --method gdk)"
    measured = any(METHODS[name].measures for name in names)
    notes.settings(
        describe_training(model),
        method,
        describe_metric(model, metric) if measured else "",
        describe_positive(model),
    )
    if measured:
        notes.note(*metric.notes)
        notes.detail(f"metric: {metric.describe()}")
    note_fitting(estimates.learnt, notes)


def _note_counts(model: Model, estimates: Estimates, notes: Notes) -> Iterator[EstimatedBlock]:
    """The blocks; when all have passed, notes tell what was counted of them."""
    from j48geo.show.reports.probabilities import probability_sentences

    yield from estimates
    sentences = probability_sentences(estimates.tally)
    notes.detail(sentences[0])
    notes.note(*sentences[1:])
    if estimates.zeros.zeros:
        notes.detail(estimates.zeros.sentence())
    notes.note(
        *zero_distance_notes(estimates.zeros, model, estimates.model.setting, "--method nearby")
    )
