"""Probabilities by name: what every method owes, and what the leaf methods say."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_geometry import metrics
from random_trees import datasets, trees

from j48geo.core.counts import counts_from_data
from j48geo.core.dataset import Dataset
from j48geo.core.fitted_values import Metric
from j48geo.core.tree import BoxTree
from j48geo.data.arff.stream import read_arff
from j48geo.errors import MismatchError, NeedsTrainingError, UnknownNameError
from j48geo.geometry.metric import fit_metric
from j48geo.read.readers import read_tree
from j48geo.replaying.replay import replay
from j48geo.score.methods import PROBABILITIES
from j48geo.score.prediction import Flag, flag_names, predict
from j48geo.score.probabilities import estimate_probabilities, fit_probabilities
from j48geo.score.setting import Setting


def setting_of(folder: Path) -> Setting:
    rows = read_arff(folder / "data.arff")
    found = replay(read_tree(folder / "model.txt", header=rows.header, data=rows), rows)
    assert found.recognised
    return Setting(
        found.tree, found.counts, fit_metric(found.tree, "standard", rows.X), 0, training=rows
    )


@settings(max_examples=80, deadline=None)
@given(trees(), datasets(min_rows=1), datasets(min_rows=1), metrics(), st.integers(0, 1))
def test_every_distribution_sums_to_one_and_none_is_nan(
    tree: BoxTree, train: Dataset, test: Dataset, metric: Metric, positive: int
) -> None:
    counts = counts_from_data(tree, train.X, train.class_values, train.weights)
    setting = Setting(tree, counts, metric, positive, training=train)
    try:
        model = fit_probabilities(setting, methods=PROBABILITIES)
    except MismatchError:  # no case with a class and a finite distance
        return
    for found in estimate_probabilities(model, test.X).values():
        assert (found.distribution >= 0).all()
        np.testing.assert_allclose(found.distribution.sum(axis=1), 1.0, rtol=0, atol=1e-12)


def test_raw_is_weka_s_distribution_and_laplace_that_of_its_option_a(fixtures_dir: Path) -> None:
    for name in ("pima", "iris", "breast-cancer-explorer", "parcels-weights"):
        setting = setting_of(fixtures_dir / name)
        assert setting.training is not None
        X = setting.training.X
        found = estimate_probabilities(fit_probabilities(setting, methods=["raw", "laplace"]), X)
        for method, laplace in (("raw", False), ("laplace", True)):
            weka = predict(setting.tree, setting.counts, X, laplace=laplace).distribution
            weka = weka / weka.sum(axis=1, keepdims=True)
            np.testing.assert_allclose(found[method].distribution, weka, rtol=0, atol=1e-12)


def test_the_m_estimate_has_one_m_for_all_classes(fixtures_dir: Path) -> None:
    setting = setting_of(fixtures_dir / "iris")
    assert setting.training is not None
    X = setting.training.X
    found = estimate_probabilities(fit_probabilities(setting, methods=["m"]), X)["m"]
    leaf = predict(setting.tree, setting.counts, X).leaf
    k = setting.counts.leaves(setting.tree)[leaf]
    prior = setting.counts.per_class[0] / setting.counts.per_class[0].sum()
    m = 10.0 / prior[0]
    expected = (k + m * prior) / (k.sum(axis=1, keepdims=True) + m)
    np.testing.assert_allclose(found.distribution, expected, rtol=1e-14)


def test_more_than_two_classes_have_published_estimates_and_a_distribution(
    fixtures_dir: Path,
) -> None:
    setting = setting_of(fixtures_dir / "iris")
    assert setting.training is not None
    model = fit_probabilities(setting, methods=["gdk", "ldk", "laplace"])
    found = estimate_probabilities(model, setting.training.X)
    for method in ("gdk", "ldk"):
        per_class = found[method].per_class
        assert per_class is not None
        total = per_class.sum(axis=1, keepdims=True)
        assert np.abs(total - 1).max() > 1e-3
        np.testing.assert_allclose(found[method].distribution, per_class / total, rtol=1e-15)
    assert found["laplace"].per_class is None


def test_a_class_that_is_not_the_most_probable_is_flagged_and_stands(fixtures_dir: Path) -> None:
    setting = setting_of(fixtures_dir / "pima")
    assert setting.training is not None
    X = setting.training.X
    found = estimate_probabilities(fit_probabilities(setting, methods=["gdk"]), X)["gdk"]
    predicted = predict(setting.tree, setting.counts, X).predicted
    other = found.distribution.argmax(axis=1) != predicted
    np.testing.assert_array_equal((found.flags & Flag.NOT_LARGEST) > 0, other)
    assert flag_names(int(found.flags[other][0])) == ["not-largest"]


def test_a_fitted_model_can_be_sent_elsewhere_and_blocks_make_no_difference(
    fixtures_dir: Path,
) -> None:
    setting = setting_of(fixtures_dir / "pima")
    assert setting.training is not None
    X = setting.training.X
    model = fit_probabilities(setting, methods=PROBABILITIES)
    sent = pickle.loads(pickle.dumps(model))
    whole = estimate_probabilities(model, X)
    parts = [estimate_probabilities(sent, X[i : i + 100]) for i in range(0, len(X), 100)]
    for method in PROBABILITIES:
        joined = np.concatenate([part[method].distribution for part in parts])
        np.testing.assert_allclose(joined, whole[method].distribution, rtol=0, atol=1e-13)


def test_calibration_data_speaks_instead_of_the_training_data(fixtures_dir: Path) -> None:
    setting = setting_of(fixtures_dir / "pima")
    train = setting.training
    assert train is not None
    half = Dataset(train.header, train.X[::2], train.weights[::2])
    model = fit_probabilities(setting, half, methods=["gdk"])
    assert len(model.densities["gdk"].actual) == len(half)


def test_what_is_missing_is_told(fixtures_dir: Path) -> None:
    setting = setting_of(fixtures_dir / "pima")
    bare = Setting(setting.tree, setting.counts, setting.metric, 0)
    with pytest.raises(UnknownNameError, match="magic"):
        fit_probabilities(setting, methods=["magic"])
    with pytest.raises(MismatchError, match="gdk learns from cases"):
        fit_probabilities(bare, methods=["gdk"])
    with pytest.raises(NeedsTrainingError, match="learns faces and spreads from the training data"):
        fit_probabilities(bare, methods=["nearby"])
