"""Columns of tables without types, matched by name with what a text tells."""

from __future__ import annotations

import pytest

from j48geo.core.dataset import Attribute, Header
from j48geo.data.columns import match_columns
from j48geo.errors import DataReadError

TOLD = Header(
    "",
    (Attribute("x"), Attribute("y"), Attribute("class", "nominal", ("no", "yes"))),
    2,
    inferred=True,
)


def places(names: str, first: str = "", choice: str = "last") -> tuple[int | None, ...]:
    return match_columns(names.split(), TOLD, first.split(), choice, source="t.csv").places


def test_an_attribute_without_a_column_is_left_out_and_the_class_is_kept() -> None:
    found = match_columns(["z", "x"], TOLD, source="t.csv")
    assert found.header.names == ("x", "class")
    assert found.header.class_index == 1
    assert found.places == (1, None)
    assert found.notes == (
        "the class column is absent: every class is missing",
        "columns ignored: z",
    )


def test_names_are_compared_letter_for_letter() -> None:
    assert match_columns(["X", "y"], TOLD, source="t.csv").header.names == ("y", "class")


def test_two_columns_of_a_name_that_matters_are_refused_and_others_are_not() -> None:
    with pytest.raises(DataReadError, match=r"^t\.csv: two columns are called x; expected one$"):
        match_columns(["x", "y", "x"], TOLD, source="t.csv")
    assert places("x y z z") == (0, 1, None)


def test_the_class_of_a_text_is_the_column_that_was_named() -> None:
    assert places("x y diagnosis z", "1 2 no 3", "diagnosis") == (0, 1, 2)
    assert places("x y diagnosis z", "1 2 no 3", "3") == (0, 1, 2)
    assert places("diagnosis x y", "no 1 2", "first") == (1, 2, 0)
    assert places("x y", "1 2", "first") == (0, 1, None)  # the tree asks for x


def test_the_last_column_is_the_class_if_it_begins_with_a_class_label() -> None:
    assert places("x y diagnosis", "1 2 no") == (0, 1, 2)
    assert places("x y comment", "1 2 nothing") == (0, 1, None)
    assert places("class x y", "no 1 2") == (1, 2, 0)
    assert places("x y", "1 no") == (0, 1, None)


def test_what_is_taken_for_the_class_is_said() -> None:
    found = match_columns(["x", "y", "diagnosis"], TOLD, ["1", "2", "no"], source="t.csv")
    assert found.notes == ("column diagnosis is taken for the class",)
