"""Trees pasted from pages and web sites: the same tree with a note, or an error; never another."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tree_cases import CORPUS, FIXTURES, case_folders

import j48geo
from j48geo.core.dataset import Attribute, Header

CASES = ["iris", "pima", "multiway-empty", "parcels-weights", "parcels-binary", "one-leaf"]
FOOTER = "Number of Leaves"


def block(text: str) -> str:
    """The tree block alone, as people paste it."""
    start = text.index("J48 ")
    return text[start : text.index("\n", text.index("Size of the tree")) + 1]


def body(text: str) -> tuple[int, int]:
    """The numbers of the tree's own lines: the first, and the one after the last."""
    lines = text.split("\n")
    start = next((i + 1 for i, line in enumerate(lines) if line.startswith("-----")), 0)
    while not lines[start]:
        start += 1
    stop = start
    while stop < len(lines) and lines[stop]:
        stop += 1
    return start, stop


def each_line(change: Callable[[str], str]) -> Callable[[str, random.Random], str]:
    """Damage that meets every line of the tree."""

    def damaged(text: str, chance: random.Random) -> str:
        lines, (start, stop) = text.split("\n"), body(text)
        lines[start:stop] = map(change, lines[start:stop])
        return "\n".join(lines)

    return damaged


def some_lines(change: Callable[[str, random.Random], str]) -> Callable[[str, random.Random], str]:
    """Damage that meets one line of the tree, or several."""

    def damaged(text: str, chance: random.Random) -> str:
        lines, (start, stop) = text.split("\n"), body(text)
        for i in chance.sample(range(start, stop), chance.randint(1, min(4, stop - start))):
            lines[i] = change(lines[i], chance)
        return "\n".join(lines)

    return damaged


def wrapped(line: str, chance: random.Random) -> str:
    """As a narrow column wraps: at a blank of the line's content, which is lost."""
    content = len(re.match(r"(?:\|   )*", line)[0])  # type: ignore[index]
    blanks = [m.start() for m in re.finditer(" ", line) if m.start() > content]
    if not blanks:
        return line
    at = chance.choice(blanks)
    return f"{line[:at]}\n{line[at + 1 :]}"


def cut(line: str, chance: random.Random) -> str:
    """As a terminal wraps: anywhere, and nothing is lost."""
    content = len(re.match(r"(?:\|   )*", line)[0])  # type: ignore[index]
    if len(line) < content + 2:
        return line
    at = chance.randrange(content + 1, len(line))
    return f"{line[:at]}\n{line[at:]}"


PAGES = ["Page 5", "5", "\f", "5\n\nAppendix B. The trees", "\n- 12 -\n\n", "", "3 of 12", "blue"]


def page_after(line: str, chance: random.Random) -> str:
    return f"{line}\n{chance.choice(PAGES)}"


def numbered(text: str, chance: random.Random) -> str:
    between = chance.choice([": ", ":", ". ", " ", "\t", ") ", " | "])
    first = chance.randint(1, 120)
    width = chance.choice([0, 5])
    lines = text.rstrip("\n").split("\n")
    return "\n".join(f"{first + i:{width}}{between}{line}" for i, line in enumerate(lines))


def collapsed(line: str) -> str:
    return re.sub(" +", " ", line)


def numbered_and_collapsed(text: str, chance: random.Random) -> str:
    return numbered(DAMAGE["collapsed"][0](text, chance), chance)


def commas(line: str) -> str:
    line = re.sub(r"(?<=\d)\.(?=\d+(?:E\d+)?[/)])", ",", line)
    return re.sub(r"(?<= [<>] )(-?\d+)\.|(?<= <= )(-?\d+)\.", r"\1\2,", line)


