"""A score from another package, installed as a user would, found by the program."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PIMA = ROOT / "fixtures" / "pima"

SCORES = '''
"""Toy scores."""
from functools import lru_cache
from pathlib import Path
import numpy as np

Path(__file__).with_name("was-imported").touch()

@lru_cache
def means(setting):
    return np.nanmean(setting.training.X, axis=0)

def nearest_mean(setting, cases):
    """Minus the distance to the mean of the training cases."""
    return -np.abs(cases.X - means(setting))[:, 1]

def doubled(setting, cases):
    """A score and what orders its equals."""
    return np.sign(cases.distance), cases.distance * 2

def endless(setting, cases):
    return np.where(np.arange(len(cases.X)) < 2, np.inf, -np.inf)

def short(setting, cases):
    return [1.0]

def broken(setting, cases):
    raise RuntimeError("not today")
'''


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """A folder with the toy package in it, as an installer leaves it."""
    (tmp_path / "toy.py").write_text(SCORES)
    info = tmp_path / "toy-1.2.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: toy\nVersion: 1.2\n")
    names = ("nearest_mean", "doubled", "endless", "short", "broken")
    points = [f"{name.replace('_', '-')} = toy:{name}" for name in names]
    points.append("local = toy:doubled")
    (info / "entry_points.txt").write_text("[j48geo.scores]\n" + "\n".join(points) + "\n")
    return tmp_path


def j48geo(folder: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(folder), str(ROOT)))}
    return subprocess.run(
        [sys.executable, "-m", "j48geo", *map(str, arguments)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=environment,
        cwd=folder,
        check=False,
    )


def rank(folder: Path, by: str, *more: object) -> subprocess.CompletedProcess[str]:
    model, data = PIMA / "model.txt", PIMA / "data.arff"
    return j48geo(folder, "rank", model, data, "-f", "jsonl", "-q", "--by", by, *more)


def test_installed_scores_are_listed_without_being_imported(toy: Path) -> None:
    done = j48geo(toy, "plugins", "--format", "json")
    assert done.returncode == 0
    listed = {(r["name"], r["package"]): r for r in json.loads(done.stdout) if r["kind"] == "score"}
    assert listed["nearest-mean", "toy"]["where"] == "toy:nearest_mean"
    assert listed["nearest-mean", "toy"]["version"] == "1.2"
    assert listed["local", "toy"]["remark"] == "built-in of the same name"
    for name in ("global", "local", "leaf"):
        assert listed[name, "j48geo"]["remark"] == "built in"
    assert not (toy / "was-imported").exists()


def test_an_installed_score_ranks_when_it_is_named(toy: Path) -> None:
    done = rank(toy, "nearest-mean")
    assert (done.returncode, done.stderr) == (0, "")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    scores = [row["score"] for row in rows]
    assert scores == sorted(scores, reverse=True)
    data = (PIMA / "data.arff").read_text().lower().partition("@data\n")[2].split()
    glucose = [float(line.split(",")[1]) for line in data if line]
    mean = sum(glucose) / len(glucose)
    assert rows[0]["score"] == pytest.approx(-min(abs(x - mean) for x in glucose))
    assert all(row["distance"] >= 0 for row in rows)


def test_a_pair_is_a_score_and_what_orders_its_equals(toy: Path) -> None:
    rows = [json.loads(line) for line in rank(toy, "doubled").stdout.splitlines()]
    assert {row["score"] for row in rows} == {0.0, 1.0}
    assert [(r["score"], r["within"]) for r in rows] == sorted(
        ((r["score"], r["distance"] * 2) for r in rows), reverse=True
    )


def test_infinite_scores_are_null_with_a_flag_and_words_in_csv(toy: Path) -> None:
    rows = [json.loads(line) for line in rank(toy, "endless").stdout.splitlines()]
    assert [(r["rank"], r["row"], r["score"]) for r in rows[:3]] == [
        *((1, 1, None), (1, 2, None), (3, 3, None))
    ]
    assert [r["flags"] for r in rows[1:3]] == [["infinite-score"], ["minus-infinite-score"]]
    lines = rank(toy, "endless", "-f", "csv").stdout.splitlines()
    assert lines[1].startswith("1,1,Infinity,")
    assert lines[3].startswith("3,3,-Infinity,")


def test_a_built_in_name_wins(toy: Path) -> None:
    assert rank(toy, "local").returncode == 0
    assert not (toy / "was-imported").exists()


@pytest.mark.parametrize(
    ("by", "message"),
    [
        ("short", "score 'short' gave shape (1,); expected one number a case: shape (768,)\n"),
        ("broken", "score 'broken' failed: RuntimeError: not today\n"),
        (
            "nearest",
            "unknown method 'nearest'; known: raw, laplace, m, hs, gdk, ldk, ldk-leaf, nearby, "
            "global, local, leaf, distance, broken, doubled, endless, nearest-mean, short\n",
        ),
    ],
)
def test_a_score_that_cannot_be_used_is_one_line(toy: Path, by: str, message: str) -> None:
    done = rank(toy, by)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", message)
