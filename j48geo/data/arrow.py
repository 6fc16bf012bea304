"""Parquet and Arrow files: in batches, and only the columns that the model has.

pyarrow reads them. It is an extra (``tables``), and nothing else imports it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import chain
from typing import Any, NamedTuple

from j48geo.core.columns import find_columns
from j48geo.core.dataset import Attribute, Dataset, Header
from j48geo.data.columns import UnknownLabels, match_columns
from j48geo.data.frame import read_table
from j48geo.data.source import ByteSource, SourceLike, display_name
from j48geo.data.stream import ArrowFormat, RowStream, TableReading
from j48geo.errors import DataReadError, J48GeoError, MismatchError

_ROWS_IN_BLOCK = 8192


class _Batches(NamedTuple):
    """What is in a file.

    Parameters
    ----------
    names
        Of all columns.
    read
        The batches of some columns, in the order of the rows; for a stream only once.
    last
        A batch that holds the last cell of the first row as its last column; None if there
        are no rows.
    """

    names: list[str]
    read: Callable[[list[str]], Iterator[Any]]
    last: Callable[[], Any]


class ArrowStream(RowStream):
    """An open file or folder: rows in blocks, in the columns of the given header.

    Iterating gives a `Dataset` for each block, once.

    Parameters
    ----------
    source
        A path, also of a folder of Parquet files, ``-``, bytes, or a binary file object.
        What is no plain file is held in memory, but for Arrow streams.
    opened
        The same, open, with its first bytes still to be read; None for a folder.
    file_format
        As `j48geo.data.stream.arrow_format` tells.
    header
        Names, types and labels. Attributes that have no column are left out; the class is
        kept, and missing. Other columns of the file are ignored, with a note.
    how
        Unknown labels and the class, see `TableReading`.
    """

    def __init__(
        self,
        source: SourceLike,
        opened: ByteSource | None,
        file_format: ArrowFormat,
        header: Header,
        how: TableReading | None = None,
    ) -> None:
        how = how or TableReading()
        self.name = display_name(source)
        self._format = file_format
        self._stack = ExitStack()
        self._unnamed = UnknownLabels(how.unknown)
        if opened is not None:
            self._stack.callback(opened.close)
        if file_format is ArrowFormat.STREAM:  # others are read from their end
            self.opened = opened
        try:
            self._pyarrow = _pyarrow(file_format, self.name)
            with self._translate_errors():
                names, self._read, last = self._open_batches(source, opened)
                first = _first_row(names, last) if header.inferred else []
            self.header, places, notes = match_columns(
                names, header, first, how.class_attribute, source=self.name
            )
        except BaseException:
            self.close()
            raise
        pairs = zip(places, self.header.attributes, strict=True)
        self._wanted = {names[k]: a.name for k, a in pairs if k is not None}
        few = f"{len(self._wanted)} of {len(names)} columns"
        self._notes = [f"{self.name} is {file_format.value}; {few} are read", *notes]

    @property
    def notes(self) -> list[str]:
        """What the user should know of the rows so far."""
        return [*self._notes, *self._unnamed.notes]

    def close(self) -> None:
        """Close the file, if it was opened here."""
        self._stack.close()

    def __iter__(self) -> Iterator[Dataset]:
        done = 0
        batches = self._read(list(self._wanted))
        while True:
            with self._translate_errors():
                batch = next(batches, None)
            if batch is None:
                return
            for start in range(0, batch.num_rows, _ROWS_IN_BLOCK):
                part = batch.slice(start, _ROWS_IN_BLOCK)
                # Rows without any column that is known are rows all the same.
                columns = {new: part.column(old) for old, new in self._wanted.items()}
                with self._translate_errors():
                    table = self._pyarrow.table(columns or {"": self._pyarrow.nulls(part.num_rows)})
                    block = read_table(
                        table,
                        self.header,
                        name=self.name,
                        first_row=done + 1,
                        unnamed=self._unnamed,
                    )
                yield block
                done += part.num_rows

    def _open_batches(self, source: SourceLike, opened: ByteSource | None) -> _Batches:
        pa = self._pyarrow
        if opened is None:
            import pyarrow.dataset

            assert isinstance(source, (str, os.PathLike))
            folder = pyarrow.dataset.dataset(
                os.fspath(source), format="parquet", partitioning="hive"
            )
            # File by file: of a whole folder pyarrow reads ahead as far as memory goes.
            return _repeatable_batches(
                folder.schema.names,
                lambda names: (
                    batch
                    for file in folder.get_fragments()
                    for batch in file.to_batches(
                        schema=folder.schema, columns=names, batch_size=_ROWS_IN_BLOCK
                    )
                ),
            )
        if self._format is ArrowFormat.STREAM:
            stream = self._stack.enter_context(pa.ipc.open_stream(_Readable(opened)))
            head = [batch for batch in [next(iter(stream), None)] if batch is not None]
            return _Batches(
                list(stream.schema.names),
                lambda names: (batch.select(names) for batch in chain(head, stream)),
                lambda: head[0] if head else None,
            )
        file = self._seekable(source, opened)
        if self._format is ArrowFormat.FILE:
            table = self._stack.enter_context(pa.ipc.open_file(file))
            return _repeatable_batches(
                table.schema.names,
                lambda names: (
                    table.get_batch(k).select(names) for k in range(table.num_record_batches)
                ),
            )
        import pyarrow.parquet

        # Reading ahead would hold all columns of the file.
        parquet = self._stack.enter_context(pyarrow.parquet.ParquetFile(file, pre_buffer=False))
        return _repeatable_batches(
            parquet.schema_arrow.names,
            lambda names: parquet.iter_batches(batch_size=_ROWS_IN_BLOCK, columns=names),
        )

    def _seekable(self, source: SourceLike, opened: ByteSource) -> Any:
        """What can be read from its end, where such files list their columns."""
        if isinstance(source, (str, os.PathLike)) and opened.size is not None:  # not gzipped
            return self._stack.enter_context(self._pyarrow.memory_map(os.fspath(source)))
        return self._pyarrow.BufferReader(b"".join(iter(lambda: opened.read(1 << 20), b"")))

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        """Let pyarrow's errors be errors of the file, in one line."""
        try:
            yield
        except (J48GeoError, MemoryError):
            raise
        except (self._pyarrow.ArrowException, OSError, ValueError) as problem:
            first = str(problem).strip().partition("\n")[0]
            raise DataReadError(
                f"this is {self._format.value}, and damaged: {first}", source=self.name
            ) from problem


