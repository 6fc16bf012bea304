"""How CPU time and memory of every command grow with rows, leaves, attributes and classes.

Each command runs in a process of its own on made inputs of which one size grows. The slope is
that of log time over log size between the two largest, without the time that the smallest takes:
1 is linear. Little work is told as `-`: what it takes is the start of the process.
"""

from __future__ import annotations

import sys
import tempfile
from math import inf, log
from pathlib import Path
from typing import NamedTuple

from benching.inputs import leaves
from benching.measuring import Cost, Report, apart, processes, program

STEEPEST = 1.3
"""n log n, and numba loaded for the largest size alone, show; n^1.5 would be 1.5."""
LITTLE = 0.5
"""CPU seconds beyond the smallest size that are too few to tell a slope."""
LIMIT = 120
MINUTE = 60.0
WITHIN_A_MINUTE = ("show", "check", "explain", "labellings", "audit")
NEARBY = ("rank --by nearby", "proba", "evaluate", "report")
"""Commands that average over nearby leaves: each case asks a good part of all leaves."""


class Axis(NamedTuple):
    """What grows, how far, how large all else is, which commands are run, and the steepest."""

    name: str
    sizes: tuple[int, ...]
    shape: dict[str, int]
    commands: tuple[str, ...]
    steepest: float = STEEPEST


COMMANDS: dict[str, tuple[str, ...]] = {
    "check": ("MODEL", "DATA"),
    "show": ("MODEL", "DATA"),
    "data": ("DATA",),
    "predict": ("MODEL", "DATA", "--format", "csv"),
    "rank --by global": ("MODEL", "DATA", "--by", "global", "--format", "csv"),
    "rank --by nearby": ("MODEL", "DATA", "--by", "nearby", "--format", "csv"),
    "proba": ("MODEL", "DATA", "--format", "csv"),
    "fit": ("MODEL", "--train", "DATA", "-o", "OUT"),
    "explain": ("MODEL", "DATA", "--row", "17"),
    "leaves": ("MODEL", "DATA", "--format", "csv"),
    "labellings": ("MODEL", "DATA", "--format", "csv"),
    "label": ("MODEL", "DATA", "--fn", "5", "--fp", "1", "-o", "OUT"),
    "audit": ("MODEL", "DATA", "--format", "csv"),
    "curve": ("MODEL", "DATA", "--format", "csv"),
    "evaluate": ("MODEL", "DATA", "--format", "csv"),
    "report": ("MODEL", "DATA", "-o", "OUT"),
    "grow": ("DATA", "-o", "OUT"),
    "export": ("MODEL", "DATA", "--to", "sql", "-o", "OUT"),
}
POSITIVE = ("labellings", "label", "audit", "curve", "leaves", "evaluate", "report")
"""Commands that ask which class is positive where there are more than two."""
ALL = tuple(COMMANDS)
AXES = (
    Axis("rows", (1_000, 100_000, 1_000_000), {"leaves": 50, "columns": 10, "classes": 2}, ALL),
    # Rows are half as many again as leaves.
    Axis("leaves", (100, 10_000, 100_000), {"columns": 8, "classes": 2},
         tuple(name for name in ALL if name not in NEARBY)),
    Axis("leaves", (100, 2_000, 10_000), {"columns": 8, "classes": 2}, NEARBY, 1 + STEEPEST),
    Axis("columns", (10, 100, 1_000), {"rows": 2_000, "leaves": 200, "classes": 2}, ALL),
    Axis("classes", (2, 10, 30), {"rows": 20_000, "leaves": 200, "columns": 10}, ALL),
)  # fmt: skip


def slope(sizes: tuple[int, ...], seconds: list[float]) -> float | None:
    """Of log time over log size between the two largest; None where there is little work."""
    first, before, last = seconds[0], seconds[-2], seconds[-1]
    if last - first < LITTLE:
        return None
    work = max(before - first, LITTLE / 10)
    return log((last - first) / work) / log(sizes[-1] / sizes[-2])


def one(name: str, model: Path, data: Path, out: Path, classes: int) -> Cost:
    """The cost of a command; the better of two runs unless it takes long."""
    words = {"MODEL": model, "DATA": data, "OUT": out}
    arguments = [words.get(word, word) for word in COMMANDS[name]]
    if classes > 2 and name in POSITIVE:
        arguments += ["--positive", "c1"]
    command = {name: program(name.split()[0], *arguments, "-q")}
    found = processes(command, 1, limit=LIMIT)[name]
    if found.seconds.best < 15:  # the first run may have compiled a kernel
        again = processes(command, 1, limit=LIMIT)[name]
        found = min(found, again, key=lambda cost: cost.seconds.best)
    return found


def measure(report: Report, axes: tuple[Axis, ...] = AXES) -> None:
    """All commands along all axes."""
    rows, steep = [], 0
    for axis in axes:
        with tempfile.TemporaryDirectory() as folder:
            made = []
            for size in axis.sizes:
                shape = axis.shape | {axis.name: size}
                made.append(apart(leaves, Path(folder), shape.pop("leaves"), **shape))
            for name in axis.commands:
                costs = []
                for size, (model, data) in zip(axis.sizes, made, strict=True):
                    classes = size if axis.name == "classes" else axis.shape["classes"]
                    costs.append(one(name, model, data, Path(folder) / "out", classes))
                seconds = [cost.seconds.best for cost in costs]
                found = slope(axis.sizes, seconds)
                told = "-" if found is None else f"{found:.2f}"
                cells = [f"{s:.2f}" if s < inf else "failed" for s in seconds]
                peak = f"{costs[0].peak:.0f} - {costs[-1].peak:.0f}"
                sizes = " / ".join(f"{n:,}" for n in axis.sizes)
                rows.append((f"{axis.name} {sizes}", name, *cells, peak, told))
                print(*rows[-1], sep="\t", file=sys.stderr, flush=True)
                if inf in seconds or (found is not None and found > axis.steepest):
                    what = f"{name}: slope over {axis.name}"
                    report.goal(what, f"<= {axis.steepest:g}", told, met=False)
                    steep += 1
                if axis.sizes[-1] == 100_000 and name in WITHIN_A_MINUTE:
                    what = f"{name} of a tree of 100,000 leaves, s"
                    report.goal(what, f"<= {MINUTE:g}", cells[-1], met=seconds[-1] <= MINUTE)
    report.goal("commands that grow faster than n log n", "0", f"{steep} of {len(rows)}",
                met=not steep)  # fmt: skip
    head = ("size that grows", "command", "CPU s, smallest", "middle", "largest", "MB", "slope")
    report.table(head, rows)
