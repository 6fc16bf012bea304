"""The table that ``j48geo evaluate`` prints, also as CSV and JSON, and the confusion matrix."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from j48geo.decide.evaluation.auc import Proximity
from j48geo.decide.evaluation.confusion import ConfusionMatrix
from j48geo.decide.evaluation.evaluation import (
    ClassesEvaluation,
    Comparison,
    Evaluation,
    MethodMetrics,
    MetricOptions,
)
from j48geo.decide.evaluation.probability_metrics import LogLoss
from j48geo.score.ranking import MANY_ZEROS
from j48geo.show.rows.row_report import csv_table
from j48geo.show.text import PLAIN, Style, format_number, json_text, text_table
from j48geo.text import pluralize

SURE_LAMBDA = 2.0
"""λ from which on errors are nearer, with 97.5 % confidence (AB05 Table 2)."""

EVALUATION_COLUMNS = (
    *("method", "auc", "auc_low", "auc_high", "partial_auc", "m", "mse"),
    *("log_loss", "log_loss_of_possible", "impossible", "calibration_error", "accuracy"),
    *("distinct_scores", "tied_pairs"),
)

OWN_ESTIMATES = ("gdk", "ldk", "ldk-leaf")
"""Methods whose estimate of a class is its own, before all are divided by their sum."""


def evaluation_result_to_text(
    evaluation: Evaluation | ClassesEvaluation,
    confusion: ConfusionMatrix,
    folds: int = 0,
    options: str = "",
    style: Style = PLAIN,
) -> str:
    """All that ``j48geo evaluate`` prints: how it was done, the methods, the confusion matrix.

    Parameters
    ----------
    folds, options
        Of a cross-validation: how many, and J48's options; 0 folds if there was none.
    """
    heading = f"{cross_validation_sentence(folds, options)}\n" if folds else ""
    if isinstance(evaluation, ClassesEvaluation):
        from j48geo.show.reports.class_evaluation import class_evaluation_to_text

        methods = class_evaluation_to_text(evaluation, style)
    else:
        methods = evaluation_to_text(evaluation, style)
    return f"{heading}{methods}\n{confusion_to_text(confusion, style)}"


def evaluation_to_text(evaluation: Evaluation, style: Style = PLAIN) -> str:
    """A table of the methods, what its columns mean, and what lambda says."""
    options = evaluation.measures
    several = len(evaluation.classes) > 2
    titles = [
        *("method", "AUC", f"{100 * options.level:g}% interval", f"AUC to {options.fpr:g}"),
        *(["M"] if several else []),
        *("MSE", "log-loss", "ECE", "accuracy", "scores", "tied pairs"),
    ]
    rows = [
        [
            *(
                row.method,
                _format_four(row.auc),
                _format_interval(row.interval),
                _format_four(row.partial_auc),
            ),
            *([_format_four(row.m)] if several else []),
            *(
                _format_four(row.mse),
                format_log_loss(row.log_loss),
                _format_four(row.calibration_error),
            ),
            *(_format_four(row.accuracy), row.distinct, _format_four(row.tied_pairs)),
        ]
        for row in evaluation.rows
    ]
    cases = pluralize(evaluation.cases, "case")
    notes = [f"{cases}, {evaluation.positives} of the positive class {evaluation.positive!r}"]
    if evaluation.optimistic:
        notes.append(resubstitution_sentence())
    if evaluation.calibrated:
        notes.append(calibration_sentence(evaluation.calibrated))
    return "".join(
        [
            *(f"{sentence}\n" for sentence in notes),
            "\n",
            text_table(titles, rows, titles[1:], style),
            "\n",
            *(f"{sentence}\n" for sentence in (*_legend(evaluation), *_verdict(evaluation))),
        ]
    )


def evaluation_to_csv(evaluation: Evaluation, *, safe: bool = False) -> str:
    """One line a method; empty where nothing is defined, ``Infinity`` for such a log-loss.

    What is the same for all methods stands in every line: how many distances there are, and
    how many of them are 0.
    """
    common = _distance_counts(evaluation.proximity)
    rows = ([*_numbers(row).values(), *common.values()] for row in evaluation.rows)
    return csv_table([*EVALUATION_COLUMNS, *common], rows, safe=safe)


def evaluation_to_json(evaluation: Evaluation) -> dict[str, object]:
    """Everything; null is not defined, or a log-loss that `impossible` cases make infinite."""
    m, p = evaluation.measures, evaluation.proximity
    interval: dict[str, object] = {"kind": m.interval, "level": m.level}
    if m.interval == "bootstrap":
        interval |= {"seed": m.seed, "replicates": m.replicates}
    return {
        "positive": evaluation.positive,
        "classes": list(evaluation.classes),
        "cases": evaluation.cases,
        "positives": evaluation.positives,
        "training_data": evaluation.optimistic,
        "calibrated_on_these": list(evaluation.calibrated),
        "interval": interval,
        "partial_fpr": m.fpr,
        "log_loss_unit": "nats",
        "calibration_bins": {"bins": m.bins, "equal": m.by},
        "methods": [_row_json(row) for row in evaluation.rows],
        "tree_accuracy": evaluation.tree_accuracy,
        "lambda": {
            "value": p.value,
            "hits": p.hits,
            "errors": p.errors,
            "hit_distance": p.hit_distance,
            "error_distance": p.error_distance,
            "infinite_distances": p.infinite,
            "sentence": proximity_sentence(p),
        },
        **_distance_counts(p),
        "zero_share": p.zero_share if p.has_boundary else None,
        "differences": [
            {
                "method": c.method,
                "against": c.against,
                "auc": c.difference,
                "low": c.low,
                "high": c.high,
            }
            for c in evaluation.comparisons
        ],
    }


def evaluation_to_jsonl(evaluation: Evaluation) -> list[str]:
    """One line a method, with the columns of the CSV."""
    common = _distance_counts(evaluation.proximity)
    return [f"{json_text(_row_json(row) | common)}\n" for row in evaluation.rows]


def proximity_sentence(proximity: Proximity) -> str:
    """What lambda says about geometric ranking on this tree."""
    value = proximity.value
    if value is None:
        return f"lambda is not defined: {_reason(proximity)}"
    shown = f"lambda = {format_number(value)}"
    if value >= SURE_LAMBDA:
        return (
            f"{shown}, at least 2: the tree's errors lie nearer to its boundary than its hits, as "
            "geometric ranking supposes; it can be trusted on this tree where its AUC bears it out"
            f"{_note_ties(proximity)}"
        )
    if value <= -SURE_LAMBDA:
        return (
            f"{shown}, at most -2: the tree's errors lie farther from its boundary than its hits, "
            "against what geometric ranking supposes; do not trust it on this tree"
        )
    return (
        f"{shown}, less than 2: it is not sure that the tree's errors lie nearer to its boundary "
        "than its hits, as geometric ranking supposes; do not trust it on this tree"
    )


def zero_sentence(proximity: Proximity) -> str | None:
    """How many distances are 0; None if not one is."""
    share = proximity.zero_share
    if not share or not proximity.has_boundary:
        return None
    return f"{proximity.zeros} of {proximity.measured} distances are 0 ({share:.1%})"


def resubstitution_sentence() -> str:
    """The warning that goes with numbers from the training data."""
    return (
        "RESUBSTITUTION: these rows are the training data, so every number is optimistic; "
        "new rows give honest ones"
    )


def cross_validation_sentence(folds: int, options: str) -> str:
    """That trees were grown again, and how."""
    return (
        f"cross-validation: J48{f' {options}' if options else ''}, grown again without each of "
        f"{folds} folds and judged on it"
    )


def calibration_sentence(methods: Sequence[str]) -> str:
    """The warning that goes with estimates that learnt from the rows that judge them."""
    return (
        f"RESUBSTITUTION: {_join_names(methods)} learnt from these rows, so "
        f"{'their' if len(methods) > 1 else 'its'} numbers are optimistic; other rows give honest "
        "ones"
    )


def _note_ties(proximity: Proximity) -> str:
    """That geometry has nothing to say of many cases, however good lambda is."""
    share = proximity.zero_share or 0.0
    if share <= MANY_ZEROS:
        return ""
    return f", but {'most cases' if share > 0.5 else f'{share:.0%} of the cases'} tie at distance 0"


def _reason(proximity: Proximity) -> str:
    if not proximity.has_boundary:
        return "there is no decision boundary"
    if proximity.infinite and not proximity.measured:
        return "no case has a finite distance to the boundary"
    if proximity.hits < 2 or proximity.errors < 2:
        left = f", and {proximity.infinite} at infinite distance" if proximity.infinite else ""
        counts = f"{proximity.hits} and {proximity.errors}{left}"
        return f"it takes 2 hits and 2 errors, and there are {counts}"
    return "all hits have one distance to the boundary, and all errors too"


def _legend(evaluation: Evaluation) -> list[str]:
    m = evaluation.measures
    several = len(evaluation.classes) > 2
    own = [row.method for row in evaluation.rows if row.method in OWN_ESTIMATES]
    impossible = any(
        row.log_loss is not None and row.log_loss.impossible for row in evaluation.rows
    )
    return [
        f"AUC: {evaluation.positive!r} against the rest, ties half; interval: {_interval(m)}; "
        f"AUC to {m.fpr:g}: area up to that false positive rate, at most {m.fpr:g}",
        *(["M: mean AUC of all pairs of classes (Hand and Till)"] if several else []),
        *(
            [
                f"AUC of {_join_names(own)}: by the estimate of {evaluation.positive!r} itself, as "
                "published; M, MSE, log-loss, ECE and accuracy: by the estimates of all classes "
                "divided by their sum"
            ]
            if several and own
            else []
        ),
        "MSE: squared errors summed over the classes; log-loss: in nats"
        + (", inf (n) if the class of n cases had probability 0" if impossible else ""),
        f"ECE: calibration error of the positive class, {m.bins} bins of equal "
        f"{'weight' if m.by == 'mass' else 'width'}; accuracy: of the most probable class",
        "scores: different ones; tied pairs: share of pairs of a positive and a negative case "
        "with equal scores",
    ]


def _interval(m: MetricOptions) -> str:
    if m.interval == "delong":
        return "DeLong, on the logit scale"
    return f"bootstrap, {m.replicates} times, seed {m.seed}"


def _verdict(evaluation: Evaluation) -> list[str]:
    p = evaluation.proximity
    sentences = [
        "",
        f"accuracy of the tree's own labels, whatever the method: {_format_accuracy(evaluation)}",
    ]
    if p.hit_distance is not None and p.error_distance is not None:
        sentences.append(
            f"mean distance to the boundary: {format_number(p.hit_distance)} of {p.hits} hits, "
            f"{format_number(p.error_distance)} of {p.errors} errors"
        )
    sentences.append(proximity_sentence(p))
    if p.infinite and p.has_boundary and p.measured:
        some = pluralize(
            p.infinite, "case at infinite distance is", "cases at infinite distance are"
        )
        sentences.append(f"{some} left out of lambda and of the mean distances")
    zeros = zero_sentence(p)
    if zeros is not None:
        sentences.append(zeros)
    level = 100 * evaluation.measures.level
    for c in evaluation.comparisons:
        sentences.append(
            f"AUC of {c.method} minus that of {c.against}: {c.difference:+.4f}, {level:g}% "
            f"interval {c.low:+.4f} to {c.high:+.4f}: {_compare_methods(c)}"
        )
    return sentences


def _distance_counts(proximity: Proximity) -> dict[str, object]:
    """How many distances there are, and how many of them are 0; None without a boundary."""
    if not proximity.has_boundary:
        return {"distances": None, "zero_distances": None}
    return {"distances": proximity.measured, "zero_distances": proximity.zeros}


def _join_names(names: Sequence[str]) -> str:
    return ", ".join(names[:-1]) + (" and " if len(names) > 1 else "") + names[-1]


def _compare_methods(comparison: Comparison) -> str:
    if comparison.low > 0:
        return f"{comparison.method} ranks better"
    return f"{comparison.method} ranks worse" if comparison.high < 0 else "no sure difference"


def _format_accuracy(evaluation: Evaluation) -> str:
    return (
        "not defined"
        if evaluation.tree_accuracy is None
        else format_number(evaluation.tree_accuracy)
    )


def _row_json(row: MethodMetrics) -> dict[str, object]:
    return {
        name: None if isinstance(x, float) and not isfinite(x) else x
        for name, x in _numbers(row).items()
    }


def _numbers(row: MethodMetrics) -> dict[str, object]:
    low, high = row.interval or (None, None)
    loss = row.log_loss
    values: Sequence[object] = (
        *(row.method, row.auc, low, high, row.partial_auc, row.m, row.mse),
        *((None, None, None) if loss is None else (loss.value, loss.finite, loss.impossible)),
        *(row.calibration_error, row.accuracy, row.distinct, row.tied_pairs),
    )
    return dict(zip(EVALUATION_COLUMNS, values, strict=True))


def _format_four(x: float | None) -> str | None:
    return None if x is None else f"{x:.4f}"


def _format_interval(interval: tuple[float, float] | None) -> str | None:
    return None if interval is None else f"{interval[0]:.4f}-{interval[1]:.4f}"


def format_log_loss(loss: LogLoss | None) -> str | None:
    """The loss for people: ``inf (n)`` if the class of n cases had probability 0."""
    if loss is None or loss.value is None:
        return None
    return f"inf ({loss.impossible})" if loss.impossible else f"{loss.value:.4f}"


def confusion_to_text(confusion: ConfusionMatrix, style: Style = PLAIN) -> str:
    """A line an actual class: how its rows were called, and how the class fared."""
    titles = ["actual \\ predicted", *confusion.classes, "precision", "recall", "F"]
    rows = [
        [rate.label, *weights, *map(_format_four, (rate.precision, rate.recall, rate.f))]
        for rate, weights in zip(confusion.rates(), confusion.weight.tolist(), strict=True)
    ]
    return text_table(titles, rows, titles[1:], style)


def confusion_summary_to_text(
    model: str, rows: int, answered: int, confusion: ConfusionMatrix, style: Style = PLAIN
) -> str:
    """How many rows a model answers, how many of them are right, and the matrix."""
    right = confusion.accuracy
    share = "" if right is None else f"; accuracy {right:.4f}"
    of = f"all {rows}" if answered == rows else f"{answered} of {rows}"
    return f"{model}: {of} rows have an answer{share}\n\n{confusion_to_text(confusion, style)}"


def confusion_to_json(confusion: ConfusionMatrix) -> dict[str, object]:
    """Weights by actual and predicted class, and the rates; null is 0/0."""
    return {
        "confusion": {"labels": list(confusion.classes), "weights": confusion.weight.tolist()},
        "class_rates": [
            {"class": r.label, "precision": r.precision, "recall": r.recall, "f": r.f}
            for r in confusion.rates()
        ],
    }
