"""What criteria of splitting say of a split, from the counts of its branches.

They describe the splits of a given tree. J48 chose them by a gain ratio of its own, with a
penalty and factors for missing values that a printed tree does not show.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from math import log2, sqrt

from j48geo.core.counts import NodeCounts
from j48geo.core.criteria import Criterion
from j48geo.core.tree import BoxTree, Node, Split
from j48geo.decide.labellings import leaf_auc
from j48geo.decide.leaf_counts import PositiveCounts
from j48geo.decide.leaf_order import order_leaves

GAIN_ROUNDING = 1e-12
"""Gains below it are the rounding of sums."""

Shares = Sequence[float]
"""Share of each class at a node; they sum to 1."""


@dataclass(frozen=True)
class ImpurityChange:
    """An impurity before a split, its weighted mean after it, and the gain; None for 0/0."""

    parent: float | None
    children: float | None

    @property
    def gain(self) -> float | None:
        """How much the split lowers it; what only rounding leaves is 0."""
        if self.parent is None or self.children is None:
            return None
        gain = self.parent - self.children
        return 0.0 if abs(gain) < GAIN_ROUNDING else gain


@dataclass(frozen=True)
class SplitCriteria:
    """All criteria of one split; None where one is 0/0 or not defined.

    Parameters
    ----------
    auc
        AUCsplit of the positive class against the others.
    accuracy
        Share of cases that the majorities of the branches get right; `error` is the rest.
    gain_ratio
        Gain of entropy by split information.
    asymmetric, off_centred
        Entropies whose maximum is at W, not at equal shares.
    """

    auc: float | None
    accuracy: float | None
    error: ImpurityChange
    gini: ImpurityChange
    entropy: ImpurityChange
    gain_ratio: float | None
    dkm: ImpurityChange
    asymmetric: ImpurityChange
    off_centred: ImpurityChange

    @property
    def scores(self) -> dict[Criterion, float | None]:
        """What the split is worth by each ``grow --criterion``; of the AUC nothing is taken off."""
        return {
            "gain-ratio": self.gain_ratio,
            "gain": self.entropy.gain,
            "gini": self.gini.gain,
            "dkm": self.dkm.gain,
            "error": self.error.gain,
            "auc": self.auc,
            "asymmetric": self.asymmetric.gain,
            "off-centred": self.off_centred.gain,
        }


def error(f: Shares) -> float:
    """Share of all classes but the largest; two classes: min(a, b)."""
    return 1.0 - max(f)


def gini(f: Shares) -> float:
    """Σ f (1 - f); two classes: 2ab (FFH02 section 3.2, MZR08 section 2)."""
    return sum(x * (1.0 - x) for x in f)


def entropy(f: Shares) -> float:
    """Shannon's entropy in bits."""
    return -sum(x * log2(x) for x in f if x > 0) + 0.0


def dkm(f: Shares) -> float | None:
    """2 √(ab) of Kearns and Mansour; None unless there are two classes."""
    return 2.0 * sqrt(f[0] * f[1]) if len(f) == 2 else None


def asymmetric_entropy(f: Shares, w: Shares) -> float | None:
    """The entropy h_W(f) = Σ f (1 - f) / ((1 - 2w) f + w²); None if W has a 0 or a 1.

    It is largest at f = W, where it is the number of classes.

    Notes
    -----
    MZR08 section 2. With two classes and w = 1/2 it is four times Gini.

    Examples
    --------
    >>> asymmetric_entropy([0.25, 0.75], [0.25, 0.75])
    2.0
    """
    if not all(0 < x < 1 for x in w):
        return None
    return sum(x * (1.0 - x) / ((1.0 - 2.0 * at) * x + at * at) for x, at in zip(f, w, strict=True))


def off_centred_entropy(f: Shares, w: Shares) -> float | None:
    """Entropy of the shares moved so that W becomes one half; two classes only, else None.

    Notes
    -----
    MZR08 section 2, after Lallich and others: π = p / (2w) up to w, (p + 1 - 2w) / (2 (1 - w))
    from there.
    """
    if len(f) != 2 or not all(0 < x < 1 for x in w):
        return None
    p, at = f[0], w[0]
    moved = p / (2.0 * at) if p <= at else (p + 1.0 - 2.0 * at) / (2.0 * (1.0 - at))
    return entropy([moved, 1.0 - moved])


