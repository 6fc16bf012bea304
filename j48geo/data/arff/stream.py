"""ARFF files become data sets, exactly as Weka 3.9.7 reads them, in blocks of constant size."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, tzinfo
from typing import Literal, Protocol

import numpy as np

from j48geo.arrays import Bools
from j48geo.compilation import EngineChoice
from j48geo.core.dataset import Dataset, Header
from j48geo.data.arff.header import read_header
from j48geo.data.arff.rows import RowReader
from j48geo.data.arff.scan_numpy import PlainScanner, Scan
from j48geo.data.arff.tokens import Lines, Tokens, bad_bytes_in, decode
from j48geo.data.source import SourceLike, open_source, read_line_blocks
from j48geo.data.stream import RowStream
from j48geo.errors import DataReadError
from j48geo.java.calendar import time_zone

ScanEngine = Literal["auto", "exact", "numpy", "numba"]

# Small enough for the arrays made of a block to stay in the processor's cache.
BLOCK_SIZE = 1 << 20
_BYTE = 2e-8
"""Seconds that the scanner of NumPy takes for a byte."""

_choice = EngineChoice("j48geo.data.arff.scan_numba:_scan_lines", 1.5)


class _Scanner(Protocol):
    def scan(self, block: bytes, start: int) -> Scan: ...


class ArffStream(RowStream):
    """An ARFF file, open to be read block by block, in a ``with`` statement.

    Memory does not grow with the file, but for the texts of string columns.

    Parameters
    ----------
    source
        A path, ``-`` for standard input, bytes, or a file object. Gzip is recognised
        by its first bytes.
    class_attribute
        ``first``, ``last``, a number from 1, a name, or None for no class.
    timezone
        Time zone of dates that name none; Weka takes that of its machine.
    encoding
        What the file is encoded in; by default UTF-8, where bytes that are none become U+FFFD.
    engine
        Which reader to use: the exact one alone, with the fast path of NumPy, or with that of
        numba; ``auto`` chooses by size. All give the same rows.
    block_size
        Bytes read at a time.

    Raises
    ------
    DataReadError
        If Weka would refuse the file.
    """

    def __init__(
        self,
        source: SourceLike,
        *,
        class_attribute: str | int | None = "last",
        timezone: str = "UTC",
        encoding: str | None = None,
        engine: ScanEngine = "auto",
        block_size: int = BLOCK_SIZE,
    ) -> None:
        self._zone: tzinfo = UTC if timezone == "UTC" else time_zone(timezone)
        self._engine = engine
        opened = self.opened = open_source(source, encoding=encoding)
        self.name = opened.name
        self._lines = Lines(read_line_blocks(opened, size=block_size), source=self.name)
        self._tokens = Tokens(self._lines)
        try:
            header, notes = read_header(self._tokens)
            self.header: Header = (
                header if class_attribute is None else header.with_class(class_attribute)
            )
        except BaseException:
            self.close()
            raise
        self._notes = [*opened.notes, *notes]
        self._reader = RowReader(self.header, self._tokens, zone=self._zone)
        self._started = False

    @property
    def notes(self) -> list[str]:
        return self._notes

    def __iter__(self) -> Iterator[Dataset]:
        if self._started:
            raise DataReadError("the rows were read already", source=self.name)
        self._started = True
        self._reader.read_line()  # what stands on the line of @data
        held: list[Dataset] = []
        for block in self._blocks():
            held.append(block)
            if not any(map(self._is_open, held)):
                yield from held
                held.clear()
        self._reader.complete()
        yield from held
        if self._reader.swallowed.count:
            self._notes.append(self._reader.swallowed.note())
        if self._tokens.undecodable:
            self._notes.append(
                f"bytes that are not UTF-8 in {self._tokens.undecodable} words became U+FFFD, "
                "as in Weka; name the encoding to keep the letters"
            )

    def _is_open(self, block: Dataset) -> bool:
        """Whether a sparse row of `block` leaves out a string before the file shows the first."""
        return any(
            not pool.values and not np.isnan(block.X[:, column]).all()
            for column, pool in self._reader.pools.items()
        )

    def _blocks(self) -> Iterator[Dataset]:
        scanner: _Scanner | None = None
        while self._lines.fill():
            if scanner is None or isinstance(scanner, PlainScanner):
                scanner = self._scanner(len(self._lines.block) - self._lines.position, scanner)
            block = self._read_block(scanner)
            if len(block):
                yield block
        if self._reader.rows:
            yield self._reader.take()

    def _scanner(self, size: int, scanner: _Scanner | None) -> _Scanner | None:
        """The quickest scanner for a block of `size` bytes; None for the exact reader alone."""
        engine = self._engine
        if engine == "exact":
            return None
        types = {attribute.type for attribute in self.header.attributes}
        if "relational" in types:
            return None
        taken = self.opened.taken if self.opened is not None else 0
        to_come = 1.0 + self.bytes_left() * taken / max(1, size)
        if types <= {"numeric", "nominal"} and _choice.takes_numba(engine, size * _BYTE, to_come):
            from j48geo.data.arff.scan_numba import KernelScanner  # small files need none

            return KernelScanner(self.header)
        return scanner or PlainScanner(self.header, zone=self._zone)

    def _read_block(self, scanner: _Scanner | None) -> Dataset:
        """Read the block at hand, and as much of the next as an escaped line end demands."""
        lines, reader = self._lines, self._reader
        block = lines.block
        if scanner is None:
            while lines.block is block and lines.position < len(block) and not reader.is_full:
                reader.read_line()
            return reader.take()
        # Rows of the line of @data, if any, come first.
        before = len(reader.rows)
        scan = scanner.scan(block, lines.position)
        first = lines.number
        keep: Bools | None = None
        slow_line = [-1] * before
        interned = 0
        for line, start in zip(scan.slow.tolist(), scan.slow_start.tolist(), strict=True):
            if lines.block is not block or start < lines.position:
                continue  # the end of a value that began in a line before
            interned = self._intern(scan, interned, line, keep)
            lines.position, lines.number = start, first + line
            reader.read_line()
            slow_line += [line] * (len(reader.rows) - len(slow_line))
            if lines.number > first + line + 1:
                keep = np.ones(len(scan.X), dtype=bool) if keep is None else keep
                keep &= (scan.line <= line) | (scan.line >= lines.number - first)
            if reader.is_full and lines.block is block:  # the rest of the block comes next
                keep = np.ones(len(scan.X), dtype=bool) if keep is None else keep
                keep &= scan.line < lines.number - first
                break
        else:
            if lines.block is block:
                lines.position, lines.number = len(block), first + scan.lines
        self._intern(scan, interned, scan.lines, keep)
        return self._merge_rows(scan, slow_line, keep)

    def _intern(self, scan: Scan, done: int, line: int, keep: Bools | None) -> int:
        """Put the strings of ordinary rows before `line` into their pools: order matters."""
        if not scan.words:
            return done
        until = int(np.searchsorted(scan.line, line))
        for column, words in scan.words.items():
            index = self._reader.pools[column].index
            for row in range(done, until):
                if keep is not None and not keep[row]:
                    continue
                word = words[row]
                if word == b"?":
                    scan.X[row, column] = np.nan
                else:
                    text = decode(word)
                    self._tokens.undecodable += bad_bytes_in(word, text)
                    scan.X[row, column] = index(text)
        return until

    def _merge_rows(self, scan: Scan, slow_line: list[int], keep: Bools | None) -> Dataset:
        """Ordinary and slow rows in the order of the file."""
        slow = self._reader.take()
        X, weights, line = scan.X, scan.weights, scan.line
        if keep is not None:
            X, weights, line = X[keep], weights[keep], line[keep]
        if len(slow):
            order = np.argsort(np.concatenate((line, slow_line)), kind="stable")
            X = np.concatenate((X, slow.X))[order]
            weights = np.concatenate((weights, slow.weights))[order]
        return replace(slow, X=X, weights=weights)


open_arff = ArffStream


def read_arff(
    source: SourceLike,
    *,
    class_attribute: str | int | None = "last",
    timezone: str = "UTC",
    encoding: str | None = None,
    engine: ScanEngine = "auto",
    block_size: int = BLOCK_SIZE,
) -> Dataset:
    r"""Read a whole ARFF file; see `ArffStream` for the parameters.

    Examples
    --------
    >>> text = b"@relation r\n@attribute x numeric\n@attribute c {a,b}\n@data\n1.5,b\n?,a\n"
    >>> data = read_arff(text)
    >>> data.X
    array([[1.5, 1. ],
           [nan, 0. ]])
    """
    return ArffStream(
        source,
        class_attribute=class_attribute,
        timezone=timezone,
        encoding=encoding,
        engine=engine,
        block_size=block_size,
    ).read()
