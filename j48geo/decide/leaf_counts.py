"""Weight of the classes at each leaf, as exact fractions.

So that 1 of 3 and 2 of 6 are one share, and no rounding of floats puts a corner into a curve
where there is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache

import numpy as np

from j48geo.core.counts import NodeCounts, leaf_basis
from j48geo.core.dataset import Dataset
from j48geo.core.routing import route_cases
from j48geo.core.summaries import ExactSum, add_sums, exact_sums
from j48geo.core.tree import BoxTree, Leaf
from j48geo.score.leaf_estimates import Number, to_fraction, unknown_counts_error

HALF_PRINTED = Fraction(1, 200)
"""Half a unit of the second decimal, the last one of a printed count."""

COUNT_ROUNDING = Fraction(1, 10**12)
"""Part of a count by which sums of weights and shares of rows may be off."""


def _sum_fractions(numbers: Iterable[Fraction]) -> Fraction:
    """Their sum: whole numbers for each denominator, of which there are few, then fractions."""
    parts: dict[int, int] = {}
    for number in numbers:
        parts[number.denominator] = parts.get(number.denominator, 0) + number.numerator
    return sum((Fraction(above, below) for below, above in parts.items()), start=Fraction(0))


@dataclass(frozen=True)
class PositiveCounts:
    """Weight of the positive class and of all others at each leaf.

    Parameters
    ----------
    positive, negative
        E+ and E- of each leaf.
    basis
        The pair that a leaf's accuracy is estimated from: its own, or that of its parent if
        it is empty.
    slack
        How far the printed numbers of each leaf may be off; 0 where they are exact.
    """

    positive: tuple[Fraction, ...]
    negative: tuple[Fraction, ...]
    basis: tuple[tuple[Fraction, Fraction], ...]
    slack: tuple[Fraction, ...]

    @classmethod
    def of(cls, positive: Sequence[Number], negative: Sequence[Number]) -> PositiveCounts:
        """Counts that are exactly these numbers; an empty leaf has no estimate but 1/2."""
        pairs = tuple((Fraction(p), Fraction(n)) for p, n in zip(positive, negative, strict=True))
        if any(p < 0 or n < 0 for p, n in pairs):
            raise ValueError("counts are not negative")
        zeros = (Fraction(0),) * len(pairs)
        return cls(tuple(p for p, _ in pairs), tuple(n for _, n in pairs), pairs, zeros)

    @cached_property
    def totals(self) -> tuple[Fraction, Fraction]:
        """All positive and all negative weight."""
        return _sum_fractions(self.positive), _sum_fractions(self.negative)


@dataclass(frozen=True)
class ClassCounts:
    """Weight of every class at each leaf, exactly; the fields are those of `PositiveCounts`."""

    own: tuple[tuple[Fraction, ...], ...]
    basis: tuple[tuple[Fraction, ...], ...]
    slack: tuple[Fraction, ...]

    @classmethod
    def of(cls, rows: Sequence[Sequence[Number]]) -> ClassCounts:
        """Counts that are exactly these numbers, a row for each leaf."""
        own = tuple(tuple(Fraction(k) for k in row) for row in rows)
        return cls(own, own, (Fraction(0),) * len(own))

    @property
    def totals(self) -> tuple[Fraction, ...]:
        """Weight of each class in all leaves."""
        return tuple(map(_sum_fractions, zip(*self.own, strict=True)))

    @property
    def shares(self) -> tuple[Fraction, ...] | None:
        """Share of each class; None if there is no weight at all."""
        totals = self.totals
        total = sum(totals, start=Fraction(0))
        return tuple(t / total for t in totals) if total else None

    def against_rest(self, c: int) -> PositiveCounts:
        """Class `c` as the positive one, all others together as the negative one."""
        if len(self.own[0]) == 2:
            positive, negative = (tuple(row[k] for row in self.own) for k in (c, 1 - c))
            return PositiveCounts(
                positive, negative, tuple((row[c], row[1 - c]) for row in self.basis), self.slack
            )
        own, basis = self._sums
        return PositiveCounts(
            tuple(row[c] for row in self.own),
            tuple(n - row[c] for row, n in zip(self.own, own, strict=True)),
            tuple((row[c], n - row[c]) for row, n in zip(self.basis, basis, strict=True)),
            self.slack,
        )

    @cached_property
    def _sums(self) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
        """Weight of all classes at each leaf, of its own and of its basis."""
        return tuple(map(_sum_fractions, self.own)), tuple(map(_sum_fractions, self.basis))


def class_counts(tree: BoxTree, counts: NodeCounts) -> ClassCounts:
    """The counts of every leaf, exactly.

    From the text they are the printed decimals, and a leaf with decimals other than zero is
    known to half a unit of the second one. From rows they are sums of doubles, known to their
    rounding unless they are whole. An empty leaf speaks with its parent's counts.

    Raises
    ------
    UnknownCountsError
        If the counts of a leaf are not known.

    Examples
    --------
    >>> from j48geo.core.build import at_most, build_tree, leaf
    >>> from j48geo.core.counts import counts_from_text
    >>> from j48geo.core.dataset import Attribute, Header
    >>> header = Header("h", (Attribute("x"), Attribute("c", "nominal", ("a", "b"))), 1)
    >>> tree = build_tree(header, at_most("x", 2, leaf("a", 2, 1), leaf("a", 6.1, 0.3)))
    >>> found = class_counts(tree, counts_from_text(tree))
    >>> [[str(k) for k in row] for row in found.own]
    [['1', '1'], ['29/5', '3/10']]
    """
    rows = counts.per_class[list(tree.leaf_nodes)]
    unknown = np.flatnonzero(np.isnan(rows).any(axis=1))
    if len(unknown):
        raise unknown_counts_error(tree, int(unknown[0]))
    of_leaf: list[tuple[Fraction, ...]] = []
    slack: list[Fraction] = []
    for printed, row in zip(tree.leaves, rows.tolist(), strict=True):
        if counts.source == "text":
            of_leaf.append(_printed_row(printed, row))
            whole = all(float(x or 0.0).is_integer() for x in (printed.weight, printed.errors))
            slack.append(Fraction(0) if whole else HALF_PRINTED)
        else:
            of_leaf.append(tuple(map(_fraction, row)))
            whole = all(k.is_integer() for k in row)
            slack.append(Fraction(0) if whole else Fraction(sum(row)) * COUNT_ROUNDING)
    basis = list(of_leaf)
    stands_for = leaf_basis(tree, counts)
    for leaf in np.flatnonzero((stands_for.per_class != rows).any(axis=1)).tolist():
        if counts.source == "text":
            basis[leaf] = _node_row(tree, int(stands_for.node[leaf]), of_leaf)
        else:
            basis[leaf] = tuple(map(_fraction, stands_for.per_class[leaf].tolist()))
    return ClassCounts(tuple(of_leaf), tuple(basis), tuple(slack))


@lru_cache(maxsize=4096)
def _fraction(k: float) -> Fraction:
    """A count exactly; most leaves have one of a few."""
    return Fraction(k)


def _printed_row(leaf: Leaf, row: list[float]) -> tuple[Fraction, ...]:
    if leaf.weight is None:
        return tuple(map(_fraction, row))
    errors = to_fraction(leaf.errors or 0.0)
    counts = [Fraction(0)] * len(row)
    counts[leaf.label] = to_fraction(leaf.weight) - errors
    if errors:
        counts[1 - leaf.label] = errors
    return tuple(counts)


def _node_row(
    tree: BoxTree, node: int, of_leaf: Sequence[tuple[Fraction, ...]]
) -> tuple[Fraction, ...]:
    """The printed counts of all leaves below a node, added up."""
    below, waiting = [], [node]
    while waiting:
        now = tree.nodes[waiting.pop()]
        if now.is_leaf:
            below.append(of_leaf[now.leaf])
        waiting.extend(now.children)
    return tuple(map(_sum_fractions, zip(*below, strict=True)))


def count_coverage(tree: BoxTree, counts: NodeCounts, rows: Iterable[Dataset]) -> ClassCounts:
    """Weight of every class that rows bring to each leaf.

    Rows with a missing class do not count; a missing value divides a row as Weka does.

    Parameters
    ----------
    rows
        Blocks in the columns of the tree's header.
    """
    classes = len(tree.classes)
    sums: dict[int, ExactSum] = {}
    column = tree.header.class_index
    assert column is not None
    for block in rows:
        known = ~np.isnan(block.X[:, column])
        X, weights = block.X[known], block.weights[known]
        label = X[:, column].astype(np.intp)
        routes = route_cases(tree, X, counts.weight)
        share = routes.share * weights[routes.case]
        place = routes.leaf * classes + label[routes.case]
        sums = add_sums(sums, exact_sums(share, place))
    weight = np.zeros((len(tree.leaves), classes))
    for cell, total in sums.items():
        weight.flat[cell] = total.result()
    return ClassCounts.of(weight.tolist())
