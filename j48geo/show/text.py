"""Texts for people: widths, numbers, and tables that fit the screen they are shown on.

Nothing here looks at a terminal: whoever does passes a `Style`. Names and labels come from
files of anybody's making, so in a table their control characters are shown, never sent.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import inf, isfinite, isnan
from typing import Literal, NamedTuple
from unicodedata import combining, east_asian_width

from j48geo.core.json_values import indented_json
from j48geo.text import to_one_line


@dataclass(frozen=True)
class Style:
    """How texts for people are to look.

    Parameters
    ----------
    width
        Columns of the screen; None if there is no limit, as in a file.
    colour
        Whether colours may be used.
    """

    width: int | None = None
    colour: bool = False


PLAIN = Style()
"""No limit and no colour."""

_PAINTS = {"bold": "1", "dim": "2", "red": "31"}


def paint(text: str, paint: Literal["bold", "dim", "red"], style: Style) -> str:
    """A text in a colour, if the style allows one."""
    return f"\x1b[{_PAINTS[paint]}m{text}\x1b[0m" if style.colour else text


# --------------------------------------------------------------------------------- tables


Role = Literal["number", "label", "text"]


class ColumnLayout(NamedTuple):
    """A column of a table before its width is settled.

    Parameters
    ----------
    width
        That of its widest cell.
    role
        A ``number`` is never cut (its title may be), a ``label`` is shortened when the screen
        is narrow, a ``text`` is folded if it is the last column.
    texts
        The different labels, if they are known: shortened, they must stay different.
    """

    title: str
    width: int
    role: Role = "number"
    right: bool = False
    texts: Sequence[str] = ()


_LONG, _SHORT, _FOLDED = 16, 6, 24
"""Labels give way down to the first, texts to the last, then labels again to the second."""

_INDENT = "    "
"""Before the rest of a row that takes more than one line."""


class TableGrid:
    """Where the cells of a table stand: a width for each column, and what is before it.

    A row that is too wide even when its labels are shortened goes on in another line.
    """

    def __init__(self, places: Sequence[ColumnLayout], style: Style = PLAIN) -> None:
        self.places = places
        self.style = style
        self._titles = [to_one_line(place.title) for place in places]
        self.widths = [
            max(place.width, display_width(title))
            for place, title in zip(places, self._titles, strict=True)
        ]
        if style.width is not None:
            self._fit(style.width)
        self.leads: list[str] = []
        """What stands before each cell: blanks, or the end of a line and blanks."""
        self._last = 0  # where in its line the last column begins
        end = 0
        for width in self.widths:
            lead = "  " if self.leads else ""
            self._last = end + len(lead)
            if lead and style.width is not None and self._last + width > style.width:
                lead, self._last = f"\n{_INDENT}", len(_INDENT)
            self.leads.append(lead)
            end = self._last + width
        self.fold: int | None = None
        """Columns that the last text is folded to; None if it is not."""
        if style.width is not None and places and places[-1].role == "text":
            self.fold = max(self.widths[-1], style.width - self._last)

    def _fit(self, limit: int) -> None:
        labels = [i for i, place in enumerate(self.places) if place.role == "label"]
        numbers = [i for i, place in enumerate(self.places) if place.role == "number"]
        last = len(self.places) - 1
        text = [last] if last >= 0 and self.places[last].role == "text" else []
        most = max(_FOLDED, limit - len(_INDENT))
        told_apart = [min(_distinct_width(self.places[i].texts), most) for i in labels]
        self._narrow(labels, [max(_LONG, least) for least in told_apart], limit)
        self._narrow(text, [_FOLDED] * len(text), limit)
        self._narrow(labels, told_apart, limit)
        whole = list(self.widths)
        self._narrow(numbers, [max(1, self.places[i].width) for i in numbers], limit)
        if self._over(limit) > 0:  # rows take several lines: then titles need not be cut
            self.widths = whole

    def _over(self, limit: int) -> int:
        return sum(self.widths) + 2 * (len(self.widths) - 1) - limit

    def _narrow(self, columns: Sequence[int], least: Sequence[int], limit: int) -> None:
        """Take from the widest of these columns until the table fits or all are at `least`."""
        floor = dict(zip(columns, least, strict=True))
        for _ in range(self._over(limit)):
            left = [i for i in columns if self.widths[i] > floor[i]]
            if not left:
                return
            self.widths[max(left, key=lambda i: self.widths[i])] -= 1

    def head(self) -> str:
        """The line of titles and the line under it."""
        rule = self._join_cells(["-" * width for width in self.widths])
        titles = self._join_cells(
            list(map(self.set, range(len(self.widths)), self._titles))
        ).rstrip()
        return f"{paint(titles, 'bold', self.style)}\n{paint(rule, 'dim', self.style)}\n"

    def set(self, column: int, text: str) -> str:
        """A cell in its place: shortened if it must be, with blanks around it."""
        width = self.widths[column]
        if self.style.width is not None:
            text = shorten(text, width)
        return (align_right if self.places[column].right else align_left)(text, width)

    def line(self, cells: Sequence[str]) -> str:
        """One row: a line, or several if its last text is folded."""
        if self.fold is None:
            return self._join_cells(list(map(self.set, range(len(cells)), cells))).rstrip() + "\n"
        lead = self._join_cells([self.set(i, cell) for i, cell in enumerate(cells[:-1])])
        return self.folded(lead + self.leads[-1], cells[-1])

    def _join_cells(self, cells: Sequence[str]) -> str:
        return "".join(lead + cell for lead, cell in zip(self.leads, cells, strict=False))

    def folded(self, lead: str, text: str) -> str:
        """What stands before the last text, and this text in as many lines as it takes."""
        if self.fold is None or display_width(text) <= self.fold:
            return f"{lead}{text}".rstrip() + "\n"
        from textwrap import wrap

        first, *more = wrap(text, self.fold, break_on_hyphens=False)
        blanks = " " * self._last
        return "".join([f"{lead}{first}\n", *(f"{blanks}{part}\n" for part in more)])


def _distinct_width(labels: Sequence[str]) -> int:
    """The width down to which labels can be shortened and still be told apart."""
    longest = max(map(display_width, labels), default=0)
    different = len(set(labels))
    return next(
        (w for w in range(_SHORT, longest) if len({shorten(x, w) for x in labels}) == different),
        max(longest, _SHORT),
    )


def text_table(
    titles: Sequence[str],
    rows: Iterable[Sequence[object]],
    right: Iterable[str] = (),
    style: Style = PLAIN,
    *,
    whole: Iterable[str] = (),
) -> str:
    """An aligned table with a line under its titles.

    Parameters
    ----------
    rows
        Cells; None shows as ``-``, a float with at most four decimals.
    right
        Titles of the columns that are set to the right: numbers, which are never cut.
    whole
        Titles of further columns that are never cut.
    """
    cells = [[_format_cell(c) for c in row] for row in rows]
    set_right = set(right)
    uncut = set_right.union(whole)
    places = []
    for i, title in enumerate(titles):
        texts = {row[i] for row in cells}
        role: Role = "number" if title in uncut else "text" if i == len(titles) - 1 else "label"
        width = max(map(display_width, texts), default=0)
        labels = sorted(texts) if role == "label" else ()  # others are not shortened
        places.append(ColumnLayout(title, width, role, title in set_right, labels))
    grid = TableGrid(places, style)
    return grid.head() + "".join(map(grid.line, cells))


# ------------------------------------------------------------------------ numbers and JSON


def json_text(value: Mapping[str, object] | Sequence[object], indent: int | None = None) -> str:
    """JSON in one line (or indented), labels as they are, floats with all their digits.

    Raises
    ------
    ValueError
        If a float is not finite: such values have no JSON.
    """
    if indent == 1:
        return indented_json(value)
    separators = (",", ":") if indent is None else None
    return json.dumps(
        value, ensure_ascii=False, allow_nan=False, indent=indent, separators=separators
    )


def format_exact(x: float) -> str:
    """All digits; whole numbers without a decimal point, missing as ``?``."""
    if isnan(x):
        return "?"
    if not isfinite(x):
        return "Infinity" if x > 0 else "-Infinity"
    if x == int(x) and abs(x) < 1e15 and not (x == 0 and str(x).startswith("-")):
        return str(int(x))
    return repr(float(x))


def format_number(x: float, decimals: int = 4) -> str:
    """A number for people: rounded, without trailing zeros."""
    if isnan(x):
        return "?"
    if x in (inf, -inf):
        return "Infinity" if x > 0 else "-Infinity"
    if abs(x) >= 1e15 or (x != 0 and abs(x) < 10.0**-decimals):
        return f"{x:.6g}"
    text = f"{x:.{decimals}f}".rstrip("0").rstrip(".") if decimals else f"{x:.0f}"
    return "0" if text == "-0" else text


# ----------------------------------------------------------------------------------- words


def _format_cell(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return format_number(value)
    return to_one_line(str(value))


def shorten(text: str, width: int) -> str:
    """A text that takes at most `width` columns of a screen, with an ellipsis where it was cut.

    Examples
    --------
    >>> shorten("Iris-versicolor", 8), shorten("yes", 8)
    ('Iris-ve…', 'yes')
    """
    if display_width(text) <= width:
        return text
    start = text[: max(width - 1, 0)]
    while display_width(start) > width - 1 and start:
        start = start[:-1]
    return f"{start}…"


def align_left(text: str, width: int) -> str:
    """A text with blanks behind it, `width` columns of a screen wide."""
    return text + " " * (width - display_width(text))


def align_right(text: str, width: int) -> str:
    """A text with blanks before it, up to a width."""
    return " " * (width - display_width(text)) + text


def format_moment(milliseconds: float) -> str:
    """Milliseconds since 1970 as date and time of UTC."""
    # datetime knows the years 1 to 9999 only.
    if not -62_135_596_800_000 <= milliseconds < 253_402_300_800_000:
        return f"{format_number(milliseconds)} ms"
    moment = datetime(1970, 1, 1) + timedelta(milliseconds=round(milliseconds))
    return moment.isoformat(" ", "milliseconds").removesuffix(".000").removesuffix(" 00:00:00")


def display_width(text: str) -> int:
    """Columns that `text` takes on a screen."""
    if text.isascii():
        return len(text)
    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)