Damage = Callable[[str, random.Random], str]
DAMAGE: dict[str, tuple[Damage, str]] = {
    "counts below": (
        some_lines(lambda line, _: re.sub(r" (\([\d./]+\))$", r"\n\1", line)),
        "joined",
    ),
    "all counts below": (each_line(lambda line: re.sub(r" (\([\d./]+\))$", r"\n\1", line)), "joi"),
    "collapsed": (each_line(collapsed), "blanks after indentation marks"),
    "bars alone": (each_line(lambda line: line.replace("|   ", "|")), "blanks after indentation"),
    "blanks alone": (each_line(lambda line: line.replace("|   ", "    ")), "marks were restored"),
    "bars taken out": (each_line(lambda line: line.replace("|", "")), "marks were restored"),
    "tabs alone": (each_line(lambda line: line.replace("|   ", "\t")), "marks were restored"),
    "numbered": (numbered, "line numbers"),
    "numbered and collapsed": (numbered_and_collapsed, "line numbers"),
    "pages": (some_lines(page_after), "left out"),
    "commas": (each_line(commas), "decimal commas"),
    "wrapped": (some_lines(wrapped), "joined"),
    "cut": (some_lines(cut), "joined"),
}
SURE = [name for name in DAMAGE if name not in ("pages", "wrapped", "cut")]  # always undone


def bare(tree: j48geo.BoxTree) -> object:
    nodes = [
        (n.parent, n.branch, n.split and (n.split.attribute, n.split.threshold, n.split.value))
        for n in tree.nodes
    ]
    leaves = [(tree.classes[x.label], x.weight, x.errors) for x in tree.leaves]
    return tree.header.names, nodes, leaves


def same_or_refused(text: str, spoilt: str, header: Header | None) -> bool:
    """Whether the spoilt text gave the tree; if it gave another, or no note, this fails."""
    whole = j48geo.read_tree(text.encode(), header=header)
    try:
        tree = j48geo.read_tree(spoilt.encode(), header=header)
    except j48geo.ModelReadError:
        return False
    if bare(tree) != bare(whole):
        raise AssertionError(f"another tree:\n{spoilt}\n{j48geo.tree_text(tree)}\n{tree.notes}")
    start, stop = body(text)
    if "\n".join(text.split("\n")[start:stop]) not in spoilt:
        assert set(tree.notes) - set(whole.notes)
    return True


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("damage", SURE)
def test_lines_that_copying_broke_are_mended_and_that_is_said(
    fixtures_dir: Path, case: str, damage: str
) -> None:
    folder = fixtures_dir / case
    header = j48geo.read_arff(folder / "data.arff").header
    text = block((folder / "model.txt").read_text(encoding="utf-8"))
    spoil, said = DAMAGE[damage]
    spoilt = spoil(text, random.Random(1))
    assert same_or_refused(text, spoilt, header)
    if spoilt != text:
        assert any(said in note for note in j48geo.read_tree(spoilt.encode(), header=header).notes)


@cache
def printed_blocks(suite: Path) -> list[tuple[str, Header]]:
    """The blocks of single trees of a suite that can be read with a header and without."""
    blocks = []
    for folder in case_folders():
        if not folder.is_relative_to(suite):
            continue
        text = (folder / "model.txt").read_bytes().decode("utf-8", "replace")
        if text.count("J48 pruned tree\n") != 1 or not 0 < text.find(FOOTER) < 20_000:
            continue
        data = re.split(rb"(?im)^@data", (folder / "data.arff").read_bytes())[0] + b"@data\n"
        try:
            header = j48geo.read_arff(data).header
            j48geo.read_tree(block(text).encode(), header=header)
            j48geo.read_tree(block(text).encode())
        except j48geo.J48GeoError:
            continue
        blocks.append((block(text), header))
    return blocks


SUITES = [
    pytest.param(FIXTURES, id="fixtures"),
    *([pytest.param(CORPUS, id="corpus", marks=pytest.mark.corpus)] if CORPUS.is_dir() else []),
]


@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.parametrize("suite", SUITES)
def test_damaged_texts_of_weka_give_the_same_tree_or_an_error(suite: Path, damage: str) -> None:
    read = tried = 0
    for text, header in printed_blocks(suite):
        for known in (header, None):
            spoilt = DAMAGE[damage][0](text, random.Random(len(text)))
            read += same_or_refused(text, spoilt, known)
            tried += 1
    assert tried > 40
    assert read > tried * (0.9 if damage in SURE else 0.1)


