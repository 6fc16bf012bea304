"""What a line of a pasted text looks like, told from the line alone."""

from __future__ import annotations

import re

_NUMBER = r"\d+(?:[.,]\d+)?(?:E\d+)?"
BRANCH_OPERATOR = re.compile(r" (?P<operator><=|>=|!=|<|>|=)(?= |$)")
COUNTS_AT_END = re.compile(rf"\({_NUMBER}(?:/{_NUMBER})?\)$")
AFTER_TREE = re.compile(r"Number of Leaves|Size of (?:the )?tree|J48 \w+ tree|===|Time taken", re.I)
LINE_NUMBER = re.compile(r"[ \t]*(?P<number>\d+)(?P<rest>[ \t]*[:.)|\]\t][: .)|\]\t]*|[ \t]+|$)")
_COUNTS_TAIL = re.compile(rf"\(?(?:{_NUMBER}/)?{_NUMBER}\)")
_WITH_COMMA = re.compile(r"\(\d+,\d+(?:/\d+,\d+)?\)$|[<>]=? -?\d+,\d+(?::|$)")
_PAGE = re.compile(r"(?:[-–— ]*|page |p\. ?|seite )\d+(?: ?(?:/|of|von) ?\d+)?[-–— ]*", re.I)


def is_branch_like(line: str) -> bool:
    """Whether a line holds an operator, or ends as a leaf does."""
    line = line[:4000].rstrip()
    return BRANCH_OPERATOR.search(line) is not None or COUNTS_AT_END.search(line) is not None


def tree_regions(lines: list[str]) -> list[range]:
    """Where trees seem to stand: from a line at the left edge to the last one before a closing.

    A matrix of confusion ends in ` = ` and a label too, but its lines are indented.
    """
    regions: list[range] = []
    start = last = -1
    for i, line in enumerate(lines):
        if AFTER_TREE.match(line.lstrip()):
            if start >= 0:
                regions.append(range(start, last + 1))
            start = -1
        elif is_branch_like(line):
            if start < 0 and line[:1] not in ("|", " ", "\t"):
                start = i
            last = i
    if start >= 0:
        regions.append(range(start, last + 1))
    return regions


def describe_damage(line: str, following: str = "") -> str:
    """What damage a line that cannot be read looks like, in words; empty if like none."""
    line, following = line[:4000].strip(), following[:4000].strip()
    half = COUNTS_AT_END.search(line) and not BRANCH_OPERATOR.search(line)
    if half or _COUNTS_TAIL.fullmatch(line) or re.match(r"(?:<=|>=|!=|[<>=]) ", line):
        return "it looks like a continued line"
    if _WITH_COMMA.search(line):
        return "it looks like decimal commas"
    if _PAGE.fullmatch(line):
        return "it looks like a page number"
    numbered = LINE_NUMBER.match(line)
    if numbered and BRANCH_OPERATOR.search(line, numbered.end()):
        return "it looks like a numbered line"
    open_leaf = BRANCH_OPERATOR.search(line) and not COUNTS_AT_END.search(line)
    if open_leaf and following.endswith(")") and not BRANCH_OPERATOR.search(following):
        return "the line below it looks like a continued line"
    return ""
