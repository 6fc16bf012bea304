"""Comments and bullets before every line of a tree, full-width brackets: never in a name."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tree_cases import CORPUS

import j48geo
from j48geo.core.dataset import Attribute, Header

BLOCK = """J48 pruned tree
------------------

plas <= 127
|   mass <= 26.4: no (132.0/3.0)
|   mass > 26.4
|   |   age = young: no (180.0/22.0)
|   |   age = old: yes (59.0/24.0)
plas > 127: yes (283.0/109.0)

Number of Leaves  : \t4

Size of the tree : \t7
"""
FLAT = "x <= 3: no (10.0)\nx > 3: yes (10.0/1.0)\n"
FRAMED = f"""J48 pruned tree
------------------

{FLAT}
Number of Leaves  : \t2

Size of the tree : \t3
"""
MARKS = ["## ", "#> ", "# ", "// ", "//", "-- ", " * ", "* ", "- ", "; ", "% ", "    // ", "log: "]


def names(tree: j48geo.BoxTree) -> list[object]:
    """What a mark must never become a part of."""
    return [*tree.header.names, *(a.values for a in tree.header.attributes)]


def shape(tree: j48geo.BoxTree) -> list[object]:
    return [
        *names(tree),
        [(n.parent, n.branch, n.split and n.split.token) for n in tree.nodes],
        [(x.label, x.weight, x.errors) for x in tree.leaves],
    ]


def before_every_line(text: str, mark: str) -> str:
    return "".join(f"{mark}{line}".rstrip() + "\n" for line in text.split("\n")[:-1])


PLACES: dict[str, Callable[[str], str]] = {
    "alone": lambda text: text,
    "in a document": lambda text: f"Our tree:\n\n{text}\nand so on = here.\n",
    "in a fence": lambda text: f"# Trees\n\n```\n{text}```\nas said.\n",
    "below code": lambda text: f"m <- J48(class ~ ., data = d)\n{text}\nprint(m)\n",
}


@pytest.mark.parametrize("text", [BLOCK, FRAMED, BLOCK[BLOCK.index("plas") :]])
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("mark", MARKS)
def test_a_mark_before_every_line_is_removed_and_that_is_said(
    mark: str, place: str, text: str
) -> None:
    whole = j48geo.read_tree(text.encode())
    marked = PLACES[place](before_every_line(text, mark))
    # Without a banner letters may be a name, and a line of code the first line of the tree.
    if "J48" not in text and (mark == "log: " or place == "below code"):
        with pytest.raises(j48geo.ModelReadError):
            j48geo.read_tree(marked.encode())
        return
    tree = j48geo.read_tree(marked.encode())
    assert shape(tree) == shape(whole)
    assert "a mark before every line of the tree was removed" in tree.notes


@pytest.mark.parametrize("indent", ["\t", "  ", "    "])
@pytest.mark.parametrize("bullet", ["* ", "- ", "+ ", "\u2022 ", "# "])
def test_the_bullets_of_a_nested_list_are_read_as_indentation(bullet: str, indent: str) -> None:
    lines = BLOCK.split("\n")[3:9]
    nested = "".join(
        f"{indent * line.count('|   ')}{bullet}{line.replace('|   ', '')}\n" for line in lines
    )
    whole = j48geo.read_tree("\n".join(lines).encode())
    tree = j48geo.read_tree(f"## Our tree\n\n{nested}\nThat is all.\n".encode())
    assert shape(tree) == shape(whole)
    assert "bullets of a nested list were read as indentation" in tree.notes


@pytest.mark.parametrize("mark", ["* ", "- ", "# ", "## ", "//", "-- ", "#"])
def test_a_mark_that_may_be_part_of_the_names_is_refused_unless_the_data_tells(mark: str) -> None:
    marked = before_every_line(FLAT, mark).encode()
    with pytest.raises(j48geo.ModelReadError, match="may be a mark or the beginning of the names"):
        j48geo.read_tree(marked)
    assert names(j48geo.read_tree(marked, header=header("x")))[0] == "x"
    assert names(j48geo.read_tree(marked, header=header(f"{mark}x")))[0] == f"{mark}x"
    with pytest.raises(j48geo.ModelReadError, match="may be a mark"):
        j48geo.read_tree(marked, header=header("x", f"{mark}x"))


def header(*numeric: str) -> Header:
    attributes = (*map(Attribute, numeric), Attribute("class", "nominal", ("no", "yes")))
    return Header("marked", attributes, class_index=len(numeric))


def test_a_name_that_begins_with_a_mark_under_an_unmarked_banner_is_a_name() -> None:
    tree = j48geo.read_tree(FRAMED.replace("x ", "#legs ").encode())
    assert tree.header.names[0] == "#legs"
    deeper = "#legs <= 3\n|   #eyes <= 2: a (2.0)\n|   #eyes > 2: b (2.0)\n#legs > 3: a (3.0)\n"
    assert j48geo.read_tree(deeper.encode()).header.names[:2] == ("#legs", "#eyes")


@pytest.mark.parametrize("text", [FRAMED, FLAT])
def test_bullets_in_the_lines_of_the_tree_alone_are_refused_without_data(text: str) -> None:
    bulleted = text.replace("x <", "* x <").replace("x >", "* x >").encode()
    with pytest.raises(j48geo.ModelReadError, match="may be a mark"):
        j48geo.read_tree(bulleted)


def test_a_line_of_the_tree_that_lacks_the_mark_stops_the_repair() -> None:
    lines = before_every_line(BLOCK, "# ").split("\n")
    for i in range(3, 9):
        spoilt = [*lines[:i], lines[i][2:], *lines[i + 1 :]]
        with pytest.raises(j48geo.ModelReadError):
            j48geo.read_tree("\n".join(spoilt).encode())


@pytest.mark.parametrize("blank", [" ", "\u3000"])
def test_full_width_brackets_of_counts_are_read_with_a_note(blank: str) -> None:
    wide = BLOCK.replace(" (", f"{blank}\uff08").replace(")", "\uff09")
    for known in (None, header("x")):
        if known is not None:
            wide = FRAMED.replace(" (", f"{blank}\uff08").replace(")", "\uff09")
        tree = j48geo.read_tree(wide.encode(), header=known)
        assert "full-width brackets of counts were read as ( and )" in tree.notes
        assert set(tree.classes) == {"no", "yes"}
        assert all(leaf.weight for leaf in tree.leaves)


def test_full_width_brackets_of_a_name_stay() -> None:
    text = FRAMED.replace("x ", "\u5e74\u9f62\uff08\u6b73\uff09 ")
    wide = text.replace(" (", " \uff08").replace(")", "\uff09")
    assert j48geo.read_tree(wide.encode()).header.names[0] == "\u5e74\u9f62\uff08\u6b73\uff09"


@pytest.mark.parametrize(
    "end",
    ["\uff0810.0\uff09", " \u301010.0\u3011", " (10.0) |", " (10.0);", " [10.0]", " (10,0) */"],
)
def test_counts_that_cannot_be_read_are_never_part_of_a_label(end: str) -> None:
    text = f"x <= 3: no{end}\nx > 3: yes{end}\n"
    with pytest.raises(j48geo.ModelReadError):
        j48geo.read_tree(text.encode())


PUBLIC = [
    ("k31-slashes/model.java", 6, "6"),
    ("k33-r-comments/model.R", 5, "Petal.Width"),
    ("k34-knitr/model.md", 10, "marital-status"),
    ("k40-bullets/model.md", 5, "Inv-nodes"),
]


if CORPUS.is_dir():  # beside the trees above, which need none

    @pytest.mark.corpus
    @pytest.mark.parametrize(("case", "leaves", "first"), PUBLIC)
    def test_marked_trees_of_public_pages_are_read(case: str, leaves: int, first: str) -> None:
        tree = j48geo.read_tree(CORPUS / "wild" / case)
        assert len(tree.leaves) == leaves
        assert tree.header.names[0] == first
