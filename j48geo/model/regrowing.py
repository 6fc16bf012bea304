"""A tree grown again on parts of its training data, so that the other parts judge it honestly.

A tree looks too good on the rows it was grown from. Its options, though, grow another tree from
four fifths of them, which the last fifth can judge: what serves these trees serves the tree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from j48geo.arrays import Ints
from j48geo.core.dataset import Dataset
from j48geo.core.tree import BoxTree, Options
from j48geo.errors import MismatchError, NeedsTrainingError
from j48geo.growing.folds import stratified_folds
from j48geo.growing.options import GrowOptionsError
from j48geo.model.grow import grow
from j48geo.read.j48.options import split_options

if TYPE_CHECKING:
    from j48geo.model.model import Model

__all__ = ["FOLDS", "Regrown", "regrow"]

FOLDS = 5


@dataclass(frozen=True, eq=False)
class Regrown:
    """A tree grown on some rows, and other rows, all with a class and a weight.

    Parameters
    ----------
    model
        With the choices of the model it stands for.
    test
        What it has not seen.
    """

    model: Model
    test: Dataset

    @property
    def actual(self) -> Ints:
        """The class of every row, shape (n_cases,)."""
        return self.test.class_values.astype(np.intp)


def regrow(model: Model, what: str, say: Callable[[str], None]) -> Iterator[Regrown]:
    """Five trees, each grown on four fifths of the training data, with the tree's own options.

    Parameters
    ----------
    what
        What it is needed for, in words.
    say
        Takes what a person must know.

    Raises
    ------
    NeedsTrainingError
        Without the training data.
    GrowOptionsError
        If nobody knows how the tree was grown: its text names no options of J48, and J48's
        defaults give another tree; or if there are fewer rows than folds.

    Notes
    -----
    The folds are those of Weka's stratified cross-validation with seed 1, so that the same data
    always gives the same trees.
    """
    model.require_one(what)
    model.require_unfiltered(what)
    data = model.training
    if data is None:
        raise NeedsTrainingError(f"{what} grows the tree again from its training data")
    words = _options_of(model, data, what, say)
    y = data.class_values
    judges = ~np.isnan(y) & (data.weights > 0)
    if not judges.any():
        raise MismatchError(f"{what}: no training row has a class and a weight")
    choices = replace(model.choices, positive=model.positive)
    for fold in stratified_folds(y, folds=FOLDS, seed=1):
        grown = grow(_rows(data, fold.train), words)
        test = _rows(data, fold.test[judges[fold.test]])
        if len(test):
            yield Regrown(replace(grown, choices=choices), test)


def _rows(data: Dataset, which: Ints) -> Dataset:
    return replace(data, X=data.X[which], weights=data.weights[which])


def _options_of(model: Model, data: Dataset, what: str, say: Callable[[str], None]) -> str:
    """J48's options; where the text is silent its defaults, if they give back the tree."""
    told: Options = model.tree.options
    if told.is_wrapped:
        raise GrowOptionsError(
            f"{what}: {model.source} was grown inside {told.scheme}, from rows of its making; "
            "expected a tree that J48 grew alone"
        )
    words = split_options(told.text or "")
    words = words[1:] if words and words[0].startswith("weka.") else words
    options = " ".join(words)
    same = _same_tree(grow(data, options).tree, model.tree)
    if told.text is None and not same:
        raise GrowOptionsError(
            f"{what}: {model.source} does not tell the options it was grown with, and J48's "
            "defaults give another tree; expected a text with its Scheme or Options line"
        )
    if not same:
        say(
            f"{what}: grown again from all of {model.training_name} with {options or 'no options'} "
            "the tree is another one, so what suits such trees is chosen"
        )
    return options


def _same_tree(a: BoxTree, b: BoxTree) -> bool:
    """Whether two trees ask the same questions."""
    if a.size != b.size:
        return False
    return all(
        (x is None) == (y is None)
        and (
            x is None
            or y is None
            or (x.attribute, x.kind, x.threshold) == (y.attribute, y.kind, y.threshold)
        )
        for x, y in ((m.split, n.split) for m, n in zip(a.nodes, b.nodes, strict=True))
    )
