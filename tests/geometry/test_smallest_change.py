"""Values that a change ends on: beyond the threshold, and such as a person would write."""

from __future__ import annotations

from math import inf, nextafter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from j48geo.geometry.smallest_change import Target


def past(threshold: float, upwards: bool, step: float = 0.0) -> float:
    """The value that a case beyond the other side is given."""
    if upwards:
        low = nextafter(threshold, inf)
        return Target(0, low=low, low_threshold=threshold).nearest(threshold - 1, step)[0]
    high = nextafter(threshold, -inf)
    return Target(0, high=high, high_threshold=threshold).nearest(threshold + 1, step)[0]


@pytest.mark.parametrize(
    ("threshold", "upwards", "value"),
    [
        (0.169434, True, 0.169435),
        (0.169434, False, 0.169433),
        (1.0e-7, True, 1.00001e-7),
        (127.0, True, 127.001),
        (-3.3333333333333335, True, -3.3333),
        (123456789.0, True, 123457000.0),
    ],
)
def test_without_a_step_the_value_has_few_digits(
    threshold: float, upwards: bool, value: float
) -> None:
    assert past(threshold, upwards) == value


@given(st.floats(-1e15, 1e15).filter(lambda x: abs(x) > 1e-300), st.booleans())
def test_it_is_always_beyond_the_threshold_and_near_it(threshold: float, upwards: bool) -> None:
    to = past(threshold, upwards)
    assert to > threshold if upwards else to < threshold
    assert abs(to - threshold) <= 2e-5 * abs(threshold)


def test_it_never_leaves_a_narrow_box() -> None:
    low, high = nextafter(0.5, inf), nextafter(nextafter(0.5, inf), inf)
    assert Target(0, low=low, high=high, low_threshold=0.5).nearest(0.0, 0.0)[0] == low
