"""Weka's filters applied to rows, as ``convertInstance`` does, and what leaves them checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from j48geo.arrays import Floats
from j48geo.core.columns import check_labels
from j48geo.core.dataset import Dataset, Header
from j48geo.core.wrappers import (
    Center,
    Discretize,
    FittedFilter,
    MultiFilter,
    NamedFilter,
    NominalToBinary,
    Normalize,
    NumericToNominal,
    Remove,
    ReplaceMissingValues,
    ReplaceMissingWithUserConstant,
    Standardize,
    StringToNominal,
    filter_name,
)
from j48geo.errors import FilterError, MismatchError
from j48geo.java.numbers import decimal_to_string

Texts = Mapping[str, Sequence[Any]]
"""What the cells of string attributes point to, by the name of the attribute."""

NOMINAL_DECIMALS = 6
"""Decimals of the labels that NumericToNominal makes."""


@dataclass(frozen=True, eq=False)
class FilterChain:
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
        attributes = data.header.attributes
        texts = {attributes[column].name: pool for column, pool in data.pools.items()}
        X = data.X
        for (header, how), after in zip(self.steps, self._headers_after, strict=True):
            X = apply_filter(how, header, X, after, texts)
        return Dataset(self.after, X, data.weights)

    @property
    def _headers_after(self) -> list[Header]:
        """Attributes of the rows behind each step."""
        return [*(header for header, _ in self.steps[1:]), self.after]


def apply_filter(
    how: FittedFilter | NamedFilter,
    header: Header,
    X: Floats,
    after: Header | None = None,
    texts: Texts | None = None,
) -> Floats:
    """The rows after the filter, one column for each attribute it gives.

    The class column is passed on: no tree looks at it.

    Parameters
    ----------
    header
        Attributes of the rows before the filter.
    X : array of float64, shape (n_cases, n_attributes)
    after
        Attributes behind the filter, which its rows are then checked against.
    texts
        Of the string attributes.

    Raises
    ------
    FilterError
        If the rows behind the filter are none of `after`, or a number became none.
    """
    if isinstance(how, NamedFilter):
        raise FilterError(f"the filter {how.name} was not learnt; expected the training data")
    if X.shape[1] != len(header):
        raise FilterError(
            f"the filter {filter_name(how)} got {X.shape[1]} columns; expected {len(header)}"
        )
    X_after = _apply(how, header, X, texts or {})
    if after is not None:
        check_rows(X_after, after, f"the filter {filter_name(how)}")
    return X_after


def _apply(how: FittedFilter, header: Header, X: Floats, texts: Texts) -> Floats:
    if isinstance(how, Remove):
        return X[:, list(how.kept)]
    if isinstance(how, MultiFilter):
        afters = [*(before for before, _ in how.steps[1:]), None]
        for (before, step), after in zip(how.steps, afters, strict=True):
            X = apply_filter(step, before, X, after, texts)
        return X
    if isinstance(how, (Standardize, Center, Normalize)):
        return _scale_columns(how, header, X)
    if isinstance(how, ReplaceMissingValues):
        return _replace_missing(how, header, X)
    if isinstance(how, ReplaceMissingWithUserConstant):
        return _replaced_by_constant(how, header, X)
    if isinstance(how, NominalToBinary):
        return _binary(how, X)
    if isinstance(how, NumericToNominal):
        return _numbers_as_labels(how, X)
    if isinstance(how, StringToNominal):
        return _texts_as_labels(how, header, X, texts)
    return _discretized(how, X)


def check_rows(X: Floats, header: Header, source: str) -> None:
    """Refuse rows that are none of a header: of another width, or with labels that it lacks.

    Parameters
    ----------
    source
        Where the rows come from, for the message.
    """
    try:
        check_labels(header, X)
    except MismatchError as error:
        raise FilterError(f"behind {source}: {error}") from error


def _scale_columns(how: Standardize | Center | Normalize, header: Header, X: Floats) -> Floats:
    """Numbers moved and scaled; a number that becomes none is refused, as Weka does."""
    X_after = X.copy()
    with np.errstate(all="ignore"):
        for column, attribute in enumerate(header.attributes):
            if column == header.class_index or not attribute.is_numeric:
                continue
            x = X[:, column]
            if isinstance(how, Normalize):
                x_after = _normalize_column(how, column, x)
            else:
                x_after = x - how.means[column]
                if isinstance(how, Standardize) and how.deviations[column] > 0:
                    x_after /= how.deviations[column]
            if (np.isnan(x_after) & ~np.isnan(x)).any():
                raise FilterError(
                    f"the filter {filter_name(how)} gives no number for a value of "
                    f"{attribute.name!r}, and Weka stops there; expected values of its scale"
                )
            X_after[:, column] = x_after
    return X_after


def _normalize_column(how: Normalize, column: int, x: Floats) -> Floats:
    low, high = how.smallest[column], how.largest[column]
    if np.isnan(low) or low == high:
        return np.where(np.isnan(x), np.nan, 0.0)
    scaled: Floats = (x - low) / (high - low) * how.scale + how.translation
    return scaled


def _replace_missing(how: ReplaceMissingValues, header: Header, X: Floats) -> Floats:
    X_after = X.copy()
    for column, attribute in enumerate(header.attributes):
        if column != header.class_index and (attribute.is_nominal or attribute.is_numeric):
            X_after[np.isnan(X[:, column]), column] = how.values[column]
    return X_after


def _replaced_by_constant(how: ReplaceMissingWithUserConstant, header: Header, X: Floats) -> Floats:
    X_after = X.copy()
    for column in range(len(header)):
        if column in how.added:
            X_after[:, column] += 1.0
        if column != header.class_index and not np.isnan(how.values[column]):
            X_after[np.isnan(X[:, column]), column] = how.values[column]
    return X_after


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


def _numbers_as_labels(how: NumericToNominal, X: Floats) -> Floats:
    X_after = X.copy()
    for column, labels in enumerate(how.labels):
        if labels is not None:
            codes = {label: float(code) for code, label in enumerate(labels)}
            known = ~np.isnan(X[:, column])
            bits = X[known, column].view(np.int64)  # -0 is another label than 0
            numbers, place = np.unique(bits, return_inverse=True)
            found = [
                codes.get(decimal_to_string(number, NOMINAL_DECIMALS), np.nan)
                for number in numbers.view(np.float64).tolist()
            ]
            X_after[known, column] = np.array(found, dtype=np.float64)[place.reshape(-1)]
    return X_after


def _texts_as_labels(how: StringToNominal, header: Header, X: Floats, texts: Texts) -> Floats:
    X_after = X.copy()
    for column, labels in enumerate(how.labels):
        if labels is None:
            continue
        name = header.attributes[column].name
        known = ~np.isnan(X[:, column])
        if name not in texts and known.any():
            raise FilterError(
                f"the filter StringToNominal needs the texts of {name!r}; expected rows of a file"
            )
        codes = {label: float(code) for code, label in enumerate(labels)}
        of_text = np.array([codes.get(text, np.nan) for text in texts.get(name, ())])
        X_after[known, column] = of_text[X[known, column].astype(np.intp)]
    return X_after
