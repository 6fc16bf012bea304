"""The optimal labellings of a tree: for which costs each is best, and their ROC curve.

Everything is exact: rates, cost ratios and areas are fractions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

from j48geo import defaults
from j48geo.core.tree import BoxTree
from j48geo.decide.leaf_counts import PositiveCounts
from j48geo.decide.leaf_order import LeafOrder
from j48geo.decide.roc import hull_corners, turn

Point = tuple[Fraction, Fraction]
"""False positive rate and true positive rate."""


@dataclass(frozen=True)
class Labelling:
    """One of the optimal labellings S_i: the first i groups of leaves are positive.

    Parameters
    ----------
    positive_leaves
        Leaves labelled positive, in text order.
    tpr, fpr
        Rates on the coverage; None if it has no case of that class.
    cost_ratio
        The interval of the cost ratio (Lemma 1) in which no labelling costs less.
    """

    positive_leaves: tuple[int, ...]
    tpr: Fraction | None
    fpr: Fraction | None
    cost_ratio: tuple[Fraction, Fraction]

    @property
    def fn_to_fp(self) -> tuple[Fraction | None, Fraction | None]:
        """The same interval as cost of a missed positive for each unit of a false alarm.

        With CR = FP / (FN + FP) it is (1 - CR) / CR; None is infinity, at CR = 0.
        """
        low, high = self.cost_ratio
        return (
            (1 - high) / high if high else None,
            (1 - low) / low if low else None,
        )

    def changes(self, own: Collection[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Leaves that become positive, and that become negative, if `own` are positive now."""
        now, before = set(self.positive_leaves), set(own)
        return tuple(sorted(now - before)), tuple(sorted(before - now))


def optimal_labellings(
    order: LeafOrder, coverage: PositiveCounts | None = None
) -> tuple[Labelling, ...]:
    """S_0 (all negative) to S_n (all positive), ties merged.

    Parameters
    ----------
    order
        From training; never from the coverage.
    coverage
        Counts that the rates are taken from, such as those of a test set. Default: those
        that gave the order.

    Notes
    -----
    FFH02 definition 2, Lemmas 3 to 5 and Theorem 6: without smoothing, and on the counts
    that gave the order, these are the convex hull of all 2^n labellings. An empty leaf
    makes a step of its own, since it labels new cases, but its two points are one.

    Examples
    --------
    The worked example of FFH02 section 2.3.

    >>> from j48geo.decide.leaf_order import order_leaves
    >>> found = optimal_labellings(order_leaves(PositiveCounts.of([3, 5, 4], [5, 1, 2])))
    >>> for s in found:
    ...     print([k + 1 for k in s.positive_leaves], s.fpr, s.tpr, *s.cost_ratio)
    [] 0 0 5/6 1
    [2] 1/8 5/12 2/3 5/6
    [2, 3] 3/8 3/4 3/8 2/3
    [1, 2, 3] 1 1 0 3/8
    """
    cuts = [Fraction(1), *(group.accuracy for group in order.groups), Fraction(0)]
    chosen: list[int] = []
    labellings = []
    for i, (fpr, tpr) in enumerate(list_roc_points(order, coverage)):
        if i:
            chosen.extend(order.groups[i - 1].leaves)
            chosen.sort()
        labellings.append(Labelling(tuple(chosen), tpr, fpr, (cuts[i + 1], cuts[i])))
    return tuple(labellings)


def list_roc_points(
    order: LeafOrder, coverage: PositiveCounts | None = None
) -> list[tuple[Fraction | None, Fraction | None]]:
    """False and true positive rate after none of the groups, the first, the first two, ..."""
    coverage = order.counts if coverage is None else coverage
    plus, minus = coverage.totals
    fp = tp = Fraction(0)
    points = []
    for leaves in ((), *(group.leaves for group in order.groups)):
        fp += sum((coverage.negative[k] for k in leaves), start=Fraction(0))
        tp += sum((coverage.positive[k] for k in leaves), start=Fraction(0))
        points.append((fp / minus if minus else None, tp / plus if plus else None))
    return points


