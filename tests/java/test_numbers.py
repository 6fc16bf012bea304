"""Numbers as Weka prints them; the expected texts are Weka's own."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from j48geo.java.numbers import (
    count_to_string,
    double_to_string,
    is_compatible,
    leaf_counts_to_string,
    round_count,
    threshold_to_string,
    threshold_to_string_36,
)

finite = st.floats(allow_nan=False, allow_infinity=False)


@pytest.mark.parametrize(
    ("x", "text"),
    [
        (0.0, "0.0"),
        (-0.0, "-0.0"),
        (14.0, "14.0"),
        (2.27, "2.27"),
        (0.001, "0.001"),
        (0.00099, "9.9E-4"),
        (9999999.0, "9999999.0"),
        (1e7, "1.0E7"),
        (113200026.0, "1.13200026E8"),
        (-1.5e-10, "-1.5E-10"),
        (1e300, "1.0E300"),
        (123456.789, "123456.789"),
        (5e-324, "5.0E-324"),
        (float("nan"), "NaN"),
        (float("inf"), "Infinity"),
        (float("-inf"), "-Infinity"),
    ],
)
def test_doubles_are_written_as_java_writes_them(x: float, text: str) -> None:
    assert double_to_string(x) == text


@given(finite)
def test_a_written_double_reads_back_as_the_same(x: float) -> None:
    assert float(double_to_string(x)) == x


@pytest.mark.parametrize(
    ("x", "text"),
    [
        (14.0, "14.0"),
        (25.5, "25.5"),
        (15.267857142857142, "15.27"),
        (0.004, "0.0"),
        (0.005, "0.01"),
        (1.005, "1.0"),  # 100 times it is just below 100.5
        (113200026.0, "1.13200026E8"),
        (9.3e16, "9.223372036854776E16"),
        (1e300, "9.223372036854776E16"),
    ],
)
def test_leaf_counts_have_two_decimals_and_saturate(x: float, text: str) -> None:
    assert count_to_string(x) == text


def test_rounding_does_not_lose_the_last_bit_to_the_addition_of_a_half() -> None:
    almost_half = 0.49999999999999994
    assert round_count(almost_half / 100) == 0.0
    assert round_count(2**53 + 2) == 2**53 + 2


def test_errors_are_left_out_only_if_there_are_none() -> None:
    assert leaf_counts_to_string(3.0, 0.0) == "(3.0)"
    assert leaf_counts_to_string(3.0, 1e-6) == "(3.0)"
    assert leaf_counts_to_string(3.0, 2e-6) == "(3.0/0.0)"
    assert leaf_counts_to_string(15.27, 2.27) == "(15.27/2.27)"


@pytest.mark.parametrize(
    ("t", "now", "in_36"),
    [
        (75.0, "75", "75"),
        (1e-9, "0", "0"),
        (-1e-9, "-0", "0"),
        (0.1234565, "0.123456", "0.123457"),
        (-0.5, "-0.5", "-0.5"),
        (1000000000000.1234, "1000000000000.1234", "1000000000000.123392"),
        (9.3e12, "9300000000000", "9.3E12"),
        (1e22, "1" + "0" * 22, "1.0E22"),
        (0.000001, "0.000001", "0.000001"),
        (1.00001, "1.00001", "1.00001"),
        (float("inf"), "Infinity", "Infinity"),
    ],
)
def test_thresholds_are_written_as_each_weka_writes_them(t: float, now: str, in_36: str) -> None:
    assert threshold_to_string(t) == now
    assert threshold_to_string_36(t) == in_36


@given(finite)
def test_a_threshold_is_compatible_with_what_either_weka_prints_for_it(t: float) -> None:
    assert is_compatible([t], float(threshold_to_string(t))).all()
    assert is_compatible([t], float(threshold_to_string_36(t))).all()


def test_only_values_within_half_a_unit_are_compatible() -> None:
    values = [0.1234562, 0.1234558, 0.12345649, 0.1234566, 0.1234549, np.nan, np.inf, -np.inf]
    expected = [True, True, True, False, False, False, False, False]
    assert is_compatible(values, 0.123456).tolist() == expected


def test_huge_values_are_compatible_within_two_units_of_their_last_bit() -> None:
    v = 1e18
    assert is_compatible([v, v + 256], v).tolist() == [True, True]
    assert is_compatible([v + 512], v).tolist() == [False]