HEADER = Header(
    "random",
    (
        Attribute("x"),
        Attribute("plasma glucose"),
        Attribute("5"),
        Attribute("colour", "nominal", ("red", "dark", "dark blue", "red 5")),
        Attribute("on", "nominal", ("no", "yes")),
        Attribute("class", "nominal", ("a", "a b", "Page 5")),
    ),
    class_index=5,
)
THRESHOLDS = ("3", "12", "125", "0.5", "-1.25", "12.3")
COUNTS = ("(3.0)", "(0.0)", "(101.0/10.0)", "(2.27/0.5)", "(12.0/5.0)")


@st.composite
def printed(draw: st.DrawFn) -> str:
    """A tree as Weka prints it."""
    lines: list[str] = []
    inner = 0

    def plant(depth: int, condition: str) -> None:
        nonlocal inner
        if depth and (depth > 3 or draw(st.integers(0, 1))):
            counts = draw(st.sampled_from(COUNTS))
            label = draw(st.sampled_from(HEADER.classes))
            lines.append(f"{'|   ' * (depth - 1)}{condition}: {label} {counts}")
            return
        if depth:
            lines.append("|   " * (depth - 1) + condition)
        inner += 1
        attribute = draw(st.sampled_from(HEADER.attributes[:5]))
        if attribute.is_numeric:
            threshold = draw(st.sampled_from(THRESHOLDS))
            ways = [f"<= {threshold}", f"> {threshold}"]
        elif draw(st.booleans()):
            value = draw(st.sampled_from(attribute.values))
            ways = [f"= {value}", f"!= {value}"]
        else:
            ways = [f"= {value}" for value in attribute.values]
        for way in ways:
            plant(depth + 1, f"{attribute.name} {way}")

    plant(0, "")
    text = "\n".join(lines) + "\n"
    if draw(st.booleans()):
        text = f"J48 pruned tree\n------------------\n\n{text}"
    if draw(st.booleans()):
        leaves = len(lines) - inner + 1
        text += f"\n{FOOTER}  : \t{leaves}\n\nSize of the tree : \t{len(lines) + 1}\n"
    return text


@pytest.mark.parametrize("damage", DAMAGE)
@settings(max_examples=60, deadline=None)
@given(text=printed(), seed=st.integers(0, 2**32), known=st.booleans())
def test_a_damaged_tree_is_the_same_tree_or_an_error(
    damage: str, text: str, seed: int, known: bool
) -> None:
    header = HEADER if known else None
    try:
        j48geo.read_tree(text.encode(), header=header)
    except j48geo.J48GeoError:
        return  # open even when whole: without a header some names can be read in two ways
    spoil, _ = DAMAGE[damage]
    same_or_refused(text, spoil(text, random.Random(seed)), header)


ODD = {
    "a count on a line of its own, twice": (
        "x <= 3: a\n(3.0)\n(2.0)\nx > 3: a (1.0)\n",
        "continued line",
        2,
    ),
    "commas among points": ("x <= 3: a (3,0)\nx > 3: a (2.0)\n", "decimal commas", 1),
    "a threshold alone has a comma": ("x <= 3,5: a (3.0)\nx > 3,5: a (2.0)\n", "commas", 1),
    "numbers that do not count": (
        "1: x <= 3: a (3.0)\n9: x > 3: a (2.0)\n",
        "numbered line",
        1,
    ),
    "blanks after bars of two kinds": (
        "x <= 3\n| x <= 1\n|  | x <= 0: a (1.0)\n| | x > 0: a (1.0)\n| x > 1: a (1.0)\n"
        "x > 3: a (2.0)\n",
        "broken indentation",
        2,
    ),
    "a page number that may be a value": (
        "colour = red\n5\n|   x <= 3: a (3.0)\n|   x > 3: a (2.0)\ncolour != red: a (1.0)\n",
        "page number",
        2,
    ),
    "a page number inside a label": (
        "x <= 3: a\n5\n(3.0)\nx > 3: a (2.0)\n",
        "page number",
        2,
    ),
}


