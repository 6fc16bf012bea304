"""The tree is never altered: its fingerprint is the same after everything was done with it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import j48geo
from j48geo.geometry.distance import class_boundary
from j48geo.modelfile.tree import tree_to_json
from j48geo.show.tree.dot import tree_dot


def everything(tree: j48geo.BoxTree, data: j48geo.Dataset) -> list[Callable[[], object]]:
    """Every public way to use a tree with its training data."""
    counts = j48geo.counts_from_data(tree, data.X, data.class_values, data.weights)
    metric = j48geo.fit_metric(tree, "standard", data.X)
    predicted = j48geo.predict(tree, counts, data.X).predicted
    setting = j48geo.Setting(tree, counts, metric, positive=1, training=data)
    nearest = j48geo.boundary(tree, data.X, metric, predicted).nearest_leaf
    leaves = j48geo.class_counts(tree, counts)

    model = j48geo.fit_probabilities(setting, methods=("gdk", "ldk", "nearby", "laplace"))
    fitted = j48geo.fitted_of(model)

    def classify(X: np.ndarray) -> np.ndarray:
        return j48geo.predict(tree, counts, X).predicted

    return [
        lambda: j48geo.counts_from_text(tree),
        lambda: j48geo.leaf_of(tree, data.X),
        lambda: j48geo.route(tree, data.X, counts.weight),
        lambda: j48geo.replay(tree, data),
        lambda: j48geo.predict(tree, counts, data.X, laplace=True),
        lambda: j48geo.boundary_distance(tree, data.X, metric, predicted),
        lambda: j48geo.class_distances(tree, data.X, metric, predicted),
        lambda: class_boundary(tree, data.X, metric, predicted, 1),
        lambda: j48geo.project(tree, data.X, nearest),
        lambda: j48geo.separators(tree, data.X, metric, nearest),
        lambda: j48geo.midgap_tree(tree, data.X),
        lambda: j48geo.explain(tree, data.X[0], metric, classify),
        lambda: j48geo.leaf_estimates(tree, counts, 1),
        lambda: j48geo.score_batch(setting, data.X, "local", all_classes=True),
        lambda: j48geo.score_batch(setting, data.X, "nearby"),
        lambda: j48geo.estimate_probabilities(model, data.X),
        lambda: j48geo.nearby_weights(tree, setting.nearby, data.X),
        lambda: j48geo.leaf_shares(tree, setting.nearby, data.X[0]),
        lambda: j48geo.restore_model(j48geo.restore_setting(tree, counts, fitted), fitted),
        lambda: j48geo.fitted_text(tree, counts, fitted),
        lambda: j48geo.order_leaves(leaves.against_rest(1)),
        lambda: j48geo.relabelled(tree, leaves, tuple(1 for _ in tree.leaves)),
        lambda: j48geo.tree_text(tree),
        lambda: tree_to_json(tree),
        lambda: tree_dot(tree),
        lambda: tree.boxes,
        lambda: tree.with_thresholds({0: 1.0}),
        lambda: tree.rebound(tree.header),
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
    counts = j48geo.counts_from_data(tree, data.X, data.class_values, data.weights)
    metric = j48geo.fit_metric(tree, "standard", data.X)
    setting = j48geo.Setting(tree, counts, metric, positive=0, training=data)
    alone = j48geo.score_batch(setting, data.X).score
    found: list[np.ndarray] = []
    threads = [
        threading.Thread(target=lambda: found.append(j48geo.score_batch(setting, data.X).score))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert all(np.array_equal(alone, other, equal_nan=True) for other in found)
