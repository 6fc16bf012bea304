"""The rows of a data set as people hand them to scikit-learn: without the class."""

from __future__ import annotations

from typing import Any

import numpy as np

from j48geo import Dataset

KINDS = ("places", "objects", "pandas", "nullable", "polars", "pyarrow")


def rows_as(kind: str, data: Dataset) -> Any:
    """An array of numbers or of objects, or a table whose columns are in another order."""
    header = data.header
    columns = [k for k in range(len(header)) if k != header.class_index]
    if kind == "places":
        return data.X[:, columns]
    cells = {
        header.names[k]: [data.cell(row, k) for row in range(len(data))] for k in reversed(columns)
    }
    if kind == "objects":
        found = np.empty((len(data), len(columns)), dtype=object)
        for place, k in enumerate(columns):
            found[:, place] = cells[header.names[k]]
        return found
    if kind == "polars":
        import polars

        return polars.DataFrame(cells, strict=False)
    if kind == "pyarrow":
        import pyarrow

        return pyarrow.table(cells)
    import pandas

    table = pandas.DataFrame(cells)
    return table.convert_dtypes() if kind == "nullable" else table
