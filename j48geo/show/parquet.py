"""Rows of columns as a Parquet file, for programs: numbers are numbers there, unknown is null."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, BinaryIO, Generic, TypeVar

from j48geo.output_files import OutputError
from j48geo.show.columns import Column, Columns

__all__ = ["ParquetRows"]

B = TypeVar("B")

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
    columns: Columns[B]

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
                cells = [_cells(column, block, pyarrow) for column in self.columns]
                held.append(pyarrow.Table.from_arrays(cells, schema=schema))
                if sum(table.num_rows for table in held) >= _GROUP:
                    writer.write_table(pyarrow.concat_tables(held))
                    held.clear()
            if held:
                writer.write_table(pyarrow.concat_tables(held))


def _cells(column: Column[B], block: B, pyarrow: Any) -> Any:
    """The cells of CSV as they were before they were spelled; empty ones are null."""
    known = [_unquoted(cell) or None for cell in column.csv(block).texts()]
    return pyarrow.array(known, pyarrow.string()).cast(pyarrow.type_for_alias(column.kind.arrow))


def _unquoted(cell: str) -> str:
    return cell[1:-1].replace('""', '"') if cell.startswith('"') else cell
