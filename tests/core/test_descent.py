"""Going down level by level gives what a visit of every node gives, to the bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from j48geo.core import counts, descent, routing
from j48geo.core.counts import counts_from_data
from j48geo.core.dataset import Dataset
from j48geo.core.descent import descend_by_levels
from j48geo.core.routing import find_leaves, route_cases
from j48geo.core.tree import BoxTree
from tests.strategies.random_trees import datasets, trees


@given(trees(), datasets())
def test_counts_and_routes_are_those_of_single_nodes(tree: BoxTree, rows: Dataset) -> None:
    X = rows.X[~np.isnan(rows.X).any(axis=1)]
    weights = rows.weights[~np.isnan(rows.X).any(axis=1)]

    def found() -> tuple[bytes, ...]:
        counted = counts_from_data(tree, X, X[:, -1], weights)
        routes = route_cases(tree, X, counted.weight)
        arrays = (counted.per_class, counted.weight, counted.bag, find_leaves(tree, X))
        reached = (routes.case, routes.leaf, routes.share, routes.divided)
        return tuple(array.tobytes() for array in (*arrays, *reached))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(descent, "CASES_PER_NODE", 1000)
        assert descend_by_levels(tree, X) is not None
        by_levels = found()
        for module in (counts, routing):
            patch.setattr(module, "descend_by_levels", lambda tree, X: None)
        assert by_levels == found()
