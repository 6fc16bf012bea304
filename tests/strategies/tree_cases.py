"""The trees of the fixtures and of the shared corpus, with their rows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import j48geo
from j48geo.read.door import read_trees

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT.parent / "shared" / "corpus" / "j48"


def tree_cases() -> list[Any]:
    """Folders with a model; those of the corpus are marked."""
    own = [pytest.param(p.parent, id=p.parent.name) for p in ROOT.glob("fixtures/*/model.txt")]
    shared = sorted(p.parent for p in CORPUS.glob("*/model.txt")) or [CORPUS / "absent"]
    marked = [pytest.param(p, id=p.name, marks=pytest.mark.corpus) for p in shared]
    return sorted(own, key=lambda case: str(case.id)) + marked


def rows_and_trees(case: Path) -> list[tuple[j48geo.BoxTree, j48geo.Dataset]]:
    """Every tree of a folder, and its data."""
    meta = json.loads((case / "meta.json").read_text())
    if meta["output_kind"] == "source":
        pytest.skip("Java source code is refused")
    filtered = case / "filtered.arff"
    data = j48geo.read_arff(filtered if filtered.is_file() else case / "data.arff")
    column = meta.get("filtered_class_index", meta["class_index"])
    if column >= 0:
        data = data.with_class(column + 1)
    text = read_trees(case / "model.txt", header=data.header)
    trees = [entry.readings[0] for entry in text.entries if entry.readings]
    # A tree for one class against the rest has classes of its own; its columns are the same.
    own = data.header.classes
    bound = [t.rebound(data.header) if t.classes == own else t for t in trees]
    assert all(tree.header.names == data.header.names for tree in bound)
    return [(tree, data) for tree in bound]
