"""What stands around the trees of a text: banners, option lines, headers."""

from __future__ import annotations

from bisect import bisect_left
from typing import NamedTuple

from lark import Token

from j48geo.core.dataset import Header
from j48geo.data.arff.stream import read_arff
from j48geo.data.grammar import load_grammar
from j48geo.errors import ReadError

__all__ = ["Surroundings", "surroundings"]


class Surroundings(NamedTuple):
    """The markers of a text in order, noise left out.

    `kinds` are the kinds of marker that occur, `banners` those that begin a block.
    """

    markers: tuple[Token, ...]
    banners: tuple[Token, ...]
    kinds: frozenset[str]
    classes: tuple[str, ...]
    features: tuple[str, ...]

    def between(self, kind: str, start: int, stop: int) -> list[Token]:
        """Markers of one kind that begin in a stretch of the text."""
        first = bisect_left(self.markers, start, key=_start)
        last = bisect_left(self.markers, stop, key=_start)
        return [m for m in self.markers[first:last] if m.type == kind]


def surroundings(text: str) -> Surroundings:
    """Find the markers of `text` with the grammar ``j48_surroundings``."""
    lexer = load_grammar("j48_surroundings", parser="lalr", lexer="basic")
    markers = tuple(t for t in lexer.lex(text) if t.type not in ("NOISE", "REST"))
    banners = tuple(marker for marker in markers if marker.type == "BANNER")
    return Surroundings(
        markers,
        banners,
        frozenset(marker.type for marker in markers),
        _listed(markers, "CLASSES"),
        _listed(markers, "FEATURES"),
    )


def header_in(marker: Token) -> Header | None:
    """The ARFF header that a wrapper printed; None if it is damaged."""
    try:
        return read_arff(str(marker).encode("utf-8", "surrogatepass")).header
    except ReadError:
        return None


def _start(token: Token) -> int:
    return token.start_pos or 0


def _listed(markers: tuple[Token, ...], kind: str) -> tuple[str, ...]:
    for marker in markers:
        if marker.type == kind:
            names = str(marker).partition("=>")[2].split(",")
            return tuple(name.strip() for name in names if name.strip())
    return ()
