"""Weka's filters: applied to rows as ``convertInstance`` does, fitted to training rows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from j48geo.arrays import Floats
from j48geo.core.dataset import Attribute, Dataset, Header
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
        X = data.X
        for header, how in self.steps:
            X = apply_filter(how, header, X)
        return Dataset(self.after, X, data.weights)


def apply_filter(how: FittedFilter | NamedFilter, header: Header, X: Floats) -> Floats:
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
    X_after = X.copy()
    for column, attribute in enumerate(header.attributes):
        if column != header.class_index and (attribute.is_nominal or attribute.is_numeric):
            X_after[np.isnan(X[:, column]), column] = how.values[column]
    return X_after


def _standardized(how: Standardize, header: Header, X: Floats) -> Floats:
    X_after = X.copy()
    for column, attribute in enumerate(header.attributes):
        if column != header.class_index and attribute.is_numeric:
            X_after[:, column] -= how.means[column]
            if how.deviations[column] > 0:
                X_after[:, column] /= how.deviations[column]
    return X_after


def _normalized(how: Normalize, header: Header, X: Floats) -> Floats:
    X_after = X.copy()
    for column, attribute in enumerate(header.attributes):
        if column == header.class_index or not attribute.is_numeric:
            continue
        low, high = how.smallest[column], how.largest[column]
        known = ~np.isnan(X[:, column])
        if np.isnan(low) or low == high:
            X_after[known, column] = 0.0
        else:
            X_after[:, column] = (X[:, column] - low) / (high - low) * how.scale + how.translation
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


_INTERVAL = re.compile(r"'?\((-inf|-?[\d.]+(?:E-?\d+)?)-(-?[\d.]+(?:E-?\d+)?\]|inf\))'?")
_ALL = ("'All'", "All")
_CHANGES_VALUES = frozenset({"Standardize", "Normalize", "ReplaceMissingValues"})


def only_selects_columns(how: NamedFilter) -> bool:
    """Whether it leaves columns out and changes nothing else: names tell which."""
    return how.name == "Remove"


def fit_filters(how: NamedFilter, after: Header, data: Dataset) -> Iterator[FittedFilter]:
    """The filters that these rows may have taught; none if it is not a known one.

    Several where versions of Weka differ in the last bits. Which of them is right, if any,
    is for the counts of the tree to say.

    Parameters
    ----------
    after
        The header that the text prints: what the filter made.
    data
        Rows from before the filter.
    """
    if how.name in _CHANGES_VALUES:
        if data.header.names == after.names:
            yield from _fit_values(how, data)
    elif how.name == "Discretize":
        cuts = _cuts(after, data)
        if cuts is not None:
            yield Discretize(cuts, binary=False)
    else:
        yield from _fit_columns(how, after, data.header)


def _fit_values(how: NamedFilter, data: Dataset) -> Iterator[FittedFilter]:
    """Filters that change values and keep the columns."""
    if how.name == "Standardize":
        means = _each(data, _mean)
        yield Standardize(means, np.sqrt(_each(data, _variance)))
        yield Standardize(means, np.sqrt(_each(data, _variance_36)))
    elif how.name == "Normalize":
        scale, translation = _option(how, "-S", 1.0), _option(how, "-T", 0.0)
        yield Normalize(_each(data, _least), _each(data, _most), scale, translation)
    else:
        yield ReplaceMissingValues(_each(data, _mean, _mode))


def _fit_columns(how: NamedFilter, after: Header, header: Header) -> Iterator[FittedFilter]:
    """Filters that make other columns, whose names tell how."""
    place = {name: column for column, name in enumerate(header.names)}
    if how.name == "Remove":
        if all(name in place for name in after.names):
            yield Remove(tuple(place[name] for name in after.names))
    elif how.name == "NominalToBinary":
        columns = [_made_of(attribute, header, place) for attribute in after.attributes]
        if None not in columns:
            yield NominalToBinary(tuple(c for c in columns if c is not None))


def _option(how: NamedFilter, name: str, default: float) -> float:
    words = how.options
    return float(words[words.index(name) + 1]) if name in words[:-1] else default


def _each(data: Dataset, numeric, nominal=None) -> Floats:  # type: ignore[no-untyped-def]
    """A number of each column from its known values and their weights; NaN of the others."""
    numbers = np.full(len(data.header), np.nan)
    for column, attribute in enumerate(data.header.attributes):
        how = numeric if attribute.is_numeric else nominal if attribute.is_nominal else None
        known = ~np.isnan(data.X[:, column])
        if how is not None:
            numbers[column] = how(data.X[known, column], data.weights[known])
    return numbers


def _mean(x: Floats, weights: Floats) -> float:
    weight_sum = total = 0.0
    for value, weight in zip(x.tolist(), weights.tolist(), strict=True):
        weight_sum += weight
        total += weight * value
    return total / weight_sum if weight_sum > 0 else 0.0


def _mode(x: Floats, weights: Floats) -> float:
    return float(np.bincount(x.astype(np.intp), weights).argmax()) if len(x) else 0.0


def _least(x: Floats, _: Floats) -> float:
    return float(x.min()) if len(x) else np.nan


def _most(x: Floats, _: Floats) -> float:
    return float(x.max()) if len(x) else np.nan


def _variance(x: Floats, weights: Floats) -> float:
    """Weka 3.8 and 3.9: Welford's running sums."""
    mean = squares = weight_sum = 0.0
    for i, (value, weight) in enumerate(zip(x.tolist(), weights.tolist(), strict=True)):
        if i == 0:
            mean, weight_sum = value, weight
            continue
        delta = weight * (value - mean)
        weight_sum += weight
        mean += delta / weight_sum
        squares += delta * (value - mean)
    return max(0.0, squares / (weight_sum - 1)) if weight_sum > 1 else 0.0


