"""The exact reader of rows: token by token, as Weka does it, and so the measure of the others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, tzinfo
from functools import cached_property

import numpy as np

from j48geo.core.dataset import Attribute, Dataset, Header
from j48geo.data.arff.tokens import Kind, Lines, Tokens
from j48geo.errors import DataReadError
from j48geo.java.numbers import parse_double, parse_int
from j48geo.text import pluralize

_MISSING = float("nan")
_WORD = Kind.WORD
_END = (Kind.END_OF_LINE, Kind.END_OF_FILE)
_SHOWN_LABELS = 10
_SHOWN_LINES = 5
_MANY_CELLS = 1 << 22


class Pool:
    """The different values of a string column, in the order in which they first appear."""

    def __init__(self) -> None:
        self.values: list[str | Dataset] = []
        self._index_of: dict[str, int] = {}

    def index(self, value: str) -> float:
        """Where `value` is; it is added if it is new."""
        index = self._index_of.setdefault(value, len(self.values))
        if index == len(self.values):
            self.values.append(value)
        return index

    def add(self, rows: Dataset) -> float:
        """Where these inner rows are from now on; equal rows are kept apart, as Weka does."""
        self.values.append(rows)
        return len(self.values) - 1


@dataclass
class Swallowed:
    """Tokens behind a row that Weka throws away without a word."""

    count: int = 0
    lines: list[int] = field(default_factory=list)

    def add(self, line: int) -> None:
        """Count one token more."""
        self.count += 1
        if len(self.lines) < _SHOWN_LINES and line not in self.lines:
            self.lines.append(line)

    def note(self) -> str:
        """The note on tokens behind complete rows that were ignored."""
        tokens = pluralize(self.count, "extra token")
        lines = ", ".join(map(str, self.lines))
        return f"{tokens} behind complete rows ignored, as Weka does (first in line {lines})"


class RowReader:
    """Reads rows from tokens.

    Parameters
    ----------
    tokens
        Stands behind ``@data``.
    zone
        Time zone of dates that name none.
    pools
        Where string and relational columns put their values; made if not given.

    Attributes
    ----------
    rows, weights
        What was read since `take` was called last.
    """

    def __init__(
        self,
        header: Header,
        tokens: Tokens,
        *,
        zone: tzinfo = UTC,
        pools: dict[int, Pool] | None = None,
    ) -> None:
        self.header = header
        self.tokens = tokens
        self.pools = new_pools(header.attributes) if pools is None else pools
        self.swallowed = Swallowed()
        self.rows: list[list[float]] = []
        self.weights: list[float] = []
        self._inner_pools: list[tuple[Header, dict[int, Pool]]] = []
        self._zone = zone

    @cached_property
    def converters(self) -> list[Callable[[str], float]]:
        """For each attribute the function from a word to its number; for odd rows only."""
        return [
            self._converter(index, attribute, self._zone)
            for index, attribute in enumerate(self.header.attributes)
        ]

    @property
    def is_full(self) -> bool:
        """Whether enough was read to be taken away: sparse rows are short in the file alone."""
        return len(self.rows) * len(self.header) >= _MANY_CELLS

    def read_line(self) -> None:
        """Read all rows of the rest of the line; mostly one, or none."""
        tokens = self.tokens
        while (kind := tokens.next()) not in _END:
            row = self._sparse_row() if kind is Kind.OPEN else self._dense_row(kind)
            weight, line_is_over = self._weight()
            self.rows.append(row)
            self.weights.append(weight)
            if line_is_over:
                break

    def _dense_row(self, kind: Kind) -> list[float]:
        tokens = self.tokens
        row: list[float] = []
        for convert in self.converters:
            if row:
                kind = tokens.next()
            if kind is _WORD and (text := tokens.text) != "?":
                row.append(convert(text))
            else:
                row.append(self._value(kind, convert))
        return row

    def _sparse_row(self) -> list[float]:
        tokens = self.tokens
        row = [0.0] * len(self.converters)
        last = -1
        while (kind := tokens.next()) is not Kind.CLOSE:
            if kind in _END:
                raise tokens.error("the sparse row is not closed", "expected } on the same line")
            index = None if kind is Kind.OPEN else parse_int(tokens.text)
            if index is None:
                raise tokens.error(f"{_short(tokens.text)} is no index", "expected a number")
            if index <= last:
                raise tokens.error(f"index {index} comes after {last}", "expected rising indices")
            if index >= len(row):
                raise tokens.error(f"there is no attribute {index}", f"expected 0..{len(row) - 1}")
            last = index
            # Weka stores no zeros, and so forgets the sign of a negative one.
            row[index] = self._value(tokens.next(), self.converters[index]) or 0.0
        return row

    def _value(self, kind: Kind, convert: Callable[[str], float]) -> float:
        tokens = self.tokens
        if kind is Kind.WORD:
            return _MISSING if tokens.text == "?" else convert(tokens.text)
        if kind is Kind.QUOTED:
            return convert(tokens.text)
        if kind in _END:
            raise tokens.error("the line ends before the row is complete", self._row_hint())
        raise tokens.error(f"{tokens.text!r} is no value", self._row_hint())

    def _row_hint(self) -> str:
        count = len(self.header)
        return f"expected {pluralize(count, 'value')}"

    def _weight(self) -> tuple[float, bool]:
        """The weight behind a row, 1 if there is none, and whether the line is over."""
        tokens = self.tokens
        kind = tokens.next()
        if kind in _END:
            return 1.0, True
        if kind is not Kind.OPEN:
            self.swallowed.add(tokens.line)
            return 1.0, False
        if tokens.next() not in (Kind.WORD, Kind.QUOTED):
            raise tokens.error("the weight is missing", "expected {number} behind the row")
        weight = parse_double(tokens.text)
        if weight is None:
            # Both the brace and the word are gone now, and Weka goes on with a new row.
            self.swallowed.add(tokens.line)
            self.swallowed.add(tokens.line)
            return 1.0, False
        if tokens.next() is not Kind.CLOSE:
            raise tokens.error("the weight is not closed", "expected }")
        if weight != weight:
            return 1.0, False
        if tokens.next() not in _END:
            raise tokens.error(
                f"{_short(tokens.text)} behind the weight", "expected the end of the line"
            )
        return weight, True

    def _converter(self, index: int, attribute: Attribute, zone: tzinfo) -> Callable[[str], float]:
        """The function from a word to the number that is stored for it."""
        if attribute.type == "numeric":
            return self._number(attribute)
        if attribute.type == "nominal":
            return self._label(attribute)
        if attribute.type == "string":
            return self.pools[index].index
        if attribute.type == "date":
            return self._date(attribute, zone)
        return self._relation(index, attribute, zone)

    def _number(self, attribute: Attribute) -> Callable[[str], float]:
        def convert(text: str) -> float:
            value = parse_double(text)
            if value is None:
                raise self.tokens.error(
                    f"{_short(text)} is no number for {attribute.name}", "expected a number or ?"
                )
            return value

        return convert

    def _label(self, attribute: Attribute) -> Callable[[str], float]:
        index_of = attribute.index_of

        def convert(text: str) -> float:
            index = index_of.get(text)
            if index is None:
                raise self.tokens.error(*describe_undeclared(text, attribute))
            return index

        return convert

    def _date(self, attribute: Attribute, zone: tzinfo) -> Callable[[str], float]:
        from j48geo.java.dates import DateFormat  # most files have no dates

        date_format = DateFormat(attribute.format or "", zone=zone)

        def convert(text: str) -> float:
            value = date_format.milliseconds(text)
            if value is None:
                raise self.tokens.error(
                    f"{_short(text)} is no date for {attribute.name}",
                    f"expected {attribute.format}",
                )
            return value

        return convert

    def _relation(self, index: int, attribute: Attribute, zone: tzinfo) -> Callable[[str], float]:
        header = Header(attribute.name, attribute.attributes)
        pools = new_pools(header.attributes)
        self._inner_pools.append((header, pools))

        def convert(text: str) -> float:
            # The value holds rows in the same syntax once more; its strings share one pool.
            inner = Lines(iter([text.encode("utf-8")]), source="")
            reader = RowReader(header, Tokens(inner), zone=zone, pools=pools)
            try:
                if not len(header):
                    raise DataReadError("the relation has no attributes")
                while inner.fill():
                    reader.read_line()
            except DataReadError as problem:
                raise self.tokens.error(
                    f"in the rows of {attribute.name}: {problem.problem}", problem.expected
                ) from problem
            for _ in range(reader.swallowed.count):
                self.swallowed.add(self.tokens.line)
            return self.pools[index].add(reader.take())

        return convert

    def take(self) -> Dataset:
        """What was read so far as a data set; the reader is empty after that."""
        width = len(self.header)
        X = np.array(self.rows, dtype=np.float64).reshape(len(self.rows), width)
        weights = np.array(self.weights, dtype=np.float64)
        self.rows, self.weights = [], []
        pools = {index: pool.values for index, pool in self.pools.items()}
        return Dataset(self.header, X, weights, pools)

    def complete(self) -> None:
        """Give sparse rows a value to point to, where the file has none at all.

        They say 0 for a string that is left out: the first one that the file shows.
        """
        for header, pools in [(self.header, self.pools), *self._inner_pools]:
            for index, pool in pools.items():
                if pool.values:
                    continue
                attribute = header.attributes[index]
                if attribute.type == "string":
                    pool.index("")
                else:
                    inner = Header(attribute.name, attribute.attributes)
                    pool.add(Dataset(inner, np.empty((0, len(inner))), np.empty(0)))


def new_pools(attributes: tuple[Attribute, ...]) -> dict[int, Pool]:
    """An empty pool for each column that needs one."""
    return {
        index: Pool()
        for index, attribute in enumerate(attributes)
        if attribute.type in ("string", "relational")
    }


def describe_undeclared(text: str, attribute: Attribute) -> tuple[str, str]:
    """What is wrong, and what was expected, where a label is not declared."""
    shown = ", ".join(attribute.values[:_SHOWN_LABELS])
    more = ", ..." if len(attribute.values) > _SHOWN_LABELS else ""
    problem = f"label {_short(text)} is not declared for {attribute.name}"
    return problem, f"expected one of {shown}{more}" if shown else "expected ?"


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")
