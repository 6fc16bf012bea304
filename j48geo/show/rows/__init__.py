"""Format long tables of rows, a block at a time, in every format.

A `RowReport` says which columns a table has; a `Column` has a kind (``column_kinds``) that turns
values into cells (``cells``), and ``block_text`` writes the cells of a block.
"""

from __future__ import annotations

from j48geo.lazy import lazy_exports

TYPE_CHECKING = False  # as type checkers read it; importing typing takes longer than all of this
if TYPE_CHECKING:
    from j48geo.show.rows.cells import Cells
    from j48geo.show.rows.columns import Column, ColumnKind, ColumnList
    from j48geo.show.rows.data_columns import extend_header, extend_rows
    from j48geo.show.rows.row_report import (
        ParquetRows,
        RowReport,
        arff_rows,
        csv_rows,
        csv_table,
        json_rows,
        jsonl_rows,
        jsonl_table,
        table_rows,
    )

__all__ = [
    "Cells",
    "Column",
    "ColumnKind",
    "ColumnList",
    "ParquetRows",
    "RowReport",
    "arff_rows",
    "csv_rows",
    "csv_table",
    "extend_header",
    "extend_rows",
    "json_rows",
    "jsonl_rows",
    "jsonl_table",
    "table_rows",
]

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "Cells": "cells",
        "Column": "columns",
        "ColumnKind": "columns",
        "ColumnList": "columns",
        "ParquetRows": "row_report",
        "RowReport": "row_report",
        "arff_rows": "row_report",
        "csv_rows": "row_report",
        "csv_table": "row_report",
        "extend_header": "data_columns",
        "extend_rows": "data_columns",
        "json_rows": "row_report",
        "jsonl_rows": "row_report",
        "jsonl_table": "row_report",
        "table_rows": "row_report",
    },
)
