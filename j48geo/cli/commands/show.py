"""``j48geo show``: the tree explained, or in another format."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

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

if TYPE_CHECKING:
    from j48geo.core.counts import NodeCounts
    from j48geo.core.tree import BoxTree

__all__ = ["show"]

EXAMPLES = """\b
Examples:
  j48geo show model.txt
  j48geo show model.txt data.arff --format json -o model.json
  j48geo show model.txt data.arff --format dot | dot -Tsvg -o tree.svg
"""


@click.command(epilog=EXAMPLES, short_help="The tree explained; as text, JSON, Graphviz, rules.")
@model_argument
@data_argument(required=False)
@model_options
@data_options
@training_options
@format_option(("table", "text", "rules", "json", "jsonl", "csv", "dot"))
@output_option
@quiet_option
def show(
    model: str,
    data: str | None,
    output_format: str,
    output: str | None,
    quiet: bool,
    **given: Any,
) -> None:
    """Show the tree of MODEL with its leaves numbered, its counts explained, a rule a leaf.

    DATA gives names and values their meaning; if it is the training data, thresholds come
    with all their digits and leaves with the weight of every class. '--format text' is J48's
    own layout, 'json' the whole model (a MODEL for every command), 'dot' is for Graphviz.
    """
    from j48geo.cli.inputs import load

    with load(model, data, InputOptions(**given), Words(quiet), must_fit=False) as loaded:
        counts = loaded.counts if loaded.is_trained else None
        tree = loaded.tree
    write_output(output, _pieces(output_format, tree, counts))


def _pieces(output_format: str, tree: BoxTree, counts: NodeCounts | None) -> list[str]:
    from j48geo.show.rowtable import csv_table, jsonl_table
    from j48geo.show.text import json_text
    from j48geo.show.tree.rules import leaf_rules, rule_words
    from j48geo.show.tree.words import rule_rows, rule_titles, tree_words

    if output_format == "text":
        from j48geo.show.tree.weka_text import tree_text

        return [tree_text(tree)]
    if output_format == "dot":
        from j48geo.show.tree.dot import tree_dot

        return [tree_dot(tree)]
    if output_format == "json":
        from j48geo.modelfile.tree_writer import tree_to_json

        return [json_text(tree_to_json(tree, counts), indent=1), "\n"]
    if output_format == "rules":
        return [f"{rule_words(rule)}\n" for rule in leaf_rules(tree)]
    if output_format == "table":
        return [tree_words(tree, counts)]
    titles = rule_titles(tree, counts)
    rows = rule_rows(tree, counts)
    if output_format == "csv":
        return [csv_table(titles, rows)]
    return [jsonl_table(titles, rows)]
