"""What stands around the trees of a text: banners, option lines, headers, signs of the version."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import replace
from typing import NamedTuple

from lark import Token

from j48geo.errors import ReadError
from j48geo.model.dataset import Header
from j48geo.model.tree import Options
from j48geo.read.arff import read_arff
from j48geo.read.grammar import load_grammar
from j48geo.read.scheme import j48_options

__all__ = ["Surroundings", "surroundings"]


class Surroundings(NamedTuple):
    """The markers of a text in order, noise left out.

    `kinds` are the kinds of marker that occur, `banners` those that begin a block.
    """

    markers: tuple[Token, ...]
    banners: tuple[Token, ...]
    kinds: frozenset[str]
    options: tuple[Options, ...]
    old_weka: bool | None
    classes: tuple[str, ...]
    features: tuple[str, ...]

    def between(self, kind: str, start: int, stop: int) -> list[Token]:
        """Markers of one kind that begin in a stretch of the text."""
        first = bisect_left(self.markers, start, key=_start)
        last = bisect_left(self.markers, stop, key=_start)
        return [m for m in self.markers[first:last] if m.type == kind]

    def options_of(self, tree: int, trees: int) -> Options:
        """Options of the tree with this index: its own, or those all trees share."""
        if not self.options:
            return Options(old_weka=self.old_weka)
        chosen = self.options[tree] if len(self.options) == trees else self.options[0]
        if len(set(self.options)) > 1 and len(self.options) != trees:
            return Options(text=chosen.text, scheme=chosen.scheme, old_weka=self.old_weka)
        return replace(chosen, old_weka=self.old_weka)


def surroundings(text: str) -> Surroundings:
    """Find the markers of `text` with the grammar ``j48_surroundings``."""
    lexer = load_grammar("j48_surroundings", parser="lalr", lexer="basic")
    markers = tuple(t for t in lexer.lex(text) if t.type not in ("NOISE", "REST"))
    banners = tuple(marker for marker in markers if marker.type == "BANNER")
    options = tuple(_options(markers))
    return Surroundings(
        markers,
        banners,
        frozenset(marker.type for marker in markers),
        options,
        _old_weka(markers, text),
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


def _options(markers: tuple[Token, ...]) -> list[Options]:
    for kind in ("SCHEME", "SPLIT_EVALUATOR", "OPTIONS", "FILTERED"):
        for marker in markers:
            if marker.type == kind:
                text = str(marker).partition("using" if kind == "FILTERED" else ":")[2]
                # The Experimenter glues the version, a filtered classifier its filter.
                text = text.partition("(version")[0].partition(" on data filtered through")[0]
                # The KnowledgeFlow prints the bare name of the scheme, without options.
                if text.strip() and text.strip() != "J48":
                    return j48_options(text)
    return []


def _old_weka(markers: tuple[Token, ...], text: str) -> bool | None:
    """True where the text can only come from 3.6: one line between the two times, or no padding."""
    for marker in markers:
        if marker.type == "TIMES" and "Time taken to test" in marker:
            return True
        if marker.type == "SCHEME" and str(marker).startswith("Scheme:weka"):
            return True
    kinds = {m.type for m in markers}
    if "BANNER" in kinds and "EVALUATION" in kinds and "MODEL" not in kinds and "RUN" not in kinds:
        first = next(m for m in markers if m.type == "BANNER")
        before = text[: _start(first)].strip()
        # The command line of 3.6 has no banner of its own, only a blank line and the options.
        if before.startswith("Options:") or (not before and text.startswith("\n")):
            return True
    return None


def _listed(markers: tuple[Token, ...], kind: str) -> tuple[str, ...]:
    for marker in markers:
        if marker.type == kind:
            names = str(marker).partition("=>")[2].split(",")
            return tuple(name.strip() for name in names if name.strip())
    return ()
