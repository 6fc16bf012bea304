"""What every open file of rows can do, whatever its format."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from typing import Literal, Self

import numpy as np

from j48geo.core.dataset import Dataset, Header
from j48geo.data.source import ByteSource
from j48geo.errors import DataReadError


class ArrowFormat(Enum):
    """Formats that pyarrow reads; the values are their names in messages."""

    PARQUET = "Parquet"
    FILE = "Arrow"
    STREAM = "an Arrow stream"


@dataclass(frozen=True)
class TableReading:
    """How a table is read, where its bytes do not tell it.

    Parameters
    ----------
    class_attribute
        Class column where the header only guesses its name: ``first``, ``last``, a number
        from 1, or a name.
    delimiter
        Between the fields of CSV; None to find it from the first line.
    decimal
        Decimal mark of CSV, a point or a comma; a comma needs ``;`` between fields.
    unknown
        What becomes of a label that the model does not know: ``refuse``, or ``missing``.
    keep
        Columns of CSV that the model does not know are kept as text: the one of this name,
        all (True), or none.
    """

    class_attribute: str | int = "last"
    delimiter: str | None = None
    decimal: Literal[".", ","] = "."
    unknown: Literal["refuse", "missing"] = "refuse"
    keep: str | bool = False


class RowStream:
    """An open file of rows; iterating gives a `Dataset` for each block, once.

    Attributes
    ----------
    header : Header
        Known as soon as the file is open.
    notes : list of str
        What the user should know, complete when the last block is read.
    name : str
        Name of the file for messages.
    """

    header: Header
    name: str
    opened: ByteSource | None = None

    @property
    def notes(self) -> list[str]:
        raise NotImplementedError

    def __iter__(self) -> Iterator[Dataset]:
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file, if it was opened here."""
        if self.opened is not None:
            self.opened.close()

    @property
    def arrives(self) -> bool:
        """Whether rows come when somebody sends them."""
        return self.opened is not None and self.opened.arrives

    def bytes_left(self) -> float:
        """How much is still to be read, as a multiple of what was; 0 if nobody knows."""
        return 0.0 if self.opened is None else self.opened.left

    def read(self) -> Dataset:
        """All blocks as one data set; the file is closed after it."""
        with self:
            return self._collected()

    def _collected(self) -> Dataset:
        width = len(self.header)
        X, weights = np.empty(0), np.empty(0)
        rows = 0
        last = Dataset(self.header, np.empty((0, width)), weights)
        for last in self:
            needed = rows + len(last)
            if needed > len(weights):
                # In place, so that there are never two copies of a large file in memory.
                capacity = max(needed, len(weights) * 5 // 4)
                try:
                    X.resize(capacity * width, refcheck=False)
                    weights.resize(capacity, refcheck=False)
                except MemoryError as problem:
                    much = f"{needed:,} rows of {width:,} values do not fit into memory"
                    raise DataReadError(much, source=self.name) from problem
            X[rows * width : needed * width] = last.X.reshape(-1)
            weights[rows:needed] = last.weights
            rows = needed
        X.resize(rows * width, refcheck=False)
        weights.resize(rows, refcheck=False)
        return replace(last, X=X.reshape(rows, width), weights=weights, notes=tuple(self.notes))
