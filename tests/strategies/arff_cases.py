"""ARFF files with Weka's own parse or refusal: those of fixtures/ and of the shared corpus."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tree_cases import CORPUS, FIXTURES

OWN = FIXTURES / "arff"
SHARED = CORPUS / "arff"

# Weka refuses these; we read them on purpose, and say so in a note.
READ_WITH_A_NOTE = {"bom_utf8", "byte_order_mark_utf8", "keel", "keel_header", "utf16"}

ARFF_FOLDERS = [
    pytest.param(OWN, id="fixtures"),
    *([pytest.param(SHARED, id="corpus", marks=pytest.mark.corpus)] if SHARED.is_dir() else []),
]


def folder_name(folder: Path) -> str:
    """`fixtures/arff` or `corpus/arff`."""
    return f"{folder.parent.name}/{folder.name}"


def arff_cases(folder: Path) -> list[tuple[Path, dict[str, Any]]]:
    """Every file of the folder with what Weka made of it."""
    files = sorted(folder.glob("*.arff"))
    return [(f, json.loads(f.with_suffix(".json").read_text(encoding="utf-8"))) for f in files]
