"""Dates as SimpleDateFormat reads them; the numbers are Java's own."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from j48geo.java.calendar import time_zone
from j48geo.java.dates import DEFAULT_FORMAT, DateFormat


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        (DEFAULT_FORMAT, "2001-04-03T12:12:12", 986299932000),
        ("yyyyMMMdd", "2001Jan05", 978652800000),
        ("yyMMdd", "010203", 981158400000),
        ("yyyy", "2E3", 946684800000),
        ("yyyy-MM-dd", "2001-04-03xyz", 986256000000),
        ("yyyy-MM-dd", "2001-02-30", None),
        ("yyyy-MM-dd", "  2024-  1-  1", 1704067200000),
        ("yyyy-MM", "2024--1", None),
        ("yyyy", "-5", None),
        ("yyyy-MM-dd EEE", "2024-01-01 Tue", None),
        ("yyyy-MM-dd EEE", "2024-01-01 Mon", 1704067200000),
        ("yyyy-MM-dd", "1582-10-10", None),
        ("yyyy-MM-dd", "1582-10-04", -12219379200000),
        ("yyyy-MM-dd", "1500-02-29", -14825894400000),
        ("yyyy-MM-dd", "0000-01-01", None),
        ("yyyy-MM-dd G", "0044-03-15 BC", -63517996800000),
        ("yyyy-DDD", "2024-366", 1735603200000),
        ("yyyy-MM-dd DDD", "2024-01-05 006", None),
        ("YYYY-ww-u", "2024-01-1", 1704067200000),
        ("yyyy-ww", "2024-05", 1706400000000),
        ("E", "Mon", 345600000),
        ("H:m a", "5:00 PM", None),
        ("h:m a", "5:00 PM", 61200000),
        ("h", "5", 18000000),
        ("K:m a", "11:59 pm", 86340000),
        ("yyyy-MM-dd W", "2024-01-10 2", 1704844800000),
        ("yyyy MM F E", "2024 01 2 Mon", 1704672000000),
        ("yyyy-MM-dd z", "2024-01-01 PST", 1704096000000),
        ("yyyy-MM-dd Z", "2024-01-01 +0130", 1704061800000),
        ("yyyy-MM-dd X", "2024-01-01 +01", 1704063600000),
        ("yyyy-MM-dd XXX", "2024-01-01 +01:30", 1704061800000),
        ("yyyy", "12345", 327403382400000),
        ("yyyy", "292278995", None),
        ("yyyy-MM-dd HH", "2024-01-01 24", None),
        ("S", "1234", None),
        ("dd MMMM yyyy", "1 september 2020", 1598918400000),
        ("dd MMM yyyy", "1 Sept 2020", None),
        ("dd LLL yyyy", "1 Sep 2020", 1598918400000),
        ("''yyyy''", "'2000'", 946684800000),
        ("?", "?", 0),
    ],
)
def test_a_date_is_read_as_java_reads_it(pattern: str, text: str, expected: int | None) -> None:
    assert DateFormat(pattern).milliseconds(text) == expected


@pytest.mark.parametrize(
    ("zone", "text", "expected"),
    [
        ("America/New_York", "2024-03-10 02:30", None),  # the hour that clocks skip
        ("America/New_York", "2024-11-03 01:30", 1730615400000),  # the later of two
        ("America/New_York", "1850-01-01 00:00", -3786807600000),
        ("UTC", "2024-11-03 01:30", 1730597400000),
    ],
)
def test_a_date_without_a_zone_is_in_the_given_one(
    zone: str, text: str, expected: int | None
) -> None:
    date_format = DateFormat("yyyy-MM-dd HH:mm", zone=time_zone(zone))
    assert date_format.milliseconds(text) == expected


@pytest.mark.parametrize(
    ("pattern", "message"),
    [("yyyy-QQ", "unknown letter 'Q'"), ("yyyy-'T", "unterminated quote")],
)
def test_a_pattern_that_java_refuses_is_refused(pattern: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        DateFormat(pattern)


@given(
    st.integers(0, 10**14),
    st.sampled_from(["UTC", "America/New_York", "Asia/Kolkata", "Europe/Berlin"]),
    st.sampled_from(
        [
            "yyyy-MM-dd'T'HH:mm:ss.SSSZ",
            "EEE, d MMM yyyy hh:mm:ss.SSS a XXX",
            "yyyy-DDD K:mm:ss.S a z",
        ]
    ),
)
def test_what_is_written_is_read_back(moment: int, zone: str, pattern: str) -> None:
    date_format = DateFormat(pattern, zone=time_zone(zone))
    assert date_format.milliseconds(date_format.text(moment)) == moment


@given(st.integers(-(10**14), 0))
def test_the_past_is_read_back_too(moment: int) -> None:
    date_format = DateFormat("EEEE dd MMMM yyyy G kk:mm:ss.SSS")
    assert date_format.milliseconds(date_format.text(moment)) == moment


@pytest.mark.parametrize("year", [1600, 1900, 1999, 2000, 2004, 2100, 2400])
def test_every_day_of_a_year_is_that_of_the_calendar(year: int) -> None:
    day, end = datetime(year, 1, 1, tzinfo=UTC), datetime(year + 1, 1, 2, tzinfo=UTC)
    days = DateFormat("yyyy-MM-dd", zone=time_zone("UTC"))
    while day < end:
        assert days.milliseconds(f"{day:%Y-%m-%d}") == day.timestamp() * 1000
        day += timedelta(days=1)
