"""Rows: once from a file, again if they are kept, and no more in memory than must be."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from j48geo import compilation
from j48geo.core.dataset import Attribute, Dataset, Header
from j48geo.data.rows import Rows, check_weights, join_blocks, open_rows
from j48geo.errors import DataReadError

HEADER = Header("r", (Attribute("x"), Attribute("c", "nominal", ("a", "b"))), 1)


def block(first: int, n: int, label: float = 0.0) -> Dataset:
    x = np.arange(first, first + n, dtype=float)
    return Dataset(HEADER, np.column_stack([x, np.full(n, label)]), np.ones(n))


class Source:
    """Blocks that count how many of them were asked for."""

    def __init__(self, blocks: list[Dataset]) -> None:
        self.blocks = blocks
        self.read = 0

    def rows(self) -> Rows:
        return Rows("source", HEADER, self)

    def __iter__(self):  # type: ignore[no-untyped-def]
        for one in self.blocks:
            self.read += 1
            yield one


def values(rows: Rows) -> list[float]:
    return [x for part in rows for x in part.X[:, 0].tolist()]


def test_rows_pass_once_unless_they_are_kept() -> None:
    rows = Source([block(0, 3), block(3, 2)]).rows()
    assert values(rows) == [0, 1, 2, 3, 4]
    with pytest.raises(AssertionError, match="these rows have passed and were not kept"):
        values(rows)
    with Source([block(0, 3), block(3, 2)]).rows().keep() as kept:
        for _ in range(3):
            assert values(kept) == [0, 1, 2, 3, 4]


def test_rows_in_memory_come_as_often_as_they_are_asked_for() -> None:
    rows = Rows.of(block(0, 4), "mine")
    assert (rows.name, rows.header) == ("mine", HEADER)
    assert values(rows) == values(rows) == [0, 1, 2, 3]


def test_kept_rows_are_found_by_their_numbers_in_any_order() -> None:
    with Source([block(0, 3), block(3, 2)]).rows().keep() as rows:
        assert values(rows) == [0, 1, 2, 3, 4]
        assert rows.at(np.array([4, 0, 4])).X[:, 0].tolist() == [4, 0, 4]
    with Rows.of(block(0, 4)).keep() as rows:
        values(rows)
        assert rows.at(np.array([2])).X[:, 0].tolist() == [2]


def test_a_walk_that_stops_halfway_loses_nothing_of_kept_rows() -> None:
    with Source([block(0, 3), block(3, 2), block(5, 1)]).rows().keep() as rows:
        next(iter(rows))
        assert values(rows) == [0, 1, 2, 3, 4, 5]


def test_a_view_changes_blocks_as_they_pass_and_leaves_the_rows() -> None:
    with Source([block(0, 3)]).rows().keep() as rows:
        other = replace(HEADER, relation="other")
        twice = rows.viewed(other, lambda b: replace(b, header=other, X=b.X * 2))
        more = twice.viewed(other, lambda b: replace(b, X=b.X + 1))
        assert twice.header.relation == "other"
        assert values(more) == [1, 3, 5]
        assert values(twice) == [0, 2, 4]
        assert values(rows) == [0, 1, 2]
        assert more.at(np.array([2])).X[:, 0].tolist() == [5]
        assert more.all().X[:, 0].tolist() == [1, 3, 5]


def test_the_whole_is_refused_as_soon_as_it_is_too_heavy_and_nothing_is_lost() -> None:
    source = Source([block(3 * k, 3) for k in range(10)])
    rows = source.rows()
    assert rows.whole(heaviest=7) is None
    assert source.read == 3  # nine rows weigh more than seven
    assert values(rows) == list(range(30))
    source = Source([block(3 * k, 3) for k in range(10)])
    rows = source.rows()
    whole = rows.whole(heaviest=30)
    assert whole is not None
    assert whole.X[:, 0].tolist() == list(range(30))
    assert values(rows) == values(rows) == list(range(30))  # they are in memory now
    assert source.read == 10


def test_rows_without_a_class_weigh_nothing_but_are_not_looked_ahead_without_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    unknown = [block(3 * k, 3, label=np.nan) for k in range(10)]
    source = Source(unknown)
    assert source.rows().whole(heaviest=7) is not None
    monkeypatch.setattr("j48geo.data.rows.HELD_CELLS", 12)
    source = Source(unknown)
    assert source.rows().whole(heaviest=7) is None
    assert source.read == 3


def test_whole_rows_share_memory_with_the_blocks() -> None:
    rows = Source([block(0, 3), block(3, 2)]).rows()
    whole = rows.all()
    assert all(np.shares_memory(part.X, whole.X) for part in rows)


def test_kept_rows_have_a_whole_too() -> None:
    with Source([block(0, 3), block(3, 2)]).rows().keep() as rows:
        values(rows)
        assert rows.all().X[:, 0].tolist() == [0, 1, 2, 3, 4]


def test_no_blocks_are_no_rows() -> None:
    assert join_blocks(HEADER, []).X.shape == (0, 2)
    assert len(Source([]).rows().all()) == 0


def test_a_file_is_opened_read_and_its_errors_name_it(tmp_path: Path) -> None:
    path = tmp_path / "d.arff"
    head = "@relation r\n@attribute x numeric\n@attribute c {a,b}\n@data\n"
    path.write_text(f"{head}1,a\n2,b,{{3}}\n")
    with open_rows(path) as rows:
        assert (rows.name, rows.header.names) == (str(path), ("x", "c"))
        assert rows.all().weights.tolist() == [1, 3]
    path.write_text(f"{head}1,a\n2,z\n")
    with open_rows(path) as rows, pytest.raises(DataReadError) as told:
        rows.all()
    assert str(told.value).startswith(f"{path}:6:")
    with pytest.raises(DataReadError, match="no such file"):
        open_rows(tmp_path / "absent")


@pytest.mark.parametrize("weight", [-1.0, np.inf, np.nan, 2e100])
def test_a_weight_that_is_none_is_told_with_its_row(weight: float) -> None:
    check_weights(np.array([0.0, 1.0, 1e100]), 1, "d")
    with pytest.raises(DataReadError) as told:
        check_weights(np.array([1.0, weight]), 11, "d")
    assert str(told.value) == (
        f"d: row 12 has weight {weight:g}; expected a number from 0 to 1e100"
    )


def test_blocks_of_a_file_tell_how_many_rows_are_still_to_come(tmp_path: Path) -> None:
    n = 60_000
    lines = [f"{k / 7:.6f},{'ab'[k % 2]}" for k in range(n)]
    path = tmp_path / "rows.arff"
    head = "@relation r\n@attribute x numeric\n@attribute c {a,b}\n@data\n"
    path.write_text(head + "\n".join(lines * 4) + "\n")
    left, told = 4 * n, 0
    with open_rows(path) as rows:
        for block in rows:
            assert compilation._expected == pytest.approx(left, rel=0.2)
            left -= len(block)
            told += 1
    assert left == 0
    assert told > 2
    assert compilation._expected == 0


def test_rows_that_were_kept_tell_their_number_exactly(tmp_path: Path) -> None:
    data = b"@relation r\n@attribute x numeric\n@attribute c {a,b}\n@data\n" + b"1,a\n" * 600_000
    with open_rows(data) as rows:
        rows.keep()
        n = sum(len(block) for block in rows)
        first = next(iter(rows))
        assert len(first) < n == 600_000
        for block in rows:
            assert compilation._expected == n
            n -= len(block)
