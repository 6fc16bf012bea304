"""``j48geo labellings``: the labels of the leaves that are best for some costs."""

from __future__ import annotations

from typing import Any, Literal

import click

from j48geo.cli.leaf_counts import (
    SmoothingOptions,
    coverage_counts,
    known_counts,
    m_times_p,
    positive_class,
    positive_option,
    smoothing_options,
)
from j48geo.cli.options import (
    InputOptions,
    data_argument,
    data_options,
    format_option,
    model_argument,
    model_options,
    output_option,
    quiet_option,
    training_options,
)
from j48geo.cli.output import write_output
from j48geo.cli.words import Words

__all__ = ["labellings"]

EXAMPLES = """\b
Examples:
  j48geo labellings model.txt --positive sick
  j48geo labellings model.txt data.arff --test new.arff --format json
"""


@click.command(
    epilog=EXAMPLES, short_help="The best labels for every ratio of costs, ROC points, AUC."
)
@model_argument
@data_argument(required=False)
@positive_option
@smoothing_options("none")
@click.option(
    "--test",
    metavar="FILE",
    default=None,
    help="Take rates from these rows; the order of the leaves stays that of training.",
)
@training_options
@format_option(("table", "csv", "json"))
@output_option
@model_options
@data_options
@quiet_option
def labellings(
    model: str,
    data: str | None,
    positive: str | None,
    smoothing: Literal["none", "laplace", "m"],
    m_weight: float | None,
    test: str | None,
    output_format: str,
    output: str | None,
    quiet: bool,
    **given: Any,
) -> None:
    """Show the optimal labellings of MODEL's leaves, from all negative to all positive.

    Of all ways to label n leaves only n + 1 are best for some costs: the first leaves in the
    order of their share of positives are positive. 'cost ratio' is FP / (FN + FP) of the
    costs of a false alarm and of a missed positive: within its interval nothing is cheaper.
    On the counts that gave the order, and without smoothing, they are the ROC convex hull.
    """
    from j48geo.cli.inputs import load
    from j48geo.decide.leaf_order import order_leaves
    from j48geo.show.reports.labellings import (
        Ordered,
        labellings_csv,
        labellings_json,
        labellings_words,
    )
    from j48geo.show.text import json_text

    words = Words(quiet)
    wanted = SmoothingOptions(smoothing, m_weight)
    options = InputOptions(**given)
    if test == "-":
        raise click.UsageError("--test cannot be '-'; name a file")
    # Names and class order of a text alone are guesses: any data at hand knows better.
    known = test if data is None and options.train is None else data
    with load(model, known, options, words) as loaded:
        counts = known_counts(model, loaded)
        chosen = positive_class(loaded, positive, words)
        tested = None if test is None else coverage_counts(test, loaded, options, words)
        tree = loaded.tree
    pairs = counts.against_rest(chosen)
    mp = m_times_p(wanted.m_weight, counts.shares[chosen]) if counts.shares else 10.0
    order = order_leaves(pairs, wanted.smoothing, classes=len(tree.classes), mp=mp)
    if wanted.smoothing != "none":
        words.note("smoothed estimates order the leaves: the points need not lie on the hull")
    coverage = pairs if tested is None else tested.against_rest(chosen)
    found = Ordered(tree, chosen, order, coverage, mp)
    if output_format == "json":
        write_output(output, [json_text(labellings_json(found)), "\n"])
    elif output_format == "csv":
        write_output(output, [labellings_csv(found)])
    else:
        write_output(output, [labellings_words(found)])
