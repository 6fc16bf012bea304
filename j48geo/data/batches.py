"""Batches of columns that pyarrow made: whether their types fit attributes, and their rows."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from j48geo.core.dataset import Attribute, Dataset, Header
from j48geo.data.frame import table_dataset
from j48geo.errors import DataReadError, MismatchError

__all__ = ["batch_dataset", "check_columns"]

_NUMBERS = ("int", "uint", "halffloat", "float", "double", "decimal", "null")
_LABELS = ("string", "large_string", "string_view", "dictionary<values=", "bool", *_NUMBERS)
_TAKEN = {
    "numeric": (_NUMBERS, "numbers"),
    "date": (("timestamp", *_NUMBERS), "time stamps, or milliseconds since 1970"),
    "nominal": (_LABELS, "text, dictionaries of text, whole numbers, or true and false"),
}


def check_columns(schema: Any, attributes: Sequence[Attribute]) -> None:
    """Refuse a pyarrow schema in which an attribute has no column, two, or one of another kind.

    Raises
    ------
    MismatchError
        Before any row is read.
    """
    names = list(schema.names)
    for attribute in attributes:
        times = names.count(attribute.name)
        if times != 1:
            shown = ", ".join(names[:20]) + (", ..." if len(names) > 20 else "")
            has = "two columns are" if times else "no column is"
            raise MismatchError(
                f"{has} called {attribute.name!r}, which the tree asks for; expected one among "
                f"{shown}"
            )
        kind = str(schema.field(attribute.name).type)
        taken, words = _TAKEN[attribute.type]
        if not kind.startswith(taken):
            raise MismatchError(
                f"column {attribute.name!r} has type {kind}; expected {words}, since the attribute "
                f"is {attribute.type}"
            )


def batch_dataset(batch: Any, attributes: Sequence[Attribute], header: Header) -> Dataset:
    """The rows of a pyarrow batch or table in the columns of a header, as far as they are used.

    Raises
    ------
    MismatchError
        If a column does not fit its attribute, or a cell is no label of it.
    """
    check_columns(batch.schema, attributes)
    some = batch.select([attribute.name for attribute in attributes])
    if not hasattr(some, "to_batches"):
        pyarrow: Any = sys.modules["pyarrow"]
        some = pyarrow.Table.from_batches([some])
    try:
        return table_dataset(some, header, name="the batch")
    except DataReadError as error:
        raise MismatchError(str(error)) from error
