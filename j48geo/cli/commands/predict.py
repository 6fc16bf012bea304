"""``j48geo predict``: what Weka would say about each row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from j48geo.cli.commands.data import arff_pieces
from j48geo.cli.labels import labels_option, overlaid
from j48geo.cli.options import (
    InputOptions,
    data_argument,
    data_options,
    format_option,
    model_argument,
    model_options,
    old_weka_option,
    output_option,
    quiet_option,
    training_options,
)
from j48geo.cli.output import write_output
from j48geo.cli.words import Words

if TYPE_CHECKING:
    from j48geo.arrays import Ints
    from j48geo.cli.inputs import Loaded
    from j48geo.cli.rows import Rows
    from j48geo.core.tree import BoxTree
    from j48geo.show.reports.predict import PredictedBlock

__all__ = ["predict"]

EXAMPLES = """\b
Examples:
  j48geo predict model.txt data.arff
  j48geo predict model.txt new.arff --train data.arff --format jsonl
  j48geo predict model.txt new.arff --format weka --distribution -o new.csv
"""


@click.command(
    epilog=EXAMPLES, short_help="Class and distribution of every row, as Weka gives them."
)
@model_argument
@data_argument(required=True)
@model_options
@data_options
@training_options
@click.option(
    "--laplace/--no-laplace",
    default=None,
    help="Smooth as J48's -A does. Default: what the options line of the model says, else no.",
)
@labels_option
@old_weka_option
@format_option(("table", "csv", "json", "jsonl", "arff", "weka"))
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
@output_option
@quiet_option
def predict(
    model: str,
    data: str,
    laplace: bool | None,
    labels_file: str | None,
    output_format: str,
    distribution: bool,
    decimals: int,
    output: str | None,
    quiet: bool,
    **given: Any,
) -> None:
    """Predict every row of DATA with the tree of MODEL, as Weka's J48 would.

    'predicted' is the class with the largest probability (Weka's evaluation), 'classified'
    that of its classifyInstance; they differ only for some rows with missing values. The
    counts come from DATA if it is the training data, from --train, or from the text; where
    the text alone cannot give a distribution it is null. With other labels ('--labels', or
    a MODEL that was relabelled) the class is the label of the leaf.
    """
    from j48geo.cli.inputs import load

    words = Words(quiet)
    options = InputOptions(**given)
    with load(model, data, options, words) as found:
        loaded, labels = overlaid(found, labels_file, words)
        if laplace is None:
            laplace = bool(loaded.tree.options.laplace)
            if laplace:
                words.note("the options of the model say -A: probabilities are smoothed")
        assert loaded.rows is not None
        blocks = _predicted(loaded, loaded.rows, laplace, labels, words)
        pieces = _pieces(
            output_format, loaded.tree, blocks, distribution, decimals, options.timezone
        )
        write_output(output, pieces)


def _predicted(
    loaded: Loaded, rows: Rows, laplace: bool, labels: Ints | None, words: Words
) -> Iterator[PredictedBlock]:
    from j48geo.score.overlay import overlay_classes
    from j48geo.score.predict import predict as weka_predict
    from j48geo.show.reports.predict import PredictedBlock
    from j48geo.show.reports.prediction_rows import Tally

    tally = Tally()
    first = 1
    for block in rows.blocks:
        prediction = weka_predict(loaded.tree, loaded.counts, block.X, laplace=laplace)
        if labels is not None:
            says = overlay_classes(loaded.tree, loaded.counts, block.X, labels, prediction)
            prediction = replace(prediction, predicted=says, classified=says)
        # The class of the tree, whichever attribute the data takes for its own.
        made = PredictedBlock(first, replace(block, header=loaded.tree.header), prediction)
        tally.add(made)
        yield made
        first += len(block)
    words.note(*tally.sentences())


def _pieces(
    output_format: str,
    tree: BoxTree,
    blocks: Iterable[PredictedBlock],
    distribution: bool,
    decimals: int,
    timezone: str,
) -> Iterator[str]:
    from j48geo.show.reports import predict as shown

    if output_format == "jsonl":
        return shown.predictions_jsonl(tree.classes, blocks)
    if output_format == "json":
        return shown.predictions_json(tree.classes, blocks)
    if output_format == "csv":
        return shown.predictions_csv(tree.classes, blocks)
    if output_format == "weka":
        return shown.predictions_weka(
            tree.header, blocks, distribution=distribution, decimals=decimals
        )
    if output_format == "arff":
        from j48geo.show.reports.prediction_rows import extended_header, extended_rows

        wider = extended_header(tree.header)
        return arff_pieces(wider, extended_rows(wider, blocks), timezone)
    return shown.predictions_table(tree.header, blocks)
