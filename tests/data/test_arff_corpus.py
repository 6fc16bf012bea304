"""Every ARFF file of the fixtures and of the shared corpus is read as Weka reads it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from arff_cases import ARFF_FOLDERS, READ_WITH_A_NOTE, arff_cases, folder_name
from arff_fuzz import fuzz


def is_read_as_weka_does(file: Path, weka: dict[str, Any], **options: Any) -> bool:
    ours = fuzz.ours(file.read_bytes(), **options)
    if "error" in weka:
        if file.stem in READ_WITH_A_NOTE:
            return "error" not in ours and bool(ours["notes"])
        return "error" in ours
    if "error" in ours:
        return False
    expected = fuzz.by_bits(weka)
    rows = [{"w": row["w"], "v": row["v"]} for row in expected["rows"]]
    return (
        ours["relation"] == expected["relation"]
        and ours["attributes"] == expected["attributes"]
        and ours["rows"] == rows
    )


@pytest.mark.parametrize("folder", ARFF_FOLDERS)
@pytest.mark.parametrize("block_size", [1, 7, 1 << 20])
@pytest.mark.parametrize("engine", ["exact", "numpy", "numba"])
def test_every_file_is_read_as_weka_reads_it(
    folder: Path, record_case: Callable[..., None], engine: str, block_size: int
) -> None:
    if engine == "numba":
        pytest.importorskip("numba")
    cases = arff_cases(folder)
    assert len(cases) >= 60
    wrong = []
    for file, weka in cases:
        ok = is_read_as_weka_does(file, weka, engine=engine, block_size=block_size)
        if block_size == 1 << 20:
            record_case(f"{folder_name(folder)} ({engine})", file.stem, ok)
        if not ok:
            wrong.append(file.stem)
    assert wrong == []


@pytest.mark.parametrize("folder", ARFF_FOLDERS)
def test_weka_reads_many_of_the_files_and_refuses_many(folder: Path) -> None:
    refused = ["error" in weka for _, weka in arff_cases(folder)]
    assert min(sum(refused), len(refused) - sum(refused)) >= 20
