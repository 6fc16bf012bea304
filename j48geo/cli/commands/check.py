"""``j48geo check``: whether the text agrees with itself, and with the data."""

from __future__ import annotations

import click

from j48geo.cli.inputs import Inputs
from j48geo.cli.options import input_options, output_options
from j48geo.cli.output import Output

EXAMPLES = """\b
Examples:
  j48geo check model.txt
  j48geo check model.txt data.arff
  j48geo check model.txt data.arff --format json
"""


@click.command(epilog=EXAMPLES, short_help="Do the printed counts come from these rows?")
@input_options("DATA", optional=True, train=False)
@output_options("table", "json")
def check(inputs: Inputs, output: Output) -> int:
    """Check the tree of MODEL against its own footer, and its counts against DATA.

    With DATA, its training data, every row is sent down the tree and the counts of every leaf
    are compared with those printed. Exit code 0 only if all agree, 1 if some differ, 5 if the
    data does not fit the tree at all.
    """
    from j48geo.show.reports.check import check_to_json, check_to_text
    from j48geo.show.text import json_text

    notes = output.notes
    with inputs.open(notes, compares_all=True, several=True) as (model, _):
        if inputs.data is not None and model.replay is not None and not model.replayed:
            notes.note(f"{inputs.data} has no rows")
        wrapped = len(model.titles) > 1 or model.tree.options.is_wrapped
        if wrapped and model.replay is not None and not model.replay.ok:
            notes.note(
                "ensembles and other classifiers around J48 grow their trees from resampled, "
                "reweighted or filtered rows, which nothing can give back"
            )
    tree, replay = model.tree, model.replay
    if output.format == "json":
        checked = check_to_json(tree, replay, len(model.titles), notes.sentences)
        output.write([json_text(checked), "\n"])
    else:
        output.write([check_to_text(tree, replay, model.replayed, output.style)])
    return 1 if replay is not None and replay.differences else 0