def mean_impurity(
    branches: Sequence[Shares], impurity: Callable[[Shares], float | None]
) -> float | None:
    """I(s) = Σ p_j f(branch j), from counts; empty branches have no part in it."""
    total = sum(map(sum, branches))
    if not total:
        return None
    mean = 0.0
    for counts in branches:
        n = sum(counts)
        if n:
            found = impurity([k / n for k in counts])
            if found is None:
                return None
            mean += n / total * found
    return mean


def split_information(branches: Sequence[Shares]) -> float | None:
    """Entropy of the sizes of the branches."""
    total = sum(map(sum, branches))
    return entropy([sum(counts) / total for counts in branches]) if total else None


def gain_ratio(branches: Sequence[Shares]) -> float | None:
    """Gain of entropy by split information; None if all cases go one way."""
    information = split_information(branches)
    if not information:
        return None
    gain = _compare_impurity(branches, entropy).gain
    return None if gain is None else gain / information


def auc_split(branches: Sequence[Shares], positive: int) -> float | None:
    """AUC of the branches in the order of their accuracy; None if a class is absent.

    Notes
    -----
    FFH02 definition 8. Two branches: (1 + |p1/p - n1/n|) / 2.

    Examples
    --------
    >>> auc_split([[3, 5], [5, 1], [4, 2]], positive=0)
    0.71875
    """
    plus = [row[positive] for row in branches]
    rest = [sum(row[:positive]) + sum(row[positive + 1 :]) for row in branches]
    found = leaf_auc(order_leaves(PositiveCounts.of(plus, rest)))
    return None if found is None else float(found)


def compute_criteria(
    branches: Sequence[Shares], w: Shares | None = None, *, positive: int | None = 0
) -> SplitCriteria:
    """All criteria of a split.

    Parameters
    ----------
    branches
        Weight of every class in each branch.
    w
        W, the shares of largest uncertainty; None where these criteria are not wanted.
    positive
        Class whose AUCsplit is wanted, if any.

    Notes
    -----
    FFH02 section 3.2, MZR08 section 2; DEFINITIONS section 8.
    """
    wrong = _compare_impurity(branches, error)
    return SplitCriteria(
        auc=None if positive is None else auc_split(branches, positive),
        accuracy=None if wrong.children is None else 1.0 - wrong.children,
        error=wrong,
        gini=_compare_impurity(branches, gini),
        entropy=_compare_impurity(branches, entropy),
        gain_ratio=gain_ratio(branches),
        dkm=_compare_impurity(branches, dkm),
        asymmetric=_compare_impurity(
            branches, lambda f: None if w is None else asymmetric_entropy(f, w)
        ),
        off_centred=_compare_impurity(
            branches, lambda f: None if w is None else off_centred_entropy(f, w)
        ),
    )


def _compare_impurity(
    branches: Sequence[Shares], impurity: Callable[[Shares], float | None]
) -> ImpurityChange:
    whole = [sum(column) for column in zip(*branches, strict=True)]
    return ImpurityChange(mean_impurity([whole], impurity), mean_impurity(branches, impurity))


@dataclass(frozen=True)
class AuditedSplit:
    """A split of a tree with its criteria, and the training weight that it divides."""

    tree: BoxTree
    node: Node
    split: Split
    weight: float
    criteria: SplitCriteria


def audit_splits(
    tree: BoxTree, counts: NodeCounts, w: Sequence[float], positive: int | None
) -> list[AuditedSplit]:
    """Every inner node in preorder, from the counts of its branches."""

    @cache  # in a large tree most splits divide a few cases, in one of a few ways
    def criteria(branches: tuple[tuple[float, ...], ...]) -> SplitCriteria:
        return compute_criteria(branches, w, positive=positive)

    made = []
    rows = [tuple(row) for row in counts.per_class.tolist()]
    for node, split in tree.splits:
        branches = tuple(rows[child] for child in node.children)
        weight = sum(map(sum, branches))
        made.append(AuditedSplit(tree, node, split, weight, criteria(branches)))
    return made
