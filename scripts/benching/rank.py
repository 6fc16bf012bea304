"""The whole commands `rank` and `predict` on a million rows, beside Weka.

Rows of 16 numbers and a class that follows them; Weka 3.9.7 grows a J48 on 20,000 of them. Then
both commands on all rows and, beside them, Weka loading, classifying and printing the same rows
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
        ours = [text, large, "--train", small, "--format", "csv", "-q", "-o", folder / "ours.csv"]
        printed = f"{PRINTED} -file {folder / 'weka.csv'} -suppress"
        found = processes(
            {
                "rank": program("rank", *ours),
                "predict": program("predict", *ours),
                "Weka": [*weka, "-l", model, "-T", large, "-classifications", printed],
            },
            REPEAT,
        )
    rows = [
        (name, f"{c.seconds.median:.1f}", f"{c.user.median:.1f}", f"{c.peak:.0f}")
        for name, c in found.items()
    ]
    # Weka writes its rows one by one, so more than half of its time is the system's.
    report.table(("1,000,000 rows", "CPU s", "user alone", "peak MB"), rows)
    weka_cost = found.pop("Weka")
    for name, cost in found.items():
        what = f"`{name}`, CPU / Weka loading, classifying, printing"
        report.beside(what, cost.seconds, weka_cost.seconds, 1 / 1.5)
        share = cost.peak / weka_cost.peak
        report.goal(f"`{name}`, peak memory / Weka's", "< 1", f"{share:.2f}", share < 1)
