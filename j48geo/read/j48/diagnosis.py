"""Why a text could not be read: which line, or which other program wrote it.

`explain_failure` explains the furthest line of a tree block, in words and with its place;
`refuse_banner` and `refuse_body` name the texts that look like a J48 tree and are none.
"""

from __future__ import annotations

import re
from typing import NamedTuple

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
    wanted = _describe_expected(failure.frame, depth, vocabulary)
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


def _describe_expected(frame: OpenNode | None, depth: int, vocabulary: Vocabulary) -> str:
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
    place: TextPosition, pos: int, condition: re.Match[str], vocabulary: Vocabulary
) -> ModelReadError | None:
    name, operator = condition["name"], condition["operator"]
    if operator == vocabulary.dialect.greater or operator == "!=":
        before = vocabulary.dialect.less if operator != "!=" else "="
        return place.error(
            pos + condition.start("operator"),
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
    at = pos + condition.start("operator")
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
    return _unknown_value(place, pos, condition, vocabulary)


def _unknown_value(
    place: TextPosition, pos: int, condition: re.Match[str], vocabulary: Vocabulary
) -> ModelReadError | None:
    name, operand = condition["name"], re.split(r" ?: ", condition["operand"])[0]
    if not isinstance(vocabulary, KnownVocabulary) or name not in vocabulary.nominal:
        return None
    if operand in vocabulary.value_sets[name]:
        return None
    return place.error(
        pos + condition.start("operand"),
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


# ----------------------------------------------------------- texts of other programs

_LINES = 20_000
_WIDTH = 400
_NOT_READ = "expected the text of a Weka J48 tree"


class _Sign(NamedTuple):
    pattern: str
    problem: str
    expected: str = _NOT_READ


_BANNERS = (
    _Sign(
        r"\A\s*(?:%[^\n]*\n\s*)*@relation",
        "this is ARFF data, not a tree",
        "expected the model first, then the data",
    ),
    _Sign(r"^J48graft (?:un)?pruned tree", "this is the tree of J48graft, not of J48"),
    _Sign(r"^REPTree[ \t]*\n=+", "this is the tree of REPTree, not of J48"),
    _Sign(r"^RandomTree[ \t]*\n=+", "this is the tree of RandomTree, not of J48"),
    _Sign(r"^CART Decision Tree", "this is the tree of SimpleCart, not of J48"),
    _Sign(r"^Best-First Decision Tree", "this is the tree of BFTree, not of J48"),
    _Sign(r"^NBTree[ \t]*\n-+", "this is the tree of NBTree, not of J48"),
    _Sign(r"^Logistic model tree", "this is the tree of LMT, not of J48"),
    _Sign(r"^FT(?:Inner|Leaves)? tree", "this is the tree of FT, not of J48"),
    _Sign(r"^Alternating decision tree", "this is the tree of ADTree, not of J48"),
    _Sign(r"^(?:weka.classifiers.trees.)?LADTree:", "this is the tree of LADTree, not of J48"),
    _Sign(r"^RandomForest[ \t]*$", "this is a RandomForest, not a J48 tree"),
    _Sign(r"^Id3[ \t]*\n", "this is the tree of Id3, not of J48"),
    _Sign(r"^Decision Stump", "this is the tree of DecisionStump, not of J48"),
    _Sign(r"^PART decision list", "this is a rule list of PART, not a J48 tree"),
    _Sign(r"^JRIP rules", "this is a rule list of JRip, not a J48 tree"),
    _Sign(r"^M5 (?:un)?(?:pruned|smoothed)", "this is the tree of M5P, not of J48"),
    _Sign(r"^C4\.5 \[release", "this is the output of Quinlan's C4.5, not of J48"),
    _Sign(r"C5\.0 \[Release|^See5 \[Release", "this is the output of C5.0, not of J48"),
    _Sign(r"^Fitted party:|^Model formula:", "this is a tree of R's partykit, not of J48"),
    _Sign(r"node\), split, n,", "this is a tree of R's rpart, not of J48"),
    _Sign(r"^\|--- ", "this is scikit-learn's export_text, not a J48 tree"),
    _Sign(
        r"^// Generated with Weka|^class Weka\w* *\{|extends AbstractClassifier",
        "this is J48 as Java source code (-z), which has neither names nor counts",
        "expected the tree that J48 prints without -z",
    ),
    _Sign(
        r"^No classifier built",
        "the J48 object was never trained, so there is no tree",
        "expected the text of a trained J48",
    ),
    _Sign(
        r"^Bagging with \d+ iterations",
        "Bagging printed no trees",
        "expected its output with the option -print",
    ),
)

_BODIES = (
    _Sign(r"^[ \t]*\d+\) root ", "this is a tree of R's rpart, not of J48"),
    _Sign(r"^\|?[ \t]*\[\d+\] .*\(n = \d+", "this is a tree of R's partykit, not of J48"),
    _Sign(r"^[ :]*:\.\.\.|^Decision tree:[ \t]*$", "this is the output of C5.0, not of J48"),
    _Sign(
        r"\) \[\d+(?:\.\d+)?/\d+(?:\.\d+)?\][ \t]*$",
        "this looks like the tree of REPTree, not of J48",
    ),
    _Sign(
        r" (?:<|>=) \S+ : .* \(\d+(?:\.\d+)?/\d+(?:\.\d+)?\)[ \t]*$",
        "this looks like the tree of RandomTree or REPTree, not of J48",
    ),
    _Sign(
        r"^(?:\|  )+\S.* < \S+: .*\(\d",
        "this looks like the tree of SimpleCart or BFTree, not of J48",
    ),
    _Sign(r"\(\d+(?:\.\d+)?\|\d+", "this looks like the tree of J48graft, not of J48"),
    _Sign(r": NB ?\d+[ \t]*$", "this looks like the tree of NBTree, not of J48"),
    _Sign(r": LM_\d+:", "this looks like the tree of LMT, not of J48"),
    _Sign(r"^\|? *\(\d+\)\S.*: -?\d", "this looks like the tree of ADTree, not of J48"),
    _Sign(r" AND[ \t]*$", "this looks like a rule list of PART, not a J48 tree"),
    _Sign(
        r"^(?:\|   )*\S.* (?:<=|>|=) \S+ :[ \t]*$|^\S.* <= \S+ : \S+ \(\d+\.\d",
        "this looks like the output of Quinlan's C4.5, not of J48",
    ),
)


def refuse_banner(place: TextPosition) -> None:
    """Refuse a text in which another program names itself.

    Raises
    ------
    ModelReadError
    """
    _refuse(_BANNERS, place)


def refuse_body(place: TextPosition) -> None:
    """Refuse a text whose lines are in another program's layout.

    Raises
    ------
    ModelReadError
    """
    _refuse(_BODIES, place)


def _refuse(signs: tuple[_Sign, ...], place: TextPosition) -> None:
    lines, starts = _head(place.text)
    matches = [(m.start(), sign) for sign in signs if (m := re.search(sign.pattern, lines, re.M))]
    if matches:
        pos, sign = min(matches, key=lambda pair: pair[0])
        raise place.error(starts[lines.count("\n", 0, pos)], sign.problem, sign.expected)


def _head(text: str) -> tuple[str, list[int]]:
    """The beginning of the text with its long lines cut, and where each line begins.

    The signs are patterns; noise of any size and shape must not make them slow.
    """
    lines: list[str] = []
    starts: list[int] = []
    pos = 0
    while pos < len(text) and len(lines) < _LINES:
        stop = text.find("\n", pos)
        stop = len(text) if stop < 0 else stop
        lines.append(text[pos : min(stop, pos + _WIDTH)])
        starts.append(pos)
        pos = stop + 1
    return "\n".join(lines), starts or [0]
