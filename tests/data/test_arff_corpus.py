"""Every file of the shared corpus is read as Weka reads it, by every engine."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from arff_fuzz import fuzz

# What Weka refuses and we accept, on purpose and with a note.
KINDER = {"bom_utf8", "keel_header"}


def as_weka(file: Path, truth: dict[str, Any], **options: Any) -> bool:
    ours = fuzz.ours(file.read_bytes(), **options)
    if "error" in truth:
        if file.stem in KINDER:
            return "error" not in ours and bool(ours["notes"])
        return "error" in ours
    if "error" in ours:
        return False
    expected = fuzz.by_bits(truth)
    rows = [{"w": row["w"], "v": row["v"]} for row in expected["rows"]]
    return (
        ours["relation"] == expected["relation"]
        and ours["attributes"] == expected["attributes"]
        and ours["rows"] == rows
    )


@pytest.mark.corpus
@pytest.mark.parametrize("block_size", [1, 7, 1 << 20])
@pytest.mark.parametrize("engine", ["exact", "numpy", "numba"])
def test_every_file_is_read_as_weka_reads_it(
    corpus: Path, record_case: Callable[..., None], engine: str, block_size: int
) -> None:
    if engine == "numba":
        pytest.importorskip("numba")
    files = sorted((corpus / "arff").glob("*.arff"))
    assert len(files) >= 79
    wrong = []
    for file in files:
        truth = json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))
        ok = as_weka(file, truth, engine=engine, block_size=block_size)
        if block_size == 1 << 20:
            record_case(f"corpus/arff ({engine})", file.stem, ok)
        if not ok:
            wrong.append(file.stem)
    assert wrong == []
