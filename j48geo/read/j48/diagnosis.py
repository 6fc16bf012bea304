"""Why a line of a tree block could not be read, in words and with its place."""

from __future__ import annotations

import re

from j48geo.errors import ModelReadError
from j48geo.read.j48.scanner import MARK, ScanFailure
from j48geo.read.j48.text import TextPosition
from j48geo.read.j48.vocabulary import KnownVocabulary, OpenNode, Vocabulary
from j48geo.text import list_first, pluralize, quote_value, shorten

_CONDITION = re.compile(r"(?P<name>.+?) (?P<operator><=|>=|!=|<|>|=) +(?P<operand>.*)")
_LEAF = re.compile(r"(?P<operand>.*?) ?: (?P<label>.*?)(?P<counts> \([^()]*\))?$")


def explain_failure(
    place: TextPosition, failure: ScanFailure, vocabulary: Vocabulary
) -> ModelReadError:
    """The error for the furthest line that nothing could read."""
    text, pos, depth = place.text, failure.pos, failure.depth
    wanted = _wanted(failure.frame, depth, vocabulary)
    stop = text.find("\n", pos, pos + 2000)
    line = text[pos : stop if stop >= 0 else pos + 2000]
    if not text[pos : pos + 10_000].strip():
        return place.error(
            max(0, min(pos, len(text)) - 1),
            "the text ends inside the tree: branches are still open",
            f"expected {wanted}",
        )
    if not line.strip():
        return place.error(pos, "a blank line inside the tree", f"expected {wanted}")
    marked = re.match(r"(?>(?:\|   )*)", line)
    marks = len(marked[0]) // len(MARK) if marked else 0
    rest = line[marks * len(MARK) :]
    if marks <= depth and rest[:1] in ("|", " ", "\t") and not _names_bar(vocabulary):
        return place.error(
            pos + marks * len(MARK),
            "broken indentation",
            f"expected '|' and three blanks for each level, then {wanted}",
        )
    if marks > depth:
        return place.error(
            pos,
            f"the line is {marks} levels deep",
            f"expected {pluralize(depth, 'level')}: {wanted}",
        )
    if marks < depth:
        return place.error(pos, "a branch is missing", f"expected {wanted}")
    return _content(place, pos + marks * len(MARK), rest, failure.frame, wanted, vocabulary)


def _names_bar(vocabulary: Vocabulary) -> bool:
    """Whether a bar can begin a name, so that it need not be indentation."""
    return isinstance(vocabulary, KnownVocabulary) and any(
        name.startswith("|") for name in (*vocabulary.numeric, *vocabulary.nominal)
    )


def _wanted(frame: OpenNode | None, depth: int, vocabulary: Vocabulary) -> str:
    marks = MARK * depth
    if frame is None:
        return "a branch such as `" + (marks if depth < 20 else "") + "NAME <= NUMBER`"
    first = frame.first
    if first.operator in ("<=", "<"):
        greater = vocabulary.dialect.greater_text
        return _branch(marks, first.name, greater, first.operand)
    if isinstance(vocabulary, KnownVocabulary):
        values = vocabulary.nominal[first.name]
        if first.operand == values[0] and frame.seen < len(values):
            following = _branch(marks, first.name, " = ", values[frame.seen])
            if frame.seen > 1:
                return following
            return f"{following} or {_branch(marks, first.name, ' != ', first.operand)}"
    other = _branch(marks, first.name, " != ", first.operand)
    return f"{other} or another value of {quote_value(first.name)}"


def _branch(*parts: str) -> str:
    return f"`{''.join(shorten(part) for part in parts)}`"


def _content(
    place: TextPosition,
    pos: int,
    rest: str,
    frame: OpenNode | None,
    wanted: str,
    vocabulary: Vocabulary,
) -> ModelReadError:
    condition = _CONDITION.match(rest)
    if frame is not None:
        problem = _sibling_problem(place, pos, rest, condition, frame, wanted, vocabulary)
        if problem is not None:
            return problem
    if condition is None:
        return place.error(pos, f"`{shorten(rest)}` is no branch of a tree", f"expected {wanted}")
    if frame is None:
        problem = _condition_problem(place, pos, condition, vocabulary)
        if problem is not None:
            return problem
    at = pos + condition.start("operand")
    return _leaf_problem(place, at, condition["operand"], vocabulary, wanted)


