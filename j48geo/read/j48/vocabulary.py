"""What a branch line may say: in which dialect, and with the header known or guessed.

`DIALECTS` lists how producers of tree texts differ in their lines.

J48 quotes nothing, so a name or value may hold blanks, colons, operators, parentheses, even
line breaks. With the header known a line is therefore never taken apart by a pattern: names
and values are looked up at every place where they could end (J48-TEXT-FORMAT.md section 6).
Without it every way to take the line apart is offered, and the sibling lines must agree.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import inf, isfinite
from typing import Literal, NamedTuple

from j48geo.core.dataset import Header

DialectName = Literal[
    "weka", "unico", "mems-studio", "whole-counts", "no-counts", "edgeai", "matlab"
]
"""Producers of tree texts; ``unico`` reads as Weka's and differs below the tree."""


@dataclass(frozen=True)
class Dialect:
    """How one producer writes its lines.

    Parameters
    ----------
    less, greater
        Operators of a numeric split, in the order of the branches.
    greater_text
        The right operator with the blanks around it.
    colon
        What stands between a branch and its label.
    counts
        Pattern of the counts after the label; None if there are none.
    """

    name: DialectName
    less: str = "<="
    greater: str = ">"
    greater_text: str = " > "
    colon: str = ": "
    counts: re.Pattern[str] | None = None


_WEKA_COUNTS = re.compile(r"\((\d+\.\d+(?:E\d+)?)(?:/(\d+\.\d+(?:E\d+)?))?\)")
_MEMS_COUNTS = re.compile(r"\((\d+)(?:/(\d+(?:\.\d+)?))?\)")

WEKA = Dialect("weka", counts=_WEKA_COUNTS)
WITHOUT_COUNTS = Dialect("no-counts")

# In the order in which they are tried; the first that reads the whole block is right.
DIALECTS: tuple[Dialect, ...] = (
    WEKA,
    Dialect("mems-studio", colon=" : ", counts=_MEMS_COUNTS),
    Dialect("whole-counts", counts=_MEMS_COUNTS),
    WITHOUT_COUNTS,
    Dialect("edgeai", greater_text=" >  ", counts=_WEKA_COUNTS),
    Dialect("edgeai", greater_text=" >  "),
    Dialect("matlab", less="<", greater=">=", greater_text=" >= ", counts=_WEKA_COUNTS),
    Dialect("matlab", less="<", greater=">=", greater_text=" >= "),
)

# A threshold as any JVM prints it: the minus sign and the digits follow its locale.
_MARKS = "[\u200e\u200f\u061c]*"
NUMBER = re.compile(rf"{_MARKS}[-+\u2212\u2013]?{_MARKS}\d+(?:\.\d*)?(?:[eE][-+]?\d+)?")
_INVISIBLE = dict.fromkeys(map(ord, "\u200e\u200f\u061c")) | {0x2212: "-", 0x2013: "-"}


def parse_threshold(token: str) -> float:
    """The value of a threshold token, whatever the locale of the JVM that printed it."""
    return float(token.translate(_INVISIBLE))


_MARGIN = 8  # room for the operator or colon behind a word
# Counts in brackets of any script, or a bracket at the end of the line.
_COUNTS_INSIDE = re.compile(
    r"[(\[\uff08\uff3b\u3010\u3014] ?\d+[.,]\d+(?:/\d+[.,]\d+)? ?[)\]\uff09\uff3d\u3011\u3015]"
    r"|[)\uff09][ \t]*$"
)
_LONGEST_LINE = 4_000  # a line without a header is not taken apart beyond this


class LeafText(NamedTuple):
    """The end of a leaf line."""

    label: str
    weight: float | None
    errors: float | None
    token: str


class Condition(NamedTuple):
    """A branch line up to its condition; `end` is where the condition ends."""

    name: str
    operator: str
    operand: str
    end: int


class Branch(NamedTuple):
    """One branch line; `start` is its first character, `end` the one after its line break."""

    depth: int
    name: str
    operator: str
    operand: str
    leaf: LeafText | None
    start: int
    end: int


class OpenNode(NamedTuple):
    """A node whose branches are being read: the first branch, the last one, how many of them."""

    first: Condition
    last: Condition
    seen: int


