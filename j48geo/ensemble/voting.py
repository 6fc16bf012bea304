"""The answer of a wrapper: its trees are asked, and what they say is combined as Weka does.

Sums are made in Weka's order and nothing is simplified, so that every distribution is
Weka's to the last bit (but for the powers of AdaBoostM1); a wrapper that is not known that
well is refused by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.core.tree_text import Entry
from j48geo.core.wrappers import Ensemble, Member
from j48geo.ensemble.filters import filtered
from j48geo.errors import MismatchError, SeveralTreesError
from j48geo.java.numbers import SMALL
from j48geo.score.prediction import predict

__all__ = ["Answer", "answer"]


@dataclass(frozen=True, eq=False)
class Answer:
    """What a wrapper says.

    Parameters
    ----------
    distribution : array of float64, shape (n_cases, n_classes)
        Weight of each class.
    classified : array of int, shape (n_cases,)
        Class that ``classifyInstance`` gives; -1 where it gives none.
    """

    distribution: Floats
    classified: Ints


def answer(entries: Sequence[Entry], ensemble: Ensemble, X: Floats) -> Answer:
    """Distribution and class of every row.

    Parameters
    ----------
    entries
        The trees of the file, which the members of the wrapper are numbers of.
    X : array of float64, shape (n_cases, n_attributes)
        Rows in the order of the wrapper's own header.

    Raises
    ------
    MismatchError
        If the whole answer of such a wrapper is not known, or the rows are not of its width.
    """
    for refusal in ensemble.refusals:
        raise SeveralTreesError(f"{refusal}; expected one of its trees to be named")
    return _asked(entries, ensemble, X)


def _asked(entries: Sequence[Entry], member: Member, X: Floats) -> Answer:
    """The answer of a tree or of a wrapper; wrappers nest no deeper than a reader allows."""
    header = member.header if isinstance(member, Ensemble) else entries[member].readings[0].header
    if X.shape[1] != len(header):
        raise MismatchError(f"rows of {X.shape[1]} columns; the model expects {len(header)}")
    if isinstance(member, int):
        return _tree_answer(entries[member], X)
    if member.filter is not None:
        X = filtered(member.filter, header, X)
    distribution = _combined(entries, member, X)
    return Answer(distribution, _largest(distribution))


def _tree_answer(entry: Entry, X: Floats) -> Answer:
    tree = entry.readings[0]
    if entry.counts is None:
        raise MismatchError("a tree without counts of its nodes; expected a model file with them")
    said = predict(tree, entry.counts, X, laplace=bool(tree.options.laplace))
    return Answer(said.distribution, said.classified)


def _combined(entries: Sequence[Entry], ensemble: Ensemble, X: Floats) -> Floats:
    """One distribution a row of what the members say."""
    rule = ensemble.rule
    if rule == "stack":
        *below, last = ensemble.members
        said = [_asked(entries, member, X).distribution for member in below]
        # The last column is the class, which is not known.
        meta = np.column_stack([*said, np.full(len(X), np.nan)])
        return _asked(entries, last, meta).distribution
    answers = [_asked(entries, member, X) for member in ensemble.members]
    first = answers[0].distribution
    if rule == "only":
        return first
    if rule == "least cost":
        return _cheapest(first, ensemble)
    if rule == "boost":
        return _voted(answers, ensemble)
    if rule in ("average", "average 3.6"):
        return _averaged(answers, ensemble)
    return _one_against_all(answers, ensemble)


def _averaged(answers: list[Answer], ensemble: Ensemble) -> Floats:
    """Bagging, and Vote by the average of probabilities."""
    sums = np.zeros_like(answers[0].distribution)
    for said in answers:
        sums += said.distribution
    if ensemble.rule == "average 3.6":
        sums /= len(answers)
    total = _sum(sums)
    if ensemble.name == "Bagging":
        return _divided(sums, total, total >= SMALL)
    once = _divided(sums, total, total > 0)
    if ensemble.rule == "average 3.6":
        return once
    again = _sum(once)
    return _divided(once, again, again > 0)


def _voted(answers: list[Answer], ensemble: Ensemble) -> Floats:
    """AdaBoostM1: each member gives its weight to its class; the sums are logarithms.

    Notes
    -----
    The one place where a bit may differ: Java's ``exp`` is not rounded correctly and is
    another one on each kind of processor, so Weka's own last bits depend on the machine. On
    x86-64 one power in 400 is a unit in the last place away from the C library's; classes
    are the same.
    """
    assert ensemble.weights is not None
    n, n_classes = answers[0].distribution.shape
    sums = np.zeros((n, n_classes))
    row = np.arange(n)
    for said, weight in zip(answers, ensemble.weights.tolist(), strict=True):
        # Java turns the class that a wrapper leaves open into the first.
        sums[row, np.maximum(said.classified, 0)] += weight
    # Only so many sums can be made of the weights: each is exponentiated once.
    less, place = np.unique(sums - sums.max(axis=1, keepdims=True), return_inverse=True)
    powers = np.array([exp(x) for x in less.tolist()])[place].reshape(n, n_classes)
    total = _sum(powers)
    return powers / total[:, None]


def _cheapest(distribution: Floats, ensemble: Ensemble) -> Floats:
    """CostSensitiveClassifier -M: everything for the first class of least expected cost."""
    assert ensemble.costs is not None
    n_classes = distribution.shape[1]
    expected = np.zeros_like(distribution)
    for chosen in range(n_classes):
        for actual in range(n_classes):
            expected[:, chosen] += distribution[:, actual] * ensemble.costs[actual, chosen]
    found = np.zeros_like(distribution)
    found[np.arange(len(found)), expected.argmin(axis=1)] = 1.0
    return found


def _one_against_all(answers: list[Answer], ensemble: Ensemble) -> Floats:
    """MultiClassClassifier: member k tells class k (its second class) from all others."""
    assert ensemble.fallback is not None
    n, n_classes = len(answers[0].distribution), len(answers)
    sums = np.zeros((n, n_classes))
    for k, said in enumerate(answers):
        if ensemble.rule == "one of each":
            sums[:, k] = said.distribution[:, 1]
            continue
        for other in range(n_classes):
            sums[:, other] += said.distribution[:, 1 if other == k else 0]
    total = _sum(sums)
    found = _divided(sums, total, total > SMALL)
    found[~(total > SMALL)] = ensemble.fallback
    return found


def _sum(rows: Floats) -> Floats:
    """``Utils.sum`` of every row: from the first class to the last, shape (n_cases,)."""
    total = np.zeros(len(rows))
    for k in range(rows.shape[1]):
        total += rows[:, k]
    return total


def _divided(rows: Floats, total: Floats, where: np.ndarray) -> Floats:
    """``Utils.normalize`` of the rows where that is asked, the others as they are."""
    divisor = np.where(where, total, 1.0)
    return rows / divisor[:, None]


def _largest(distribution: Floats) -> Ints:
    """The first class with the largest weight; -1 if none has any."""
    chosen: Ints = distribution.argmax(axis=1)
    return np.where(distribution.max(axis=1, initial=0.0) > 0, chosen, -1)
