"""All facts of a report, gathered: plain values for the page to be made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from j48geo.core.tree import BoxTree
from j48geo.decide.evaluation.evaluation import Evaluation
from j48geo.decide.evaluation.scored_cases import ScoredCases
from j48geo.report.case_facts import CaseFacts
from j48geo.report.cost_facts import CostFacts
from j48geo.report.tree_facts import TreeFacts

__all__ = ["FileFacts", "ReportFacts", "Sure", "Verdict"]


@dataclass(frozen=True)
class Verdict:
    """A sentence on top: whether tree and data agree."""

    kind: Literal["good", "bad", "plain"]
    words: str


@dataclass(frozen=True)
class FileFacts:
    """A file that the report was made from; no digest if it was not a file."""

    role: str
    name: str
    digest: str = ""
    size: int = 0


@dataclass(frozen=True, eq=False)
class Sure:
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
    """What a report says.

    Parameters
    ----------
    headline
        Kind, size and classes of the tree.
    class_words
        Which class matters, and why.
    costs, cases, sure
        None where they cannot be told; `why` says for each what is needed.
    made, version, command
        When and by what the page was made.
    """

    title: str
    headline: str
    class_words: str
    verdicts: tuple[Verdict, ...]
    tree: BoxTree
    drawn: TreeFacts
    costs: CostFacts | None
    cases: CaseFacts | None
    sure: Sure | None
    why: dict[str, str]
    files: tuple[FileFacts, ...]
    notes: tuple[str, ...]
    made: str
    version: str
    command: str

    def to_json(self) -> dict[str, object]:
        """The one object that the page's script reads."""
        return {
            "classes": self.drawn.classes,
            "positive": self.drawn.positive,
            "tree": self.drawn.to_json(self.tree),
            "costs": None if self.costs is None else self.costs.to_json(),
            "cases": None if self.cases is None else self.cases.to_json(),
        }
