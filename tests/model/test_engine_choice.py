"""Which engine a job takes: decided from its first block by the size of the whole file."""

from __future__ import annotations

from pathlib import Path

import pytest

from j48geo import compilation, load
from j48geo.compilation import EngineChoice, is_numba_available
from j48geo.core import routing
from j48geo.data.arff import stream
from j48geo.data.rows import open_rows
from j48geo.geometry import distance
from j48geo.model.predictions import Predictions

MODEL = "J48 pruned tree\n------------------\n\nx <= 2: a (3.0)\nx > 2: b (4.0)\n\n"
HEAD = b"@relation r\n@attribute x numeric\n@attribute c {a,b}\n@data\n"


@pytest.mark.skipif(not is_numba_available(), reason="no numba")
@pytest.mark.parametrize(("rows", "engine"), [(2_000, "numpy"), (600_000, "numba")])
def test_all_blocks_of_a_file_go_by_the_engine_that_suits_the_whole(
    rows: int, engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "rows.arff"
    path.write_bytes(HEAD + b"1.5,a\n3.25,b\n" * (rows // 2))
    choice = EngineChoice()
    monkeypatch.setattr(routing, "_choice", choice)
    # No block alone is worth it, and neither is the small file.
    monkeypatch.setattr(compilation, "_LOOPS", 0.1)
    monkeypatch.setattr(compilation, "_START", 0.1)
    model = load(MODEL.encode())
    with open_rows(path, header=model.tree.header) as data:
        blocks = sum(1 for _ in Predictions(model, data))
    assert choice.blocks == {"numpy": 0, "numba": 0} | {engine: blocks}
    assert blocks > 3 or engine == "numpy"


@pytest.mark.skipif(not is_numba_available(), reason="no numba")
@pytest.mark.parametrize(("rows", "engine"), [(2_000, "numpy"), (600_000, "numba")])
def test_all_distances_of_a_ranking_are_found_by_the_engine_that_suits_the_whole(
    rows: int, engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, training = tmp_path / "rows.arff", tmp_path / "training.arff"
    path.write_bytes(HEAD + b"1.5,a\n3.25,b\n" * (rows // 2))
    training.write_bytes(HEAD + b"1,a\n" * 2 + b"2,a\n" + b"3,b\n" * 4)
    made = {module: EngineChoice() for module in (distance, routing, stream)}
    for module, choice in made.items():
        monkeypatch.setattr(module, "_choice", choice)
    monkeypatch.setattr(EngineChoice, "_all", list(made.values()))
    # As above: one split is little work.
    monkeypatch.setattr(compilation, "_LOOPS", 1e-3)
    monkeypatch.setattr(compilation, "_START", 1e-3)
    load(MODEL.encode(), training).ranking(path, "global")
    done = made[distance].blocks
    assert done[engine] > (3 if engine == "numba" else 0)
    # The last block of the large file holds so few rows that NumPy is as quick.
    assert sum(done.values()) - done[engine] <= (1 if engine == "numba" else 0)
