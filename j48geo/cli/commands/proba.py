"""``j48geo proba``: how probable each class is for each row."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from j48geo.cli.choosing import (
    KERNEL,
    METRIC,
    chooses,
    methods_option,
    refuse_unused,
    tune_option,
    tuned,
)
from j48geo.cli.inputs import Inputs
from j48geo.cli.notes import (
    Notes,
    metric_words,
    positive_words,
    say_learnt,
    training_words,
    zero_notes,
)
from j48geo.cli.options import reads, writes
from j48geo.cli.output import Output

if TYPE_CHECKING:
    from j48geo.model.answers.estimating import Estimates
    from j48geo.model.model import Model
    from j48geo.show.parquet import ParquetRows
    from j48geo.show.reports.cases.proba import EstimatedBlock

__all__ = ["proba"]

EXAMPLES = """\b
Examples:
  j48geo proba model.txt data.arff
  j48geo proba model.txt new.arff --train data.arff --method gdk,ldk,laplace
  j48geo proba model.txt new.arff --train data.arff --calibrate fresh.arff -o p.jsonl
"""


@click.command(epilog=EXAMPLES, short_help="Probability of every class, by several methods.")
@reads("DATA", labels=True, old_weka=True, calibrate=True)
@methods_option(
    "--method",
    default=None,
    words="One or several of raw, laplace, m, hs, gdk, ldk, ldk-leaf, nearby, with commas. "
    "Default: nearby if the training data is known, else laplace.",
)
@chooses("positive", "sigma", "leaves", "shrinkage", "recalibrate", "m", *KERNEL, *METRIC)
@tune_option("proba")
@writes("table", "csv", "json", "jsonl", "arff", "parquet", carries=True)
def proba(
    inputs: Inputs,
    methods: tuple[str, ...] | None,
    choices: dict[str, Any],
    tune: str | None,
    output: Output,
) -> None:
    """Estimate the probability of every class for every row of DATA.

    J48 gives all rows of a leaf the same probability, and one that is too sure. 'nearby'
    averages the leaves around; 'gdk' asks the training cases that lie about as far from the
    decision boundary, 'ldk' those among them with the same separator; 'raw', 'laplace' and
    'm' ask the leaf, 'hs' also the nodes above it. The tree's class stands, whatever is most
    probable. Flags tell where an estimate is not what was asked for.
    """
    from j48geo.model.usable import auto_probability, check_names

    notes = output.notes
    if methods is not None:
        check_names(methods)
        refuse_unused(choices, methods, calibrate=inputs.calibrate)
    with inputs.open(notes, choices, keep=output.kept) as (model, rows):
        asked = (auto_probability(model),) if methods is None else methods
        refuse_unused(choices, asked, calibrate=inputs.calibrate)
        model = tuned(model, tune, choices, asked, notes)
        sample = inputs.sample(model, notes)
        found = model.estimates(rows, methods, watch=notes.watch, **sample)
        _say(model, found, methods is None, notes)
        blocks = _counted(model, found, notes)
        output.write(_pieces(output, found, blocks, inputs.timezone))


def _say(model: Model, found: Estimates, auto: bool, notes: Notes) -> None:
    from j48geo.score.methods import METHODS

    names = found.model.methods
    metric = found.model.setting.metric
    method = ""
    if auto:
        method = f"estimated by {names[0]}, {METHODS[names[0]].words} (the papers': --method gdk)"
    measured = any(METHODS[name].measures for name in names)
    notes.settings(
        training_words(model),
        method,
        metric_words(model, metric) if measured else "",
        positive_words(model),
    )
    if measured:
        notes.note(*metric.notes)
        notes.detail(f"metric: {metric.in_words()}")
    say_learnt(found.learnt, notes)


def _counted(model: Model, found: Estimates, notes: Notes) -> Iterator[EstimatedBlock]:
    """The blocks; when all have passed, what was counted of them is said."""
    yield from found
    sentences = found.tally.sentences()
    notes.detail(sentences[0])
    notes.note(*sentences[1:])
    if found.zeros.zeros:
        notes.detail(found.zeros.sentence())
    notes.note(*zero_notes(found.zeros, model, found.model.setting, "--method nearby"))


def _pieces(
    output: Output, found: Estimates, blocks: Iterator[EstimatedBlock], timezone: str
) -> Iterator[str] | ParquetRows[EstimatedBlock]:
    from j48geo.show.reports.cases import proba as shown

    model = found.model
    tree = model.setting.tree
    if output.format == "arff":
        from j48geo.show.rowtable import arff_rows

        wider = shown.widened_header(tree.header, model.methods)
        return arff_rows(wider, shown.widened_rows(wider, model.methods, blocks), timezone)
    carried = output.carried(tree.header, timezone)
    if output.format == "jsonl":
        return shown.probabilities_jsonl(tree.classes, blocks, carried)
    if output.format == "json":
        return shown.probabilities_json(tree.classes, blocks, carried)
    if output.format == "parquet":
        from j48geo.show.parquet import ParquetRows

        columns = shown.probability_columns(tree.classes, model.methods, carried)
        return ParquetRows(blocks, columns)
    if output.format == "csv":
        return shown.probabilities_csv(
            tree.classes, model.methods, blocks, carried, safe=output.safe_csv
        )
    return shown.probabilities_table(
        tree.classes, model.methods, model.setting.positive, blocks, output.style, carried
    )
