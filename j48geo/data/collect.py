"""Blocks of rows, put together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Protocol

import numpy as np

from j48geo.core.dataset import Dataset, Header
from j48geo.errors import DataReadError

__all__ = ["RowStream", "collect"]


class RowStream(Protocol):
    """An open file of rows, whatever its format."""

    header: Header
    name: str

    @property
    def notes(self) -> list[str]: ...

    def __iter__(self) -> Iterator[Dataset]: ...


def collect(stream: RowStream) -> Dataset:
    """All blocks of a stream as one data set."""
    width = len(stream.header)
    X = np.empty(0)
    weights = np.empty(0)
    rows = 0
    last = Dataset(stream.header, np.empty((0, width)), weights)
    for last in stream:
        needed = rows + len(last)
        if needed > len(weights):
            # In place, so that there are never two copies of a large file in memory.
            capacity = max(needed, len(weights) * 5 // 4)
            try:
                X.resize(capacity * width, refcheck=False)
                weights.resize(capacity, refcheck=False)
            except MemoryError as problem:
                raise DataReadError(
                    f"{needed:,} rows of {width:,} values do not fit into memory",
                    source=stream.name,
                ) from problem
        X[rows * width : needed * width] = last.X.reshape(-1)
        weights[rows:needed] = last.weights
        rows = needed
    X.resize(rows * width, refcheck=False)
    weights.resize(rows, refcheck=False)
    return replace(last, X=X.reshape(rows, width), weights=weights, notes=tuple(stream.notes))
