"""Intervals: the tightest test owns the face, and an open end is tighter than a closed one."""

from __future__ import annotations

from j48geo.core.boxes import Interval


def test_of_two_tests_at_one_threshold_the_open_one_bounds_from_above() -> None:
    for interval in (
        Interval().below(1.0, True, 3).below(1.0, False, 7),
        Interval().below(1.0, False, 7).below(1.0, True, 3),
    ):
        assert (interval.high_closed, interval.high_node) == (False, 7)
        assert 1.0 not in interval
        assert 0.9 in interval


def test_of_two_tests_at_one_threshold_the_open_one_bounds_from_below() -> None:
    for interval in (
        Interval().above(1.0, True, 3).above(1.0, False, 7),
        Interval().above(1.0, False, 7).above(1.0, True, 3),
    ):
        assert (interval.low_closed, interval.low_node) == (False, 7)
        assert 1.0 not in interval
        assert 1.1 in interval


def test_of_two_equal_tests_the_first_owns_the_face() -> None:
    assert Interval().below(1.0, True, 3).below(1.0, True, 7).high_node == 3
    assert Interval().above(1.0, False, 3).above(1.0, False, 7).low_node == 3


def test_one_number_lies_between_two_closed_ends_and_none_else() -> None:
    closed = Interval().above(1.0, True, 0).below(1.0, True, 1)
    assert not closed.is_empty
    assert 1.0 in closed
    assert Interval().above(1.0, True, 0).below(1.0, False, 1).is_empty
    assert Interval().above(1.0, False, 0).below(1.0, True, 1).is_empty
    assert Interval().above(2.0, True, 0).below(1.0, True, 1).is_empty
