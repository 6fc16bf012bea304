"""``j48geo evaluate``: all methods side by side on rows whose class is known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import click
from click.core import ParameterSource

from j48geo.cli.judging import judged_rows
from j48geo.cli.labels import labels_option, overlaid
from j48geo.cli.leaf_counts import positive_class, positive_option
from j48geo.cli.metric import MetricOptions, metric_options
from j48geo.cli.options import (
    InputOptions,
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
from j48geo.cli.plotting import (
    KeptRows,
    Picture,
    PlotOptions,
    plot_judged,
    plot_options,
)
from j48geo.cli.probability_options import (
    KERNEL_METHODS,
    ProbabilityOptions,
    fitted_model,
    probability_options,
)
from j48geo.cli.rows import check_weights, is_same_file
from j48geo.cli.words import Words
from j48geo.errors import UnknownNameError

if TYPE_CHECKING:
    from j48geo.arrays import Ints
    from j48geo.cli.inputs import Loaded
    from j48geo.decide.evaluation.table import Evaluation

__all__ = ["evaluate"]

EXAMPLES = """\b
Examples:
  j48geo evaluate model.txt new.arff --train data.arff
  j48geo evaluate model.txt new.arff --train data.arff --methods laplace,local,gdk --fpr 0.2
  j48geo evaluate model.txt new.arff --train data.arff --interval bootstrap --seed 7 -f json
  j48geo evaluate model.txt new.arff --train data.arff --plot overview.svg
