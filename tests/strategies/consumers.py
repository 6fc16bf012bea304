"""The programs that exports are made for, each asked about rows: what they really answer."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import struct
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import isnan, nan
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from j48geo.arrays import Floats
from j48geo.core.dataset import Header

ROW = "(row of the test)"
"""A column that numbers the rows, since a database gives them in any order."""

COMPILED = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic")


@dataclass(frozen=True, eq=False)
class Answers:
    """What a consumer said of each row: leaf from 1, label and weights; None where it is silent."""

    leaf: list[int | None]
    label: list[str | None]
    distribution: Floats


def require_program(name: str) -> None:
    """Skip the test that asks for a program which is not here."""
    if shutil.which(name) is None:
        pytest.skip(f"no {name} on the PATH")


# ---------------------------------------------------------------------------------- gcc

_DRIVER = """
#include <stdio.h>
int main(void)
{
    static REAL x[COLUMNS], p[J48_CLASSES];
    while (fread(x, sizeof(REAL), COLUMNS, stdin) == COLUMNS) {
        int c = j48_class(x);
        j48_distribution(x, p);
        if (fwrite(&c, sizeof c, 1, stdout) != 1
            || fwrite(p, sizeof(REAL), J48_CLASSES, stdout) != J48_CLASSES) {
            return 1;
        }
    }
    return 0;
}
"""

_LABELS = """
#include <string.h>
int main(void)
{
    int k;
    for (k = 0; k < J48_CLASSES; k++) {
        unsigned long n = strlen(j48_labels[k]);
        if (fwrite(&n, sizeof n, 1, stdout) != 1 || fwrite(j48_labels[k], 1, n, stdout) != n) {
            return 1;
        }
    }
    return 0;
}
"""


def compile_c(source: str, folder: Path, *flags: str) -> Path:
    """The program of a C source; every warning is an error."""
    require_program("gcc")
    (folder / "tree.c").write_bytes(source.encode("utf-8", "surrogateescape"))
    done = subprocess.run(
        ["gcc", *COMPILED, *flags, "tree.c", "-o", "tree"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[:2000]
    return folder / "tree"


def ask_c(source: str, X: Floats, classes: int, folder: Path) -> tuple[Any, Floats]:
    """Class index and distribution of every row, by a program that gcc made."""
    single = "const float *x" in source
    real = "float" if single else "double"
    driver = _DRIVER.replace("REAL", real).replace("COLUMNS", str(X.shape[1]))
    program = compile_c(source + driver, folder, "-O1")
    with np.errstate(over="ignore"):
        given = X.astype(np.float32 if single else np.float64).tobytes()
    said = subprocess.run([program], input=given, capture_output=True, check=True).stdout
    answer = np.dtype([("class", "<i4"), ("p", "<f4" if single else "<f8", (classes,))])
    found = np.frombuffer(said, answer)
    assert len(found) == len(X)
    return found["class"].astype(np.intp), found["p"].astype(np.float64)


def labels_of_c(source: str, folder: Path) -> list[bytes]:
    """The labels as a C program sees them."""
    program = compile_c(f"#include <stdio.h>\n{source}{_LABELS}", folder, "-O0")
    said = subprocess.run([program], capture_output=True, check=True).stdout
    found = []
    while said:
        (n,) = struct.unpack("<Q", said[:8])
        found.append(said[8 : 8 + n])
        said = said[8 + n :]
    return found


# ----------------------------------------------------------------------------- JavaScript

_NODE = """
const fs = require("fs"), vm = require("vm");
const made = JSON.parse(fs.readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(made.map(function (one) {
  vm.runInThisContext(one.source);  // defines j48, as a page's script element would
  return one.rows.map(function (cells) {
    const row = Object.create(null);
    one.names.forEach(function (name, k) { row[name] = cells[k]; });
    const said = j48(row);
    return [said.leaf, said.class, said.distribution];
  });
})));
"""


def ask_node(asked: list[tuple[str, Header, tuple[int, ...], Floats]]) -> list[Answers]:
    """What node says of the rows of several scripts: source, header, columns, rows."""
    require_program("node")
    tasks = [
        {
            "source": source,
            "names": [header.attributes[a].name for a in used],
            "rows": list(cells(header, used, X)),
        }
        for source, header, used, X in asked
    ]
    done = subprocess.run(
        ["node", "-e", _NODE],
        input=json.dumps(tasks),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr[:2000]
    found = []
    for rows in json.loads(done.stdout):
        weights = [[nan if w is None else w for w in row[2]] for row in rows]
        found.append(Answers([r[0] for r in rows], [r[1] for r in rows], np.array(weights)))
    return found


def cells(header: Header, used: tuple[int, ...], X: Floats) -> Iterator[list[Any]]:
    """Rows as other programs hold them: numbers, labels, None where a value is missing."""
    attributes = [header.attributes[a] for a in used]
    for row in X[:, list(used)].tolist():
        yield [
            None if isnan(x) else a.values[int(x)] if a.is_nominal else x
            for a, x in zip(attributes, row, strict=True)
        ]


# -------------------------------------------------------------------------------- databases


def _columns(header: Header, used: tuple[int, ...]) -> list[tuple[str, str]]:
    found = [(f'"{ROW}"', "INTEGER")]
    for a in used:
        attribute = header.attributes[a]
        name = attribute.name.replace('"', '""')
        found.append((f'"{name}"', "TEXT" if attribute.is_nominal else "DOUBLE PRECISION"))
    return found


def _answers(rows: list[Any], used: tuple[int, ...]) -> Answers:
    at = 1 + len(used)
    rows = sorted(rows, key=lambda row: int(row[0]))
    weights = [[float(w) for w in row[at + 2 :]] for row in rows]
    leaves = [None if row[at] in (None, "") else int(row[at]) for row in rows]
    return Answers(leaves, [row[at + 1] for row in rows], np.array(weights))


def ask_sqlite(
    query: str, header: Header, used: tuple[int, ...], X: Floats, table: str = "cases"
) -> Answers:
    """What SQLite says."""
    columns = _columns(header, used)
    name = '"' + table.replace('"', '""') + '"'
    with sqlite3.connect(":memory:") as base:
        base.execute(f"CREATE TABLE {name} ({', '.join(f'{n} {k}' for n, k in columns)})")
        marks = ", ".join("?" * len(columns))
        rows = ([k, *row] for k, row in enumerate(cells(header, used, X)))
        base.executemany(f"INSERT INTO {name} VALUES ({marks})", rows)
        records = base.execute(query).fetchall()
    base.close()
    return _answers(records, used)


def ask_duckdb(
    query: str, header: Header, used: tuple[int, ...], X: Floats, table: str = "cases"
) -> Answers:
    """What DuckDB says."""
    import duckdb
    import pyarrow as pa

    columns = _columns(header, used)
    name = '"' + table.replace('"', '""') + '"'
    rows = list(cells(header, used, X))
    arrays = [pa.array(range(len(rows)), pa.int64())]
    for k, a in enumerate(used):
        kind = pa.string() if header.attributes[a].is_nominal else pa.float64()
        arrays.append(pa.array([row[k] for row in rows], kind))
    given = pa.table(arrays, names=[f"c{k}" for k in range(len(arrays))])
    with duckdb.connect() as base:
        base.execute(f"CREATE TABLE {name} ({', '.join(f'{n} {k}' for n, k in columns)})")
        base.register("given", given)
        base.execute(f"INSERT INTO {name} SELECT * FROM given")
        records = base.execute(query).fetchall()
    return _answers(records, used)


class NoPostgresError(Exception):
    """PostgreSQL is not here, or does not start."""


@dataclass(frozen=True)
class Postgres:
    """A server of our own, reached by its socket."""

    psql: tuple[str, ...]

    def run(self, script: str) -> str:
        """What a script prints."""
        done = subprocess.run(
            [*self.psql, "-f", "-"], input=script.encode(), capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr.decode()[:2000]
        return done.stdout.decode()

    def ask(
        self, query: str, header: Header, used: tuple[int, ...], X: Floats, table: str = "cases"
    ) -> Answers:
        """What PostgreSQL says."""
        columns = _columns(header, used)
        name = '"' + table.replace('"', '""') + '"'
        rows = [[k, *row] for k, row in enumerate(cells(header, used, X))]
        given = "".join("\t".join(map(_to_copy_cell, row)) + "\n" for row in rows)
        kinds = ", ".join(f"{n} {k}" for n, k in columns)
        script = (
            f"CREATE TEMP TABLE {name} ({kinds});\nCOPY {name} FROM STDIN;\n{given}\\.\n"
            f"COPY (\n{query}) TO STDOUT;\n"
        )
        said = self.run(script).split("\n")[:-1]
        return _answers([list(map(_from_copy_cell, line.split("\t"))) for line in said], used)


_ESCAPES = {
    "\\": "\\\\",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\b": "\\b",
    "\f": "\\f",
    "\v": "\\v",
}


def _to_copy_cell(cell: Any) -> str:
    """A cell as PostgreSQL's COPY reads it."""
    if cell is None:
        return "\\N"
    return "".join(_ESCAPES.get(c, c) for c in str(cell))


