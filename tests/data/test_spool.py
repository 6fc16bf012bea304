from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest

from j48geo.core.dataset import Attribute, Dataset, Header
from j48geo.data.rows import NoRoomError, Spool

HEADER = Header("r", (Attribute("x"), Attribute("s", "string"), Attribute("y")), 2)


def blocks(sizes: list[int]) -> list[Dataset]:
    chance = np.random.default_rng(7)
    texts = [f"text {i}" for i in range(sum(sizes))]
    made, first = [], 0
    for size in sizes:
        X = chance.normal(size=(size, 3))
        X[:, 1] = np.arange(first, first + size)
        X[::3, 2] = np.nan
        made.append(Dataset(HEADER, X, chance.random(size), {1: texts}))
        first += size
    return made


@pytest.mark.parametrize("limit", [0, 30, 10_000])
@pytest.mark.parametrize("sizes", [[5], [3, 9, 1], [1] * 12, [0, 4]])
def test_rows_come_again_as_they_passed_in_memory_and_on_disk(
    sizes: list[int], limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("j48geo.data.rows.BLOCK_CELLS", 20)
    given = blocks(sizes)
    X = np.concatenate([b.X for b in given])
    weights = np.concatenate([b.weights for b in given])
    with Spool(limit) as spool:
        for block in given:
            spool.add(block)
        assert spool.rows == len(X)
        for _ in range(2):
            again = list(spool.again())
            np.testing.assert_array_equal(np.concatenate([b.X for b in again]), X)
            np.testing.assert_array_equal(np.concatenate([b.weights for b in again]), weights)
        places = np.array([len(X) - 1, 0, len(X) // 2])
        some = spool.rows_at(places)
        np.testing.assert_array_equal(some.X, X[places])
        np.testing.assert_array_equal(some.weights, weights[places])
        assert some.cell(0, 1) == f"text {len(X) - 1}"


def test_nothing_passed_is_nothing_again() -> None:
    with Spool() as spool:
        assert list(spool.again()) == []


def test_no_place_on_disk_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "absent"))
    with Spool(0) as spool, pytest.raises(NoRoomError) as caught:
        spool.add(blocks([3])[0])
    assert str(caught.value) == (
        "no place for rows that are needed twice: No such file or directory; expected a folder for "
        "temporary files with room for 8 bytes a cell (TMPDIR names one)"
    )
    assert caught.value.exit_code == 2
