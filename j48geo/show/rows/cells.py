"""Cells of a column in the rows of a block, and the block as one text (`block_text`).

A kind of column says what its cells are (numbers to be spelled, texts to be picked from), not
their texts: these are made when a block is written, by Python or by a compiled loop. Both give
the same.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, repeat
from math import isfinite, isnan
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from j48geo.arrays import Bools, Floats
from j48geo.compilation import Engine, EngineChoice, compile_loop, times_to_come
from j48geo.show.rows import block_text_numba as loops
from j48geo.show.text import format_exact

AnyInts = NDArray[np.signedinteger[Any]]


class Cells(ABC):
    """What stands in a column, a cell a row."""

    @abstractmethod
    def __len__(self) -> int:
        """How many rows there are."""

    @abstractmethod
    def texts(self) -> Sequence[str]:
        """The cells, spelled by Python."""

    def change_texts(self, change: Callable[[str], str]) -> Cells:
        """Other texts, each made of the one that stands there."""
        return TextCells(list(map(change, self.texts())))

    def equals_text(self, text: str) -> Bools:
        """Where the cell is this text, which must not be that of a number."""
        return np.array([cell == text for cell in self.texts()], dtype=np.bool_)


@dataclass(frozen=True)
class TextCells(Cells):
    """Cells that are texts, one a row."""

    given: Sequence[str]

    def __len__(self) -> int:
        return len(self.given)

    def texts(self) -> Sequence[str]:
        return self.given


@dataclass(frozen=True)
class ConstantCells(Cells):
    """Cells of one text in every row."""

    text: str
    rows: int

    def __len__(self) -> int:
        return self.rows

    def texts(self) -> Sequence[str]:
        return [self.text] * self.rows

    def change_texts(self, change: Callable[[str], str]) -> Cells:
        return ConstantCells(change(self.text), self.rows)


@dataclass(frozen=True, eq=False)
class ChoiceCells(Cells):
    """Few different texts, and which of them each row has; -1 is the last one."""

    choice: Sequence[str]
    which: AnyInts

    def __len__(self) -> int:
        return len(self.which)

    def texts(self) -> Sequence[str]:
        choice = self.choice
        return [choice[i] for i in self.which.tolist()]

    def change_texts(self, change: Callable[[str], str]) -> Cells:
        return ChoiceCells(list(map(change, self.choice)), self.which)


@dataclass(frozen=True, eq=False)
class IntegerCells(Cells):
    """Cells that are whole numbers."""

    values: range | AnyInts

    def __len__(self) -> int:
        return len(self.values)

    def texts(self) -> Sequence[str]:
        values = self.values
        return list(map(str, values if isinstance(values, range) else values.tolist()))


@dataclass(frozen=True, eq=False)
class FloatCells(Cells):
    """Numbers with all their digits, as `repr` spells them.

    Parameters
    ----------
    words
        What stands for NaN, for infinity and for minus infinity.
    short
        Whether whole numbers below 1e15 have no decimal point, as `format_exact` spells them.
    """

    values: Floats
    words: tuple[str, str, str]
    short: bool = False

    def __len__(self) -> int:
        return len(self.values)

    def texts(self) -> Sequence[str]:
        return spell_numbers(self.values, format_exact if self.short else repr, self._word)

    def _word(self, x: float) -> str:
        return self.words[0 if isnan(x) else 1 if x > 0 else 2]

    def equals_text(self, text: str) -> Bools:
        is_equal: Bools = np.zeros(len(self.values), dtype=np.bool_)
        where = (~np.isfinite(self.values)).nonzero()[0]
        is_equal[where] = [self._word(x) == text for x in self.values[where].tolist()]
        return is_equal


@dataclass(frozen=True, eq=False)
class JoinedCells(Cells):
    """Several columns in one: what stands before each, the columns, and what stands behind."""

    leads: Sequence[str]
    cells: Sequence[Cells]
    end: str

    def __len__(self) -> int:
        return len(self.cells[0]) if self.cells else 0

    def texts(self) -> Sequence[str]:
        return join_rows(self.leads, self.cells, self.end)


def spell_numbers(
    values: Floats, finite: Callable[[float], str], other: Callable[[float], str]
) -> list[str]:
    """The text of each number; where many are equal each is made once."""
    numbers: list[float] = values.tolist()
    different = set(numbers)
    all_finite = bool(np.isfinite(values).all())
    if len(different) > len(numbers) // 2:
        if all_finite:
            return list(map(finite, numbers))
        return [finite(x) if isfinite(x) else other(x) for x in numbers]
    if 0.0 in different and bool((np.signbit(values) & (values == 0)).any()):
        return [finite(x) if isfinite(x) else other(x) for x in numbers]  # -0.0 is not 0.0
    texts = {x: finite(x) if isfinite(x) else other(x) for x in different}
    return [texts[x] for x in numbers]


# ----------------------------------------------------------------------------------- rows


def join_rows(leads: Sequence[str], cells: Sequence[Cells], end: str = "") -> list[str]:
    """The texts of rows, from the cells of their columns and what stands between them."""
    if not cells:
        return []
    return list(map("".join, zip(*row_parts(*flatten_columns(leads, cells, end)), strict=True)))


def row_parts(leads: Sequence[str], cells: Sequence[Cells], end: str) -> list[Iterable[str]]:
    """The texts of each part of a row, from left to right."""
    n = len(cells[0])
    parts: list[Iterable[str]] = []
    for lead, column in zip(leads, cells, strict=True):
        parts += [repeat(lead, n), column.texts()] if lead else [column.texts()]
    return [*parts, repeat(end, n)] if end else parts


def flatten_columns(
    leads: Sequence[str], cells: Sequence[Cells], end: str
) -> tuple[list[str], list[Cells], str]:
    """The same rows without columns in columns, and without columns of a single text.

    One column stays, since it says how many rows there are.
    """
    new_leads: list[str] = []
    columns: list[Cells] = []
    waiting = ""

    def add(lead: str, column: Cells) -> None:
        nonlocal waiting
        waiting += lead
        if isinstance(column, JoinedCells) and column.cells:
            for inner_lead, inner in zip(column.leads, column.cells, strict=True):
                add(inner_lead, inner)
            waiting += column.end
        elif isinstance(column, ConstantCells):
            waiting += column.text
        else:
            new_leads.append(waiting)
            columns.append(column)
            waiting = ""

    for lead, column in zip(leads, cells, strict=True):
        add(lead, column)
    if not columns:
        new_leads, columns, waiting = [waiting], [ConstantCells("", len(cells[0]))], ""
    return new_leads, columns, waiting + end


# --------------------------------------------------------------------------- a block as a text

_CELL = 2e-7
"""Seconds in which Python spells a cell and puts it into its row."""

_choice = EngineChoice("j48geo.show.rows.block_text_numba:fill_rows", 1.9)


def block_text(
    leads: Sequence[str], cells: Sequence[Cells], end: str, engine: Engine = "auto"
) -> str:
    """The rows of `joined` behind one another, as one text."""
    if not cells or not len(cells[0]):
        return ""
    leads, cells, end = flatten_columns(leads, cells, end)
    rows = len(cells[0])
    if _choice.takes_numba(engine, rows * len(cells) * _CELL, times_to_come(rows)):
        return _fill_compiled(leads, cells, end)
    return "".join(chain.from_iterable(zip(*row_parts(leads, cells, end), strict=True)))


def _fill_compiled(leads: Sequence[str], cells: Sequence[Cells], end: str) -> str:
    """The rows, written by the compiled loop."""
    n = len(cells[0])
    texts = _Texts()
    size = n * sum(texts.add([*leads, end]).lengths)
    kinds = np.empty(len(cells), dtype=np.int64)
    values = np.empty((len(cells), n), dtype=np.uint64)
    words = np.zeros(len(cells), dtype=np.int64)
    for j, column in enumerate(cells):
        if isinstance(column, FloatCells):
            kinds[j] = loops.SHORT if column.short else loops.FLOAT
            values[j] = np.ascontiguousarray(column.values).view(np.uint64)
            added = texts.add(column.words)
            words[j] = added.first
            size += n * max(loops.LONGEST, *added.lengths)
        elif isinstance(column, IntegerCells):
            kinds[j] = loops.WHOLE
            values[j] = np.asarray(column.values, dtype=np.int64).view(np.uint64)
            size += n * loops.LONGEST
        else:
            kinds[j] = loops.TEXT
            if isinstance(column, ChoiceCells):
                added = texts.add(column.choice)
                which = column.which % len(column.choice)  # -1 is the last one
            else:
                added = texts.add(column.texts())
                which = np.arange(n)
            values[j] = added.first + which
            size += int(np.array(added.lengths)[which].sum())
    room = np.empty(size, dtype=np.uint8)
    length = compile_loop(loops.fill_rows)(room, kinds, values, words, *texts.encode())
    return str(room[:length].data, "utf-8", "surrogatepass")


class _Added(NamedTuple):
    """Texts that were added: the place of the first, and how many bytes each takes."""

    first: int
    lengths: Sequence[int]


class _Texts:
    """The texts that rows are made of, as bytes, one behind the other."""

    def __init__(self) -> None:
        self._content: list[bytes] = []
        self._starts = [0]

    def add(self, texts: Sequence[str]) -> _Added:
        whole = "".join(texts)
        first = len(self._starts) - 1
        if whole.isascii():
            coded = [whole.encode()]
            lengths = list(map(len, texts))
        else:
            coded = [text.encode("utf-8", "surrogatepass") for text in texts]
            lengths = list(map(len, coded))
        self._content += coded
        self._starts += accumulate(lengths[1:], initial=self._starts[-1] + lengths[0])
        return _Added(first, lengths)

    def encode(self) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """Their bytes, and where each of them begins."""
        content = np.frombuffer(b"".join(self._content), dtype=np.uint8)
        return content, np.array(self._starts, dtype=np.int64)
