"""Rows in the columns of a model: by name, and by label where the order is only guessed."""

from __future__ import annotations

from math import nan

import numpy as np
import pytest

from j48geo.core.dataset import Attribute, Dataset, Header
from j48geo.data.columns import align_by_label, align_columns, match_columns
from j48geo.data.rows import Rows
from j48geo.errors import ColumnError, DataReadError, MismatchError
from j48geo.read.readers import read_tree

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
        "t.csv: no class column; the class of every row is missing",
        "columns ignored: z",
    )


def test_names_are_compared_letter_for_letter() -> None:
    assert match_columns(["X", "y"], TOLD, source="t.csv").header.names == ("y", "class")


def test_two_columns_of_a_name_that_matters_are_refused_and_others_are_not() -> None:
    with pytest.raises(DataReadError, match=r"^t\.csv: two columns are called 'x'; expected one$"):
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


TEXT = b"colour = red: yes (1.0)\ncolour = blue: no (1.0)\n"
"""Read alone, this text says: red is the first colour, and yes the first class."""


def rows_of(colours: tuple[str, ...], X: list[list[float]]) -> Rows:
    attributes = (
        Attribute("size"),
        Attribute("colour", "nominal", colours),
        Attribute("class", "nominal", ("no", "yes")),
    )
    return Rows.of(Dataset(Header("r", attributes, 2), np.array(X), np.ones(len(X))), "d.arff")


def test_cells_are_matched_by_label_where_the_order_was_guessed() -> None:
    tree = read_tree(TEXT)
    rows = rows_of(("blue", "red", "green"), [[1, 0, 0], [2, 1, 1], [4, nan, nan]])
    (block,) = align_by_label(rows, tree)
    assert block.header.names == ("colour", "class")
    np.testing.assert_array_equal(block.X, [[1, 1], [0, 0], [nan, nan]])


def test_a_label_without_a_branch_is_refused_where_it_occurs() -> None:
    rows = rows_of(("blue", "red", "green"), [[1, 0, 0], [3, 2, 1]])
    with pytest.raises(MismatchError, match=r"d\.arff: 'colour' is 'green' in some row"):
        list(align_by_label(rows, read_tree(TEXT)))


def test_labels_that_a_binary_split_does_not_name_go_the_way_of_unequal() -> None:
    tree = read_tree(b"colour = red: yes (1.0)\ncolour != red: no (1.0)\n")
    rows = rows_of(("blue", "red", "green"), [[1, 0, 0], [2, 1, 1], [3, 2, 1]])
    (block,) = align_by_label(rows, tree)
    assert block.X[:, 0].tolist() == [1, 0, 1]
    assert tree.header.attributes[0].values == ("red", "(any other)")


def test_an_attribute_that_the_tree_asks_for_must_be_there() -> None:
    attributes = (Attribute("size"), Attribute("class", "nominal", ("no", "yes")))
    rows = Rows.of(Dataset(Header("r", attributes, 1), np.zeros((1, 2)), np.ones(1)), "d.arff")
    with pytest.raises(ColumnError, match=r"^d\.arff: no column 'colour', which the model asks"):
        align_by_label(rows, read_tree(TEXT))


def test_numbers_are_not_taken_for_labels() -> None:
    attributes = (Attribute("colour"), Attribute("class", "nominal", ("no", "yes")))
    rows = Rows.of(Dataset(Header("r", attributes, 1), np.zeros((1, 2)), np.ones(1)), "d.arff")
    with pytest.raises(
        MismatchError,
        match=r"^d\.arff: column 'colour' is numeric; the model expects",
    ):
        align_by_label(rows, read_tree(TEXT))


def test_a_header_must_have_every_column_with_the_same_values_in_the_same_order() -> None:
    rows = rows_of(("blue", "red"), [[1, 0, 0]])
    wanted = Header("m", tuple(reversed(rows.header.attributes)), 0)
    (block,) = align_columns(rows, wanted)
    assert block.X.tolist() == [[0, 0, 1]]
    turned = rows_of(("red", "blue"), [[1, 0, 0]]).header
    with pytest.raises(ColumnError) as told:
        align_columns(rows, turned)
    assert str(told.value) == "d.arff: column 'colour' is {blue,red}; the model expects {red,blue}"
    more = Header("m", (*rows.header.attributes, Attribute("width")), 2)
    with pytest.raises(ColumnError) as told:
        align_columns(rows, more)
    expected = "no column 'width', which the model asks for; it has size, colour, class"
    assert str(told.value) == f"d.arff: {expected}"
