"""``j48geo leaves``: the leaves in the order of their local positive accuracy."""

from __future__ import annotations

from typing import Any, Literal

import click

from j48geo.cli.leaf_counts import (
    SmoothingOptions,
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

__all__ = ["leaves"]

EXAMPLES = """\b
Examples:
  j48geo leaves model.txt --positive sick
  j48geo leaves model.txt data.arff --smoothing laplace --format csv
"""


@click.command(epilog=EXAMPLES, short_help="The leaves by their share of the positive class.")
@model_argument
@data_argument(required=False)
@positive_option
@smoothing_options("none")
@training_options
@format_option(("table", "csv", "json", "jsonl"))
@output_option
@model_options
@data_options
@quiet_option
def leaves(
    model: str,
    data: str | None,
    positive: str | None,
    smoothing: Literal["none", "laplace", "m"],
    m_weight: float | None,
    output_format: str,
    output: str | None,
    quiet: bool,
    **given: Any,
) -> None:
    """List the leaves of MODEL, those with the largest share of the positive class first.

    The text alone tells the counts of two classes; with more of them the training data must
    be given. Leaves of exactly equal share have one rank. 'tpr' and 'fpr' are those of a tree
    that labels this leaf and all before it positive.
    """
    from j48geo.cli.inputs import load
    from j48geo.decide.leaf_order import order_leaves
    from j48geo.show.reports.labellings import Ordered, leaf_rows, leaf_titles, leaf_words
    from j48geo.show.rowtable import csv_table, jsonl_table
    from j48geo.show.text import json_text

    words = Words(quiet)
    wanted = SmoothingOptions(smoothing, m_weight)
    with load(model, data, InputOptions(**given), words) as loaded:
        counts = known_counts(model, loaded)
        chosen = positive_class(loaded, positive, words)
        tree = loaded.tree
    pairs = counts.against_rest(chosen)
    mp = m_times_p(wanted.m_weight, counts.shares[chosen]) if counts.shares else 10.0
    order = order_leaves(pairs, wanted.smoothing, classes=len(tree.classes), mp=mp)
    found = Ordered(tree, chosen, order, pairs, mp)
    titles, rows = leaf_titles(), leaf_rows(found)
    if output_format == "table":
        write_output(output, [leaf_words(found)])
    elif output_format == "csv":
        write_output(output, [csv_table(titles, rows)])
    elif output_format == "jsonl":
        write_output(output, [jsonl_table(titles, rows)])
    else:
        objects = [dict(zip(titles, row, strict=True)) for row in rows]
        whole = {"positive": tree.classes[chosen], "leaves": objects}
        write_output(output, [json_text(whole, indent=1), "\n"])