class Vocabulary:
    """What both kinds of vocabulary share."""

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect

    def conditions(self, text: str, pos: int) -> Iterator[Condition]:
        """Every first branch of a node that can begin at `pos`."""
        raise NotImplementedError

    def sibling_conditions(self, text: str, pos: int, frame: OpenNode) -> Iterator[Condition]:
        """Every branch at `pos` that can follow in the node of `frame`."""
        raise NotImplementedError

    def is_complete(self, text: str, pos: int, frame: OpenNode, marks: str) -> bool:
        """Whether the node has all its branches, the text going on at `pos`."""
        raise NotImplementedError

    def labels(self, text: str, pos: int) -> Iterator[tuple[str, int]]:
        """Every label that can begin at `pos`, with its end."""
        raise NotImplementedError

    def tails(self, text: str, pos: int) -> Iterator[tuple[LeafText | None, int]]:
        """What can follow a condition: the line's end (None), or a label with its counts."""
        if pos == len(text) or text[pos] == "\n":
            yield None, min(pos + 1, len(text))
            return
        colon = self.dialect.colon
        if text.startswith(colon, pos):
            yield from self.leaves(text, pos + len(colon))

    def leaves(self, text: str, pos: int) -> Iterator[tuple[LeafText | None, int]]:
        """A label that begins at `pos`, with its counts up to the line's end."""
        counts = self.dialect.counts
        for label, end in self.labels(text, pos):
            if counts is None:
                yield LeafText(label, None, None, ""), min(end + 1, len(text))
                continue
            match = counts.match(text, end + 1)
            if match and (match.end() == len(text) or text[match.end()] == "\n"):
                weight = float(match[1])
                errors = 0.0 if match[2] is None else float(match[2])
                if inf in (weight, errors):
                    continue
                leaf = LeafText(label, weight, errors, match[0])
                yield leaf, min(match.end() + 1, len(text))

    def threshold(self, text: str, pos: int) -> tuple[str, int] | None:
        """The number at `pos`, if the condition can end after it."""
        match = NUMBER.match(text, pos)
        if match and self.ends_condition(text, match.end()) and isfinite(parse_threshold(match[0])):
            return match[0], match.end()
        return None

    def ends_condition(self, text: str, pos: int) -> bool:
        """Whether a condition can end at `pos`."""
        return pos == len(text) or text[pos] == "\n" or text.startswith(self.dialect.colon, pos)

    def second_numeric(self, text: str, pos: int, frame: OpenNode) -> Iterator[Condition]:
        """The right branch of a numeric split: forced text, the same token again."""
        first = frame.first
        wanted = f"{first.name}{self.dialect.greater_text}{first.operand}"
        end = pos + len(wanted)
        if text.startswith(wanted, pos) and self.ends_condition(text, end):
            yield Condition(first.name, self.dialect.greater, first.operand, end)


class KnownVocabulary(Vocabulary):
    """Names, values and labels of a header."""

    def __init__(self, header: Header, dialect: Dialect) -> None:
        super().__init__(dialect)
        self.header = header
        attributes = [a for i, a in enumerate(header.attributes) if i != header.class_index]
        self.numeric = {a.name: None for a in attributes if a.is_numeric}
        self.nominal = {a.name: a.values for a in attributes if a.is_nominal}
        self.value_sets = {name: frozenset(values) for name, values in self.nominal.items()}
        self.classes = frozenset(header.classes)
        self.name_reach = _Reach.of([*self.numeric, *self.nominal])
        self.value_reach = {name: _Reach.of(values) for name, values in self.nominal.items()}
        self.label_reach = _Reach.of(header.classes)

    def conditions(self, text: str, pos: int) -> Iterator[Condition]:
        limit = self.name_reach.limit(text, pos)
        for at in _places(text, f" {self.dialect.less} ", pos, limit):
            name = text[pos:at]
            if name in self.numeric:
                threshold = self.threshold(text, at + len(self.dialect.less) + 2)
                if threshold:
                    yield Condition(name, self.dialect.less, *threshold)
        for at in _places(text, " = ", pos, limit):
            name = text[pos:at]
            if name in self.nominal:
                for value, end in self.values(text, at + 3, name):
                    yield Condition(name, "=", value, end)

    def values(self, text: str, pos: int, name: str) -> Iterator[tuple[str, int]]:
        """Every declared value of `name` that can stand at `pos`, with its end."""
        limit = self.value_reach[name].limit(text, pos)
        for end in _ends(text, pos, limit, self.dialect.colon):
            if text[pos:end] in self.value_sets[name]:
                yield text[pos:end], end

    def sibling_conditions(self, text: str, pos: int, frame: OpenNode) -> Iterator[Condition]:
        first = frame.first
        if first.operator != "=":
            yield from self.second_numeric(text, pos, frame)
            return
        values = self.nominal[first.name]
        wanted = []
        if frame.seen == 1:
            wanted.append(("!=", first.operand))
        if first.operand == values[0] and frame.seen < len(values):
            wanted.append(("=", values[frame.seen]))
        for operator, value in wanted:
            branch = f"{first.name} {operator} {value}"
            end = pos + len(branch)
            if text.startswith(branch, pos) and self.ends_condition(text, end):
                yield Condition(first.name, operator, value, end)

    def is_complete(self, text: str, pos: int, frame: OpenNode, marks: str) -> bool:
        if frame.first.operator != "=" or frame.last.operator == "!=":
            return frame.seen == 2
        values = self.nominal[frame.first.name]
        return frame.seen == len(values) and frame.first.operand == values[0]

    def labels(self, text: str, pos: int) -> Iterator[tuple[str, int]]:
        limit = self.label_reach.limit(text, pos)
        if self.dialect.counts is None:
            for end in _ends(text, pos, limit, None):
                if text[pos:end] in self.classes:
                    yield text[pos:end], end
            return
        for end in _places(text, " (", pos, limit):
            if text[pos:end] in self.classes:
                yield text[pos:end], end


