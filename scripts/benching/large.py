"""Very large models and headers: every command at n and at 2n, where near 2 is linear.

A split of 200,000 values, a binary tree of 200,000 leaves, each with its training data, and a
header of 1,000,000 attributes over three rows. What the average over nearby leaves (`rank` by
default, `proba`) costs on the tree is told for a twentieth of the size, without a goal: each case
asks a good part of all leaves.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from math import inf
from pathlib import Path
from typing import NamedTuple

from benching.inputs import header, leaves, wide
from benching.measuring import Report, apart, processes, program

SIZE = 200_000
ATTRIBUTES = 1_000_000
MEMORY = 1024.0
LIMIT = 120
STEEPEST = 2.6  # n log n and the start of the process both show; n^1.5 would be 2.8


class Case(NamedTuple):
    """An input, its size, the commands that are run on it and the seconds that each may take."""

    name: str
    size: int
    make: Callable[[Path, int], tuple[Path, Path]]
    commands: tuple[tuple[str, ...], ...]
    seconds: float


COMMANDS = (
    ("check",),
    ("show",),
    ("show", "--format", "json"),
    ("show", "--format", "rules"),
    ("predict", "--format", "csv"),
    ("rank", "--by", "global", "--format", "csv"),
    ("rank", "--by", "local", "--format", "csv"),
    ("leaves", "--format", "csv"),
    ("labellings", "--format", "csv"),
    ("label", "--fn", "5", "--fp", "1"),
    ("audit", "--format", "csv"),
    ("curve", "--format", "csv"),
    ("explain", "--row", "17"),
    ("export", "--to", "sql"),
)
NEARBY = (("rank", "--by", "nearby", "--format", "csv"), ("proba", "--format", "csv"))
CASES = (
    Case("wide", SIZE, wide, (*COMMANDS, *NEARBY), 20.0),
    Case("leaves", SIZE, leaves, COMMANDS, 20.0),
    Case("nearby", SIZE // 20, leaves, NEARBY, inf),
    Case("header", ATTRIBUTES, header, (("check",), ("predict", "--format", "csv"), ("data",)), 30),
)


def measure(report: Report) -> None:
    """Every command on every input, at half its size and at the whole one."""
    rows = []
    for case in CASES:
        with tempfile.TemporaryDirectory() as folder:
            inputs = [apart(case.make, Path(folder), n) for n in (case.size // 2, case.size)]
            for command in case.commands:
                words = " ".join(command)
                found = processes(
                    {
                        str(k): program(command[0], *files[words == "data" :], *command[1:], "-q")
                        for k, files in enumerate(inputs)
                    },
                    1,
                    limit=LIMIT,
                )
                half, full = (cost.seconds.best for cost in found.values())
                peak = found["1"].peak
                rows.append((case.name, words, f"{half:.1f}", f"{full:.1f}",
                             f"{full / half:.2f}", f"{peak:.0f}"))  # fmt: skip
                if case.seconds < inf:
                    good = full <= case.seconds and peak <= MEMORY and full <= STEEPEST * half
                    report.goal(
                        f"{case.name} {case.size:,}: `{words}`, s, ratio to half the size, MB",
                        f"<= {case.seconds:g}, {STEEPEST:g}, {MEMORY:.0f}",
                        f"{full:.1f}, {full / half:.2f}, {peak:.0f}",
                        good,
                    )
    report.table(("input", "command", "CPU s at n/2", "at n", "ratio", "MB"), rows)
