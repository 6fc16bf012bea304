"""Labels of least expected cost for the leaves, and what labellings cost.

`label_leaves` chooses the labels, `Relabelling` holds them with what they were chosen by, and
`relabel_tree` gives a tree with other labels; the tree itself stays as it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property
from typing import Literal

from j48geo.core.tree import BoxTree, Leaf
from j48geo.decide.costs import CostError, CostMatrix
from j48geo.decide.leaf_counts import ClassCounts
from j48geo.decide.leaf_order import Smoothing, choose_estimator
from j48geo.score.leaf_estimates import Number, to_fraction

LeafEstimates = Sequence[Sequence[Fraction] | None]


Ties = Literal["keep", "positive", "negative"]


TIES: tuple[Ties, ...] = ("keep", "positive", "negative")


def default_smoothing(counts: ClassCounts) -> Smoothing:
    """By which estimate labels are chosen if nobody says: Laplace's, or m with more classes."""
    return "laplace" if len(counts.own[0]) == 2 or counts.shares is None else "m"


def class_estimates(
    counts: ClassCounts, smoothing: Smoothing = "laplace", *, m: Number | None = None
) -> tuple[tuple[Fraction, ...] | None, ...]:
    """Share of every class at every leaf; None where there is nothing to divide by.

    Parameters
    ----------
    m
        The m of ``smoothing="m"``: (k + m p)/(n + m), p the share of the class in training.
    """
    n_classes = len(counts.own[0])
    shares = counts.shares
    if smoothing == "m" and (m is None or shares is None):
        raise CostError("the m-estimate needs m, and training cases")
    weight = None if m is None else to_fraction(m)
    of_class = [
        choose_estimator(smoothing, n_classes, share, weight)
        for share in shares or (None,) * n_classes
    ]

    @cache  # many leaves have the same counts, and fractions are slow
    def estimate_row(row: tuple[Fraction, ...]) -> tuple[Fraction, ...] | None:
        total = sum(row, start=Fraction(0))
        estimates = [estimate(k, total) for estimate, k in zip(of_class, row, strict=True)]
        known = tuple(share for share in estimates if share is not None)
        return known if len(known) == n_classes else None

    return tuple(map(estimate_row, counts.basis))


def expected_costs(estimate: Sequence[Fraction], matrix: CostMatrix) -> tuple[Fraction, ...]:
    """Expected cost of each label at a leaf with this estimate (FFH02: Cost_k^i)."""
    columns = zip(*matrix.costs, strict=True)
    return tuple(
        sum((f * c for f, c in zip(estimate, column, strict=True)), start=Fraction(0))
        for column in columns
    )


def label_leaves(
    estimates: Sequence[Sequence[Fraction] | None],
    matrix: CostMatrix,
    own: Sequence[int],
    *,
    ties: Ties = "keep",
    positive: int = 0,
) -> tuple[int, ...]:
    """The label of least expected cost for every leaf: an overlay, the tree stays as it is.

    Parameters
    ----------
    own
        J48's labels. A leaf without an estimate keeps its own.
    ties
        Among equally cheap labels: keep J48's, or take the positive class, or another one.

    Notes
    -----
    FFH02 section 2.1 (Best_k), Lemma 1 for two classes. If the label to be preferred is not
    among the cheapest, the first of these is taken.

    Examples
    --------
    >>> thirds = [(Fraction(1, 3), Fraction(2, 3)), (Fraction(1, 6), Fraction(5, 6))]
    >>> from j48geo.decide.costs import two_class_costs
    >>> label_leaves(thirds, two_class_costs(5, 1, positive=0), own=[1, 1])
    (0, 1)
    """

    @cache  # many leaves have the same estimate, and fractions are slow
    def cheapest_of(estimate: tuple[Fraction, ...]) -> list[int]:
        costs = expected_costs(estimate, matrix)
        least = min(costs)
        return [k for k, cost in enumerate(costs) if cost == least]

    labels = []
    for estimate, label in zip(estimates, own, strict=True):
        if estimate is None:
            labels.append(label)
            continue
        cheapest = cheapest_of(tuple(estimate))
        if ties == "positive" and positive in cheapest:
            labels.append(positive)
        elif ties == "negative" and cheapest != [positive]:
            others = [k for k in cheapest if k != positive]
            labels.append(label if label in others else others[0])
        else:
            labels.append(label if label in cheapest else cheapest[0])
    return tuple(labels)


