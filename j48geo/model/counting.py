"""A check that goes part by part: batches of columns in, the weight of every way out.

The counterpart of `j48geo check` for rows that no machine can hold. The tree is taken as it
stands: thresholds are restored, and the growing set of ``-R`` found, by `check` alone, which needs
all rows at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from j48geo.core.counts import NodeCounts
from j48geo.core.rows_by_leaf import RoutedRows
from j48geo.core.tree import BoxTree
from j48geo.data.arrow import batch_dataset
from j48geo.model.judge import with_weights
from j48geo.model.labelled import LabelledBatches
from j48geo.replaying.compare import LeafCounts, LeafDifference

if TYPE_CHECKING:
    from j48geo.model.model import Model

__all__ = ["Checked", "RowCounter"]


@dataclass(frozen=True, eq=False)
class Checked:
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

    def __call__(self, batch: Any) -> RoutedRows:
        """The weights of a batch."""
        rows = batch_dataset(batch, self.used, self.tree.header)
        if self.weights:
            rows = with_weights(rows, batch[self.weights])
        return RoutedRows.of(self.tree, rows.X, rows.class_values, rows.weights)

    def compared(self, found: RoutedRows) -> Checked:
        """The counts of all rows beside the printed ones."""
        counts = found.counts(self.tree)
        leaves = LeafCounts.of(self.tree, counts)
        nothing = np.empty((0, len(self.tree.header)))
        differences = leaves.differences(nothing, np.empty(0, dtype=np.intp))
        return Checked(leaves.compared, differences, counts, found.rows, found.classless)
