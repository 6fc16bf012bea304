"""The leaves in the order of their local positive accuracy, compared exactly (FFH02 section 2)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from j48geo import defaults
from j48geo.decide.leaf_counts import LeafCounts, Number, exact
from j48geo.errors import UnknownNameError

__all__ = [
    "SMOOTHINGS",
    "LeafGroup",
    "LeafOrder",
    "Smoothing",
    "local_positive_accuracy",
    "order_leaves",
]

Smoothing = Literal["none", "laplace", "m"]
SMOOTHINGS: tuple[Smoothing, ...] = ("none", "laplace", "m")

HALF = Fraction(1, 2)


@dataclass(frozen=True)
class LeafGroup:
    """Leaves of one accuracy (Lemma 5), in text order."""

    leaves: tuple[int, ...]
    accuracy: Fraction


@dataclass(frozen=True)
class LeafOrder:
    """The order of the leaves, best first, ties merged.

    Parameters
    ----------
    groups
        By decreasing accuracy.
    accuracy
        r_k of every leaf, in text order; None where there is nothing to divide by.
    counts
        What the order was made from.
    """

    groups: tuple[LeafGroup, ...]
    accuracy: tuple[Fraction | None, ...]
    counts: LeafCounts
    smoothing: Smoothing

    @property
    def ranks(self) -> tuple[int, ...]:
        """Rank of every leaf, in text order; leaves of one group share theirs (1, 1, 3)."""
        rank = [0] * len(self.accuracy)
        before = 1
        for group in self.groups:
            for leaf in group.leaves:
                rank[leaf] = before
            before += len(group.leaves)
        return tuple(rank)


def local_positive_accuracy(
    positive: Number,
    negative: Number,
    smoothing: Smoothing = "none",
    *,
    classes: int = 2,
    mp: Number = defaults.MP,
    share: Number | None = None,
) -> Fraction | None:
    """The share r = E+ / (E+ + E-), or its smoothed form; None for 0/0.

    Parameters
    ----------
    smoothing
        ``none``, ``laplace`` (k + 1)/(n + C), or ``m`` (k + m p)/(n + m).
    classes
        C, the number of declared classes.
    mp, share
        The product m p and the share p of the positive class in training.

    Notes
    -----
    FFH02 Lemma 1; estimates as in DEFINITIONS section 5.

    Examples
    --------
    >>> str(local_positive_accuracy(3, 5)), str(local_positive_accuracy(3, 5, "laplace"))
    ('3/8', '2/5')
    """
    added = _added(smoothing, classes, mp, share)
    if added is None:
        return Fraction(0)
    k, n = Fraction(positive), Fraction(positive) + Fraction(negative)
    return (k + added[0]) / (n + added[1]) if n + added[1] else None


def _added(
    smoothing: Smoothing, classes: int, mp: Number, share: Number | None
) -> tuple[Fraction, Fraction] | None:
    """What is added to k and to n; None where m grows beyond all bounds."""
    if smoothing == "none":
        return Fraction(0), Fraction(0)
    if smoothing == "laplace":
        return Fraction(1), Fraction(classes)
    if smoothing != "m":
        raise UnknownNameError("smoothing", smoothing, SMOOTHINGS)
    if share is None:
        raise ValueError("the m-estimate needs the share of the positive class")
    return (exact(mp), exact(mp) / Fraction(share)) if share else None


def order_leaves(
    counts: LeafCounts,
    smoothing: Smoothing = "none",
    *,
    classes: int = 2,
    mp: Number = defaults.MP,
) -> LeafOrder:
    """Order the leaves by decreasing accuracy; equal ones form one group.

    Equality is that of fractions. Where printed counts are rounded, leaves whose accuracy
    may be equal within that rounding are equal too: they join the group of a leaf before
    them if their possible values meet.

    Notes
    -----
    FFH02 definition 2 and Lemma 5. A leaf without any counts, not even its parent's, has
    its place at 1/2 (section 2.3).

    Examples
    --------
    >>> order = order_leaves(LeafCounts.of([3, 5, 10], [5, 1, 2]))
    >>> [(group.leaves, str(group.accuracy)) for group in order.groups]
    [((1, 2), '5/6'), ((0,), '3/8')]
    """
    plus, minus = counts.totals
    share = plus / (plus + minus) if plus + minus else Fraction(0)
    added = _added(smoothing, classes, mp, share)
    accuracy: list[Fraction | None] = []
    spans: list[tuple[Fraction, Fraction]] = []
    for (p, n), slack in zip(counts.basis, counts.slack, strict=True):
        r = local_positive_accuracy(p, n, smoothing, classes=classes, mp=mp, share=share)
        accuracy.append(r)
        place = HALF if r is None else r
        spans.append((place, place) if added is None else _span(p, n, slack, place, added))
    places = [HALF if r is None else r for r in accuracy]
    groups: list[tuple[Fraction, list[int]]] = []
    lowest = Fraction(0)
    for leaf in sorted(range(len(places)), key=lambda i: (-places[i], i)):
        if groups and (places[leaf] == groups[-1][0] or spans[leaf][1] >= lowest):
            groups[-1][1].append(leaf)
        else:
            groups.append((places[leaf], [leaf]))
            lowest = spans[leaf][0]
    merged = tuple(LeafGroup(tuple(sorted(leaves)), r) for r, leaves in groups)
    return LeafOrder(merged, tuple(accuracy), counts, smoothing)


def _span(
    positive: Fraction,
    negative: Fraction,
    slack: Fraction,
    accuracy: Fraction,
    added: tuple[Fraction, Fraction],
) -> tuple[Fraction, Fraction]:
    """Accuracies that the printed weight and errors allow; no errors printed means none."""
    errors = min(positive, negative)
    if not slack or not errors:
        return accuracy, accuracy
    a, b = added
    of_errors = a if positive == errors else b - a
    n = positive + negative + b
    low = (errors - slack + of_errors) / (n + slack)
    high = (errors + slack + of_errors) / (n - slack)
    return (low, high) if positive == errors else (1 - high, 1 - low)
