"""``j48geo predict``: what Weka would say about each row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any

import click

from j48geo.cli.inputs import Inputs
from j48geo.cli.notes import describe_training
from j48geo.cli.options import input_options, output_options
from j48geo.cli.options_model import choice_options
from j48geo.cli.output import Output

if TYPE_CHECKING:
    from j48geo.core.dataset import Header
    from j48geo.model.model import Model
    from j48geo.model.predictions import Predictions
    from j48geo.score.prediction import PredictedBlock
    from j48geo.show.rows.row_report import ParquetRows
    from j48geo.show.text import Style

EXAMPLES = """\b
Examples:
  j48geo predict model.txt data.arff
  j48geo predict model.txt new.arff --train data.arff -o new.jsonl
  j48geo predict model.txt new.arff --format weka --distribution -o new.csv
"""


@click.command(
    epilog=EXAMPLES, short_help="Class and distribution of every row, as Weka gives them."
)
@input_options("DATA", labels=True, old_weka=True)
@choice_options("laplace")
@click.option(
    "--distribution", is_flag=True, help="With --format weka: all probabilities, not the largest."
)
@click.option(
    "--decimals",
    type=click.IntRange(0, 300),
    default=3,
    show_default=True,
    metavar="N",
    help="With --format weka: decimals of the probabilities.",
)
@output_options("table", "csv", "json", "jsonl", "arff", "parquet", "weka", carries=True)
def predict(
    inputs: Inputs, choices: dict[str, Any], distribution: bool, decimals: int, output: Output
) -> None:
    """Predict every row of DATA with the tree of MODEL, as Weka's J48 would.

    'predicted' is the class with the largest probability (Weka's evaluation), 'classified'
    that of its classifyInstance; they differ only for some rows with missing values. The
    counts come from DATA if it is the training data, from --train, or from the text. What the
    text alone leaves open is left empty, and 'flags' says why: near-threshold (a value within
    the rounding of a printed threshold), unknown-shares (a missing value), tie,
    no-distribution; rounded distributions are flagged, too. With other labels ('--labels', or
    a MODEL that was relabelled) the class is the label of the leaf.

    A MODEL of several trees that answer together (AdaBoostM1, Bagging, Vote, ...) is asked as
    a whole unless '--tree K' names one of them. A text rounds its numbers: where numbers that
    print alike would give different classes there is none ('flags' says no-class).
    """
    from j48geo.show.reports.predictions import prediction_sentences

    notes = output.notes
    with inputs.open(notes, choices, several=True, learns=False, keep=output.kept) as (model, rows):
        notes.settings(describe_training(model), "" if choices else _describe_smoothing(model))
        predictions = model.predictions(rows, progress=notes.progress)
        options = {"distribution": distribution, "decimals": decimals}
        header = model.tree.header if model.committee is None else model.header
        output.write(_pieces(output, header, predictions, inputs.zone, options))
        sentences = prediction_sentences(predictions.tally)
        notes.detail(sentences[0])
        if model.committee is None:
            notes.note(*(f"{s}; --train FILE does" for s in sentences[1:]))
        else:
            mends = "; --train FILE may" if not model.committee.proven else ""
            notes.note(*(f"{s}{mends}" for s in sentences[1:]))


def _describe_smoothing(model: Model) -> str:
    """What is known of -A, where a distribution depends on it."""
    if model.laplace:
        return "leaves are smoothed, as the options say -A"
    tree = model.tree
    is_open = tree.options.laplace is None and tree.layout.dialect == "weka"
    if is_open and model.training is not None and model.committee is None:
        return "leaves are not smoothed, as no options line says -A"
    return ""


def _pieces(
    output: Output, header: Header, answers: Predictions, timezone: str, weka: dict[str, Any]
) -> Iterable[str] | ParquetRows[PredictedBlock]:
    from j48geo.show.reports.predictions import prediction_report, predictions_to_weka

    if output.format == "weka":
        return predictions_to_weka(header, answers, **weka)
    report = prediction_report(header.classes, answers, flags=answers.flagged)
    rows = output.rows(report, header, timezone)
    if output.format == "table" and isinstance(rows, Iterator):
        return chain(rows, _confusion(answers, output.style))
    return rows


def _confusion(answers: Predictions, style: Style) -> Iterator[str]:
    from j48geo.show.reports.evaluation import confusion_to_text
    from j48geo.show.reports.predictions import prediction_sentences

    if answers.confusion.weight.any():
        summary = prediction_sentences(answers.tally)[0]
        yield f"\n{summary}\n\n{confusion_to_text(answers.confusion, style)}"
