"""What stands around the trees of a text: banners, option lines, headers, evaluations.

`find_surroundings` finds the lines that matter, `parse_runs` sorts them and the trees into the runs
of Weka that printed them, both by the grammar ``j48_surroundings``. `find_block_options` gives each
tree the options of its run.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, cast

from lark import Token, Transformer
from lark.lexer import Lexer

from j48geo.core.dataset import Header
from j48geo.core.j48_options import parse_j48_options
from j48geo.core.tree import Options
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

    def lists_for(self, start: int) -> DeclaredNames:
        """What the run of the tree that begins at `start` lists: its attributes, its classes."""
        before = self.between(0, start, "RUN", "MODEL", "OPTIONS", "ATTRIBUTES")
        attributes: tuple[str, ...] = ()
        for marker in before:
            if marker.type == "RUN":
                attributes = ()
            elif marker.type == "ATTRIBUTES":
                attributes = _listed_attributes(str(marker))
        found: set[tuple[str, ...]] = set()
        is_evaluated = False
        for marker in self.between(start, _END, "BANNER", "CONFUSION", "EVALUATION", *_NEXT_RUN):
            if marker.type == "CONFUSION":
                found.add(_listed_classes(str(marker)))
            elif marker.type == "EVALUATION":
                is_evaluated = True
            elif marker.type in _NEXT_RUN or is_evaluated:
                break
        classes = found.pop() if len(found) == 1 else ()
        return DeclaredNames(attributes, classes)


_END = 1 << 62
_NEXT_RUN = ("RUN", "MODEL", "SCHEME", "OPTIONS", "SPLIT_EVALUATOR")


class DeclaredNames(NamedTuple):
    """Names of all attributes and labels of all classes, in order; empty where not listed."""

    attributes: tuple[str, ...]
    classes: tuple[str, ...]


def _listed_attributes(text: str) -> tuple[str, ...]:
    """The names of an attribute list; none if they are not as many as it says."""
    first, *lines = text.rstrip("\n").split("\n")
    width = len("Attributes:   ")
    names = [line[width:] if not line[:width].strip() else line.strip() for line in lines]
    return tuple(names) if len(names) == int(first.partition(":")[2]) else ()


_MATRIX_ROW = re.compile(r"(?P<cells>[^|]+)\|[ \t]*(?P<letters>[a-z]*) = (?P<label>.*)")


def _listed_classes(text: str) -> tuple[str, ...]:
    """The labels behind the rows of a confusion matrix; none if it is damaged."""
    lines = [line for line in text.split("\n")[1:] if line.strip()][1:]
    labels: list[str] = []
    for number, line in enumerate(lines):
        row = _MATRIX_ROW.fullmatch(line)
        # Where there is no room only the last letters are printed.
        if row is None or not _class_letters(number).endswith(row["letters"]):
            return ()
        if len(row["cells"].split()) != len(lines) or row["label"] in labels:
            return ()
        labels.append(row["label"])
    return tuple(labels)


def _class_letters(number: int) -> str:
    """a, b, ..., z, aa, ab, ..."""
    text = ""
    while number >= 0:
        number, letter = divmod(number, 26)
        text = chr(ord("a") + letter) + text
        number -= 1
    return text


def find_surroundings(text: str) -> Surroundings:
    """Find the markers of `text` with the grammar ``j48_surroundings``."""
    markers = tuple(SURROUNDINGS_PARSER.load().lex(text))
    banners = tuple(marker for marker in markers if marker.type == "BANNER")
    return Surroundings(
        markers,
        banners,
        frozenset(marker.type for marker in markers),
        _list_names(markers, "CLASSES"),
        _list_names(markers, "FEATURES"),
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
        """The tokens of a pair: markers, and the spans of the tree blocks."""
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
        """All runs of a text."""
        return runs

    def run(self, tokens: list[Token]) -> Run:
        """One run: its markers, and the numbers of its trees."""
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


def _list_names(markers: tuple[Token, ...], kind: str) -> tuple[str, ...]:
    for marker in markers:
        if marker.type == kind:
            names = str(marker).partition("=>")[2].split(",")
            return tuple(name.strip() for name in names if name.strip())
    return ()


def find_block_options(markers: tuple[Token, ...], blocks: list[Span], text: str) -> list[Options]:
    """The options of each block, given where it begins (its banner included) and ends."""
    block_options = [Options()] * len(blocks)
    for run in parse_runs(markers, blocks):
        shared = _run_options(run.markers)
        is_old = _old_weka(run, blocks, text)
        for k, block in enumerate(run.trees):
            block_options[block] = replace(
                _choose_options(shared, k, len(run.trees)), old_weka=is_old
            )
    return block_options


def _choose_options(shared: list[Options], tree: int, trees: int) -> Options:
    """Options of one tree of a run: its own, or those that all share."""
    if not shared:
        return Options()
    if len(shared) == trees:
        return shared[tree]
    if len(set(shared)) > 1:  # several J48s, and no telling which printed this tree
        return Options(text=shared[0].text, scheme=shared[0].scheme)
    return shared[0]


def _run_options(markers: list[Token]) -> list[Options]:
    scheme = ""
    for kind in ("SCHEME", "SPLIT_EVALUATOR", "OPTIONS", "FILTERED"):
        for marker in markers:
            if marker.type == kind:
                text = str(marker).partition("using" if kind == "FILTERED" else ":")[2]
                # The Experimenter glues the version, a filtered classifier its filter.
                text = text.partition("(version")[0].partition(" on data filtered through")[0]
                text = text.strip()
                if kind == "SCHEME" and re.fullmatch(r"\w+", text):
                    scheme = text  # the KnowledgeFlow prints the bare name, without options
                elif text:
                    parsed = parse_j48_options(text)
                    return [replace(own, scheme=scheme) for own in parsed] if scheme else parsed
    return [Options(scheme=scheme)] if scheme not in ("", "J48") else []


def _old_weka(run: Run, blocks: list[Span], text: str) -> bool | None:
    """True where the run can only come from 3.6: one line between the two times, or no padding."""
    for marker in run.markers:
        if marker.type == "TIMES" and "Time taken to test" in marker:
            return True
        if marker.type == "SCHEME" and str(marker).startswith("Scheme:weka"):
            return True
    kinds = {marker.type for marker in run.markers}
    if run.is_evaluated and run.trees and not kinds & {"FOLD_MODEL", "MODEL", "RUN"}:
        # The command line of 3.6 has no banner of its own, only a blank line and the options.
        first = blocks[run.trees[0]][0]
        start = min([first, *(marker.start_pos or 0 for marker in run.markers)])
        before = text[start:first].strip()
        if before.startswith("Options:") or (not text[:first].strip() and text.startswith("\n")):
            return True
    return None
