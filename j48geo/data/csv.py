"""CSV with a header line, read as data of a known header: types and labels come from there."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

import numpy as np

from j48geo.core.dataset import Attribute, Dataset, Header
from j48geo.data.arff.rows import Pool, describe_undeclared, new_pools
from j48geo.data.arff.tokens import decode
from j48geo.data.columns import UnknownLabels, match_columns
from j48geo.data.source import SourceLike, open_source, read_line_blocks
from j48geo.data.stream import RowStream, TableReading
from j48geo.errors import DataReadError, DecimalCommaError
from j48geo.java.calendar import time_zone
from j48geo.java.dates import DateFormat
from j48geo.java.numbers import parse_double
from j48geo.text import pluralize

_ROWS_IN_BLOCK = 8192
_MISSING = frozenset({"", "?"})
_NAN = float("nan")
_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs"}


class CsvStream(RowStream):
    """An open CSV file whose columns are those of `header`, in any order.

    Parameters
    ----------
    source
        A path, ``-`` for standard input, bytes, or a file object.
    header
        Names, types and labels. Attributes that have no column are left out; the class is
        kept, and missing. Other columns of the file are ignored, with a note.
    timezone, encoding
        As in `open_arff`.
    how
        Delimiter, decimal mark, unknown labels and the class; see `TableReading`.

    Notes
    -----
    Empty fields and ``?`` are missing, unless they are declared labels; a line of nothing
    else is a case with everything missing, and only empty lines are skipped. Blanks around
    a field do not count.
    """

    def __init__(
        self,
        source: SourceLike,
        header: Header,
        *,
        timezone: str = "UTC",
        encoding: str | None = None,
        how: TableReading | None = None,
    ) -> None:
        self._how = how or TableReading()
        self._zone = time_zone(timezone)
        self._source = self.opened = open_source(source, encoding=encoding)
        self.name = self._source.name
        self._notes: list[str] = []
        self._read_out = False  # whether the next line has to be fetched, and may take its time
        self._unnamed = UnknownLabels(self._how.unknown)
        try:
            self._rows = self._read_fields(header)
            names = self._next_row()
            if names is None:
                raise DataReadError("the file is empty", "expected a line of names", self.name)
            self._n_fields = len(names)
            line = self._rows.line_num
            # Only a guessed header asks for it: a pipe may wait for an answer to its names.
            self._first = self._next_row() if header.inferred else None
            self.header, self._columns, notes = match_columns(
                [name.strip() for name in names],
                header,
                self._first or (),
                self._how.class_attribute,
                source=self.name,
                line=line,
                keep=self._how.keep,
            )
            self._notes += notes
        except BaseException:
            self.close()
            raise
        self._pools = new_pools(self.header.attributes)

    @property
    def notes(self) -> list[str]:
        """What the user should know of the rows so far."""
        return [*self._source.notes, *self._notes, *self._unnamed.notes]

    def _text_lines(self) -> Iterator[str]:
        for block in read_line_blocks(self._source):
            *lines, last = io.StringIO(decode(block), newline="")
            yield from lines
            self._read_out = True
            yield last
            self._read_out = False

    def _read_fields(self, header: Header) -> Any:
        """The fields of every line; what stands between them is found from the first one."""
        lines = self._text_lines()
        delimiter = self._how.delimiter
        if delimiter is None:
            head: list[str] = []
            for line in lines:
                head.append(line)
                if line.strip():
                    delimiter = _delimiter(line, header)
                    break
            delimiter = delimiter or ","
            lines = chain(head, lines)
            if delimiter != ",":
                self._notes.append(f"fields are separated by {_SEPARATORS[delimiter]}")
        if self._how.decimal == "," and delimiter != ";":
            raise DataReadError(
                "a decimal comma", "expected ; between the fields, to tell them apart", self.name
            )
        return csv.reader(lines, delimiter=delimiter)

    def _next_row(self) -> list[str] | None:
        """The next line that is not wholly empty; one of empty fields is a case like others."""
        try:
            row: list[str]
            for row in self._rows:
                if row and not (len(row) == 1 and row[0].isspace()):
                    return row
        except csv.Error as problem:
            raise self._error(str(problem), "expected comma-separated values", 0) from problem
        return None

    def _error(
        self,
        problem: str,
        expected: str,
        field: int,
        kind: type[DataReadError] = DataReadError,
    ) -> DataReadError:
        """An error in the line last read; the column is the number of the field."""
        return kind(problem, expected, self.name, self._rows.line_num, field + 1)

    def __iter__(self) -> Iterator[Dataset]:
        converters = [
            self._converter(index, attribute, column)
            for index, (attribute, column) in enumerate(
                zip(self.header.attributes, self._columns, strict=True)
            )
        ]
        rows: list[list[float]] = []
        row, self._first = self._first or self._next_row(), None
        while row is not None:
            if len(row) != self._n_fields:
                raise self._error(
                    pluralize(len(row), "field"),
                    f"expected {self._n_fields} as in the first line",
                    0,
                )
            rows.append([convert(row) for convert in converters])
            if len(rows) == _ROWS_IN_BLOCK or self._read_out:
                yield self._block(rows)
                rows = []
            row = self._next_row()
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
        missing = _MISSING - set(attribute.values)

        def convert(row: list[str]) -> float:
            text = row[column].strip()
            if text in missing:
                return _NAN
            value = value_of(text)
            if value is None and attribute.is_nominal:
                value = self._unnamed.value(text, attribute)
            if value is None:
                is_number = attribute.type == "numeric"
                has_comma = is_number and "," in text and _with_comma(text) is not None
                kind = DecimalCommaError if has_comma else DataReadError
                raise self._error(*_refusal(text, attribute, has_comma), column, kind)
            return value

        return convert

    def _value(self, index: int, attribute: Attribute) -> Callable[[str], float | None]:
        if attribute.type == "numeric":
            return parse_double if self._how.decimal == "." else _with_comma
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


def _refusal(text: str, attribute: Attribute, has_comma: bool) -> tuple[str, str]:
    if attribute.is_nominal:
        return describe_undeclared(text, attribute)
    if attribute.type == "date":
        return f"{text!r} is no date for {attribute.name}", f"expected {attribute.format}"
    expected = "expected a number, ? or nothing"
    if has_comma:
        expected += "; a decimal comma must be asked for"
    return f"{text!r} is no number for {attribute.name}", expected


def _with_comma(text: str) -> float | None:
    """A number with a decimal comma; a point beside it would be anybody's guess."""
    return None if "." in text else parse_double(text.replace(",", "."))


def _delimiter(line: str, header: Header) -> str:
    """What separates the names of this line: it finds the most of those in the header."""
    known = set(header.names)

    def count_names(delimiter: str) -> tuple[int, int]:
        try:
            names = [name.strip() for name in next(csv.reader([line], delimiter=delimiter), [])]
        except csv.Error:  # a wide line that this does not separate is too long for one field
            return 0, 0
        return len(known.intersection(names)), len(names)

    return max(_SEPARATORS, key=count_names)  # the first of equals


open_csv = CsvStream


def read_csv(
    source: SourceLike,
    header: Header,
    *,
    timezone: str = "UTC",
    encoding: str | None = None,
    how: TableReading | None = None,
) -> Dataset:
    r"""Read a whole CSV file; see `CsvStream`.

    Examples
    --------
    >>> header = Header("r", (Attribute("x"), Attribute("c", "nominal", ("a", "b"))), 1)
    >>> read_csv(b"c,x\nb,1.5\n,2\n", header).X
    array([[1.5, 1. ],
           [2. , nan]])
    """
    return CsvStream(source, header, timezone=timezone, encoding=encoding, how=how).read()
