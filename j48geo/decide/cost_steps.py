"""Labels as a function of costs: at which ratio of costs each leaf takes which label.

One cost model for any number of classes: to miss class c costs A, any other mistake B. At a leaf
where the classes have the shares f, label c costs B (1 - f_c) and another label j costs
A f_c + B (1 - f_c - f_j). So c is best where A f_c exceeds B times the largest other share, and
the ratio A / B at which a leaf changes to c is that share through f_c. New class shares are
such costs too: they multiply A and B (`j48geo.decide.costs.with_shares`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm

from j48geo.decide.costs import CostError
from j48geo.decide.leaf_counts import ClassCounts
from j48geo.decide.leaf_order import Smoothing
from j48geo.score.estimates import Number

__all__ = ["CostSteps", "Cut", "Mistakes", "cost_steps"]

Weight = int | Fraction


@dataclass(frozen=True)
class Cut:
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

    missed: Weight
    alarms: Weight
    others: Weight


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
    cuts: tuple[Cut, ...]
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
        found = list(self.below)
        for leaf, i in self.place.items():
            if state > 2 * i + 1:
                found[leaf] = self.positive
            elif state == 2 * i + 1:
                found[leaf] = self.tied[leaf]
        return tuple(found)

    def mistakes(self, rows: Sequence[Sequence[Number]]) -> list[Mistakes]:
        """What every state gets wrong on these counts, a row for each leaf."""
        counts = [[_plain(k) for k in row] for row in rows]
        now = [self._wrong(row, label) for row, label in zip(counts, self.below, strict=True)]
        sums = [sum(column) for column in zip(*now, strict=True)]
        found = [Mistakes(*sums)]
        for cut in self.cuts:
            for labels in (self.tied, (self.positive,) * len(counts)):
                for leaf in cut.leaves:
                    new = self._wrong(counts[leaf], labels[leaf])
                    sums = [s + n - o for s, n, o in zip(sums, new, now[leaf], strict=True)]
                    now[leaf] = new
                found.append(Mistakes(*sums))
        return found

    def of_labels(self, rows: Sequence[Sequence[Number]], labels: Sequence[int]) -> Mistakes:
        """What any labels get wrong on these counts."""
        counts = [[_plain(k) for k in row] for row in rows]
        now = [self._wrong(row, label) for row, label in zip(counts, labels, strict=True)]
        return Mistakes(*(sum(column) for column in zip(*now, strict=True)))

    def _wrong(self, row: Sequence[Weight], label: int) -> tuple[Weight, Weight, Weight]:
        own = row[self.positive]
        rest = sum(row) - own
        return (0, rest, rest) if label == self.positive else (own, 0, rest - row[label])


def cost_steps(
    counts: ClassCounts,
    own: Sequence[int],
    positive: int,
    smoothing: Smoothing = "laplace",
    *,
    m: Number | None = None,
) -> CostSteps:
    """The labels that `j48geo.decide.costs.label_leaves` gives, for all ratios of costs at once.

    Parameters
    ----------
    own
        J48's labels, which are kept where labels are equally cheap.
    positive
        The class that is missed.
    smoothing, m
        See `j48geo.decide.costs.class_estimates`.

    Notes
    -----
    All shares of a leaf have one denominator, so whole numbers decide where counts are whole.
    """
    ratios: dict[tuple[int, int], list[int]] = {}
    below, tied = list(own), list(own)
    shares = counts.shares
    for leaf, row in enumerate(_numerators(counts, shares, smoothing, m)):
        if row is None or len(row) < 2:
            continue
        others = [k for c, k in enumerate(row) if c != positive]
        most, mine = max(others), row[positive]
        if not most and not mine:
            continue
        best = [c for c, k in enumerate(row) if k == most and c != positive]
        below[leaf] = own[leaf] if own[leaf] in best else best[0]
        cheapest = sorted([positive, *best])
        if most and mine and own[leaf] not in cheapest:
            tied[leaf] = cheapest[0]
        part = gcd(most, mine)
        ratios.setdefault((most // part, mine // part), []).append(leaf)
    endless = [(key, leaves) for key, leaves in ratios.items() if not key[1]]
    finite = [(key, leaves) for key, leaves in ratios.items() if key[1]]
    finite.sort(key=lambda found: Fraction(*found[0]))
    cuts = tuple(Cut(*key, tuple(leaves)) for key, leaves in [*finite, *endless])
    return CostSteps(positive, cuts, tuple(below), tuple(tied))


def _numerators(
    counts: ClassCounts,
    shares: tuple[Fraction, ...] | None,
    smoothing: Smoothing,
    m: Number | None,
) -> Iterator[list[int] | None]:
    """Whole numbers in the ratio of the estimates at each leaf; None where there are none."""
    if smoothing == "m" and (m is None or shares is None):
        raise CostError("the m-estimate needs m, and training cases")
    added: list[Weight] = [1 if smoothing == "laplace" else 0] * len(counts.own[0])
    if smoothing == "m" and m is not None and shares is not None:
        added = [_plain(Fraction(m) * share) for share in shares]
    for row in counts.basis:
        if smoothing == "none" and not any(row):
            yield None
            continue
        weights = [_plain(k) + more for k, more in zip(row, added, strict=True)]
        unit = lcm(*(k.denominator for k in weights))
        yield [int(k * unit) for k in weights]


def _plain(x: Number) -> Weight:
    """The same number, as an integer where it is one: these are much faster."""
    found = x if isinstance(x, (int, Fraction)) else Fraction(x)
    return found.numerator if found.denominator == 1 else found
