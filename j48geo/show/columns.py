"""Columns of a row table: what they are called, where their values come from, their spelling.

A kind turns the values of a block into cells: texts ready for CSV and JSON, and cells for
people. What repeats in a block (labels, and as a rule numbers) is spelled once.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, repeat
from math import isfinite
from typing import Any, Generic, TypeVar

import numpy as np

from j48geo.arrays import Floats
from j48geo.core.dataset import Attribute, Dataset
from j48geo.show.text import Role, Style, display_width, json_text

__all__ = [
    "Column",
    "Columns",
    "Kind",
    "Sharing",
    "Spelling",
    "StoredKind",
    "beside",
    "csv_cell",
    "filled",
    "joined",
    "quoted",
    "renamed",
    "spelled",
]

B = TypeVar("B")
V = TypeVar("V")


class Kind(ABC, Generic[V]):
    """How the values of a column are spelled.

    Attributes
    ----------
    role, right
        As in `j48geo.show.text.Place`.
    sparse
        Whether JSON leaves the key out where the cell is empty; not in a first column.
    arrow
        Type of the column in Parquet: ``string``, ``int64`` or ``double``.
    """

    role: Role = "number"
    right: bool = True
    sparse: bool = False
    arrow: str = "string"

    @property
    def texts(self) -> Sequence[str]:
        """The labels as people see them, if they are known beforehand."""
        return ()

    @property
    def width(self) -> int:
        """Columns of a screen that the widest cell is known to take."""
        return max(map(display_width, self.texts), default=0)

    @abstractmethod
    def csv(self, values: V, safe: bool) -> Sequence[str]:
        """Cells of CSV, quoted where they must be; `safe` as in `csv_cell`."""

    @abstractmethod
    def json(self, values: V) -> Sequence[str]:
        """JSON texts."""

    @abstractmethod
    def people(self, width: int, style: Style) -> Callable[[V], Sequence[str]]:
        """The function from values to cells for people, `width` wide."""


class StoredKind(Kind[V]):
    """A kind that can be a column of a data set."""

    @abstractmethod
    def attribute(self, name: str) -> Attribute:
        """What such a column is declared as."""

    @abstractmethod
    def stored(self, values: V) -> Floats:
        """The cells as a `Dataset` holds them, missing ones NaN."""


@dataclass(frozen=True)
class Column(Generic[B]):
    """A column of a row table whose blocks are of type `B`.

    Parameters
    ----------
    name
        Its title, and its key in JSON.
    values
        From a block to the values of this column, as its kind takes them.
    least
        Columns of a screen that it takes at least.
    shared
        Whether rows that share a block's answer have the same cell; see `filled`.
    """

    name: str
    kind: Kind[Any]
    values: Callable[[B], Any]
    least: int = 0
    shared: bool = False

    def csv(self, block: B, safe: bool = False) -> Sequence[str]:
        """The cells of a block for CSV."""
        return self.kind.csv(self.values(block), safe)

    def json(self, block: B) -> Sequence[str]:
        """The cells of a block for JSON; those of a sparse kind bring their key along."""
        cells = self.kind.json(self.values(block))
        if not self.kind.sparse or not any(cells):
            return cells
        key = quoted(self.name)
        return [f",{key}:{cell}" if cell else "" for cell in cells]


Columns = Sequence[Column[B]]

Sharing = Callable[[B], tuple[list[int], B]]
"""From a block to a smaller one with every different answer in it, and which of them each row
of the block has."""


def filled(
    leads: Sequence[str],
    end: str,
    columns: Columns[B],
    cells: Callable[[Column[B]], Callable[[B], Sequence[str]]],
    sharing: Sharing[B] | None = None,
) -> Callable[[B], list[str]]:
    """The function from a block to the texts of its rows.

    Parameters
    ----------
    leads, end
        What stands before the cell of each column, and behind the last one.
    cells
        From a column to the function from a block to its cells.
    sharing
        Columns that are `Column.shared` are filled in for the smaller block only.
    """
    made = [cells(column) for column in columns]
    if sharing is None:
        return lambda block: joined(leads, [f(block) for f in made], end)
    runs = [
        (shared, [i for i, _ in run])
        for shared, run in groupby(enumerate(columns), lambda pair: pair[1].shared)
    ]

    def rows(block: B) -> list[str]:
        which, few = sharing(block)
        before: list[str] = []
        filling: list[Sequence[str]] = []
        for shared, run in runs:
            inner = [leads[i] for i in run]
            if shared:
                texts = joined(inner, [made[i](few) for i in run])
                before.append("")
                filling.append([texts[i] for i in which])
            else:
                before += inner
                filling += [made[i](block) for i in run]
        return joined(before, filling, end)

    return rows


def joined(leads: Sequence[str], cells: Sequence[Sequence[str]], end: str = "") -> list[str]:
    """The texts of rows, from the cells of their columns and what stands between them."""
    if not cells:
        return []
    n = len(cells[0])
    parts: list[Iterable[str]] = []
    for lead, column in zip(leads, cells, strict=True):
        parts += [repeat(lead, n), column] if lead else [column]
    # Joining is twice as fast as any formatting, and rows are what most of the time goes to.
    return list(map("".join, zip(*parts, repeat(end, n), strict=True)))


# ---------------------------------------------------------------------------------- cells

_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")


def csv_cell(text: str, safe: bool = False) -> str:
    """A text as a cell of CSV.

    Parameters
    ----------
    safe
        Whether what a spreadsheet would take for a formula (it begins with ``=``, ``+``,
        ``-``, ``@`` or a tab) gets an apostrophe before it. Numbers do not.

    Examples
    --------
    >>> csv_cell("a, b"), csv_cell("=1+1", safe=True), csv_cell("-1", safe=True)
    ('"a, b"', "'=1+1", '-1')
    """
    if safe and text[:1] in ("=", "+", "-", "@", "\t", "\r") and not _NUMBER.fullmatch(text):
        text = f"'{text}"
    if not any(char in text for char in ',"\n\r'):
        return text
    return '"{}"'.format(text.replace('"', '""'))


def quoted(value: object) -> str:
    """A single value as JSON."""
    return json_text([value])[1:-1]


def spelled(
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


class Spelling:
    """Digits of the numbers last spelled: the next column often has them but for the sign."""

    def __init__(self) -> None:
        self._last: tuple[Floats, list[str]] | None = None

    def texts(self, values: Floats, other: Callable[[float], str]) -> list[str]:
        """All digits of each number."""
        size = np.abs(values)
        if self._last is None or not np.array_equal(self._last[0], size):
            if not np.isfinite(size).all():
                return spelled(values, repr, other)
            self._last = size, spelled(size, repr, other)
        texts = self._last[1]
        if not np.signbit(values).any():
            return texts
        return [
            f"-{text}" if negative else text
            for text, negative in zip(texts, np.signbit(values).tolist(), strict=True)
        ]


def beside(
    carried: Columns[Dataset], columns: Columns[B], rows: Callable[[B], Dataset]
) -> list[Column[B]]:
    """Columns of the data, then ours; one of ours whose name is in use gets an underscore.

    Parameters
    ----------
    carried
        What `j48geo.show.wider.data_columns` gave: the columns that go along.
    rows
        From a block to the rows of data it belongs to.

    Examples
    --------
    >>> from j48geo.core.dataset import Attribute, Header
    >>> from j48geo.show.kinds import Counts
    >>> from j48geo.show.wider import data_columns
    >>> ours = [Column("row", Counts(), len)]
    >>> data = data_columns(Header("h", (Attribute("row"), Attribute("x"))))
    >>> [column.name for column in beside(data, ours, lambda rows: rows)]
    ['row', 'x', 'row_']
    """
    if not carried:
        return list(columns)
    return [
        *(_lifted(column, rows) for column in carried),
        *renamed(columns, [column.name for column in carried]),
    ]


def _lifted(column: Column[Dataset], rows: Callable[[B], Dataset]) -> Column[B]:
    return Column(column.name, column.kind, lambda block: column.values(rows(block)), column.least)


def renamed(columns: Columns[B], taken: Iterable[str]) -> list[Column[B]]:
    """The same columns; one whose name is in use gets an underscore behind it."""
    names = set(taken)
    made = []
    for column in columns:
        name = column.name
        while name in names:
            name += "_"
        names.add(name)
        made.append(replace(column, name=name))
    return made
