"""The whole commands `rank`, `predict` and `proba` on a million rows, beside Weka.

Rows of 16 numbers and a class that follows them; Weka 3.9.7 grows a J48 on 20,000 of them. Then
these commands on all rows and, beside them, Weka loading, classifying and printing the same rows
(`-l model -T file -classifications CSV`).
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

import numpy as np

from benching.measuring import Report, apart, processes, program, weka_jar

ROWS = 1_000_000
REPEAT = 1  # Weka alone takes half a minute
J48 = "weka.classifiers.trees.J48"
COMMANDS = {
    "rank --by global": 4.5,
    "predict": 5.0,
    "proba --method gdk": 1.0,
    "proba --method nearby": 1.0,
}
"""How many times as fast as Weka each is wanted to be."""
PRINTED = "weka.classifiers.evaluation.output.prediction.CSV"


def write_files(folder: Path, rows: int) -> tuple[Path, Path]:
    """The large file, and its beginning for growing the tree."""
    chance = np.random.default_rng(5)
    header = "@relation rank\n" + "".join(f"@attribute a{i} numeric\n" for i in range(16))
    header += "@attribute class {no,yes}\n@data\n"
    large, small = folder / "large.arff", folder / "small.arff"
    with open(large, "w") as whole, open(small, "w") as part:
        whole.write(header)
        part.write(header)
        for start in range(0, rows, 50_000):
            X = chance.normal(size=(min(50_000, rows - start), 16)).round(4)
            z = X[:, 0] * X[:, 1] + X[:, 2] + np.sin(3 * X[:, 3]) + chance.normal(0, 0.5, len(X))
            lines = [
                ",".join(map(repr, row)) + (",yes\n" if up else ",no\n")
                for row, up in zip(X.tolist(), z > 0.8, strict=True)
            ]
            whole.writelines(lines)
            if start == 0:
                part.writelines(lines[:20_000])
    return large, small


def measure(report: Report) -> None:
    """All on the same rows, ours again with one thread."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        large, small = apart(write_files, folder, ROWS)
        model, text = folder / "small.model", folder / "small.txt"
        weka = ["java", "-cp", weka_jar(), J48]
        with open(text, "wb") as file:
            grow = [*weka, "-t", small, "-d", model, "-no-cv"]
            subprocess.run(grow, stdout=file, stderr=subprocess.DEVNULL, check=True)
        given = [text, large, "--train", small]
        out = ["--format", "csv", "-q", "-o", folder / "ours.csv"]
        ours = {words: program(*words.split(), *given, *out) for words in COMMANDS}
        printed = f"{PRINTED} -file {folder / 'weka.csv'} -suppress"
        theirs = [*weka, "-l", model, "-T", large, "-classifications", printed]
        found = processes({"Weka": theirs, **ours}, REPEAT)
        alone = processes(ours, REPEAT, environment={"J48GEO_THREADS": "1"})
    rows = []
    for name, c in found.items():
        one = f"{alone[name].clock.median:.1f}" if name in alone else ""
        times = (c.seconds.median, c.user.median, c.clock.median)
        rows.append((name, *(f"{t:.1f}" for t in times), one, f"{c.peak:.0f}"))
    # Weka writes its rows one by one, so more than half of its time is the system's.
    head = ("command", "CPU s", "user alone", "on the clock", "with one thread", "peak MB")
    report.table(head, rows)
    weka_cost = found.pop("Weka")
    for name, c in found.items():
        report.beside(f"`{name}` / Weka, CPU", c.seconds, weka_cost.seconds, 1 / COMMANDS[name])
        share = c.peak / weka_cost.peak
        report.goal(f"`{name}` / Weka, peak memory", "< 1", f"{share:.2f}", share < 1)
    what = "`rank --by global` / Weka, user time alone"
    report.beside(what, found["rank --by global"].user, weka_cost.user, 1 / 1.6)
