"""``j48geo leaves``: the leaves in the order of their local positive accuracy."""

from __future__ import annotations

from typing import Any

import click

from j48geo.cli.inputs import Inputs
from j48geo.cli.notes import describe_positive, describe_training
from j48geo.cli.options import input_options, output_options
from j48geo.cli.options_model import choice_options, smoothing_option
from j48geo.cli.output import Output

EXAMPLES = """\b
Examples:
  j48geo leaves model.txt --positive sick
  j48geo leaves model.txt data.arff --smoothing laplace --format csv
"""


@click.command(epilog=EXAMPLES, short_help="The leaves by their share of the positive class.")
@input_options("DATA", optional=True)
@choice_options("positive", "m")
@smoothing_option("raw")
@output_options("table", "csv", "json", "jsonl")
def leaves(inputs: Inputs, choices: dict[str, Any], smoothing: Any, output: Output) -> None:
    """List the leaves of MODEL, those with the largest share of the positive class first.

    The text alone tells the counts of two classes; with more of them the training data must
    be given, and without '--positive' every class has its turn. Leaves of exactly equal share
    have one rank. 'tpr' and 'fpr' are those of a tree that labels this leaf and all before it
    positive.
    """
    from j48geo.model.costs import order_by_accuracy, positive_classes
    from j48geo.show.reports.labellings import leaf_rows, leaf_titles, leaves_to_text
    from j48geo.show.rows.row_report import csv_table, jsonl_table
    from j48geo.show.text import json_text

    with inputs.open(output.notes, choices) as (model, _):
        output.notes.settings(describe_training(model), describe_positive(model))
        orders = [order_by_accuracy(model, c, smoothing) for c in positive_classes(model)]
        classes = model.classes
    if output.format == "table":
        output.write("\n" * (k > 0) + leaves_to_text(o, output.style) for k, o in enumerate(orders))
        return
    titles, several = leaf_titles(), len(orders) > 1
    tables = [(classes[o.positive], leaf_rows(o)) for o in orders]
    if output.format == "json":
        wholes = [
            {"positive": label, "leaves": [dict(zip(titles, row, strict=True)) for row in rows]}
            for label, rows in tables
        ]
        output.write([json_text({"classes": wholes} if several else wholes[0], indent=1), "\n"])
        return
    if several:
        titles = [*titles, "positive_class"]  # 'positive' counts its cases
        tables = [(label, [[*row, label] for row in rows]) for label, rows in tables]
    lines = [row for _, rows in tables for row in rows]
    output.write([(csv_table if output.format == "csv" else jsonl_table)(titles, lines)])