def locate_labelling(
    positive_leaves: Iterable[int], coverage: PositiveCounts
) -> tuple[Fraction | None, Fraction | None]:
    """False and true positive rate of a labelling; None where the class is absent."""
    plus, minus = coverage.totals
    chosen = set(positive_leaves)
    tp = sum((coverage.positive[k] for k in chosen), start=Fraction(0))
    fp = sum((coverage.negative[k] for k in chosen), start=Fraction(0))
    return fp / minus if minus else None, tp / plus if plus else None


def leaf_auc(order: LeafOrder, coverage: PositiveCounts | None = None) -> Fraction | None:
    """Area under the curve of the optimal labellings; None if a class is absent.

    Notes
    -----
    FFH02 definition 7, with ties merged: the share of pairs of a positive and a negative
    case that the order puts right, half for pairs in one group.
    """
    points = list_roc_points(order, coverage)
    known = [(x, y) for x, y in points if x is not None and y is not None]
    return area_under(known) if len(known) == len(points) else None


def area_under(points: Sequence[Point]) -> Fraction:
    """Area of the trapezoids under a curve whose points go to the right."""
    return sum(
        ((b[0] - a[0]) * (a[1] + b[1]) / 2 for a, b in pairwise(points)),
        start=Fraction(0),
    )


def hull(points: Iterable[Point]) -> tuple[Point, ...]:
    """Corners of the upper convex hull of the points with (0, 0) and (1, 1)."""
    ordered = sorted({*points, (Fraction(0), Fraction(0)), (Fraction(1), Fraction(1))})
    return tuple(ordered[i] for i in hull_corners(ordered))


def is_on_hull(point: Point, corners: Sequence[Point]) -> bool:
    """Whether the point lies on the hull: on a corner or on an edge."""
    return point in corners or any(
        a[0] <= point[0] <= b[0] and a[1] <= point[1] <= b[1] and turn(a, point, b) == 0
        for a, b in pairwise(corners)
    )


@dataclass(frozen=True)
class OrderedLeaves:
    """A tree whose leaves are in order.

    Parameters
    ----------
    order
        From the training counts.
    coverage
        Counts that rates are taken from: those of the order, or of a test set.
    mp
        The product m p of the m-estimate, where one is shown.
    """

    tree: BoxTree
    positive: int
    order: LeafOrder
    coverage: PositiveCounts
    mp: float = defaults.MP

    @cached_property
    def labellings(self) -> tuple[Labelling, ...]:
        """The optimal labellings."""
        return optimal_labellings(self.order, self.coverage)

    @cached_property
    def own(self) -> tuple[int, ...]:
        """Leaves that the tree itself labels positive."""
        return tuple(k for k, leaf in enumerate(self.tree.leaves) if leaf.label == self.positive)

    @cached_property
    def hull(self) -> tuple[Point, ...] | None:
        """Corners of the convex hull of the labellings' points; None if a class is absent."""
        points = list_roc_points(self.order, self.coverage)
        known = [(x, y) for x, y in points if x is not None and y is not None]
        return hull(known) if len(known) == len(points) else None

    @cached_property
    def auc(self) -> Fraction | None:
        """Area under the curve of the labellings; None if a class is absent."""
        return leaf_auc(self.order, self.coverage)

    @cached_property
    def own_point(self) -> tuple[Fraction | None, Fraction | None]:
        """False and true positive rate of the tree's own labels."""
        return locate_labelling(self.own, self.coverage)

    @property
    def own_is_on_hull(self) -> bool | None:
        """Whether the tree's own labels are on the convex hull; None if a class is absent."""
        fpr, tpr = self.own_point
        if self.hull is None or fpr is None or tpr is None:
            return None
        return is_on_hull((fpr, tpr), self.hull)
