"""README and guide are what the program does; every public name explains itself."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import click
import pytest
from command_line import commands
from consumers import require_program

import j48geo
from j48geo.model.choices import Choices

ROOT = Path(__file__).resolve().parents[1]
GUIDE = ROOT / "j48geo" / "guide"
PAGES = {p.name: p.read_text(encoding="utf-8") for p in (ROOT / "README.md", *GUIDE.glob("*.md"))}


def pages_with(language: str) -> list[str]:
    found = [name for name, text in sorted(PAGES.items()) if f"\n```{language}\n" in text]
    assert found
    return found


@pytest.mark.parametrize("name", pages_with("console"))
def test_what_a_page_shows_is_what_the_program_prints(name: str) -> None:
    page = ROOT / name if name == "README.md" else GUIDE / name
    script = ROOT / "scripts" / "examples"
    done = subprocess.run([sys.executable, script, "--check", page], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("name", pages_with("python"))
def test_the_python_of_a_page_runs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    missing = set()
    for block in re.findall(r"^```python\n(.*?)^```$", PAGES[name], re.M | re.S):
        programs = set(re.findall(r"subprocess\.run\(\[\"(\w+)", block))
        if absent := {program for program in programs if shutil.which(program) is None}:
            missing |= absent
        else:
            exec(compile(block, name, "exec"), {})
    for program in sorted(missing):
        require_program(program)


def test_every_command_has_help_and_stands_in_the_readme_and_in_the_guide() -> None:
    assert commands()
    for name, command in commands().items():
        assert command.help, name
        assert f"| `{name}" in PAGES["README.md"], name
        assert f"| `{name}" in PAGES["commands.md"], name
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                assert parameter.help, f"{name} {parameter.name}"


@pytest.mark.parametrize("folder", ["scripts", "scripts/studies"])
def test_every_script_stands_in_the_guide(folder: str) -> None:
    scripts = [p.name for p in (ROOT / folder).iterdir() if p.is_file() and not p.suffix]
    assert scripts
    for name in scripts:
        assert f"`{folder}/{name}`" in PAGES["contributing.md"], name


def test_every_folder_of_the_package_stands_in_the_picture_of_the_house() -> None:
    picture = PAGES["design.md"].partition("```\n")[2].partition("```")[0]
    folders = {p.parent.name for p in (ROOT / "j48geo").glob("*/__init__.py")}
    assert folders == set(re.findall(r"(?<![\w/])([a-z0-9]+)/(?!\w)", picture))


def test_every_file_that_a_page_links_to_is_there() -> None:
    for name, text in PAGES.items():
        folder = ROOT if name == "README.md" else GUIDE
        for link in re.findall(r"\]\((?!https?:|#)([^)#]+)", text):
            assert (folder / link).exists(), f"{name}: {link}"


def test_every_public_name_is_exported_and_explained() -> None:
    tree = ast.parse((ROOT / "j48geo" / "__init__.py").read_text(encoding="utf-8"))
    imported = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("j48geo.")
        for alias in node.names
        if node.module != "j48geo.lazy"
    }
    assert imported == set(j48geo.__all__)
    for name in j48geo.__all__:
        assert getattr(j48geo, name).__doc__, name


def test_the_guide_to_the_library_is_complete() -> None:
    page = PAGES["library.md"]
    for name in j48geo.__all__:
        assert f"`{name}" in page, name
    for choice in fields(Choices):
        assert choice.name == "tuned" or f"`{choice.name}`" in page, choice.name
    # What only the other floors call of a model.
    apart = {"align_rows", "case", "export", "learn", "rows", "trained_on"}
    for name, made in vars(j48geo.Model).items():
        if callable(made) and not name.startswith(("_", "require_")) and name not in apart:
            assert f"`{name}(" in page, name


def test_an_unknown_public_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="nonsense"):
        j48geo.nonsense  # noqa: B018


def test_the_guide_quotes_the_study_of_nearby_leaves_as_it_is() -> None:
    study = (ROOT / "scripts" / "studies" / "nearby-results.md").read_text(encoding="utf-8")
    table = (
        PAGES["methods.md"].partition("| method | 16 sets of the papers")[2].partition("\n\n")[0]
    )
    rows = [line.replace("*", "").strip("| ").split(" | ") for line in table.splitlines()[2:]]
    assert len(rows) == 10
    for name, *cells in rows:
        for k, sets in enumerate((16, 22, 7)):
            area, error, loss = cells[3 * k : 3 * k + 3]
            if area != "–":
                assert f"| {name} | {sets} | {area} | {error} | {loss} |" in study, name
