"""Rows of columns as a table for people, CSV, JSON, JSON lines, ARFF and Parquet.

Every writer takes blocks and yields text a block at a time, so that a file of any length
passes through in constant memory. A `RowReport` says which columns there are in every format.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, BinaryIO, Generic

from j48geo.core.dataset import Dataset, Header
from j48geo.output_files import OutputError
from j48geo.show.rows.cells import Cells, TextCells, block_text, join_rows
from j48geo.show.rows.column_kinds import ValueColumn, object_leads
from j48geo.show.rows.columns import (
    B,
    Column,
    ColumnList,
    Sharing,
    add_columns,
    csv_cell,
    fill_columns,
)
from j48geo.show.text import PLAIN, ColumnLayout, Style, TableGrid

_WORDS = 12
"""Columns for texts whose length is not known beforehand: a flag finds room."""


def table_rows(
    blocks: Iterable[B],
    columns: ColumnList[B],
    style: Style = PLAIN,
    sharing: Sharing[B] | None = None,
) -> Iterator[str]:
    """A table for people; its widths are settled before the first row is known.

    Parameters
    ----------
    sharing
        As in `fill_columns`; also of the other writers.
    """
    places = [
        ColumnLayout(c.name, _width(c, style), c.kind.role, c.kind.right, c.kind.texts)
        for c in columns
    ]
    grid = TableGrid(places, style)
    yield grid.head()
    width = dict(zip(columns, grid.widths, strict=True))

    def texts(column: Column[B]) -> Callable[[B], Sequence[str]]:
        format_values = column.kind.format_table(width[column], style)
        return lambda block: format_values(column.values(block))

    def cells(column: Column[B]) -> Callable[[B], Cells]:
        column_texts = texts(column)
        return lambda block: TextCells(column_texts(block))

    body = columns if grid.fold is None else columns[:-1]
    leads, filling = fill_columns(grid.leads[: len(body)], body, cells, sharing)
    last = None if grid.fold is None else texts(columns[-1])
    for block in blocks:
        rows = join_rows(leads, filling(block), "" if last is None else grid.leads[-1])
        if last is None:
            yield "".join([f"{row.rstrip()}\n" for row in rows])
        else:
            pairs = zip(rows, last(block), strict=True)
            yield "".join([grid.folded(lead, text.rstrip()) for lead, text in pairs])


def _width(column: Column[B], style: Style) -> int:
    """The width of the widest cell, as far as it is known; a text that may be folded has room."""
    room = _WORDS if style.width is not None and column.kind.role == "text" else 0
    return max(column.least, column.kind.width, room)


def csv_rows(
    blocks: Iterable[B],
    columns: ColumnList[B],
    *,
    safe: bool = False,
    sharing: Sharing[B] | None = None,
) -> Iterator[str]:
    """Rows as CSV: a line of titles and a line a row.

    Parameters
    ----------
    safe
        Whether texts that a spreadsheet takes for formulas are guarded; see `csv_cell`.
    """
    yield ",".join(csv_cell(column.name, safe) for column in columns) + "\n"
    leads = ["", *[","] * (len(columns) - 1)]
    alone = len(columns) == 1

    def cells(column: Column[B]) -> Callable[[B], Cells]:
        if alone:  # an empty line would be no row
            return lambda block: column.csv(block, safe).change_texts(lambda text: text or '""')
        return lambda block: column.csv(block, safe)

    leads, filling = fill_columns(leads, columns, cells, sharing)
    for block in blocks:
        yield block_text(leads, filling(block), "\n")


def jsonl_rows(
    blocks: Iterable[B], *json_objects: ColumnList[B], sharing: Sharing[B] | None = None
) -> Iterator[str]:
    """Rows as JSON lines, an object a row.

    Parameters
    ----------
    json_objects
        The columns of the object of a row; several, if a row has several objects.
    """
    return filter(None, _objects(blocks, json_objects, sharing, "\n"))


def json_rows(
    blocks: Iterable[B], *json_objects: ColumnList[B], sharing: Sharing[B] | None = None
) -> Iterator[str]:
    """Rows as one JSON array of objects."""
    lead = "[\n"
    for text in _objects(blocks, json_objects, sharing, ",\n"):
        if text:
            yield lead + text[:-2]
            lead = ",\n"
    yield "[]\n" if lead == "[\n" else "\n]\n"


def _objects(
    blocks: Iterable[B], json_objects: Sequence[ColumnList[B]], sharing: Sharing[B] | None, end: str
) -> Iterator[str]:
    """The objects of each block, with `end` behind each of them."""
    leads: list[str] = []
    fillings: list[Callable[[B], list[Cells]]] = []
    for columns in json_objects:
        before, filling = fill_columns(
            object_leads(columns), columns, lambda column: column.json, sharing
        )
        leads += [f"}}{end}{before[0]}" if leads else before[0], *before[1:]]
        fillings.append(filling)
    for block in blocks:
        cells = [cell for filling in fillings for cell in filling(block)]
        yield block_text(leads, cells, f"}}{end}")


def arff_rows(header: Header, blocks: Iterable[Dataset], timezone: str = "UTC") -> Iterator[str]:
    """A data set as ARFF text, a block at a time."""
    from j48geo.show.arff import arff_header_lines, arff_row_lines  # liac-arff is slow to load

    yield "".join(f"{line}\n" for line in arff_header_lines(header))
    for block in blocks:
        yield "".join([f"{line}\n" for line in arff_row_lines(block, timezone=timezone)])


@dataclass(frozen=True, eq=False)
class RowReport(Generic[B]):
    """Rows of answers, and which columns they have in every format.

    Parameters
    ----------
    blocks
        Passed over once.
    data
        From a block to the rows of data it belongs to.
    table_columns, csv_columns, arff_columns
        Columns of the table, of CSV and Parquet, and of what ARFF adds to the data.
    json_objects
        From the first block to the columns of a row's JSON object, or of its several objects.
    sharing
        As in `fill_columns`.
    """

    blocks: Iterable[B]
    data: Callable[[B], Dataset]
    table_columns: ColumnList[B]
    csv_columns: ColumnList[B]
    arff_columns: ColumnList[B]
    json_objects: Callable[[B], Sequence[ColumnList[B]]]
    sharing: Sharing[B] | None = None

    def format_rows(
        self,
        form: str,
        header: Header,
        carried: ColumnList[Dataset] = (),
        *,
        style: Style = PLAIN,
        safe: bool = False,
        timezone: str = "UTC",
    ) -> Iterator[str] | ParquetRows[B]:
        """The rows as ``table``, ``csv``, ``json``, ``jsonl``, ``arff`` or ``parquet``.

        Parameters
        ----------
        header
            That of the data; ARFF declares its attributes and those that are added.
        carried
            Columns of the data that go along, as `j48geo.show.rows.data_columns.data_columns` gives
            them.
        """
        if form == "arff":
            from j48geo.show.rows.data_columns import extend_header, extend_rows

            wider = extend_header(header, self.arff_columns)
            return arff_rows(
                wider, extend_rows(wider, self.arff_columns, self.blocks, self.data), timezone
            )
        if form in ("json", "jsonl"):
            return self._json(carried, json_rows if form == "json" else jsonl_rows)
        if form == "table":
            return self.table(carried, style)
        columns = add_columns(carried, self.csv_columns, self.data)
        if form == "parquet":
            return ParquetRows(self.blocks, columns)
        return csv_rows(self.blocks, columns, safe=safe, sharing=self.sharing)

    def table(self, carried: ColumnList[Dataset] = (), style: Style = PLAIN) -> Iterator[str]:
        """The rows as people see them."""
        columns = add_columns(carried, self.table_columns, self.data)
        return table_rows(self.blocks, columns, style, self.sharing)

    def _json(
        self, carried: ColumnList[Dataset], writer: Callable[..., Iterator[str]]
    ) -> Iterator[str]:
        steps = iter(self.blocks)
        first = list(islice(steps, 1))
        json_objects = [
            add_columns(carried, c, self.data) for block in first for c in self.json_objects(block)
        ]
        yield from writer(chain(first, steps), *json_objects, sharing=self.sharing)


# --------------------------------------------------------------------------- small tables


def csv_table(
    titles: Sequence[str], rows: Iterable[Sequence[object]], *, safe: bool = False
) -> str:
    """A small table as CSV: floats with all their digits, None as an empty cell."""
    return "".join(csv_rows([list(rows)], _columns(titles), safe=safe))


def jsonl_table(titles: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A small table as JSON lines."""
    return "".join(jsonl_rows([list(rows)], _columns(titles)))


