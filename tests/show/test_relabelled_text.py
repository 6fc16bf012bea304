from __future__ import annotations

from dataclasses import replace

from hand_made import weather_tree

from j48geo.core.dataset import Attribute
from j48geo.core.tree import BoxTree
from j48geo.read.readers import read_tree
from j48geo.show.weka_text import relabelled_tree_text


def with_classes(*names: str) -> BoxTree:
    tree = weather_tree()
    attributes = (*tree.header.attributes[:-1], Attribute("play", "nominal", names))
    return replace(tree, header=replace(tree.header, attributes=attributes))


def test_the_first_line_says_what_was_done_and_the_tree_reads_back() -> None:
    tree = weather_tree()
    text = relabelled_tree_text(tree, "Relabelled by j48geo (x)")
    assert text.splitlines()[:3] == ["Relabelled by j48geo (x)", "classes:", " => yes, no"]
    again = read_tree(text.encode())
    assert again.classes == tree.classes
    assert [x.label for x in again.leaves] == [x.label for x in tree.leaves]


def test_no_first_line_is_taken_for_a_branch() -> None:
    tree = weather_tree()
    bare = replace(tree, layout=replace(tree.layout, banner="", footer=""))
    text = relabelled_tree_text(bare, "an actual 'a <= 3: b (1.0)' called 'x = y'\ncosts 5")
    assert " <= 3" not in text.splitlines()[0]
    assert len(read_tree(text.encode()).leaves) == 5


def test_classes_that_cannot_be_listed_are_left_to_the_leaves() -> None:
    tree = with_classes("yes, sir", "no")
    text = relabelled_tree_text(tree, "done")
    assert "=>" not in text
    assert set(read_tree(text.encode()).classes) == {"yes, sir", "no"}
