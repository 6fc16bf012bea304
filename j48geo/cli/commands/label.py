"""``j48geo label``: labels for the leaves that fit given costs or class shares."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from j48geo.cli.inputs import Inputs
from j48geo.cli.notes import describe_positive, describe_training
from j48geo.cli.options import input_options, option_group, output_options, word_type
from j48geo.cli.options_model import choice_options, smoothing_option
from j48geo.cli.options_plot import check_plot_path, plot_costs, plot_option
from j48geo.cli.output import Output, write_output

if TYPE_CHECKING:
    from j48geo.model.costs import CostRequest

EXAMPLES = """\b
Examples:
  j48geo label model.txt --fn 5 --fp 1 --positive sick
  j48geo label model.txt data.arff --cost-matrix costs.txt -o relabelled.txt
  j48geo label model.txt data.arff --threshold prior
  j48geo label model.txt data.arff --fn 10 --prior 0.02 --format json
  j48geo label model.txt --fn 5 --plot costs.svg
"""


def _make_request(**given: Any) -> CostRequest:
    from j48geo.errors import ChoiceError
    from j48geo.model.costs import CostRequest

    matrix = given["cost_matrix"]
    threshold, prior = given["threshold"], given["prior"]
    if threshold not in (None, "prior"):
        threshold = _parse_number("--threshold", threshold)
    if prior is not None:
        shares = [_parse_number("--prior", word) for word in prior.split(",")]
        prior = shares[0] if len(shares) == 1 else shares
    rows = None
    if matrix is not None:
        from j48geo.data.small_tables import read_cost_matrix

        rows = read_cost_matrix(matrix)
    try:
        return CostRequest(rows, matrix or "", given["fn"], given["fp"], threshold, prior)
    except ChoiceError as error:
        if error.name != "costs":
            raise
        ways = "--cost-matrix FILE, --fn and --fp, --threshold; or --prior"
        raise click.UsageError(f"which costs? Give one of {ways}") from error


def _parse_number(option: str, text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if number != number or abs(number) == float("inf"):
        raise click.UsageError(f"{option} {text}: expected a number")
    return number


cost_options = option_group(
    "costs",
    _make_request,
    click.option(
        "--cost-matrix",
        metavar="FILE",
        default=None,
        help="Weka's cost file: row = actual class, column = predicted class.",
    ),
    click.option("--fn", type=float, metavar="X", default=None, help="Cost of a missed positive."),
    click.option("--fp", type=float, metavar="Y", default=None, help="Cost of a false alarm."),
    click.option(
        "--threshold",
        metavar="prior|T",
        default=None,
        help="Positive where the estimate exceeds T, or the share of the class in training.",
    ),
    click.option(
        "--prior",
        metavar="P|P1,P2,...",
        default=None,
        help="New share of the positive class, or of every class in the order of the header.",
    ),
)


@click.command(epilog=EXAMPLES, short_help="Relabel the leaves for costs or class shares.")
@input_options("DATA", optional=True)
@choice_options("positive", "m")
@cost_options
@click.option(
    "--ties",
    type=word_type("keep", "positive", "negative"),
    default="keep",
    show_default=True,
    help="Where labels cost the same: keep J48's, or take the positive class, or another.",
)
@smoothing_option(None, " Default: laplace for two classes, m for more.")
@plot_option
@output_options(
    "table",
    "csv",
    "json",
    file_help="Write the relabelled tree here, in J48's layout ('-': it alone). MODEL never "
    "changes.",
)
def label(
    inputs: Inputs,
    choices: dict[str, Any],
    costs: CostRequest,
    ties: Any,
    smoothing: Any,
    plot: str | None,
    output: Output,
) -> None:
    """Give every leaf of MODEL the label of least expected cost.

    Estimates are Laplace's for two classes and m-estimates with the class shares for more, unless
    '--smoothing' says otherwise; what raw ones would choose stands beside them. Costs are those of
    the training rows: J48's labels, the new ones, and the same label for everybody. '-o' writes a
    tree that every command reads; the result (csv or json) is also a file for '--labels'. '--plot'
    draws these costs for all ratios of the costs of two classes.
    """
    from j48geo.model.costs import choose_labels
    from j48geo.show.reports.labellings import (
        note_higher_cost,
        relabelling_to_csv,
        relabelling_to_json,
        relabelling_to_text,
        relabelling_to_tree,
    )
    from j48geo.show.text import PLAIN, json_text

    notes = output.notes
    check_plot_path(plot, output.path)
    with inputs.open(notes, choices) as (model, _):
        notes.settings(describe_training(model), describe_positive(model))
        relabelling = choose_labels(model, costs, smoothing, ties)
    notes.note(note_higher_cost(relabelling))
    with plot_costs(relabelling, plot, inputs.model):
        if output.path is not None:
            output.write([relabelling_to_tree(relabelling)])
            if output.path == "-":
                return
            notes.note(f"{output.path}: the relabelled tree")
        if output.format == "csv":
            shown = relabelling_to_csv(relabelling)
        elif output.format == "json":
            shown = f"{json_text(relabelling_to_json(relabelling), indent=1)}\n"
        else:
            shown = relabelling_to_text(relabelling, output.style if output.path is None else PLAIN)
        write_output(None, [shown])
