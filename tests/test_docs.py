"""The README is what the program does; every public name explains itself."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest
from command_line import commands

import j48geo

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_what_the_readme_shows_is_what_the_program_prints() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "readme", "--check"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout


def test_the_python_of_the_readme_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```$", README, re.M | re.S)
    assert blocks
    monkeypatch.chdir(ROOT)
    for block in blocks:
        exec(compile(block, "README.md", "exec"), {})


def test_every_command_has_help_and_stands_in_the_readme() -> None:
    assert commands()
    for name, command in commands().items():
        assert command.help, name
        assert f"| `{name}" in README, name
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                assert parameter.help, f"{name} {parameter.name}"


def test_every_script_stands_in_the_readme() -> None:
    scripts = [p.name for p in (ROOT / "scripts").iterdir() if p.is_file() and not p.suffix]
    assert scripts
    for name in scripts:
        assert f"scripts/{name}" in README, name


def test_every_public_name_is_exported_and_explained() -> None:
    tree = ast.parse((ROOT / "j48geo" / "__init__.py").read_text(encoding="utf-8"))
    imported = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("j48geo.")
        for alias in node.names
    }
    assert imported == set(j48geo.__all__)
    for name in j48geo.__all__:
        assert getattr(j48geo, name).__doc__, name


def test_an_unknown_public_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="nonsense"):
        j48geo.nonsense  # noqa: B018


def test_the_readme_quotes_the_study_of_nearby_leaves_as_it_is() -> None:
    study = (ROOT / "scripts" / "nearby-results.md").read_text(encoding="utf-8")
    table = README.partition("| method | 16 sets of the papers")[2].partition("\n\n")[0]
    rows = [line.replace("*", "").strip("| ").split(" | ") for line in table.splitlines()[2:]]
    assert len(rows) == 10
    for name, *cells in rows:
        for k, sets in enumerate((16, 22, 7)):
            area, error, loss = cells[3 * k : 3 * k + 3]
            if area != "–":
                assert f"| {name} | {sets} | {area} | {error} | {loss} |" in study, name
