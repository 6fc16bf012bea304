"""Names and values that look like the grammar: told apart with the header, else refused."""

from __future__ import annotations

import re
from time import process_time

import numpy as np
import pytest

import j48geo
from j48geo.core.build import at_most, build_tree, by_value, is_value, leaf
from j48geo.read.readers import read_trees

CLASS = j48geo.Attribute("c", "nominal", ("P", "N"))
TWO_WAYS = j48geo.Header(
    "two",
    (
        j48geo.Attribute("x", "nominal", ("a = b", "a = d")),
        j48geo.Attribute("x = a", "nominal", ("b", "d")),
        CLASS,
    ),
    class_index=2,
)
TEXT = b"x = a = b: P (3.0)\nx = a = d: N (2.0)\n"


def rows(*cells: tuple[int, int, int]) -> j48geo.Dataset:
    X = np.array(cells, dtype=float)
    return j48geo.Dataset(TWO_WAYS, X, np.ones(len(X)))


def test_two_readings_are_both_found() -> None:
    (entry,) = read_trees(TEXT, header=TWO_WAYS).entries
    assert [next(tree.splits)[1].attribute for tree in entry.readings] == [0, 1]


def test_two_readings_without_data_are_refused_and_both_named() -> None:
    with pytest.raises(j48geo.ModelReadError) as caught:
        j48geo.read_tree(TEXT, header=TWO_WAYS)
    assert str(caught.value) == (
        "<bytes>:1: the tree can be read in 2 ways: attribute 'x' with values a = b, "
        "a = d, or attribute 'x = a' with values b, d; expected training data to decide"
    )


def test_a_last_line_with_two_readings_is_refused_without_a_header() -> None:
    text = b"x = a: P (3.0)\nx = b: c: P (2.0)\n"
    (entry,) = read_trees(text).entries
    assert {tree.header.attributes[0].values for tree in entry.readings} == {
        ("a", "b"),
        ("a", "b: c"),
    }
    with pytest.raises(j48geo.ModelReadError, match="can be read in 2 ways"):
        j48geo.read_tree(text)


def test_the_counts_of_the_data_decide() -> None:
    by_second = rows((1, 0, 0), (1, 0, 0), (0, 0, 0), (0, 1, 1), (1, 1, 1))
    tree = j48geo.read_tree(TEXT, data=by_second)
    assert [split.attribute for _, split in tree.splits] == [1]
    assert any("counts of the data decided" in note for note in tree.notes)
    by_first = rows((0, 1, 0), (0, 1, 0), (0, 0, 0), (1, 0, 1), (1, 1, 1))
    tree = j48geo.read_tree(TEXT, data=by_first)
    assert [split.attribute for _, split in tree.splits] == [0]


