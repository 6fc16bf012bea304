"""Columns of a row table: what they are called, where their values come from, their spelling.

A kind turns the values of a block into cells for CSV and JSON, and into texts for people.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Generic, TypeVar

from j48geo.arrays import Floats, Ints
from j48geo.core.dataset import Attribute, Dataset
from j48geo.show.rows.cells import Cells, ChoiceCells, join_rows
from j48geo.show.text import Role, Style, display_width, json_text

B = TypeVar("B")
V = TypeVar("V")


class ColumnKind(ABC, Generic[V]):
    """How the values of a column are spelled.

    Attributes
    ----------
    role, right
        As in `j48geo.show.text.ColumnLayout`.
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
    def csv(self, values: V, safe: bool) -> Cells:
        """Cells of CSV, quoted where they must be; `safe` as in `csv_cell`."""

    @abstractmethod
    def json(self, values: V) -> Cells:
        """Cells of JSON."""

    @abstractmethod
    def format_table(self, width: int, style: Style) -> Callable[[V], Sequence[str]]:
        """The function from values to cells for people, `width` wide."""


class StoredColumnKind(ColumnKind[V]):
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
        Whether rows that share a block's answer have the same cell; see `fill_columns`.
    """

    name: str
    kind: ColumnKind[Any]
    values: Callable[[B], Any]
    least: int = 0
    shared: bool = False

    def csv(self, block: B, safe: bool = False) -> Cells:
        """The cells of a block for CSV."""
        return self.kind.csv(self.values(block), safe)

    def json(self, block: B) -> Cells:
        """The cells of a block for JSON; those of a sparse kind bring their key along."""
        cells = self.kind.json(self.values(block))
        if not self.kind.sparse:
            return cells
        key = quote_json(self.name)
        return cells.change_texts(lambda text: f",{key}:{text}" if text else "")


ColumnList = Sequence[Column[B]]

Sharing = Callable[[B], tuple[Ints, B]]
"""From a block to a smaller one with every different answer in it, and which of them each row
of the block has."""


def fill_columns(
    leads: Sequence[str],
    columns: ColumnList[B],
    cells: Callable[[Column[B]], Callable[[B], Cells]],
    sharing: Sharing[B] | None = None,
) -> tuple[list[str], Callable[[B], list[Cells]]]:
    """What stands before each cell of a row, and the function from a block to its cells.

    Parameters
    ----------
    leads
        What stands before the cell of each column.
    cells
        From a column to the function from a block to its cells.
    sharing
        Columns that are `Column.shared` are filled in for the smaller block only; those that
        stand side by side become one.
    """
    fillers = [cells(column) for column in columns]
    if sharing is None:
        return list(leads), lambda block: [f(block) for f in fillers]
    runs = [
        (shared, [i for i, _ in run])
        for shared, run in groupby(enumerate(columns), lambda pair: pair[1].shared)
    ]
    run_leads = [
        lead for shared, run in runs for lead in ([""] if shared else [leads[i] for i in run])
    ]

    def rows(block: B) -> list[Cells]:
        which, few = sharing(block)
        filling: list[Cells] = []
        for shared, run in runs:
            if shared:
                texts = join_rows([leads[i] for i in run], [fillers[i](few) for i in run])
                filling.append(ChoiceCells(texts, which))
            else:
                filling += [fillers[i](block) for i in run]
        return filling

    return run_leads, rows


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


def quote_json(value: object) -> str:
    """A single value as JSON."""
    return json_text([value])[1:-1]


def add_columns(
    carried: ColumnList[Dataset], columns: ColumnList[B], rows: Callable[[B], Dataset]
) -> list[Column[B]]:
    """Columns of the data, then ours; one of ours whose name is in use gets an underscore.

    Parameters
    ----------
    carried
        What `j48geo.show.rows.data_columns.data_columns` gave: the columns that go along.
    rows
        From a block to the rows of data it belongs to.

    Examples
    --------
    >>> from j48geo.core.dataset import Attribute, Header
    >>> from j48geo.show.rows.column_kinds import IntegerColumn
    >>> from j48geo.show.rows.data_columns import data_columns
    >>> ours = [Column("row", IntegerColumn(), len)]
    >>> data = data_columns(Header("h", (Attribute("row"), Attribute("x"))))
    >>> [column.name for column in add_columns(data, ours, lambda rows: rows)]
    ['row', 'x', 'row_']
    """
    if not carried:
        return list(columns)
    return [
        *(_lift_column(column, rows) for column in carried),
        *make_names_unique(columns, [column.name for column in carried]),
    ]


def _lift_column(column: Column[Dataset], rows: Callable[[B], Dataset]) -> Column[B]:
    return Column(column.name, column.kind, lambda block: column.values(rows(block)), column.least)


def make_names_unique(columns: ColumnList[B], taken: Iterable[str]) -> list[Column[B]]:
    """The same columns; one whose name is in use gets an underscore behind it."""
    names = set(taken)
    unique = []
    for column in columns:
        name = column.name
        while name in names:
            name += "_"
        names.add(name)
        unique.append(replace(column, name=name))
    return unique
