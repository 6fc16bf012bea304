"""Grow trees: from rows as a `Model` (`grow`), or a model's tree again on folds (`regrow_trees`).

`evaluate_like_weka` computes what Weka's command line tells of a tree that it has grown.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from j48geo.arrays import Ints
from j48geo.compilation import expect_trees
from j48geo.core.dataset import Dataset
from j48geo.core.routing import find_leaves
from j48geo.core.tree import BoxTree
from j48geo.data.columns import align_columns
from j48geo.data.rows import Rows
from j48geo.data.stream import read_data
from j48geo.decide.evaluation.weka_evaluation import WekaEvaluation, weka_evaluation
from j48geo.errors import MismatchError, NeedsTrainingError
from j48geo.growing.criterion_trees import (
    CriterionOptions,
    grow_by_criterion,
    grow_by_criterion_with_counts,
)
from j48geo.growing.folds import cross_validate_grown, evaluate_grown, stratified_folds
from j48geo.growing.nodes import GrownTree
from j48geo.growing.options import GrowOptions
from j48geo.model.model import Model
from j48geo.model.training_data import count_training


def grow(
    data: Any, options: str = "", *, class_attribute: str | int = "last", **papers: Any
) -> Model:
    r"""Grow the tree that Weka's J48 grows from these rows, without Java.

    Parameters
    ----------
    data
        A `Dataset`, or the name of an ARFF file.
    options
        J48's own, as on its command line: ``"-C 0.1 -M 5"``.
    class_attribute
        Of a file: ``first``, ``last``, a number from 1, or a name.
    **papers
        Other ways to grow: ``criterion``, ``w``, ``min_gain``, ``min_gain_of``, ``prune``,
        ``smoothing``, ``positive``, see `j48geo.growing.criterion_trees.CriterionOptions`.

    Examples
    --------
    >>> rows = b"@relation r\n@attribute x numeric\n@attribute c {a,b}\n@data\n"
    >>> rows += b"1,a\n2,a\n3,a\n4,b\n5,b\n6,b\n"
    >>> print(grow(read_data(rows)).to("text").split("\n\n")[1])
    x <= 3: a (3.0)
    x > 3: b (3.0)
    """
    given = isinstance(data, Dataset)
    rows = data if given else read_data(data, class_attribute=class_attribute)
    name = "the rows it was grown from" if given else str(data)
    how = CriterionOptions(j48=GrowOptions.of(options.split()), **papers)
    counted = count_training(grow_by_criterion(rows, how), rows, name, allow_mismatch=False)
    return Model(
        counted.tree,
        counted.counts,
        training=counted.training,
        training_name=name,
        replay=counted.replay,
        replayed=counted.replayed,
        source="<grown>",
        titles=(counted.tree.layout.banner,),
        training_note=counted.note,
        notes=counted.notes,
    )


def evaluate_like_weka(
    grown: GrownTree,
    rows: Dataset,
    tested: Dataset | None,
    options: CriterionOptions,
    *,
    folds: int,
    seed: int,
) -> dict[str, WekaEvaluation]:
    """What Weka's command line computes after a tree, by the title under which it prints it.

    Parameters
    ----------
    rows
        The training data.
    tested
        Test rows; without them the tree is grown again on folds.
    options
        By which it was grown, and is grown again.
    """
    evaluations = {"Error on training data": weka_evaluation(evaluate_grown(grown, rows, rows))}
    if tested is not None:
        test = align_columns(Rows.of(tested, "the test file"), rows.header).all()
        evaluations["Error on test data"] = weka_evaluation(evaluate_grown(grown, rows, test))
    else:
        validated = cross_validate_grown(
            rows, lambda part: grow_by_criterion_with_counts(part, options), folds=folds, seed=seed
        )
        evaluations["Stratified cross-validation"] = weka_evaluation(validated)
    return evaluations


# ------------------------------------------------------------------ the same tree, grown again

N_FOLDS = 5
"""Folds where something is chosen or learnt by trees that are grown again."""


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
    j48_options = prove_options(model, what, folds) if options is None else options
    rows = model.training
    assert rows is not None
    choices = replace(model.choices, positive=model.positive)  # a fold may have another rarer class
    name = f"the other folds of {model.training_name}"
    for k, fold in enumerate(stratified_folds(rows.class_values, folds=folds, seed=seed)):
        with expect_trees(folds - k):
            grown = grow(_select_rows(rows, fold.train), j48_options)
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
        node_splits = [node.split for node in of.nodes]
        splits = [() if s is None else (s.attribute, s.kind, s.value) for s in node_splits]
        return [*splits, tuple(leaf.label for leaf in of.leaves)]

    return shape(tree) == shape(again) and np.array_equal(
        find_leaves(tree, rows.X), find_leaves(again, rows.X)
    )
