"""Scores by name, and scores that other packages offer."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hand_made import weather_rows, weather_tree

from j48geo.core.counts import counts_from_text
from j48geo.core.fitted_values import Metric
from j48geo.errors import NeedsTrainingError
from j48geo.score.nearby.average import fit_nearby, nearby_distribution
from j48geo.score.prediction import predict
from j48geo.score.scores import (
    BUILTIN_SCORES,
    boundary_notes,
    score_batch,
    score_function,
    score_names,
)
from j48geo.score.setting import Cases, Setting

ROOT = Path(__file__).resolve().parents[2]

SCORES = '''
"""Toy scores."""

def dry(setting, cases):
    return -cases.X[:, 1]

def dry_within(setting, cases):
    return cases.prediction.distribution[:, setting.positive], cases.distance

def short(setting, cases):
    return [1.0]

def words(setting, cases):
    return ["far"] * len(cases.X)

def broken(setting, cases):
    raise KeyError("no such sensor")
'''

RUN = """
import sys
import numpy as np
from hand_made import weather_rows, weather_tree
from j48geo.errors import J48GeoError
from j48geo.core.fitted_values import Metric
from j48geo.core.counts import counts_from_text
from j48geo.score.scores import score_batch
from j48geo.score.setting import Setting
tree = weather_tree()
setting = Setting(tree, counts_from_text(tree), Metric("none", np.ones(4)), 1)
try:
    found = score_batch(setting, weather_rows().X[1:3], sys.argv[1])
    print(found.score.tolist(), None if found.within is None else found.within.tolist())
except J48GeoError as error:
    print(type(error).__name__, error)
"""


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """An installed package that offers scores."""
    (tmp_path / "toyscores.py").write_text(SCORES)
    info = tmp_path / "toyscores-2.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: toyscores\nVersion: 2.0\n")
    names = ("dry", "dry_within", "short", "words", "broken")
    lines = [f"{name} = toyscores:{name}" for name in names]
    (info / "entry_points.txt").write_text(
        "\n".join(["[j48geo.scores]", *lines, "global = toyscores:broken"]) + "\n"
    )
    return tmp_path


def said(folder: Path, name: str) -> str:
    paths = (str(folder), str(ROOT), str(ROOT / "tests" / "strategies"))
    done = subprocess.run(
        [sys.executable, "-c", RUN, name],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_an_installed_score_is_found_by_name(toy: Path) -> None:
    assert said(toy, "dry") == "[-70.0, -90.0] None"
    assert said(toy, "dry_within") == "[0.0, 1.0] [1.0, 1.0]"


def test_the_scores_of_the_house_win(toy: Path) -> None:
    assert said(toy, "global").startswith("[-")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("short", "score 'short' gave shape (1,); expected one number a case: shape (2,)"),
        ("words", "score 'words' gave a list; expected one number a case: shape (2,)"),
        ("broken", "score 'broken' failed: KeyError: 'no such sensor'"),
    ],
)
def test_a_score_that_does_not_keep_the_contract_is_one_clear_error(
    toy: Path, name: str, message: str
) -> None:
    assert said(toy, name) == f"PluginError {message}"


def test_the_names_of_the_house_come_first() -> None:
    own = ("global", "local", "leaf", "nearby", "distance")
    assert score_names()[:5] == tuple(BUILTIN_SCORES) == own


def test_a_score_is_a_function_of_setting_and_cases() -> None:
    tree, X = weather_tree(), weather_rows().X
    counts = counts_from_text(tree)
    setting = Setting(tree, counts, Metric("none", np.ones(4)), 1)
    prediction = predict(tree, counts, X)
    cases = Cases(setting, X, prediction, prediction.predicted)
    found = score_function("leaf")(setting, cases)
    assert isinstance(found, np.ndarray)
    assert found.shape == (len(X),)


def weather_setting(**more: Any) -> Setting:
    tree = weather_tree()
    return Setting(tree, counts_from_text(tree), Metric("none", np.ones(4)), 1, **more)


def test_nearby_is_the_average_of_the_positive_class() -> None:
    rows = weather_rows()
    setting = weather_setting(training=rows, sigma=0.5)
    nearby = fit_nearby(setting.tree, setting.counts, rows.X, sigma=0.5)
    expected = nearby_distribution(setting.tree, nearby, rows.X)[:, 1]
    found = score_batch(setting, rows.X, "nearby")
    np.testing.assert_array_equal(found.score, expected)
    assert found.within is None
    again = score_batch(pickle.loads(pickle.dumps(setting)), rows.X, "nearby")
    np.testing.assert_array_equal(again.score, expected)


def test_the_local_ranking_may_go_by_the_nearby_leaves_within_equal_estimates() -> None:
    rows = weather_rows()
    X = np.concatenate([rows.X, [[0, 82, 0, 0], [0, np.nan, 0, 0]]])
    plain, near = (weather_setting(training=rows, within=w) for w in ("g", "nearby"))
    local = score_batch(near, X, "local")
    np.testing.assert_array_equal(local.score, score_batch(plain, X, "local").score)
    np.testing.assert_array_equal(local.within, score_batch(near, X, "nearby").score)
    np.testing.assert_array_equal(
        score_batch(plain, X, "local").within, score_batch(plain, X, "global").score
    )


def test_within_a_tree_of_one_label_the_nearby_leaves_still_tell_cases_apart() -> None:
    rows = weather_rows()
    labels = np.zeros(5, dtype=np.intp)
    setting = weather_setting(training=rows, within="nearby", labels=labels)
    found = score_batch(setting, np.array([[0, h, 0, 0] for h in (60.0, 75, 80)]), "local")
    assert found.within is not None
    assert len(set(found.within.tolist())) == 3
    assert boundary_notes(setting, "local") == ()
    assert boundary_notes(setting, "global") != ()
    assert boundary_notes(weather_setting(labels=labels), "local") != ()


@pytest.mark.parametrize(("by", "within"), [("nearby", "g"), ("local", "nearby")])
def test_nearby_without_training_data_says_what_to_give(by: str, within: Any) -> None:
    with pytest.raises(NeedsTrainingError) as caught:
        score_batch(weather_setting(within=within), weather_rows().X, by)
    assert str(caught.value) == (
        "the nearby-leaf average learns faces and spreads from the training data"
    )
