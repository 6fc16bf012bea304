"""Bounds of what a printed tree may say hold what the tree behind the text does say."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from j48geo import read_arff
from j48geo.core.dataset import Header
from j48geo.read.readers import read_tree
from j48geo.replaying.replay import replay
from j48geo.score.prediction import predict
from j48geo.score.uncertainty_bounds import TreeBounds

NAMES = (
    *("iris", "pima", "breast-cancer-explorer", "multiway-empty", "parcels-weights"),
    *("parcels-binary", "wine-laplace", "odd-names", "one-leaf", "date"),
)


@pytest.mark.parametrize("laplace", [False, True, None])
@pytest.mark.parametrize("name", NAMES)
def test_the_tree_behind_the_text_stays_within_the_bounds(
    name: str, laplace: bool | None, fixtures_dir: Path
) -> None:
    folder = fixtures_dir / name
    data = read_arff(folder / "data.arff")
    tree = read_tree(folder / "model.txt", data=data)
    behind = replay(tree, data)
    assert behind.recognised
    rng = np.random.default_rng(1)
    X = data.X.copy()
    X[rng.random(X.shape) < 0.2] = np.nan
    X = np.vstack([data.X, X])
    said = TreeBounds(tree, laplace=laplace).bounds(X)
    for smoothed in [False, True] if laplace is None else [laplace]:
        exact = predict(behind.tree, behind.counts, X, laplace=smoothed)
        assert (said.low <= exact.distribution + 1e-9).all()
        assert (exact.distribution <= said.high + 1e-9).all()
        if laplace is not True:
            assert said.may[np.arange(len(X)), exact.classified].all()


@pytest.mark.parametrize("name", NAMES)
def test_counts_of_the_training_data_leave_nothing_open(name: str, fixtures_dir: Path) -> None:
    folder = fixtures_dir / name
    data = read_arff(folder / "data.arff")
    behind = replay(read_tree(folder / "model.txt", data=data), data)
    said = TreeBounds(behind.tree, behind.counts).bounds(data.X)
    exact = predict(behind.tree, behind.counts, data.X)
    np.testing.assert_allclose(said.low, exact.distribution, atol=1e-12)
    np.testing.assert_allclose(said.high, exact.distribution, atol=1e-12)


def _header() -> Header:
    return read_arff(b"@relation r\n@attribute x numeric\n@attribute y {a,b,c}\n@data\n").header


def test_a_value_on_a_rounded_threshold_may_go_both_ways() -> None:
    tree = read_tree(b"x <= 0.6: a (3.0)\nx > 0.6: b (4.0)\n", header=_header())
    X = np.array([[0.59, 0], [0.6, 0], [0.6000012, 0], [0.600002, 0]])
    assert TreeBounds(tree).bounds(X).may.sum(axis=1).tolist() == [1, 2, 2, 1]
    known = TreeBounds(tree, thresholds={0: (0.6, 0.6)})
    assert known.bounds(X).may.sum(axis=1).tolist() == [1, 1, 1, 1]


def test_the_wrong_ones_of_a_leaf_may_be_of_any_other_class() -> None:
    tree = read_tree(b"x <= 1: a (10.0/4.0)\nx > 1: b (4.0)\n", header=_header())
    said = TreeBounds(tree).bounds(np.array([[0.0, 0]]))
    assert said.low[0].tolist() == pytest.approx([0.6, 0, 0], abs=2e-3)
    assert said.high[0].tolist() == pytest.approx([0.6, 0.4, 0.4], abs=2e-3)
