"""Dates in the patterns of Java's ``SimpleDateFormat``, read as strictly as Weka reads them.

`DateFormat` reads and writes them; `j48geo.java.calendar` knows which dates there are.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, tzinfo
from functools import lru_cache
from typing import NamedTuple

from j48geo.java.calendar import find_fields, find_moment

DEFAULT_FORMAT = "yyyy-MM-dd'T'HH:mm:ss"

_NUMBER_FIELDS = {
    "y": "year",
    "Y": "week_year",
    "M": "month",
    "L": "month",
    "d": "day",
    "D": "day_of_year",
    "w": "week_of_year",
    "W": "week_of_month",
    "F": "day_of_week_in_month",
    "u": "day_of_week",
    "H": "hour_of_day",
    "k": "hour_of_day",
    "K": "hour",
    "h": "hour",
    "m": "minute",
    "s": "second",
    "S": "millisecond",
}
_MONTHS = "January February March April May June July August September October November December"
_WEEK_DAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday"


def _names(words: str, first: int) -> dict[str, int]:
    """Full names and their first three letters, in lower case."""
    table = {}
    for value, word in enumerate(words.lower().split(), first):
        table[word] = table[word[:3]] = value
    return table


_NAME_FIELDS = {
    "M": ("month", _names(_MONTHS, 1)),
    "L": ("month", _names(_MONTHS, 1)),
    "E": ("day_of_week", _names(_WEEK_DAYS, 1)),
    "a": ("am_pm", {"am": 0, "pm": 1}),
    "G": ("era", {"bc": 0, "ad": 1}),
}
_LETTERS = frozenset(_NUMBER_FIELDS) | frozenset(_NAME_FIELDS) | frozenset("zZX")

_HOUR = 3_600_000
_ZONE_NAMES = {
    "utc": 0,
    "wet": 0,
    "west": 1,
    "cet": 1,
    "cest": 2,
    "eet": 2,
    "eest": 3,
    "jst": 9,
    "est": -5,
    "edt": -4,
    "cst": -6,
    "cdt": -5,
    "mst": -7,
    "mdt": -6,
    "pst": -8,
    "pdt": -7,
}

_PIECE = re.compile(r"([A-Za-z])\1*|'((?:[^']|'')*)'|([^A-Za-z']+)")
_BLANKS = re.compile(r"[ \t]*")
_NUMBER = re.compile(r"(-?)(\d+)(?:E(-?)(\d{1,4}))?")
_LARGEST_INT = 2**31 - 1


class _Field(NamedTuple):
    letter: str
    letters: int
    abuts: bool  # another number follows at once, so the count of letters rules
    minus_follows: bool


class DateFormat:
    """A date pattern.

    Parameters
    ----------
    pattern
        In the letters of ``SimpleDateFormat``; `ValueError` if Java would not have it.
    zone
        Time zone of dates that name none.

    Notes
    -----
    Names of months, days and zones are the English ones; of zones, only the common short names
    and numeric forms are known.

    Examples
    --------
    >>> DateFormat("yyyy-MM-dd").milliseconds("2001-04-03")
    986256000000.0
    """

    def __init__(self, pattern: str, *, zone: tzinfo = UTC) -> None:
        self.pattern = pattern
        self._zone = zone
        self._pieces = _split_pattern(pattern)
        # Columns of dates repeat themselves.
        self.milliseconds: Callable[[str], float | None] = lru_cache(maxsize=4096)(self._parse)
        """Milliseconds since 1970 of a text, None if it is no such date."""

    def _parse(self, text: str) -> float | None:
        fields: dict[str, int] = {}
        position = 0
        ambiguous = False
        for piece in self._pieces:
            if isinstance(piece, str):
                if not text.startswith(piece, position):
                    return None
                position += len(piece)
                continue
            start = _BLANKS.match(text, position).end()  # type: ignore[union-attr]
            if start >= len(text):
                return None
            parsed = _parse_field(piece, text, position, start)
            if parsed is None:
                return None
            name, value, end = parsed
            digits = text[start:end]
            if (
                piece.letter in "yY"
                and piece.letters <= 2
                and len(digits) == 2
                and digits.isdigit()
            ):
                value, ambiguous = _resolve_century(value)
            fields.pop(name, None)  # the order of fields is the order in which they were set
            fields[name] = value
            position = end
        moment = find_moment(fields, self._zone)
        if ambiguous and moment is not None and moment < _century_start().timestamp() * 1000:
            moment = find_moment(fields | {"year": fields["year"] + 100}, self._zone)
        return None if moment is None else float(moment)

    def text(self, moment: float) -> str:
        """The date at a moment in milliseconds since 1970, as Java would write it."""
        fields = find_fields(int(moment), self._zone)
        return "".join(
            piece if isinstance(piece, str) else _format_field(piece, fields)
            for piece in self._pieces
        )


def _format_field(field: _Field, fields: dict[str, int]) -> str:
    """One field of a date as text."""
    letter, letters = field.letter, field.letters
    if letter in "zZX":
        return _format_zone(letter, letters, fields["offset"])
    if not _is_number(letter, letters):
        return _format_name(letter, letters, fields)
    value = fields[_NUMBER_FIELDS[letter]] if letter != "Y" else _week_year(fields)
    if letter in "kh" and value == 0:
        value = 24 if letter == "k" else 12
    elif letter == "u":
        value = (value - 2) % 7 + 1
    elif letter in "yY" and letters == 2:
        value %= 100
    return str(value).zfill(letters)


def _format_zone(letter: str, letters: int, offset: int) -> str:
    """An offset from UTC in milliseconds as ``GMT+01:00``, ``+0100`` or ``+01:00``."""
    sign, minutes = "-" if offset < 0 else "+", abs(offset) // 60_000
    hour, minute = divmod(minutes, 60)
    if letter == "z":
        return f"GMT{sign}{hour:02}:{minute:02}" if minutes else "UTC"
    if letter == "X" and not minutes:
        return "Z"
    if letter == "X" and letters != 2:
        return f"{sign}{hour:02}" + (f":{minute:02}" if letters == 3 else "")
    return f"{sign}{hour:02}{minute:02}"


def _format_name(letter: str, letters: int, fields: dict[str, int]) -> str:
    """The name of a month, day, half of the day or era; three letters unless more are wanted."""
    name, table = _NAME_FIELDS[letter]
    spellings = [word for word, value in table.items() if value == fields[name]]
    if letter in "aG":
        return spellings[0].upper()
    return (max if letters > 3 else min)(spellings, key=len).capitalize()


def _week_year(fields: dict[str, int]) -> int:
    """The year that the week of a date belongs to."""
    return fields["year"] + (fields["month"] == 12 and fields["week_of_year"] == 1)


@lru_cache(maxsize=256)
def _split_pattern(pattern: str) -> tuple[_Field | str, ...]:
    """Fields and the literal texts between them."""
    pieces: list[tuple[str, int] | str] = []
    position = 0
    while position < len(pattern):
        match = _PIECE.match(pattern, position)
        if match is None:
            raise ValueError(f"date pattern {pattern!r} has an unterminated quote")
        position = match.end()
        if match[1]:
            if match[1] not in _LETTERS:
                raise ValueError(f"date pattern {pattern!r} has an unknown letter {match[1]!r}")
            pieces.append((match[1], len(match[0])))
            continue
        quoted = match[2]
        literal = match[3] if quoted is None else quoted.replace("''", "'") or "'"
        if pieces and isinstance(pieces[-1], str):
            pieces[-1] += literal
        else:
            pieces.append(literal)
    result: list[_Field | str] = []
    for piece, following in zip(pieces, [*pieces[1:], None], strict=True):
        if isinstance(piece, str):
            result.append(piece)
            continue
        abuts = isinstance(following, tuple) and _is_number(*following)
        minus = isinstance(following, str) and following.startswith("-")
        result.append(_Field(*piece, abuts, minus))
    return tuple(result)


def _is_number(letter: str, count: int) -> bool:
    return letter in _NUMBER_FIELDS and not (letter in "ML" and count > 2)


def _parse_field(
    field: _Field, text: str, position: int, start: int
) -> tuple[str, int, int] | None:
    """Name and value of one field, and where it ends."""
    if field.letter in "zZ":
        return _parse_zone(text, start)
    if field.letter == "X":
        return _parse_iso_zone(text, start, field.letters)
    if not _is_number(field.letter, field.letters):
        return _parse_name(field.letter, text, position)
    if field.abuts and position + field.letters > len(text):
        return None
    number = _parse_number(text[: position + field.letters] if field.abuts else text, start)
    if number is None:
        return None
    value, end = number
    return _NUMBER_FIELDS[field.letter], _from_printed(field.letter, value), end


def _parse_name(letter: str, text: str, position: int) -> tuple[str, int, int] | None:
    """A field that is a word."""
    name, table = _NAME_FIELDS[letter]
    # The text as it is, blanks in front of it included: names do not skip them.
    matching = [word for word in table if text[position:].lower().startswith(word)]
    if not matching:
        return None
    word = max(matching, key=len)
    return name, table[word], position + len(word)


def _from_printed(letter: str, value: int) -> int:
    """The value of a field that counts otherwise than the calendar; -1, which is none, if wrong."""
    if letter == "k":  # hours from 1 to 24
        return 0 if value == 24 else value or -1
    if letter == "h":  # hours from 1 to 12
        return 0 if value == 12 else value or -1
    if letter == "u":  # days from Monday, which is 1
        return value % 7 + 1 if 1 <= value <= 7 else -1
    return value


def _parse_number(text: str, start: int) -> tuple[int, int] | None:
    """A whole number as Java's number format takes it: ``2E3`` is one, too."""
    match = _NUMBER.match(text, start)
    if match is None:
        return None
    digits = match[2][:40]
    value = int(digits)
    if match[4]:
        power = min(int(match[4]), 400)
        value = value // 10**power if match[3] else value * 10**power
    value = -value if match[1] else value
    return (value if abs(value) <= _LARGEST_INT else _LARGEST_INT), match.end()


