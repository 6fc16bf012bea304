"""Numbers in SQL: every database reads the very double that was meant."""

from __future__ import annotations

import shutil
import sqlite3
import struct
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from consumers import Postgres

from j48geo.export.sql import _double

CAST_IS_LOW = 105.512791
"""SQLite 3.40 reads CAST('105.512791' AS DOUBLE PRECISION) as the double below."""

AT_ONCE = 500


def random_thresholds(n: int) -> list[float]:
    """Short decimals as in data, means of two of them, and doubles of any size."""
    random = Random(20)
    numbers = [CAST_IS_LOW, 0.0, -0.0, 5e-324, -2.2250738585072014e-308, 1.7976931348623157e308]
    numbers += [2.0**52, 2.0**53 + 2, -(2.0**1000), 1e22, 1e23, 1 / 3]
    while len(numbers) < n:
        short = round(random.uniform(-500, 500), random.randint(0, 8))
        numbers += [short, (short + round(random.uniform(-500, 500), 3)) / 2]
        (any_double,) = struct.unpack("<d", random.randbytes(8))
        if abs(any_double) < float("inf"):
            numbers.append(any_double)
        numbers.append(random.random() * 10.0 ** random.randint(-12, 12))
    return numbers[:n]


def batches(expressions: list[str]) -> Iterator[list[str]]:
    return (expressions[k : k + AT_ONCE] for k in range(0, len(expressions), AT_ONCE))


def ask_sqlite_of_python(expressions: list[str], _: Path) -> list[float]:
    with sqlite3.connect(":memory:") as base:
        answers = [base.execute(f"SELECT {text}").fetchone()[0] for text in expressions]
    base.close()
    return answers


def ask_sqlite_of_the_system(expressions: list[str], folder: Path) -> list[float]:
    program = shutil.which("sqlite3")
    if program is None:
        pytest.skip("no sqlite3 here")
    file = folder / "numbers.db"
    script = ["CREATE TABLE t (k INTEGER PRIMARY KEY, x REAL);", "BEGIN;"]
    script += [f"INSERT INTO t (x) VALUES ({text});" for text in expressions]
    script += ["COMMIT;"]
    subprocess.run([program, file], input="\n".join(script).encode(), check=True)
    with sqlite3.connect(file) as base:  # the bytes of the doubles, as that program stored them
        answers = [x for (x,) in base.execute("SELECT x FROM t ORDER BY k")]
    base.close()
    return answers


def ask_duckdb(expressions: list[str], _: Path) -> list[float]:
    import duckdb

    answers: list[float] = []
    with duckdb.connect() as base:
        for part in batches(expressions):
            answers += base.execute(f"SELECT {', '.join(part)}").fetchone() or ()
    return answers


@pytest.mark.parametrize(
    "ask", [ask_sqlite_of_python, ask_sqlite_of_the_system, ask_duckdb], ids=lambda f: f.__name__
)
def test_a_database_reads_the_very_double(
    ask: Callable[[list[str], Path], list[float]], tmp_path: Path
) -> None:
    numbers = random_thresholds(30_000)
    assert ask([_double(x) for x in numbers], tmp_path) == numbers


def test_postgresql_reads_the_very_double(postgres: Postgres) -> None:
    numbers = random_thresholds(30_000)
    answers: list[float] = []
    for part in batches([_double(x) for x in numbers]):
        answers += map(float, postgres.run(f"COPY (SELECT {', '.join(part)}) TO STDOUT;").split())
    assert answers == numbers


def test_a_number_that_no_database_rounds_is_written_as_it_is() -> None:
    assert _double(127.0) == "CAST('127.0' AS DOUBLE PRECISION)"
    assert _double(0.1) == "CAST('0.1' AS DOUBLE PRECISION)"
    assert _double(CAST_IS_LOW) == (
        "(CAST('7424802597350329' AS DOUBLE PRECISION) "
        "/ CAST('70368744177664' AS DOUBLE PRECISION))"
    )