def _columns(titles: Sequence[str]) -> list[Column[list[Sequence[object]]]]:
    def column(i: int) -> Callable[[list[Sequence[object]]], list[object]]:
        return lambda rows: [row[i] for row in rows]

    return [Column(title, ValueColumn(), column(i)) for i, title in enumerate(titles)]


_GROUP = 1 << 17
"""Rows of a row group at least, but for the last."""


@dataclass(frozen=True, eq=False)
class ParquetRows(Generic[B]):
    """The rows of a CSV file as Parquet, a block at a time.

    Parameters
    ----------
    blocks
        Passed over once.
    columns
        Those of the CSV file.
    """

    blocks: Iterable[B]
    columns: ColumnList[B]

    def write_to(self, stream: BinaryIO) -> None:
        """Write the file; a row group is held in memory."""
        try:
            import pyarrow
            import pyarrow.parquet
        except ImportError as error:
            raise OutputError(
                "parquet: pyarrow is not installed; expected it: pip install 'j48geo[tables]'"
            ) from error
        kinds = [(column.name, column.kind.arrow) for column in self.columns]
        schema = pyarrow.schema([(name, pyarrow.type_for_alias(kind)) for name, kind in kinds])
        with pyarrow.parquet.ParquetWriter(pyarrow.PythonFile(stream, "w"), schema) as writer:
            held: list[Any] = []
            for block in self.blocks:
                cells = [_column_array(column, block, pyarrow) for column in self.columns]
                held.append(pyarrow.Table.from_arrays(cells, schema=schema))
                if sum(table.num_rows for table in held) >= _GROUP:
                    writer.write_table(pyarrow.concat_tables(held))
                    held.clear()
            if held:
                writer.write_table(pyarrow.concat_tables(held))


def _column_array(column: Column[B], block: B, pyarrow: Any) -> Any:
    """The cells of CSV as they were before they were spelled; empty ones are null."""
    known = [_unquote(cell) or None for cell in column.csv(block).texts()]
    return pyarrow.array(known, pyarrow.string()).cast(pyarrow.type_for_alias(column.kind.arrow))


def _unquote(cell: str) -> str:
    return cell[1:-1].replace('""', '"') if cell.startswith('"') else cell
