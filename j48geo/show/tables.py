"""Rows of cells as aligned text, CSV, JSON and JSON lines."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from math import inf, isfinite, isnan
from unicodedata import combining, east_asian_width

from j48geo.words import one_line

__all__ = [
    "csv_line",
    "csv_lines",
    "display_width",
    "json_text",
    "moment_text",
    "number_text",
    "plain_number",
    "text_table",
    "to_left",
    "to_right",
]


def text_table(
    titles: Sequence[str], rows: Iterable[Sequence[object]], right: Iterable[str] = ()
) -> str:
    """An aligned table with a line under its titles.

    Parameters
    ----------
    rows
        Cells; None shows as ``-``, a float with at most four decimals.
    right
        Titles of the columns that are set to the right.
    """
    cells = [tuple(map(_cell, row)) for row in rows]
    widths = [max(display_width(line[i]) for line in (titles, *cells)) for i in range(len(titles))]
    to_right = {i for i, title in enumerate(titles) if title in set(right)}

    def line(row: Sequence[str]) -> str:
        padded = []
        for i, cell in enumerate(row):
            blanks = " " * (widths[i] - display_width(cell))
            padded.append(blanks + cell if i in to_right else cell + blanks)
        return "  ".join(padded).rstrip() + "\n"

    rule = line(["-" * w for w in widths])
    some = 10_000  # lines at a time: of a million, each in a string of its own is a lot
    parts = ["".join(map(line, cells[k : k + some])) for k in range(0, len(cells), some)]
    return "".join((line(titles), rule, *parts))


def csv_line(cells: Sequence[object]) -> str:
    """One line of CSV: floats with all their digits, None as an empty cell."""
    return csv_lines(
        [["" if c is None else number_text(c) if isinstance(c, float) else c for c in cells]]
    )


def csv_lines(rows: Iterable[Iterable[object]]) -> str:
    """Lines of CSV, cells as they are."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def json_text(value: Mapping[str, object] | Sequence[object], indent: int | None = None) -> str:
    """JSON in one line (or indented), labels as they are, floats with all their digits.

    Raises
    ------
    ValueError
        If a float is not finite: such values have no JSON.
    """
    separators = (",", ":") if indent is None else None
    return json.dumps(
        value, ensure_ascii=False, allow_nan=False, indent=indent, separators=separators
    )


def number_text(x: float) -> str:
    """All digits; whole numbers without a decimal point, missing as ``?``."""
    if isnan(x):
        return "?"
    if not isfinite(x):
        return "Infinity" if x > 0 else "-Infinity"
    if x == int(x) and abs(x) < 1e15 and not (x == 0 and str(x).startswith("-")):
        return str(int(x))
    return repr(float(x))


def plain_number(x: float, decimals: int = 4) -> str:
    """A number for people: rounded, without trailing zeros."""
    if isnan(x):
        return "?"
    if x in (inf, -inf):
        return "Infinity" if x > 0 else "-Infinity"
    if abs(x) >= 1e15 or (x != 0 and abs(x) < 10.0**-decimals):
        return f"{x:.6g}"
    text = f"{x:.{decimals}f}".rstrip("0").rstrip(".") if decimals else f"{x:.0f}"
    return "0" if text == "-0" else text


def _cell(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return plain_number(value)
    return one_line(str(value))


def to_left(text: str, width: int) -> str:
    """A text with blanks behind it, `width` columns of a screen wide."""
    return text + " " * (width - display_width(text))


def to_right(text: str, width: int) -> str:
    """A text with blanks before it."""
    return " " * (width - display_width(text)) + text


def moment_text(milliseconds: float) -> str:
    """Milliseconds since 1970 as date and time of UTC."""
    # datetime knows the years 1 to 9999 only.
    if not -62_135_596_800_000 <= milliseconds < 253_402_300_800_000:
        return f"{plain_number(milliseconds)} ms"
    moment = datetime(1970, 1, 1) + timedelta(milliseconds=round(milliseconds))
    return moment.isoformat(" ", "milliseconds").removesuffix(".000").removesuffix(" 00:00:00")


def display_width(text: str) -> int:
    """Columns that `text` takes on a screen."""
    if text.isascii():
        return len(text)
    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)
