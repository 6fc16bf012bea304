"""Growing J48's tree: compiled, in NumPy alone, and by Weka; scikit-learn beside it for scale.

Seeded data sets of 20,000 rows and 16 numbers with 2 and 26 classes, grown with default options
and with -U. CPU seconds: Weka's of a second build in a warm JVM, ours of a second call. The texts
must be equal. scikit-learn grows another tree (CART, unpruned).
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from weka_live import Weka, running_weka

from benching.measuring import Report
from j48geo.core.dataset import Attribute, Dataset, Header
from j48geo.growing.j48 import grow_j48
from j48geo.growing.options import GrowOptions
from j48geo.show.weka_text import tree_text

SETS = ((20_000, 16, 2), (20_000, 16, 26))
ALLOWED = {"numba": 0.5, "numpy": 4.0}


def make_rows(n: int, columns: int, classes: int) -> Dataset:
    """Normal numbers of three decimals; classes that depend on every column by steps, and noise."""
    rng = np.random.default_rng(48)
    X = np.round(rng.normal(size=(n, columns)), 3)
    votes = rng.normal(0, 0.5, (n, classes))
    for x in X.T:
        for _ in range(3):
            votes += np.outer(x <= rng.normal(), rng.normal(0, 1, classes))
    y = votes.argmax(axis=1)
    noisy = rng.random(n) < 0.1
    y[noisy] = rng.integers(0, classes, int(noisy.sum()))
    labels = tuple(f"c{i}" for i in range(classes))
    attributes = (
        *(Attribute(f"a{i}") for i in range(columns)),
        Attribute("class", "nominal", labels),
    )
    return Dataset(Header("made", attributes, columns), np.column_stack([X, y]), np.ones(n))


def write_arff(data: Dataset, file: Path) -> None:
    """The rows as ARFF."""
    with file.open("w", encoding="ascii") as out:
        out.write("@relation made\n")
        for attribute in data.header.attributes[:-1]:
            out.write(f"@attribute {attribute.name} numeric\n")
        out.write(f"@attribute class {{{','.join(data.header.classes)}}}\n@data\n")
        for *x, y in data.X.tolist():
            out.write(",".join(map(repr, x)) + f",c{int(y)}\n")


def seconds(work: Callable[[], object]) -> float:
    """CPU time of a second call; what the first one loads and compiles does not count."""
    work()
    started = time.process_time()
    work()
    return time.process_time() - started


def cart_seconds(data: Dataset) -> float:
    """CPU time of scikit-learn's tree."""
    from sklearn.tree import DecisionTreeClassifier

    X, y = data.X[:, :-1], data.X[:, -1]
    model = DecisionTreeClassifier(min_samples_leaf=2, criterion="entropy", random_state=0)
    return seconds(lambda: model.fit(X, y))


def measure(report: Report) -> None:
    """All data sets, with Weka running beside us."""
    with (
        tempfile.TemporaryDirectory() as folder,
        running_weka("3.9.7", fetch=True, fully_compiled=True) as weka,
    ):
        rows = [
            row
            for shape in SETS
            for row in grown(report, weka, Path(folder) / "made.arff", make_rows(*shape))
        ]
    head = ("rows, columns, classes", "options", "size", "Weka", "numba", "NumPy", "CART")
    report.table(head, rows)


def grown(report: Report, weka: Weka, file: Path, data: Dataset) -> list[tuple[str, ...]]:
    """A line of the table for each set of options."""
    write_arff(data, file)
    cart = cart_seconds(data)
    shape = f"{len(data):,}, {len(data.header) - 1}, {len(data.header.classes)}"
    rows = []
    for words in ("", "-U"):
        options = GrowOptions.of(words.split())
        theirs, text = weka.seconds(file, options=words), weka.text(file, options=words)
        took = {}
        for engine in ALLOWED:
            took[engine] = seconds(lambda: grow_j48(data, options, engine=engine))  # noqa: B023
            ratio, most = took[engine] / theirs, ALLOWED[engine]
            what = f"{engine} / Weka, {shape} {words}".strip()
            report.goal(what, f"<= {most:g}", f"{ratio:.2f}", ratio <= most)
            if tree_text(grow_j48(data, options, engine=engine)) != text:
                report.goal(what, "Weka's tree", "another", met=False)
        size = grow_j48(data, options).size
        times = (theirs, took["numba"], took["numpy"], cart)
        rows.append((shape, words, f"{size:,}", *(f"{t:.2f}" for t in times)))
    return rows
