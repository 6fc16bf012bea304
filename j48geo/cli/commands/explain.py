"""``j48geo explain``: why a case has its class, and the smallest change that flips it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from j48geo.cli.inputs import Inputs
from j48geo.cli.notes import describe_metric, describe_training
from j48geo.cli.options import input_options, output_options
from j48geo.cli.options_model import choice_options
from j48geo.cli.output import Output
from j48geo.model.choices import METRIC_CHOICES

if TYPE_CHECKING:
    from j48geo.core.dataset import Header
    from j48geo.model.model import Model
    from j48geo.score.explained_case import ExplainedCase

EXAMPLES = """\b
Examples:
  j48geo explain model.txt data.arff --row 17
  j48geo explain model.txt new.arff --train data.arff --row 3 --row 8
  j48geo explain model.txt --train data.arff --case plas=150,mass=31.2,age=40
  j48geo explain model.txt data.arff --format jsonl -o all.jsonl
"""


@click.command(epilog=EXAMPLES, short_help="Why a row has its class, and what would flip it.")
@input_options("DATA", optional=True, labels=True, old_weka=True)
@click.option(
    "--row",
    "numbers",
    type=click.IntRange(min=1),
    metavar="N",
    multiple=True,
    help="Which row of DATA, counted from 1; may be given again. With --format jsonl the default "
    "is all rows.",
)
@click.option(
    "--case",
    "parts",
    metavar="NAME=VALUE,...",
    multiple=True,
    help="A case without a file; attributes that are not named are missing. Given again, it adds "
    "to the same case.",
)
@choice_options("sigma", *METRIC_CHOICES)
@output_options("table", "json", "jsonl")
def explain(
    inputs: Inputs,
    numbers: tuple[int, ...],
    parts: tuple[str, ...],
    choices: dict[str, Any],
    output: Output,
) -> None:
    """Explain row N of DATA: its way down the tree, its leaf, how near the boundary is.

    Then the smallest change of its values that gives it another class, in the attributes'
    own units; every change that is told was tried. If the training data is known, also the
    leaves around that 'nearby' averages. '--format json' is an object, for several rows an
    array of them.
    """
    if not parts and inputs.data is None:
        raise click.UsageError("which case? Give DATA and --row N, or --case NAME=VALUE")
    if parts and numbers:
        raise click.UsageError("give --row or --case, not both")
    if not parts and not numbers and output.format != "jsonl":
        raise click.UsageError("which row? Give --row N, or --format jsonl for all")
    notes = output.notes
    with inputs.open(notes, choices) as (model, rows):
        if not model.has_training and len(model.tree.leaves) > 1:
            notes.detail("the leaves around are told if the training data is known: --train FILE")
        if not parts:
            explanations = model.explanations(rows, numbers or None)
        else:
            explanations = iter([model.explain(_merge_case(parts, model.header))])
        alone = bool(parts) and not model.has_training and "metric" not in choices
        output.write(_pieces(output.format, _note_settings(model, explanations, alone, output)))


def _merge_case(parts: Sequence[str], header: Header) -> dict[str, str]:
    """One case from all ``--case``; no attribute may have two values."""
    from j48geo.data.small_tables import split_case

    values: dict[str, str] = {}
    for part in parts:
        for name, value in split_case(part, header).items():
            if values.setdefault(name, value) != value:
                raise click.UsageError(
                    f"--case gives {name} twice, as {values[name]} and as {value}"
                )
    return values


def _note_settings(
    model: Model, explanations: Iterable[ExplainedCase], alone: bool, output: Output
) -> Iterator[ExplainedCase]:
    """The same cases; before the first one it is said what they depend on."""
    why = ", since one case has no spread (--train FILE)" if alone else ""
    for case in explanations:
        output.notes.settings(describe_training(model), describe_metric(model, case.metric) + why)
        output.notes.note(*case.metric.notes)
        output.notes.detail(f"metric: {case.metric.describe()}")
        yield case


def _pieces(output_format: str, cases: Iterator[ExplainedCase]) -> Iterator[str]:
    from j48geo.show.reports.explanation import explanation_to_json, explanation_to_text
    from j48geo.show.text import json_text

    if output_format == "jsonl":
        yield from (f"{json_text(explanation_to_json(case))}\n" for case in cases)
        return
    every = list(cases)
    if output_format == "table":
        yield "\n".join(map(explanation_to_text, every))
    elif len(every) == 1:
        yield f"{json_text(explanation_to_json(every[0]), indent=1)}\n"
    else:
        yield f"{json_text([explanation_to_json(case) for case in every], indent=1)}\n"
