"""How fast the consumers of exports answer 200,000 rows, beside `predict`.

The tree of fixtures/pima, rows drawn from its data. Seconds are those of the answers alone: the
rows are in memory (in a table, for a database) before the clock starts, and every consumer uses
one thread. CPU seconds, best of three; PostgreSQL's are its own, by the clock on the wall, and
it is left out where it is not. Each answer must be that of `predict`.
"""

from __future__ import annotations

import ctypes
import json
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from math import inf
from pathlib import Path

import numpy as np
from consumers import COMPILED, NoPostgresError, running_postgres

import j48geo
from benching.measuring import ROOT, Report

ROWS = 200_000
REPEAT = 3


def seconds(work: Callable[[], object]) -> float:
    """CPU seconds, best of the repeats."""
    best = inf
    for _ in range(REPEAT):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def by_c(source: str, X: np.ndarray, folder: Path) -> tuple[float, np.ndarray]:
    """A loop over the rows around the exported function, as a shared library."""
    real, number = ("float", np.float32) if "const float *x" in source else ("double", np.float64)
    loop = f"""
void j48_all(const {real} *x, int *c, long n, long columns);
void j48_all(const {real} *x, int *c, long n, long columns)
{{
    long i;
    for (i = 0; i < n; i++) {{
        c[i] = j48_class(&x[i * columns]);
    }}
}}
"""
    (folder / "tree.c").write_text(source + loop, encoding="utf-8")
    subprocess.run(
        ["gcc", *COMPILED, "-O2", "-shared", "-fPIC", "tree.c", "-o", f"{real}.so"],
        cwd=folder,
        check=True,
    )
    made = ctypes.CDLL(str(folder / f"{real}.so"))
    rows = np.ascontiguousarray(X, dtype=number)
    found = np.empty(len(X), dtype=np.intc)
    arguments = (
        ctypes.c_void_p(rows.ctypes.data),
        ctypes.c_void_p(found.ctypes.data),
        ctypes.c_long(len(X)),
        ctypes.c_long(X.shape[1]),
    )
    return seconds(lambda: made.j48_all(*arguments)), found


_NODE = """
const fs = require("fs"), vm = require("vm");
vm.runInThisContext(fs.readFileSync("tree.js", "utf8"));
const names = JSON.parse(process.argv[1]);
const all = new Float64Array(fs.readFileSync("rows").buffer), n = all.length / names.length;
const rows = [];
for (let i = 0; i < n; i++) {
  const row = {};
  names.forEach(function (name, k) { row[name] = all[i * names.length + k]; });
  rows.push(row);
}
let best = Infinity;
const said = new Int32Array(n);
for (let again = 0; again < 3; again++) {
  const start = process.cpuUsage();
  for (let i = 0; i < n; i++) said[i] = j48.labels.indexOf(j48(rows[i]).class);
  const used = process.cpuUsage(start);
  best = Math.min(best, (used.user + used.system) / 1e6);
}
fs.writeFileSync("said", Buffer.from(said.buffer));
console.log(best);
"""


