"""A repair: what it does to a text, and what is said of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

LARGEST_PASTE = 16 << 20  # nobody pastes more than this into a mail


class Repair(NamedTuple):
    """A named repair: `mend` returns the mended text, or the same if there is nothing to do.

    `note` says what was undone; `lines` lists what it left out of a text, to be named there.
    """

    note: str
    mend: Callable[[str], str]
    lines: Callable[[str], Sequence[str]] | None = None


def find_applicable(text: str, repairs: Iterable[Repair]) -> list[Repair]:
    """The repairs that change something, when applied in order."""
    found: list[Repair] = []
    if len(text) > LARGEST_PASTE:
        return found
    for repair in repairs:
        after = repair.mend(text)
        if after != text:
            found.append(repair)
            text = after
    return found


def apply_repairs(text: str, repairs: Iterable[Repair]) -> str:
    """The text after these repairs, in order."""
    for repair in repairs:
        text = repair.mend(text)
    return text
