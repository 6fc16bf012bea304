"""Cross-validation without Weka: trees grown again without each fold, then evaluated on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from j48geo.arrays import Ints
from j48geo.compilation import expect_trees
from j48geo.core.dataset import Dataset
from j48geo.core.routing import find_leaves
from j48geo.core.tree import BoxTree
from j48geo.data.rows import check_weights
from j48geo.decide.evaluation.evaluation import MetricOptions
from j48geo.decide.evaluation.scored_cases import CasesPart, score_parts
from j48geo.errors import MismatchError, NeedsTrainingError
from j48geo.growing.folds import stratified_folds
from j48geo.model.evaluation import (
    EvaluationResult,
    choose_methods,
    confusion_matrix,
    summarize_cases,
)
from j48geo.model.fitting import FittedMethods, fit_methods
from j48geo.model.growth import grow
from j48geo.model.progress import Progress, no_progress

if TYPE_CHECKING:
    from j48geo.model.model import Model


N_FOLDS = 5
"""How many, where something is chosen or learnt and not judged."""


@dataclass(frozen=True, eq=False)
class RegrownTree:
    """A tree grown on some rows, and the others.

    Parameters
    ----------
    model
        With the choices of the model it stands for.
    test
        What it has not seen.
    """

    model: Model
    test: Dataset

    @cached_property
    def cases(self) -> Dataset:
        """The rows of `test` that have a class and a weight."""
        known = np.flatnonzero(~np.isnan(self.test.class_values) & (self.test.weights > 0))
        return _select_rows(self.test, known)

    @property
    def actual(self) -> Ints:
        """The class of every case, shape (n_cases,)."""
        return self.cases.class_values.astype(np.intp)


def regrow_trees(
    model: Model, what: str, *, options: str | None = None, folds: int = N_FOLDS, seed: int = 1
) -> Iterator[RegrownTree]:
    """Trees grown on all folds but one of the training data, with the tree's own options.

    Parameters
    ----------
    what
        What it is needed for, in words.
    options
        From `proved_options`, if they are known already.
    folds, seed
        Of Weka's stratified cross-validation, so that the same data always gives the same trees.

    Raises
    ------
    NeedsTrainingError, MismatchError
        See `proved_options`.
    GrowOptionsError
        If there are fewer rows than folds.
    """
    words = prove_options(model, what, folds) if options is None else options
    rows = model.training
    assert rows is not None
    choices = replace(model.choices, positive=model.positive)  # a fold may have another rarer class
    name = f"the other folds of {model.training_name}"
    for k, fold in enumerate(stratified_folds(rows.class_values, folds=folds, seed=seed)):
        with expect_trees(folds - k):
            grown = grow(_select_rows(rows, fold.train), words)
        yield RegrownTree(
            replace(grown, training_name=name, choices=choices), _select_rows(rows, fold.test)
        )


def prove_options(model: Model, what: str, folds: int = N_FOLDS) -> str:
    """J48's options, proved by growing the tree again.

    Parameters
    ----------
    what
        What it is needed for, in words.
    folds
        How many trees will be grown after this one.

    Raises
    ------
    NeedsTrainingError
        If the training data is not known.
    SeveralTreesError, FilterError
        If the model is more than one tree, or stands behind a filter.
    MismatchError
        If the model is not what J48 grows from its training data by its options.
    """
    model.require_one(what)
    model.require_unfiltered(what)
    if model.training is None:
        raise NeedsTrainingError(f"{what} grows trees from the training data")
    tree_options = model.tree.options
    if tree_options.is_wrapped:
        around = tree_options.scheme.strip("()")
        raise MismatchError(f"{model.source} was grown by {around}; expected J48 itself")
    # The Explorer prints the name of the classifier before its options.
    options = (tree_options.text or "").removeprefix(tree_options.scheme).strip()
    if tree_options.text is None:
        flags = {
            "-U": tree_options.unpruned,
            "-B": tree_options.binary,
            f"-R -N {tree_options.folds}": tree_options.reduced_error,
            "-A": tree_options.laplace,
            "-doNotMakeSplitPointActualValue": tree_options.midpoint,
        }
        options = " ".join(flag for flag, given in flags.items() if given)
    with expect_trees(folds + 1):
        again = grow(model.training, options).tree
    if not _decide_alike(model.tree, again, model.training):
        raise MismatchError(
            f"{model.source}: J48 with {options or 'its default options'} grows another tree from "
            f"{model.training_name}; expected a model whose options give it back"
        )
    return options


def _select_rows(rows: Dataset, places: Ints) -> Dataset:
    return replace(rows, X=rows.X[places], weights=rows.weights[places])


def _decide_alike(tree: BoxTree, again: BoxTree, rows: Dataset) -> bool:
    """Whether two trees ask the same and send all rows the same way."""

    def shape(of: BoxTree) -> list[tuple[object, ...]]:
        asked = [node.split for node in of.nodes]
        splits = [() if s is None else (s.attribute, s.kind, s.value) for s in asked]
        return [*splits, tuple(leaf.label for leaf in of.leaves)]

    return shape(tree) == shape(again) and np.array_equal(
        find_leaves(tree, rows.X), find_leaves(again, rows.X)
    )


def cross_validate(
    model: Model,
    folds: int = 10,
    methods: Sequence[str] | None = None,
    measures: MetricOptions | None = None,
    *,
    seed: int = 1,
    progress: Progress = no_progress,
) -> EvaluationResult:
    """Judge the tree and all methods on rows that were kept from them.

    The folds are those of Weka's stratified cross-validation. For each of them a tree is grown
    from the other rows by the options of the model, and everything that the methods learn is learnt
    from these rows; the answers for all folds are judged together, as Weka does.

    Parameters
    ----------
    folds, seed
        Weka's ``-x`` and ``-s``.
    methods
        Names; None for all that can be learnt.

    Raises
    ------
    NeedsTrainingError
        If the training data is not known.
    MismatchError
        If the model is not what J48 grows from its training data by its options.
    GrowOptionsError
        If there are fewer rows than folds, or fewer than two folds.
    """
    if model.labels is not None:
        raise MismatchError(
            f"{model.source}: other labels belong to the leaves of this tree; expected its own"
        )
    options = prove_options(model, "cross-validation", folds)
    assert model.training is not None
    name = model.training_name
    check_weights(model.training.weights, 1, name)
    names, every_class, notes = choose_methods(model, methods)
    last: FittedMethods | None = None

    def parts() -> Iterator[CasesPart]:
        nonlocal last
        for fold in regrow_trees(
            model, "cross-validation", options=options, folds=folds, seed=seed
        ):
            last = fit_methods(fold.model, names)
            yield CasesPart(last.model.setting, last.model, progress([fold.test], "judged"))

    judged = score_parts(parts(), names, every_class=every_class)
    assert last is not None  # there are at least two folds
    evaluation, more = summarize_cases(judged, name, every_class, measures)
    return EvaluationResult(
        evaluation,
        judged,
        confusion_matrix(judged),
        last,
        (*notes, *more),
        folds=folds,
        options=options,
    )
