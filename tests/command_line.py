"""Runs the program as a user does: in a process of its own, or in this one for speed."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import click
import pytest

from j48geo.cli import main
from j48geo.cli.app import COMMANDS, cli

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Done:
    """What a run left: its exit code, data and words."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


Run = Callable[..., Done]


def commands() -> dict[str, click.Command]:
    """Every command by its name."""
    found = {name: cli.get_command(click.Context(cli), name) for name in COMMANDS}
    return {name: command for name, command in found.items() if command is not None}


def here(capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    """A function that runs the program in this process."""

    def run(*arguments: object) -> Done:
        code = main([str(a) for a in arguments])
        out, err = capfdbinary.readouterr()
        return Done(code, out.decode(), err.decode())

    return run


def apart(*arguments: object, stdin: bytes = b"", **environment: str) -> Done:
    """Run the program in a process of its own."""
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    done = subprocess.run(
        [sys.executable, "-m", "j48geo", *(str(a) for a in arguments)],
        input=stdin,
        capture_output=True,
        env={**os.environ, "PYTHONPATH": path, **environment},
        check=False,
    )
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


def shown_on(master: int) -> bytes:
    """All that a terminal shows whose other side is closed; one read may give a part of it."""
    parts = []
    with contextlib.suppress(OSError):  # how Linux says that it has ended
        while part := os.read(master, 10_000):
            parts.append(part)
    os.close(master)
    return b"".join(parts)
