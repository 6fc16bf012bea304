"""The golden run: what every command printed when somebody last looked.

`tests/golden/commands.txt` lists the commands, `tests/golden/NAME.txt` holds what they gave:
exit code, standard error, standard output. Numbers are kept to 12 digits; of long texts the
first 40 lines and a hash of the rest. ``scripts/golden`` writes the files anew.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import click

from j48geo.cli import main

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "tests" / "golden"
LINES = 40
WIDEST = 400
"""Characters of a line that are kept; of the rest a hash tells too."""

_FLOAT = re.compile(r"-?\d+\.\d+(?:[eE][-+]?\d+)?|-?\d+[eE][-+]\d+")


def files() -> dict[str, list[str]]:
    """The lines of the list by the file that their results stand in."""
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in (FOLDER / "commands.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("@"):
            lines = found.setdefault(line[1:], [])
        elif line and not line.startswith("#"):
            lines.append(line)
    return found


def expand_formats(lines: list[str]) -> Iterator[str]:
    """One command for each format where the line says ``--format *``."""
    for line in lines:
        if "--format *" in line:
            yield from (line.replace("*", name) for name in formats(line.split()[0]))
        else:
            yield line


def formats(command: str) -> list[str]:
    """The formats that a command offers."""
    from j48geo.cli.app import cli

    found = cli.get_command(click.Context(cli), command)
    assert found is not None
    (option,) = (p for p in found.params if p.name == "output_format")
    assert isinstance(option.type, click.Choice)
    # The bytes of Parquet are those of pyarrow's version.
    return [str(name) for name in option.type.choices if name != "parquet"]


def run(words: list[str]) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of a command, in this process."""
    streams = [io.TextIOWrapper(io.BytesIO(), "utf-8", "surrogateescape") for _ in range(3)]
    sources = mock.patch.multiple(sys, stdin=streams[0], stdout=streams[1], stderr=streams[2])
    with sources, mock.patch.dict(os.environ, {"COLUMNS": "100"}):
        code = main(words)
    for stream in streams:
        stream.seek(0)  # writes what is held back, too
    return code, streams[1].read(), streams[2].read()


def results(name: str, folder: Path) -> str:
    """What the commands of one file give now, as the file would say it."""
    parts = []
    for command in expand_formats(files()[name]):
        words = [word.replace("{tmp}", str(folder)) for word in shlex.split(command)]
        code, out, err = run(words)
        part = [f"$ j48geo {command}", f"exit {code}"]
        part += [f"! {line}" for line in shorten_text(err.replace(str(folder), "{tmp}"))]
        part += [f"  {line}".rstrip() for line in shorten_text(out.replace(str(folder), "{tmp}"))]
        parts.append("\n".join(part) + "\n")
    return "\n".join(parts)


def shorten_text(text: str) -> list[str]:
    """The first lines of a text, and a hash of the others."""
    lines = [_shorten_line(round_numbers(line)) for line in text.splitlines()]
    rest = lines[LINES:]
    if not rest:
        return lines
    return [*lines[:LINES], f"... {len(rest)} more lines, {_hash(chr(10).join(rest))}"]


def round_numbers(line: str) -> str:
    """Numbers to 12 digits."""
    return _FLOAT.sub(lambda found: f"{float(found[0]):.12g}", line)


def _shorten_line(line: str) -> str:
    if len(line) <= WIDEST:
        return line
    return f"{line[:WIDEST]}... {len(line) - WIDEST} more, {_hash(line)}"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:16]
