"""Wrappers around J48 as a text shows them: who answers, and with which numbers.

A wrapper is recognised by everything it prints around its trees, from its first line to its
last. A text that says more or less than that, or says it otherwise, is refused by name: what
stands there may be another wrapper around this one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from lark import Token

from j48geo.core.dataset import Header
from j48geo.core.j48_options import UNNAMED_WRAPPER, parse_j48_options, split_options
from j48geo.core.tree import Options
from j48geo.core.tree_text import Entry
from j48geo.core.wrappers import Ensemble, NamedFilter

_META = "weka.classifiers.meta."
_BREAKS = frozenset(
    {"RUN", "MODEL", "FOLD_MODEL", "SCHEME", "OPTIONS", "SPLIT_EVALUATOR", "EVALUATION"}
)
_TREE = "\0"
_FOOTER = re.compile(r"Number of Leaves[ \t]*:[ \t]*\d+\s*Size of the tree[ \t]*:[ \t]*\d+")
# What the KnowledgeFlow prints between the line of the scheme and its text.
_KNOWLEDGE_FLOW = re.compile(r"\ARelation: [^\n]*(?:\nTraining Fold: \d+)?[ \t]*(?:\n|$)")
_J48 = r"weka\.classifiers\.trees\.J48(?![\w.])[^\n]*"
_NUMBER = r"-?\d+(?:[.,]\d+)?(?:E-?\d+)?"


@dataclass(frozen=True)
class _Seen:
    """A wrapper's text, a tree being one character, and what else is known of it."""

    text: str
    trees: tuple[int, ...]
    entries: Sequence[Entry]
    header: Header
    options: Options

    def made(self, name: str, **how: object) -> Ensemble:
        scheme = name if "." in name or "(" in name else f"{_META}{name}"
        made = Ensemble(scheme, self.header, self.trees, printed=True)
        return replace(made, **how)  # type: ignore[arg-type]

    @property
    def words(self) -> list[str]:
        """The words of the options that grew it."""
        return split_options(self.options.text or "")


def find_wrapper(
    text: str,
    spans: Sequence[tuple[int, int]],
    markers: Sequence[Token],
    entries: Sequence[Entry],
    options: Options,
    header: Header | None,
) -> Ensemble | None:
    """What is around the first tree of a text; None if it stands alone.

    Parameters
    ----------
    spans
        Where each tree begins, its banner included, and ends.
    options
        Those of the first tree.
    header
        Attributes of the data, if they are known.
    """
    if not spans or not entries[0].readings:
        return None
    start, stop, trees = _stretch(text, spans, markers)
    if header is None:
        header = entries[0].readings[0].header
    around = _FOOTER.sub("", _without_trees(text, [spans[k] for k in trees], start, stop))
    around = _KNOWLEDGE_FLOW.sub("", around.strip())
    seen = _Seen(around.strip(), trees, entries, header, options)
    named = _scheme_name(options.scheme)
    for name, first in _FIRST.items():
        if re.match(first, seen.text) is None:
            continue
        if named not in ("", "J48", UNNAMED_WRAPPER, name):
            break  # it prints the same, or is around it
        found = _KNOWN[name](seen)
        if found is not None:
            return found
        return seen.made(name, refusal="what it prints is not that of J48 trees alone")
    if named in ("", "J48"):
        other = _name_other_wrapper(seen.text)
        return None if other is None else seen.made(other, refusal=_UNKNOWN)
    if named == UNNAMED_WRAPPER:
        return seen.made(_name_other_wrapper(seen.text) or UNNAMED_WRAPPER, refusal=_UNKNOWN)
    return seen.made(options.scheme, refusal=_UNKNOWN)


