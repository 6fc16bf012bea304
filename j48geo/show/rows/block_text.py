"""The rows of a block as one text: by Python, or by a compiled loop. Both give the same."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from j48geo.compilation import Engine, EngineChoice, compile_loop, times_to_come
from j48geo.show.rows import block_text_numba as loops
from j48geo.show.rows.cells import (
    Cells,
    ChoiceCells,
    FloatCells,
    IntegerCells,
    flatten_columns,
    row_parts,
)

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
    length = compile_loop(loops.fill_rows)(room, kinds, values, words, *texts.coded())
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

    def coded(self) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """Their bytes, and where each of them begins."""
        content = np.frombuffer(b"".join(self._content), dtype=np.uint8)
        return content, np.array(self._starts, dtype=np.int64)
