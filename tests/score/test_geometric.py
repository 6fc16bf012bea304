"""Signed distances, and the scores that are made of them."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor
from math import inf, nan

import numpy as np
import pytest
from hand_made import one_leaf_tree, weather_rows, weather_tree
from hypothesis import given
from random_geometry import scenes
from random_trees import HEADER, plant_tree

from j48geo.arrays import Floats
from j48geo.core.counts import counts_from_data, counts_from_text
from j48geo.core.fitted_values import Metric
from j48geo.core.tree import BoxTree, Leaf, Split
from j48geo.errors import UnknownNameError
from j48geo.geometry.distance import algebraic_distance, algebraic_distances, geometric_score
from j48geo.geometry.faces import midgap_tree
from j48geo.score.scores import boundary_notes, default_positive, score_batch, score_names
from j48geo.score.setting import Setting


def weather_setting(**more) -> Setting:
    tree, rows = weather_tree(), weather_rows()
    counts = counts_from_data(tree, rows.X, rows.class_values, rows.weights)
    return Setting(tree, counts, Metric("none", np.ones(4)), 1, **more)


def test_the_two_signs_are_opposite() -> None:
    distance, predicted = np.array([1.5, 2.0, 0.5, inf]), np.array([0, 1, -1, 1])
    assert geometric_score(distance, predicted, 1).tolist()[:2] == [-1.5, 2.0]
    assert algebraic_distance(distance, predicted, 1).tolist()[:2] == [1.5, -2.0]
    assert np.isnan(geometric_score(distance, predicted, 1)[2])
    both = algebraic_distances(np.stack([distance, distance], axis=1), predicted)
    np.testing.assert_array_equal(both[:, 0], -both[:, 1])


def test_the_score_of_two_classes_is_minus_h_of_the_positive_one() -> None:
    setting = weather_setting()
    found = score_batch(setting, weather_rows().X, all_classes=True)
    np.testing.assert_array_equal(found.score, -found.h[:, 1])
    np.testing.assert_array_equal(np.abs(found.score), found.distance)
    assert found.within is None


def test_local_scores_are_estimates_with_the_geometric_score_within() -> None:
    setting = weather_setting()
    X = weather_rows().X
    local, leaf, glob = (score_batch(setting, X, by) for by in ("local", "leaf", "global"))
    np.testing.assert_array_equal(local.score, leaf.score)
    np.testing.assert_array_equal(local.within, glob.score)
    np.testing.assert_array_equal(leaf.score, setting.leaf_estimates[leaf.leaf])
    np.testing.assert_array_equal(leaf.distance, glob.distance)


@given(scenes())
def test_with_more_classes_the_score_is_minus_h_or_the_literal_one(
    scene: tuple[BoxTree, Floats, Metric],
) -> None:
    tree, X, metric = scene
    counts = counts_from_data(tree, X, X[:, 4], np.ones(len(X)))
    for c in range(3):
        setting = Setting(tree, counts, metric, c)
        found = score_batch(setting, X, all_classes=True)
        if setting.has_boundary:
            np.testing.assert_array_equal(found.score, -found.h[:, c])
        literal = Setting(tree, counts, metric, c, boundary="any")
        if literal.has_boundary:
            g = geometric_score(found.distance, found.predicted, c)
            np.testing.assert_array_equal(score_batch(literal, X).score, g)


def test_without_a_boundary_leaf_estimates_decide_and_it_is_said() -> None:
    tree = one_leaf_tree()
    setting = Setting(tree, counts_from_text(tree), Metric("none", np.ones(4)), 1)
    for by in ("global", "local"):
        found = score_batch(setting, np.zeros((2, 4)), by)
        assert found.score.tolist() == [6 / 16, 6 / 16]
        assert found.within is None
        assert found.distance.tolist() == [inf, inf]
        assert boundary_notes(setting, by) == (
            "all leaves have the same label: there is no decision boundary; cases are ranked by "
            "their leaf estimates",
        )
    assert boundary_notes(setting, "leaf") == ()
    assert boundary_notes(weather_setting(), "global") == ()


def test_a_class_without_a_leaf_is_ranked_by_leaf_estimates() -> None:
    plan = (Split(0, "numeric", 1.0), [Leaf(0, 0, 3.0, 0.0), Leaf(0, 1, 2.0, 0.0)])
    tree = plant_tree(HEADER, plan)
    setting = Setting(tree, counts_from_text(tree), Metric("none", np.ones(5)), 2)
    found = score_batch(setting, np.zeros((1, 5)))
    assert found.score.tolist() == [1 / 6]
    assert boundary_notes(setting, "global")[0].startswith(
        "no leaf is labelled 'c', so that class has no"
    )


def test_an_overlay_of_labels_changes_class_and_distance() -> None:
    X = np.array([[0.0, 70.0, 0.0, nan]])
    plain = score_batch(weather_setting(), X)
    overlay = score_batch(weather_setting(labels=np.array([1, 1, 0, 1, 0])), X)
    assert (plain.predicted.tolist(), overlay.predicted.tolist()) == ([0], [1])
    assert (plain.score.tolist(), overlay.score.tolist()) == ([-1.0], [1.0])


def test_midgap_faces_are_measured_if_given() -> None:
    rows = weather_rows()
    X = np.array([[0.0, 80.0, 1.0, nan]])
    faces = midgap_tree(weather_tree(), rows.X)
    assert score_batch(weather_setting(), X).distance.tolist() == [1.0]
    assert score_batch(weather_setting(face_tree=faces), X).distance.tolist() == [0.0]


def test_blocks_threads_and_pickles_give_the_scores_of_the_whole() -> None:
    setting = weather_setting()
    sent = pickle.loads(pickle.dumps(setting))
    X = np.tile(weather_rows().X, (3, 1))
    for by in ("global", "local", "leaf"):
        whole = score_batch(setting, X, by)
        with ThreadPoolExecutor(3) as pool:
            blocks = [X[i : i + 4] for i in range(0, len(X), 4)]
            parts = list(pool.map(lambda block, by=by: score_batch(sent, block, by), blocks))
        np.testing.assert_array_equal(whole.score, np.concatenate([p.score for p in parts]))
        again = pickle.loads(pickle.dumps(whole))
        np.testing.assert_array_equal(again.distance, whole.distance)


def test_the_rarer_of_two_classes_is_positive_by_default() -> None:
    assert default_positive(weather_setting().counts) == 1
    three = counts_from_text(plant_tree(HEADER, Leaf(0, 0, 3.0, 0.0)))
    assert default_positive(three) is None
    assert default_positive(counts_from_text(plant_tree(HEADER, Leaf(0, 0)))) is None


def test_scores_are_known_by_name() -> None:
    assert score_names()[:4] == ("global", "local", "leaf", "nearby")
    with pytest.raises(UnknownNameError, match="unknown score 'best'; known: global, local, leaf"):
        score_batch(weather_setting(), weather_rows().X, "best")
