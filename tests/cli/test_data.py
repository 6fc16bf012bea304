from __future__ import annotations

import csv
import gzip
import json
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from arff_cases import ARFF_FOLDERS, READ_WITH_A_NOTE, arff_cases
from command_line import Run

from j48geo.data.arff.stream import read_arff


def test_the_summary_is_the_default(j48geo: Run, fixtures_dir: Path) -> None:
    done = j48geo("data", fixtures_dir / "iris" / "data.arff")
    assert done.code == 0
    assert done.lines[0] == "iris: 150 rows, 5 attributes, class class"
    assert done.lines[-1].split() == [
        *("5", "class", "nominal", "(class)", "0"),
        *("Iris-setosa", "50,", "Iris-versicolor", "50,", "Iris-virginica", "50"),
    ]


@pytest.mark.parametrize("name", ["iris", "date", "odd-names", "parcels-weights", "multiway-empty"])
def test_every_format_holds_the_same_rows(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path, name: str
) -> None:
    source = fixtures_dir / name / "data.arff"
    rows = read_arff(source)
    cells = [[rows.cell(i, c) for c in range(len(rows.header))] for i in range(len(rows))]

    value = json.loads(j48geo("data", source, "--format", "json").out)
    assert value["relation"] == rows.header.relation
    assert [a["name"] for a in value["attributes"]] == list(rows.header.names)
    assert value["rows"] == cells
    assert value["weights"] == rows.weights.tolist()

    lines = [json.loads(line) for line in j48geo("data", source, "--format", "jsonl").lines]
    assert [list(line["values"].values()) for line in lines] == cells
    assert [line["row"] for line in lines] == list(range(1, len(rows) + 1))

    table = list(csv.reader(StringIO(j48geo("data", source, "--format", "csv", "-q").out)))
    assert table[0] == list(rows.header.names)
    assert len(table) == len(rows) + 1

    copy = tmp_path / "copy.arff"
    assert j48geo("data", source, "--format", "arff", "-o", copy).code == 0
    again = read_arff(copy)
    assert again.header == rows.header
    assert np.array_equal(again.X, rows.X, equal_nan=True)
    assert np.array_equal(again.weights, rows.weights)


def test_lost_weights_are_said(j48geo: Run, fixtures_dir: Path) -> None:
    done = j48geo("data", fixtures_dir / "parcels-weights" / "data.arff", "--format", "csv")
    assert done.err == "j48geo: note: the rows have weights; CSV has no place for them\n"


def test_gzip_and_the_class_option_are_understood(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path
) -> None:
    packed = tmp_path / "iris.arff"
    packed.write_bytes(gzip.compress((fixtures_dir / "iris" / "data.arff").read_bytes()))
    assert j48geo("data", packed).lines[0].endswith("class class")
    assert j48geo("data", packed, "-c", "first").lines[0].endswith("class sepallength")
    assert j48geo("data", packed, "-c", "2").lines[0].endswith("class sepalwidth")
    assert j48geo("data", packed, "-c", "petalwidth").lines[0].endswith("class petalwidth")


def test_csv_alone_is_refused_with_the_way_out(j48geo: Run, tmp_path: Path) -> None:
    table = tmp_path / "x.csv"
    table.write_text("a,b\n1,2\n")
    done = j48geo("data", table)
    assert done.code == 4
    assert done.err == (
        f"{table}:1:1: 'a' is out of place; expected ARFF: CSV does not tell its types\n"
    )


@pytest.mark.parametrize("folder", ARFF_FOLDERS)
def test_json_of_every_file_is_what_weka_read(j48geo: Run, folder: Path) -> None:
    compared = 0
    for file, wanted in arff_cases(folder):
        done = j48geo("data", file, "--format", "json")
        if "error" in wanted:
            assert done.code == (0 if file.stem in READ_WITH_A_NOTE else 4), file.name
            assert len(done.err.splitlines()) == 1, file.name
            continue
        assert done.code == 0, (file.name, done.err)
        value = json.loads(done.out)
        assert [a["name"] for a in value["attributes"]] == [a["name"] for a in wanted["attributes"]]
        assert len(value["rows"]) == len(wanted["rows"]), file.name
        for row, weight, true in zip(value["rows"], value["weights"], wanted["rows"], strict=True):
            assert float(weight) == float(true["w"]), file.name
            for cell, v, a in zip(row, true["v"], wanted["attributes"], strict=True):
                assert _same(cell, v, a), (file.name, cell, v)
        compared += 1
    assert compared > 40


def _same(cell: object, true: object, attribute: dict[str, object]) -> bool:
    if true is None or cell is None:
        return cell is None and true is None
    if attribute["type"] in ("numeric", "date"):
        return float(cell) == float(str(true))  # type: ignore[arg-type]
    if attribute["type"] == "nominal":
        return bool(cell == attribute["values"][true])  # type: ignore[index]
    if attribute["type"] == "string":
        return bool(cell == true["s"])  # type: ignore[index]
    return len(cell["rows"]) == len(true["rel"])  # type: ignore[index]
