"""From what scikit-learn hands over, X and y, to rows and labels."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import assert_all_finite, check_array, column_or_1d
from sklearn.utils.multiclass import check_classification_targets

from j48geo.arrays import Floats
from j48geo.core.dataset import Attribute, Header
from j48geo.data.frame import cell_value, is_table
from j48geo.errors import MismatchError

Labels = NDArray[Any]


class RowsError(MismatchError, ValueError):
    """X or y does not fit; a ValueError too, as scikit-learn expects of its estimators."""


def has_names(X: Any) -> bool:
    """Whether X is a table whose columns are found by name; numbers are no names."""
    if not is_table(X):
        return False
    names = X.column_names if hasattr(X, "column_names") else X.columns
    return all(isinstance(name, str) for name in names)


def check_matrix(X: Any, dtype: Any = None) -> NDArray[Any]:
    """X as an array of two dimensions with at least one row; values may be missing."""
    return np.asarray(check_array(X, dtype=dtype, ensure_all_finite=False))


def fill_columns(X: Any, header: Header, who: str) -> Floats:
    """Rows in all columns of the header, from an array without the class.

    Parameters
    ----------
    X
        Numbers, of a nominal attribute the place of its value; or objects: numbers and labels.
    who
        Name of the estimator.
    """
    array = check_matrix(X)
    columns = [k for k in range(len(header)) if k != header.class_index]
    if array.shape[1] != len(columns):
        names = ", ".join(header.names[k] for k in columns[:20])
        raise RowsError(
            f"X has {array.shape[1]} features, but {who} is expecting {len(columns)} features as "
            f"input: {names}{', ...' if len(columns) > 20 else ''}"
        )
    whole = np.full((len(array), len(header)), np.nan)
    if array.dtype.kind in "biuf":
        whole[:, columns] = array
    else:
        for place, k in enumerate(columns):
            whole[:, k] = _parse_cells(array[:, place], header.attributes[k])
    return whole


def _parse_cells(cells: NDArray[Any], attribute: Attribute) -> list[float]:
    values = []
    for row, cell in enumerate(cells.tolist()):
        value = cell_value(cell, attribute)
        if isinstance(value, str):
            raise RowsError(
                f"X: row {row + 1}, column {attribute.name!r}: {str(cell)[:60]!r}; {value}"
            )
        values.append(value)
    return values


def check_labels(y: Any, who: str) -> Labels:
    """The labels as an array of one dimension."""
    if y is None:
        raise RowsError(f"{who} requires y to be passed, but the target y is None")
    labels = column_or_1d(y if hasattr(y, "shape") else np.asarray(y), warn=True)
    assert_all_finite(labels, input_name="y")
    check_classification_targets(labels)
    return np.asarray(labels)


def match_labels(y: Labels, target: Attribute) -> Labels:
    """The classes of the model in its own order, as `y` writes them: 0 and 1 for "0" and "1".

    Raises
    ------
    RowsError
        If `y` holds a label that is no class of the model.
    """
    for label in np.unique(y).tolist():
        place = cell_value(label, target)
        if isinstance(place, str):
            raise RowsError(f"y holds the class {label!r}; {place}")
    truth = {"true": True, "false": False}
    as_in_y: Any = {"i": int, "u": int, "f": float, "b": truth.__getitem__}
    write = as_in_y.get(y.dtype.kind, str)
    try:
        labels = np.array([write(value) for value in target.values])
    except (KeyError, ValueError):
        return np.array(target.values)
    return labels if len(np.unique(labels)) == len(labels) else np.array(target.values)
