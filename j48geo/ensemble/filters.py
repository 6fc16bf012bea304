"""Weka's filters, applied to rows as their ``convertInstance`` does."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from j48geo.arrays import Floats
from j48geo.core.dataset import Dataset, Header
from j48geo.core.wrappers import (
    Discretize,
    FittedFilter,
    NamedFilter,
    NominalToBinary,
    Normalize,
    Remove,
    ReplaceMissingValues,
    Standardize,
)
from j48geo.errors import FilterError

__all__ = ["Filtering", "filtered"]


@dataclass(frozen=True, eq=False)
class Filtering:
    """What happens to rows before a tree sees them.

    Parameters
    ----------
    header
        Attributes of the rows before the first filter.
    steps
        The filters in order, each with the attributes of the rows before it.
    after
        Attributes of the rows that the tree sees.
    """

    header: Header
    steps: tuple[tuple[Header, FittedFilter | NamedFilter], ...]
    after: Header

    def dataset(self, data: Dataset) -> Dataset:
        """The rows as the tree sees them; they must be in the columns of `header`."""
        X = data.X
        for header, how in self.steps:
            X = filtered(how, header, X)
        return Dataset(self.after, X, data.weights)


def filtered(how: FittedFilter | NamedFilter, header: Header, X: Floats) -> Floats:
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
    if isinstance(how, Normalize):
        return _normalized(how, header, X)
    if isinstance(how, NominalToBinary):
        return _binary(how, X)
    if isinstance(how, NamedFilter):
        raise FilterError(f"the filter {how.name} was not learnt; expected the training data")
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


def _normalized(how: Normalize, header: Header, X: Floats) -> Floats:
    found = X.copy()
    for column, attribute in enumerate(header.attributes):
        if column == header.class_index or not attribute.is_numeric:
            continue
        low, high = how.smallest[column], how.largest[column]
        known = ~np.isnan(X[:, column])
        if np.isnan(low) or low == high:
            found[known, column] = 0.0
        else:
            found[:, column] = (X[:, column] - low) / (high - low) * how.scale + how.translation
    return found


def _binary(how: NominalToBinary, X: Floats) -> Floats:
    columns = []
    for column, values in how.columns:
        x = X[:, column]
        if values is not None:
            x = np.where(np.isnan(x), np.nan, np.isin(x, sorted(values)))
        columns.append(x)
    return np.column_stack(columns) if columns else X[:, :0]


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
