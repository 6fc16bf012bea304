"""Rows that are needed twice: kept in memory while they are few, on disk when they are many."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from typing import IO, TYPE_CHECKING

from j48geo.errors import J48GeoError

if TYPE_CHECKING:
    from j48geo.arrays import Floats, Ints
    from j48geo.core.dataset import Dataset

HELD_CELLS = 8_000_000
"""Cells that stay in memory (64 MB)."""
BLOCK_CELLS = 1_000_000


class NoRoomError(J48GeoError):
    """There is no place for rows that are needed twice."""

    exit_code = 2


class Spool:
    """Takes rows as they pass and gives them again, as often as wanted, in any order.

    Parameters
    ----------
    limit
        Cells to keep in memory; beyond that all rows move to a file without a name.
    """

    def __init__(self, limit: int = HELD_CELLS) -> None:
        self._limit = limit
        self._cells = 0
        self._held: list[Dataset] = []
        self._last: Dataset | None = None
        self._file: IO[bytes] | None = None
        self._stack = ExitStack()
        self.rows = 0

    def __enter__(self) -> Spool:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def again(self) -> Iterator[Dataset]:
        """All rows that passed, in blocks."""
        if self._file is None:
            yield from self._held
            return
        assert self._last is not None
        step = max(1, BLOCK_CELLS // self._width)
        for first in range(0, self.rows, step):
            yield self._made(self._table()[first : first + step])

    def rows_at(self, places: Ints) -> Dataset:
        """The rows with these numbers, counted from 0, in this order."""
        import numpy as np

        assert self._last is not None
        if self._file is not None:
            return self._made(self._table()[places])
        if len(self._held) > 1:
            whole = replace(
                self._last,
                X=np.concatenate([b.X for b in self._held]),
                weights=np.concatenate([b.weights for b in self._held]),
            )
            self._held = [whole]
        held = self._held[0]
        return replace(held, X=held.X[places], weights=held.weights[places])

    def add(self, block: Dataset) -> None:
        """Take a block of rows."""
        self._last = block  # its texts are those of all blocks before it
        self._cells += block.X.size
        try:
            if self._file is not None:
                self._write(block)
            else:
                self._held.append(block)
                if self._cells > self._limit:
                    self._move()
        except OSError as error:
            raise NoRoomError(
                f"no place for rows that are needed twice: {error.strerror or error}; expected a "
                "folder for temporary files with room for 8 bytes a cell (TMPDIR names one)"
            ) from error
        self.rows += len(block)

    def _move(self) -> None:
        """From memory to disk."""
        with ExitStack() as opening:
            self._file = opening.enter_context(tempfile.TemporaryFile())
            self._stack = opening.pop_all()
        for block in self._held:
            self._write(block)
        self._held = []

    @property
    def _width(self) -> int:
        assert self._last is not None
        return len(self._last.header) + 1

    def _write(self, block: Dataset) -> None:
        import numpy as np

        assert self._file is not None
        self._file.write(np.column_stack([block.X, block.weights]).tobytes())
        self._file.flush()

    def _table(self) -> Floats:
        import numpy as np

        assert self._file is not None
        return np.memmap(self._file, np.float64, "r", shape=(self.rows, self._width))

    def _made(self, table: Floats) -> Dataset:
        import numpy as np

        assert self._last is not None
        return replace(self._last, X=np.array(table[:, :-1]), weights=np.array(table[:, -1]))
