"""The rows that a tree is grown from, by column, and what of them J48 cannot handle."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from math import copysign, log
from sys import float_info

import numpy as np
from numpy.typing import NDArray

from j48geo.arrays import Floats
from j48geo.core.dataset import Dataset, Header
from j48geo.errors import DataReadError
from j48geo.growing.loops.distributions import CLASS_COLUMN, NUMERIC_COLUMN, TrainingColumns

_TABLE = 1 << 20
"""Whole numbers whose x ln x is looked up, at most."""


@dataclass(frozen=True, eq=False)
class TrainingTable:
    """The rows with a known class, by column, and all rows for the choice of thresholds.

    Parameters
    ----------
    columns
        What the loops need.
    data
        All rows of the file.
    n_bags
        Bags that the search needs room for.
    whole
        Whether weights are whole and nothing is missing: then no order of rows matters.
    """

    columns: TrainingColumns
    data: Dataset
    n_bags: int
    whole: bool

    @cached_property
    def _sorted_values(self) -> dict[int, Floats]:
        return {}

    def snap_cut(self, attribute: int, cut: float) -> float:
        """The largest value of the attribute up to `cut`, over all rows of the file.

        Minus infinity becomes the least finite double.
        Its sign, if it is zero, is that of the first row with it.
        """
        if attribute not in self._sorted_values:
            x = self.data.X[:, attribute]
            self._sorted_values[attribute] = np.sort(x[~np.isnan(x)])
        values = self._sorted_values[attribute]
        at = int(np.searchsorted(values, cut, side="right")) - 1
        if at < 0:
            return cut
        # Weka looks for a value above the least finite double: that stays where all are below it.
        value = max(float(values[at]), -float_info.max)
        if value == 0:
            x = self.data.X[:, attribute]
            value = copysign(0.0, x[np.argmax(x == 0)])
        return value


def build_table(data: Dataset, *, binary: bool) -> TrainingTable:
    """The columns of `data` for growing.

    Raises
    ------
    DataReadError
        If J48 cannot handle the class or an attribute.
    """
    n_values = _count_values(data.header)
    y = data.class_values
    known = np.flatnonzero(~np.isnan(y))
    # One attribute after the other, so that there is one copy of the rows and no more.
    X = np.empty((len(n_values), len(known)))
    for a in range(len(n_values)):
        np.take(data.X[:, a], known, out=X[a])
    weight = np.ascontiguousarray(data.weights[known])
    whole = bool(((weight >= 0) & (weight == np.floor(weight))).all() and weight.sum() < 2**53)
    missing = any(np.isnan(X[a]).any() for a in range(len(n_values)))
    widths = [2 if n < 0 or binary else n for n in n_values]
    first_bag = np.concatenate([[0], np.cumsum(widths)]).astype(np.intp)
    columns = TrainingColumns(
        X,
        np.array(n_values, dtype=np.intp),
        y[known].astype(np.intp),
        weight,
        len(data.header.classes),
        first_bag[:-1].copy(),
        np.cumsum([n == NUMERIC_COLUMN for n in n_values]).astype(np.intp),
        _xlogx(min(_TABLE, int(max(weight.sum(), 0.0)) + 2) if np.isfinite(weight.sum()) else 2),
    )
    return TrainingTable(columns, data, int(first_bag[-1]), whole and not missing)


def _count_values(header: Header) -> list[int]:
    """Declared values of every attribute, as `TrainingColumns.n_values` has them."""
    target = header.class_attribute
    if not target.is_nominal:
        raise _unable(f"a {target.type} class ({target.name!r})", "a nominal one")
    if len(target.values) < 2:
        raise _unable(f"a class of {len(target.values)} label(s)", "at least two labels")
    n_values = []
    for i, attribute in enumerate(header.attributes):
        if attribute.weight != 1 and i != header.class_index:  # as Weka 3.9.7
            raise _unable(
                f"an attribute of weight {attribute.weight:g} ({attribute.name!r})", "weights of 1"
            )
        if i == header.class_index:
            n_values.append(CLASS_COLUMN)
        elif attribute.is_nominal:
            n_values.append(len(attribute.values))
        elif attribute.is_numeric:
            n_values.append(NUMERIC_COLUMN)
        else:
            raise _unable(
                f"a {attribute.type} attribute ({attribute.name!r})", "numbers, dates and labels"
            )
    return n_values


def _xlogx(count: int) -> NDArray[np.float64]:
    """X ln x of 0, 1, ... by the one logarithm that is used everywhere."""
    numbers: Iterable[int] = range(1, count)
    return np.array([0.0, *(i * log(i) for i in numbers)])


def _unable(what: str, wanted: str) -> DataReadError:
    return DataReadError(f"J48 cannot grow from {what}", f"expected {wanted}", source="<data>")
