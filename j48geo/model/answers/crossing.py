"""Cross-validation without Weka: the tree is grown again without each fold, and judged on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from j48geo.arrays import Ints
from j48geo.core.dataset import Dataset
from j48geo.core.routing import leaf_of
from j48geo.core.tree import BoxTree
from j48geo.data.rows import check_weights
from j48geo.decide.evaluation.cases import Part, judge_parts
from j48geo.decide.evaluation.table import Measures
from j48geo.errors import MismatchError, NeedsTrainingError
from j48geo.growing.folds import stratified_folds
from j48geo.model.answers.judging import Judgement, confusion_of, judged_methods, measured
from j48geo.model.answers.watching import Watch, unwatched
from j48geo.model.grow import grow
from j48geo.model.learning import Learnt, learn

if TYPE_CHECKING:
    from j48geo.model.model import Model

__all__ = ["cross_validate"]


def cross_validate(
    model: Model,
    folds: int = 10,
    methods: Sequence[str] | None = None,
    measures: Measures | None = None,
    *,
    seed: int = 1,
    watch: Watch = unwatched,
) -> Judgement:
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
    if model.training is None:
        raise NeedsTrainingError("cross-validation grows trees from the training data")
    model.require_unfiltered("cross-validation")
    rows, name = model.training, model.training_name
    check_weights(rows.weights, 1, name)
    options = _options(model)
    names, every_class, said = judged_methods(model, methods)
    chosen = replace(model.choices, positive=model.positive)  # a fold may have another rarer class
    last: Learnt | None = None

    def parts() -> Iterator[Part]:
        nonlocal last
        for fold in stratified_folds(rows.class_values, folds=folds, seed=seed):
            grown = grow(_some(rows, fold.train), options)
            grown = replace(grown, training_name=f"the other folds of {name}", choices=chosen)
            last = learn(grown, names)
            yield Part(last.model.setting, last.model, watch([_some(rows, fold.test)], "judged"))

    judged = judge_parts(parts(), names, every_class=every_class)
    assert last is not None  # there are at least two folds
    evaluation, more = measured(judged, name, every_class, measures)
    return Judgement(
        evaluation,
        judged,
        confusion_of(judged),
        last,
        (*said, *more),
        folds=folds,
        options=options,
    )


def _some(rows: Dataset, places: Ints) -> Dataset:
    return replace(rows, X=rows.X[places], weights=rows.weights[places])


def _options(model: Model) -> str:
    """J48's options, proved by growing the tree again."""
    if model.labels is not None:
        raise MismatchError(
            f"{model.source}: other labels belong to the leaves of this tree; expected its own"
        )
    told = model.tree.options
    if told.is_wrapped:
        around = told.scheme.strip("()")
        raise MismatchError(f"{model.source} was grown by {around}; expected J48 itself")
    # The Explorer prints the name of the classifier before its options.
    options = (told.text or "").removeprefix(told.scheme).strip()
    if told.text is None:
        flags = {
            "-U": told.unpruned,
            "-B": told.binary,
            f"-R -N {told.folds}": told.reduced_error,
            "-A": told.laplace,
            "-doNotMakeSplitPointActualValue": told.midpoint,
        }
        options = " ".join(flag for flag, given in flags.items() if given)
    assert model.training is not None
    again = grow(model.training, options).tree
    if not _same(model.tree, again, model.training):
        raise MismatchError(
            f"{model.source}: J48 with {options or 'its default options'} grows another tree from "
            f"{model.training_name}; expected a model whose options give it back"
        )
    return options


def _same(tree: BoxTree, again: BoxTree, rows: Dataset) -> bool:
    """Whether two trees ask the same and send all rows the same way."""

    def shape(of: BoxTree) -> list[tuple[object, ...]]:
        asked = [node.split for node in of.nodes]
        splits = [() if s is None else (s.attribute, s.kind, s.value) for s in asked]
        return [*splits, tuple(leaf.label for leaf in of.leaves)]

    return shape(tree) == shape(again) and np.array_equal(
        leaf_of(tree, rows.X), leaf_of(again, rows.X)
    )
