"""``j48geo report``: one page about a model, for any browser and without a network."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Any

import click

from j48geo.cli.inputs import Inputs
from j48geo.cli.options import input_options, output_options
from j48geo.cli.options_model import choice_options
from j48geo.cli.output import Output
from j48geo.model.choices import METRIC_CHOICES

EXAMPLES = """\b
Examples:
  j48geo report model.txt data.arff -o report.html
  j48geo report model.txt data.arff --test new.arff -o report.html
  j48geo report model.txt -o report.html
"""


@click.command(epilog=EXAMPLES, short_help="One offline page: tree, costs, cases, how sure.")
@input_options("DATA", optional=True, labels=True, old_weka=True)
@click.option(
    "--test",
    metavar="FILE",
    default=None,
    help="Rows the tree was not grown from, whose class is known: cases are shown of them, and "
    "methods judged on them.",
)
@click.option("--title", metavar="TEXT", default="", help="What stands on top of the page.")
@choice_options("positive", "sigma", "m", *METRIC_CHOICES)
@output_options(file_help="Write the page here, whole or not at all, instead of standard output.")
def report(
    inputs: Inputs, test: str | None, title: str, choices: dict[str, Any], output: Output
) -> None:
    """Write one page (HTML) about MODEL that opens in any browser.

    The page holds the tree as a map, a drawing and an outline, labels for other costs and class
    shares, the cases of DATA ranked and explained, all methods side by side, slices through
    the boxes, and where it comes from. It is one file, loads nothing from anywhere, and is
    readable without scripts and on paper.
    """
    from j48geo.model.report_facts import gather_facts
    from j48geo.report.page import render_page

    notes = output.notes
    output.check_other(test, "--test")
    with inputs.open(notes, choices) as (model, rows):
        data = rows if inputs.data is not None else None
        test_rows = (
            None if test is None else model.align_rows(inputs.reading.open(test, model.header))
        )
        facts = gather_facts(
            model,
            data,
            test_rows,
            title=title,
            command=shlex.join(_again()),
            progress=notes.progress,
        )
        output.write([render_page(facts)])


def _again() -> Iterator[str]:
    """The words of the command line, as far as they were given."""
    context = click.get_current_context()
    yield "j48geo"
    yield "report"
    for parameter in context.command.params:
        name = parameter.name or ""
        given = context.params.get(name)
        source = context.get_parameter_source(name)
        if source is not click.core.ParameterSource.COMMANDLINE or name in ("quiet", "verbose"):
            continue
        if isinstance(parameter, click.Option):
            yield parameter.opts[-1]
            if parameter.is_flag:
                continue
        yield str(given)
