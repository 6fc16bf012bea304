"""``j48geo labellings``: the labels of the leaves that are best for some costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from j48geo.cli.inputs import Inputs
from j48geo.cli.notes import describe_positive, describe_training
from j48geo.cli.options import input_options, output_options
from j48geo.cli.options_model import choice_options, smoothing_option
from j48geo.cli.output import Output

if TYPE_CHECKING:
    from j48geo.decide.labellings import OrderedLeaves

EXAMPLES = """\b
Examples:
  j48geo labellings model.txt --positive sick
  j48geo labellings model.txt data.arff --test new.arff --format json
"""


@click.command(
    epilog=EXAMPLES, short_help="The best labels for every ratio of costs, ROC points, AUC."
)
@input_options("DATA", optional=True)
@choice_options("positive", "m")
@smoothing_option("raw")
@click.option(
    "--test",
    metavar="FILE",
    default=None,
    help="Take rates from these rows; the order of the leaves stays that of training.",
)
@output_options("table", "csv", "json")
def labellings(
    inputs: Inputs, choices: dict[str, Any], smoothing: Any, test: str | None, output: Output
) -> None:
    """Show the optimal labellings of MODEL's leaves, from all negative to all positive.

    Of all ways to label n leaves only n + 1 are best for some costs: the first leaves in the
    order of their share of positives are positive. 'cost ratio' is FP / (FN + FP) of the
    costs of a false alarm and of a missed positive: within its interval nothing is cheaper.
    On the counts that gave the order, and without smoothing, they are the ROC convex hull.
    With more than two classes and no '--positive' every class has its turn.
    """
    from j48geo.model.costs import count_test_rows, order_by_accuracy, positive_classes

    if test == "-":
        raise click.UsageError("--test cannot be '-'; name a file")
    notes = output.notes
    # Names and class order of a text alone are guesses: any data at hand knows better.
    with inputs.open(notes, choices, data=test if inputs.train is None else None) as (model, _):
        notes.settings(describe_training(model), describe_positive(model))
        tested = None
        if test is not None:
            tested = count_test_rows(model, [inputs.read(test, model)])
            if not any(map(any, tested.own)):
                notes.note(f"{test} has no row with a class")
        orders = [order_by_accuracy(model, c, smoothing, tested) for c in positive_classes(model)]
    if smoothing != "none":
        notes.note("smoothed estimates order the leaves: the points need not lie on the hull")
    output.write(_pieces(orders, output))


def _pieces(orders: Sequence[OrderedLeaves], output: Output) -> Iterator[str]:
    """The labellings of every class in the format of the output."""
    from j48geo.show.reports.labellings import (
        labellings_to_csv,
        labellings_to_json,
        labellings_to_text,
    )
    from j48geo.show.text import json_text
    from j48geo.text import to_one_line

    has_several = len(orders) > 1
    if output.format == "json":
        records = [labellings_to_json(order) for order in orders]
        yield json_text({"classes": records} if has_several else records[0])
        yield "\n"
        return
    for k, order in enumerate(orders):
        label = order.tree.classes[order.positive]
        if output.format == "csv":
            text = labellings_to_csv(order)
            yield _with_class(text, label, k == 0) if has_several else text
        else:
            if has_several:
                yield "\n" * (k > 0) + f"positive: {to_one_line(label)}\n\n"
            yield labellings_to_text(order, output.style)


def _with_class(text: str, label: str, titled: bool) -> str:
    """The lines with the positive class as a last column, with or without their titles."""
    from j48geo.show.rows.row_report import csv_table

    quoted = csv_table([label], []).rstrip("\r\n")
    titles, *lines = text.splitlines()
    head = [f"{titles},positive"] if titled else []
    return "".join(f"{line}\n" for line in [*head, *(f"{line},{quoted}" for line in lines)])