"""

DEFAULT = ("raw", "laplace", "m", "global", "local", "gdk", "ldk", "nearby")
"""Methods in the order of the table, as far as there is something to learn them from."""
COUNTING = ("raw", "laplace", "m", "local")
"""Those of them that need the class counts of the leaves; without a boundary global does too."""


@click.command(epilog=EXAMPLES, short_help="Compare all methods on rows whose class is known.")
@model_argument
@click.argument("data", metavar="TEST")
@click.option(
    "--methods",
    "--method",
    metavar="LIST",
    default=None,
    help="Some of raw, laplace, m, global, local, gdk, ldk, ldk-leaf, nearby, or plugins' scores, "
    "with commas. Default: all but ldk-leaf.",
)
@click.option(
    "--interval",
    type=click.Choice(["delong", "bootstrap"]),
    default="delong",
    show_default=True,
    help="Confidence interval (95 %) of the AUC.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    metavar="N",
    default=0,
    show_default=True,
    help="Of the bootstrap.",
)
@click.option(
    "--replicates",
    type=click.IntRange(min=2),
    metavar="N",
    default=1000,
    show_default=True,
    help="Of the bootstrap.",
)
@click.option(
    "--fpr",
    type=click.FloatRange(0, 1, min_open=True),
    metavar="X",
    default=0.1,
    show_default=True,
    help="False positive rate up to which the partial AUC goes.",
)
@plot_options
@probability_options
@positive_option
@metric_options
@labels_option
@training_options
@format_option(("table", "csv", "json", "jsonl"))
@output_option
@model_options
@data_options
@old_weka_option
@quiet_option
def evaluate(
    model: str,
    data: str,
    methods: str | None,
    interval: Literal["delong", "bootstrap"],
    seed: int,
    replicates: int,
    fpr: float,
    plot: str | None,
    picture: Picture | None,
    attributes: str | None,
    at: int | None,
    positive: str | None,
    labels_file: str | None,
    output_format: str,
    output: str | None,
    quiet: bool,
    **given: Any,
) -> None:
    """Compare rankings and probabilities on the rows of TEST, whose class is known.

    A row for each method: AUC with its interval, partial AUC, squared error, log-loss,
    calibration error, accuracy, different scores and tied pairs; 'global' and 'local' are
    rankings and have no probabilities. Below it lambda: whether the tree's errors lie near
    its decision boundary, without which geometric ranking is not to be trusted.
    """
    from j48geo.cli.inputs import load
    from j48geo.decide.evaluation.table import Measures, evaluate_methods
    from j48geo.score.batch import notes
    from j48geo.score.probabilities import METHODS

    words = Words(quiet)
    asked = None if methods is None else _names(methods)
    if interval == "delong":
        _only_for_bootstrap("seed", "replicates")
    pictures = PlotOptions(plot, picture, attributes, at, output)
    options = taken(ProbabilityOptions, given)
    if options.calibrate == "-":
        raise click.UsageError("--calibrate: expected a file")
    measure = taken(MetricOptions, given)
    inputs = InputOptions(**given)
    with load(model, data, inputs, words) as found:
        loaded, labels = overlaid(found, labels_file, words)
        assert loaded.rows is not None
        if loaded.training is None and loaded.fitted is None and options.calibrate is None:
            raise click.UsageError(
                f"the methods learn from the training data, which {loaded.rows.name} is not: "
                "--train FILE"
            )
        if loaded.training is not None and inputs.train is None:  # TEST itself
            check_weights(loaded.training.weights, 1, loaded.rows.name)
        chosen = positive_class(loaded, positive, words)
        names = _learnable(loaded, options, chosen, labels, words) if asked is None else asked
        fitted = fitted_model(
            model,
            loaded,
            [name for name in names if name in METHODS],
            options,
            measure,
            chosen,
            labels,
            inputs,
            words,
        )
        words.note(*(note for name in names for note in notes(fitted.setting, name)))
        kept = KeptRows(loaded.rows) if pictures.keeps_rows else None
        judged = judged_rows(loaded, fitted, names, words)
        result = evaluate_methods(
            judged,
            Measures(fpr=fpr, interval=interval, seed=seed, replicates=replicates),
            optimistic=_is_training(loaded, data, inputs.train),
            calibrated=_calibrated(names, data, _calibration(loaded, options)),
        )
        drawn = plot_judged(
            judged,
            fitted.setting,
            pictures,
            name=loaded.rows.name,
            optimistic=result.optimistic,
            rows=kept,
        )
    with drawn:
        _say(result, output_format, words)
        write_output(output, _pieces(output_format, result))


def _names(text: str) -> tuple[str, ...]:
    """The methods in a list with commas; an unknown one is told before anything is read."""
    from j48geo.score.probabilities import METHODS
    from j48geo.score.registry import score_function, score_names

    names = tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    for name in names:
        if name in METHODS:
            continue
        if name not in score_names():
            raise UnknownNameError("method", name, (*METHODS, *score_names()))
        score_function(name)
    if not names:
        raise click.UsageError(f"no method; expected some of {', '.join(DEFAULT)}")
    return names


def _only_for_bootstrap(*names: str) -> None:
    context = click.get_current_context()
    for name in names:
        if context.get_parameter_source(name) is not ParameterSource.DEFAULT:
            raise click.UsageError(f"--{name} is for --interval bootstrap")


def _learnable(
    loaded: Loaded, options: ProbabilityOptions, positive: int, labels: Ints | None, words: Words
) -> Sequence[str]:
    """All methods that the training data, or the model file, allows."""
    stored = loaded.fitted
    has = set(DEFAULT)
    if stored is not None:
        if options.calibrate is None:
            has -= set(KERNEL_METHODS) - set(stored.densities)
        if stored.nearby is None:
            has.discard("nearby")
    elif loaded.training is None:
        has.discard("nearby")
    missing = [name for name in DEFAULT if name not in has]
    if missing:
        words.note(f"left out for want of the training data: {', '.join(missing)} (--train FILE)")
    if not _knows_counts(loaded):
        from j48geo.geometry.distance import has_boundary

        bounded = has_boundary(loaded.tree, labels=labels, c=positive)
        counting = COUNTING if bounded else (*COUNTING, "global")
        has -= set(counting)
        words.note(
            "left out since the text does not tell the class counts of all leaves: "
            f"{', '.join(counting)} (--train FILE)"
        )
    return [name for name in DEFAULT if name in has]


def _knows_counts(loaded: Loaded) -> bool:
    from j48geo.score.estimates import UnknownCountsError, speaking_counts

    try:
        speaking_counts(loaded.tree, loaded.counts)
    except UnknownCountsError:
        return False
    return True


def _calibration(loaded: Loaded, options: ProbabilityOptions) -> str | None:
    """The file that kernel estimates learnt from, if not the training data."""
    if options.calibrate is not None or loaded.fitted is None:
        return options.calibrate
    stored = loaded.fitted
    return None if stored.calibration == stored.training else stored.calibration


def _calibrated(names: Sequence[str], test: str, calibrate: str | None) -> list[str]:
    """Methods that learn from the very rows that judge them, because the user says so."""
    if calibrate is None or not is_same_file(calibrate, test):
        return []
    return [name for name in names if name in KERNEL_METHODS]


def _is_training(loaded: Loaded, test: str, train: str | None) -> bool:
    """Whether the rows that judge the tree are those it was grown from."""
    if train is None:
        return loaded.training is not None
    return is_same_file(train, test)


def _say(result: Evaluation, output_format: str, words: Words) -> None:
    from j48geo.show.reports import evaluate as shown

    if result.optimistic:
        words.note(shown.resubstitution_sentence())
    if result.calibrated:
        words.note(shown.calibration_sentence(result.calibrated))
    if output_format in ("csv", "jsonl"):  # the others show it
        words.note(shown.proximity_sentence(result.proximity))
        zeros = shown.zero_sentence(result.proximity)
        words.note(*([] if zeros is None else [zeros]))


def _pieces(output_format: str, result: Evaluation) -> list[str]:
    from j48geo.show.reports import evaluate as shown
    from j48geo.show.text import json_text

    if output_format == "jsonl":
        return shown.evaluation_jsonl(result)
    if output_format == "json":
        return [json_text(shown.evaluation_json(result), indent=1), "\n"]
    if output_format == "csv":
        return [shown.evaluation_csv(result)]
    return [shown.evaluation_words(result)]
