"""Filters against what they say in plain loops."""

from __future__ import annotations

from math import isnan, nan

import numpy as np
import pytest

from j48geo.core.dataset import Attribute, Dataset, Header
from j48geo.core.wrappers import (
    Center,
    Discretize,
    Ensemble,
    MultiFilter,
    NumericToNominal,
    Remove,
    ReplaceMissingValues,
    ReplaceMissingWithUserConstant,
    Standardize,
)
from j48geo.ensemble.committee import answer_rows
from j48geo.ensemble.filters import FilterChain, apply_filter
from j48geo.errors import FilterError, MismatchError

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


def test_numbers_are_centered_and_a_number_that_becomes_none_is_refused() -> None:
    how = Center(np.array([1.0, 5, 5, 5, 5]))
    np.testing.assert_array_equal(
        apply_filter(how, HEADER, X),
        [[0, nan, 0, nan, nan], [nan, 1, 2.5, 0, 1], [1.5, 0, nan, 1, 0]],
    )
    endless = Center(np.array([np.inf, 0, 0, 0, 0]))
    row = np.array([[np.inf, 0, 0, 0, 0]])
    with pytest.raises(FilterError, match=r"^the filter Center gives no number for a value of 'x'"):
        apply_filter(endless, HEADER, row)


def test_a_constant_that_is_no_label_becomes_the_first_one() -> None:
    how = ReplaceMissingWithUserConstant(np.array([9.0, 0, nan, nan, nan]), frozenset({1}))
    np.testing.assert_array_equal(
        apply_filter(how, HEADER, X),
        [[1, 0, 5, nan, nan], [9, 2, 7.5, 0, 1], [2.5, 1, nan, 1, 0]],
    )


def test_numbers_become_labels_and_others_missing() -> None:
    how = NumericToNominal((("-0", "0", "1", "0.333333"), None, None, None, None))
    row = np.zeros((6, 5))
    row[:, 0] = [1.0, 1 / 3, -0.0, 0.0, 7.0, nan]
    np.testing.assert_array_equal(apply_filter(how, HEADER, row)[:, 0], [2, 3, 0, 1, nan, nan])


HOSTILE = {
    "a label": ReplaceMissingValues(np.array([0.0, 1e9, 0, 0, 0])),
    "a fraction": ReplaceMissingValues(np.array([0.0, 0.5, 0, 0, 0])),
    "below all": ReplaceMissingWithUserConstant(np.array([nan, -1.0, nan, nan, nan])),
    "no number": ReplaceMissingValues(np.array([0.0, np.inf, 0, 0, 0])),
    "a column": Remove((0, 1, 2, 3)),
    "another column": Remove((0, 0, 2, 3, 4)),
    "one too many": ReplaceMissingWithUserConstant(np.full(5, nan), frozenset({1})),
    "inside": MultiFilter(((HEADER, Remove((0, 1))), (HEADER, Remove((0,))))),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_rows_that_are_none_of_the_tree_do_not_leave_a_filter(what: str) -> None:
    rows = np.vstack([X, np.array([[7.0, 0, 0, 0, 0]])])
    chain = FilterChain(HEADER, ((HEADER, HOSTILE[what]),), HEADER)
    with pytest.raises(FilterError, match=r"^(behind )?the filter \w+(:| got) .*; expected"):
        chain.dataset(Dataset(HEADER, rows, np.ones(len(rows))))


def test_a_refusal_inside_is_a_refusal_of_the_whole() -> None:
    inner = Ensemble("weka.classifiers.meta.Odd", HEADER, (0,), refusal="it is odd")
    outer = Ensemble("weka.classifiers.meta.Bagging", HEADER, (inner,), "average")
    with pytest.raises(MismatchError, match=r"^Odd: it is odd; expected one of its trees"):
        answer_rows((), outer, X)
