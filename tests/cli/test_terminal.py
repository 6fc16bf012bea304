"""On a terminal tables fit its width and have colour; elsewhere, and with NO_COLOR, none."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import ROOT, shown_on

IRIS = ROOT / "fixtures" / "iris"


def on_terminal(*arguments: object, columns: int, **environment: str) -> str:
    """What a terminal of this width is sent."""
    master, slave = os.openpty()
    shell = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": str(columns), **environment}
    words = [sys.executable, "-m", "j48geo", *map(str, arguments)]
    with os.fdopen(slave, "wb") as terminal:
        process = subprocess.Popen(words, stdout=terminal, stderr=terminal, env=shell)
    with process:  # a terminal holds little: it is read while the program runs
        return shown_on(master).decode()


@pytest.mark.parametrize("columns", [80, 100])
def test_tables_fit_the_terminal(columns: int) -> None:
    shown = on_terminal(
        "show", IRIS / "model.txt", IRIS / "data.arff", "-q", columns=columns, NO_COLOR="1"
    )
    table = shown.split("rule\r\n")[1]
    assert "petalwidth" in table
    assert max(map(len, table.splitlines())) <= columns
    assert "\x1b" not in shown


@pytest.mark.parametrize(
    "command",
    ["evaluate", "leaves", "labellings", "audit", ("proba", "--method", "raw,laplace,gdk")],
)
def test_a_wide_table_goes_on_in_another_line(command: str | tuple[str, ...]) -> None:
    name, *options = [command] if isinstance(command, str) else command
    pima = ROOT / "fixtures" / "pima"
    folder = IRIS if name == "proba" else pima
    given = [name, folder / "model.txt", folder / "data.arff", *options, "-q"]
    shown = on_terminal(*given, columns=60, NO_COLOR="1")
    rules = [line for line in shown.splitlines() if line.strip() and not line.strip("- ")]
    assert any(line.startswith("    -") for line in rules)
    assert max(map(len, rules)) <= 60


def test_colour_is_for_terminals_and_not_with_no_color(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ("rank", IRIS / "model.txt", IRIS / "data.arff", "-q", "--top", 3)
    monkeypatch.delenv("NO_COLOR", raising=False)
    coloured = on_terminal(*arguments, columns=100)
    assert "\x1b[" in coloured
    assert "\x1b" not in on_terminal(*arguments, columns=100, NO_COLOR="1")
    out = tmp_path / "ranked.txt"
    on_terminal(*arguments, "-o", out, columns=100)
    assert "\x1b" not in out.read_text()


def test_an_error_on_a_terminal_is_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    shown = on_terminal("show", ROOT / "absent.txt", columns=100)
    assert shown.startswith("\x1b[31merror:\x1b[0m ")
    plain = on_terminal("show", ROOT / "absent.txt", columns=100, NO_COLOR="1")
    assert plain == f"{ROOT}/absent.txt: no such file\r\n"


COMPILING = """
import sys
from j48geo.cli.output import Output
from j48geo.compilation import EngineChoice
Output((), False, quiet="-q" in sys.argv)
EngineChoice("j48geo.core.routing_numba:walk_down", 7.6).takes_numba("numba", 0.0)
"""


@pytest.mark.parametrize(
    ("option", "said"), [("-v", "j48geo: compiling once for this machine (about 8 s)"), ("-q", "")]
)
def test_a_terminal_is_told_that_loops_are_compiled(option: str, said: str, tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NUMBA_CACHE_DIR": str(tmp_path)}
    words = [sys.executable, "-c", COMPILING, option]
    master, slave = os.openpty()
    with os.fdopen(slave, "wb") as terminal:
        process = subprocess.Popen(words, stderr=terminal, env=environment)
    with process:
        assert shown_on(master).decode().strip() == said
    piped = subprocess.run(words, capture_output=True, env=environment, check=True)
    assert piped.stderr == b""  # a file or another program is told nothing
