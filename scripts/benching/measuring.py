"""How the parts of the benchmark measure, and what they tell.

Times are CPU seconds, of a call or of a whole process. Where two are compared, their runs take
turns, so that what else the machine does falls on both; their ratio is that of the medians, and
the spread of the other's runs (slowest by quickest) is told beside it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from math import inf
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import NamedTuple, TypeVar

T = TypeVar("T")

ROOT = Path(__file__).resolve().parent.parent.parent


class Goal(NamedTuple):
    """What is asked, what was measured, how far the other's runs were apart, and the verdict."""

    what: str
    wanted: str
    measured: str
    spread: str
    met: bool


@dataclass
class Report:
    """What a part found: goals, and tables in Markdown."""

    goals: list[Goal] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)

    def goal(self, what: str, wanted: str, measured: str, met: bool, spread: str = "") -> None:
        """One line of the table of goals."""
        self.goals.append(Goal(what, wanted, measured, spread, bool(met)))
        verdict = "" if met else ", MISSED"
        print(f"  {what}: {measured}, wanted {wanted}{verdict}", file=sys.stderr, flush=True)

    def beside(self, what: str, ours: Times, theirs: Times, most: float) -> None:
        """Our time is at most `most` times theirs."""
        ratio = ours.median / theirs.median
        self.goal(what, f"<= {most:.3g}", f"{ratio:.3g}", ratio <= most, f"{theirs.spread:.2f}")

    def table(self, head: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        """A table of what was measured."""
        self.lines += [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
        self.lines += [f"| {' | '.join(map(str, row))} |" for row in rows]
        self.lines.append("")


class Times(tuple[float, ...]):
    """CPU seconds of several runs of the same."""

    __slots__ = ()

    @property
    def best(self) -> float:
        """The quickest run."""
        return min(self)

    @property
    def median(self) -> float:
        """The run in the middle."""
        return median(self)

    @property
    def spread(self) -> float:
        """The slowest run by the quickest."""
        return max(self) / min(self)


def calls(works: Mapping[str, Callable[[], object]], repeat: int) -> dict[str, Times]:
    """CPU time of calls (of all threads together) that take turns."""
    found: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(repeat):
        for name, work in works.items():
            start = time.process_time()
            work()
            found[name].append(time.process_time() - start)
    return {name: Times(times) for name, times in found.items()}


class Cost(NamedTuple):
    """What the runs of a process took: CPU time, that outside the kernel, the clock, peak MB."""

    seconds: Times
    user: Times
    clock: Times
    peak: float


def processes(
    commands: Mapping[str, Sequence[object]],
    repeat: int,
    *,
    limit: int | None = None,
    environment: Mapping[str, str] | None = None,
) -> dict[str, Cost]:
    """The cost of whole processes that take turns; one that fails takes infinitely long.

    Parameters
    ----------
    limit
        CPU seconds after which a process is ended, and has failed.
    environment
        Variables beside those of this process.
    """
    variables = os.environ | {"PYTHONPATH": str(ROOT)} | dict(environment or {})
    variables.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed program is compiled
    guard = [] if limit is None else ["prlimit", f"--cpu={limit}"]
    found: dict[str, list[tuple[float, float, float, float]]] = {name: [] for name in commands}
    for _ in range(repeat):
        for name, command in commands.items():
            start = time.perf_counter()
            process = subprocess.Popen(
                [*guard, *map(str, command)],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=variables,
            )
            _, status, usage = os.wait4(process.pid, 0)
            clock = time.perf_counter() - start
            process.returncode = os.waitstatus_to_exitcode(status)
            whole = usage.ru_utime + usage.ru_stime if process.returncode == 0 else inf
            found[name].append((whole, usage.ru_utime, clock, usage.ru_maxrss / 1024))
    return {
        name: Cost(*(Times(run[k] for run in runs) for k in range(3)), min(run[3] for run in runs))
        for name, runs in found.items()
    }


def apart(work: Callable[..., T], *arguments: object, **named: object) -> T:
    """``work(...)`` in a process of its own.

    The peak of a process counts what its parent held when it was started, so whoever measures
    must not hold large things.
    """
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(work, *arguments, **named).result()


def program(command: str, *arguments: object) -> list[object]:
    """``j48geo COMMAND`` as a process."""
    return [sys.executable, "-m", "j48geo", command, *arguments]


def weka_jar() -> str:
    """The jar of Weka 3.9.7."""
    return subprocess.run(
        [sys.executable, ROOT / "scripts" / "weka_jar", "3.9.7"],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout.strip()


def short(number: float) -> str:
    """Three digits and a unit."""
    for size, unit in ((1e6, "M"), (1e3, "k")):
        if number >= size:
            return f"{number / size:.3g}{unit}"
    return f"{number:.3g}"
