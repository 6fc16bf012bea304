"""Evaluate and check a model batch by batch: each batch gives sums, and sums add up."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from j48geo.core.counts import NodeCounts
from j48geo.core.dataset import Attribute, Dataset
from j48geo.core.rows_by_leaf import RowsByLeaf
from j48geo.core.tree import BoxTree
from j48geo.data.arrow import check_columns, read_batch
from j48geo.data.rows import check_weights
from j48geo.decide.evaluation.evaluation import (
    ClassesEvaluation,
    Evaluation,
    MetricOptions,
    evaluate_metrics,
)
from j48geo.decide.evaluation.evaluation_sums import EvaluationSums
from j48geo.decide.evaluation.metrics import MetricsRequest, compute_metrics
from j48geo.decide.evaluation.scored_cases import score_cases
from j48geo.engines.scorer import PortableModel
from j48geo.errors import DataReadError, MismatchError
from j48geo.replaying.leaf_comparison import LeafCounts, LeafDifference

if TYPE_CHECKING:
    from j48geo.model.model import Model
    from j48geo.score.probabilities import ProbabilityModel


class LabelledBatches(ABC):
    """What reads the attributes of a tree, its class, and perhaps a column of weights."""

    weights: str

    @property
    @abstractmethod
    def asked_tree(self) -> BoxTree:
        """The tree whose columns are read."""

    @property
    def used(self) -> tuple[Attribute, ...]:
        """Attributes that are read: those of the tree, and the class."""
        tree = self.asked_tree
        places = {*tree.used_attributes, tree.header.class_index}
        return tuple(tree.header.attributes[k] for k in sorted(p for p in places if p is not None))

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns that are read."""
        names = tuple(attribute.name for attribute in self.used)
        return (*names, self.weights) if self.weights and self.weights not in names else names

    def check(self, schema: Any) -> None:
        """Refuse a pyarrow schema that does not fit; see `Scorer.check`."""
        check_columns(schema, self.used)
        if self.weights:
            check_columns(schema, [Attribute(self.weights)])


@dataclass(frozen=True)
class BatchEvaluator(LabelledBatches):
    r"""Adds up what an evaluation needs of batches; frozen, and fit to be pickled.

    Parameters
    ----------
    sent
        The model, with what the methods have learnt.
    methods
        What is judged.
    every_class
        Whether no class is the positive one, so that all are judged.
    weights
        Column of instance weights; empty without.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from j48geo import load
    >>> model = load("x <= 2: no (2.0)\nx > 2: yes (1.0)\n").with_(metric="none")
    >>> evaluator = BatchEvaluator.of(model, ["laplace"])
    >>> parts = [evaluator(pa.record_batch({"x": [x], "class": ["yes"]})) for x in (1.0, 7.0)]
    >>> (parts[0] + parts[1]).confusion.weight.tolist()
    [[0.0, 0.0], [1.0, 1.0]]
    """

    sent: PortableModel
    methods: tuple[str, ...]
    every_class: bool = False
    weights: str = ""

    @classmethod
    def of(
        cls, model: Model, methods: Sequence[str] | None = None, *, weights: str | None = None
    ) -> Self:
        """What judges methods of a model; by default all that it can have learnt.

        Raises
        ------
        NeedsPositiveError, NeedsTrainingError, UnknownNameError
            As for `Model.evaluate`.
        """
        from j48geo.model.evaluation import choose_methods
        from j48geo.score.methods import PROBABILITIES

        model.require_one("a comparison of methods")
        names, every_class, _ = choose_methods(model, methods)
        learns = [name for name in names if name in PROBABILITIES]
        if "local" in names and model.choices.within == "nearby" and "nearby" not in learns:
            learns.append("nearby")
        return cls(PortableModel.of(model, learns), names, every_class, weights or "")

    @property
    def asked_tree(self) -> BoxTree:
        """The tree whose columns are read."""
        return self.sent.restored().tree

    @cached_property
    def _learnt(self) -> ProbabilityModel:
        from j48geo.model.fitting import fit_methods

        return fit_methods(self.sent.restored(), self.methods).model

    def __getstate__(self) -> dict[str, Any]:
        return {k: v for k, v in self.__dict__.items() if k != "_learnt"}

    def __call__(self, batch: Any) -> EvaluationSums:
        """The sums of a batch."""
        model = self._learnt
        rows = read_batch(batch, self.used, model.setting.tree.header)
        if self.weights:
            rows = set_weights(rows, batch[self.weights])
        return self._sum_cases(rows)

    def evaluation(
        self, judged: EvaluationSums, measures: MetricOptions | None = None
    ) -> Evaluation | ClassesEvaluation:
        """What the sums of all rows say, as `Model.evaluate` would."""
        return evaluate_metrics(compute_metrics(judged, self.meter(measures)), measures)

    def meter(self, measures: MetricOptions | None = None) -> MetricsRequest:
        """The sums that an evaluation asks for; ChoiceError for a bootstrap, which draws cases."""
        return (measures or MetricOptions()).meter(self.methods, every_class=self.every_class)

    def nothing(self) -> EvaluationSums:
        """The sums of no rows."""
        header = self._learnt.setting.tree.header
        return self._sum_cases(Dataset(header, np.empty((0, len(header))), np.empty(0)))

    def _sum_cases(self, rows: Dataset) -> EvaluationSums:
        model = self._learnt
        cases = score_cases(
            model.setting, model, [rows], self.methods, every_class=self.every_class
        )
        return EvaluationSums.of(cases)


