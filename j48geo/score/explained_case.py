"""A row with all that explains its class: path, distance, smallest changes, nearby leaves."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan

import numpy as np

from j48geo.arrays import Floats
from j48geo.core.counts import NodeCounts
from j48geo.core.fitted_values import Metric
from j48geo.core.tree import BoxTree
from j48geo.geometry.explanation import Explanation
from j48geo.score.nearby.average import LeafShares


@dataclass(frozen=True, eq=False)
class ExplainedCase:
    """One row with its explanation, metric, leaf counts and nearby leaves.

    Parameters
    ----------
    row
        Its number in the file, from 1.
    x : array of float64, shape (n_attributes,)
    counts
        Training weight of the leaves, as far as it is known.
    nearby, sigma
        The leaves around it and the error that reaches them; None without training data.
    """

    row: int
    x: Floats
    tree: BoxTree
    counts: NodeCounts
    metric: Metric
    explanation: Explanation
    nearby: LeafShares | None = None
    sigma: float = 0.0

    @property
    def predicted(self) -> str | None:
        """The class the tree gives it."""
        index = self.explanation.predicted
        return None if index < 0 else self.tree.classes[index]

    @property
    def actual(self) -> str | None:
        """The class that stands in the row."""
        column = self.tree.header.class_index
        value = np.nan if column is None else self.x[column]
        return None if isnan(value) else self.tree.classes[int(value)]
