"""Read rows of any format: ARFF, CSV, Parquet, Arrow, and tables in memory.

`open_rows` opens a file, whose rows then come in blocks (`Rows`); `read_arff`, `read_csv` and
`read_data` read a whole file (`j48geo.Dataset`), `read_table` a table of pandas, polars or
pyarrow. Costs, labels, scales and scores come from small files of their own.
"""

from __future__ import annotations

from j48geo.lazy import lazy_exports

TYPE_CHECKING = False  # as type checkers read it; importing typing takes longer than all of this
if TYPE_CHECKING:
    from j48geo.data.arff.stream import read_arff
    from j48geo.data.csv import read_csv
    from j48geo.data.frame import read_table
    from j48geo.data.rows import Rows, open_rows
    from j48geo.data.small_tables import (
        read_cost_matrix,
        read_label_table,
        read_scales,
        read_score_table,
    )
    from j48geo.data.stream import TableReading, open_data, read_data

__all__ = [
    "Rows",
    "TableReading",
    "open_data",
    "open_rows",
    "read_arff",
    "read_cost_matrix",
    "read_csv",
    "read_data",
    "read_label_table",
    "read_scales",
    "read_score_table",
    "read_table",
]

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "Rows": "rows",
        "TableReading": "stream",
        "open_data": "stream",
        "open_rows": "rows",
        "read_arff": "arff.stream",
        "read_cost_matrix": "small_tables",
        "read_csv": "csv",
        "read_data": "stream",
        "read_label_table": "small_tables",
        "read_scales": "small_tables",
        "read_score_table": "small_tables",
        "read_table": "frame",
    },
)