def by_node(source: str, names: list[str], X: np.ndarray, folder: Path) -> tuple[float, np.ndarray]:
    """Objects in an array, one call for each."""
    (folder / "tree.js").write_text(source, encoding="utf-8")
    (folder / "rows").write_bytes(np.ascontiguousarray(X[:, : len(names)]).tobytes())
    done = subprocess.run(
        ["node", "--max-old-space-size=4096", "-e", _NODE, json.dumps(names)],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return float(done.stdout), np.frombuffer((folder / "said").read_bytes(), np.int32)


def by_sqlite(query: str, names: list[str], X: np.ndarray) -> tuple[float, list[str]]:
    """A table in memory; only the classes are fetched."""
    base = sqlite3.connect(":memory:")
    columns = ", ".join(f'"{name}" REAL' for name in names)
    base.execute(f"CREATE TABLE cases ({columns})")
    marks = ", ".join("?" * len(names))
    base.executemany(f"INSERT INTO cases VALUES ({marks})", X[:, : len(names)].tolist())
    found: list[str] = []

    def work() -> None:
        rows = base.execute(f"SELECT j48_class FROM ({query})").fetchall()
        found[:] = [row[0] for row in rows]

    took = seconds(work)
    base.close()
    return took, found


def by_duckdb(query: str, names: list[str], X: np.ndarray) -> tuple[float, list[str]]:
    """The same in DuckDB."""
    import duckdb
    import pyarrow as pa

    given = pa.table({name: X[:, k] for k, name in enumerate(names)})
    found: list[str] = []
    with duckdb.connect(config={"threads": 1}) as base:
        base.register("given", given)
        base.execute("CREATE TABLE cases AS SELECT * FROM given")

        def work() -> None:
            rows = base.execute(f"SELECT j48_class FROM ({query})").fetchnumpy()
            found[:] = rows["j48_class"].tolist()

        return seconds(work), found


def by_postgres(query: str, names: list[str], X: np.ndarray) -> tuple[float, list[str]]:
    """A table of a server of our own; seconds are those that it tells, by the clock on the wall."""
    columns = ", ".join(f'"{name}" DOUBLE PRECISION' for name in names)
    rows = "".join(
        "\t".join(map(repr, row)) + "\n" for row in ([k, *x] for k, x in enumerate(X.tolist()))
    )
    asked = f"SELECT number, j48_class FROM ({query}) AS asked"
    script = (
        f"CREATE TEMP TABLE cases (number INTEGER, {columns}, class DOUBLE PRECISION);\n"
        f"COPY cases FROM STDIN;\n{rows}\\.\n"
        "SET max_parallel_workers_per_gather = 0;\n"
        + f"EXPLAIN (ANALYZE, TIMING OFF) {asked};\n" * REPEAT
        + f"COPY ({asked} ORDER BY number) TO STDOUT;\n"
    )
    with (
        tempfile.TemporaryDirectory(prefix="j48geo-") as place,
        running_postgres(Path(place)) as server,
    ):
        lines = server.run(script).splitlines()
    took = [float(line.split()[2]) / 1000 for line in lines if "Execution Time:" in line]
    return min(took), [line.split("\t")[1] for line in lines if "\t" in line]


def by_onnx(model: bytes, X: np.ndarray) -> tuple[float, list[str]]:
    """One call with all rows."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    found: list[str] = []

    def work() -> None:
        found[:] = session.run(["class"], {"X": X})[0].tolist()

    return seconds(work), found


def c_size(float32: bool) -> str:
    """Bytes of code and tables, as ``size`` counts them, of a numeric tree of 127 nodes."""
    lines: list[str] = []

    def grow(low: int, high: int, depth: int) -> None:
        middle, bar = (low + high) // 2, "|   " * depth
        for sign, (a, b) in (("<=", (low, middle)), (">", (middle, high))):
            test = f"{bar}x{depth} {sign} {middle}.5"
            if b - a == 1:
                lines.append(f"{test}: {'no' if a % 2 else 'yes'} (3.0)")
            else:
                lines.append(test)
                grow(a, b, depth + 1)

    grow(0, 64, 0)
    model = j48geo.load("\n".join(lines) + "\n")
    assert model.tree.size == 127
    with tempfile.TemporaryDirectory() as folder:
        source = str(model.to("c", **({"float32": True} if float32 else {})))
        (Path(folder) / "tree.c").write_text(source, encoding="utf-8")
        subprocess.run(["gcc", *COMPILED, "-Os", "-c", "tree.c"], cwd=folder, check=True)
        said = subprocess.run(
            ["size", "-A", "tree.o"], cwd=folder, capture_output=True, text=True, check=True
        ).stdout
    sizes = {line.split()[0]: int(line.split()[1]) for line in said.splitlines() if "." in line[:1]}
    tables = sum(n for name, n in sizes.items() if name.startswith((".rodata", ".data")))
    return f"{sizes['.text']} bytes of code, {tables} of tables"


def measure(report: Report) -> None:
    """Every consumer on the same rows."""
    folder = ROOT / "fixtures" / "pima"
    model = j48geo.load(folder / "model.txt", train=folder / "data.arff")
    data = j48geo.read_arff(folder / "data.arff")
    X = np.ascontiguousarray(data.X[np.random.default_rng(1).integers(0, len(data.X), ROWS)])
    names = [name for k, name in enumerate(model.header.names) if k != model.header.class_index]
    wanted: list[np.ndarray] = []
    table = [("`Model.predict`", seconds(lambda: wanted.append(model.predict(X))), True)]
    labels = np.array(model.classes, dtype=object)
    with tempfile.TemporaryDirectory() as place:
        work = Path(place)
        for title, result in (
            ("c, gcc -O2", lambda: by_c(str(model.to("c")), X, work)),
            ("c --float32, gcc -O2", lambda: by_c(str(model.to("c", float32=True)), X, work)),
            ("js, node", lambda: by_node(str(model.to("js")), names, X, work)),
            ("sql, SQLite", lambda: by_sqlite(str(model.to("sql")), names, X)),
            ("sql, DuckDB", lambda: by_duckdb(str(model.to("sql")), names, X)),
            ("sql, PostgreSQL (wall)", lambda: by_postgres(str(model.to("sql")), names, X)),
            ("onnx, onnxruntime", lambda: by_onnx(bytes(model.to("onnx")), X)),
        ):
            try:
                took, said = result()
            except NoPostgresError as error:
                print(f"left out: {error}", file=sys.stderr)
                continue
            found = said if isinstance(said, list) else labels[said].tolist()
            table.append((title, took, found == wanted[0].tolist()))
    report.table(("consumer", "seconds"), [(title, f"{took:.2f}") for title, took, _ in table])
    different = [title for title, _, same in table if not same]
    report.goal("consumers that answer as `predict` does", f"all {len(table)}",
                ", ".join(different) or f"all {len(table)}", met=not different)  # fmt: skip
    report.lines += [
        f"C of a tree of 127 nodes, gcc -Os: {c_size(False)}; float32: {c_size(True)}."
    ]
