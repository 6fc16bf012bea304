"""The numbers of Weka's evaluation: its formulas, in its order of additions.

Fractional weights make sums that depend on the order, and some of these numbers are such sums
divided by each other, so that nothing divided by nothing and a speck divided by a speck differ.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import nan, sqrt

import numpy as np

from j48geo.arrays import Floats, Ints


@dataclass(frozen=True, eq=False)
class EvaluatedRows:
    """Rows with the predictions of a tree for them, and those of the class shares alone.

    Parameters
    ----------
    distribution : array of float64, shape (n_cases, n_classes)
        As the tree gives it.
    actual : array of float64, shape (n_cases,)
        Number of the class, NaN if it is missing.
    weight : array of float64, shape (n_cases,)
    prior : array of float64, shape (n_cases, n_classes)
        Shares of the classes among the rows that the tree was grown from, each counted from
        1 on, as Weka does it.
    """

    distribution: Floats
    actual: Floats
    weight: Floats
    prior: Floats


@dataclass(frozen=True)
class ClassAccuracy:
    """The row of one class in Weka's table, or of all by weight; NaN where it prints ``?``."""

    tp_rate: float
    fp_rate: float
    precision: float
    recall: float
    f_measure: float
    mcc: float
    roc_area: float
    prc_area: float


@dataclass(frozen=True, eq=False)
class WekaEvaluation:
    """What Weka finds in rows that a classifier was asked about; weights throughout.

    Parameters
    ----------
    known, unknown
        Weight of the rows with a class, and of those without.
    correct, wrong, open
        Of the former: called rightly, wrongly, and not called anything.
    kappa, absolute, squared, relative_absolute, relative_squared
        Kappa, mean absolute and root mean squared error of the probabilities, both also in
        percent of what the class shares alone give.
    confusion : array of float64, shape (n_classes, n_classes)
        By class and by what it was called.
    classes
        A row of the table for each class.
    average
        The mean of these by the weight of the classes; classes without weight are left out.
    """

    known: float
    unknown: float
    correct: float
    wrong: float
    open: float
    kappa: float
    absolute: float
    squared: float
    relative_absolute: float
    relative_squared: float
    confusion: Floats
    classes: tuple[ClassAccuracy, ...]
    average: ClassAccuracy


def weka_evaluation(rows: EvaluatedRows) -> WekaEvaluation:
    """Weka's numbers for these rows.

    Notes
    -----
    Rows without a class count as rows of other classes in the two areas, and nowhere else.
    """
    n_classes = rows.distribution.shape[1]
    there = ~np.isnan(rows.actual)
    distribution, weight = rows.distribution[there], rows.weight[there]
    actual = rows.actual[there].astype(np.intp)
    called = np.where(distribution.max(axis=1, initial=0.0) > 0, distribution.argmax(axis=1), -1)
    confusion = np.zeros((n_classes, n_classes))
    sure = called >= 0
    np.add.at(confusion, (actual[sure], called[sure]), weight[sure])
    known, correct = _sum(weight), _sum(weight[called == actual])
    wrong = _sum(weight[sure & (called != actual)])
    absolute, squared = _errors(distribution, actual, weight)
    prior_absolute, prior_squared = _errors(rows.prior[there], actual, weight)
    counts = confusion.sum(axis=1)
    classified = known if sure.all() else _sum(confusion.ravel())
    classes = tuple(_accuracy(rows, confusion, classified, k) for k in range(n_classes))
    answered = known - _sum(weight[~sure])
    mean, root = _divide(absolute, answered), sqrt(max(_divide(squared, answered), 0.0))
    return WekaEvaluation(
        known=known,
        unknown=_sum(rows.weight[~there]),
        correct=correct,
        wrong=wrong,
        open=_sum(weight[~sure]),
        kappa=_kappa(confusion),
        absolute=mean,
        squared=root,
        relative_absolute=100.0 * _divide(mean, _divide(prior_absolute, known)),
        relative_squared=100.0 * _divide(root, sqrt(max(_divide(prior_squared, known), 0.0))),
        confusion=confusion,
        classes=classes,
        average=_average(classes, counts),
    )


def _sum(values: Floats) -> float:
    """The sum of all, one after the other."""
    return float(np.add.accumulate(values)[-1]) if len(values) else 0.0


