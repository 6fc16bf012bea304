"""J48's options: Weka's defaults, how option strings spell them, where J48 keeps them.

`J48Options` holds the options of one J48; `parse_words` reads them from the words of a command
line and `J48Options.words` writes them as Weka does. `parse_j48_options` finds the J48s in any
option string, as ``Scheme:`` and ``Options:`` lines print it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from j48geo.core.tree import Options
from j48geo.java.numbers import double_to_string

J48_SCHEME: Final = "weka.classifiers.trees.J48"

UNNAMED_WRAPPER: Final = "(a classifier around J48)"
"""`Options.scheme` where options tell that a classifier is around J48, and not which."""

FLAG_OPTIONS: Final = {
    "-L": ("keep_rows", True),
    "-O": ("collapse", False),
    "-U": ("unpruned", True),
    "-S": ("raising", False),
    "-R": ("reduced_error", True),
    "-B": ("binary", True),
    "-A": ("laplace", True),
    "-J": ("correct", False),
    "-doNotMakeSplitPointActualValue": ("midpoint", True),
}
"""The field of `J48Options` that a flag sets, and to what."""

NUMBER_OPTIONS: Final = {"-C": "confidence", "-M": "least", "-N": "folds", "-Q": "seed"}
"""The field of `J48Options` that holds the number behind an option."""

JAVA_FIELDS: Final = {
    "keep_rows": "m_noCleanup",
    "collapse": "m_collapseTree",
    "unpruned": "m_unpruned",
    "raising": "m_subtreeRaising",
    "reduced_error": "m_reducedErrorPruning",
    "folds": "m_numFolds",
    "seed": "m_Seed",
    "confidence": "m_CF",
    "binary": "m_binarySplits",
    "least": "m_minNumObj",
    "laplace": "m_useLaplace",
    "correct": "m_useMDLcorrection",
    "midpoint": "m_doNotMakeSplitPointActualValue",
}
"""The field of Weka's own J48 object that holds each field of `J48Options`."""


@dataclass(frozen=True)
class J48Options:
    """The options of one J48, with Weka's defaults.

    Parameters
    ----------
    unpruned
        ``-U``.
    confidence
        ``-C``.
    least
        ``-M``, weight that two branches must have at least.
    reduced_error, folds, seed
        ``-R``, ``-N`` and ``-Q``.
    binary
        ``-B``: one value against all others.
    raising, collapse, correct
        False for ``-S``, ``-O`` and ``-J``.
    midpoint
        ``-doNotMakeSplitPointActualValue``: thresholds half way between values.
    laplace
        ``-A``, which changes predictions and not the tree.
    keep_rows
        ``-L``: the saved model keeps its training rows; the tree is the same.
    """

    unpruned: bool = False
    confidence: float = 0.25
    least: int = 2
    reduced_error: bool = False
    folds: int = 3
    seed: int = 1
    binary: bool = False
    raising: bool = True
    collapse: bool = True
    correct: bool = True
    midpoint: bool = False
    laplace: bool = False
    keep_rows: bool = False

    def words(self) -> list[str]:
        """The options as Weka writes them: only those that matter, always in this order."""
        words = self._flags("-L", "-O", "-U")
        if not self.unpruned:
            words += self._flags("-S", "-R")
            if self.reduced_error:
                words += ["-N", str(self.folds), "-Q", str(self.seed)]
            else:
                words += ["-C", double_to_string(self.confidence)]
        words += [*self._flags("-B"), "-M", str(self.least)]
        return words + self._flags("-A", "-J", "-doNotMakeSplitPointActualValue")

    def _flags(self, *flags: str) -> list[str]:
        """Those of the flags that are set."""
        return [
            flag
            for flag, (name, value) in FLAG_OPTIONS.items()
            if flag in flags and getattr(self, name) == value
        ]

    def describe(
        self, text: str | None = None, scheme: str = "", old_weka: bool | None = None
    ) -> Options:
        """What a tree that was grown with these options remembers of them."""
        return Options(
            text=text,
            laplace=self.laplace,
            binary=self.binary,
            reduced_error=self.reduced_error,
            unpruned=self.unpruned,
            midpoint=self.midpoint,
            folds=self.folds if self.folds > 1 else J48Options.folds,
            old_weka=old_weka,
            scheme=scheme,
        )


