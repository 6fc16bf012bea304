"""Labels as a function of costs: at which ratio of costs each leaf takes which label.

One cost model for any number of classes: to miss class c costs A, any other mistake B. At a leaf
where the classes have the shares f, label c costs B (1 - f_c) and another label j costs
A f_c + B (1 - f_c - f_j). So c is best where A f_c exceeds B times the largest other share, and
the ratio A / B at which a leaf changes to c is that share through f_c. New class shares are
such costs too: they multiply A and B (`j48geo.decide.costs.reweight_costs`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm
from typing import TYPE_CHECKING

import numpy as np

from j48geo.arrays import Floats
from j48geo.decide.costs import CostError, cost_ratio
from j48geo.decide.leaf_counts import ClassCounts
from j48geo.decide.leaf_order import Smoothing
from j48geo.decide.relabelling import Relabelling
from j48geo.score.leaf_estimates import Number

if TYPE_CHECKING:
    pass

ExactWeight = int | Fraction


@dataclass(frozen=True)
class CostCut:
    """Leaves that change to the class at one ratio of costs.

    Parameters
    ----------
    other, own
        Integers: the largest share of another class, and that of the class. The leaves change
        where A `own` exceeds B `other`.
    leaves
        In text order.
    """

    other: int
    own: int
    leaves: tuple[int, ...]

    def compare(self, a: Fraction, b: Fraction) -> int:
        """-1 where costs `a` and `b` lie below the cut, 0 at it, 1 beyond."""
        left, right = a * self.own, b * self.other
        return (left > right) - (left < right)


@dataclass(frozen=True)
class Mistakes:
    """Weight of mistakes of one labelling.

    Parameters
    ----------
    missed
        Cases of the class that are called something else.
    alarms
        Cases of other classes that are called the class.
    others
        All mistakes with cases of other classes, `alarms` among them.
    """

    missed: ExactWeight
    alarms: ExactWeight
    others: ExactWeight


@dataclass(frozen=True)
class CostSteps:
    """The labels of all leaves for every ratio of costs.

    State 2 i lies below cut i and beyond all cuts before it; state 2 i + 1 is the ratio of cut i
    itself, where labels tie; state 2 len(cuts) lies beyond all.

    Parameters
    ----------
    positive
        The class that is missed.
    cuts
        By increasing ratio; the last may be at infinity (`own` is 0), and the first at 0.
    below, tied
        Label of every leaf below its cut, and at it; a leaf without a cut always has the former.
    """

    positive: int
    cuts: tuple[CostCut, ...]
    below: tuple[int, ...]
    tied: tuple[int, ...]

    @cached_property
    def place(self) -> dict[int, int]:
        """Number of the cut of each leaf that has one."""
        return {leaf: i for i, cut in enumerate(self.cuts) for leaf in cut.leaves}

    def state(self, a: Fraction, b: Fraction) -> int:
        """The state in which a missed case costs `a` and any other mistake `b`."""
        if a < 0 or b < 0 or not a + b:
            raise CostError("costs are not negative, and one of them is not 0")
        for i, cut in enumerate(self.cuts):
            if (side := cut.compare(a, b)) <= 0:
                return 2 * i + 1 + side
        return 2 * len(self.cuts)

    def labels(self, state: int) -> tuple[int, ...]:
        """The label of every leaf in a state."""
        labels = list(self.below)
        for leaf, i in self.place.items():
            if state > 2 * i + 1:
                labels[leaf] = self.positive
            elif state == 2 * i + 1:
                labels[leaf] = self.tied[leaf]
        return tuple(labels)

    def mistakes(self, rows: Sequence[Sequence[ExactWeight]]) -> list[Mistakes]:
        """What every state gets wrong on these counts (`simplify_rows`), a row for each leaf."""
        totals = [sum(row) for row in rows]
        now = list(map(self._wrong, rows, totals, self.below))
        sums = [sum(column) for column in zip(*now, strict=True)]
        all_mistakes = [Mistakes(*sums)]
        for cut in self.cuts:
            for tied in (True, False):
                for leaf in cut.leaves:
                    label = self.tied[leaf] if tied else self.positive
                    new = self._wrong(rows[leaf], totals[leaf], label)
                    if new != now[leaf]:
                        sums = [s + n - o for s, n, o in zip(sums, new, now[leaf], strict=True)]
                        now[leaf] = new
                all_mistakes.append(Mistakes(*sums))
        return all_mistakes

    def of_labels(self, rows: Sequence[Sequence[ExactWeight]], labels: Sequence[int]) -> Mistakes:
        """What any labels get wrong on these counts."""
        now = list(map(self._wrong, rows, [sum(row) for row in rows], labels))
        return Mistakes(*(sum(column) for column in zip(*now, strict=True)))

    def _wrong(
        self, row: Sequence[ExactWeight], total: ExactWeight, label: int
    ) -> tuple[ExactWeight, ExactWeight, ExactWeight]:
        own = row[self.positive]
        rest = total - own
        return (0, rest, rest) if label == self.positive else (own, 0, rest - row[label])


def find_cost_steps(
    counts: ClassCounts,
    own: Sequence[int],
    smoothing: Smoothing = "laplace",
    *,
    m: Number | None = None,
) -> tuple[CostSteps, ...]:
    """The labels of least expected cost, for all ratios of costs at once.

    Parameters
    ----------
    own
        J48's labels, which are kept where labels are equally cheap.
    smoothing, m
        See `j48geo.decide.relabelling.class_estimates`.

    Returns
    -------
    tuple of CostSteps
        One for each class that may be missed.

    Notes
    -----
    They are those of `j48geo.decide.relabelling.label_leaves`. All shares of a leaf have one
    denominator, so whole numbers decide where counts are whole.
    """
    leaves = [
        (leaf, row, sorted(row)[-2:])
        for leaf, row in enumerate(_numerators(counts, smoothing, m))
        if row is not None and len(row) > 1
    ]
    return tuple(_steps_of_class(leaves, own, c) for c in range(len(counts.own[0])))


def _steps_of_class(
    leaves: Sequence[tuple[int, list[int], list[int]]], own: Sequence[int], c: int
) -> CostSteps:
    """The steps of class `c`, from each leaf's shares and the two largest of them."""
    ratios: dict[tuple[int, int], list[int]] = {}
    below, tied = list(own), list(own)
    for leaf, row, (second, first) in leaves:
        mine, label = row[c], own[leaf]
        most = second if mine == first else first  # the largest share of another class
        if not most and not mine:
            continue
        if label == c or row[label] != most:
            best = [k for k, share in enumerate(row) if share == most and k != c]
            below[leaf] = best[0]
            if most and mine and label != c:
                tied[leaf] = min(c, best[0])
        part = gcd(most, mine)
        ratios.setdefault((most // part, mine // part), []).append(leaf)
    return CostSteps(c, _sort_cuts(ratios), tuple(below), tuple(tied))


def _sort_cuts(ratios: Mapping[tuple[int, int], Sequence[int]]) -> tuple[CostCut, ...]:
    """Cuts by increasing ratio, an infinite one last, from the leaves of every ratio."""
    cuts = [CostCut(*ratio, tuple(leaves)) for ratio, leaves in ratios.items()]
    finite = sorted((cut for cut in cuts if cut.own), key=lambda cut: Fraction(cut.other, cut.own))
    return (*finite, *(cut for cut in cuts if not cut.own))


def _numerators(
    counts: ClassCounts, smoothing: Smoothing, m: Number | None
) -> Iterator[list[int] | None]:
    """Whole numbers in the ratio of the estimates at each leaf; None where there are none."""
    shares = counts.shares
    if smoothing == "m" and (m is None or shares is None):
        raise CostError("the m-estimate needs m, and training cases")
    added: list[ExactWeight] = [1 if smoothing == "laplace" else 0] * len(counts.own[0])
    if smoothing == "m" and m is not None and shares is not None:
        added = [_simplify(Fraction(m) * share) for share in shares]
    for row in simplify_rows(counts.basis):
        if smoothing == "none" and not any(row):
            yield None
            continue
        weights = [k + more for k, more in zip(row, added, strict=True)]
        unit = lcm(*(k.denominator for k in weights))
        yield [int(k * unit) for k in weights]


def simplify_rows(rows: Sequence[Sequence[Number]]) -> list[list[ExactWeight]]:
    """The same numbers, integers where they are whole: with these sums are much faster."""
    return [[_simplify(k) for k in row] for row in rows]


def _simplify(x: Number) -> ExactWeight:
    """The same number, an integer if it is whole."""
    number = x if isinstance(x, (int, Fraction)) else Fraction(x)
    return number.numerator if number.denominator == 1 else number


WIDEST_RATIO = 50.0
"""Ratios are drawn from 1 : 50 to 50 : 1, and further if the one that was asked for is beyond."""


COST_POINTS = 801


@dataclass(frozen=True)
class CostLines:
    """Costs of a training row where a missed positive and a false alarm together cost 1.

    Parameters
    ----------
    ratio : array of float64, shape (n_points,)
        Cost of a missed positive over that of a false alarm.
    lines : mapping of arrays of float64, shape (n_points,)
        By the name of the labels.
    asked
        The ratio that labels were chosen for, if it is one.
    """

    ratio: Floats
    lines: dict[str, Floats]
    asked: float | None


def compute_cost_lines(relabelling: Relabelling) -> CostLines:
    """The lines of a tree of two classes.

    Raises
    ------
    CostError
        If there are more classes, whose costs are not one ratio, or no training cases.
    """
    classes = relabelling.tree.classes
    if len(classes) != 2 or relabelling.positive is None:
        raise CostError(f"a picture of costs is for two classes; the tree has {len(classes)}")
    weight = float(relabelling.weight)
    if not weight:
        raise CostError("a picture of costs needs training cases; the tree has none")
    p, n = relabelling.positive, len(relabelling.own)
    steps = find_cost_steps(
        relabelling.counts, relabelling.own, relabelling.smoothing, m=relabelling.m
    )[p]
    rows = simplify_rows(relabelling.counts.own)
    asked = _requested_ratio(relabelling)
    far = WIDEST_RATIO if asked is None else max(WIDEST_RATIO, 2 * asked, 2 / asked)
    ratio = np.geomspace(1 / far, far, COST_POINTS)

    def costs(missed: Floats | float, alarms: Floats | float) -> Floats:
        return (ratio * missed + alarms) / (1 + ratio) / weight

    def fixed(mistakes: Mistakes) -> Floats:
        return costs(float(mistakes.missed), float(mistakes.alarms))

    # Every other state lies between two cuts; those at a cut are single points of the line.
    states = steps.mistakes(rows)[::2]
    cuts = [cut.other / cut.own if cut.own else np.inf for cut in steps.cuts]
    state = np.searchsorted(cuts, ratio)
    lines = {
        "J48's labels": fixed(steps.of_labels(rows, relabelling.own)),
        "new labels": costs(
            np.array([float(mistakes.missed) for mistakes in states])[state],
            np.array([float(mistakes.alarms) for mistakes in states])[state],
        ),
    }
    for c in (p, 1 - p):
        lines[f"all {classes[c]!r}"] = fixed(steps.of_labels(rows, (c,) * n))
    return CostLines(ratio, lines, asked)


def _requested_ratio(relabelling: Relabelling) -> float | None:
    """Cost of a missed positive over that of a false alarm; None if one of them is nothing."""
    share = cost_ratio(relabelling.matrix, relabelling.positive or 0)
    return None if share is None or not 0 < share < 1 else float((1 - share) / share)
