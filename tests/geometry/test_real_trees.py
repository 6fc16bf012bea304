"""Every tree of the fixtures, and of the shared corpus, is measured as the plain loops do."""

from __future__ import annotations

from math import isnan
from pathlib import Path
from typing import Any

import literal_boundary
import numpy as np
import pytest
from tree_cases import rows_and_trees, suite_of, tree_cases

import j48geo
from j48geo.compilation import is_numba_available
from j48geo.core.counts import counts_from_text
from j48geo.geometry.distance import boundary, class_distances
from j48geo.geometry.metric import fit_metric
from j48geo.geometry.projection import find_separators
from j48geo.score.prediction import predict

PLAIN_PAIRS = 12_000
"""Cases times leaves that the plain loops are given, for each tree."""


@pytest.mark.parametrize("metric_kind", ["standard", "minmax"])
@pytest.mark.parametrize("case", tree_cases())
def test_every_tree_is_measured_as_the_plain_loops_do(
    case: Path, metric_kind: str, record_case: Any
) -> None:
    trees = rows_and_trees(case)
    record_case(f"{suite_of(case)} distances", case.name)
    for tree, data in trees:
        X, counts = data.X, counts_from_text(tree)
        if tree.header == data.header:
            replayed = j48geo.replay(tree, data)
            if replayed.recognised:
                tree, counts = replayed.tree, replayed.counts
        predicted = predict(tree, counts, X).predicted
        metric = fit_metric(tree, metric_kind, X)
        found = boundary(tree, X, metric, predicted, engine="numpy")
        classes = class_distances(tree, X, metric, predicted, engine="numpy")
        walls = find_separators(tree, X, metric, found.nearest_leaf)
        if is_numba_available():
            again = boundary(tree, X, metric, predicted, engine="numba")
            np.testing.assert_array_equal(found.distance, again.distance)
            np.testing.assert_array_equal(found.nearest_leaf, again.nearest_leaf)
            more = class_distances(tree, X, metric, predicted, engine="numba")
            np.testing.assert_array_equal(classes, more)
        labels = [leaf.label for leaf in tree.leaves]
        scale = metric.scale.tolist()
        count = max(3, PLAIN_PAIRS // (len(labels) * len(tree.classes)))
        chosen = np.random.default_rng(3).permutation(len(X))[:count]
        for i in chosen.tolist():
            row, own = X[i].tolist(), int(predicted[i])
            expected = literal_boundary.distance_from(tree, row, own, labels, scale)
            assert found.nearest_leaf[i] == expected.leaf
            assert found.distance[i] == pytest.approx(expected.distance, abs=1e-12, nan_ok=True)
            for c in range(len(tree.classes)):
                near = literal_boundary.class_distance(tree, row, own, c, labels, scale)
                assert classes[i, c] == pytest.approx(near, abs=1e-12, nan_ok=True)
            u, t, node = literal_boundary.separator(tree, row, expected.leaf, scale)
            assert (walls.attribute[i], walls.node[i]) == (u, node)
            assert walls.threshold[i] == t or isnan(t)