def _sibling_problem(
    place: TextPosition,
    pos: int,
    rest: str,
    condition: re.Match[str] | None,
    frame: OpenNode,
    wanted: str,
    vocabulary: Vocabulary,
) -> ModelReadError | None:
    """Why a line is not the next branch of a node; None if its condition is."""
    first = frame.first
    is_same = condition is not None and rest.startswith(f"{first.name} ")
    if condition is not None and first.operator == "=" and condition["name"] == first.name:
        unknown = _unknown_value(place, pos, condition, vocabulary)
        if unknown is not None:
            return unknown
    if condition is not None and is_same and first.operator in ("<=", "<"):
        operand = re.split(r" ?: ", condition["operand"])[0]
        if condition["operator"] == vocabulary.dialect.greater and operand != first.operand:
            return place.error(
                pos + condition.start("operand"),
                f"the threshold is {shorten(operand)} here "
                f"and {shorten(first.operand)} in the branch above",
                f"expected {wanted}",
            )
    if is_same and wanted.strip("`").lstrip("| ") in rest:
        return None
    return place.error(pos, f"`{shorten(rest)}` is not the next branch", f"expected {wanted}")


def _condition_problem(
    place: TextPosition, pos: int, found: re.Match[str], vocabulary: Vocabulary
) -> ModelReadError | None:
    name, operator = found["name"], found["operator"]
    if operator == vocabulary.dialect.greater or operator == "!=":
        before = vocabulary.dialect.less if operator != "!=" else "="
        return place.error(
            pos + found.start("operator"),
            f"the branch `{shorten(name)} {operator}` comes first",
            f"expected `{shorten(name)} {before}` before it",
        )
    if not isinstance(vocabulary, KnownVocabulary):
        return None
    if name not in vocabulary.numeric and name not in vocabulary.nominal:
        if name == vocabulary.header.class_attribute.name:
            return place.error(
                pos,
                f"the tree tests {quote_value(name)}, the class attribute",
                "expected another class attribute",
            )
        return place.error(
            pos,
            f"attribute {quote_value(name)} is not in the data",
            f"expected one of {_names(vocabulary)}",
        )
    at = pos + found.start("operator")
    if name in vocabulary.nominal and operator != "=":
        values = list_first(vocabulary.nominal[name])
        return place.error(
            at,
            f"a numeric test on the nominal attribute {quote_value(name)}",
            f"expected `=` and one of {values}",
        )
    if name in vocabulary.numeric and operator == "=":
        return place.error(
            at,
            f"a nominal test on the numeric attribute {quote_value(name)}",
            "expected `<=` and a number",
        )
    return _unknown_value(place, pos, found, vocabulary)


def _unknown_value(
    place: TextPosition, pos: int, found: re.Match[str], vocabulary: Vocabulary
) -> ModelReadError | None:
    name, operand = found["name"], re.split(r" ?: ", found["operand"])[0]
    if not isinstance(vocabulary, KnownVocabulary) or name not in vocabulary.nominal:
        return None
    if operand in vocabulary.value_sets[name]:
        return None
    return place.error(
        pos + found.start("operand"),
        f"{quote_value(operand)} is no value of attribute {quote_value(name)}",
        f"expected one of {list_first(vocabulary.nominal[name])}",
    )


def _leaf_problem(
    place: TextPosition, pos: int, operand: str, vocabulary: Vocabulary, wanted: str
) -> ModelReadError:
    leaf = _LEAF.match(operand)
    if leaf is None:
        return place.error(pos, f"`{shorten(operand)}` cannot be read", f"expected {wanted}")
    at = pos + leaf.start("label")
    if isinstance(vocabulary, KnownVocabulary) and leaf["label"] not in vocabulary.classes:
        own = vocabulary.header.class_attribute.name
        others = [
            a.name
            for a in vocabulary.header.attributes
            if leaf["label"] in a.values and a.name != own
        ]
        hint = f"; it is a value of {list_first(others)}: is that the class?" if others else ""
        return place.error(
            at,
            f"class {quote_value(leaf['label'])} is not declared in the data, "
            f"whose class is {quote_value(own)}",
            f"expected one of {list_first(vocabulary.header.classes)}{hint}",
        )
    if leaf["counts"] is None and place.text.find("\n", pos) < 0:
        return place.error(
            at, "the text ends in the middle of a line", "expected counts such as `(12.0/3.0)`"
        )
    return place.error(
        at + len(leaf["label"]),
        f"the leaf ends in `{shorten(operand[leaf.end('label') :].strip())}`"
        if leaf["counts"]
        else "the leaf has no counts",
        "expected counts such as `(12.0/3.0)` and the end of the line",
    )


def _names(vocabulary: KnownVocabulary) -> str:
    return list_first([*vocabulary.numeric, *vocabulary.nominal])
