"""``j48geo export``: the tree for other programs."""

from __future__ import annotations

import click

from j48geo.cli.inputs import Inputs
from j48geo.cli.notes import training_words
from j48geo.cli.options import one_of, reads, writes
from j48geo.cli.output import Output

__all__ = ["export"]

EXAMPLES = """\b
Examples:
  j48geo export model.txt data.arff --to model -o j48.model
  j48geo export j48.model --to text
  j48geo export model.txt data.arff --to json -o model.json
"""


@click.command(epilog=EXAMPLES, short_help="The tree for other programs: a .model file for Weka.")
@reads("DATA", optional=True, labels=True)
@click.option(
    "--to",
    "name",
    type=one_of("model", "text", "json", "dot", "rules"),
    required=True,
    help="model: a file that Weka 3.9 loads; text: J48's layout; json: our model file; dot: "
    "Graphviz; rules.",
)
@writes(file_help="Write here, whole or not at all, instead of standard output.")
def export(inputs: Inputs, name: str, output: Output) -> None:
    """Write the tree of MODEL for another program.

    A .model file needs the counts of every class at every node and exact thresholds: give the
    training data (as DATA, or with --train), or a MODEL that brings them. New labels
    ('--labels', or a MODEL that was relabelled) go out as Weka's CostSensitiveClassifier -M
    around the same tree.
    """
    with inputs.open(output.notes) as (model, _):
        if name in ("model", "json"):
            model.require_unfiltered("the file")
        output.notes.settings(training_words(model))
        made = model.to(name)
    output.write([made] if isinstance(made, str) else made)
