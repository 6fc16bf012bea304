"""All trees of a wrapper together: what they answer, and for which rows that is certain.

The members are asked, and their answers combined as Weka does. Sums are made in Weka's order
and nothing is simplified, so that every distribution is Weka's to the last bit (but for the
powers of AdaBoostM1); a wrapper that is not known that well is refused by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.core.columns import check_width
from j48geo.core.dataset import Dataset, Header
from j48geo.core.tree import BoxTree
from j48geo.core.tree_text import Entry
from j48geo.core.wrappers import Ensemble, Member
from j48geo.ensemble.filters import apply_filter, check_rows
from j48geo.errors import MismatchError, SeveralTreesError
from j48geo.java.numbers import SMALL
from j48geo.replaying.replay import replay
from j48geo.replaying.thresholds import threshold_choices
from j48geo.score.prediction import Prediction, predict
from j48geo.score.uncertainty_bounds import ClassBounds, TreeBounds


@dataclass(frozen=True, eq=False)
class WrapperAnswer:
    """Distribution and class that a wrapper gives each row.

    Parameters
    ----------
    distribution : array of float64, shape (n_cases, n_classes)
        Weight of each class.
    classified : array of int, shape (n_cases,)
        Class that ``classifyInstance`` gives; -1 where it gives none.
    """

    distribution: Floats
    classified: Ints


def answer_rows(entries: Sequence[Entry], ensemble: Ensemble, X: Floats) -> WrapperAnswer:
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
    return _ask_member(entries, ensemble, X)


def _ask_member(entries: Sequence[Entry], member: Member, X: Floats) -> WrapperAnswer:
    """The answer of a tree or of a wrapper; wrappers nest no deeper than a reader allows."""
    header = _member_header(entries, member)
    check_width(header, X)
    if isinstance(member, int):
        return _tree_answer(entries[member], X)
    if member.filter is not None:
        X = apply_filter(member.filter, header, X, _member_header(entries, member.members[0]))
    if member.passes_classes:
        return _ask_member(entries, member.members[0], X)
    distribution = _combine_members(entries, member, X)
    return WrapperAnswer(distribution, _find_largest(distribution))


def _member_header(entries: Sequence[Entry], member: Member) -> Header:
    """Attributes of the rows that a member is asked about."""
    return member.header if isinstance(member, Ensemble) else entries[member].readings[0].header


def _tree_answer(entry: Entry, X: Floats) -> WrapperAnswer:
    tree = entry.readings[0]
    if entry.counts is None:
        raise MismatchError("a tree without counts of its nodes; expected a model file with them")
    prediction = predict(tree, entry.counts, X, laplace=bool(tree.options.laplace))
    return WrapperAnswer(prediction.distribution, prediction.classified)


def _combine_members(entries: Sequence[Entry], ensemble: Ensemble, X: Floats) -> Floats:
    """One distribution a row of what the members say."""
    rule = ensemble.rule
    if rule == "stack":
        *below, last = ensemble.members
        distributions = [_ask_member(entries, member, X).distribution for member in below]
        # The last column is the class, which is not known.
        meta = np.column_stack([*distributions, np.full(len(X), np.nan)])
        check_rows(meta, _member_header(entries, last), f"the members of a {ensemble.name}")
        return _ask_member(entries, last, meta).distribution
    answers = [_ask_member(entries, member, X) for member in ensemble.members]
    first = answers[0].distribution
    if rule == "only":
        return first
    if rule == "least cost":
        return _cheapest(first, ensemble)
    if rule == "boost":
        return _count_votes(answers, ensemble)
    if rule in ("average", "average 3.6"):
        return _average_answers(answers, ensemble)
    return _one_against_all(answers, ensemble)


def _average_answers(answers: list[WrapperAnswer], ensemble: Ensemble) -> Floats:
    """Bagging, and Vote by the average of probabilities."""
    sums = np.zeros_like(answers[0].distribution)
    for answer in answers:
        sums += answer.distribution
    if ensemble.rule == "average 3.6":
        sums /= len(answers)
    total = _sum(sums)
    if ensemble.name == "Bagging":
        return _normalize_rows(sums, total, total >= SMALL)
    once = _normalize_rows(sums, total, total > 0)
    if ensemble.rule == "average 3.6":
        return once
    again = _sum(once)
    return _normalize_rows(once, again, again > 0)


def _count_votes(answers: list[WrapperAnswer], ensemble: Ensemble) -> Floats:
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
    for answer, weight in zip(answers, ensemble.weights.tolist(), strict=True):
        # Java turns the class that a wrapper leaves open into the first.
        sums[row, np.maximum(answer.classified, 0)] += weight
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
    certain = np.zeros_like(distribution)
    certain[np.arange(len(certain)), expected.argmin(axis=1)] = 1.0
    return certain


def _one_against_all(answers: list[WrapperAnswer], ensemble: Ensemble) -> Floats:
    """MultiClassClassifier: member k tells class k (its second class) from all others."""
    assert ensemble.fallback is not None
    n, n_classes = len(answers[0].distribution), len(answers)
    sums = np.zeros((n, n_classes))
    for k, answer in enumerate(answers):
        if ensemble.rule == "one of each":
            sums[:, k] = answer.distribution[:, 1]
            continue
        for other in range(n_classes):
            sums[:, other] += answer.distribution[:, 1 if other == k else 0]
    total = _sum(sums)
    distribution = _normalize_rows(sums, total, total > SMALL)
    distribution[~(total > SMALL)] = ensemble.fallback
    return distribution


def _sum(rows: Floats) -> Floats:
    """``Utils.sum`` of every row: from the first class to the last, shape (n_cases,)."""
    total = np.zeros(len(rows))
    for k in range(rows.shape[1]):
        total += rows[:, k]
    return total


def _normalize_rows(rows: Floats, total: Floats, where: np.ndarray) -> Floats:
    """``Utils.normalize`` of the rows where that is asked, the others as they are."""
    divisor = np.where(where, total, 1.0)
    return rows / divisor[:, None]


def _find_largest(distribution: Floats) -> Ints:
    """The first class with the largest weight; -1 if none has any."""
    chosen: Ints = distribution.argmax(axis=1)
    return np.where(distribution.max(axis=1, initial=0.0) > 0, chosen, -1)


CLOSE = 1e-9
"""Sums this close may be equal: their last bits depend on the order of the additions."""


@dataclass(frozen=True, eq=False)
class Committee:
    """A wrapper with its trees.

    Parameters
    ----------
    entries
        The trees of the file.
    ensemble
        How they answer together.
    trees
        Where they come from a text: each with what its rounded numbers may stand for.
    proven
        Whether the rows that were looked at are the training data.
    """

    entries: tuple[Entry, ...]
    ensemble: Ensemble
    trees: tuple[TreeBounds, ...] = ()
    proven: bool = False

    def require_known(self) -> None:
        """Refuse by name where the whole answer of such a wrapper is not known."""
        for refusal in self.ensemble.refusals:
            raise SeveralTreesError(f"{refusal}; expected one of its trees to be named")

    def predict(self, X: Floats) -> Prediction:
        """Class and distribution of every row.

        The class is -1, and the distribution NaN, where numbers that print alike would give
        different ones. There are no leaves: every tree has its own.

        Raises
        ------
        MismatchError
            If the whole answer of such a wrapper is not known.
        """
        nowhere = np.full(len(X), -1, dtype=np.intp)
        if not self.ensemble.printed:
            answer = answer_rows(self.entries, self.ensemble, X)
            return Prediction(answer.distribution, answer.classified, answer.classified, nowhere)
        self.require_known()
        bounds = [tree.bounds(X) for tree in self.trees]
        beats, distribution = _RULES[self.ensemble.rule](self.ensemble, bounds)
        return Prediction(distribution, beats, beats, nowhere)


def committee_from_text(
    entries: tuple[Entry, ...],
    ensemble: Ensemble,
    trees: Sequence[BoxTree],
    data: Dataset | None,
) -> Committee:
    """A wrapper's text, with what rows say about its rounded numbers.

    Parameters
    ----------
    trees
        Its trees in the columns of the ensemble's header.
    data
        Rows in these columns that may be the training data: exactly if they give back what
        they must.
    """
    own = ensemble.laplace or (None,) * len(trees)
    if ensemble.rule == "boost":  # members vote by their classes, which nothing smooths
        own = (False,) * len(trees)
    members = [
        TreeBounds(tree, laplace=tree.options.laplace if smoothed is None else smoothed)
        for tree, smoothed in zip(trees, own, strict=True)
    ]
    if data is None or not len(data):
        return Committee(entries, ensemble, tuple(members))
    counted = _count_members(ensemble, members, data)
    if counted is None:
        return Committee(entries, ensemble, tuple(members))
    return Committee(entries, ensemble, tuple(_limit_thresholds(m, data) for m in counted), True)


def _count_members(
    ensemble: Ensemble, members: list[TreeBounds], data: Dataset
) -> list[TreeBounds] | None:
    """The members with their counts; None if the rows are not the training data."""
    replayed: list[TreeBounds | None]
    if ensemble.rule == "one of each":
        replayed = [_replay(m, _against_rest(data, m.tree, k)) for k, m in enumerate(members)]
    elif ensemble.rule == "boost":  # all but the first are grown from other weights
        replayed = [_replay(members[0], data), *members[1:]]
    elif ensemble.name == "Bagging":
        trees = [member.tree for member in members]
        return members if _could_be_drawn(trees, data) else None
    else:
        replayed = [_replay(member, data) for member in members]
    counted = [member for member in replayed if member is not None]
    return counted if len(counted) == len(replayed) else None


def _replay(member: TreeBounds, data: Dataset) -> TreeBounds | None:
    """The tree with its counts, if the rows give back what it prints."""
    replayed = replay(member.tree, data)
    if not replayed.recognised:
        return None
    return replace(member, tree=replayed.tree, counts=replayed.counts)


def _limit_thresholds(member: TreeBounds, data: Dataset) -> TreeBounds:
    """Thresholds are values of the training rows: those that print alike are left."""
    if member.counts is not None:
        return member
    choices = threshold_choices(member.tree, data.X)
    return replace(member, thresholds={node: (min(x), max(x)) for node, x in choices.items()})


def _against_rest(data: Dataset, tree: BoxTree, k: int) -> Dataset:
    """The rows with the class of a member of 1-against-all: ``neg`` (0) or ``pos`` (1)."""
    column = data.header.class_index
    assert column is not None
    X = data.X.copy()
    X[:, column] = np.where(np.isnan(X[:, column]), np.nan, X[:, column] == k)
    return replace(data, header=tree.header, X=X)


def _could_be_drawn(trees: Sequence[BoxTree], data: Dataset) -> bool:
    """Whether samples of these rows weigh as much as the trees, and have all thresholds."""
    rows = int((~np.isnan(data.class_values)).sum())
    for tree in trees:
        weight = sum(leaf.weight or 0.0 for leaf in tree.leaves)
        rounding = 0.005 * len(tree.leaves) + 1e-6 * weight
        if abs(weight - rows) > rounding and abs(weight - data.weights.sum()) > rounding:
            return False
        loose = [node.index for node, split in tree.splits if split.slack > 0]
        if not tree.options.midpoint and set(loose) - set(threshold_choices(tree, data.X)):
            return False
    return True


# ------------------------------------------------------------------------------------ rules


def _average(ensemble: Ensemble, members: Sequence[ClassBounds]) -> tuple[Ints, Floats]:
    low = np.add.reduce([bounds.low for bounds in members])
    high = np.add.reduce([bounds.high for bounds in members])
    sure = _sure(low[:, :, None] - high[:, None, :])
    return sure, _where_known(low, high)


def _boost(ensemble: Ensemble, members: Sequence[ClassBounds]) -> tuple[Ints, Floats]:
    assert ensemble.weights is not None
    below, above = ensemble.slack
    low = np.zeros(members[0].low.shape)
    high = np.zeros(members[0].low.shape)
    for weight, bounds in zip(ensemble.weights.tolist(), members, strict=True):
        only = bounds.may & (bounds.may.sum(axis=1, keepdims=True) == 1)
        low += np.where(only, weight - below, np.minimum(0.0, (weight - below) * bounds.may))
        high += np.where(bounds.may, np.maximum(0.0, weight + above), 0.0)
    return _sure(low[:, :, None] - high[:, None, :]), np.full(low.shape, np.nan)


def _least_cost(ensemble: Ensemble, members: Sequence[ClassBounds]) -> tuple[Ints, Floats]:
    assert ensemble.costs is not None
    below, above = ensemble.slack
    (bounds,) = members
    n_classes = bounds.low.shape[1]
    less = np.full((len(bounds.low), n_classes, n_classes), np.inf)
    for c in range(n_classes):
        for d in range(n_classes):
            # How much more d costs at least, by actual class.
            more = ensemble.costs[:, d] - ensemble.costs[:, c] - (below + above) * (c != d)
            less[:, c, d] = np.where(more > 0, bounds.low * more, bounds.high * more).sum(axis=1)
    sure = _sure(less)
    distribution = np.full(bounds.low.shape, np.nan)
    distribution[sure >= 0] = np.eye(n_classes)[sure[sure >= 0]]
    return sure, distribution


def _one_of_each(ensemble: Ensemble, members: Sequence[ClassBounds]) -> tuple[Ints, Floats]:
    """Member k knows the probability of class k; Weka 3.6 adds that of the others, too."""
    low = np.column_stack([bounds.low[:, -1] for bounds in members])
    high = np.column_stack([bounds.high[:, -1] for bounds in members])
    against_low = np.column_stack([bounds.low[:, 0] for bounds in members])
    against_high = np.column_stack([bounds.high[:, 0] for bounds in members])
    new = low[:, :, None] - high[:, None, :]
    old = (low - against_high)[:, :, None] - (high - against_low)[:, None, :]
    classes = _sure(np.minimum(new, old))
    row = np.arange(len(classes))
    classes[low[row, classes] <= 1e-5] = -1  # nobody has an opinion: Weka asks the training shares
    return classes, np.full(low.shape, np.nan)


_RULES = {
    "average": _average,
    "boost": _boost,
    "least cost": _least_cost,
    "one of each": _one_of_each,
}


def _sure(ahead: Floats) -> Ints:
    """The class that is surely ahead of all others, else -1.

    Parameters
    ----------
    ahead : array of float64, shape (n_cases, n_classes, n_classes)
        How much the second axis is at least ahead of the third.
    """
    n = ahead.shape[1]
    others = ~np.eye(n, dtype=np.bool_)
    wins = np.all((ahead > CLOSE) | ~others, axis=2)
    return np.where(wins.any(axis=1), wins.argmax(axis=1), -1)


def _where_known(low: Floats, high: Floats) -> Floats:
    """The distribution where it is more than bounds, NaN elsewhere."""
    known = (high - low).max(axis=1, initial=0.0) <= CLOSE
    total = low.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        distribution: Floats = np.where(
            (known & (total > 0))[:, None], low / total[:, None], np.nan
        )
    return distribution
