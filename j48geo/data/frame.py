"""Read the cells of tables in memory: pandas, polars, pyarrow, dictionaries.

`read_table` gives the rows of a table in the columns of a header, `table_attributes` a header for
a table. Columns are matched by name, labels by label, never by code.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.core.columns import find_columns, refuse_doubled
from j48geo.core.dataset import ANY_OTHER, Attribute, Dataset, Header
from j48geo.data.table_kinds import TableKind, table_column, table_kind, table_names
from j48geo.errors import DataReadError
from j48geo.java.numbers import parse_double

if TYPE_CHECKING:
    from j48geo.data.columns import UnknownLabels

LARGEST_WHOLE = 2**53
"""Whole numbers beyond this have no double of their own."""

_ARROW_NUMBERS = frozenset(
    {"halffloat", "float", "double"}
    | {f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)}
)


def read_table(
    table: Any,
    header: Header,
    used: Sequence[int] | None = None,
    *,
    name: str = "the table",
    first_row: int = 1,
    unnamed: UnknownLabels | None = None,
) -> Dataset:
    """The rows of a table in the columns of a header.

    Columns that the header does not name are ignored; those the table lacks are missing,
    which is an error for the attributes in `used`.

    Parameters
    ----------
    used
        Positions of the attributes that must be there; None for none.
    name
        What the table is called in messages.
    first_row
        Number of the first row, for messages.
    unnamed
        What becomes of labels that the header does not name; by default they are refused.
    """
    if unnamed is None:
        from j48geo.data.columns import UnknownLabels

        unnamed = UnknownLabels()
    names = table_names(table)
    refuse_doubled(names, header.names, name)
    find_columns(names, [header.attributes[column].name for column in used or ()], name)
    there = set(names)
    X = np.full((len(table), len(header)), np.nan)
    for column, attribute in enumerate(header.attributes):
        if attribute.name in there:
            X[:, column] = _column(table, attribute, name, first_row, unnamed)
    return Dataset(header, X, np.ones(len(table)), notes=unnamed.notes)


def table_attributes(table: Any, *, name: str = "the table") -> tuple[Attribute, ...]:
    """An attribute for every column, since a table declares none: numeric or nominal.

    Numbers are numeric; categories, text, true and false are nominal. The values of pandas'
    categories and of a polars Enum keep their order; others are sorted.
    """
    names = table_names(table)
    refuse_doubled(names, names, name)
    return tuple(_attribute(n, table_column(table, n), name) for n in names)


def _attribute(name: str, values: Any, table: str) -> Attribute:
    kind = getattr(values, "dtype", None)
    declared = getattr(kind, "categories", None)
    # The categories of a polars Categorical are those of all columns there are, not of this one.
    if declared is not None and type(kind).__name__ != "Categorical":
        return Attribute(name, "nominal", tuple(_text(value) for value in declared))
    if _numbers(values) is not None:
        return Attribute(name)
    known = [cell for cell in _cells(values) if not _is_missing(cell)]
    labels = (str, bool, np.bool_)
    for cell in known:
        if not isinstance(cell, (*labels, int, np.integer)) and isinstance(_number(cell), str):
            raise DataReadError(
                f"column {name!r} holds a {type(cell).__name__}",
                "expected numbers, text, categories, true and false",
                table,
            )
    if not any(isinstance(cell, labels) for cell in known):
        return Attribute(name)
    return Attribute(name, "nominal", tuple(sorted({_text(cell) for cell in known})))


def _text(cell: Any) -> str:
    """The label that stands for a cell, see `_label`."""
    if isinstance(cell, (bool, np.bool_)):
        return "true" if cell else "false"
    return str(cell)


def _column(
    table: Any, attribute: Attribute, name: str, first_row: int, unnamed: UnknownLabels
) -> Floats:
    values = table_column(table, attribute.name)
    is_arrow = table_kind(table) is TableKind.PYARROW
    if attribute.type == "numeric":
        fast = _arrow_numbers(values) if is_arrow else _numbers(values)
        if fast is not None:
            return fast
    if attribute.is_nominal and is_arrow:
        fast = _arrow_labels(values, attribute)
        if fast is not None:
            return fast
    cells = _cells(values)
    if attribute.is_nominal or attribute.is_numeric:
        return _read_cells(cells, attribute, name, first_row, unnamed)
    return np.full(len(cells), np.nan)  # strings and relations: no tree asks for them


def cell_value(cell: Any, attribute: Attribute) -> float | str:
    """What stands for a cell in an array; a text says what was expected instead."""
    if _is_missing(cell):
        return float("nan")
    if attribute.is_nominal:
        return _label(cell, attribute)
    return _milliseconds(cell) if attribute.type == "date" else _number(cell)


def _numbers(values: Any) -> Floats | None:
    """A column of plain floats, or of whole numbers that all have doubles; else None."""
    if isinstance(values, list):
        return None
    try:
        array = values.to_numpy()
    except (TypeError, ValueError):
        return None
    if array.dtype.kind == "f":
        return np.asarray(array, dtype=np.float64)
    # Compared as whole numbers: 2^53 + 1 is 2^53 as a double.
    whole = array.dtype.kind in "iu"
    if whole and not ((array > LARGEST_WHOLE) | (array < -LARGEST_WHOLE)).any():
        return np.asarray(array, dtype=np.float64)
    return None


def _arrow_numbers(values: Any) -> Floats | None:
    """The same of a column of pyarrow, whose nulls are missing."""
    if str(values.type) not in _ARROW_NUMBERS:
        return None
    numbers = _numbers(values.fill_null(0))
    if numbers is not None and values.null_count:
        numbers = np.where(values.is_null().to_numpy(zero_copy_only=False), np.nan, numbers)
    return numbers


def _arrow_labels(values: Any, attribute: Attribute) -> Floats | None:
    """Places of the labels of a pyarrow column of text; None if one is not listed."""
    if str(values.type) not in ("string", "large_string"):
        return None
    encoded = values.dictionary_encode()
    if hasattr(encoded, "combine_chunks"):
        encoded = encoded.combine_chunks()
    indices = [attribute.index_of.get(label) for label in encoded.dictionary.to_pylist()]
    if None in indices:
        return None
    places = np.array([*indices, np.nan], dtype=np.float64)
    codes: Ints = encoded.indices.fill_null(len(indices)).to_numpy(zero_copy_only=False)
    return places[codes]


def _cells(values: Any) -> list[Any]:
    for way in ("to_pylist", "to_list", "tolist"):
        if hasattr(values, way):
            return list(getattr(values, way)())
    return list(values)


def _is_missing(cell: Any) -> bool:
    if cell is None or type(cell).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(cell, (float, np.floating)) and bool(cell != cell)


def _read_cells(
    cells: list[Any], attribute: Attribute, name: str, first_row: int, unnamed: UnknownLabels
) -> Floats:
    """Every cell as a number; a message names the row."""
    known: dict[Any, float] = {}
    column = np.empty(len(cells))
    for row, cell in enumerate(cells):
        if _is_missing(cell):
            column[row] = np.nan
            continue
        key = (type(cell), cell)
        if key not in known:
            value = cell_value(cell, attribute)
            if attribute.is_nominal and str(cell) not in attribute.index_of:
                value = _place_unlisted(cell, value, attribute, unnamed)
            if value != value:  # counted cell by cell
                column[row] = value
                continue
            if isinstance(value, str):
                shown = repr(cell) if len(repr(cell)) <= 60 else f"{repr(cell)[:60]}..."
                raise DataReadError(
                    f"row {first_row + row}, column {attribute.name!r}: {shown}", value, name
                )
            known[key] = value
        column[row] = known[key]
    return column


def _place_unlisted(
    cell: Any, value: float | str, attribute: Attribute, unnamed: UnknownLabels
) -> float | str:
    """What stands for a label that is not spelt like any: another spelling, or an unknown one."""
    if not isinstance(value, str) and attribute.values[int(value)] != ANY_OTHER:
        return value
    named = unnamed.value(str(cell), attribute)
    return value if named is None else named


def _number(cell: Any) -> float | str:
    """A number, or what was expected."""
    if isinstance(cell, (bool, np.bool_)):
        return "expected a number, not true or false"
    if isinstance(cell, (int, np.integer)):
        if abs(int(cell)) > LARGEST_WHOLE:
            return "expected a whole number of at most 2^53, which has a double of its own"
        return float(cell)
    if isinstance(cell, (float, np.floating)):
        return float(cell)
    if isinstance(cell, str):
        number = parse_double(cell.strip())
        return "expected a number" if number is None else number
    if type(cell).__name__ == "Decimal":
        return float(cell)
    return f"expected a number, not a {type(cell).__name__}"


def _milliseconds(cell: Any) -> float | str:
    """Milliseconds since 1970, of a time stamp or already a number."""
    if hasattr(cell, "timestamp") and hasattr(cell, "tzinfo"):
        from datetime import UTC

        aware = cell if cell.tzinfo is not None else cell.replace(tzinfo=UTC)
        return float(round(aware.timestamp() * 1000))
    return _number(cell)


def _label(cell: Any, attribute: Attribute) -> float | str:
    """The index of a label: exact text, a whole number as its digits, true and false."""
    text = cell if isinstance(cell, str) else str(cell)
    if isinstance(cell, (bool, np.bool_)):
        text = "true" if cell else "false"
    elif isinstance(cell, (float, np.floating)) and float(cell).is_integer():
        text = str(int(cell)) if str(cell) not in attribute.index_of else str(cell)
    if text in attribute.index_of:
        return float(attribute.index_of[text])
    if attribute.values[-1:] == (ANY_OTHER,):
        return float(len(attribute.values) - 1)
    more = ", ..." if len(attribute.values) > 20 else ""
    return f"expected one of {', '.join(attribute.values[:20])}{more}"
