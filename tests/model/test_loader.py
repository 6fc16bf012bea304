"""`load`: whatever holds a tree, with whatever holds its training data."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command_line import ROOT

from j48geo import (
    DataReadError,
    Dataset,
    J48GeoError,
    MismatchError,
    Model,
    ModelReadError,
    ReplayError,
    load,
    read_arff,
)

TEXT = "x <= 2: no (3.0)\nx > 2\n|   c = red: yes (2.0)\n|   c = blue: no (2.0/1.0)\n"
COLUMNS: dict[str, list[Any]] = {
    "spare": [0] * 7,
    "class": ["no", "no", "no", "yes", "yes", "no", "yes"],
    "c": ["red", "blue", None, "red", "red", "blue", "blue"],
    "x": [1.0, 2.0, 0.5, 3.0, 4.0, 5.0, 6.0],
}


def columns_of(data: Dataset) -> dict[str, list[Any]]:
    return {
        name: [data.cell(row, column) for row in range(len(data))]
        for column, name in enumerate(data.header.names)
    }


@pytest.fixture
def pima(fixtures_dir: Path) -> Path:
    return fixtures_dir / "pima"


def same(one: Model, other: Model) -> None:
    assert one.tree == other.tree
    np.testing.assert_array_equal(one.counts.per_class, other.counts.per_class)


def test_a_path_bytes_a_text_and_an_open_file_are_the_same_model(pima: Path) -> None:
    path = pima / "model.txt"
    wanted = load(path)
    same(load(str(path)), wanted)
    same(load(path.read_bytes()), wanted)
    same(load(path.read_text(encoding="utf-8")), wanted)
    with path.open("rb") as file:
        same(load(file), wanted)
    same(load(io.BytesIO(path.read_bytes())), wanted)
    same(load(io.StringIO(path.read_text(encoding="utf-8"))), wanted)
    with path.open(encoding="utf-8") as file, (pima / "data.arff").open(encoding="utf-8") as rows:
        same(load(file, train=rows), load(path, train=pima / "data.arff"))


def test_training_data_may_be_a_path_a_data_set_or_a_table(pima: Path) -> None:
    pandas = pytest.importorskip("pandas")
    model, path = pima / "model.txt", pima / "data.arff"
    data = read_arff(path)
    table = pandas.DataFrame(columns_of(data))
    wanted = load(model, train=path)
    assert wanted.training_name == str(path)
    for train, name in ((data, "the data set"), (table, "the table")):
        found = load(model, train=train)
        assert found.training_name == name
        assert found.replay is not None
        assert found.replay.recognised
        assert found.training_note == f"{name} is the training data (all 20 leaf counts replay)"
        assert found.predict(path).tolist() == wanted.predict(path).tolist()
        np.testing.assert_allclose(
            found.predict_proba(path), wanted.predict_proba(path), rtol=0, atol=1e-12
        )


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
def test_a_table_gets_its_types_from_the_text(kind: str) -> None:
    library = pytest.importorskip(kind)
    table = library.table(COLUMNS) if kind == "pyarrow" else library.DataFrame(COLUMNS)
    model = load(TEXT, train=table)
    assert model.attributes == ("x", "c", "class")
    assert model.classes == ("no", "yes")
    assert model.counts.per_class[0].tolist() == [4, 3]
    # Rows at hand that give back the counts are recognised as well.
    assert load(TEXT, data=table).training_name == "the table"
    with io.BytesIO(TEXT.encode()) as stream:  # which can be read but once
        assert load(stream, train=table).training_name == "the table"


def test_a_table_that_does_not_fit_is_told_by_its_column() -> None:
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(COLUMNS)
    with pytest.raises(DataReadError, match=r"^the table: no column 'x', which the model asks"):
        load(TEXT, train=table.drop(columns="x"))
    with pytest.raises(
        DataReadError, match=r"row 7, column 'c': 'green'; expected one of red, blue$"
    ):
        load(TEXT, train=table.assign(c=[*COLUMNS["c"][:-1], "green"]))
    with pytest.raises(ReplayError, match=r"^the table is not the training data \(1 of 3 leaves"):
        load(TEXT, train=table[1:])


def test_a_model_file_brings_types_and_what_was_learnt(pima: Path, tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    wanted = load(pima / "model.txt", pima / "data.arff")
    file = tmp_path / "model.json"
    wanted.save(file)
    for source in (file, file.read_bytes(), file.read_text(encoding="utf-8")):
        found = load(source)
        assert found.training is None
        assert found.fitted is not None
        assert found.fitted.training == str(pima / "data.arff")
    table = pandas.DataFrame(columns_of(read_arff(pima / "data.arff")))
    np.testing.assert_array_equal(found.predict_proba(table), wanted.predict_proba(table))
    assert load(file, train=table).training_name == "the table"


def test_data_at_hand_is_recognised_exactly_if_it_replays(pima: Path) -> None:
    data = read_arff(pima / "data.arff")
    assert load(pima / "model.txt", data=data).training is not None
    some = Dataset(data.header, data.X[:-1], data.weights[:-1])
    other = load(pima / "model.txt", data=some)
    assert other.training is None
    assert other.counts.source == "text"
    with pytest.raises(ReplayError, match="expected the data the tree was grown from"):
        load(pima / "model.txt", train=some)
    forced = load(pima / "model.txt", train=some, allow_mismatch=True)
    assert forced.training is not None
    assert forced.counts.per_class[0].sum() == 767


def test_what_cannot_be_loaded_is_an_error_of_the_family(
    pima: Path, fixtures_dir: Path, tmp_path: Path
) -> None:
    iris = fixtures_dir / "iris" / "data.arff"
    absent = tmp_path / "absent"
    for error, model, train in (
        (ModelReadError, absent, None),
        (ModelReadError, iris, None),
        (ModelReadError, b"no tree", None),
        (DataReadError, pima / "model.txt", absent),
        (MismatchError, pima / "model.txt", iris),
    ):
        with pytest.raises(error) as refusal:
            load(model, train)
        assert isinstance(refusal.value, J48GeoError)
        assert "\n" not in str(refusal.value)


def test_one_of_several_trees_is_chosen_by_its_number(fixtures_dir: Path) -> None:
    path = fixtures_dir / "bagging" / "model.txt"
    models = [load(path, tree=k) for k in (1, 2, 3)]
    assert [model.number for model in models] == [1, 2, 3]
    assert len({model.to("text") for model in models}) == 3
    assert all(len(model.titles) == 3 for model in models)


def test_no_table_library_is_imported_unless_a_table_is_given(pima: Path) -> None:
    code = (
        "import sys, j48geo\n"
        f"model = j48geo.load({str(pima / 'model.txt')!r}, {str(pima / 'data.arff')!r})\n"
        f"rows = j48geo.read_arff({str(pima / 'data.arff')!r})\n"
        "model.predict(rows), model.rank(rows), model.predict_proba(rows.X), model.leaves()\n"
        "import json; print(json.dumps(sorted({'pandas', 'polars', 'pyarrow'} & set(sys.modules))))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True, text=True
    )
    assert json.loads(done.stdout) == []
