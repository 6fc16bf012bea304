"""Rows from whatever holds them: every kind of table gives the same answers, and its own kind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import j48geo
from j48geo import DataReadError, Dataset, MismatchError, Model

N = 60


@pytest.fixture(scope="module")
def folder(fixtures_dir: Path) -> Path:
    return fixtures_dir / "parcels-binary"  # numbers and labels, missing values, three classes


@pytest.fixture(scope="module")
def rows(folder: Path) -> Dataset:
    data = j48geo.read_arff(folder / "data.arff")
    return Dataset(data.header, data.X[:N], data.weights[:N])


@pytest.fixture(scope="module")
def model(folder: Path) -> Model:
    return j48geo.load(folder / "model.txt", train=folder / "data.arff")


def records(rows: Dataset) -> list[dict[str, Any]]:
    """The rows as dictionaries; missing values are None."""
    names = rows.header.names
    return [{name: rows.cell(i, k) for k, name in enumerate(names)} for i in range(len(rows))]


def columns(rows: Dataset) -> dict[str, list[Any]]:
    """The rows as a dictionary of columns."""
    return {name: [record[name] for record in records(rows)] for name in rows.header.names}


def pandas_frame(rows: Dataset) -> Any:
    pandas = pytest.importorskip("pandas")
    return pandas.DataFrame(columns(rows), index=[f"case {i}" for i in range(len(rows))])


def polars_frame(rows: Dataset) -> Any:
    return pytest.importorskip("polars").DataFrame(columns(rows))


def polars_lazy(rows: Dataset) -> Any:
    return polars_frame(rows).lazy()


def arrow_table(rows: Dataset) -> Any:
    return pytest.importorskip("pyarrow").table(columns(rows))


def arrow_batch(rows: Dataset) -> Any:
    (batch,) = arrow_table(rows).to_batches()
    return batch


def arrow_reader(rows: Dataset) -> Any:
    return arrow_table(rows).to_reader(max_chunksize=5)


def duckdb_relation(rows: Dataset) -> Any:
    duckdb = pytest.importorskip("duckdb")
    table = arrow_table(rows)
    return duckdb.from_arrow(table)


def array(rows: Dataset) -> Any:
    return rows.X


def array_without_class(rows: Dataset) -> Any:
    return np.delete(rows.X, rows.header.class_index or 0, axis=1)


def nested_lists(rows: Dataset) -> Any:
    return array_without_class(rows).tolist()


def sparse_matrix(rows: Dataset) -> Any:
    return pytest.importorskip("scipy.sparse").csr_matrix(array_without_class(rows))


Make = Callable[[Dataset], Any]
SOURCES: dict[Make, str] = {
    pandas_frame: "pandas",
    polars_frame: "polars",
    polars_lazy: "polars",
    arrow_table: "pyarrow",
    arrow_batch: "pyarrow",
    arrow_reader: "pyarrow",
    duckdb_relation: "pyarrow",
    records: "numpy",
    columns: "numpy",
    array: "numpy",
    array_without_class: "numpy",
    nested_lists: "numpy",
    sparse_matrix: "numpy",
}
ALL = pytest.mark.parametrize("make", SOURCES, ids=lambda make: make.__name__)


def package(value: Any) -> str:
    return type(value).__module__.partition(".")[0]


@ALL
def test_predict_answers_in_the_kind_that_came(make: Make, model: Model, rows: Dataset) -> None:
    labels = model.predict(make(rows))
    assert package(labels) == SOURCES[make]
    assert list(np.array(labels)) == model.predict(rows).tolist()


@ALL
def test_probabilities_and_distances_are_those_of_the_data_set(
    make: Make, model: Model, rows: Dataset
) -> None:
    estimates = model.predict_proba(make(rows))
    assert package(estimates) == SOURCES[make]
    if SOURCES[make] != "numpy":
        names = estimates.column_names if make.__name__.startswith(("arrow", "duck")) else None
        assert list(estimates.columns if names is None else names) == list(model.classes)
        estimates = np.column_stack([np.array(estimates[name]) for name in model.classes])
    np.testing.assert_array_equal(estimates, model.predict_proba(rows))
    distances = model.decision_function(make(rows))
    np.testing.assert_array_equal(np.array(distances), model.decision_function(rows))


@ALL
def test_rank_and_evaluate_take_every_kind(make: Make, model: Model, rows: Dataset) -> None:
    assert model.rank(make(rows))["row"] == model.rank(rows)["row"]
    if make in (array_without_class, nested_lists, sparse_matrix):
        return  # without classes there is nothing to compare with
    assert str(model.confusion(make(rows))) == str(model.confusion(rows))


@pytest.mark.parametrize("make", [pandas_frame, polars_frame, arrow_table, arrow_reader, columns])
def test_training_data_may_be_of_every_kind_with_names(make: Make, fixtures_dir: Path) -> None:
    data = j48geo.read_arff(fixtures_dir / "pima" / "data.arff")
    model = j48geo.load(fixtures_dir / "pima" / "model.txt", train=make(data))
    assert model.has_training


# ---------------------------------------------------------------------------- one row


def one_dictionary(rows: Dataset) -> Any:
    return records(rows)[2]


def one_series(rows: Dataset) -> Any:
    return pandas_frame(rows).iloc[2]


def one_row_of_numbers(rows: Dataset) -> Any:
    return array_without_class(rows)[2]


@pytest.mark.parametrize("make", [one_dictionary, one_series, one_row_of_numbers])
def test_one_row_is_predicted_and_explained(make: Make, model: Model, rows: Dataset) -> None:
    third = Dataset(rows.header, rows.X[2:3], rows.weights[2:3])
    assert list(model.predict(make(rows))) == model.predict(third).tolist()
    text = str(model.explain(make(rows)))
    # Without a class column nothing is said of it, so the first line differs.
    assert text.partition("\n")[2] == str(model.explain(third)).partition("\n")[2]


def test_a_series_gives_a_series_with_its_name(model: Model, rows: Dataset) -> None:
    assert model.predict(one_series(rows)).index.tolist() == ["case 2"]


def test_several_rows_are_not_explained_as_one(model: Model, rows: Dataset) -> None:
    with pytest.raises(MismatchError, match=r"^60 rows to explain; expected one, or Model\.expla"):
        model.explain(pandas_frame(rows))
    assert len(list(model.explanations(pandas_frame(rows)))) == N


# --------------------------------------------------------------------------- refusals


def test_dictionaries_that_leave_something_open_are_refused(model: Model, rows: Dataset) -> None:
    two = records(rows)[:2]
    used = rows.header.names[model.tree.used_attributes[0]]
    del two[1][used]
    with pytest.raises(DataReadError, match=f"row 2 has no '{used}', which other rows have; exp"):
        model.predict(two)
    with pytest.raises(DataReadError, match=f"no column '{used}', which the model asks for"):
        model.predict(two[1])
    with pytest.raises(DataReadError, match="row 2 is a list; expected a dictionary a row"):
        model.predict([two[0], [1, 2]])
    first, second = rows.header.names[:2]
    with pytest.raises(DataReadError, match=f"'{first}' is a single value beside columns"):
        model.predict(columns(rows) | {first: None})
    lengths = f"columns of different lengths: {first} 1, {second} 60"
    with pytest.raises(DataReadError, match=lengths):
        model.predict(columns(rows) | {first: [None]})


def test_an_array_for_a_text_alone_is_refused_where_the_order_would_be_a_guess() -> None:
    text = "b <= 1: no (3.0)\nb > 1\n|   a <= 2: yes (4.0)\n|   a > 2: no (1.0)\n"
    model = j48geo.load(text)
    with pytest.raises(MismatchError, match=r"not tell the order .*; expected a table with na"):
        model.predict(np.array([[1.0, 2.0]]))
    assert model.predict({"a": 1.5, "b": 3}).tolist() == ["yes"]
    assert j48geo.load("x <= 2: no (3.0)\nx > 2: yes (4.0)\n").predict([[5.0]]).tolist() == ["yes"]


def test_columns_of_pandas_may_be_called_by_numbers() -> None:
    pandas = pytest.importorskip("pandas")
    model = j48geo.load("0 <= 2: no (3.0)\n0 > 2: yes (4.0)\n")
    assert model.predict(pandas.DataFrame({0: [1.0, 3.0]})).tolist() == ["no", "yes"]
