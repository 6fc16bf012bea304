"""Rows in the columns of a tree: by name, and by label where the order is only guessed."""

from __future__ import annotations

from math import nan

import numpy as np
import pytest

from j48geo.core.dataset import Attribute, Dataset, Header
from j48geo.data.column_matching import align_by_label
from j48geo.data.rows import Rows
from j48geo.errors import MismatchError
from j48geo.read.readers import read_tree

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
    with pytest.raises(MismatchError, match=r"d\.arff has no attribute 'colour'"):
        align_by_label(rows, read_tree(TEXT))


def test_numbers_are_not_taken_for_labels() -> None:
    attributes = (Attribute("colour"), Attribute("class", "nominal", ("no", "yes")))
    rows = Rows.of(Dataset(Header("r", attributes, 1), np.zeros((1, 2)), np.ones(1)), "d.arff")
    with pytest.raises(MismatchError, match="'colour' is numeric in the data; the tree expects"):
        align_by_label(rows, read_tree(TEXT))
