"""All trees of a wrapper together: what they answer, and for which rows that is certain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.core.dataset import Dataset
from j48geo.core.tree import BoxTree
from j48geo.core.tree_text import Entry
from j48geo.core.wrappers import Ensemble
from j48geo.ensemble.voting import answer
from j48geo.errors import SeveralTreesError
from j48geo.replaying.replay import replay
from j48geo.replaying.restore import threshold_choices
from j48geo.score.prediction import Prediction
from j48geo.score.uncertainty_bounds import ClassBounds, TreeBounds

__all__ = ["Whole", "printed_whole"]

CLOSE = 1e-9
"""Sums this close may be equal: their last bits depend on the order of the additions."""


@dataclass(frozen=True, eq=False)
class Whole:
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
            said = answer(self.entries, self.ensemble, X)
            return Prediction(said.distribution, said.classified, said.classified, nowhere)
        self.require_known()
        bounds = [tree.said(X) for tree in self.trees]
        beats, distribution = _RULES[self.ensemble.rule](self.ensemble, bounds)
        return Prediction(distribution, beats, beats, nowhere)


def printed_whole(
    entries: tuple[Entry, ...],
    ensemble: Ensemble,
    trees: Sequence[BoxTree],
    data: Dataset | None,
) -> Whole:
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
    made = [
        TreeBounds(tree, laplace=tree.options.laplace if said is None else said)
        for tree, said in zip(trees, own, strict=True)
    ]
    if data is None or not len(data):
        return Whole(entries, ensemble, tuple(made))
    if ensemble.rule == "one of each":
        found = [_counted(m, _against_rest(data, m.tree, k)) for k, m in enumerate(made)]
    elif ensemble.rule == "boost":  # all but the first are grown from other weights
        found = [_counted(made[0], data), *made[1:]]
    elif ensemble.name == "Bagging":
        found = list(made) if _could_be_drawn(trees, data) else [None]
    else:
        found = [_counted(member, data) for member in made]
    known = [tree for tree in found if tree is not None]
    if len(known) < len(found):
        return Whole(entries, ensemble, tuple(made))
    return Whole(entries, ensemble, tuple(_spanned(tree, data) for tree in known), True)


def _counted(made: TreeBounds, data: Dataset) -> TreeBounds | None:
    """The tree with its counts, if the rows give back what it prints."""
    found = replay(made.tree, data)
    if not found.recognised:
        return None
    return replace(made, tree=found.tree, counts=found.counts)


def _spanned(made: TreeBounds, data: Dataset) -> TreeBounds:
    """Thresholds are values of the training rows: those that print alike are left."""
    if made.counts is not None:
        return made
    choices = threshold_choices(made.tree, data.X)
    return replace(made, thresholds={node: (min(x), max(x)) for node, x in choices.items()})


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


def _average(ensemble: Ensemble, said: Sequence[ClassBounds]) -> tuple[Ints, Floats]:
    low = np.add.reduce([bounds.low for bounds in said])
    high = np.add.reduce([bounds.high for bounds in said])
    sure = _sure(low[:, :, None] - high[:, None, :])
    return sure, _where_known(low, high)


def _boost(ensemble: Ensemble, said: Sequence[ClassBounds]) -> tuple[Ints, Floats]:
    assert ensemble.weights is not None
    below, above = ensemble.slack
    low = np.zeros(said[0].low.shape)
    high = np.zeros(said[0].low.shape)
    for weight, bounds in zip(ensemble.weights.tolist(), said, strict=True):
        only = bounds.may & (bounds.may.sum(axis=1, keepdims=True) == 1)
        low += np.where(only, weight - below, np.minimum(0.0, (weight - below) * bounds.may))
        high += np.where(bounds.may, np.maximum(0.0, weight + above), 0.0)
    return _sure(low[:, :, None] - high[:, None, :]), np.full(low.shape, np.nan)


def _least_cost(ensemble: Ensemble, said: Sequence[ClassBounds]) -> tuple[Ints, Floats]:
    assert ensemble.costs is not None
    below, above = ensemble.slack
    (bounds,) = said
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


def _one_of_each(ensemble: Ensemble, said: Sequence[ClassBounds]) -> tuple[Ints, Floats]:
    """Member k knows the probability of class k; Weka 3.6 adds that of the others, too."""
    low = np.column_stack([bounds.low[:, -1] for bounds in said])
    high = np.column_stack([bounds.high[:, -1] for bounds in said])
    against_low = np.column_stack([bounds.low[:, 0] for bounds in said])
    against_high = np.column_stack([bounds.high[:, 0] for bounds in said])
    new = low[:, :, None] - high[:, None, :]
    old = (low - against_high)[:, :, None] - (high - against_low)[:, None, :]
    found = _sure(np.minimum(new, old))
    row = np.arange(len(found))
    found[low[row, found] <= 1e-5] = -1  # nobody has an opinion: Weka asks the training shares
    return found, np.full(low.shape, np.nan)


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
        found: Floats = np.where((known & (total > 0))[:, None], low / total[:, None], np.nan)
    return found