@pytest.mark.parametrize("footer", ["", "\nNumber of Leaves  : \t1\n\nSize of the tree : \t1\n"])
@pytest.mark.parametrize("header", [None, HEADER], ids=["alone", "with a header"])
def test_a_lone_leaf_broken_anywhere_never_loses_its_counts(
    header: Header | None, footer: str
) -> None:
    line = ": a (60.0/10.0)"
    text = f"{line}\n{footer}"
    for at in range(1, len(line)):
        for rest in (line[at:], line[at:].lstrip()):
            same_or_refused(text, f"{line[:at]}\n{rest}\n{footer}", header)
    assert same_or_refused(text, f": a\n (60.0/10.0)\n{footer}", header)


@pytest.mark.parametrize("between", ["\n\n", "\n\n\n", "\n  \n"])
@pytest.mark.parametrize("header", [None, HEADER], ids=["alone", "with a header"])
def test_a_lone_leaf_never_loses_counts_below_a_blank_line(
    header: Header | None, between: str
) -> None:
    same_or_refused(": a (60.0/10.0)\n", f": a{between}(60.0/10.0)\n", header)


@pytest.mark.parametrize("name", ODD)
def test_what_would_need_a_guess_is_refused_with_its_line_and_its_look(name: str) -> None:
    text, said, line = ODD[name]
    with pytest.raises(j48geo.ModelReadError) as caught:
        j48geo.read_tree(text.encode(), header=HEADER)
    assert (said in caught.value.problem, caught.value.line) == (True, line), caught.value


def test_a_footer_that_contradicts_the_mended_tree_refuses_it() -> None:
    text = "x <= 3: a\n(3.0)\nx > 3: a (2.0)\n\nNumber of Leaves : {}\n\nSize of the tree : 3\n"
    assert j48geo.read_tree(text.format(2).encode(), header=HEADER).size == 3
    with pytest.raises(j48geo.ModelReadError, match="continued line"):
        j48geo.read_tree(text.format(3).encode(), header=HEADER)


def test_what_a_page_put_into_a_tree_is_named() -> None:
    text = b"x <= 3: a (3.0)\n\nPage 5\nAppendix\n\nx > 3: a (2.0)\n"
    notes = j48geo.read_tree(text, header=HEADER).notes
    assert notes[0] == "lines between the lines of the tree were left out: Page 5, Appendix"


def test_without_a_header_a_tree_does_not_end_where_a_page_ends() -> None:
    lines = [f"colour = {value}: a (3.0)" for value in ("red", "blue", "green", "white")]
    whole = j48geo.read_tree("\n".join(lines).encode())
    for at in (1, 2, 3):
        text = "\n".join([*lines[:at], "", "Page 5", "", *lines[at:]])
        assert bare(j48geo.read_tree(text.encode())) == bare(whole)


def test_a_broken_label_is_joined_only_if_one_declared_word_fits() -> None:
    text = b"x <= 3: a\nb (3.0)\nx > 3: a b (2.0)\n"
    tree = j48geo.read_tree(text, header=HEADER)
    assert [tree.classes[leaf.label] for leaf in tree.leaves] == ["a b", "a b"]
    attributes = (*HEADER.attributes[:5], Attribute("class", "nominal", ("a", "a b", "ab")))
    for header in (None, Header("both", attributes, class_index=5)):
        with pytest.raises(j48geo.ModelReadError, match="looks like a continued line"):
            j48geo.read_tree(text, header=header)


@pytest.mark.parametrize("banner", ["J48 pruned tree\n------------------\n\n", ""])
def test_a_quoted_tree_that_cannot_be_mended_is_not_read_from_its_end(banner: str) -> None:
    tree = (
        "wind \u2264 3,5: go (12.0/1.0)\nwind > 3,5\n"
        "|   sky = clear: stay (4.0)\n|   sky = grey: go (2.0)\n"
    )
    quoted = "".join(f"> {line}\n" for line in (banner + tree).splitlines())
    with pytest.raises(j48geo.ModelReadError, match="it looks like decimal commas"):
        j48geo.load(quoted)
