"""``j48geo curve``: ROC and precision-recall points of leaf scores or any scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import click

from j48geo.cli.leaf_counts import (
    SmoothingOptions,
    known_counts,
    m_times_p,
    positive_class,
    positive_option,
    smoothing_options,
)
from j48geo.cli.options import (
    InputOptions,
    data_argument,
    data_options,
    format_option,
    model_options,
    output_option,
    quiet_option,
    training_options,
)
from j48geo.cli.output import write_output
from j48geo.cli.plotting import check_plot, plot_curve, plot_option
from j48geo.cli.words import Words
from j48geo.errors import UnknownNameError

if TYPE_CHECKING:
    from j48geo.cli.inputs import Loaded
    from j48geo.decide.leaf_counts import ClassCounts
    from j48geo.show.reports.curve import DrawnCurve

__all__ = ["curve"]

EXAMPLES = """\b
Examples:
  j48geo curve model.txt --positive sick
  j48geo curve model.txt new.arff --train data.arff --format arff -o roc.arff
  j48geo rank model.txt data.arff --format csv -o ranked.csv
  j48geo curve ranked.csv --score score --positive sick --plot roc.svg
"""


@click.command(
    epilog=EXAMPLES, short_help="ROC and precision-recall points; ThresholdCurve for Weka."
)
@click.argument("model", metavar="MODEL|SCORES")
@data_argument(required=False)
@positive_option
@click.option(
    "--score",
    metavar="NAME",
    default=None,
    help="Read SCORES, a CSV or ARFF file, instead of a model: the column with the scores.",
)
@click.option(
    "--actual",
    metavar="NAME",
    default=None,
    help="With --score: the column with the classes. Default: 'actual', or ARFF's last nominal.",
)
@click.option(
    "--partial",
    type=click.FloatRange(0, 1),
    metavar="X",
    default=None,
    help="Give the area up to this false positive rate, too.",
)
@plot_option
@smoothing_options("none")
@training_options
@format_option(("table", "csv", "json", "arff"))
@output_option
@model_options
@data_options
@quiet_option
def curve(
    model: str,
    data: str | None,
    positive: str | None,
    score: str | None,
    actual: str | None,
    partial: float | None,
    plot: str | None,
    smoothing: Literal["none", "laplace", "m"],
    m_weight: float | None,
    output_format: str,
    output: str | None,
    quiet: bool,
    **given: Any,
) -> None:
    """Show the curve of the leaf estimates of MODEL, on its counts or on the rows of DATA.

    With '--score' the first argument is a file of scores and classes instead. A point for
    each distinct score: cases with at least that score are called positive; '*' marks
    corners of the convex hull. '--format arff' is what Weka's ThresholdCurve gives, with its
    columns and conventions.
    """
    from j48geo.show.reports.curve import curve_arff, curve_csv, curve_json, curve_words
    from j48geo.show.text import json_text

    words = Words(quiet)
    check_plot(plot, output)
    if score is not None:
        if data is not None:
            raise click.UsageError("--score takes one file of scores, and no DATA")
        drawn = _of_scores(model, score, actual, positive, partial, words)
    else:
        if actual is not None:
            raise click.UsageError("--actual is for --score")
        wanted = SmoothingOptions(smoothing, m_weight)
        drawn = _of_leaves(model, data, positive, wanted, partial, InputOptions(**given), words)
    estimate = {"none": "raw"}.get(smoothing, smoothing)
    plot_curve(drawn, plot, method=score or estimate, name=data or model)
    if output_format == "json":
        write_output(output, [json_text(curve_json(drawn), indent=1), "\n"])
    else:
        show = {"csv": curve_csv, "arff": curve_arff, "table": curve_words}[output_format]
        write_output(output, [show(drawn)])


def _of_scores(
    source: str,
    score: str,
    actual: str | None,
    positive: str | None,
    partial: float | None,
    words: Words,
) -> DrawnCurve:
    import numpy as np

    from j48geo.cli.rows import guarded
    from j48geo.data.small_tables.scores import read_score_table
    from j48geo.decide.roc import curve as curve_of
    from j48geo.errors import DataReadError
    from j48geo.show.reports.curve import DrawnCurve

    table = guarded(DataReadError, source, lambda: read_score_table(source, score, actual))
    if table.left_out:
        words.note(f"{table.left_out} rows without a score or a class are left out")
    y, w = np.array(table.actual, dtype=np.intp), np.array(table.weights)
    if positive is None:
        if len(table.classes) != 2:
            shown = ", ".join(table.classes[:20])
            raise click.UsageError(f"name the positive class with --positive: {shown}")
        chosen = int(w[y == 1].sum() < w[y == 0].sum())
        words.note(f"positive class: {table.classes[chosen]!r}, the rarer one")
    elif positive in table.classes:
        chosen = table.classes.index(positive)
    else:
        raise UnknownNameError("class", positive, table.classes)
    found = curve_of(np.array(table.scores, dtype=np.float64), y == chosen, w)
    return DrawnCurve(found, table.classes[chosen], partial)


def _of_leaves(
    model: str,
    data: str | None,
    positive: str | None,
    wanted: SmoothingOptions,
    partial: float | None,
    options: InputOptions,
    words: Words,
) -> DrawnCurve:
    import numpy as np

    from j48geo.cli.inputs import load
    from j48geo.decide.leaf_order import order_leaves
    from j48geo.decide.roc import curve as curve_of
    from j48geo.decide.roc import hand_till
    from j48geo.geometry.distance import leaf_labels
    from j48geo.show.plots.curves import operating_point
    from j48geo.show.reports.curve import DrawnCurve

    with load(model, data, options, words) as loaded:
        counts = known_counts(model, loaded)
        chosen = positive_class(loaded, positive, words)
        tree = loaded.tree
        n = len(tree.classes)
        shares = counts.shares
        mp = m_times_p(wanted.m_weight, shares[chosen]) if shares else 10.0
        asked = range(n) if n > 2 else (chosen,)
        of_leaf = np.empty((len(tree.leaves), len(asked)))
        for k, c in enumerate(asked):
            order = order_leaves(counts.against_rest(c), wanted.smoothing, classes=n, mp=mp)
            for group in order.groups:  # leaves of one group have one score, to the last bit
                of_leaf[list(group.leaves), k] = float(group.accuracy)
        if data is None:
            scores, label, y, w = _counted(counts, of_leaf, leaf_labels(tree))
        else:
            scores, label, y, w = _cases(loaded, of_leaf)
    at = chosen if n > 2 else 0
    found = curve_of(scores[:, at], y == chosen, w)
    m = hand_till(scores, y, w) if n > 2 else None
    point = operating_point(label == chosen, y == chosen, w)
    return DrawnCurve(found, tree.classes[chosen], partial, m, n > 2, point)


def _counted(counts: ClassCounts, of_leaf: Any, labels: Any) -> tuple[Any, Any, Any, Any]:
    """A case for each leaf and class, as heavy as the counts say."""
    import numpy as np

    weights = np.array([[float(k) for k in row] for row in counts.own])
    leaf, actual = np.nonzero(weights > 0)
    return of_leaf[leaf], labels[leaf], actual, weights[leaf, actual]


def _cases(loaded: Loaded, of_leaf: Any) -> tuple[Any, Any, Any, Any]:
    """Scores, predicted and true classes, weights of the rows of DATA that have a class."""
    import numpy as np

    from j48geo.score.estimates import case_estimates
    from j48geo.score.predict import predict

    assert loaded.rows is not None
    tree = loaded.tree
    column = tree.header.class_index
    assert column is not None
    scores, actual, weights = [np.empty((0, of_leaf.shape[1]))], [np.empty(0)], [np.empty(0)]
    predicted = [np.empty(0, dtype=np.intp)]
    for block in loaded.rows.blocks:
        known = ~np.isnan(block.X[:, column])
        X = block.X[known]
        said = predict(tree, loaded.counts, X, laplace=bool(tree.options.laplace))
        leaf = said.leaf
        found = np.column_stack(
            [case_estimates(tree, loaded.counts, X, values, leaf) for values in of_leaf.T]
        )
        # Means over several leaves that are equal but for rounding are equal.
        found[leaf < 0] = np.round(found[leaf < 0], 12)
        scores.append(found)
        predicted.append(said.predicted)
        actual.append(X[:, column])
        weights.append(block.weights[known])
    every = np.concatenate(scores)
    # A case whose shares were all lost in empty leaves.
    scored = np.where(np.isnan(every), 0.5, every)
    predictions, classes = np.concatenate(predicted), np.concatenate(actual)
    return scored, predictions, classes, np.concatenate(weights)
