"""J48's options as option strings tell them, and which tree of a text they belong to.

`parse_j48_options` reads what ``Scheme:`` and ``Options:`` lines say; `find_block_options` gives
each tree of a text the options of the run of Weka that printed it.
"""

from __future__ import annotations

import re
from dataclasses import replace

from lark import Token
from lark.exceptions import LarkError

from j48geo.core.tree import Options
from j48geo.data.grammar import GrammarParser
from j48geo.read.j48.surroundings import Run, Span, parse_runs

OPTIONS_PARSER = GrammarParser("scheme_options")

_J48 = "weka.classifiers.trees.J48"
WRAPPER = "(a classifier around J48)"
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}


def split_options(text: str) -> list[str]:
    """The words of an option string, quoted ones unquoted once."""
    try:
        words = OPTIONS_PARSER.load().parse(text).children
    except LarkError:  # an unbalanced quote: the line was cut
        return text.split()
    return [_unquote(str(word)) if str(word).startswith('"') else str(word) for word in words]


def _unquote(word: str) -> str:
    out, escaped = [], False
    for char in word[1:-1]:
        if escaped:
            out.append(_ESCAPES.get(char, char))
            escaped = False
        elif char == "\\":
            escaped = True
        else:
            out.append(char)
    return "".join(out)


def parse_j48_options(text: str) -> list[Options]:
    """The options of every J48 that an option string names, in order.

    ``weka.classifiers.trees.J48 -U`` is one; ``-W weka.classifiers.trees.J48 -- -A`` hands
    what follows ``--`` to the inner J48; ``-B "weka.classifiers.trees.J48 -U"`` nests them in
    quotes. Bare options (the command line's ``Options:`` line) are J48's own.
    """
    words = split_options(text)
    scheme = words[0] if words and words[0].startswith("weka.") else ""
    if not scheme and any(word.startswith("weka.") for word in words):
        scheme = WRAPPER
    return [_read_flags(found, text, scheme) for found in _option_lists(words)]


def _option_lists(words: list[str]) -> list[list[str]]:
    if words and words[0] == _J48:
        return [words[1:]]
    nested: list[list[str]] = []
    behind = words[words.index("--") + 1 :] if "--" in words else []
    last: list[list[str]] = []
    named = False
    for before, word in zip(["", *words], words, strict=False):
        # The meta classifier of stacking is named first and printed last.
        found = last if before == "-M" else nested
        if word == _J48:
            found.append(behind)
        elif word.startswith("weka.") and " " in word:
            found.extend(_option_lists(split_options(word)))
        named = named or word.startswith("weka.")
    return nested + last if named else [words]


def _read_flags(words: list[str], text: str, scheme: str) -> Options:
    folds = 3
    if "-N" in words[:-1]:
        value = words[words.index("-N") + 1]
        folds = int(value) if value.isascii() and value.isdigit() and int(value) > 1 else 3
    return Options(
        text=text.strip(),
        laplace="-A" in words,
        binary="-B" in words,
        reduced_error="-R" in words,
        unpruned="-U" in words,
        midpoint="-doNotMakeSplitPointActualValue" in words,
        folds=folds,
        scheme=scheme,
    )


def find_block_options(markers: tuple[Token, ...], blocks: list[Span], text: str) -> list[Options]:
    """The options of each block, given where it begins (its banner included) and ends."""
    found = [Options()] * len(blocks)
    for run in parse_runs(markers, blocks):
        shared = _options(run.markers)
        old = _old_weka(run, blocks, text)
        for k, block in enumerate(run.trees):
            found[block] = replace(_own(shared, k, len(run.trees)), old_weka=old)
    return found


def _own(shared: list[Options], tree: int, trees: int) -> Options:
    """Options of one tree of a run: its own, or those that all share."""
    if not shared:
        return Options()
    if len(shared) == trees:
        return shared[tree]
    if len(set(shared)) > 1:  # several J48s, and no telling which printed this tree
        return Options(text=shared[0].text, scheme=shared[0].scheme)
    return shared[0]


def _options(markers: list[Token]) -> list[Options]:
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
