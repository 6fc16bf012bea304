"""``j48geo export``: the tree for other programs."""

from __future__ import annotations

from typing import Any

import click

from j48geo.cli.inputs import Inputs
from j48geo.cli.notes import describe_training
from j48geo.cli.options import input_options, option_group, output_options
from j48geo.cli.output import Output

EXAMPLES = """\b
Examples:
  j48geo export model.txt data.arff --to model -o j48.model
  j48geo export model.txt data.arff --to sql --distribution -o j48.sql
  j48geo export model.txt data.arff --to c --float32 -o j48.c
  j48geo export j48.model --to text
"""


def _drop_unset(**given: Any) -> dict[str, Any]:
    return {name: value for name, value in given.items() if value}


@click.command(
    epilog=EXAMPLES, short_help="The tree for other programs: Weka, SQL, C, JavaScript, ONNX, ..."
)
@input_options("DATA", optional=True, labels=True)
@click.option(
    "--to",
    "name",
    metavar="NAME",
    required=True,
    help="model: a file that Weka 3.9 loads; sql; c; js; onnx; st: the text of sensor tools; "
    "mermaid; text: J48's layout; json: our model file; dot: Graphviz; rules; or a plugin's, see "
    "'j48geo plugins'.",
)
@option_group(
    "options",
    _drop_unset,
    click.option("--table", metavar="NAME", help="sql: the table.  [default: cases]"),
    click.option(
        "--distribution",
        is_flag=True,
        help="sql: a column for every class, and answers for rows with missing values.",
    ),
    click.option(
        "--float32",
        is_flag=True,
        help="c: float instead of double; tells which thresholds and rows of DATA are at risk.",
    ),
)
@output_options(file_help="Write here, whole or not at all, instead of standard output.")
def export(inputs: Inputs, name: str, options: dict[str, Any], output: Output) -> None:
    """Write the tree of MODEL for another program.

    Distributions and exact thresholds need the training data (as DATA, or with --train), or a
    MODEL that brings them; without it the class is still that of 'predict'. In a .model file new
    labels ('--labels', or a MODEL that was relabelled) go out as Weka's CostSensitiveClassifier
    -M around the same tree. What a format cannot express is refused. See 'j48geo guide exports'.
    """
    from j48geo.model.formats import OPTIONS

    with inputs.open(output.notes) as (model, rows):
        if name == "json":
            model.require_unfiltered("the file")
        output.notes.settings(describe_training(model))
        if inputs.data is not None and "data" in OPTIONS.get(name, ()):
            options["data"] = rows
        exported = model.export(name, **options)
    output.notes.note(*exported.notes)
    output.write([exported.content] if isinstance(exported.content, str) else exported.content)
