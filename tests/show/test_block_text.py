"""Rows of text: what Python writes cell by cell is what the compiled loop writes."""

from __future__ import annotations

from math import inf, isfinite, isnan, nan, nextafter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from j48geo.arrays import Floats
from j48geo.compilation import Engine, is_numba_available
from j48geo.show.rows import block_text_numba as loops
from j48geo.show.rows.cells import (
    Cells,
    ChoiceCells,
    ConstantCells,
    FloatCells,
    IntegerCells,
    JoinedCells,
    TextCells,
    _Texts,
    block_text,
    spell_numbers,
)
from j48geo.show.text import format_exact

ENGINES: list[Engine] = ["numpy", "numba"] if is_numba_available() else ["numpy"]
each_engine = pytest.mark.parametrize("engine", ENGINES)
needs_numba = pytest.mark.skipif(not is_numba_available(), reason="no numba")

WORDS = "", "Infinity", "-Infinity"


def reprs(values: Floats, engine: Engine, *, short: bool = False) -> list[str]:
    return block_text([""], [FloatCells(values, WORDS, short)], "\n", engine).split("\n")[:-1]


def by_definition(x: float, *, short: bool = False) -> str:
    if not isfinite(x):
        return WORDS[0 if isnan(x) else 1 if x > 0 else 2]
    return format_exact(x) if short else repr(x)


def neighbours(values: list[float]) -> Floats:
    around = [y for x in values for y in (nextafter(x, -inf), x, nextafter(x, inf))]
    return np.array([*around, *(-x for x in around)])


POWERS = {
    "of two": [2.0**power for power in range(-1074, 1024)],
    "of ten": [float(f"{m}e{power}") for power in range(-324, 309) for m in (1, 2, 5, 9.5)],
    "around the whole numbers": [2.0**power + i for power in (49, 52, 53, 54) for i in range(50)],
    "around 1e15 and 1e16": [1e15, 1e16, 1e15 - 0.5, 1e16 - 2, 123456789012345.0, 1e-4, 1e-5],
    "the smallest": [5e-324 * i for i in range(300)],
    "of no size": [0.0, -0.0, nan, inf, -inf],
}


@each_engine
@pytest.mark.parametrize("name", POWERS)
def test_numbers_at_the_edges_are_spelled_as_repr_spells_them(name: str, engine: Engine) -> None:
    values = neighbours(POWERS[name])
    for short in (False, True):
        expected = [by_definition(x, short=short) for x in values.tolist()]
        assert reprs(values, engine, short=short) == expected


@needs_numba
def test_numbers_of_any_bits_are_spelled_as_repr_spells_them() -> None:
    bits = np.random.default_rng(7).integers(0, 2**64, 100_000, dtype=np.uint64)
    values = bits.view(np.float64)
    assert reprs(values, "numba") == [by_definition(x) for x in values.tolist()]
    few_digits = np.round(np.random.default_rng(8).normal(size=50_000), 4)
    assert reprs(few_digits, "numba") == list(map(repr, few_digits.tolist()))


@given(st.lists(st.floats(), max_size=30), st.integers(1, 4), st.booleans())
def test_each_number_is_spelled_by_itself_however_often_it_repeats(
    numbers: list[float], times: int, short: bool
) -> None:
    values = np.array(numbers * times, dtype=np.float64)
    expected = [by_definition(x, short=short) for x in values.tolist()]
    for engine in ENGINES:
        assert reprs(values, engine, short=short) == expected
    assert spell_numbers(values, repr, str) == list(map(str, values.tolist()))


def test_the_loop_is_the_same_without_numba() -> None:
    values = neighbours([0.1, 1e22, 5e-324, 2.0**-1022, 123.0, 1e300])
    texts = _Texts()
    texts.add(["<", ">\n"])
    texts.add(WORDS)
    room = np.empty(1000, dtype=np.uint8)
    kinds, words = np.array([loops.FLOAT]), np.array([2])
    with np.errstate(over="ignore"):  # the lower bits of products
        made = loops.fill_rows(room, kinds, values.view(np.uint64)[None], words, *texts.encode())
    assert room[:made].tobytes().decode() == "".join(f"<{x!r}>\n" for x in values.tolist())