class GuessedVocabulary(Vocabulary):
    """No header: every way to take the line apart; what the siblings confirm is certain.

    Parameters
    ----------
    names, classes
        Names of all attributes and labels of all classes, where the text lists them.
    """

    def __init__(
        self, dialect: Dialect, names: Iterable[str] = (), classes: Iterable[str] = ()
    ) -> None:
        super().__init__(dialect)
        self.names = frozenset(names)
        self.classes = frozenset(classes)

    def can_be_name(self, text: str, pos: int, end: int) -> bool:
        """Whether the name of an attribute may stand between two places."""
        if self.names:
            return text[pos:end] in self.names
        return end > pos and not text.startswith(("|", " ", "\t"), pos)

    def conditions(self, text: str, pos: int) -> Iterator[Condition]:
        limit = _line_end(text, pos)
        for at in _places(text, f" {self.dialect.less} ", pos, limit):
            threshold = self.threshold(text, at + len(self.dialect.less) + 2)
            if threshold and self.can_be_name(text, pos, at):
                yield Condition(text[pos:at], self.dialect.less, *threshold)
        for at in _places(text, " = ", pos, limit):
            if self.can_be_name(text, pos, at):
                for end in _ends(text, at + 3, limit, self.dialect.colon):
                    yield Condition(text[pos:at], "=", text[at + 3 : end], end)

    def sibling_conditions(self, text: str, pos: int, frame: OpenNode) -> Iterator[Condition]:
        first = frame.first
        if first.operator != "=":
            yield from self.second_numeric(text, pos, frame)
            return
        against = f"{first.name} != {first.operand}"
        if frame.seen == 1 and text.startswith(against, pos):
            end = pos + len(against)
            if self.ends_condition(text, end):
                yield Condition(first.name, "!=", first.operand, end)
        again = f"{first.name} = "
        if text.startswith(again, pos):
            start = pos + len(again)
            for end in _ends(text, start, _line_end(text, pos), self.dialect.colon):
                if text[start:end] != first.operand:
                    yield Condition(first.name, "=", text[start:end], end)

    def is_complete(self, text: str, pos: int, frame: OpenNode, marks: str) -> bool:
        if frame.first.operator != "=" or frame.last.operator == "!=":
            return frame.seen == 2
        # The number of values is unknown: the node goes on while its name does.
        return frame.seen >= 2 and not text.startswith(f"{marks}{frame.first.name} = ", pos)

    def labels(self, text: str, pos: int) -> Iterator[tuple[str, int]]:
        for label, end in self._possible_labels(text, pos):
            if not self.classes or label in self.classes:
                yield label, end

    def _possible_labels(self, text: str, pos: int) -> Iterator[tuple[str, int]]:
        limit = _line_end(text, pos)
        if self.dialect.counts is None:
            # Counts that cannot be read are never part of a label.
            if limit > pos and _COUNTS_INSIDE.search(text, pos, limit) is None:
                yield text[pos:limit], limit
            return
        at = text.rfind(" (", pos, limit)
        if at > pos:
            yield text[pos:at], at


class InventedLabels(KnownVocabulary):
    """The header's attributes with class labels of the text's own (``pos_X``, ``neg_X``)."""

    def labels(self, text: str, pos: int) -> Iterator[tuple[str, int]]:
        at = text.rfind(" (", pos, _line_end(text, pos))
        if text.startswith(("pos_", "neg_"), pos) and at > pos:
            yield text[pos:at], at


class _Reach(NamedTuple):
    """How far to look for the end of a word: no longer than the longest one."""

    width: int
    beyond_line: bool

    @classmethod
    def of(cls, words: Iterable[str]) -> _Reach:
        texts = list(words)
        width = max(map(len, texts), default=0) + _MARGIN
        return cls(width, any("\n" in word for word in texts))

    def limit(self, text: str, pos: int) -> int:
        end = min(len(text), pos + self.width)
        if self.beyond_line:
            return end
        stop = text.find("\n", pos, end)
        return end if stop < 0 else stop


def _line_end(text: str, pos: int) -> int:
    end = text.find("\n", pos, pos + _LONGEST_LINE)
    return min(len(text), pos + _LONGEST_LINE) if end < 0 else end


def _places(text: str, mark: str, pos: int, limit: int) -> Iterator[int]:
    at = text.find(mark, pos, limit)
    while at >= 0:
        yield at
        at = text.find(mark, at + 1, limit)


def _ends(text: str, pos: int, limit: int, colon: str | None) -> Iterator[int]:
    """Where a value that begins at `pos` can end: at a line's end, or before a colon."""
    stops = re.compile("\n" if colon is None else f"\n|{re.escape(colon)}")
    for stop in stops.finditer(text, pos, limit):
        yield stop.start()
    if limit == len(text) or text[limit] == "\n":
        yield limit
