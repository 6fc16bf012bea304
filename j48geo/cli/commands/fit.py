"""``j48geo fit``: a model file that needs its training data no more."""

from __future__ import annotations

from typing import Any

import click

from j48geo.cli.inputs import Inputs
from j48geo.cli.notes import positive_words, say_learnt, training_words
from j48geo.cli.options import reads, writes
from j48geo.cli.options_model import chooses, methods_option, tune_option, tuned
from j48geo.cli.output import Output
from j48geo.model.choice_table import PROBABILITY_CHOICES

EXAMPLES = """\b
Examples:
  j48geo fit model.txt --train data.arff -o model.json
  j48geo fit model.txt --train data.arff --method nearby --tune rank -o model.json
  j48geo proba model.json new.arff
  j48geo rank model.json new.arff
"""


@click.command(epilog=EXAMPLES, short_help="One file with all that was learnt, for later.")
@reads(old_weka=True, calibrate=True)
@methods_option(
    "--method",
    default="gdk,ldk,nearby",
    words="Estimates to learn for: some of gdk, ldk, ldk-leaf, nearby, with commas.  [default: "
    "gdk,ldk,nearby]",
)
@chooses(*PROBABILITY_CHOICES)
@tune_option()
@writes(file_help="Write the model here, whole or not at all, instead of standard output.")
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
    from j48geo.model.availability import check_names
    from j48geo.model.fitting import kept, learn
    from j48geo.model.formats import model_file

    notes = output.notes
    check_names(methods)
    if inputs.train is None:
        raise NeedsTrainingError("fit learns from the training data")
    with inputs.open(notes, choices) as (model, _):
        model.require_unfiltered("a model file")
        model = tuned(model, tune, choices, methods, notes)
        sample = inputs.sample(model, notes)
        learnt = learn(
            model,
            methods,
            sample.get("sample"),
            name=sample.get("sample_name", ""),
            seen=sample.get("sample_seen", False),
        )
        notes.settings(training_words(model), positive_words(model))
        notes.note(*learnt.model.setting.metric.notes)
        say_learnt(learnt, notes)
        output.write(model_file(model, kept(model, learnt)))