def _divide(above: float, below: float) -> float:
    return above / below if below else nan


def _errors(told: Floats, actual: Ints, weight: Floats) -> tuple[float, float]:
    """Absolute and squared differences from certainty, the mean over classes, summed by row."""
    off = told.copy()
    off[np.arange(len(off)), actual] -= 1.0
    n_classes = told.shape[1]
    absolute, squared = np.zeros(len(off)), np.zeros(len(off))
    for k in range(n_classes):
        absolute += np.abs(off[:, k])
        squared += off[:, k] * off[:, k]
    return _sum(weight * absolute / n_classes), _sum(weight * squared / n_classes)


def _kappa(confusion: Floats) -> float:
    rows, columns = np.zeros(len(confusion)), np.zeros(len(confusion))
    total = 0.0
    for i, row in enumerate(confusion.tolist()):
        for j, cell in enumerate(row):
            rows[i] += cell
            columns[j] += cell
            total += cell
    chance = _divide(_sum(rows * columns), total * total)
    if not chance < 1.0:
        return 1.0  # also where nothing is divided by nothing
    return (_sum(np.diag(confusion)) / total - chance) / (1.0 - chance)


def _accuracy(rows: EvaluatedRows, confusion: Floats, classified: float, k: int) -> ClassAccuracy:
    # Whole rows and columns, cell by cell, and their differences: where all rows are called the
    # same, a speck of rounding there decides between a coefficient of 0 and none.
    tp, row, column = float(confusion[k, k]), _sum(confusion[k]), _sum(confusion[:, k])
    fp = column - tp
    precision, recall = _divide(tp, column), _divide(tp, row)
    both = precision + recall
    f_measure = 2.0 * precision * recall / both if both else 0.0
    mcc = _correlation(tp, fp, row - tp, (classified - row) - fp)
    roc, prc = _areas(rows, k)
    rate = _divide(fp, classified - row)
    return ClassAccuracy(recall, rate, precision, recall, f_measure, mcc, roc, prc)


def _correlation(tp: float, fp: float, fn: float, tn: float) -> float:
    """Matthews' coefficient; NaN for nothing by nothing, or where rounding makes a sum negative."""
    spread = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
    return _divide(tp * tn - fp * fn, sqrt(spread)) if spread >= 0 else nan


def _areas(rows: EvaluatedRows, k: int) -> tuple[float, float]:
    """The areas under the ROC curve (trapezia) and under precision by recall (steps).

    The threshold rises from score to score, and what falls below it is taken off the totals.
    """
    order = np.argsort(rows.distribution[:, k], kind="stable")
    score, weight = rows.distribution[order, k], rows.weight[order]
    mine = rows.actual[order] == k
    totals = [_sum(rows.weight[(rows.actual == k) == which]) for which in (True, False)]
    positive, negative = totals
    above = [totals]
    for equals in np.split(np.arange(len(score)), np.flatnonzero(np.diff(score)) + 1):
        tp, fp = above[-1]
        ours = mine[equals]
        above.append([tp - _sum(weight[equals][ours]), fp - _sum(weight[equals][~ours])])
    if not any(above[-2]):
        above.pop()  # nothing was left, so there is no further step
    tp, fp = np.array(above).T
    recalled = -np.diff(tp) / positive if positive else np.zeros(len(tp) - 1)
    under = (tp[:-1] + tp[1:]) / 2.0 * -np.diff(fp)
    with np.errstate(invalid="ignore", divide="ignore"):
        # Two scores above all others that only rows of weight 0 have leave a step without a
        # precision, and so no area.
        precision = tp[:-1] / (tp + fp)[:-1]
    return (
        _divide(_sum(under), positive * negative),
        _sum(recalled * precision) if positive else nan,
    )


def _average(classes: tuple[ClassAccuracy, ...], counts: Floats) -> ClassAccuracy:
    total = _sum(counts)
    if not total:
        return ClassAccuracy(*[nan] * 8)
    means = []
    for name in ClassAccuracy.__dataclass_fields__:
        mean = 0.0
        for row, count in zip(classes, counts.tolist(), strict=True):
            if count:
                mean += getattr(row, name) * count
        means.append(mean / total)
    return ClassAccuracy(*means)
