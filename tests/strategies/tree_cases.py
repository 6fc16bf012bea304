"""The trees of fixtures/, and of the shared corpus where it lies beside the checkout."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import j48geo
from j48geo.read.readers import read_trees

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "fixtures"
CORPUS = ROOT.parent / "shared" / "corpus"
COPIED = {
    "p50-crlf": "crlf",
    "p51-trailing-spaces": "trailing-blanks",
    "p52-tabs-indent": "tabs",
    "p53-quoted-prefix": "quoted",
    "p54-cp1252": "cp1252",
    "p55-bom": "byte-order-mark",
    "p62-tree-only-paper": "tree-lines",
    "p64-no-trailer": "cut-trailer",
}
"""How texts of the corpus were changed after Weka printed them; a fixture says it itself."""


@cache
def meta_of(case: Path) -> dict[str, Any]:
    """What the folder of a tree says of it."""
    meta: dict[str, Any] = json.loads((case / "meta.json").read_text(encoding="utf-8"))
    return meta


def copied_as(case: Path) -> str:
    """How the text was changed after Weka printed it; empty if it was not."""
    return str(meta_of(case).get("copied", COPIED.get(case.name, "")))


def is_tree_text(case: Path) -> bool:
    """Whether the text is one of a tree: Java source code is refused."""
    return meta_of(case)["output_kind"] != "source"


def is_single_tree(case: Path) -> bool:
    """Whether the text is that of one J48, whose counts are those of the rows."""
    return is_tree_text(case) and meta_of(case)["counts"] in ("training-rows", "growing-set")


def has_block(case: Path) -> bool:
    """Whether the text shows the tree as lines."""
    return meta_of(case)["output_kind"] not in ("dot", "source")


def suite_of(case: Path) -> str:
    """The name under which the cases of a folder are counted."""
    return "fixtures" if case.is_relative_to(ROOT) else "corpus/j48"


def case_folders(wanted: Callable[[Path], bool] = is_tree_text) -> list[Path]:
    """The folders with a tree, those of the fixtures first."""
    own = sorted(file.parent for file in FIXTURES.glob("*/model.txt"))
    assert own
    corpus = sorted(file.parent for file in CORPUS.glob("j48/*/model.txt"))
    return [case for case in own + corpus if wanted(case)]


def folder_parameters(folders: Iterable[Path]) -> list[Any]:
    """Folders as parameters of a test; those of the corpus are marked."""
    return [
        pytest.param(
            case,
            id=case.name,
            marks=[] if case.is_relative_to(ROOT) else [pytest.mark.corpus],
        )
        for case in folders
    ]


def tree_cases(wanted: Callable[[Path], bool] = is_tree_text) -> list[Any]:
    """The folders that are wanted, as parameters of a test."""
    return folder_parameters(case_folders(wanted))


def named_cases(*names: str) -> list[Any]:
    """The folders of these names in fixtures/, or in the corpus where it is there."""
    places = [FIXTURES / name if (FIXTURES / name).exists() else CORPUS / name for name in names]
    assert all(case.exists() for case in places if case.is_relative_to(ROOT))
    return folder_parameters(case for case in places if case.exists())


def class_option(case: Path) -> list[str]:
    """The option that names the class column, where it is not the last."""
    column = meta_of(case)["class_index"]
    return [] if column < 0 else ["-c", str(column + 1)]


def class_choice(case: Path) -> str:
    """The class column: its number, or "last"."""
    column = meta_of(case)["class_index"]
    return "last" if column < 0 else str(column + 1)


def printed_text(case: Path) -> str:
    """What Weka printed: the text decoded, and the changes undone that a copy made."""
    raw = (case / "model.txt").read_bytes()
    copied = copied_as(case)
    encoding = {"cp1252": "cp1252", "utf-16": "utf-16"}.get(copied, "utf-8-sig")
    text = raw.decode(encoding).replace("\r\n", "\n")
    if copied == "trailing-blanks":
        return "\n".join(line.rstrip(" ") for line in text.split("\n"))
    if copied == "tabs":
        return text.replace("|\t", "|   ")
    if copied == "quoted":
        return "\n".join(line.removeprefix("> ").removeprefix(">") for line in text.split("\n"))
    return text


def rows_and_trees(case: Path) -> list[tuple[j48geo.BoxTree, j48geo.Dataset]]:
    """Every tree of a folder that speaks of its data, and the data."""
    meta = meta_of(case)
    filtered = case / "filtered.arff"
    data = j48geo.read_arff(filtered if filtered.is_file() else case / "data.arff")
    column = meta.get("filtered_class_index", meta["class_index"])
    if column >= 0:
        data = data.with_class(column + 1)
    text = read_trees(case / "model.txt", header=data.header)
    trees = [entry.readings[0] for entry in text.entries if entry.readings]
    if meta["classifier"].endswith("Stacking"):
        trees.pop()  # that of the second level, whose columns are the answers of the others
    # A tree for one class against the rest has classes of its own; its columns are the same.
    own = data.header.classes
    bound = [t.with_header(data.header) if t.classes == own else t for t in trees]
    assert all(tree.header.names == data.header.names for tree in bound)
    return [(tree, data) for tree in bound]
