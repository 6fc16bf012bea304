"""Weka's filters, applied to rows as their ``convertInstance`` does."""

from __future__ import annotations

import numpy as np

from j48geo.arrays import Floats
from j48geo.core.dataset import Header
from j48geo.core.ensemble import (
    Discretize,
    Filter,
    Remove,
    ReplaceMissingValues,
    Standardize,
)

__all__ = ["filtered"]


def filtered(how: Filter, header: Header, X: Floats) -> Floats:
    """The rows after the filter, one column for each attribute it gives.

    The class column is passed on: no tree looks at it.

    Parameters
    ----------
    header
        Attributes of the rows before the filter.
    X : array of float64, shape (n_cases, n_attributes)
    """
    if isinstance(how, Remove):
        return X[:, list(how.kept)]
    if isinstance(how, ReplaceMissingValues):
        return _replaced(how, header, X)
    if isinstance(how, Standardize):
        return _standardized(how, header, X)
    return _discretized(how, X)


def _replaced(how: ReplaceMissingValues, header: Header, X: Floats) -> Floats:
    found = X.copy()
    for column, attribute in enumerate(header.attributes):
        if column != header.class_index and (attribute.is_nominal or attribute.is_numeric):
            found[np.isnan(X[:, column]), column] = how.values[column]
    return found


def _standardized(how: Standardize, header: Header, X: Floats) -> Floats:
    found = X.copy()
    for column, attribute in enumerate(header.attributes):
        if column != header.class_index and attribute.is_numeric:
            found[:, column] -= how.means[column]
            if how.deviations[column] > 0:
                found[:, column] /= how.deviations[column]
    return found


def _discretized(how: Discretize, X: Floats) -> Floats:
    columns = []
    for column, cuts in enumerate(how.cuts):
        x = X[:, column]
        missing = np.isnan(x)
        if cuts is None:
            columns.append(x)
        elif how.binary and len(cuts):
            columns.extend(np.where(missing, np.nan, x > cut) for cut in cuts)
        else:
            # The first cut that is not below x, as x <= cut counts as below it.
            columns.append(np.where(missing, np.nan, np.searchsorted(cuts, x, side="left")))
    return np.column_stack(columns) if columns else X[:, :0]
