"""The whole command `rank` on a million rows, beside Weka.

Rows of 16 numbers and a class that follows them; Weka 3.9.7 grows a J48 on 20,000 of them. Then
`j48geo rank` on all rows and, beside it, Weka loading, classifying and printing the same rows
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
    """Both on the same rows."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        large, small = apart(write_files, folder, ROWS)
        model, text = folder / "small.model", folder / "small.txt"
        weka = ["java", "-cp", weka_jar(), J48]
        with open(text, "wb") as file:
            grow = [*weka, "-t", small, "-d", model, "-no-cv"]
            subprocess.run(grow, stdout=file, stderr=subprocess.DEVNULL, check=True)
        out = ["--format", "csv", "-q", "-o", folder / "ours.csv"]
        printed = f"{PRINTED} -file {folder / 'weka.csv'} -suppress"
        found = processes(
            {
                "j48geo": program("rank", text, large, "--train", small, *out),
                "Weka": [*weka, "-l", model, "-T", large, "-classifications", printed],
            },
            REPEAT,
        )
    ours, theirs = found["j48geo"], found["Weka"]
    rows = [
        (name, f"{c.seconds.median:.1f}", f"{c.user.median:.1f}", f"{c.peak:.0f}")
        for name, c in found.items()
    ]
    # Weka writes its rows one by one, so more than half of its time is the system's.
    report.table(("1,000,000 rows", "CPU s", "user alone", "peak MB"), rows)
    what = "`rank`, CPU / Weka loading, classifying, printing"
    report.beside(what, ours.seconds, theirs.seconds, 1 / 1.5)
    share = ours.peak / theirs.peak
    report.goal("its peak memory / Weka's", "< 1", f"{share:.2f}", share < 1)