def _century_start() -> datetime:
    now = datetime.now(UTC)
    return now.replace(year=now.year - 80, day=min(now.day, 28))


def _resolve_century(value: int) -> tuple[int, bool]:
    """The year that two digits mean, at most 80 years ago; and whether the day decides."""
    first = _century_start().year
    year = first // 100 * 100 + value
    return (year + 100 if value < first % 100 else year), value == first % 100


def _offset(hours: int, minutes: int, sign: str) -> int | None:
    if hours > 23 or minutes > 59:
        return None
    return (hours * 60 + minutes) * 60_000 * (-1 if sign == "-" else 1)


_ZONE_AFTER_GMT = re.compile(r"GMT(?:([+-])(\d{1,2}):(\d\d)|(?![+-]))", re.IGNORECASE)
_RFC_ZONE = re.compile(r"([+-])(\d\d)(\d\d)")
_ISO_ZONES = {
    1: re.compile(r"([+-])(\d\d)()"),
    2: re.compile(r"([+-])(\d\d)(\d\d)"),
    3: re.compile(r"([+-])(\d\d):(\d\d)"),
}


def _parse_zone(text: str, start: int) -> tuple[str, int, int] | None:
    if match := _ZONE_AFTER_GMT.match(text, start) or _RFC_ZONE.match(text, start):
        offset = _offset(int(match[2] or 0), int(match[3] or 0), match[1])
        return None if offset is None else ("offset", offset, match.end())
    matching = [name for name in _ZONE_NAMES if text[start:].lower().startswith(name)]
    if not matching:
        return None
    name = max(matching, key=len)
    return "offset", _ZONE_NAMES[name] * _HOUR, start + len(name)


def _parse_iso_zone(text: str, start: int, count: int) -> tuple[str, int, int] | None:
    if text[start] == "Z":
        return "offset", 0, start + 1
    match = _ISO_ZONES[min(count, 3)].match(text, start)
    if match is None:
        return None
    offset = _offset(int(match[2]), int(match[3] or 0), match[1])
    return None if offset is None else ("offset", offset, match.end())
