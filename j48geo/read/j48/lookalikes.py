"""Texts that look like a J48 tree and are none: each is refused by its name."""

from __future__ import annotations

import re
from typing import NamedTuple

from j48geo.read.j48.text import TextPosition

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
    found = [(m.start(), sign) for sign in signs if (m := re.search(sign.pattern, lines, re.M))]
    if found:
        pos, sign = min(found, key=lambda pair: pair[0])
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
