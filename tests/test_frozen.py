"""The tree is never altered: its fingerprint is the same after everything was done with it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import j48geo
from j48geo.core.counts import counts_from_data, counts_from_text
from j48geo.core.routing import find_leaves, route_cases
from j48geo.decide.leaf_counts import class_counts
from j48geo.decide.leaf_order import order_leaves
from j48geo.decide.relabelling import relabel_tree
from j48geo.geometry.distance import boundary, boundary_distance, class_boundary, class_distances
from j48geo.geometry.explanation import explain
from j48geo.geometry.faces import midgap_tree
from j48geo.geometry.metric import fit_metric
from j48geo.geometry.projection import find_separators, project_cases
from j48geo.modelfile.fitted import fitted_text
from j48geo.modelfile.tree import tree_to_json
from j48geo.score.leaf_estimates import estimate_leaves
from j48geo.score.nearby.average import leaf_shares, nearby_weights
from j48geo.score.prediction import predict
from j48geo.score.probabilities import (
    collect_fitted_values,
    estimate_probabilities,
    fit_probabilities,
    restore_model,
    restore_setting,
)
from j48geo.score.scores import score_batch
from j48geo.score.setting import Setting
from j48geo.show.weka_text import tree_to_dot


def everything(tree: j48geo.BoxTree, data: j48geo.Dataset) -> list[Callable[[], object]]:
    """Every public way to use a tree with its training data."""
    counts = counts_from_data(tree, data.X, data.class_values, data.weights)
    metric = fit_metric(tree, "standard", data.X)
    predicted = predict(tree, counts, data.X).predicted
    setting = Setting(tree, counts, metric, positive=1, training=data)
    nearest = boundary(tree, data.X, metric, predicted).nearest_leaf
    leaves = class_counts(tree, counts)

    model = fit_probabilities(setting, methods=("gdk", "ldk", "nearby", "laplace"))
    fitted = collect_fitted_values(model)

    def classify(X: np.ndarray) -> np.ndarray:
        return predict(tree, counts, X).predicted

    return [
        lambda: counts_from_text(tree),
        lambda: find_leaves(tree, data.X),
        lambda: route_cases(tree, data.X, counts.weight),
        lambda: j48geo.replay(tree, data),
        lambda: predict(tree, counts, data.X, laplace=True),
        lambda: boundary_distance(tree, data.X, metric, predicted),
        lambda: class_distances(tree, data.X, metric, predicted),
        lambda: class_boundary(tree, data.X, metric, predicted, 1),
        lambda: project_cases(tree, data.X, nearest),
        lambda: find_separators(tree, data.X, metric, nearest),
        lambda: midgap_tree(tree, data.X),
        lambda: explain(tree, data.X[0], metric, classify),
        lambda: estimate_leaves(tree, counts, 1),
        lambda: score_batch(setting, data.X, "local", all_classes=True),
        lambda: score_batch(setting, data.X, "nearby"),
        lambda: estimate_probabilities(model, data.X),
        lambda: nearby_weights(tree, setting.nearby, data.X),
        lambda: leaf_shares(tree, setting.nearby, data.X[0]),
        lambda: restore_model(restore_setting(tree, counts, fitted), fitted),
        lambda: fitted_text(tree, counts, fitted),
        lambda: order_leaves(leaves.against_rest(1)),
        lambda: relabel_tree(tree, leaves, tuple(1 for _ in tree.leaves)),
        lambda: j48geo.tree_text(tree),
        lambda: tree_to_json(tree),
        lambda: tree_to_dot(tree),
        lambda: tree.boxes,
        lambda: tree.with_thresholds({0: 1.0}),
        lambda: tree.with_header(tree.header),
    ]


@pytest.fixture(params=["pima", "breast-cancer-explorer", "wine-laplace", "multiway-empty"])
def case(
    request: pytest.FixtureRequest, fixtures_dir: Path
) -> tuple[j48geo.BoxTree, j48geo.Dataset]:
    folder = fixtures_dir / request.param
    data = j48geo.read_arff(folder / "data.arff")
    return j48geo.replay(j48geo.read_tree(folder / "model.txt", data=data), data).tree, data


def test_no_public_function_changes_a_tree_or_its_data(
    case: tuple[j48geo.BoxTree, j48geo.Dataset],
) -> None:
    tree, data = case
    tree_before, rows_before = tree.digest(), data.X.tobytes()
    for use in everything(tree, data):
        use()
        assert tree.digest() == tree_before
        assert data.X.tobytes() == rows_before


def test_threads_get_the_same_answers(case: tuple[j48geo.BoxTree, j48geo.Dataset]) -> None:
    tree, data = case
    counts = counts_from_data(tree, data.X, data.class_values, data.weights)
    metric = fit_metric(tree, "standard", data.X)
    setting = Setting(tree, counts, metric, positive=0, training=data)
    alone = score_batch(setting, data.X).score
    found: list[np.ndarray] = []
    threads = [
        threading.Thread(target=lambda: found.append(score_batch(setting, data.X).score))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert all(np.array_equal(alone, other, equal_nan=True) for other in found)
