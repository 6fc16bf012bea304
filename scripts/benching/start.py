"""How long the program takes to start, beside Python and NumPy: the best of many runs."""

from __future__ import annotations

import compileall
import sys

from benching.measuring import ROOT, Report, processes, program

REPEAT = 15
MOST = 2.0
LATER = 0.1
"""CPU seconds that help, version and completion may take beyond Python's own start."""


def measure(report: Report) -> None:
    """`rank` on iris; help, version, completion."""
    compileall.compile_dir(str(ROOT / "j48geo"), quiet=2)  # as an installed program is
    iris = [ROOT / "fixtures" / "iris" / name for name in ("model.txt", "data.arff")]
    words = {"_J48GEO_COMPLETE": "bash_complete", "COMP_WORDS": "j48geo ra", "COMP_CWORD": "1"}
    found = processes(
        {
            "python": [sys.executable, "-c", "pass"],
            "python, import numpy": [sys.executable, "-c", "import numpy"],
            "rank on iris": program("rank", *iris),
            "--help": program("--help"),
            "--version": program("--version"),
            "rank --help": program("rank", "--help"),
        },
        REPEAT,
    )
    completing = {"completion": [sys.executable, "-m", "j48geo"]}
    found |= processes(completing, REPEAT, environment=words)
    rows = [(name, f"{c.seconds.best:.3f}", f"{c.seconds.median:.3f}", f"{c.peak:.0f}")
            for name, c in found.items()]  # fmt: skip
    report.table(("process", "CPU s, best", "median", "MB"), rows)
    numpy = found["python, import numpy"].seconds
    ratio = found["rank on iris"].seconds.best / numpy.best
    what = "`rank` on iris / `import numpy`, best of 15"
    report.goal(what, f"<= {MOST:g}", f"{ratio:.2f}", ratio <= MOST, f"{numpy.spread:.2f}")
    python = found["python"].seconds
    for name in ("--help", "--version", "completion"):
        above = found[name].seconds.best - python.best
        report.goal(f"{name}, s beyond Python", f"< {LATER:g}", f"{above:.3f}", above < LATER,
                    f"{python.spread:.2f}")  # fmt: skip
