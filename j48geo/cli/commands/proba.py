"""``j48geo proba``: how probable each class is for each row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from j48geo.cli.commands.data import arff_pieces
from j48geo.cli.labels import labels_option, overlaid
from j48geo.cli.leaf_counts import positive_class, positive_option
from j48geo.cli.metric import MetricOptions, metric_options
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
    taken,
    training_options,
)
from j48geo.cli.output import write_output
from j48geo.cli.probability_options import (
    KERNEL_METHODS,
    ProbabilityOptions,
    fitted_model,
    method_names,
    probability_options,
    refuse_unused,
)
from j48geo.cli.progress import watched
from j48geo.cli.words import Words

if TYPE_CHECKING:
    from j48geo.core.dataset import Dataset
    from j48geo.score.probabilities import ProbabilityModel
    from j48geo.show.reports.proba import EstimatedBlock

__all__ = ["proba"]

EXAMPLES = """\b
Examples:
  j48geo proba model.txt data.arff
  j48geo proba model.txt new.arff --train data.arff --method gdk,ldk,laplace
  j48geo proba model.txt new.arff --train data.arff --calibrate fresh.arff --format jsonl
"""


@click.command(epilog=EXAMPLES, short_help="Probability of every class, by several methods.")
@model_argument
@data_argument(required=True)
@click.option(
    "--method",
    "methods",
    metavar="LIST",
    default="gdk",
    show_default=True,
    help="One or several of raw, laplace, m, gdk, ldk, ldk-leaf, nearby, with commas.",
)
@probability_options
@positive_option
@metric_options
@labels_option
@training_options
@format_option(("table", "csv", "json", "jsonl", "arff"))
@output_option
@model_options
@data_options
@old_weka_option
@quiet_option
def proba(
    model: str,
    data: str,
    methods: str,
    positive: str | None,
    labels_file: str | None,
    output_format: str,
    output: str | None,
    quiet: bool,
    **given: Any,
) -> None:
    """Estimate the probability of every class for every row of DATA.

    J48 gives all rows of a leaf the same probability, and one that is too sure. 'gdk' asks
    the training cases that lie about as far from the decision boundary, 'ldk' those among
    them with the same separator; 'raw', 'laplace' and 'm' ask the leaf, 'nearby' the leaves
    around. The tree's class stands, whatever is most probable. Flags tell where an estimate
    is not what was asked for.
    """
    from j48geo.cli.inputs import load

    words = Words(quiet)
    names = method_names(methods)
    refuse_unused(names)
    options = taken(ProbabilityOptions, given)
    measure = taken(MetricOptions, given)
    inputs = InputOptions(**given)
    with load(model, data, inputs, words) as found:
        loaded, labels = overlaid(found, labels_file, words)
        assert loaded.rows is not None
        chosen = positive_class(loaded, positive, words, must="m" in names)
        fitted = fitted_model(
            model, loaded, names, options, measure, chosen or 0, labels, inputs, words
        )
        header = loaded.tree.header
        rows = (replace(block, header=header) for block in loaded.rows.blocks)
        blocks = _estimated(fitted, watched(rows, "estimated", quiet), words)
        write_output(output, _pieces(output_format, fitted, blocks, inputs.timezone))


def _estimated(
    model: ProbabilityModel, rows: Iterable[Dataset], words: Words
) -> Iterator[EstimatedBlock]:
    from j48geo.score.cases import cases_of
    from j48geo.score.probabilities import estimate_cases
    from j48geo.score.zero_distances import ZeroDistances
    from j48geo.show.reports.proba import EstimatedBlock, ProbabilityTally
    from j48geo.show.reports.warnings import zero_warning

    tally = ProbabilityTally()
    zeros = ZeroDistances()
    measured = any(method in KERNEL_METHODS for method in model.methods)
    first = 1
    for block in rows:
        cases = cases_of(model.setting, block.X)
        made = EstimatedBlock(first, block, cases.predicted, estimate_cases(model, cases))
        tally.add(made)
        if measured:
            zeros.add(model.setting, block.X, cases.predicted, cases.distance)
        yield made
        first += len(block)
    words.note(*tally.sentences())
    if measured and zeros.measured:
        words.note(zeros.sentence())
    words.note(*zero_warning(zeros, model.setting.face_tree is not None, "--method nearby"))


def _pieces(
    output_format: str, model: ProbabilityModel, blocks: Iterable[EstimatedBlock], timezone: str
) -> Iterator[str]:
    from j48geo.show.reports import proba as shown

    tree = model.setting.tree
    if output_format == "jsonl":
        return shown.probabilities_jsonl(tree.classes, blocks)
    if output_format == "json":
        return shown.probabilities_json(tree.classes, blocks)
    if output_format == "csv":
        return shown.probabilities_csv(tree.classes, model.methods, blocks)
    if output_format == "arff":
        wider = shown.widened_header(tree.header, model.methods)
        return arff_pieces(wider, shown.widened_rows(wider, model.methods, blocks), timezone)
    return shown.probabilities_table(tree.classes, model.methods, model.setting.positive, blocks)
