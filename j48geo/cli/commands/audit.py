"""``j48geo audit``: what criteria of splitting say of every split."""

from __future__ import annotations

from typing import Any

import click

from j48geo.cli.inputs import Inputs
from j48geo.cli.notes import describe_positive, describe_training
from j48geo.cli.options import input_options, output_options
from j48geo.cli.options_model import choice_options
from j48geo.cli.output import Output

EXAMPLES = """\b
Examples:
  j48geo audit model.txt
  j48geo audit model.txt data.arff --w uniform --format csv
  j48geo audit model.txt data.arff --positive sick --w 0.1
"""


@click.command(epilog=EXAMPLES, short_help="Every split with its AUC, gains and entropies.")
@input_options("DATA", optional=True)
@choice_options("positive")
@click.option(
    "--w",
    metavar="prior|uniform|P|P1,P2,...",
    default="prior",
    show_default=True,
    help="W, the class shares of largest uncertainty: in training, equal, or as given.",
)
@output_options("table", "csv", "json", "jsonl")
def audit(inputs: Inputs, choices: dict[str, Any], w: str, output: Output) -> None:
    """Show every split of MODEL with the AUC of its branches and the gains of its impurities.

    'auc' is that of the positive class, 'accuracy' that of the branches' majorities, all
    other columns are what the split gains, under the names of grow --criterion. '-' is 0/0.
    This describes the splits; J48 chose them by a criterion of its own.
    """
    from j48geo.model.costs import audit_model
    from j48geo.show.reports.audit import audit_rows, audit_titles, audit_to_text, split_to_json
    from j48geo.show.rows.row_report import csv_table
    from j48geo.show.text import json_text

    notes = output.notes
    with inputs.open(notes, choices) as (model, _):
        notes.settings(describe_training(model), describe_positive(model))
        if model.positive is None and len(model.classes) > 2:
            notes.note("no AUC without --positive LABEL: the tree has more than two classes")
        splits, shares = audit_model(model, _w(w))
        classes = model.classes
    if output.format == "table":
        output.write([audit_to_text(classes, shares, splits, output.style)])
    elif output.format == "csv":
        output.write([csv_table(audit_titles(), audit_rows(splits))])
    elif output.format == "jsonl":
        output.write(f"{json_text(split_to_json(s))}\n" for s in splits)
    else:
        record = {
            "positive": model.positive,
            "w": dict(zip(classes, shares, strict=True)),
            "splits": [split_to_json(s) for s in splits],
        }
        output.write([json_text(record, indent=1), "\n"])


def _w(text: str) -> str | list[float]:
    """A word, or shares."""
    if text in ("prior", "uniform"):
        return text
    try:
        return [float(word) for word in text.split(",")]
    except ValueError:
        return text
