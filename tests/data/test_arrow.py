"""Parquet and Arrow are read as the same rows in ARFF or CSV are."""

from __future__ import annotations

import decimal
import gzip
import io
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command_line import ROOT, Run, here
from tree_cases import named_cases

from j48geo import load
from j48geo.core.dataset import Attribute, Dataset, Header
from j48geo.data.arff.stream import read_arff
from j48geo.data.stream import TableReading, open_data, read_data
from j48geo.errors import DataReadError
from j48geo.model.loader import open_model
from j48geo.model.sources import Reading

HEADER = Header(
    "r",
    (
        Attribute("x.1"),
        Attribute("colour", "nominal", ("red", "blue")),
        Attribute("when", "date", format="yyyy-MM-dd"),
        Attribute("class", "nominal", ("no", "yes")),
    ),
    3,
)
TABLE = pa.table(
    {
        "spare": pa.array([[1], None, [2]]),
        "class": pa.array(["yes", None, "no"]).dictionary_encode(),
        "x.1": pa.array([1.5, None, -2.0]),
        "colour": pa.array(["blue", "red", None]),
        "when": pa.array([datetime(2001, 4, 3), None, datetime(1970, 1, 1)], pa.timestamp("us")),
    }
)


@pytest.fixture
def j48geo(capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    return here(capfdbinary)


def parquet(table: Any, **how: Any) -> bytes:
    sink = io.BytesIO()
    pq.write_table(table, sink, **how)
    return sink.getvalue()


def arrow(table: Any) -> bytes:
    sink = io.BytesIO()
    with pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue()


def stream(table: Any) -> bytes:
    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table, max_chunksize=max(2, len(table) // 2))
    return sink.getvalue()


WAYS = [parquet, arrow, stream]


def cells(data: Dataset) -> list[list[object]]:
    return [[data.cell(i, j) for j in range(len(data.header))] for i in range(len(data))]


@pytest.mark.parametrize("way", WAYS)
def test_the_bytes_tell_what_it_is_and_columns_are_matched_by_name(
    way: Callable[..., bytes],
) -> None:
    raw = way(TABLE)
    for source in (raw, io.BytesIO(raw), gzip.compress(raw)):
        data = read_data(source, header=HEADER)
        assert cells(data) == [
            [1.5, "blue", 986256000000.0, "yes"],
            [None, "red", None, None],
            [-2.0, None, 0.0, "no"],
        ]
        assert "4 of 5 columns are read" in data.notes[0]
        assert data.notes[1:] == ("columns ignored: spare",)


def test_a_folder_of_parquet_files_is_their_rows_in_the_order_of_names(tmp_path: Path) -> None:
    for name, rows in (("b", TABLE[2:]), ("a", TABLE[:2])):
        pq.write_table(rows, tmp_path / f"{name}.parquet")
    (tmp_path / "_SUCCESS").write_text("")
    assert cells(read_data(tmp_path, header=HEADER)) == cells(
        read_data(parquet(TABLE), header=HEADER)
    )


@pytest.mark.parametrize("way", WAYS)
def test_rows_come_in_blocks(way: Callable[..., bytes], tmp_path: Path) -> None:
    many = pa.table({"x.1": np.arange(20_000.0), "class": ["no"] * 20_000})
    path = tmp_path / "many"
    path.write_bytes(way(many))
    with open_data(path, header=HEADER) as rows:
        blocks = list(rows)
    assert max(map(len, blocks)) <= 8192
    assert np.concatenate([block.X[:, 0] for block in blocks]).tolist() == list(range(20_000))
    assert rows.header.names == ("x.1", "class")


@pytest.mark.parametrize(
    ("column", "values", "wanted"),
    [
        ("x.1", pa.array([3, None, -1], pa.int64()), [3.0, None, -1.0]),
        ("x.1", pa.array([1.5, float("nan"), None], pa.float32()), [1.5, None, None]),
        ("x.1", pa.array([decimal.Decimal("0.1"), None]), [0.1, None]),
        ("x.1", pa.array(["1e2", None]), [100.0, None]),
        ("colour", pa.array(["red", None], pa.large_string()), ["red", None]),
    ],
)
def test_cells_of_every_type_are_what_they_mean(column: str, values: Any, wanted: Any) -> None:
    found = read_data(parquet(pa.table({column: values})), header=HEADER)
    assert [row[0] for row in cells(found)] == wanted


def test_whole_numbers_and_truth_match_labels_by_their_text() -> None:
    header = Header("r", (Attribute("a", "nominal", ("1", "2", "true")),))
    for values, wanted in (([2, 1], ["2", "1"]), ([1.0, None], ["1", None]), ([True], ["true"])):
        found = read_data(parquet(pa.table({"a": values})), header=header)
        assert [row[0] for row in cells(found)] == wanted


@pytest.mark.parametrize(
    ("column", "values", "message"),
    [
        ("x.1", [1, 2**53 + 1], "row 2, column 'x.1': 9007199254740993; expected a whole number"),
        ("x.1", [None, 2**60], "row 2, column 'x.1'"),
        ("x.1", [True], "row 1, column 'x.1': True; expected a number, not true or false"),
        ("x.1", [datetime(2001, 1, 1)], "expected a number, not a datetime"),
        ("colour", ["red", "green"], "row 2, column 'colour': 'green'; expected one of red, blue"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_row(
    column: str, values: list[object], message: str
) -> None:
    with pytest.raises(DataReadError) as caught:
        read_data(parquet(pa.table({column: values})), header=HEADER)
    assert message in str(caught.value)


def test_rows_are_counted_through_all_blocks() -> None:
    colours = ["red"] * 9000 + ["green"]
    with pytest.raises(DataReadError, match="row 9001, column 'colour'"):
        read_data(parquet(pa.table({"colour": colours})), header=HEADER)
    data = read_data(
        parquet(pa.table({"colour": [*colours, "green"]})),
        header=HEADER,
        how=TableReading(unknown="missing"),
    )
    assert data.notes[-1] == "unknown labels taken as missing: 2 (colour 2)"


def test_two_columns_of_one_name_and_damage_are_refused() -> None:
    twice = pa.table([pa.array([1.0]), pa.array([2.0])], names=["x.1", "x.1"])
    with pytest.raises(DataReadError, match=r"two columns are called 'x\.1'; expected one"):
        read_data(parquet(twice), header=HEADER)
    for raw in (parquet(TABLE)[:-9], arrow(TABLE)[:-9], stream(TABLE)[:-400]):
        with pytest.raises(DataReadError, match=r"this is .*, and damaged: ") as caught:
            read_data(raw, header=HEADER)
        assert "\n" not in str(caught.value)


def test_a_text_alone_takes_its_types_from_its_tests() -> None:
    text = (
        b"x.1 <= 0: no (3.0)\nx.1 > 0\n|   colour = red: no (1.0)\n|   colour != red: yes (2.0)\n"
    )
    renamed = TABLE.select(["x.1", "colour", "class"]).rename_columns(["x.1", "colour", "answer"])
    for way in WAYS:
        model, rows = open_model(text, way(renamed), None, Reading())
        assert rows is not None
        blocks = list(model.predictions(rows))
        assert [model.classes[k] for k in blocks[0].prediction.predicted[[0, -1]]] == ["yes", "no"]
        assert any("column answer is taken for the class" in note for note in rows.notes)


def test_without_pyarrow_the_extra_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "a.parquet").write_bytes(parquet(TABLE))
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for source in (parquet(TABLE), tmp_path):
        with pytest.raises(DataReadError) as caught:
            read_data(source, header=HEADER)
        assert str(caught.value).endswith(
            "this is Parquet; expected pyarrow to read it: pip install 'j48geo[tables]'"
        )


def test_without_a_model_it_is_refused() -> None:
    with pytest.raises(DataReadError, match="this is Parquet; expected ARFF"):
        read_data(parquet(TABLE))


def as_table(data: Dataset) -> Any:
    columns = {}
    for j, attribute in enumerate(data.header.attributes):
        column = [data.cell(i, j) for i in range(len(data))]
        made = pa.array(column)
        columns[attribute.name] = made.dictionary_encode() if attribute.is_nominal else made
    return pa.table(columns)


@pytest.mark.parametrize("name", ["breast-cancer-explorer", "multiway-empty", "parcels-binary"])
def test_every_command_answers_as_it_does_for_arff(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path, name: str
) -> None:
    folder = fixtures_dir / name
    model = folder / "model.txt"
    for file in ("data", "test"):
        rows = read_arff(folder / f"{file}.arff")
        (tmp_path / file).write_bytes(parquet(as_table(rows), row_group_size=100))
    train, test = folder / "data.arff", folder / "test.arff"
    for command in ("predict", "rank", "proba"):
        wanted = j48geo(command, model, test, "--train", train, "-f", "jsonl")
        assert wanted.code == 0, wanted.err
        found = j48geo(command, model, tmp_path / "test", "--train", train, "-f", "jsonl")
        assert found.out == wanted.out
        both = j48geo(command, model, test, "--train", tmp_path / "data", "-f", "jsonl")
        assert both.out == wanted.out


@pytest.mark.parametrize(
    "folder",
    named_cases(
        *("breast-cancer-395", "parcels-binary", "multiway-empty", "birds", "accounts-unpruned"),
        *("j48/p05-labor-bare", "j48/p07-vote-missing-test"),
        *("j48/p15-soybean-multiway", "j48/p21-breast-cancer"),
    ),
)
def test_rows_with_missing_values_are_read_as_their_arff(folder: Path, tmp_path: Path) -> None:
    model = load(folder / "model.txt", folder / "data.arff")
    data = read_arff(folder / "test.arff")
    assert np.isnan(data.X).any()
    for way in WAYS:
        path = tmp_path / way.__name__
        path.write_bytes(way(as_table(data)))
        with model.rows(path) as rows:
            np.testing.assert_array_equal(rows.all().X, data.X)
        assert model.predict(path).tolist() == model.predict(data).tolist()
        np.testing.assert_array_equal(
            model.predict_proba(path, "weka"), model.predict_proba(data, "weka")
        )


def test_none_of_it_is_imported_for_other_files(fixtures_dir: Path) -> None:
    folder = fixtures_dir / "pima"
    arguments = ["rank", str(folder / "model.txt"), str(folder / "data.arff"), "--top", "1"]
    script = (
        f"import sys; from j48geo.cli import main; main({arguments!r}); "
        "print([m for m in sys.modules if m.startswith(('pyarrow', 'j48geo.data.csv', "
        "'j48geo.data.arrow', 'j48geo.score.uncertainty'))])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"
