"""Scores by name, and scores that other packages offer."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hand_made import weather_rows, weather_tree

from j48geo.geometry.scaling import Metric
from j48geo.model.counts import counts_from_text
from j48geo.score.registry import BUILTIN, score_function, score_names
from j48geo.score.setting import Cases, Setting
from j48geo.score.weka import predict

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
from j48geo.geometry.scaling import Metric
from j48geo.model.counts import counts_from_text
from j48geo.score.batch import score_batch
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
    paths = (str(folder), str(ROOT), str(ROOT / "tests"))
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
    assert score_names()[:3] == tuple(BUILTIN) == ("global", "local", "leaf")


def test_a_score_is_a_function_of_setting_and_cases() -> None:
    tree, X = weather_tree(), weather_rows().X
    counts = counts_from_text(tree)
    setting = Setting(tree, counts, Metric("none", np.ones(4)), 1)
    prediction = predict(tree, counts, X)
    cases = Cases(setting, X, prediction, prediction.predicted)
    found = score_function("leaf")(setting, cases)
    assert isinstance(found, np.ndarray)
    assert found.shape == (len(X),)
