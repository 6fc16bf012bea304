"""What a package index shows: version, changes, long description, lowest versions."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.fixture(scope="module")
def description() -> str:
    spec = spec_from_file_location("metadata_hook", ROOT / "scripts" / "metadata_hook.py")
    assert spec is not None
    assert spec.loader is not None
    hook = module_from_spec(spec)
    spec.loader.exec_module(hook)
    text = hook.long_description(README)
    assert isinstance(text, str)
    return text


def test_the_long_description_points_to_nothing_that_an_index_has_not(description: str) -> None:
    assert re.findall(r"\]\((?!https?:|#)[^)]*\)", description) == []
    assert "picture above" not in description


def test_the_long_description_is_the_readme_otherwise(description: str) -> None:
    lines = set(description.splitlines())
    lost = [line for line in README.splitlines() if line not in lines]
    # Two pictures, a caption of three lines, a remark on it, and three lines with links.
    assert len(lost) <= 9
    assert not any(line.startswith(("#", "|", "$", "```")) for line in lost)


def test_the_version_has_its_changes_and_is_the_one_to_cite() -> None:
    changes = (ROOT / "j48geo" / "guide" / "changes.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (.+)$", changes, re.M)[0] == PROJECT["version"]
    assert re.findall(r"version *= *\{(.*)\}", README) == [PROJECT["version"]]


def test_the_lowest_versions_are_those_of_the_project() -> None:
    script = ROOT / "scripts" / "lowest_versions"
    done = subprocess.run(
        [sys.executable, script, "sklearn", "test"], capture_output=True, text=True, check=True
    )
    lowest = [line.partition(";")[0] for line in done.stdout.splitlines()]
    declared = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["test"]]
    assert len(lowest) == len(set(lowest)) == sum(">=" in requirement for requirement in declared)
    for constraint in lowest:
        assert any(r.startswith(constraint.replace("==", ">=")) for r in declared), constraint
    done = subprocess.run([sys.executable, script, "nonsense"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
