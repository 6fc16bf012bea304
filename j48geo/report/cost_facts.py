"""Costs as plain data: at which ratio leaves change, what every state gets wrong, the curve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

from j48geo import defaults
from j48geo.decide.cost_steps import (
    CostSteps,
    ExactWeight,
    Mistakes,
    find_cost_steps,
    simplify_rows,
)
from j48geo.decide.labellings import leaf_auc, list_roc_points
from j48geo.decide.leaf_counts import ClassCounts
from j48geo.decide.leaf_order import Smoothing, order_leaves
from j48geo.decide.relabelling import default_smoothing
from j48geo.report.tree_facts import shorten_float
from j48geo.score.leaf_estimates import Number

FEW_CLASSES = 8
"""With more classes labels are chosen by one estimate only, for the sake of the page's size."""


@dataclass(frozen=True)
class LeafRoc:
    """The curve of the leaves for one class.

    Parameters
    ----------
    points
        False and true positive rates; empty where a class is absent.
    auc
        Area under it.
    """

    points: tuple[tuple[float, float], ...]
    auc: float | None


@dataclass(frozen=True)
class CostFacts:
    """The facts of the cost panel: steps, mistakes and ROC curve of every class.

    Parameters
    ----------
    smoothings
        Estimates that labels can be chosen by; the first is the default.
    steps
        By smoothing, then by class.
    judged
        Counts of each class at each leaf that mistakes are counted on.
    judged_name
        What these rows are, in words.
    training
        Weight of every class in training.
    own
        The labels in force.
    roc
        By class.
    """

    smoothings: tuple[Smoothing, ...]
    steps: tuple[tuple[CostSteps, ...], ...]
    judged: ClassCounts
    judged_name: str
    training: tuple[Fraction, ...]
    own: tuple[int, ...]
    roc: tuple[LeafRoc, ...]

    @cached_property
    def rows(self) -> list[list[ExactWeight]]:
        """The counts that mistakes are counted on."""
        return simplify_rows(self.judged.own)

    def own_mistakes(self, c: int) -> Mistakes:
        """What the labels in force get wrong, seen from class `c`."""
        return self.steps[0][c].of_labels(self.rows, self.own)

    def to_json(self) -> dict[str, object]:
        """The facts as plain data for the script of the page."""
        totals = self.judged.totals
        return {
            "name": self.judged_name,
            "smoothings": self.smoothings,
            "totals": [_number(k) for k in totals],
            "classes": [
                {
                    "odds": _odds(self.training, c),
                    "own": _numbers(self.own_mistakes(c)),
                    "trivial": [
                        [label, *_numbers(self._all_called(label, c))]
                        for label in dict.fromkeys((c, self._best_other(c)))
                    ],
                    "roc": [round(x, 6) for point in self.roc[c].points for x in point],
                    "auc": self.roc[c].auc,
                    "steps": [self._steps_json(steps[c]) for steps in self.steps],
                }
                for c in range(len(totals))
            ],
        }

    def _steps_json(self, steps: CostSteps) -> dict[str, object]:
        mistakes = [_numbers(state) for state in steps.mistakes(self.rows)]
        return {
            "cuts": [[_integer(c.other), _integer(c.own), c.leaves] for c in steps.cuts],
            "below": _list_changes(steps.below, self.own),
            "tied": _list_changes(steps.tied, self.own),
            # A state that gets the same wrong as the one before it is 0, for the sake of size.
            "mistakes": [mistakes[0], *(0 if a == b else b for a, b in pairwise(mistakes))],
        }

    def _best_other(self, c: int) -> int:
        """The most frequent class in training but `c`."""
        others = [k for k in range(len(self.training)) if k != c]
        return max(others, key=lambda k: (self.training[k], -k))

    def _all_called(self, label: int, c: int) -> Mistakes:
        return self.steps[0][c].of_labels(self.rows, (label,) * len(self.own))


def gather_cost_facts(
    counts: ClassCounts,
    own: Sequence[int],
    judged: ClassCounts | None,
    judged_name: str,
) -> CostFacts:
    """Gather the cost steps and ROC curves of every class.

    Parameters
    ----------
    counts
        Of training, which labels and the order of the leaves are chosen by.
    own
        The labels in force.
    judged
        Counts of other rows to count mistakes on; None for those of training.
    """
    n = len(counts.own[0])
    usual = default_smoothing(counts)
    smoothings: tuple[Smoothing, ...] = (usual, "none") if n <= FEW_CLASSES else (usual,)
    steps = tuple(find_cost_steps(counts, own, kind, m=defaults.LABELS_M) for kind in smoothings)
    shown = counts if judged is None else judged
    roc = tuple(_leaf_roc(counts, shown, c) for c in range(n))
    return CostFacts(smoothings, steps, shown, judged_name, counts.totals, tuple(own), roc)


def _leaf_roc(counts: ClassCounts, tested: ClassCounts, c: int) -> LeafRoc:
    order = order_leaves(counts.against_rest(c), "none", classes=len(counts.own[0]))
    coverage = tested.against_rest(c)
    points = list_roc_points(order, coverage)
    known = [(float(x), float(y)) for x, y in points if x is not None and y is not None]
    area = leaf_auc(order, coverage)
    if len(known) < len(points) or area is None:
        return LeafRoc((), None)
    return LeafRoc(tuple(_corners(known)), float(area))


def _corners(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """The points without those where the curve goes straight on along an axis."""
    corners = points[:1]
    for i, point in enumerate(points[1:], 1):
        last = i == len(points) - 1
        straight = not last and any(corners[-1][k] == point[k] == points[i + 1][k] for k in (0, 1))
        if point != corners[-1] and not straight:
            corners.append(point)
    return corners


def _list_changes(labels: Sequence[int], own: Sequence[int]) -> list[int]:
    """Leaf and label where they are not the leaf's own, one after the other."""
    pairs = enumerate(zip(labels, own, strict=True))
    return [x for leaf, (a, b) in pairs if a != b for x in (leaf, a)]


def _odds(training: Sequence[Fraction], c: int) -> list[int | str]:
    """Weight of the class and of all others in training, as whole numbers in that ratio."""
    own, rest = training[c], sum(training, start=Fraction(0)) - training[c]
    ratio = Fraction(own, rest) if rest else Fraction(1)
    return [_integer(ratio.numerator if rest else 1), _integer(ratio.denominator if rest else 0)]


def _numbers(mistakes: Mistakes) -> list[float | int]:
    return [_number(mistakes.missed), _number(mistakes.alarms), _number(mistakes.others)]


def _number(x: Number) -> float | int:
    return shorten_float(float(x))


def _integer(n: int) -> int | str:
    """A whole number that a script reads exactly: as text beyond 2**53."""
    return n if abs(n) < 2**53 else str(n)
