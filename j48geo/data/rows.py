"""Rows of data that come in blocks, from a file or from memory, and can be had again.

`open_rows` opens a file as `Rows`. Rows that are needed twice stay in memory while they are few and
go to a file on disk when they are many (`Spool`).
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from itertools import chain, islice
from typing import IO

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.compilation import expect_rows, prefetch
from j48geo.core.dataset import Dataset, Header
from j48geo.data.source import SourceLike, display_name, translate_errors
from j48geo.data.stream import TableReading, open_data
from j48geo.errors import DataReadError, J48GeoError

HEAVIEST = 1e100
"""Weights up to this, as many as there may be, have sums and products that are numbers."""
HELD_CELLS = 8_000_000
"""Cells that stay in memory (64 MB): of rows that are kept, and of rows without a class or of
little weight that are looked at ahead."""
BLOCK_CELLS = 1_000_000

Change = Callable[[Dataset], Dataset]

Progress = Callable[[Iterable[Dataset], str], Iterable[Dataset]]
"""Wraps rows on their way, to tell how far the work has come: ``progress(rows, "scored")``."""


def no_progress(rows: Iterable[Dataset], _: str) -> Iterable[Dataset]:
    """Pass rows on without reporting progress."""
    return rows


class _Store:
    """What all views of the same rows share: where they come from, and what is kept of them."""

    def __init__(
        self,
        blocks: Iterable[Dataset],
        notes: Callable[[], tuple[str, ...]],
        stack: ExitStack,
        bytes_left: Callable[[], float],
    ) -> None:
        self.rest = iter(blocks)
        self.notes = notes
        self.stack = stack
        self.held: list[Dataset] = []
        self.spool: Spool | None = None
        self.gone = False
        self.known = 0  # rows that have come so far
        self.bytes_left = bytes_left

    def __iter__(self) -> Iterator[Dataset]:
        if self.gone:
            raise AssertionError("these rows have passed and were not kept")
        passed = 0
        try:
            for block in self._each():
                passed += len(block)
                expect_rows(max(len(block), len(block) + self.known - passed + self.to_come()))
                yield block
        finally:
            expect_rows(0)

    def _each(self) -> Iterator[Dataset]:
        yield from self.held
        if self.spool is not None:
            yield from self.spool.again()
        for block in self.rest:
            self.known += len(block)
            if self.spool is None:
                self.gone = True
            else:
                self.spool.add(block)
            yield block

    def to_come(self) -> int:
        """How many rows nobody has seen yet, by the bytes that they take; 0 if nobody knows."""
        share = self.bytes_left()
        return int(self.known * share) if share else 0

    def keep(self) -> None:
        if self.spool is None:
            self.spool = self.stack.enter_context(Spool())
            for block in self.held:
                self.spool.add(block)
            self.held = []


class Rows:
    """Rows of one header: a name, and blocks as often as they are asked for.

    Rows of a file pass once, unless `keep` is asked for before they do: then few of them
    stay in memory and many go to a file without a name.

    Parameters
    ----------
    name
        What the rows are called in messages.
    blocks
        Read when they are asked for.
    notes
        Called for what the reader has to say; complete when all rows have passed.
    stack
        What is to be closed with the rows.
    arrive
        Whether they come when somebody sends them, who may wait for an answer to the first.
    bytes_left
        Called for how much of the file is still to be read, as a multiple of what was; 0 if
        nobody knows.
    """

    def __init__(
        self,
        name: str,
        header: Header,
        blocks: Iterable[Dataset],
        *,
        notes: Callable[[], tuple[str, ...]] = tuple,
        stack: ExitStack | None = None,
        arrive: bool = False,
        bytes_left: Callable[[], float] = float,
    ) -> None:
        self.name = name
        self.header = header
        self.arrive = arrive
        self._store = _Store(blocks, notes, stack or ExitStack(), bytes_left)
        self._change: Change | None = None

    @classmethod
    def of(cls, data: Dataset, name: str = "the data") -> Rows:
        """Rows that are in memory already."""
        rows = cls(name, data.header, (), notes=lambda: data.notes)
        rows._store.held = [data]
        rows._store.known = len(data)
        return rows

    def __enter__(self) -> Rows:
        return self

    def __exit__(self, *_: object) -> None:
        self._store.stack.close()

    def __iter__(self) -> Iterator[Dataset]:
        change = self._change
        return iter(self._store) if change is None else map(change, self._store)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the reader has to say of the rows so far."""
        return self._store.notes()

    def viewed(self, header: Header, change: Change) -> Rows:
        """The same rows under another header, each block changed as it passes."""
        before = self._change
        view = object.__new__(Rows)
        view.name, view.header, view._store = self.name, header, self._store
        view.arrive = self.arrive
        view._change = change if before is None else lambda block: change(before(block))
        return view

    def keep(self) -> Rows:
        """The same rows, which from now on can be had again, and by their numbers."""
        self._store.keep()
        return self

    def at(self, places: Ints) -> Dataset:
        """The rows with these numbers, counted from 0, in this order; they must be kept."""
        spool = self._store.spool
        assert spool is not None
        rows = spool.rows_at(places)
        return rows if self._change is None else self._change(rows)

    def whole(self, heaviest: float = float("inf")) -> Dataset | None:
        """All rows together, or None if those with a class weigh more than `heaviest`.

        No more is read than it takes to find out, and nothing is lost by it.
        """
        store = self._store
        if store.gone or store.spool is not None:
            return join_blocks(self.header, list(self))
        weight, cells = 0.0, 0
        seen: list[Dataset] = []
        for block in chain(tuple(store.held), _looked_ahead(store)):
            seen.append(block)
            known = block.class_values == block.class_values
            weight += float(block.weights[known].sum())
            cells += block.X.size
            n_rows = cells / max(1, len(block.header))
            if weight > heaviest or (cells > HELD_CELLS and n_rows > heaviest):
                return None
        together = join_blocks(self.header, seen)
        store.held = _parts(together, seen)  # so that no row is in memory twice
        return together if self._change is None else self._change(together)

    def all(self) -> Dataset:
        """All rows together."""
        data = self.whole()
        assert data is not None
        return data