class _Readable:
    """An open source as pyarrow reads one: exactly so many bytes, fewer only at the end."""

    closed = False

    def __init__(self, opened: ByteSource) -> None:
        self._open_batches = opened

    def read(self, size: int = -1) -> bytes:
        parts: list[bytes] = []
        while size != 0 and (part := self._open_batches.read(size if size > 0 else 1 << 20)):
            parts.append(part)
            size -= len(part) if size > 0 else 0
        return b"".join(parts)

    def close(self) -> None:
        """Whoever opened the source closes it."""


def _repeatable_batches(names: Any, read: Callable[[list[str]], Any]) -> _Batches:
    """Batches that can be read as often as they are wanted."""
    known = list(names)
    return _Batches(
        known, lambda wanted: iter(read(wanted)), lambda: next(iter(read(known[-1:])), None)
    )


def _first_row(names: list[str], last: Callable[[], Any]) -> list[object]:
    """Cells of the first row, as far as the class is looked for: the last one."""
    if not names or names.count(names[-1]) > 1:
        return []
    batch = last()
    if batch is None or not batch.num_rows:
        return []
    return [*names[:-1], batch.column(batch.num_columns - 1)[0].as_py()]


def _pyarrow(file_format: ArrowFormat, name: str) -> Any:
    try:
        import pyarrow
        import pyarrow.ipc
    except ImportError as error:
        raise DataReadError(
            f"this is {file_format.value}",
            "expected pyarrow to read it: pip install 'j48geo[tables]'",
            name,
        ) from error
    return pyarrow


# ----------------------------------------------------------- batches that others have read

_NUMBERS = ("int", "uint", "halffloat", "float", "double", "decimal", "null")
_LABELS = ("string", "large_string", "string_view", "dictionary<values=", "bool", *_NUMBERS)
_TAKEN = {
    "numeric": (_NUMBERS, "numbers"),
    "date": (("timestamp", *_NUMBERS), "time stamps, or milliseconds since 1970"),
    "nominal": (_LABELS, "text, dictionaries of text, whole numbers, or true and false"),
}


def check_columns(schema: Any, attributes: Sequence[Attribute]) -> None:
    """Refuse a pyarrow schema in which an attribute has no column, two, or one of another kind.

    Raises
    ------
    MismatchError
        Before any row is read.
    """
    find_columns(list(schema.names), [attribute.name for attribute in attributes], "the table")
    for attribute in attributes:
        kind = str(schema.field(attribute.name).type)
        taken, words = _TAKEN[attribute.type]
        if not kind.startswith(taken):
            raise MismatchError(
                f"column {attribute.name!r} has type {kind}; expected {words}, since the attribute "
                f"is {attribute.type}"
            )


def read_batch(batch: Any, attributes: Sequence[Attribute], header: Header) -> Dataset:
    """The rows of a pyarrow batch or table in the columns of a header, as far as they are used.

    Raises
    ------
    MismatchError
        If a column does not fit its attribute, or a cell is no label of it.
    """
    check_columns(batch.schema, attributes)
    some = batch.select([attribute.name for attribute in attributes])
    if not hasattr(some, "to_batches"):
        pyarrow: Any = sys.modules["pyarrow"]
        some = pyarrow.Table.from_batches([some])
    try:
        return read_table(some, header, name="the batch")
    except DataReadError as error:
        raise MismatchError(str(error)) from error
