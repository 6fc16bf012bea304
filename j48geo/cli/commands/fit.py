"""``j48geo fit``: a model file that needs its training data no more."""

from __future__ import annotations

from typing import Any

import click

from j48geo.cli.inputs import Inputs
from j48geo.cli.notes import describe_positive, describe_training, note_fitting
from j48geo.cli.options import input_options, output_options
from j48geo.cli.options_model import apply_tuning, choice_options, methods_option, tune_option
from j48geo.cli.output import Output
from j48geo.model.choices import PROBABILITY_CHOICES

EXAMPLES = """\b
Examples:
  j48geo fit model.txt --train data.arff -o model.json
  j48geo fit model.txt --train data.arff --method nearby --tune rank -o model.json
  j48geo proba model.json new.arff
  j48geo rank model.json new.arff
"""


@click.command(epilog=EXAMPLES, short_help="One file with all that was learnt, for later.")
@input_options(old_weka=True, calibrate=True)
@methods_option(
    "--method",
    default="gdk,ldk,nearby",
    words="Estimates to learn for: some of gdk, ldk, ldk-leaf, nearby, with commas.  [default: "
    "gdk,ldk,nearby]",
)
@choice_options(*PROBABILITY_CHOICES)
@tune_option()
@output_options(file_help="Write the model here, whole or not at all, instead of standard output.")
def fit(
    inputs: Inputs,
    methods: tuple[str, ...],
    choices: dict[str, Any],
    tune: str | None,
    output: Output,
) -> None:
    """Learn from the training data what 'rank' and 'proba' need, and write it as JSON.

    The file holds the tree with its counts, the metric, and for each method what it learnt:
    distances and classes of the training cases, not the cases themselves ('nearby' keeps the
    values of each tested attribute, apart from their rows). It is a MODEL for every command.
    """
    from j48geo.errors import NeedsTrainingError
    from j48geo.model.fitting import fit_methods, to_fitted_values
    from j48geo.model.formats import model_file_pieces
    from j48geo.model.settings import check_names

    notes = output.notes
    check_names(methods)
    if inputs.train is None:
        raise NeedsTrainingError("fit learns from the training data")
    with inputs.open(notes, choices) as (model, _):
        model.require_unfiltered("a model file")
        model = apply_tuning(model, tune, choices, methods, notes)
        sample = inputs.sample(model, notes)
        fitted = fit_methods(
            model,
            methods,
            sample.get("sample"),
            name=sample.get("sample_name", ""),
            seen=sample.get("sample_seen", False),
        )
        notes.settings(describe_training(model), describe_positive(model))
        notes.note(*fitted.model.setting.metric.notes)
        note_fitting(fitted, notes)
        output.write(model_file_pieces(model, to_fitted_values(model, fitted)))
