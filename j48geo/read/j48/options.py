"""Weka's option strings: what ``Scheme:`` and ``Options:`` lines say about a J48."""

from __future__ import annotations

from lark.exceptions import LarkError

from j48geo.core.tree import Options
from j48geo.data.grammar import GrammarParser

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