def set_weights(rows: Dataset, column: Any) -> Dataset:
    """Rows with the weights of a column; MismatchError if one is missing, or no weight."""
    values = [np.nan if w is None else w for w in column.to_pylist()]
    weights = np.array(values, dtype=np.float64)
    try:
        check_weights(weights, 1, "the batch")
    except DataReadError as error:
        raise MismatchError(str(error)) from error
    return replace(rows, weights=weights)


@dataclass(frozen=True, eq=False)
class CountCheck:
    """Whether rows give back the counts that a tree prints.

    Parameters
    ----------
    compared
        How many leaves print counts.
    differences
        Those that do not agree.
    counts
        What the rows bring to every node.
    rows, classless
        How many rows have a class, and how many have none and do not count.
    """

    compared: int
    differences: tuple[LeafDifference, ...]
    counts: NodeCounts
    rows: int
    classless: int

    @property
    def ok(self) -> bool:
        """Whether every leaf that prints counts agrees."""
        return not self.differences


@dataclass(frozen=True)
class RowCounter(LabelledBatches):
    r"""Counts the rows of batches on their ways; frozen, and fit to be pickled.

    Parameters
    ----------
    tree
        The tree, with exact thresholds where they are known.
    weights
        Column of instance weights; empty without.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from j48geo import load
    >>> counter = RowCounter.of(load("x <= 2: no (2.0)\nx > 2: yes (1.0)\n"))
    >>> parts = [counter(pa.record_batch({"x": [x], "class": ["no"]})) for x in (1.0, 2.0, 7.0)]
    >>> found = counter.compared(parts[0] + parts[1] + parts[2])
    >>> found.ok, found.differences[0].leaf, found.differences[0].errors
    (False, 1, 1.0)
    """

    tree: BoxTree
    weights: str = ""

    @classmethod
    def of(cls, model: Model, *, weights: str | None = None) -> Self:
        """What counts rows in the leaves of a model's tree."""
        model.require_one("a check")
        return cls(model.tree, weights or "")

    @property
    def asked_tree(self) -> BoxTree:
        """The tree whose columns are read."""
        return self.tree

    def __call__(self, batch: Any) -> RowsByLeaf:
        """The weights of a batch."""
        rows = read_batch(batch, self.used, self.tree.header)
        if self.weights:
            rows = set_weights(rows, batch[self.weights])
        return RowsByLeaf.of(self.tree, rows.X, rows.class_values, rows.weights)

    def compared(self, routed: RowsByLeaf) -> CountCheck:
        """The counts of all rows beside the printed ones."""
        counts = routed.counts(self.tree)
        leaves = LeafCounts.of(self.tree, counts)
        nothing = np.empty((0, len(self.tree.header)))
        differences = leaves.differences(nothing, np.empty(0, dtype=np.intp))
        return CountCheck(leaves.compared, differences, counts, routed.rows, routed.classless)
