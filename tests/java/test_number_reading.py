"""Numbers as Java reads them."""

from __future__ import annotations

import math

import pytest

from j48geo.java.numbers import parse_double, parse_int


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1.", 1.0),
        (".5", 0.5),
        ("+3", 3.0),
        ("007", 7.0),
        ("1d", 1.0),
        ("2.5F", 2.5),
        (" 7\t", 7.0),
        ("0x1p3", 8.0),
        ("0x.8p1d", 1.0),
        ("0x1.8p-1", 0.75),
        ("-Infinity", -math.inf),
        ("1e999", math.inf),
        ("0x1p99999999999999999999", math.inf),
        ("0x1p-99999999999999999999", 0.0),
    ],
)
def test_java_takes_it_for_a_number(text: str, value: float) -> None:
    assert parse_double(text) == value


@pytest.mark.parametrize(
    "text",
    ["", ".", "nan", "inf", "NAN", "1_000", "0x10", "1L", "1e", "true", "\u0661", "\xa01", "1 2",
     "0xp3", "1e5e5", "--1", "d"],
)  # fmt: skip
def test_java_takes_it_for_no_number(text: str) -> None:
    assert parse_double(text) is None


def test_zero_keeps_its_sign_and_nan_needs_none() -> None:
    assert str(parse_double("-0")) == "-0.0"
    assert str(parse_double("-NaN")) == "nan"


@pytest.mark.parametrize(
    ("text", "value"),
    [("+1", 1), ("00", 0), ("-0", 0), ("\u0663", 3), ("2147483647", 2147483647)],
)
def test_java_takes_it_for_an_int(text: str, value: int) -> None:
    assert parse_int(text) == value


@pytest.mark.parametrize("text", ["", "1.0", " 1", "1_0", "2147483648", "9" * 5000, "\U0001d7ce"])
def test_java_takes_it_for_no_int(text: str) -> None:
    assert parse_int(text) is None