def many_ways(depth: int) -> tuple[str, j48geo.Dataset]:
    """A chain of nodes that each read in two ways, and rows that only one reading explains."""
    names = [f"v{d}" for d in range(depth)]
    attributes = [j48geo.Attribute(name, "nominal", ("a = b", "a = d")) for name in names]
    attributes += [j48geo.Attribute(f"{name} = a", "nominal", ("b", "d")) for name in names]
    header = j48geo.Header("many", (*attributes, CLASS), class_index=2 * depth)
    cells = []
    for d in range(depth):
        for k in range(d + 1):  # d + 1 rows leave the chain at node d, by the second attribute
            row = [(k + j) % 2 for j in range(depth)] + [1] * depth + [d % 2]
            row[depth + d] = 0
            cells.append(row)
    cells.append([0, 1] * (depth // 2) + [1] * depth + [depth % 2])
    lines = []
    for d, name in enumerate(names):
        lines.append(f"{'|   ' * d}{name} = a = b: {'PN'[d % 2]} ({d + 1}.0)")
        lines.append(f"{'|   ' * d}{name} = a = d")
    lines[-1] += f": {'PN'[depth % 2]} (1.0)"
    X = np.array(cells, dtype=float)
    return "\n".join(lines) + "\n", j48geo.Dataset(header, X, np.ones(len(X)))


def test_readings_too_many_to_list_are_decided_from_the_root_down() -> None:
    text, data = many_ways(14)
    (entry,) = read_trees(text.encode(), header=data.header).entries
    assert entry.exhausted
    assert [len(ways) for ways in entry.choices.values()] == [2] * 14
    tree = j48geo.read_tree(text.encode(), data=data)
    assert [split.attribute for _, split in tree.splits] == list(range(14, 28))
    with pytest.raises(j48geo.ModelReadError, match="can be read in more than 2 ways"):
        j48geo.read_tree(text.encode(), header=data.header)


def colons_everywhere(values: int) -> str:
    """A tree whose values and labels hold colons, so that every leaf can be read in many ways."""
    operands = [f"value {k}: {'x' * 60}: part {k}" for k in range(values)]
    lines = []
    for first in operands:
        lines.append(f"first = {first}")
        for k, second in enumerate(operands):
            label = ("class: one", "class: two", "class: one: more")[k % 3]
            lines.append(f"|   second = {second}: {label} (3.0)")
    return "J48 pruned tree\n------------------\n\n" + "\n".join(lines) + "\n"


@pytest.mark.parametrize("values", [8, 99])
def test_readings_too_many_to_list_are_refused_in_seconds_and_two_are_shown(values: int) -> None:
    start = process_time()
    with pytest.raises(j48geo.ModelReadError) as caught:
        j48geo.read_tree(colons_everywhere(values).encode())
    assert process_time() - start < 20  # 398 s before
    ways = re.search(
        r"can be read in many ways: line \d+ as (.*), or (.*); expected training data",
        str(caught.value),
    )
    assert ways is not None
    assert ways[1] != ways[2]


def test_the_lists_around_a_tree_decide_between_its_readings() -> None:
    text = colons_everywhere(8)
    listed = (
        "=== Run information ===\n\nScheme:       weka.classifiers.trees.J48 -C 0.25 -M 2\n"
        "Attributes:   3\n              first\n              second\n              class\n"
        "Test mode:    evaluate on training data\n\n=== Classifier model ===\n\n"
        f"{text}\n=== Confusion Matrix ===\n\n  a  b  c   <-- classified as\n"
        "  9  0  0 |  a = class: two\n  0  9  0 |  b = class: one: more\n"
        "  0  0  9 |  c = class: one\n"
    )
    tree = j48geo.read_tree(listed.encode())
    assert tree.classes == ("class: two", "class: one: more", "class: one")
    assert tree.header.attributes[0].values == tuple(
        f"value {k}: {'x' * 60}: part {k}" for k in range(8)
    )


def test_data_that_agrees_with_both_readings_decides_nothing() -> None:
    same = rows(*[(0, 0, 0)] * 3, *[(1, 1, 1)] * 2)
    with pytest.raises(j48geo.ModelReadError, match=r"in 2 ways.*2 of them agree with the counts"):
        j48geo.read_tree(TEXT, data=same)


def test_without_a_header_what_is_not_certain_is_refused() -> None:
    with pytest.raises(j48geo.ModelReadError, match="can be read in 2 ways"):
        j48geo.read_tree(TEXT)
    numeric_or_nominal = b"f = a <= 5: P (3.0)\nf = a > 5: N (2.0)\n"
    with pytest.raises(j48geo.ModelReadError, match="can be read in 2 ways"):
        j48geo.read_tree(numeric_or_nominal)


NASTY = [
    "plain",
    "a: b",
    "a",
    "a <= 3",
    "x (2.0)",
    "|   z",
    "y = 1",
    "v: yes (3.0)",
    "",
    " outer ",
    "line\nbreak",
    "Number of Leaves  : ",
    "> 1",
    "日本 \u2264 1",
    "J48 pruned tree",
]


@pytest.mark.parametrize("name", [name for name in NASTY if name])
def test_any_name_of_a_numeric_attribute_is_read_with_its_header(name: str) -> None:
    header = j48geo.Header("n", (j48geo.Attribute(name), CLASS), class_index=1)
    tree = build_tree(
        header,
        at_most(
            name,
            2.5,
            at_most(name, 1.5, leaf("P", 2), leaf("N", 3, 1)),
            leaf("P", 4),
        ),
    )
    again = j48geo.read_tree(j48geo.tree_text(tree).encode(), header=header)
    assert shape(again) == shape(tree)


def test_nasty_values_and_labels_are_read_with_their_header() -> None:
    header = j48geo.Header(
        "v",
        (
            j48geo.Attribute("v", "nominal", tuple(NASTY)),
            j48geo.Attribute("n"),
            j48geo.Attribute("c", "nominal", ("c: d (1.0)", "c", "e/f", "c: d")),
        ),
        class_index=2,
    )
    labels = header.classes
    inner = at_most("n", 3, leaf(labels[0], 7), leaf(labels[3], 12, 1))
    parts = [inner if i % 3 == 0 else leaf(labels[i % 4], i) for i in range(len(NASTY))]
    tree = build_tree(header, by_value("v", *parts))
    again = j48geo.read_tree(j48geo.tree_text(tree).encode(), header=header)
    assert shape(again) == shape(tree)
    one = is_value("v", "v: yes (3.0)", inner, leaf("c", 2))
    binary = build_tree(header, one)
    again = j48geo.read_tree(j48geo.tree_text(binary).encode(), header=header)
    assert shape(again) == shape(binary)


def shape(tree: j48geo.BoxTree) -> list[object]:
    return [
        [
            (n.parent, n.branch, n.split and (n.split.attribute, n.split.kind, n.split.threshold))
            for n in tree.nodes
        ],
        [(leaf.label, leaf.weight, leaf.errors) for leaf in tree.leaves],
    ]
