"""The leaves in the order of their local positive accuracy, compared exactly (FFH02 section 2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from j48geo import defaults
from j48geo.decide.leaf_counts import PositiveCounts
from j48geo.errors import UnknownNameError
from j48geo.score.leaf_estimates import Estimator, Number, find_m, make_estimator

Smoothing = Literal["none", "laplace", "m"]
SMOOTHINGS: tuple[Smoothing, ...] = ("none", "laplace", "m")

ONE_HALF = Fraction(1, 2)


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
    counts: PositiveCounts
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


def choose_estimator(
    smoothing: Smoothing, classes: int, share: Fraction | None, m: Fraction | None
) -> Estimator:
    """The estimator of `j48geo.score.leaf_estimates` that a smoothing means."""
    if smoothing not in SMOOTHINGS:
        raise UnknownNameError("smoothing", smoothing, SMOOTHINGS)
    return make_estimator("raw" if smoothing == "none" else smoothing, classes, share, m)


def order_leaves(
    counts: PositiveCounts,
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
    >>> order = order_leaves(PositiveCounts.of([3, 5, 10], [5, 1, 2]))
    >>> [(group.leaves, str(group.accuracy)) for group in order.groups]
    [((1, 2), '5/6'), ((0,), '3/8')]
    """
    estimate = _estimate(counts, smoothing, classes, mp)
    # Most leaves of a large tree have the counts of another one: each pair is looked at once.
    pairs: dict[tuple[int, ...], int] = {}
    accuracy: list[Fraction | None] = []
    spans: list[tuple[Fraction, Fraction]] = []
    pair_of: list[int] = []
    for (p, n), slack in zip(counts.basis, counts.slack, strict=True):
        key = (*p.as_integer_ratio(), *n.as_integer_ratio(), *slack.as_integer_ratio())
        pair = pairs.setdefault(key, len(pairs))
        pair_of.append(pair)
        if pair == len(accuracy):
            r = estimate(p, p + n)
            accuracy.append(r)
            spans.append(_span(p, n, slack, ONE_HALF if r is None else r, estimate))
    places = [ONE_HALF if r is None else r for r in accuracy]
    merged = tuple(
        LeafGroup(tuple(sorted(leaves)), places[pair])
        for pair, leaves in _group_leaves(pair_of, places, spans)
    )
    return LeafOrder(merged, tuple(accuracy[pair] for pair in pair_of), counts, smoothing)


def _group_leaves(
    pair_of: Sequence[int],
    places: Sequence[Fraction],
    spans: Sequence[tuple[Fraction, Fraction]],
) -> list[tuple[int, list[int]]]:
    """Groups of equal leaves, best first: the pair of counts of the first leaf, and all leaves.

    Parameters
    ----------
    pair_of
        Number of the pair of counts that each leaf has.
    places, spans
        Accuracy of every pair, and the accuracies that its printed counts allow.
    """
    rank = {place: k for k, place in enumerate(sorted(set(places), reverse=True))}
    ranks = [rank[place] for place in places]
    groups: list[tuple[int, list[int]]] = []
    joins: dict[int, bool] = {}  # whether the leaves of a pair belong to the last group
    for leaf in sorted(range(len(pair_of)), key=lambda i: (ranks[pair_of[i]], i)):
        pair = pair_of[leaf]
        if groups and pair not in joins:
            head = groups[-1][0]
            joins[pair] = ranks[pair] == ranks[head] or spans[pair][1] >= spans[head][0]
        if groups and joins[pair]:
            groups[-1][1].append(leaf)
        else:
            groups.append((pair, [leaf]))
            joins = {pair: True}
    return groups


def leaf_accuracies(
    counts: PositiveCounts, smoothing: Smoothing, *, classes: int = 2, mp: Number = defaults.MP
) -> tuple[Fraction | None, ...]:
    """The accuracy of every leaf, as `order_leaves` has it, without their order."""
    estimate = _estimate(counts, smoothing, classes, mp)
    known: dict[tuple[int, ...], Fraction | None] = {}
    accuracies = []
    for p, n in counts.basis:
        key = (*p.as_integer_ratio(), *n.as_integer_ratio())
        if key not in known:
            known[key] = estimate(p, p + n)
        accuracies.append(known[key])
    return tuple(accuracies)


def _estimate(counts: PositiveCounts, smoothing: Smoothing, classes: int, mp: Number) -> Estimator:
    plus, minus = counts.totals
    share = plus / (plus + minus) if plus + minus else Fraction(0)
    return choose_estimator(smoothing, classes, share, find_m(mp, share))


def _span(
    positive: Fraction,
    negative: Fraction,
    slack: Fraction,
    accuracy: Fraction,
    estimate: Estimator,
) -> tuple[Fraction, Fraction]:
    """Accuracies that the printed weight and errors allow; no errors printed means none."""
    errors = min(positive, negative)
    a, b = estimate.a, estimate.b
    if not slack or not errors or b is None:
        return accuracy, accuracy
    of_errors = a if positive == errors else b - a
    n = positive + negative + b
    low = (errors - slack + of_errors) / (n + slack)
    high = (errors + slack + of_errors) / (n - slack)
    return (low, high) if positive == errors else (1 - high, 1 - low)
