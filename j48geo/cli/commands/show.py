"""``j48geo show``: the tree explained, or in another format."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import nullcontext
from typing import TYPE_CHECKING

import click

from j48geo.cli.inputs import Inputs
from j48geo.cli.notes import describe_training
from j48geo.cli.options import input_options, output_options
from j48geo.cli.output import Output
from j48geo.output_files import open_atomic, translate_os_errors

if TYPE_CHECKING:
    from j48geo.model.model import Model

EXAMPLES = """\b
Examples:
  j48geo show model.txt
  j48geo show model.txt data.arff -o model.json
  j48geo show model.txt data.arff --plot tree.svg
  j48geo show model.txt data.arff --format dot | dot -Tpdf -o tree.pdf
"""


@click.command(epilog=EXAMPLES, short_help="The tree explained; as text, JSON, Graphviz, rules.")
@input_options("DATA", optional=True)
@click.option(
    "--plot",
    metavar="FILE.svg",
    default=None,
    help="Draw the tree, too, as an SVG picture; of more than 60 leaves the heaviest parts.",
)
@output_options("table", "text", "rules", "json", "jsonl", "csv", "dot")
def show(inputs: Inputs, plot: str | None, output: Output) -> None:
    """Show the tree of MODEL with its leaves numbered, its counts explained, a rule a leaf.

    DATA gives names and values their meaning; if it is the training data, thresholds come
    with all their digits and leaves with the weight of every class. '--format text' is J48's
    own layout, 'json' the whole model (a MODEL for every command), 'dot' is for Graphviz.
    """
    output.check_other(plot, "--plot")
    if plot is not None and not plot.lower().endswith(".svg"):
        raise click.UsageError(f"--plot {plot}: expected a name that ends in .svg")
    with inputs.open(output.notes, must_fit=False, several=True) as (model, _):
        output.notes.settings(describe_training(model))
    with nullcontext() if plot is None else open_atomic(plot) as picture:
        if plot is not None and picture is not None:
            with translate_os_errors(plot):
                picture.write(model.drawing().encode())
        output.write(_pieces(output, model))


def _pieces(output: Output, model: Model) -> Iterable[str]:
    from j48geo.model.formats import model_file_pieces
    from j48geo.show.rows.row_report import csv_table, jsonl_table
    from j48geo.show.rules import describe_tree, rule_rows, rule_titles

    if output.format == "json":
        return model_file_pieces(model, None)
    if output.format in ("text", "rules", "dot"):
        return [str(model.to(output.format))]
    tree = model.tree
    counts = model.counts if model.counts.source == "data" else None
    if output.format == "table":
        return [describe_tree(tree, counts, output.style)]
    table = csv_table if output.format == "csv" else jsonl_table
    return [table(rule_titles(tree, counts), rule_rows(tree, counts))]
