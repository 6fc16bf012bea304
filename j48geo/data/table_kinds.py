"""Kinds of tables in memory: which one a value is, its columns, and answers of the same kind.

`to_table` takes whatever holds rows under column names: tables of pandas, polars and pyarrow,
whatever offers Arrow's stream interface (DuckDB, readers of record batches), a pandas Series as
one row, a dictionary, a list of dictionaries. None of these packages is imported before one of
its tables is given.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from typing import Any

from j48geo.arrays import Floats
from j48geo.errors import DataReadError


class TableKind(Enum):
    """Whose table it is; the values are the names of the packages."""

    PANDAS = "pandas"
    POLARS = "polars"
    PYARROW = "pyarrow"
    PLAIN = "a dictionary"


class PlainTable:
    """Columns of Python values by name."""

    def __init__(self, values: Mapping[str, Sequence[Any]], n_rows: int) -> None:
        self._values = values
        self._n_rows = n_rows

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return list(self._values)

    def __len__(self) -> int:
        return self._n_rows

    def __getitem__(self, name: str) -> list[Any]:
        return list(self._values[name])


def table_kind(value: object) -> TableKind | None:
    """What kind of table `value` is; None if it is none as it stands, see `to_table`."""
    if isinstance(value, PlainTable):
        return TableKind.PLAIN
    package = type(value).__module__.partition(".")[0]
    name = type(value).__name__
    if package == "pandas" and hasattr(value, "columns"):
        return TableKind.PANDAS
    if package == "polars" and name == "DataFrame":
        return TableKind.POLARS
    if package == "pyarrow" and hasattr(value, "column_names"):
        return TableKind.PYARROW
    return None


def to_table(value: Any, name: str = "the table") -> Any:
    """The table that `value` is or stands for; what holds no rows under column names stays.

    Raises
    ------
    DataReadError
        If a dictionary mixes single values and columns, or rows have different names.
    """
    if table_kind(value) is not None:
        return value
    package = type(value).__module__.partition(".")[0]
    if package == "pandas" and hasattr(value, "index") and hasattr(value, "to_frame"):
        return _series_row(value)
    if package == "polars" and hasattr(value, "collect"):
        return value.collect()
    if isinstance(value, Mapping):
        return _mapping_table(value, name)
    if isinstance(value, (list, tuple)) and value and isinstance(value[0], Mapping):
        return _record_table(value, name)
    if hasattr(value, "__arrow_c_stream__"):
        return _arrow_table(value, name)
    if hasattr(value, "fetch_arrow_table"):  # DuckDB before its relations were Arrow streams
        return value.fetch_arrow_table()
    return value


def table_names(table: Any) -> list[str]:
    """Names of the columns of a table, as text."""
    names = table.column_names if table_kind(table) is TableKind.PYARROW else table.columns
    return [str(name) for name in names]


def table_column(table: Any, name: str) -> Any:
    """The column of a table that is called so; names of pandas may be numbers."""
    if table_kind(table) is TableKind.PANDAS:
        return table.iloc[:, table_names(table).index(name)]
    return table[name]


def make_table_like(table: Any, names: Sequence[str], values: Floats) -> Any:
    """A table of the same kind, a column a name; for an array or a dictionary the array."""
    kind = table_kind(table)
    if kind is None or kind is TableKind.PLAIN:
        return values
    module: Any = sys.modules[kind.value]
    columns = dict(zip(names, values.T, strict=True))
    if kind is TableKind.PANDAS:
        return module.DataFrame(columns, index=table.index)
    if kind is TableKind.POLARS:
        return module.DataFrame(columns)
    return module.table({name: module.array(list(column)) for name, column in columns.items()})


def make_column_like(table: Any, name: str, values: Any) -> Any:
    """One column of the same kind; for an array or a dictionary the array."""
    kind = table_kind(table)
    if kind is None or kind is TableKind.PLAIN:
        return values
    module: Any = sys.modules[kind.value]
    if kind is TableKind.PANDAS:
        return module.Series(values, index=table.index, name=name)
    if kind is TableKind.POLARS:
        return module.Series(name, list(values))
    return module.array(list(values))


def _series_row(series: Any) -> Any:
    """A pandas Series as a table of one row: its index has the names of the columns."""
    module: Any = sys.modules["pandas"]
    return module.DataFrame([series.tolist()], columns=series.index, index=[series.name])


def _mapping_table(mapping: Mapping[Any, Any], name: str) -> PlainTable:
    """A dictionary as a table: of single values one row, of lists a column each."""
    is_column = {key: _is_column(value) for key, value in mapping.items()}
    if not any(is_column.values()):
        return PlainTable({str(key): [value] for key, value in mapping.items()}, 1)
    single = next((key for key, column in is_column.items() if not column), None)
    if single is not None:
        raise DataReadError(
            f"{single!r} is a single value beside columns", "expected one kind of both", name
        )
    values = {str(key): list(column) for key, column in mapping.items()}
    lengths = {key: len(column) for key, column in values.items()}
    if len(set(lengths.values())) > 1:
        shown = ", ".join(f"{key} {length}" for key, length in list(lengths.items())[:5])
        raise DataReadError(f"columns of different lengths: {shown}", "expected one", name)
    return PlainTable(values, next(iter(lengths.values())))


def _is_column(value: Any) -> bool:
    """Whether a value of a dictionary is a column: a list, an array, a Series; text is none."""
    is_sequence = isinstance(value, (list, tuple)) or hasattr(value, "__array__")
    return is_sequence and getattr(value, "ndim", 1) == 1


def _record_table(records: Iterable[Any], name: str) -> PlainTable:
    """Dictionaries as the rows of a table; a name that one of them lacks would be a guess."""
    rows = list(records)
    names = list(dict.fromkeys(key for row in rows if isinstance(row, Mapping) for key in row))
    for number, row in enumerate(rows, 1):
        if not isinstance(row, Mapping):
            raise DataReadError(
                f"row {number} is a {type(row).__name__}", "expected a dictionary a row", name
            )
        absent = next((key for key in names if key not in row), None)
        if absent is not None:
            raise DataReadError(
                f"row {number} has no {absent!r}, which other rows have",
                "expected None for a missing value",
                name,
            )
    return PlainTable({str(key): [row[key] for row in rows] for key in names}, len(rows))


def _arrow_table(value: Any, name: str) -> Any:
    """What offers Arrow's stream interface, as a table of pyarrow."""
    try:
        import pyarrow
    except ImportError as error:
        raise DataReadError(
            f"a {type(value).__name__} is a table of Arrow",
            "expected pyarrow to read it: pip install 'j48geo[tables]'",
            name,
        ) from error
    return pyarrow.table(value)