def _from_copy_cell(cell: str) -> str | None:
    """And as it writes it."""
    if cell == "\\N":
        return None
    back = {after: before for before, after in _ESCAPES.items()}
    return re.sub(r"\\.", lambda found: back[found[0]], cell)


@contextmanager
def running_postgres(folder: Path) -> Iterator[Postgres]:
    """A PostgreSQL server on a socket in a folder of its own; initdb refuses root."""
    ordered = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))  # Debian's place
    named = shutil.which("initdb")
    if not ordered and named is None:
        raise NoPostgresError("initdb was not found")
    initdb = str(ordered[-1] if ordered else Path(str(named)).resolve())
    home = Path(initdb).parent
    as_user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    if as_user:
        shutil.chown(folder, "postgres")
        for above in (folder, *folder.parents):
            if not above.stat().st_mode & 0o001 and above.owner() != "postgres":
                raise NoPostgresError(f"user postgres may not enter {above}")
    data, log = folder / "data", folder / "log"
    control = [*as_user, str(home / "pg_ctl"), "-D", str(data), "-w", "-l", str(log)]
    options = f"-c listen_addresses='' -c unix_socket_directories='{folder}' -c fsync=off"
    options += " -c statement_timeout=60s"  # a query must not outlive its test for long
    made = [*as_user, initdb, "-D", str(data), "-A", "trust", "-U", "postgres", "-E", "UTF8"]
    for command in ([*made, "--locale=C"], [*control, "-o", options, "start"]):
        done = subprocess.run(
            command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False
        )
        if done.returncode:
            raise NoPostgresError(done.stderr.decode(errors="replace").strip()[-300:])
    try:
        psql = (str(home / "psql"), "-h", str(folder), "-U", "postgres", "-d", "postgres")
        yield Postgres((*psql, "-X", "-q", "-v", "ON_ERROR_STOP=1"))
    finally:
        subprocess.run(
            [*control, "-m", "immediate", "stop"],
            cwd=folder,
            check=False,
            stdout=subprocess.DEVNULL,
        )


# ------------------------------------------------------------------------------------- ONNX


def ask_onnx(model: bytes, X: Floats) -> Answers:
    """What onnxruntime says."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    leaf, label, distribution = session.run(["leaf", "class", "distribution"], {"X": X})
    return Answers(leaf.tolist(), label.tolist(), distribution)