_UNKNOWN = "its whole answer is not known"
_FIRST_WORD = re.compile(
    r"(MultiBoostAB|Decorate|Dagging|Grading|Stacking\w*|RandomCommittee|RotationForest|MetaCost"
    r"|OrdinalClassClassifier|RandomSubSpace|ThresholdSelector|ClassificationVia\w+|RealAdaBoost"
    r"|InputMappedClassifier|MultiScheme|LogitBoost)\b"
)
"""Wrappers that are known by the first word of their text."""
_OTHER_LINES = {
    "AdaBoostM1": r"AdaBoostM1: ",
    "AdditiveRegression": r"Additive Regression$",
    "AttributeSelectedClassifier": r"AttributeSelectedClassifier:$|Header of reduced data:$",
    "ClassBalancedND": r"ClassBalancedND$",
    "ClassificationViaRegression": r"Classification via Regression$",
    "CostSensitiveClassifier": r"CostSensitiveClassifier using |Cost Matrix$",
    "CVParameterSelection": r"Cross-validated Parameter selection\.$",
    "DataNearBalancedND": r"DataNearBalancedND$",
    "Decorate": r"Decorate base classifiers:|Number of classifier in the ensemble:",
    "RandomizableFilteredClassifier": r"RandomizableFilteredClassifier using ",
    "FilteredClassifier": r"FilteredClassifier using |Filtered Header$",
    "Grading": r"Grading$",
    "InputMappedClassifier": r"InputMappedClassifier:$|Attribute mappings:$",
    "IterativeClassifierOptimizer": r"Best number of iterations found: ",
    "LogitBoost": r"LogitBoost: ",
    "MetaCost": r"MetaCost cost sensitive classifier",
    "MultiBoostAB": r"MultiBoostAB: ",
    "MultiClassClassifier": r"MultiClassClassifier$",
    "MultiScheme": r"MultiScheme selection using |Selected scheme: weka\.",
    "OrdinalClassClassifier": r"OrdinalClassClassifier$",
    "RegressionByDiscretization": (
        r"Regression by discretization$|Class attribute discretized into \d+ values"
    ),
    "Stacking": r"Stacking$|Meta classifier$",
    "StackingC": r"StackingC$|Meta classifiers \(one for each class\)$",
    "ThresholdSelector": r"Threshold Selector\.$|Index of designated class: ",
    "Vote": r"Vote combines the probability|All the models:$",
    "WeightedInstancesHandlerWrapper": r"WeightedInstancesHandlerWrapper$",
    UNNAMED_WRAPPER: (
        r"All the base classifiers:|Base classifiers?(?:$|:)|Classifier: weka\.|Classifier Model$"
        r"|Number of performed Iterations: |Weight: -?\d"
    ),
}
"""Lines that only a wrapper prints, wherever it stands: before, between or behind its trees.

They were collected from every classifier of Weka 3.9.7 and 3.6.14 that takes another one."""
_OTHER_WRAPPERS = {
    name: re.compile(rf"^[ \t]*(?:{line})", re.M)  # a blank may stand behind a title
    for name, line in ((k, v.replace("$", r"[ \t]*$")) for k, v in _OTHER_LINES.items())
}


def _name_other_wrapper(around: str) -> str | None:
    """The wrapper that printed what stands around the trees, if a line tells one."""
    first = _FIRST_WORD.match(around)
    if first is not None:
        return first[1]
    lines = {name: line.search(around) for name, line in _OTHER_WRAPPERS.items()}
    starts = {name: line.start() for name, line in lines.items() if line is not None}
    # The outermost wrapper prints first.
    return min(starts, key=starts.__getitem__) if starts else None


def _scheme_name(scheme: str) -> str:
    return scheme if scheme == UNNAMED_WRAPPER else scheme.rpartition(".")[2]


def _stretch(
    text: str, spans: Sequence[tuple[int, int]], markers: Sequence[Token]
) -> tuple[int, int, tuple[int, ...]]:
    """From the last line that belongs to a run to the next one; and the trees in between."""
    start, stop = 0, len(text)
    first = spans[0][0]
    inside = 0
    for marker in markers:
        at, end = marker.start_pos or 0, marker.end_pos or 0
        while inside < len(spans) and spans[inside][1] <= at:
            inside += 1
        if inside < len(spans) and spans[inside][0] <= at:
            continue  # a name inside a tree
        ends = marker.type in _BREAKS or marker.type == "TIMES"
        if at < first and marker.type in _BREAKS:
            start = end
        elif at > first and ends:
            stop = at
            break
    return start, stop, tuple(k for k, span in enumerate(spans) if span[0] < stop)


def _without_trees(text: str, spans: Sequence[tuple[int, int]], start: int, stop: int) -> str:
    parts = []
    for begin, end in spans:
        parts += [text[start:begin].replace(_TREE, ""), _TREE]
        start = end
    return "".join([*parts, text[start:stop].replace(_TREE, "")])


# ------------------------------------------------------------------------------- committees


def _boosting(seen: _Seen) -> Ensemble | None:
    if re.fullmatch(
        rf"AdaBoostM1: No boosting possible, one classifier used!\s*{_TREE}", seen.text
    ):
        return seen.made("AdaBoostM1")
    found = re.fullmatch(
        rf"AdaBoostM1: Base classifiers and their weights:\s*((?:{_TREE}\s*Weight: {_NUMBER}\s*)+)"
        r"Number of performed Iterations: (\d+)",
        seen.text,
    )
    if found is None or int(found[2]) != len(seen.trees):
        return None
    weights = [float(x.replace(",", ".")) for x in re.findall(rf"Weight: ({_NUMBER})", found[1])]
    return seen.made("AdaBoostM1", rule="boost", weights=np.array(weights), slack=(0.005, 0.005))


