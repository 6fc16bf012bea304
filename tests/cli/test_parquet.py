"""Parquet of rows: the same cells as CSV, as numbers and labels, block by block."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from command_line import Run

pytest.importorskip("pyarrow")
import pyarrow.parquet as pq


@pytest.mark.parametrize(
    "command",
    [
        ["predict"],
        ["predict", "--append"],
        ["rank", "--by", "local", "--all-classes"],
        ["rank", "--id", "plas"],
        ["proba", "--method", "laplace,gdk"],
    ],
    ids=" ".join,
)
def test_parquet_holds_what_csv_says(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path, command: list[str]
) -> None:
    pima = [str(fixtures_dir / "pima" / name) for name in ("model.txt", "data.arff")]
    target = tmp_path / "out.parquet"
    assert j48geo(command[0], *pima, *command[1:], "-o", str(target)).code == 0
    told = j48geo(command[0], *pima, *command[1:], "--format", "csv").out
    lines = list(csv.DictReader(io.StringIO(told)))
    rows = pq.read_table(target)
    assert rows.column_names == list(lines[0])
    assert rows.num_rows == len(lines) == 768
    for name in rows.column_names:
        kind, cells = str(rows.schema.field(name).type), rows[name].to_pylist()
        read = {"string": str, "int64": int, "double": float}[kind]
        assert cells == [read(line[name]) if line[name] else None for line in lines]
    kinds = {str(field.type) for field in rows.schema}
    assert {"int64", "double", "string"} == kinds


def test_nothing_is_left_behind_where_rows_cannot_be_read(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.arff"
    broken.write_text((fixtures_dir / "pima" / "data.arff").read_text() + "no,row\n")
    model = str(fixtures_dir / "pima" / "model.txt")
    assert j48geo("predict", model, str(broken), "-o", str(tmp_path / "out.parquet")).code == 4
    assert [path.name for path in tmp_path.iterdir()] == ["broken.arff"]
