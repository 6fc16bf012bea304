"""Grow a tree from rows as a `Model`, and evaluate it as Weka's command line does."""

from __future__ import annotations

from typing import Any

from j48geo.core.dataset import Dataset
from j48geo.data.columns import align_columns
from j48geo.data.rows import Rows
from j48geo.data.stream import read_data
from j48geo.decide.evaluation.weka_evaluation import WekaEvaluation, weka_evaluation
from j48geo.growing.criterion_trees import (
    CriterionOptions,
    grow_by_criterion,
    grow_by_criterion_with_counts,
)
from j48geo.growing.folds import cross_validate_grown, evaluate_grown
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
