"""Cases of fixtures/ whose text was copied, cut or saved in another encoding after printing."""

from __future__ import annotations

from collections.abc import Callable

from random_data import arff_text

from .data_sets import outings, western
from .tree_case import TreeCase

TRAILER = "\n\nNumber of Leaves  : \t"
RULE = "-" * 18 + "\n\n"


def tree_lines(text: str) -> str:
    """The lines of the tree alone, without what Weka prints before and behind it."""
    return text[text.index(RULE) + len(RULE) : text.index(TRAILER)] + "\n"


COPIES: dict[str, Callable[[str], bytes]] = {
    "crlf": lambda text: text.replace("\n", "\r\n").encode(),
    "byte-order-mark": lambda text: text.encode("utf-8-sig"),
    "utf-16": lambda text: b"\xff\xfe" + text.replace("\n", "\r\n").encode("utf-16-le"),
    "cp1252": lambda text: text.encode("cp1252"),
    "trailing-blanks": lambda text: text.replace("\n", "   \n").encode(),
    "tabs": lambda text: text.replace("|   ", "|\t").encode(),
    "quoted": lambda text: "".join(f"> {line}\n" for line in text.splitlines()).encode(),
    "tree-lines": lambda text: tree_lines(text).encode(),
    "cut-trailer": lambda text: text[: text.index(TRAILER) + 1].encode(),
}
"""How a text can be changed after Weka printed it; meta.json names it as ``copied``."""


def copied_texts() -> dict[str, TreeCase]:
    """Changed copies of texts, by the name of the folder."""
    days = arff_text("outings", outings(50))
    return {
        "copied-crlf": TreeCase("lines end with CR and LF", days, copied="crlf"),
        "copied-bom": TreeCase("a byte order mark of UTF-8", days, copied="byte-order-mark"),
        "copied-utf16": TreeCase(
            "UTF-16 with a byte order mark, CR and LF: redirected by PowerShell",
            arff_text("western", western(50)),
            copied="utf-16",
        ),
        "copied-cp1252": TreeCase(
            "Windows-1252, while the data are UTF-8",
            arff_text("western", western(50)),
            copied="cp1252",
        ),
        "copied-trailing-blanks": TreeCase(
            "blanks at the end of every line", days, print_as="bare", copied="trailing-blanks"
        ),
        "copied-tabs": TreeCase(
            "tabs in place of the blanks of indentation", days, print_as="bare", copied="tabs"
        ),
        "copied-mail": TreeCase("every line quoted as in a mail", days, copied="quoted"),
        "copied-lines": TreeCase(
            "the lines of the tree and nothing else", days, print_as="bare", copied="tree-lines"
        ),
        "copied-cut": TreeCase(
            "cut behind the last line of the tree: no number of leaves, no size",
            days,
            print_as="bare",
            copied="cut-trailer",
            status="ok-with-warning",
        ),
    }
