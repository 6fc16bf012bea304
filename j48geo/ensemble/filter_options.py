"""Options of Weka's filters as a text prints them, and the ranges of columns in them."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

from j48geo.java.numbers import parse_double, parse_int


@dataclass(frozen=True)
class FilterOptions:
    """The options of one filter: those that are there, and values by option."""

    flags: frozenset[str]
    values: dict[str, str]

    def has(self, flag: str) -> bool:
        """Whether an option without a value is there."""
        return flag in self.flags

    def text(self, option: str) -> str:
        """The value of an option; empty if it is not there."""
        return self.values.get(option, "")

    def number(self, option: str, default: float) -> float:
        """The value of an option as a number."""
        value = parse_double(self.text(option))
        return default if value is None else value

    def whole(self, option: str, default: int) -> int:
        """The value of an option as a whole number."""
        value = parse_int(self.text(option))
        return default if value is None else value

    def select_columns(self, option: str, default: str, count: int) -> frozenset[int] | None:
        """The columns of a range, or all others with ``-V``; None if it is no range."""
        columns = select_columns(self.text(option) or default, count)
        if columns is None:
            return None
        chosen = frozenset(columns)
        return frozenset(range(count)) - chosen if self.has("-V") else chosen


def read_options(words: tuple[str, ...], flags: Set[str], values: Set[str]) -> FilterOptions | str:
    """The options of a filter; the word itself if one of them is none that is known."""
    found: set[str] = set()
    given: dict[str, str] = {}
    left = list(words)
    while left:
        word = left.pop(0)
        if word in flags:
            found.add(word)
        elif word in values and left:
            given[word] = left.pop(0)
        elif word:
            return word
    return FilterOptions(frozenset(found), given)


def select_columns(text: str, count: int, *, backwards: bool = False) -> list[int] | None:
    """Columns of a range such as ``first-3,5,last``, from 0, in its order; None if it is none.

    Parameters
    ----------
    backwards
        Whether ``3-1`` counts down, as it does for Reorder, or is no range.
    """
    columns: list[int] = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        ends = [_place(end, count) for end in part.split("-")]
        if len(ends) > 2 or None in ends:
            return None
        first, last = (end for end in (ends[0], ends[-1]) if end is not None)
        if first <= last:
            columns += range(first, last + 1)
        elif backwards:
            columns += range(first, last - 1, -1)
        else:
            return None
    return columns


def _place(text: str, count: int) -> int | None:
    if text in ("first", "last"):
        return 0 if text == "first" else count - 1
    number = parse_int(text)
    return number - 1 if number is not None and 1 <= number <= count else None
