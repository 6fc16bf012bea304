"""Java's strict calendar: fields of a date, each of which must be true, to milliseconds.

Follows ``GregorianCalendar`` in its non-lenient mode with weeks as in the United States (from
Sunday, the first week holds January 1st), which is what Weka's English locale uses. Dates
before 1582-10-15 are Julian.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, tzinfo

from j48geo.errors import UnknownNameError

_DAY = 86_400_000
_EPOCH = 719_163  # day number of 1970-01-01 if 0001-01-01 is day 1
_CUTOVER = 577_736  # 1582-10-15
_FIRST_ZONE_YEAR = 1900  # before it Java uses a zone's present standard time
_LAST_ZONE_YEAR = 9000  # well within what datetime can hold
_LIMITS = {
    "era": (0, 1),
    "year": (1, 292_278_994),
    "week_year": (1, 292_278_993),
    "month": (1, 12),
    "day": (1, 31),
    "day_of_year": (1, 366),
    "day_of_week": (1, 7),
    "week_of_year": (1, 53),
    "week_of_month": (0, 6),
    "day_of_week_in_month": (-1, 6),
    "am_pm": (0, 1),
    "hour": (0, 11),
    "hour_of_day": (0, 23),
    "minute": (0, 59),
    "second": (0, 59),
    "millisecond": (0, 999),
    "offset": (-13 * 3_600_000, 14 * 3_600_000),
}


def time_zone(name: str) -> tzinfo:
    """The time zone called `name`, ``UTC`` or one of the IANA database."""
    if name in ("UTC", "GMT"):
        return UTC
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise UnknownNameError("time zone", name, sorted(available_timezones())) from None


def _days_before_year(year: int, *, julian: bool) -> int:
    past = year - 1
    return past * 365 + past // 4 - (2 if julian else past // 100 - past // 400)


def _is_leap(year: int, *, julian: bool) -> bool:
    return year % 4 == 0 and (julian or year % 100 != 0 or year % 400 == 0)


def _days_before_month(year: int, month: int, *, julian: bool) -> int:
    before = (367 * month - 362) // 12
    if month > 2:
        before -= 1 if _is_leap(year, julian=julian) else 2
    return before


def _day_number(year: int, month: int, day: int) -> int:
    """Day number of a date; a day that does not exist becomes some day that does."""
    number = (
        _days_before_year(year, julian=False) + _days_before_month(year, month, julian=False) + day
    )
    if number >= _CUTOVER:
        return number
    return _days_before_year(year, julian=True) + _days_before_month(year, month, julian=True) + day


def _date(number: int) -> tuple[int, int, int]:
    """Year, month and day of a day number."""
    julian = number < _CUTOVER
    year = number * 400 // 146_097  # near enough to walk from
    while _days_before_year(year + 1, julian=julian) < number:
        year += 1
    while _days_before_year(year, julian=julian) >= number:
        year -= 1
    rest = number - _days_before_year(year, julian=julian)
    month = 12
    while _days_before_month(year, month, julian=julian) >= rest:
        month -= 1
    return year, month, rest - _days_before_month(year, month, julian=julian)


def _day_of_week(number: int) -> int:
    return number % 7 + 1  # Sunday is 1


def _week_start(number: int) -> int:
    return number - _day_of_week(number) + 1


def _date_fields(number: int) -> dict[str, int]:
    """All date fields of a day."""
    year, month, day = _date(number)
    new_year = _day_number(year, 1, 1)
    week_of_year = (_week_start(number) - _week_start(new_year)) // 7 + 1
    if _week_start(number) == _week_start(_day_number(year + 1, 1, 1)):
        week_of_year = 1
    return {
        "era": int(year > 0),
        "year": year if year > 0 else 1 - year,
        "month": month,
        "day": day,
        "day_of_year": number - new_year + 1,
        "day_of_week": _day_of_week(number),
        "week_of_year": week_of_year,
        "week_of_month": (_week_start(number) - _week_start(number - day + 1)) // 7 + 1,
        "day_of_week_in_month": (day - 1) // 7 + 1,
    }


def _resolve_day(fields: Mapping[str, int]) -> int:
    """Day number that the fields name; the group of fields that was set last decides."""
    stamps = {name: stamp for stamp, name in enumerate(fields, 1)}

    def stamp(name: str) -> int:
        return stamps.get(name, 0)

    def with_week_day(name: str) -> int:
        both = stamp(name), stamp("day_of_week")
        return max(both) if all(both) else 0

    year = fields.get("year", 1970)
    year = year if fields.get("era", 1) else 1 - year
    month = fields.get("month", 1)
    week_day = fields.get("day_of_week", 1)
    ages = {
        "day": stamp("day"),
        "week_of_month": with_week_day("week_of_month"),
        "day_of_week_in_month": with_week_day("day_of_week_in_month"),
        "day_of_year": stamp("day_of_year"),
        "week_of_year": with_week_day("week_of_year"),
    }
    if not any(ages.values()):  # no group is whole: what there is of one must do
        ages["week_of_month"] = stamp("week_of_month")
        ages["day_of_week_in_month"] = max(stamp("day_of_week_in_month"), stamp("day_of_week"))
        ages["week_of_year"] = stamp("week_of_year")
    group = max(ages, key=lambda name: ages[name]) if any(ages.values()) else "day"

    first = _day_number(year, month, 1)
    if group == "day":
        return _day_number(year, month, fields.get("day", 1))
    if group == "day_of_year":
        return _day_number(year, 1, 1) + fields["day_of_year"] - 1
    if group == "week_of_year":
        return _day_in_week(_day_number(year, 1, 1), fields["week_of_year"], week_day)
    if group == "week_of_month":
        return _day_in_week(first, fields["week_of_month"], week_day)
    nth = fields.get("day_of_week_in_month", 1)
    if nth < 0:
        last = _day_number(year + month // 12, month % 12 + 1, 1) - 1
        return last - (_day_of_week(last) - week_day) % 7 + 7 * (nth + 1)
    return first + (week_day - _day_of_week(first)) % 7 + 7 * (nth - 1)


def _day_in_week(first: int, week: int, week_day: int) -> int:
    return _week_start(first) + 7 * (week - 1) + week_day - 1


def _resolve_time(fields: Mapping[str, int]) -> int:
    """Milliseconds since midnight."""
    order = list(fields)

    def age(name: str) -> int:
        return order.index(name) + 1 if name in fields else 0

    halves = age("hour"), age("am_pm")
    both = max(halves) if all(halves) else 0
    if age("hour_of_day") and age("hour_of_day") >= both:
        hour = fields["hour_of_day"]
    else:
        hour = fields.get("hour", 0) + 12 * fields.get("am_pm", 0)
    minutes = hour * 60 + fields.get("minute", 0)
    return (minutes * 60 + fields.get("second", 0)) * 1000 + fields.get("millisecond", 0)


def find_moment(fields: Mapping[str, int], zone: tzinfo) -> int | None:
    """Milliseconds since 1970 (UTC) of the moment that `fields` name; None if there is none.

    Parameters
    ----------
    fields
        In the order in which they were set. Beside those of the calendar, ``offset`` is a
        given offset from UTC in milliseconds, and ``week_year`` replaces ``year``.
    zone
        Where the clock stands, if no offset is given.
    """
    for name, value in fields.items():
        low, high = _LIMITS.get(name, (value, value))
        if not low <= value <= high:
            return None
    if "week_year" in fields:
        new_year = _day_number(fields["week_year"], 1, 1)
        day = _day_in_week(new_year, fields.get("week_of_year", 1), fields.get("day_of_week", 1))
    else:
        day = _resolve_day(fields)
    time = _resolve_time(fields)
    computed = _date_fields(day)
    hour = time // 3_600_000
    computed |= {"hour_of_day": hour, "hour": hour % 12, "am_pm": hour // 12}
    if any(computed[name] != value for name, value in fields.items() if name in computed):
        return None
    local = (day - _EPOCH) * _DAY + time
    offset = fields["offset"] if "offset" in fields else _offset(local, computed, zone)
    return None if offset is None else local - offset


def find_fields(moment: int, zone: tzinfo) -> dict[str, int]:
    """All fields of the calendar at a moment in milliseconds since 1970 (UTC)."""
    offset = 0 if zone is UTC else _offset_at(moment, zone)
    days, time = divmod(moment + offset, _DAY)
    hour = time // 3_600_000
    return _date_fields(days + _EPOCH) | {
        "hour_of_day": hour,
        "hour": hour % 12,
        "am_pm": hour // 12,
        "minute": time // 60_000 % 60,
        "second": time // 1000 % 60,
        "millisecond": time % 1000,
        "offset": offset,
    }


def _offset_at(moment: int, zone: tzinfo) -> int:
    year = _date(moment // _DAY + _EPOCH)[0]
    if year < _FIRST_ZONE_YEAR:
        return _standard_offset(zone)
    if year > _LAST_ZONE_YEAR:
        moment -= (year - _LAST_ZONE_YEAR + 399) // 400 * 146_097 * _DAY
    utc = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=moment)
    return _to_milliseconds(utc.astimezone(zone).utcoffset())


def _standard_offset(zone: tzinfo) -> int:
    now = datetime(2024, 1, 1, tzinfo=zone)
    return _to_milliseconds(now.utcoffset()) - _to_milliseconds(now.dst())


def _offset(local: int, date: Mapping[str, int], zone: tzinfo) -> int | None:
    """What `zone` is ahead of UTC at that local time; None in the hour that clocks skip."""
    if zone is UTC:
        return 0
    year = date["year"] if date["era"] else 0
    if year < _FIRST_ZONE_YEAR:
        return _standard_offset(zone)
    if year > _LAST_ZONE_YEAR:  # the calendar repeats itself every 400 years
        local -= (year - _LAST_ZONE_YEAR + 399) // 400 * 146_097 * _DAY
    naive = datetime(1970, 1, 1) + timedelta(milliseconds=local)
    # The later of two moments that a clock shows alike is the one in standard time.
    moment = naive.replace(tzinfo=zone, fold=1)
    there_and_back = moment.astimezone(UTC).astimezone(zone).replace(tzinfo=None)
    if there_and_back != naive:
        return None
    return _to_milliseconds(moment.utcoffset())


def _to_milliseconds(offset: timedelta | None) -> int:
    return 0 if offset is None else offset // timedelta(milliseconds=1)