def labelling_cost(
    counts: Sequence[Sequence[Number]], labels: Sequence[int], matrix: CostMatrix
) -> Fraction:
    """What the labels cost in all on these counts, a row for each leaf."""
    total = Fraction(0)
    for actual, costs in enumerate(matrix.costs):
        # Leaves of the same count and label are counted first: fractions are slow to add.
        same = Counter(
            (row[actual], label) for row, label in zip(counts, labels, strict=True) if row[actual]
        )
        for (k, label), times in same.items():
            total += Fraction(k) * times * costs[label]
    return total


@dataclass(frozen=True)
class Relabelling:
    """New labels, and what they were chosen by.

    Parameters
    ----------
    matrix
        The costs that count, those of new class shares included.
    description
        What was asked for, in words.
    labels, raw_labels
        Chosen by the smoothed and by the raw estimates.
    positive
        The class that matters, if there is one.
    m
        That of the m-estimate.
    """

    tree: BoxTree
    counts: ClassCounts
    matrix: CostMatrix
    description: str
    smoothing: Smoothing
    estimates: LeafEstimates
    labels: tuple[int, ...]
    raw_labels: tuple[int, ...]
    positive: int | None = None
    m: float | None = None

    @cached_property
    def own(self) -> tuple[int, ...]:
        """J48's labels."""
        return tuple(leaf.label for leaf in self.tree.leaves)

    @cached_property
    def changed(self) -> tuple[int, ...]:
        """Leaves whose label is new."""
        pairs = zip(self.labels, self.own, strict=True)
        return tuple(k for k, (label, own) in enumerate(pairs) if label != own)

    @property
    def weight(self) -> Fraction:
        """Training weight."""
        return sum(self.counts.totals, start=Fraction(0))

    @cached_property
    def costs(self) -> list[tuple[str, Fraction]]:
        """Names of labellings and what they cost on the training counts."""
        n = len(self.labels)
        choices: list[tuple[str, Sequence[int]]] = [
            ("J48's labels", self.own),
            (f"new labels ({_smoothing_name(self.smoothing)})", self.labels),
        ]
        if self.smoothing != "none":
            choices.append(("new labels (raw)", self.raw_labels))
        choices += [(f"all {name!r}", [c] * n) for c, name in enumerate(self.tree.classes)]
        return [(what, self._cost(labels)) for what, labels in choices]

    def _cost(self, labels: Sequence[int]) -> Fraction:
        return labelling_cost(self.counts.own, labels, self.matrix)


def _smoothing_name(smoothing: Smoothing) -> str:
    return {"none": "raw", "laplace": "Laplace", "m": "m-estimate"}[smoothing]


def relabel_tree(tree: BoxTree, counts: ClassCounts, labels: Sequence[int]) -> BoxTree:
    """The tree with these labels and with errors that fit them.

    The errors of a leaf are the weight that is not of its new label, so that its counts
    say the same of the classes as before. They can be more than half of the weight.
    """

    def changed(leaf: Leaf) -> Leaf:
        label = labels[leaf.index]
        if label == leaf.label:
            return leaf
        row = counts.own[leaf.index]
        weight = sum(row, start=Fraction(0))
        if leaf.weight is None:
            return replace(leaf, label=label)
        errors = float(weight - row[label])
        return replace(leaf, label=label, weight=float(weight), errors=errors, token="")

    return replace(tree, leaves=tuple(map(changed, tree.leaves)))
