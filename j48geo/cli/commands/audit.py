"""``j48geo audit``: what criteria of splitting say of every split."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from j48geo.cli.leaf_counts import known_counts, positive_class, positive_option
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
    from j48geo.decide.leaf_counts import ClassCounts

__all__ = ["audit"]

EXAMPLES = """\b
Examples:
  j48geo audit model.txt
  j48geo audit model.txt data.arff --w uniform --format csv
  j48geo audit model.txt data.arff --positive sick --w 0.1
"""


@click.command(epilog=EXAMPLES, short_help="Every split with its AUC, gains and entropies.")
@model_argument
@data_argument(required=False)
@positive_option
@click.option(
    "--w",
    "w_text",
    metavar="prior|uniform|P|P1,P2,...",
    default="prior",
    show_default=True,
    help="W, the class shares of largest uncertainty: in training, equal, or as given.",
)
@training_options
@format_option(("table", "csv", "json", "jsonl"))
@output_option
@model_options
@data_options
@quiet_option
def audit(
    model: str,
    data: str | None,
    positive: str | None,
    w_text: str,
    output_format: str,
    output: str | None,
    quiet: bool,
    **given: Any,
) -> None:
    """Show every split of MODEL with the AUC of its branches and the gains of its impurities.

    'auc' is that of the positive class, 'accuracy' that of the branches' majorities, all
    other columns are what the split gains. '-' is 0/0. This describes the splits; J48 chose
    them by a criterion of its own.
    """
    from j48geo.cli.inputs import load
    from j48geo.show.reports.audit import (
        audit_rows,
        audit_titles,
        audit_words,
        audited_json,
        audited_splits,
    )
    from j48geo.show.rowtable import csv_table
    from j48geo.show.text import json_text

    words = Words(quiet)
    with load(model, data, InputOptions(**given), words) as loaded:
        counts = known_counts(model, loaded)
        tree = loaded.tree
        chosen = None
        if len(tree.classes) == 2 or positive is not None:
            chosen = positive_class(loaded, positive, words)
        elif len(tree.classes) > 2:
            words.note("no AUC without --positive LABEL: the tree has more than two classes")
        w = _w(w_text, counts, len(tree.classes), chosen)
        splits = audited_splits(tree, loaded.counts, w, chosen)
    if output_format == "table":
        write_output(output, [audit_words(tree.classes, w, splits)])
    elif output_format == "csv":
        write_output(output, [csv_table(audit_titles(), audit_rows(splits))])
    elif output_format == "jsonl":
        write_output(output, [f"{json_text(audited_json(s))}\n" for s in splits])
    else:
        whole = {
            "positive": None if chosen is None else tree.classes[chosen],
            "w": dict(zip(tree.classes, w, strict=True)),
            "splits": [audited_json(s) for s in splits],
        }
        write_output(output, [json_text(whole, indent=1), "\n"])


def _w(text: str, counts: ClassCounts, n: int, positive: int | None) -> list[float]:
    if text == "uniform":
        return [1.0 / n] * n
    if text == "prior":
        shares = counts.shares
        return [1.0 / n] * n if shares is None else [float(x) for x in shares]
    try:
        numbers = [float(word) for word in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) == 1 and n == 2 and positive is not None:
        w = numbers[0]
        numbers = [w, 1.0 - w] if positive == 0 else [1.0 - w, w]
    total = sum(numbers)
    if len(numbers) != n or not all(0 <= x < float("inf") for x in numbers) or not total:
        raise click.UsageError(f"--w {text}: expected prior, uniform, or {n} shares")
    return [x / total for x in numbers]
