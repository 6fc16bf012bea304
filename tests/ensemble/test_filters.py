"""Filters against what they say in plain loops."""

from __future__ import annotations

from math import isnan, nan

import numpy as np
import pytest

from j48geo.core.dataset import Attribute, Header
from j48geo.core.wrappers import Discretize, Ensemble, Remove, ReplaceMissingValues, Standardize
from j48geo.ensemble.committee import answer_rows
from j48geo.ensemble.filters import apply_filter
from j48geo.errors import MismatchError

HEADER = Header(
    "r",
    (
        Attribute("x"),
        Attribute("colour", "nominal", ("red", "blue")),
        Attribute("when", "date", format="yyyy"),
        Attribute("note", "string"),
        Attribute("class", "nominal", ("no", "yes")),
    ),
    class_index=4,
)
X = np.array([[1.0, nan, 5.0, nan, nan], [nan, 1.0, 7.5, 0.0, 1.0], [2.5, 0.0, nan, 1.0, 0.0]])


def test_remove_keeps_columns_in_order() -> None:
    found = apply_filter(Remove((4, 0)), HEADER, X)
    np.testing.assert_array_equal(found, [[nan, 1], [1, nan], [0, 2.5]])


def test_missing_values_are_replaced_but_in_texts_and_the_class() -> None:
    found = apply_filter(ReplaceMissingValues(np.array([9.0, 1.0, 8.0, 7.0, 1.0])), HEADER, X)
    np.testing.assert_array_equal(
        found, [[1, 1, 5, nan, nan], [9, 1, 7.5, 0, 1], [2.5, 0, 8, 1, 0]]
    )
    assert isnan(X[0, 1])


def test_numbers_and_dates_are_standardized_and_a_constant_is_only_moved() -> None:
    how = Standardize(np.array([1.0, 5, 5, 5, 5]), np.array([0.5, 2, 0, 2, 2]))
    found = apply_filter(how, HEADER, X)
    np.testing.assert_array_equal(
        found, [[0, nan, 0, nan, nan], [nan, 1, 2.5, 0, 1], [3, 0, nan, 1, 0]]
    )


@pytest.mark.parametrize("x", [-1.0, 1.0, 1.5, 2.0, 9.0, nan])
def test_a_cut_point_belongs_to_the_interval_below_it(x: float) -> None:
    cuts = np.array([1.0, 2.0])
    how = Discretize((cuts, None, np.empty(0), None, None), binary=False)
    row = np.array([[x, 1.0, x, 0.0, 1.0]])
    place = nan if isnan(x) else sum(x > cut for cut in cuts)
    only = nan if isnan(x) else 0.0
    np.testing.assert_array_equal(apply_filter(how, HEADER, row), [[place, 1, only, 0, 1]])
    binary = Discretize(how.cuts, binary=True)
    above = [nan if isnan(x) else float(x > cut) for cut in cuts]
    np.testing.assert_array_equal(apply_filter(binary, HEADER, row), [[*above, 1, only, 0, 1]])


def test_a_refusal_inside_is_a_refusal_of_the_whole() -> None:
    inner = Ensemble("weka.classifiers.meta.Odd", HEADER, (0,), refusal="it is odd")
    outer = Ensemble("weka.classifiers.meta.Bagging", HEADER, (inner,), "average")
    with pytest.raises(MismatchError, match=r"^Odd: it is odd; expected one of its trees"):
        answer_rows((), outer, X)
