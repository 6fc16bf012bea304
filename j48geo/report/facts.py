"""The facts of a report as plain values: cases, methods, files; the page is made of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from j48geo.arrays import Ints
from j48geo.core.json_values import number_json
from j48geo.core.tree import BoxTree
from j48geo.decide.evaluation.evaluation import Evaluation
from j48geo.decide.evaluation.scored_cases import ScoredCases
from j48geo.geometry.smallest_change import Flip, ValueChange
from j48geo.replaying.replay import Replay
from j48geo.report.cost_facts import CostFacts
from j48geo.report.tree_facts import TreeFacts, shorten_float
from j48geo.score.explained_case import ExplainedCase
from j48geo.score.ranking import RankedRows
from j48geo.show.reports.check import check_sentence
from j48geo.show.rules import summarize_tree
from j48geo.show.text import format_exact, format_moment
from j48geo.text import to_one_line

METHOD_TITLES = {
    "nearby": "nearby leaves",
    "local": "leaf, then distance",
    "global": "signed distance",
    "distance": "distance to the boundary",
    "laplace": "Laplace estimate",
    "raw": "share in the leaf",
}

_SIGNS = {"<=": "at most", "<": "less than", ">": "more than", ">=": "at least"}


@dataclass(frozen=True)
class CaseRow:
    """One case in the static table of the page."""

    rank: int
    row: int
    score: float
    distance: float
    predicted: int
    leaf: int
    actual: int


@dataclass(frozen=True, eq=False)
class CaseFacts:
    """Ranked cases, some of them explained.

    Parameters
    ----------
    name
        What the rows are, in words.
    optimistic
        Whether the tree was grown from them.
    rankings
        All rows ranked by several methods; the first is the one they are shown by.
    explained
        The cases that are shown, in the order of the first ranking.
    """

    tree: BoxTree
    name: str
    optimistic: bool
    rankings: tuple[RankedRows, ...]
    explained: tuple[ExplainedCase, ...]

    @property
    def total(self) -> int:
        """How many rows were ranked."""
        return len(self.rankings[0].score)

    def top(self, count: int) -> list[CaseRow]:
        """The first rows of the ranking."""
        ranked = self.rankings[0]
        return [
            CaseRow(
                int(ranked.ranking.rank[i]),
                int(i) + 1,
                float(ranked.score[i]),
                float(ranked.distance[i]),
                int(ranked.predicted[i]),
                int(ranked.leaf[i]),
                int(ranked.actual[i]),
            )
            for i in ranked.shown[:count]
        ]

    def to_json(self) -> dict[str, object]:
        """Plain data for the page, in columns."""
        first, cases = self.rankings[0], self.explained
        at = np.array([case.row - 1 for case in cases], dtype=np.intp)
        tree = self.tree
        return {
            "name": self.name,
            "total": self.total,
            "row": [case.row for case in cases],
            "methods": [
                {
                    "title": METHOD_TITLES.get(ranked.method, ranked.method),
                    "rank": ranked.ranking.rank[at].tolist(),
                    "score": [_round_number(x) for x in ranked.score[at].tolist()],
                }
                for ranked in self.rankings
            ],
            "distance": [_round_number(case.explanation.distance) for case in cases],
            "predicted": [case.explanation.predicted for case in cases],
            "leaf": [case.explanation.leaf for case in cases],
            "actual": first.actual[at].tolist(),
            "x": [
                [_value(float(case.x[column])) for case in cases] for column in tree.used_attributes
            ],
            "flip": [_flip_to_json(tree, case.explanation.flip) for case in cases],
            "around": [_nearby_leaves(case) for case in cases],
        }


def pick_evenly(order: Ints, most: int) -> Ints:
    """At most so many places, evenly along the order, its first and last among them."""
    if len(order) <= most:
        return order
    return order[np.linspace(0, len(order) - 1, most).round().astype(np.intp)]


def _flip_to_json(tree: BoxTree, flip: Flip | None) -> list[object] | None:
    """Class, leaf, distance, and for each change: attribute, new value, what it must be."""
    if flip is None:
        return None
    place = {column: k for k, column in enumerate(tree.used_attributes)}
    changes = [
        [place[change.attribute], _value(change.to), _requirement_text(tree, change)]
        for change in flip.changes
    ]
    return [flip.flips_to, flip.leaf, _round_number(flip.distance), changes]


def _requirement_text(tree: BoxTree, change: ValueChange) -> str:
    attribute = tree.header.attributes[change.attribute]
    if change.choices:
        others = [to_one_line(attribute.values[k]) for k in change.choices if k != change.to]
        more = ", ..." if len(others) > 5 else ""
        return f"or {', '.join(others[:5])}{more}" if others else ""
    if not np.isfinite(change.threshold):
        return ""
    date = attribute.type == "date"
    text = format_moment(change.threshold) if date else format_exact(change.threshold)
    return f"{_SIGNS[change.relation]} {text}"


def _nearby_leaves(case: ExplainedCase) -> list[object] | None:
    """Leaf and weight of the leaves around, the weightiest first; then how many more."""
    shares = case.nearby
    if shares is None:
        return None
    pairs = zip(shares.leaf.tolist()[:6], shares.weight.tolist()[:6], strict=True)
    shown = [x for leaf, weight in pairs for x in (leaf, round(weight, 4))]
    return [shown, shares.others + max(0, len(shares.leaf) - 6)]


def _value(x: float) -> object:
    return shorten_float(x) if np.isfinite(x) else number_json(x)


def _round_number(x: float) -> object:
    return number_json(float(f"{x:.6g}"))


@dataclass(frozen=True)
class Verdict:
    """A sentence on top: whether tree and data agree."""

    kind: Literal["good", "bad", "plain"]
    words: str


def check_verdict(tree: BoxTree, replay: Replay | None, rows: int) -> Verdict:
    """Whether a tree agrees with its footer, and its counts with the rows that were replayed."""
    words, footer = check_sentence(tree, replay, rows), tree.layout.footer_agrees
    if footer is False or (replay is not None and replay.differences):
        return Verdict("bad", words)
    return Verdict("good" if footer or (replay is not None and replay.compared) else "plain", words)


@dataclass(frozen=True)
class FileFacts:
    """A file that the report was made from; no digest if it was not a file."""

    role: str
    name: str
    digest: str = ""
    size: int = 0


@dataclass(frozen=True, eq=False)
class EvaluationFacts:
    """Methods judged on rows whose class is known.

    Parameters
    ----------
    name
        What the rows are, in words.
    best
        The method whose probabilities are drawn.
    """

    name: str
    evaluation: Evaluation
    judged: ScoredCases
    best: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class ReportFacts:
    """All facts of the report page.

    Parameters
    ----------
    class_words
        Which class matters, and why.
    costs, cases, sure
        None where they cannot be told; `why` says for each what is needed.
    made, version, command
        When and by what the page was made.
    """

    title: str
    class_words: str
    verdict: Verdict
    tree: BoxTree
    drawn: TreeFacts
    costs: CostFacts | None
    cases: CaseFacts | None
    sure: EvaluationFacts | None
    why: dict[str, str]
    files: tuple[FileFacts, ...]
    notes: tuple[str, ...]
    made: str
    version: str
    command: str

    @property
    def headline(self) -> str:
        """Kind, size and classes of the tree."""
        return summarize_tree(self.tree)

    def to_json(self) -> dict[str, object]:
        """The one object that the page's script reads."""
        return {
            "classes": self.drawn.classes,
            "positive": self.drawn.positive,
            "tree": self.drawn.to_json(self.tree),
            "costs": None if self.costs is None else self.costs.to_json(),
            "cases": None if self.cases is None else self.cases.to_json(),
        }
