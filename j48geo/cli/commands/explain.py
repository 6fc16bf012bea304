"""``j48geo explain``: why a case has its class, and the smallest change that flips it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from j48geo.cli.labels import labels_option, overlaid
from j48geo.cli.metric import MetricOptions, face_tree, find_metric, metric_options
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
from j48geo.cli.probability_options import DEFAULT_SIGMA, known_nearby
from j48geo.cli.words import Words

if TYPE_CHECKING:
    from j48geo.arrays import Ints
    from j48geo.cli.inputs import Loaded
    from j48geo.core.dataset import Dataset
    from j48geo.core.nearby import NearbyLeaves
    from j48geo.show.reports.explain import ExplainedCase

__all__ = ["explain"]

EXAMPLES = """\b
Examples:
  j48geo explain model.txt data.arff --row 17
  j48geo explain model.txt new.arff --train data.arff --row 3 --row 8
  j48geo explain model.txt data.arff --row 17 --format json
"""


@click.command(epilog=EXAMPLES, short_help="Why a row has its class, and what would flip it.")
@model_argument
@data_argument(required=True)
@click.option(
    "--row",
    "numbers",
    type=click.IntRange(min=1),
    metavar="N",
    multiple=True,
    required=True,
    help="Which row of DATA, counted from 1; may be given again.",
)
@click.option(
    "--sigma",
    type=click.FloatRange(min=0, min_open=True),
    metavar="S",
    default=None,
    help="Error of measurement that reaches the leaves around, in standard deviations. "
    "Default: 0.3.",
)
@metric_options
@labels_option
@training_options
@format_option(("table", "json", "jsonl"))
@output_option
@model_options
@data_options
@old_weka_option
@quiet_option
def explain(
    model: str,
    data: str,
    numbers: tuple[int, ...],
    sigma: float | None,
    labels_file: str | None,
    output_format: str,
    output: str | None,
    quiet: bool,
    **given: Any,
) -> None:
    """Explain row N of DATA: its way down the tree, its leaf, how near the boundary is.

    Then the smallest change of its values that gives it another class, in the attributes'
    own units; every change that is told was tried. If the training data is known, also the
    leaves around that 'nearby' averages. '--format json' is an object, for several rows an
    array of them.
    """
    from j48geo.cli.inputs import load

    words = Words(quiet)
    measure = taken(MetricOptions, given)
    with load(model, data, InputOptions(**given), words) as loaded:
        over, labels = overlaid(loaded, labels_file, words)
        nearby = _nearby(model, over, sigma)
        if nearby is None and len(over.tree.leaves) > 1 and over.training is None:
            words.note("the leaves around are told if the training data is known: --train FILE")
        cases = _explained(over, measure, numbers, labels, nearby, words)
    write_output(output, _pieces(output_format, cases))


def _explained(
    loaded: Loaded,
    measure: MetricOptions,
    numbers: tuple[int, ...],
    labels: Ints | None,
    nearby: NearbyLeaves | None,
    words: Words,
) -> list[ExplainedCase]:
    from j48geo.geometry.counterfactual import explain as explain_case
    from j48geo.geometry.targets import column_steps
    from j48geo.score.nearby.average import leaf_shares
    from j48geo.score.overlay import overlay_classes
    from j48geo.score.predict import predict
    from j48geo.show.reports.explain import ExplainedCase

    assert loaded.rows is not None
    tree, counts = loaded.tree, loaded.counts
    faces = face_tree(loaded, measure)
    picked = _Picked(numbers)
    blocks = picked.passing(replace(b, header=tree.header) for b in loaded.rows.blocks)
    metric = find_metric(loaded, measure, blocks, words)
    picked.rest(blocks, loaded.rows.name)
    known = loaded.training if loaded.training is not None else picked.sample
    laplace = bool(tree.options.laplace)

    def classify(X: Any) -> Any:
        found = predict(tree, counts, X, laplace=laplace)
        if labels is None:
            return found.predicted
        return overlay_classes(tree, counts, X, labels, found)

    dates = [i for i, a in enumerate(tree.header.attributes) if a.type == "date"]
    steps = column_steps(known.X, dates)
    made = []
    for number in numbers:
        x = picked.found[number]
        explanation = explain_case(tree, x, metric, classify, steps=steps, face_tree=faces)
        case = ExplainedCase(number, x, tree, counts, metric, explanation)
        if nearby is not None:
            shares = leaf_shares(tree, nearby, x)
            case = replace(case, nearby=shares, sigma=nearby.sigma)
        made.append(case)
    return made


def _nearby(model: str, loaded: Loaded, sigma: float | None) -> NearbyLeaves | None:
    """What is known of the leaves around: by the model file, or from the training data."""
    from j48geo.score.estimates import UnknownCountsError
    from j48geo.score.nearby.average import fit_nearby

    if len(loaded.tree.leaves) == 1:
        return None
    stored = loaded.fitted
    if stored is not None:
        return known_nearby(model, stored, sigma, sigma is not None or stored.nearby is not None)
    if loaded.training is None:
        if sigma is not None:
            raise click.UsageError("--sigma needs the training data: --train FILE")
        return None
    try:
        return fit_nearby(
            loaded.tree,
            loaded.counts,
            loaded.training.X,
            sigma=DEFAULT_SIGMA if sigma is None else sigma,
        )
    except UnknownCountsError:
        return None


class _Picked:
    """The rows that are wanted, picked as all rows pass."""

    def __init__(self, numbers: Iterable[int]) -> None:
        self._wanted = set(numbers)
        self._rows = 0
        self.found: dict[int, Any] = {}
        self.sample: Any = None

    def passing(self, blocks: Iterable[Dataset]) -> Iterator[Dataset]:
        """The same blocks."""
        for block in blocks:
            for number in self._wanted:
                if self._rows < number <= self._rows + len(block):
                    self.found[number] = block.X[number - self._rows - 1].copy()
            self._rows += len(block)
            if self.sample is None:
                self.sample = block
            yield block

    def rest(self, blocks: Iterator[Dataset], name: str) -> None:
        """Read on until all wanted rows are found."""
        while len(self.found) < len(self._wanted):
            if next(blocks, None) is None:
                absent = min(self._wanted - set(self.found))
                expected = f"expected 1 to {self._rows}" if self._rows else "it has no rows"
                raise click.UsageError(f"--row {absent}: no such row in {name}; {expected}")


def _pieces(output_format: str, cases: list[ExplainedCase]) -> Iterator[str]:
    from j48geo.show.reports.explain import explanation_json, explanation_words
    from j48geo.show.text import json_text

    if output_format == "table":
        yield "\n".join(map(explanation_words, cases))
    elif output_format == "jsonl":
        yield from (f"{json_text(explanation_json(case))}\n" for case in cases)
    elif len(cases) == 1:
        yield f"{json_text(explanation_json(cases[0]), indent=1)}\n"
    else:
        yield f"{json_text([explanation_json(case) for case in cases], indent=1)}\n"