def _looked_ahead(store: _Store) -> Iterator[Dataset]:
    for block in store.rest:
        store.known += len(block)
        store.held.append(block)
        yield block


def _parts(together: Dataset, blocks: list[Dataset]) -> list[Dataset]:
    """The blocks again, as views of the whole."""
    parts: list[Dataset] = []
    first = 0
    for block in blocks:
        cut = slice(first, first + len(block))
        parts.append(replace(block, X=together.X[cut], weights=together.weights[cut]))
        first += len(block)
    return parts


def open_rows(
    source: SourceLike,
    *,
    header: Header | Callable[[], Header] | None = None,
    class_attribute: str | int = "last",
    timezone: str = "UTC",
    encoding: str | None = None,
    how: TableReading | None = None,
) -> Rows:
    """Open a file of data; close it by leaving its ``with`` block.

    Parameters
    ----------
    header
        Types of the columns, for data that carries none (CSV), or what to call for them.
    class_attribute, timezone, encoding, how
        As in `j48geo.data.stream.open_data`.
    """
    name = display_name(source)
    stream = translate_errors(
        DataReadError,
        name,
        lambda: open_data(
            source,
            header=header,
            class_attribute=class_attribute,
            timezone=timezone,
            encoding=encoding,
            how=how,
        ),
    )

    def blocks() -> Iterator[Dataset]:
        with stream:  # closed at the end of the rows, or when nobody asks for more
            steps = each(iter(stream))
            yield from islice(steps, 1)
            yield from prefetch(steps) if stream.bytes_left() > 1 else steps

    def each(steps: Iterator[Dataset]) -> Iterator[Dataset]:
        while (
            block := translate_errors(DataReadError, name, lambda: next(steps, None))
        ) is not None:
            yield block

    stack = ExitStack()
    stack.enter_context(stream)
    return Rows(
        name,
        stream.header,
        blocks(),
        notes=lambda: tuple(stream.notes),
        stack=stack,
        arrive=stream.arrives,
        bytes_left=stream.bytes_left,
    )


def join_blocks(header: Header, blocks: list[Dataset]) -> Dataset:
    """One data set; the texts of a block are those of all blocks before it."""
    if not blocks:
        return Dataset(header, np.empty((0, len(header))), np.empty(0))
    return Dataset(
        header,
        np.concatenate([b.X for b in blocks]),
        np.concatenate([b.weights for b in blocks]),
        blocks[-1].pools,
    )


def check_weights(weights: Floats, first: int, name: str) -> None:
    """Refuse weights that nothing can be weighed by; `first` is the number of the first row."""
    wrong = (~((weights >= 0) & (weights <= HEAVIEST))).nonzero()[0]
    if len(wrong):
        raise DataReadError(
            f"row {first + int(wrong[0])} has weight {float(weights[wrong[0]]):g}",
            "expected a number from 0 to 1e100",
            name,
        )


# ---------------------------------------------------------------------- rows needed twice


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
            yield self._to_dataset(self._table()[first : first + step])

    def rows_at(self, places: Ints) -> Dataset:
        """The rows with these numbers, counted from 0, in this order."""
        import numpy as np

        assert self._last is not None
        if self._file is not None:
            return self._to_dataset(self._table()[places])
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

    def _to_dataset(self, table: Floats) -> Dataset:
        import numpy as np

        assert self._last is not None
        return replace(self._last, X=np.array(table[:, :-1]), weights=np.array(table[:, -1]))