def parse_words(words: Sequence[str]) -> tuple[dict[str, bool | int | float], list[str]]:
    """The fields of `J48Options` that the words of an option string give, and what is wrong there.

    Each problem is one line: a word that is no option of J48, or an option without its number.
    """
    fields: dict[str, bool | int | float] = {}
    problems: list[str] = []
    waiting = list(reversed(words))
    while waiting:
        word = waiting.pop()
        if word in FLAG_OPTIONS:
            name, value = FLAG_OPTIONS[word]
            fields[name] = value
        elif word not in NUMBER_OPTIONS:
            known = ", ".join((*FLAG_OPTIONS, *NUMBER_OPTIONS))
            problems.append(f"{word}: no option of J48; expected {known}")
        elif not waiting:
            problems.append(f"{word}: no number follows; expected one")
        else:
            text = waiting.pop()
            try:
                fields[NUMBER_OPTIONS[word]] = float(text) if word == "-C" else int(text)
            except ValueError:
                wanted = "a number" if word == "-C" else "a whole number"
                problems.append(f"{word}: {text!r} is none; expected {wanted}")
    return fields, problems


def read_words(words: Sequence[str]) -> J48Options:
    """The options that the words of a printed option string give; what is none is skipped."""
    fields, _ = parse_words(words)
    return J48Options(**fields)  # type: ignore[arg-type]


# ------------------------------------------------------------------- option strings

_WORD = re.compile(r'\s*(?:(?P<quoted>"(?:[^"\\]|\\.)*")|(?P<plain>[^\s"]\S*))')
_ESCAPE = re.compile(r"\\(.)", re.S)
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r"}


def split_options(text: str) -> list[str]:
    """The words of an option string, quoted ones unquoted once."""
    words = []
    pos, end = 0, len(text.rstrip())
    while pos < end:
        match = _WORD.match(text, pos, end)
        if match is None:  # an unbalanced quote: the line was cut
            return text.split()
        quoted = match["quoted"]
        words.append(match["plain"] if quoted is None else _unquote(quoted))
        pos = match.end()
    return words


def _unquote(word: str) -> str:
    return _ESCAPE.sub(lambda match: _ESCAPES.get(match[1], match[1]), word[1:-1])


def parse_j48_options(text: str) -> list[Options]:
    """The options of every J48 that an option string names, in order.

    ``weka.classifiers.trees.J48 -U`` is one; ``-W weka.classifiers.trees.J48 -- -A`` hands
    what follows ``--`` to the inner J48; ``-B "weka.classifiers.trees.J48 -U"`` nests them in
    quotes. Bare options (the command line's ``Options:`` line) are J48's own.
    """
    words = split_options(text)
    scheme = words[0] if words and words[0].startswith("weka.") else ""
    if not scheme and any(word.startswith("weka.") for word in words):
        scheme = UNNAMED_WRAPPER
    return [read_words(own).describe(text=text.strip(), scheme=scheme) for own in _j48_words(words)]


def _j48_words(words: list[str]) -> list[list[str]]:
    """The words that belong to each J48 of an option string."""
    if words and words[0] == J48_SCHEME:
        return [words[1:]]
    members: list[list[str]] = []
    meta_members: list[list[str]] = []
    behind = words[words.index("--") + 1 :] if "--" in words else []
    names_scheme = False
    for before, word in zip(["", *words], words, strict=False):
        # The meta classifier of stacking is named first and printed last.
        chosen = meta_members if before == "-M" else members
        if word == J48_SCHEME:
            chosen.append(behind)
        elif word.startswith("weka.") and " " in word:
            chosen.extend(_j48_words(split_options(word)))
        names_scheme = names_scheme or word.startswith("weka.")
    return members + meta_members if names_scheme else [words]


def find_tree_options(options: Options) -> J48Options:
    """All options of a tree: what is known of them, then its option string, then the defaults.

    An option string with several J48s does not tell which of them grew the tree.
    """
    own = _j48_words(split_options(options.text or ""))
    fields, _ = parse_words(own[0] if len(own) == 1 else [])
    for name in ("laplace", "binary", "reduced_error", "unpruned", "midpoint", "folds"):
        value = getattr(options, name)
        if value is not None:
            fields[name] = value
    return J48Options(**fields)  # type: ignore[arg-type]