def _bagging(seen: _Seen) -> Ensemble | None:
    found = re.fullmatch(
        rf"(?:Bagging with (\d+) iterations and base learner\s*({_J48})\s*)?"
        rf"All the base classifiers:\s*(?:{_TREE}\s*)+",
        # The base learner stands on the same line.
        seen.text.replace("All the base classifiers:", "\nAll the base classifiers:", 1).lstrip(),
    )
    if found is None:
        return None
    words = seen.words
    wanted = found[1]
    if wanted is None and words:
        wanted = words[words.index("-I") + 1] if "-I" in words[:-1] else "10"
    if wanted is not None and wanted != str(len(seen.trees)):
        return seen.made("Bagging", refusal=f"{len(seen.trees)} of its {wanted} trees are printed")
    if wanted is None and len(seen.trees) < 2:
        return None
    laplace = parse_j48_options(found[2])[0].laplace if found[2] else None
    return seen.made("Bagging", rule="average", laplace=(laplace,) * len(seen.trees))


def _vote(seen: _Seen) -> Ensemble | None:
    found = re.fullmatch(
        r"Vote combines the probability distributions of these base learners:\n"
        r"((?:\s*weka[^\n]*\n)+)\s*using the '([^'\n]*)' combination rule\s*"
        r"All the models:\s*([\s\S]*)",
        seen.text,
    )
    if found is None:
        return None
    members = [line.strip() for line in found[1].strip().split("\n")]
    others = [line for line in members if not re.fullmatch(_J48, line)]
    if others:
        name = others[0].split(" ")[0]
        return seen.made("Vote", refusal=f"{name} inside is no J48")
    if found[2] not in ("Average", "Average of Probabilities"):
        why = "its combination rule is not the average of probabilities"
        return seen.made("Vote", refusal=why)
    if not re.fullmatch(rf"(?:{_TREE}\s*)+", found[3]) or len(members) != len(seen.trees):
        return None
    laplace = tuple(parse_j48_options(line)[0].laplace for line in members)
    return seen.made("Vote", rule="average", laplace=laplace)


def _one_against_all(seen: _Seen) -> Ensemble | None:
    name = "MultiClassClassifier"
    if re.fullmatch(rf"{name}\s*Classifier 1\s*{_TREE}", seen.text):
        return seen.made(name)  # of two classes: the tree itself
    if re.search(r"^Classifier \d+, \d+ vs \d+", seen.text, re.M):
        why = "its method is 1-against-1; only 1-against-all is known"
        return seen.made(name, refusal=why)
    one = (
        r"Classifier (\d+), using indicator values: Strings: (\d+)\s*Invert: false\s*"
        rf"Cols: (\d+)\s*{_TREE}\s*"
    )
    if not re.fullmatch(rf"{name}\s*(?:{one})+", seen.text):
        return None
    told = [set(map(int, numbers)) for numbers in re.findall(one, seen.text)]
    if told != [{k} for k in range(1, len(told) + 1)]:
        return seen.made(name, refusal="its members do not tell one class from all others each")
    if seen.header.inferred:
        return seen.made(name, refusal="its text does not tell the classes")
    classes = seen.header.classes
    if len(told) != len(classes):
        return seen.made(name, refusal=f"{len(told)} members for {len(classes)} classes")
    for k, (label, tree) in enumerate(zip(classes, seen.trees, strict=True)):
        for reading in seen.entries[tree].readings:
            if not {f"neg_{label}", f"pos_{label}"} >= set(reading.classes):
                why = f"member {k + 1} does not tell the class {label!r} apart"
                return seen.made(name, refusal=why)
    return seen.made(name, rule="one of each")


# ------------------------------------------------------------------------------- one member


def _cost_sensitive(seen: _Seen) -> Ensemble | None:
    name = "CostSensitiveClassifier"
    found = re.fullmatch(
        rf"{name} using (minimized expected misclas\w* cost|reweighted training instances)\s*"
        rf"({_J48})\s*Classifier Model\s*{_TREE}\s*Cost Matrix\n([-\d., E\n]+)",
        seen.text,
    )
    if found is None:
        return None
    if found[1].startswith("reweighted"):
        return seen.made(name)  # the costs are in the weights of the training rows
    printed = _matrix([row.split() for row in found[3].strip().split("\n")])
    classes = len(seen.entries[seen.trees[0]].readings[0].classes)
    if printed is None or len(printed) != classes:
        return seen.made(name, refusal=f"its costs are not those of {classes} classes")
    laplace = (parse_j48_options(found[2])[0].laplace,)
    words = seen.words
    if "-cost-matrix" in words[:-1]:
        given = words[words.index("-cost-matrix") + 1].strip("[] ")
        exact = _matrix([row.split() for row in given.split(";")])
        if exact is not None and exact.shape == printed.shape:
            return seen.made(name, rule="least cost", costs=exact, laplace=laplace)
    # Whole numbers may be rounded ones: Weka looks for decimals, and does not see all.
    slack = 0.005 if "." in found[3] else 0.5
    return seen.made(name, rule="least cost", costs=printed, slack=(slack, slack), laplace=laplace)


