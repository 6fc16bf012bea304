"""Columns of data as columns of a row table, and data with columns added."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import isfinite, isnan
from typing import Any

import numpy as np

from j48geo.core.dataset import Attribute, Dataset, Header
from j48geo.core.json_values import number_json
from j48geo.java.calendar import time_zone
from j48geo.java.dates import DateFormat
from j48geo.show.rows.cells import (
    Cells,
    ChoiceCells,
    FloatCells,
    TextCells,
    join_rows,
    spell_numbers,
)
from j48geo.show.rows.columns import (
    B,
    Column,
    ColumnKind,
    ColumnList,
    StoredColumnKind,
    csv_cell,
    make_names_unique,
    quote_json,
)
from j48geo.show.text import Style, align_left, align_right, format_exact, shorten
from j48geo.text import to_one_line

# ------------------------------------------------------------------- columns of the data


def data_columns(
    header: Header,
    names: Iterable[str] | None = None,
    *,
    timezone: str | None = None,
    missing: str = "",
) -> list[Column[Dataset]]:
    """Columns of the data as columns of a row table whose blocks are data sets.

    Parameters
    ----------
    header
        That of the blocks.
    names
        Which columns, by name; None takes all. `UnknownNameError` if there is none so called.
    timezone
        The one that dates are written in, in CSV and for people, as their pattern says;
        milliseconds since 1970 without.
    missing
        A missing cell in CSV.
    """
    places = range(len(header)) if names is None else map(header.position, names)
    return [_data_column(header, i, timezone, missing) for i in places]


def _data_column(header: Header, index: int, timezone: str | None, missing: str) -> Column[Dataset]:
    attribute = header.attributes[index]
    number: Callable[[float], str] = format_exact
    if attribute.type == "date" and timezone is not None:
        number = DateFormat(attribute.format or "", zone=time_zone(timezone)).text
    kind: ColumnKind[Dataset] = (
        _DataNumbers(index, missing, number)
        if attribute.is_numeric
        else _DataTexts(attribute, index, missing)
    )
    return Column(attribute.name, kind, lambda rows: rows, 0 if attribute.is_nominal else 9)


@dataclass(frozen=True)
class _DataNumbers(ColumnKind[Dataset]):
    """A column of numbers or dates; an infinite number is a word in JSON."""

    index: int
    missing: str
    number: Callable[[float], str]

    @property
    def arrow(self) -> str:  # type: ignore[override]
        """A number; of a date the text."""
        return "double" if self.number is format_exact else "string"

    def csv(self, values: Dataset, safe: bool) -> Cells:
        if self.number is format_exact:
            words = self.missing, "Infinity", "-Infinity"
            return FloatCells(values.X[:, self.index], words, short=True)
        texts = self._spell(values, lambda x: self.missing if isnan(x) else self.number(x))
        return TextCells([csv_cell(text, safe) for text in texts])

    def json(self, values: Dataset) -> Cells:
        return FloatCells(values.X[:, self.index], ("null", '"Infinity"', '"-Infinity"'))

    def format_table(self, width: int, style: Style) -> Callable[[Dataset], Sequence[str]]:
        def format_values(values: Dataset) -> Sequence[str]:
            texts = self._spell(values, lambda x: "?" if isnan(x) else self.number(x))
            return [align_right(text, width) for text in texts]

        return format_values

    def _spell(self, rows: Dataset, shown: Callable[[float], str]) -> list[str]:
        return spell_numbers(rows.X[:, self.index], shown, shown)


@dataclass(frozen=True)
class _DataTexts(ColumnKind[Dataset]):
    """A column of labels, texts or inner rows (as JSON); each is made once a block."""

    attribute: Attribute
    index: int
    missing: str
    role = "label"
    right = False

    @property
    def texts(self) -> Sequence[str]:
        return [*map(to_one_line, self.attribute.values), "?"]

    def csv(self, values: Dataset, safe: bool) -> Cells:
        return self._each(
            values,
            self.missing,
            lambda x: csv_cell(x, safe),
            lambda x: csv_cell(_inner_rows_json(x)),
        )

    def json(self, values: Dataset) -> Cells:
        return self._each(values, "null", quote_json, _inner_rows_json)

    def format_table(self, width: int, style: Style) -> Callable[[Dataset], Sequence[str]]:
        def shown(text: str) -> str:
            text = to_one_line(text)
            return align_left(text if style.width is None else shorten(text, width), width)

        return lambda values: self._each(
            values, shown("?"), shown, lambda x: shown(_inner_rows_json(x))
        ).texts()

    def _each(
        self,
        rows: Dataset,
        missing: str,
        text: Callable[[str], str],
        inner: Callable[[Dataset], str],
    ) -> Cells:
        values: Sequence[str | Dataset] = (
            self.attribute.values if self.attribute.is_nominal else rows.pools.get(self.index, ())
        )
        cells = rows.X[:, self.index]
        known, which = np.unique(np.where(np.isnan(cells), -1, cells), return_inverse=True)

        def cell_text(k: int) -> str:
            if k < 0:
                return missing
            value = values[k]
            return text(value) if isinstance(value, str) else inner(value)

        return ChoiceCells(list(map(cell_text, known.astype(np.intp).tolist())), which)


def _inner_rows_json(rows: Dataset) -> str:
    """Inner rows as JSON."""
    shown = ",".join(json_arrays(rows, data_columns(rows.header)))
    weights = ",".join(map(json_number, rows.weights.tolist()))
    return f'{{"rows":[{shown}],"weights":[{weights}]}}'


def json_arrays(rows: Dataset, columns: ColumnList[Dataset]) -> list[str]:
    """Each row as a JSON array of its cells."""
    leads = ["[", *[","] * (len(columns) - 1)]
    return join_rows(leads, [column.json(rows) for column in columns], "]")


def json_number(x: float) -> str:
    """A number as JSON: null is missing, an infinite one is a word."""
    return repr(x) if isfinite(x) else quote_json(number_json(x))


# ---------------------------------------------------------------- columns added to the data


def extend_header(header: Header, columns: ColumnList[B]) -> Header:
    """The attributes of the data, then these; a name in use gets an underscore behind it.

    Examples
    --------
    >>> from j48geo.show.rows.column_kinds import IntegerColumn
    >>> rank = Column("rank", IntegerColumn(), len)
    >>> extend_header(Header("h", (Attribute("rank"),)), [rank]).names
    ('rank', 'rank_')
    """
    added = make_names_unique(columns, header.names)
    return replace(
        header,
        attributes=header.attributes + tuple(_stored_kind(c).attribute(c.name) for c in added),
    )


def extend_rows(
    header: Header, columns: ColumnList[B], blocks: Iterable[B], rows: Callable[[B], Dataset]
) -> Iterator[Dataset]:
    """The rows of each block with these columns added.

    Parameters
    ----------
    header
        As `extend_header` made it.
    rows
        As in `beside`.
    """
    for block in blocks:
        given = rows(block)
        added = [_stored_kind(column).stored(column.values(block)) for column in columns]
        yield replace(given, header=header, X=np.column_stack([given.X, *added]))


def _stored_kind(column: Column[B]) -> StoredColumnKind[Any]:
    if not isinstance(column.kind, StoredColumnKind):
        raise TypeError(f"{column.name}: a data set has no such columns")
    return column.kind
