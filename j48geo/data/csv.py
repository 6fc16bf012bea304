"""CSV with a header line, read as data of a known header: types and labels come from there."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from types import TracebackType

import numpy as np

from j48geo.core.dataset import Attribute, Dataset, Header
from j48geo.data.arff.rows import Pool, new_pools, undeclared
from j48geo.data.arff.tokens import decode
from j48geo.data.collect import collect
from j48geo.data.source import ByteSource, SourceLike, line_blocks, open_source
from j48geo.errors import DataReadError
from j48geo.java.calendar import time_zone
from j48geo.java.dates import DateFormat
from j48geo.java.parsing import java_double

__all__ = ["CsvStream", "open_csv", "read_csv"]

_ROWS_IN_BLOCK = 8192
_MISSING = frozenset({"", "?"})
_NAN = float("nan")


class CsvStream:
    """An open CSV file: rows in blocks, in the columns of the given header.

    See `open_csv`. Iterating gives a `Dataset` for each block, once.
    """

    def __init__(
        self,
        source: SourceLike,
        header: Header,
        *,
        timezone: str = "UTC",
        encoding: str | None = None,
    ) -> None:
        self.header = header
        self._pools = new_pools(header.attributes)
        self._zone = time_zone(timezone)
        self._opened = open_source(source, encoding=encoding)
        self.name = self._opened.name
        self.notes: list[str] = list(self._opened.notes)
        self._rows = csv.reader(_text_lines(self._opened))
        try:
            self._columns, self._n_fields = self._match_columns()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> CsvStream:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file, if it was opened here."""
        self._opened.close()

    def bytes_left(self) -> float:
        """How much is still to be read, as a multiple of what was; 0 if nobody knows."""
        return self._opened.left

    def _match_columns(self) -> tuple[list[int | None], int]:
        """For each attribute the field it stands in, None for a class that is not there."""
        names = self._next_row()
        if names is None:
            raise DataReadError("the file is empty", "expected a line of names", self.name)
        names = [name.strip() for name in names]
        columns: list[int | None] = []
        for index, attribute in enumerate(self.header.attributes):
            found = [place for place, name in enumerate(names) if name == attribute.name.strip()]
            if len(found) > 1:
                raise self._error(f"two columns are called {attribute.name}", "", found[1])
            if not found and index != self.header.class_index:
                known = ", ".join(names[:20])
                raise self._error(
                    f"no column is called {attribute.name}", f"expected it among {known}", 0
                )
            columns.append(found[0] if found else None)
        class_index = self.header.class_index
        if class_index is not None and columns[class_index] is None:
            self.notes.append("the class column is absent: every class is missing")
        extra = [name for place, name in enumerate(names) if place not in columns]
        if extra:
            self.notes.append(f"columns ignored: {', '.join(extra[:20])}")
        return columns, len(names)

    def _next_row(self) -> list[str] | None:
        """The next line that is not wholly empty; one of empty fields is a case like others."""
        try:
            for row in self._rows:
                if row and not (len(row) == 1 and row[0].isspace()):
                    return row
        except csv.Error as problem:
            raise self._error(str(problem), "expected comma-separated values", 0) from problem
        return None

    def _error(self, problem: str, expected: str, field: int) -> DataReadError:
        """An error in the line last read; the column is the number of the field."""
        return DataReadError(problem, expected, self.name, self._rows.line_num, field + 1)

    def __iter__(self) -> Iterator[Dataset]:
        converters = [
            self._converter(index, attribute, column)
            for index, (attribute, column) in enumerate(
                zip(self.header.attributes, self._columns, strict=True)
            )
        ]
        rows: list[list[float]] = []
        while (row := self._next_row()) is not None:
            if len(row) != self._n_fields:
                raise self._error(
                    f"{len(row)} fields", f"expected {self._n_fields} as in the first line", 0
                )
            rows.append([convert(row) for convert in converters])
            if len(rows) == _ROWS_IN_BLOCK:
                yield self._block(rows)
                rows = []
        if rows:
            yield self._block(rows)

    def _block(self, rows: list[list[float]]) -> Dataset:
        X = np.array(rows, dtype=np.float64).reshape(len(rows), len(self.header))
        pools = {index: pool.values for index, pool in self._pools.items()}
        return Dataset(self.header, X, np.ones(len(rows)), pools)

    def _converter(
        self, index: int, attribute: Attribute, column: int | None
    ) -> Callable[[list[str]], float]:
        """The function from the fields of a line to the cell of this attribute."""
        if column is None:
            return lambda row: _NAN
        value_of = self._value(index, attribute)
        has_empty_label = "" in attribute.index_of

        def convert(row: list[str]) -> float:
            text = row[column].strip()
            if text in _MISSING and not (text == "" and has_empty_label):
                return _NAN
            value = value_of(text)
            if value is None:
                raise self._error(*_refusal(text, attribute), column)
            return value

        return convert

    def _value(self, index: int, attribute: Attribute) -> Callable[[str], float | None]:
        if attribute.type == "numeric":
            return java_double
        if attribute.type == "nominal":
            trimmed = {label.strip(): code for code, label in enumerate(attribute.values)}
            return (trimmed | dict(attribute.index_of)).get
        if attribute.type == "date":
            return DateFormat(attribute.format or "", zone=self._zone).milliseconds
        if attribute.type == "string":
            pool: Pool = self._pools[index]
            return pool.index
        raise DataReadError(
            f"{attribute.name} is relational", "expected an ARFF file for such data", self.name
        )


def _refusal(text: str, attribute: Attribute) -> tuple[str, str]:
    if attribute.is_nominal:
        return undeclared(text, attribute)
    if attribute.type == "date":
        return f"{text!r} is no date for {attribute.name}", f"expected {attribute.format}"
    return f"{text!r} is no number for {attribute.name}", "expected a number, ? or nothing"


def _text_lines(opened: ByteSource) -> Iterator[str]:
    for block in line_blocks(opened):
        yield from io.StringIO(decode(block), newline="")


def open_csv(
    source: SourceLike, header: Header, *, timezone: str = "UTC", encoding: str | None = None
) -> CsvStream:
    """Open a CSV file whose columns are those of `header`, in any order.

    Parameters
    ----------
    source
        A path, ``-`` for standard input, bytes, or a binary file object.
    header
        Names, types and labels. The class column may be absent: then every class is missing.
        Other columns of the file are ignored, with a note.
    timezone, encoding
        As in `open_arff`.

    Notes
    -----
    Empty fields and ``?`` are missing; a line of nothing else is a case with everything
    missing, and only empty lines are skipped. Blanks around a field do not count.
    """
    return CsvStream(source, header, timezone=timezone, encoding=encoding)


def read_csv(
    source: SourceLike, header: Header, *, timezone: str = "UTC", encoding: str | None = None
) -> Dataset:
    r"""Read a whole CSV file; see `open_csv`.

    Examples
    --------
    >>> header = Header("r", (Attribute("x"), Attribute("c", "nominal", ("a", "b"))), 1)
    >>> read_csv(b"c,x\nb,1.5\n,2\n", header).X
    array([[1.5, 1. ],
           [2. , nan]])
    """
    with open_csv(source, header, timezone=timezone, encoding=encoding) as stream:
        return collect(stream)
