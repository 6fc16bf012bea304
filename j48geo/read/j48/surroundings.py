"""What stands around the trees of a text: banners, option lines, headers, evaluations.

`find_surroundings` finds the lines that matter, `parse_runs` sorts them and the trees into the runs
of Weka that printed them, both by the grammar ``j48_surroundings``.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from lark import Token, Transformer
from lark.lexer import Lexer

from j48geo.core.dataset import Header
from j48geo.data.arff.stream import read_arff
from j48geo.data.grammar import GrammarParser
from j48geo.errors import ReadError

Span = tuple[int, int]
"""Where a tree block begins, its banner included, and where it ends."""


class Surroundings(NamedTuple):
    """The markers of a text in order, noise left out.

    `kinds` are the kinds of marker that occur, `banners` those that begin a block.
    """

    markers: tuple[Token, ...]
    banners: tuple[Token, ...]
    kinds: frozenset[str]
    classes: tuple[str, ...]
    features: tuple[str, ...]

    def between(self, start: int, stop: int, *kinds: str) -> list[Token]:
        """Markers of some kinds that begin in a stretch of the text."""
        first = bisect_left(self.markers, start, key=_start)
        last = bisect_left(self.markers, stop, key=_start)
        return [m for m in self.markers[first:last] if m.type in kinds]


def find_surroundings(text: str) -> Surroundings:
    """Find the markers of `text` with the grammar ``j48_surroundings``."""
    markers = tuple(SURROUNDINGS_PARSER.load().lex(text))
    banners = tuple(marker for marker in markers if marker.type == "BANNER")
    return Surroundings(
        markers,
        banners,
        frozenset(marker.type for marker in markers),
        _listed(markers, "CLASSES"),
        _listed(markers, "FEATURES"),
    )


@dataclass
class Run:
    """What one run of Weka printed: the lines around its trees, and the numbers of the trees."""

    markers: list[Token]
    trees: list[int]

    @property
    def is_evaluated(self) -> bool:
        """Whether the run holds an evaluation."""
        return any(marker.type == "EVALUATION" for marker in self.markers)


class SurroundingsLexer(Lexer):
    """The markers outside the tree blocks, and a token for each block."""

    def __init__(self, lexer_conf: Any) -> None:
        pass

    def lex(self, data: Any, parser_state: Any = None) -> Iterator[Token]:
        markers: Sequence[Token]
        blocks: Sequence[Span]
        markers, blocks = data
        tree = end = 0
        for marker in markers:
            at = marker.start_pos or 0
            # A block that begins with a name like a marker comes before it, and covers it.
            while tree < len(blocks) and blocks[tree][0] < at + (marker.type != "BANNER"):
                yield _tree_token(tree)
                end = blocks[tree][1]
                tree += 1
            if at < end:
                continue
            yield marker
            if marker.type == "BANNER":
                yield _tree_token(tree)
                end = blocks[tree][1]
                tree += 1
        for rest in range(tree, len(blocks)):
            yield _tree_token(rest)


def _tree_token(number: int) -> Token:
    token = Token("TREE", "")
    token.value = number
    return token


class RunBuilder(Transformer[Token, Any]):
    """Runs from the grammar's rules."""

    def start(self, runs: list[Run]) -> list[Run]:
        return runs

    def run(self, tokens: list[Token]) -> Run:
        markers = [token for token in tokens if token.type not in ("BANNER", "TREE")]
        return Run(markers, [token.value for token in tokens if token.type == "TREE"])


SURROUNDINGS_PARSER = GrammarParser(
    "j48_surroundings", lexer=SurroundingsLexer, transformer=RunBuilder
)


def parse_runs(markers: Sequence[Token], blocks: Sequence[Span]) -> list[Run]:
    """The runs of a text, given its markers and where its tree blocks are."""
    return cast(list[Run], SURROUNDINGS_PARSER.load().parse(cast(Any, (markers, blocks))))


def read_printed_header(marker: Token) -> Header | None:
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
