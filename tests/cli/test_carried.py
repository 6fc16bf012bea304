"""Columns of the input that go along, cells that a spreadsheet would run, cases without a file."""

from __future__ import annotations

import csv
import json
from io import StringIO
from pathlib import Path

import pytest
from command_line import Run

DATA = """@relation r
@attribute name string
@attribute x numeric
@attribute class {a,'=b'}
@data
first,1,a
'=2+3',3,'=b'
?,2.5,a
"""
MODEL = "x <= 2: a (1.0)\nx > 2: =b (2.0/1.0)\n"


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    model, data = tmp_path / "model.txt", tmp_path / "data.arff"
    model.write_text(MODEL)
    data.write_text(DATA)
    return model, data


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(text)))


@pytest.mark.parametrize("command", ["predict", "rank", "proba"])
def test_a_named_column_comes_first_under_its_own_name(
    command: str, files: tuple[Path, Path], j48geo: Run
) -> None:
    plain = rows_of(j48geo(command, *files, "-f", "csv").out)
    done = j48geo(command, *files, "-f", "csv", "--id", "name")
    assert done.code == 0
    carried = rows_of(done.out)
    assert list(carried[0]) == ["name", *plain[0]]
    names = {"1": "first", "2": "=2+3", "3": ""}
    for row, before in zip(carried, plain, strict=True):
        assert row.pop("name") == names[row["row"]]
        assert row == before


@pytest.mark.parametrize("command", ["predict", "rank", "proba"])
def test_append_gives_all_columns_of_the_input_then_ours(
    command: str, files: tuple[Path, Path], j48geo: Run
) -> None:
    plain = [json.loads(line) for line in j48geo(command, *files, "-f", "jsonl").lines]
    done = j48geo(command, *files, "-f", "jsonl", "--append")
    assert done.code == 0
    found = [json.loads(line) for line in done.lines]
    for row, before in zip(found, plain, strict=True):
        assert list(row) == ["name", "x", "class", *before]
        assert {key: row[key] for key in before} == before


def test_an_unknown_column_is_told_with_those_there_are(
    files: tuple[Path, Path], j48geo: Run
) -> None:
    done = j48geo("predict", *files, "--id", "nme")
    assert (done.code, done.out) == (2, "")
    assert done.err.splitlines()[-1] == "unknown attribute 'nme'; known: name, x, class"


def test_safe_csv_guards_cells_that_a_spreadsheet_would_run(
    files: tuple[Path, Path], j48geo: Run
) -> None:
    plain = rows_of(j48geo("predict", *files, "-f", "csv", "--append").out)
    safe = rows_of(j48geo("predict", *files, "-f", "csv", "--append", "--safe-csv").out)
    assert [row["name"] for row in plain] == ["first", "=2+3", ""]
    assert [row["name"] for row in safe] == ["first", "'=2+3", ""]
    assert [row["predicted"] for row in safe] == ["a", "'=b", "'=b"]
    assert [row["x"] for row in safe] == [row["x"] for row in plain]


def test_a_case_needs_no_file_and_is_explained_as_the_row_would_be(
    fixtures_dir: Path, j48geo: Run
) -> None:
    folder = fixtures_dir / "pima"
    model, data = folder / "model.txt", folder / "data.arff"
    row = json.loads(j48geo("explain", model, data, "--row", 4, "-f", "json").out)
    header = ("preg", "plas", "pres", "skin", "insu", "mass", "pedi", "age")
    line = data.read_text().split("@data\n")[1].splitlines()[3].split(",")
    case = ",".join(f"{name}={value}" for name, value in zip(header, line, strict=False))
    done = j48geo("explain", model, "--train", data, "--case", case, "-f", "json")
    assert done.code == 0
    record = json.loads(done.out)
    assert record["actual"] is None
    for key in ("predicted", "path", "distance", "nearest_leaf", "changes", "flips_to"):
        assert record[key] == row[key]


def test_a_case_without_training_data_is_measured_in_its_own_units(
    fixtures_dir: Path, j48geo: Run
) -> None:
    done = j48geo("explain", fixtures_dir / "iris" / "model.txt", "--case", "petalwidth=1")
    assert done.err == ("j48geo: note: metric none, since one case has no spread (--train FILE)\n")
    assert "To make it Iris-setosa (leaf 1), 0.4 in the attributes' own units away" in done.out


@pytest.mark.parametrize("command", ["predict", "rank", "proba"])
def test_a_column_of_csv_that_the_model_does_not_know_goes_along(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path, command: str
) -> None:
    folder = fixtures_dir / "pima"
    header, rows = (folder / "data.arff").read_text(encoding="utf-8").split("@data\n")
    names = [line.split()[1].strip("'") for line in header.splitlines() if "@attribute" in line]
    lines = [f"case {k},{row}" for k, row in enumerate(rows.splitlines()[:3])]
    table = tmp_path / "named.csv"
    table.write_text("\n".join([",".join(["who", *names]), *lines]) + "\n", encoding="utf-8")
    asked = (command, folder / "model.txt", table, "--train", folder / "data.arff", "-q")
    done = j48geo(*asked, "--id", "who", "--format", "csv")
    assert done.code == 0, done.err
    titles, *cells = [line.split(",") for line in done.lines]
    assert titles[0] == "who"
    assert sorted(row[0] for row in cells) == ["case 0", "case 1", "case 2"]
    done = j48geo(*asked, "--append", "--format", "csv")
    assert done.lines[0].startswith(",".join([*names, "who"]))