texts = st.text(max_size=5)
"""With all that Unicode has, and halves of surrogate pairs that bytes may have become."""
odd_texts = st.one_of(texts, st.sampled_from(["\udc80", "\ud83d\ude00", "é\0", '"', "日本"]))


@st.composite
def some_cells(draw: st.DrawFn, rows: int, depth: int = 1) -> tuple[Cells, list[str]]:
    """Cells of any kind, and their texts."""

    def each(of: st.SearchStrategy[object]) -> list[object]:
        return draw(st.lists(of, min_size=rows, max_size=rows))

    kind = draw(st.integers(0, 4 + depth))
    if kind == 0:
        given = draw(st.lists(odd_texts, min_size=rows, max_size=rows))
        return TextCells(given), given
    if kind == 1:
        text = draw(odd_texts)
        return ConstantCells(text, rows), [text] * rows
    if kind == 2:
        choice = draw(st.lists(odd_texts, min_size=1, max_size=4))
        which = each(st.integers(-1, len(choice) - 1))
        found = np.array(which, dtype=draw(st.sampled_from([np.int32, np.intp])))
        return ChoiceCells(choice, found), [choice[i] for i in found]
    if kind == 3:
        whole = each(st.integers(-(2**63), 2**63 - 1))
        return IntegerCells(np.array(whole, dtype=np.int64)), list(map(str, whole))
    if kind == 4:
        numbers = np.array(each(st.floats()), dtype=np.float64)
        short = draw(st.booleans())
        spelled_numbers = [by_definition(x, short=short) for x in numbers.tolist()]
        return FloatCells(numbers, WORDS, short), spelled_numbers
    inner = draw(st.lists(some_cells(rows, 0), min_size=1, max_size=3))
    leads = draw(st.lists(texts, min_size=len(inner), max_size=len(inner)))
    end = draw(texts)
    lines = by_rows(leads, [found for _, found in inner], end)
    return JoinedCells(leads, [cells for cells, _ in inner], end), lines


def by_rows(leads: list[str], columns: list[list[str]], end: str) -> list[str]:
    """A row after the other, a cell after the other."""
    made = []
    for i in range(len(columns[0])):
        row = ""
        for lead, column in zip(leads, columns, strict=True):
            row += lead + column[i]
        made.append(row + end)
    return made


@given(st.data(), st.integers(0, 6))
def test_all_cells_in_all_orders_are_written_as_one_after_the_other(
    data: st.DataObject, rows: int
) -> None:
    columns = data.draw(st.lists(some_cells(rows), min_size=1, max_size=4))
    leads = data.draw(st.lists(texts, min_size=len(columns), max_size=len(columns)))
    end = data.draw(texts)
    expected = "".join(by_rows(leads, [found for _, found in columns], end))
    for engine in ENGINES:
        assert block_text(leads, [cells for cells, _ in columns], end, engine) == expected


@given(st.data(), st.integers(0, 6))
def test_cells_know_their_texts_and_where_they_are_equal_to_one(
    data: st.DataObject, rows: int
) -> None:
    cells, found = data.draw(some_cells(rows))
    assert len(cells) == rows
    assert list(cells.texts()) == found
    assert list(cells.change_texts(lambda text: f"<{text}>").texts()) == [f"<{x}>" for x in found]
    for text in ("Infinity", "", *found[:1]):
        if not isinstance(cells, FloatCells) or text in WORDS:  # no number
            assert cells.equals_text(text).tolist() == [x == text for x in found]


def test_rows_without_columns_are_no_text() -> None:
    assert block_text([], [], "\n") == ""
