"""Reading ARFF: ours, Weka's own and liac-arff side by side.

A million rows of 16 numbers and a class, about 134 MB, loaded whole. `load` is the CPU time of
loading alone, the best of three in one process (one for liac-arff); `process` that of a whole
process that loads once, its start included; `peak` the memory of the latter.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benching.measuring import ROOT, Report, apart, weka_jar

ROWS = 1_000_000
REPEAT = 3
TIMED = """
import time
{imports}
best = float("inf")
for _ in range({times}):
    start = time.process_time()
    rows = len({load})
    best = min(best, time.process_time() - start)
print(rows, best)
"""
OURS = "from j48geo.data.arff.stream import read_arff"
READERS = {
    "j48geo, numba": (OURS, "read_arff({file!r}, engine='numba')"),
    "j48geo, NumPy": (OURS, "read_arff({file!r}, engine='numpy')"),
    "Weka 3.9.7": None,
    "liac-arff": ("import arff", "arff.load(open({file!r}))['data']"),
}
SLOW = ("liac-arff",)


def write_file(path: Path, rows: int) -> None:
    """The file that all of them read."""
    chance = np.random.default_rng(1)
    labels = ["alpha", "beta", "gamma"]
    with path.open("w") as file:
        file.write("@relation bench\n")
        file.writelines(f"@attribute a{index} numeric\n" for index in range(16))
        file.write(f"@attribute class {{{','.join(labels)}}}\n@data\n")
        for start in range(0, rows, 10_000):
            count = min(10_000, rows - start)
            numbers = chance.normal(scale=30, size=(count, 16)).round(4)
            classes = chance.integers(len(labels), size=count)
            for row, label in zip(numbers.tolist(), classes.tolist(), strict=True):
                file.write(",".join(map(repr, row)) + f",{labels[label]}\n")


class Metrics(NamedTuple):
    """What a process took: CPU seconds of loading and in all, and its peak memory in MB."""

    load: float
    process: float
    peak: float


def run(command: list[str], rows: int) -> Metrics:
    """Run a process that prints rows and seconds."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True)
    assert process.stdout is not None
    answer = process.stdout.read().split()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if answer[:1] != [str(rows)]:
        raise SystemExit(f"{command[0]}: {answer} rows, expected {rows}")
    return Metrics(float(answer[1]), usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def weka_command(file: Path, folder: Path) -> list[str]:
    """The command by which Weka loads the file."""
    jar = weka_jar()
    source = ROOT / "scripts" / "java" / "ArffDump.java"
    subprocess.run(["javac", "-cp", jar, "-d", folder, source], check=True)
    return ["java", "-cp", f"{jar}{os.pathsep}{folder}", "ArffDump", "--load", str(file)]


def measure(report: Report) -> None:
    """Load the same file with each reader."""
    results: dict[str, Metrics] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = folder / "bench.arff"
        apart(write_file, file, ROWS)
        for reader, code in READERS.items():
            if code is None:
                weka = weka_command(file, folder)
                commands = [[*weka, str(times)] for times in (1, REPEAT)]
            else:
                imports, load = code[0], code[1].replace("{file!r}", repr(str(file)))
                commands = [
                    [sys.executable, "-c", TIMED.format(imports=imports, times=times, load=load)]
                    for times in (1, REPEAT)
                ]
            once = run(commands[0], ROWS)
            again = once if reader in SLOW else run(commands[1], ROWS)
            results[reader] = once._replace(load=min(once.load, again.load))
    rows = [(name, f"{r.load:.2f}", f"{r.process:.2f}", f"{r.peak:.0f}")
            for name, r in results.items()]  # fmt: skip
    report.table(("reader", "load s", "process s", "peak MB"), rows)
    numba, weka_result = results["j48geo, numba"], results["Weka 3.9.7"]
    for what, ratio, most in (
        ("numba / Weka, load", numba.load / weka_result.load, 1 / 3),
        ("numba / Weka, peak memory", numba.peak / weka_result.peak, 1.0),
        ("numba / liac-arff, load", numba.load / results["liac-arff"].load, 1 / 12),
        ("NumPy / Weka, load", results["j48geo, NumPy"].load / weka_result.load, 2.5),
    ):
        report.goal(what, f"<= {most:.2g}", f"{ratio:.2g}", ratio <= most)