def _variance_36(x: Floats, weights: Floats) -> float:
    """Weka 3.6: the sum of the squares less the square of the sum."""
    total = squares = weight_sum = 0.0
    for value, weight in zip(x.tolist(), weights.tolist(), strict=True):
        total += weight * value
        squares += weight * value * value
        weight_sum += weight
    return (
        max(0.0, (squares - total * total / weight_sum) / (weight_sum - 1))
        if weight_sum > 1
        else 0.0
    )


# ------------------------------------------------------------------ what the header tells


def _cuts(after: Header, data: Dataset) -> tuple[Floats | None, ...] | None:
    """Cut points of every column, from the intervals that the printed header names.

    Weka cuts halfway between two values, or into equal parts, and prints it with six
    decimals: of the numbers that print so the one that the rows give is taken.
    """
    if after.names != data.header.names:
        return None
    all_cuts: list[Floats | None] = []
    for column, (old, new) in enumerate(zip(data.header.attributes, after.attributes, strict=True)):
        if old.is_nominal == new.is_nominal:
            all_cuts.append(None)
            continue
        printed = _printed_cuts(new.values)
        if printed is None or not old.is_numeric:
            return None
        x = data.X[:, column]
        all_cuts.append(_exact(printed, np.unique(x[~np.isnan(x)])))
    return tuple(all_cuts)


def _printed_cuts(values: tuple[str, ...]) -> list[float] | None:
    if len(values) == 1 and values[0] in _ALL:
        return []
    cuts: list[float] = []
    for value in values:
        interval = _INTERVAL.fullmatch(value)
        if interval is None:
            return None
        if interval[2] != "inf)":
            cuts.append(float(interval[2].rstrip("]")))
    return cuts if len(cuts) == len(values) - 1 and cuts == sorted(cuts) else None


def _exact(printed: list[float], values: Floats) -> Floats:
    candidates = [(values[1:] + values[:-1]) / 2]
    if len(values):
        width = (values[-1] - values[0]) / (len(printed) + 1)
        candidates.append(values[0] + width * np.arange(1, len(printed) + 1))
    among = np.concatenate(candidates)
    cuts = []
    for cut in printed:
        near = among[np.abs(among - cut) <= 5.1e-7]
        cuts.append(float(near[np.abs(near - cut).argmin()]) if len(near) else cut)
    return np.array(cuts)


def _made_of(
    attribute: Attribute, header: Header, place: dict[str, int]
) -> tuple[int, frozenset[int] | None] | None:
    """The column that one of NominalToBinary is made of, and which values make it 1."""
    if attribute.name in place:
        return place[attribute.name], None
    for column, old in enumerate(header.attributes):
        if old.is_nominal and attribute.name.startswith(f"{old.name}="):
            names = attribute.name[len(old.name) + 1 :]
            chosen = [names] if names in old.index_of else names.split(",")
            if all(value in old.index_of for value in chosen):
                return column, frozenset(old.index_of[value] for value in chosen)
    return None
