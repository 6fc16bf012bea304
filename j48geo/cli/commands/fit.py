"""``j48geo fit``: a model file that needs its training data no more."""

from __future__ import annotations

from typing import Any

import click

from j48geo.cli.labels import overlaid
from j48geo.cli.leaf_counts import positive_class, positive_option
from j48geo.cli.metric import MetricOptions, metric_options
from j48geo.cli.options import (
    InputOptions,
    data_options,
    model_argument,
    model_options,
    old_weka_option,
    output_option,
    quiet_option,
    taken,
    training_options,
)
from j48geo.cli.output import write_output
from j48geo.cli.probability_options import (
    ProbabilityOptions,
    fitted_model,
    method_names,
    probability_options,
)
from j48geo.cli.words import Words

__all__ = ["fit"]

EXAMPLES = """\b
Examples:
  j48geo fit model.txt --train data.arff -o model.json
  j48geo proba model.json new.arff
  j48geo rank model.json new.arff
"""


@click.command(epilog=EXAMPLES, short_help="One file with all that was learnt, for later.")
@model_argument
@click.option(
    "--method",
    "methods",
    metavar="LIST",
    default="gdk,ldk,nearby",
    show_default=True,
    help="Estimates to learn for: some of gdk, ldk, ldk-leaf, nearby, with commas.",
)
@probability_options
@positive_option
@metric_options
@training_options
@output_option
@model_options
@data_options
@old_weka_option
@quiet_option
def fit(
    model: str,
    methods: str,
    positive: str | None,
    output: str | None,
    quiet: bool,
    **given: Any,
) -> None:
    """Learn from the training data what 'rank' and 'proba' need, and write it as JSON.

    The file holds the tree with its counts, the metric, and for each method what it learnt:
    distances and classes of the training cases, not the cases themselves ('nearby' keeps the
    values of each tested attribute, apart from their rows). It is a MODEL for every command.
    """
    from j48geo.cli.inputs import load
    from j48geo.modelfile.fitted import fitted_pieces
    from j48geo.score.fitted import fitted_of

    words = Words(quiet)
    names = method_names(methods)
    options = taken(ProbabilityOptions, given)
    measure = taken(MetricOptions, given)
    inputs = InputOptions(**given)
    if inputs.train is None:
        raise click.UsageError("fit learns from the training data: --train FILE")
    with load(model, None, inputs, words) as given_tree:
        loaded, labels = overlaid(given_tree, None, words)
        chosen = positive_class(loaded, positive, words, must=False)
        found = fitted_model(
            model, loaded, names, options, measure, chosen or 0, labels, inputs, words
        )
        fitted = fitted_of(
            found,
            training=loaded.training_name,
            calibration=options.calibrate or "",
            has_positive=chosen is not None,
        )
        write_output(output, fitted_pieces(loaded.tree, loaded.counts, fitted))