def _matrix(rows: list[list[str]]) -> np.ndarray | None:
    try:
        found = np.array([[float(x) for x in row] for row in rows])
    except ValueError:
        return None
    return found if found.ndim == 2 and found.shape[0] == found.shape[1] else None


_MAPPING = re.compile(
    r"\((numeric|nominal|string|relational)\) (.*?)[ \t]*--> (\d+) \((\w+)\) (.*?)[ \t]*"
)
"""An attribute of the model and the one of the data that InputMappedClassifier takes for it."""


def _input_mapped(seen: _Seen) -> Ensemble | None:
    name = "weka.classifiers.misc.InputMappedClassifier"
    report = re.fullmatch(
        rf"InputMappedClassifier:\s*{_TREE}\s*(?:Attribute mappings:\s*Model attributes\s+"
        r"Incoming attributes[ \t]*\n[ \t-]*\n([^\0]*))?",
        seen.text,
    )
    if report is None:
        return None
    for number, line in enumerate(report[1].split("\n") if report[1] else (), start=1):
        mapped = _MAPPING.fullmatch(line.strip(" \t"))
        if mapped is None or mapped[3] != str(number) or mapped.group(1, 2) != mapped.group(4, 5):
            return seen.made(name, refusal="it takes other attributes for those of the tree")
    return seen.made(name)


def _alone(name: str, pattern: str) -> Callable[[_Seen], Ensemble | None]:
    """A wrapper whose answer is that of its one tree."""

    def read(seen: _Seen) -> Ensemble | None:
        return seen.made(name) if re.fullmatch(pattern, seen.text) else None

    return read


def _filtered(seen: _Seen) -> Ensemble | None:
    found = re.fullmatch(
        rf"FilteredClassifier using {_J48} on data filtered through "
        rf"(weka\.[^\n]*)\s*Filtered Header\s*@relation(?:(?!Classifier Model)[^\0])*@data\s*"
        rf"Classifier Model\s*{_TREE}",
        seen.text,
    )
    if found is None:
        return None
    name, *options = split_options(found[1])
    return seen.made("FilteredClassifier", filter=NamedFilter(name, tuple(options)))


def _attribute_selected(seen: _Seen) -> Ensemble | None:
    if not re.fullmatch(
        rf"AttributeSelectedClassifier:[^\0]*?Header of reduced data:\s*@relation"
        rf"(?:(?!Classifier Model)[^\0])*@data\s*Classifier Model\s*{_TREE}",
        seen.text,
    ):
        return None
    chosen = NamedFilter("weka.filters.unsupervised.attribute.Remove")
    return seen.made("AttributeSelectedClassifier", filter=chosen)


_FIRST = {
    "AdaBoostM1": r"AdaBoostM1: ",
    "Bagging": r"Bagging with \d|All the base classifiers:",
    "Vote": r"Vote combines",
    "MultiClassClassifier": r"MultiClassClassifier\s",
    "CostSensitiveClassifier": r"CostSensitiveClassifier using",
    "FilteredClassifier": r"FilteredClassifier using",
    "AttributeSelectedClassifier": r"AttributeSelectedClassifier:",
    "CVParameterSelection": r"Cross-validated Parameter selection\.",
    "InputMappedClassifier": r"InputMappedClassifier:",
}
"""How the wrappers begin."""

_KNOWN: dict[str, Callable[[_Seen], Ensemble | None]] = {
    "AdaBoostM1": _boosting,
    "Bagging": _bagging,
    "Vote": _vote,
    "MultiClassClassifier": _one_against_all,
    "CostSensitiveClassifier": _cost_sensitive,
    "FilteredClassifier": _filtered,
    "AttributeSelectedClassifier": _attribute_selected,
    "InputMappedClassifier": _input_mapped,
    "CVParameterSelection": _alone(
        "CVParameterSelection",
        rf"Cross-validated Parameter selection\.\s*Classifier: {_J48}\n[^\0]*"
        rf"Classifier Options:[^\n\0]*\s*{_TREE}",
    ),
}
