"""``j48geo grow``: the tree that Weka's J48 grows, without Weka."""

from __future__ import annotations

from typing import Any

import click

from j48geo.cli.inputs import Inputs
from j48geo.cli.options import input_options, output_options
from j48geo.cli.options_grow import evaluation_options, j48_options, paper_options, typed_options
from j48geo.cli.output import Output

BANNER = "=== Classifier model (full training set) ===\n\n"
EXAMPLES = """\b
Examples:
  j48geo grow data.arff
  j48geo grow data.arff -C 0.1 -M 5 -o tree.txt
  j48geo grow data.arff -B -U | j48geo rank - data.arff
  j48geo grow data.arff --evaluate -x 5
  j48geo grow data.arff --criterion auc
  j48geo grow data.arff --criterion asymmetric --w prior --min-gain 0.03
"""


@click.command(epilog=EXAMPLES, short_help="Grow the tree that Weka's J48 grows, without Weka.")
@input_options("DATA", model=False, train=False)
@j48_options
@paper_options()
@evaluation_options()
@output_options(file_help="Write the tree here, whole or not at all, instead of standard output.")
@click.pass_context
def grow(
    context: click.Context,
    inputs: Inputs,
    papers: dict[str, Any],
    judging: dict[str, Any],
    output: Output,
) -> None:
    """Grow J48's tree from DATA (an ARFF file, '-' for standard input).

    The options of one letter are J48's own. What is printed is what Weka's command line prints
    of the model, letter for letter, and every other command reads it.

    Another --criterion, --prune, --min-gain or --smoothing grows the trees of two papers on
    ranking by trees (AUCsplit; asymmetric and off-centred entropy); Weka has none of these, and
    a first line of the text says so.
    """
    from j48geo.growing.criterion_trees import CriterionOptions, grow_by_criterion_with_counts
    from j48geo.growing.options import GrowOptions
    from j48geo.model.growth import evaluate_like_weka
    from j48geo.show.reports.weka_evaluation import weka_evaluations_to_text
    from j48geo.show.weka_text import tree_text

    j48 = GrowOptions.of(typed_options(context, papers=False))
    options = CriterionOptions(**papers, j48=j48)
    with inputs.open_data() as opened:
        rows = opened.all()
    if not len(rows):
        output.notes.note(f"{inputs.data} has no rows")
    tested = None
    if judging["test"] is not None:
        with inputs.open_data(judging["test"]) as opened:
            tested = opened.all()
    grown = grow_by_criterion_with_counts(rows, options)
    first = "\n"
    if not options.is_j48:
        first = f"grown by j48geo ({options.criterion})\n\n"
        output.notes.note("this tree is j48geo's own, Weka did not make it")
    words = typed_options(context, papers=not options.is_j48)
    options_line = f"Options: {' '.join(words)} \n\n" if words else ""
    evaluation = ""
    if judging["evaluate"]:
        evaluations = evaluate_like_weka(
            grown, rows, tested, options, folds=judging["folds"], seed=judging["seed"]
        )
        evaluation = weka_evaluations_to_text(evaluations, rows.header.classes)
    output.write([first, options_line, BANNER, tree_text(grown.tree), evaluation])
