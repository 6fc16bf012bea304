"""What one command walks through: nothing is computed twice, and few modules are entered."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def walk() -> str:
    """What `scripts/walk --calls` prints of ``rank`` on pima."""
    script = [sys.executable, ROOT / "scripts" / "walk", "--calls"]
    return subprocess.run(script, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize(
    "function",
    [
        "model/settings: auto_ranking",
        "model/state: ModelState.overlay",
        "score/setting: label_overlay",
        "core/counts: _leaf_basis",
        "geometry/metric: fit_metric",
        "score/nearby/average: fit_nearby",
        "replaying/replay: replay",
        "core/counts: counts_from_text",
        "score/prediction: predict",
    ],
)
def test_a_ranking_computes_it_once(walk: str, function: str) -> None:
    assert re.search(rf"^ +1 {re.escape(function)}$", walk, re.M), function


def test_the_guide_quotes_the_count(walk: str) -> None:
    guide = (ROOT / "j48geo" / "guide" / "design.md").read_text(encoding="utf-8")
    modules = re.search(r"^modules entered: (\d+)$", walk, re.M)
    assert modules is not None
    assert f"second run: {modules[1]} modules" in guide
