"""What everyday copying does to a tree text, undone; every case starts from Weka's own output."""

from __future__ import annotations

import html
import json
from collections.abc import Callable
from pathlib import Path

import pytest

import j48geo

CASES = ["iris", "odd-names", "parcels-weights", "one-leaf", "multiway-empty", "pima"]


def block(text: str) -> str:
    """The tree block alone, as people paste it."""
    start = text.index("J48 ")
    return text[start : text.index("\n", text.index("Size of the tree")) + 1]


def lines(change: Callable[[str], str]) -> Callable[[str], bytes]:
    return lambda text: "\n".join(map(change, text.split("\n"))).encode()


def swedish(text: str) -> str:
    return text.replace("<= -", "<= \u2212").replace("> -", "> \u2212")


DAMAGE: dict[str, tuple[Callable[[str], bytes], str]] = {
    "crlf": (lambda t: t.replace("\n", "\r\n").encode(), "CR LF"),
    "cr": (lambda t: t.replace("\n", "\r").encode(), "CR"),
    "cr-cr-lf": (lambda t: t.replace("\n", "\r\r\n").encode(), "CR CR LF"),
    "utf8-bom": (lambda t: b"\xef\xbb\xbf" + t.encode(), "byte order mark"),
    "utf16": (lambda t: t.replace("\n", "\r\n").encode("utf-16"), "UTF-16"),
    "utf16-le-bare": (lambda t: t.encode("utf-16-le"), "UTF-16"),
    "mail": (lines(lambda line: "> " + line), "quotation"),
    "mail-twice": (lines(lambda line: "> > " + line), "quotation"),
    "mail-answer": (
        lambda t: ("On Monday Bob wrote:\n" + "\n".join("> " + x for x in t.split("\n"))).encode(),
        "quotation",
    ),
    "four-blanks": (lines(lambda line: "    " + line), "before every line"),
    "tab-shift": (lines(lambda line: "\t" + line), "before every line"),
    "trailing-blanks": (lines(lambda line: line + "   "), "line ends"),
    "tab-marks": (lines(lambda line: line.replace("|   ", "|\t")), "tabs"),
    "markdown": (lambda t: f"Our tree:\n\n```text\n{t}```\nas said.\n".encode(), ""),
    "html": (lambda t: html.escape(t).encode(), "HTML"),
    "typographic": (lambda t: t.replace("<=", "\u2264").encode(), "typographic"),
    "no-break-blanks": (lambda t: t.replace("|   ", "|\u00a0\u00a0\u00a0").encode(), "no-break"),
    "bars": (lambda t: t.replace("|   ", "\u2502   ").encode(), "box-drawing"),
    "string-literal": (lambda t: json.dumps(t, ensure_ascii=False).encode(), "string literal"),
    "swedish-minus": (lambda t: swedish(t).encode(), ""),
    "r-prompt": (lambda t: f"> m\n{t}\n> ".encode(), ""),
}  # fmt: skip


# Names of odd-names hold bars themselves, so that other bars would change them.
@pytest.mark.parametrize(
    ("damage", "case"),
    [(d, c) for d in DAMAGE for c in CASES if (d, c) != ("bars", "odd-names")],
)
def test_damage_that_needs_no_guess_is_undone_and_reported(
    fixtures_dir: Path, case: str, damage: str
) -> None:
    folder = fixtures_dir / case
    header = j48geo.read_arff(folder / "data.arff").header
    text = block((folder / "model.txt").read_text(encoding="utf-8"))
    whole = j48geo.read_tree(text.encode(), header=header)
    spoil, said = DAMAGE[damage]
    spoilt = spoil(text)
    tree = j48geo.read_tree(spoilt, header=header)
    assert (tree.header, bare(tree), tree.size) == (whole.header, bare(whole), whole.size)
    changed = spoilt.decode("utf-8", "replace") != text
    if said and changed:
        assert any(said in note for note in tree.notes)


def bare(tree: j48geo.BoxTree) -> list[object]:
    splits = [
        (n.parent, n.branch, n.split and (n.split.attribute, n.split.threshold, n.split.value))
        for n in tree.nodes
    ]
    return [splits, [(leaf.label, leaf.weight, leaf.errors) for leaf in tree.leaves]]


@pytest.mark.parametrize("page", ["cp1252", "cp1251", "cp1253"])
def test_the_names_of_the_header_tell_the_code_page(page: str) -> None:
    letters = {"cp1252": "Größe", "cp1251": "ширина", "cp1253": "πλάτος"}[page]
    header = j48geo.Header(
        "r",
        (j48geo.Attribute(letters), j48geo.Attribute("c", "nominal", ("a", "b"))),
        class_index=1,
    )
    text = f"{letters} <= 1.5: a (3.0)\n{letters} > 1.5: b (2.0)\n"
    tree = j48geo.read_tree(text.encode(page), header=header)
    assert tree.size == 3
    assert any(page in note for note in tree.notes)


@pytest.mark.parametrize(
    ("locale", "token"),
    [
        ("Swedish", "\u22121.5"),
        ("Persian", "\u200e\u2212\u06f1.\u06f5"),
        ("Arabic", "\u061c-\u0661.\u0665"),
        ("Marathi", "-\u0967.\u096b"),
        ("Urdu", "\u200e-\u200e1.5"),
    ],
)
def test_thresholds_of_every_locale_are_numbers(locale: str, token: str) -> None:
    text = f"x <= {token}: a (3.0)\nx > {token}: b (2.0)\n"
    for header in (None, two_classes("x")):
        tree = j48geo.read_tree(text.encode(), header=header)
        (_, split), *_ = tree.splits
        assert split.threshold == -1.5, locale
        assert split.token == token
        assert j48geo.tree_text(tree).startswith(text)


def two_classes(*names: str) -> j48geo.Header:
    attributes = [j48geo.Attribute(name) for name in names]
    attributes.append(j48geo.Attribute("c", "nominal", ("a", "b")))
    return j48geo.Header("r", tuple(attributes), class_index=len(names))


def test_model_and_data_in_the_same_code_page_fit_without_being_told() -> None:
    data = "@relation r\n@attribute größe numeric\n@attribute c {a,b}\n@data\n1,a\n2,b\n"
    text = "größe <= 1: a (1.0)\ngröße > 1: b (1.0)\n"
    header = j48geo.read_arff(data.encode("cp1252")).header
    assert j48geo.read_tree(text.encode("cp1252"), header=header).size == 3


def test_a_text_that_reads_as_it_is_is_not_repaired() -> None:
    header = two_classes("x ", "x")
    text = "x  <= 1: a (3.0)\nx  > 1: b (2.0)\n"
    tree = j48geo.read_tree(text.encode(), header=header)
    assert [split.attribute for _, split in tree.splits] == [0]
    assert not any("blanks" in note for note in tree.notes)
