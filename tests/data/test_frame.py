"""Tables: columns by name, labels by label, and back as a table of the same kind."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from j48geo.core.dataset import Attribute, Header
from j48geo.data.frame import cell_value, read_table, table_attributes
from j48geo.data.table_kinds import make_column_like, make_table_like, table_kind
from j48geo.errors import DataReadError

HEADER = Header(
    "r",
    (
        Attribute("x"),
        Attribute("c", "nominal", ("red", "1", "true")),
        Attribute("when", "date"),
        Attribute("text", "string"),
        Attribute("class", "nominal", ("a", "b")),
    ),
    4,
)
KINDS = ["pandas", "polars", "pyarrow"]


def made(kind: str, columns: dict[str, Any]) -> Any:
    library = pytest.importorskip(kind)
    return library.table(columns) if kind == "pyarrow" else library.DataFrame(columns)


@pytest.mark.parametrize("kind", KINDS)
def test_columns_are_matched_by_name_and_labels_by_label(kind: str) -> None:
    day = datetime(2020, 1, 2, tzinfo=UTC)
    table = made(
        kind,
        {
            "class": ["b", None, "a"],
            "spare": [1, 2, 3],
            "when": [day, None, day],
            "c": ["true", "red", None],
            "x": [1.5, None, -2.0],
        },
    )
    assert table_kind(table) is not None
    found = read_table(table, HEADER, used=[0, 1])
    nan = np.nan
    ms = 1577923200000.0
    np.testing.assert_array_equal(
        found.X, [[1.5, 2, ms, nan, 1], [nan, 0, nan, nan, nan], [-2, nan, ms, nan, 0]]
    )
    assert found.weights.tolist() == [1, 1, 1]


@pytest.mark.parametrize("kind", KINDS)
def test_an_answer_is_a_table_of_the_same_kind(kind: str) -> None:
    table = made(kind, {"x": [1.0, 2.0]})
    found = make_table_like(table, ["a", "b"], np.array([[0.25, 0.75], [0.5, 0.5]]))
    assert type(found) is type(table)
    column = make_column_like(table, "predicted", np.array(["a", None], dtype=object))
    for values, wanted in ((found["b"], [0.75, 0.5]), (column, ["a", None])):
        cells = values.to_pylist() if kind == "pyarrow" else values.to_list()
        assert [None if x is None or x != x else x for x in cells] == wanted


def test_the_index_of_pandas_is_kept() -> None:
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"x": [1.0, 2.0]}, index=["one", "two"])
    assert make_table_like(table, ["a"], np.array([[1.0], [2.0]])).index.tolist() == ["one", "two"]
    column = make_column_like(table, "predicted", ["a", "b"])
    assert (column.name, column.index.tolist()) == ("predicted", ["one", "two"])


def test_categories_count_by_label_and_not_by_code() -> None:
    pandas = pytest.importorskip("pandas")
    column = pandas.Categorical(["b", "a", "b"], categories=["b", "a", "z"])
    found = read_table(pandas.DataFrame({"class": column}), HEADER)
    assert found.class_values.tolist() == [1, 0, 1]


@pytest.mark.parametrize("value", [None, float("nan"), np.float32("nan")])
def test_what_is_missing_in_a_table_is_missing(value: Any) -> None:
    for attribute in HEADER.attributes[:3]:
        found = cell_value(value, attribute)
        assert found != found


def test_missing_values_of_pandas_are_missing() -> None:
    pandas = pytest.importorskip("pandas")
    for value in (pandas.NA, pandas.NaT):
        found = cell_value(value, HEADER.attributes[0])
        assert found != found


@pytest.mark.parametrize(
    ("cell", "column", "wanted"),
    [
        (3, 0, 3.0),
        (np.int64(3), 0, 3.0),
        (Decimal("1.5"), 0, 1.5),
        (" 1.5 ", 0, 1.5),
        ("1e3", 0, 1000.0),
        (2**53, 0, 2.0**53),
        (2**53 + 1, 0, "expected a whole number of at most 2^53, which has a double of its own"),
        (True, 0, "expected a number, not true or false"),
        ("1,5", 0, "expected a number"),
        ([1], 0, "expected a number, not a list"),
        ("red", 1, 0.0),
        (1, 1, 1.0),
        (1.0, 1, 1.0),
        (True, 1, 2.0),
        (False, 1, "expected one of red, 1, true"),
        (" red", 1, "expected one of red, 1, true"),
        (0, 1, "expected one of red, 1, true"),
        (datetime(1970, 1, 1, 0, 0, 1), 2, 1000.0),
        (5, 2, 5.0),
    ],
)
def test_a_cell_is_a_number_or_says_what_was_expected(
    cell: Any, column: int, wanted: float | str
) -> None:
    assert cell_value(cell, HEADER.attributes[column]) == wanted


@pytest.mark.parametrize("kind", KINDS)
def test_what_does_not_fit_is_told_with_its_row_and_column(kind: str) -> None:
    table = made(kind, {"x": [1.0, 2.0], "c": ["red", "green"]})
    with pytest.raises(DataReadError) as told:
        read_table(table, HEADER, name="mine")
    assert str(told.value) == "mine: row 2, column 'c': 'green'; expected one of red, 1, true"
    with pytest.raises(DataReadError) as told:
        read_table(table, HEADER, used=[4])
    assert str(told.value) == (
        "the table: no column 'class', which the model asks for; it has x, c"
    )


def test_two_columns_of_one_name_are_refused_if_the_name_matters() -> None:
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame([[1.0, 2.0, 3.0]], columns=["x", "x", "other"])
    with pytest.raises(DataReadError, match="two columns are called 'x'; expected one"):
        read_table(table, HEADER)
    table.columns = ["x", "other", "other"]
    assert read_table(table, HEADER).X[0, 0] == 1.0


def test_whole_numbers_without_a_double_are_refused_in_a_column_too() -> None:
    pandas = pytest.importorskip("pandas")
    assert read_table(pandas.DataFrame({"x": [1, 2**53]}), HEADER).X[1, 0] == 2.0**53
    with pytest.raises(DataReadError, match=r"row 2, column 'x': 9007199254740993; "):
        read_table(pandas.DataFrame({"x": [1, 2**53 + 1]}), HEADER)


def test_arrays_lists_and_dictionaries_are_no_tables() -> None:
    for value in (np.zeros((2, 2)), [[1]], {"x": [1]}, "x", None):
        assert table_kind(value) is None


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_declares_numbers_and_labels_by_its_cells(kind: str) -> None:
    columns = {
        "whole": [1, 2, None],
        "broken": [0.5, None, 1.0],
        "text": ["b", "a", None],
        "truth": [True, None, False],
        "nothing": [None, None, None],
    }
    assert table_attributes(made(kind, columns)) == (
        Attribute("whole"),
        Attribute("broken"),
        Attribute("text", "nominal", ("a", "b")),
        Attribute("truth", "nominal", ("false", "true")),
        Attribute("nothing"),
    )


def test_categories_of_numbers_are_labels() -> None:
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"c": pandas.Categorical([3, 1, 3], categories=[3, 2, 1])})
    (attribute,) = table_attributes(table)
    assert attribute == Attribute("c", "nominal", ("3", "2", "1"))
    assert read_table(table, Header("r", (attribute,))).X.ravel().tolist() == [0, 2, 0]


def test_times_are_no_numbers() -> None:
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"when": [datetime(2020, 1, 2, tzinfo=UTC)]})
    with pytest.raises(DataReadError, match="column 'when' holds a Timestamp; expected numbers"):
        table_attributes(table)
