"""Audit the splits of a tree: what every criterion says of each, from the counts of its branches.

They describe the splits of a given tree. J48 chose them by a gain ratio of its own, with a
penalty and factors for missing values that a printed tree does not show.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from j48geo.arrays import Floats
from j48geo.core.counts import NodeCounts
from j48geo.core.criteria import (
    Criterion,
    ImpurityFunction,
    area,
    impurity_of,
    split_information,
)
from j48geo.core.tree import BoxTree, Node, Split

GAIN_ROUNDING = 1e-12
"""Gains below it are the rounding of sums."""


@dataclass(frozen=True)
class ImpurityChange:
    """An impurity before a split, its weighted mean after it, and the gain; None for 0/0."""

    parent: float | None
    children: float | None

    @property
    def gain(self) -> float | None:
        """How much the split lowers the impurity; what only rounding leaves is 0."""
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


def compute_criteria(
    branches: Sequence[Sequence[float]],
    w: Sequence[float] | None = None,
    *,
    positive: int | None = 0,
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

    Examples
    --------
    >>> compute_criteria([[3, 5], [5, 1], [4, 2]]).auc
    0.71875
    """
    return _compute_all(np.array([branches], dtype=np.float64), w, positive)[0]


def _compute_all(
    counts: Floats, w: Sequence[float] | None, positive: int | None
) -> list[SplitCriteria]:
    """Criteria of many splits of equally many branches: (n_splits, n_branches, n_classes)."""
    n_classes = counts.shape[2]
    center = None if w is None or not all(0 < x < 1 for x in w) else np.array(w)
    wrong = _compare_impurity(counts, "error")
    entropy = _compare_impurity(counts, "gain")
    columns = zip(
        _split_areas(counts, positive),
        wrong,
        _compare_impurity(counts, "gini"),
        entropy,
        _gain_ratios(counts, entropy),
        _compare_impurity(counts, "dkm" if n_classes == 2 else None),
        _compare_impurity(counts, None if center is None else "asymmetric", center),
        _compare_impurity(
            counts, None if center is None or n_classes != 2 else "off-centred", center
        ),
        strict=True,
    )
    return [
        SplitCriteria(
            auc,
            None if error.children is None else 1.0 - error.children,
            error,
            gini,
            change,
            ratio,
            dkm,
            asymmetric,
            off_centred,
        )
        for auc, error, gini, change, ratio, dkm, asymmetric, off_centred in columns
    ]


def _compare_impurity(
    counts: Floats, criterion: Criterion | None, center: Floats | None = None
) -> list[ImpurityChange]:
    """An impurity before each split and after it; None without a criterion, or without weight."""
    if criterion is None:
        return [ImpurityChange(None, None)] * len(counts)
    impurity: ImpurityFunction = impurity_of(criterion, np.empty(0) if center is None else center)
    size = counts.sum(axis=2)
    total = size.sum(axis=1)
    # Empty branches have weight 0 in the mean, so any share will do for them.
    shares = counts / np.where(size > 0, size, 1.0)[:, :, None]
    divisor = np.where(total > 0, total, 1.0)[:, None]
    parent = impurity(counts.sum(axis=1) / divisor)
    children = (size / divisor * impurity(shares)).sum(axis=1)
    return [
        ImpurityChange(before, after) if weight > 0 else ImpurityChange(None, None)
        for before, after, weight in zip(
            parent.tolist(), children.tolist(), total.tolist(), strict=True
        )
    ]


def _gain_ratios(counts: Floats, entropy: Sequence[ImpurityChange]) -> list[float | None]:
    """Gain of entropy by split information; None if all cases go one way."""
    information = split_information(counts.sum(axis=2)).tolist()
    return [
        change.gain / bits if bits and change.gain is not None else None
        for change, bits in zip(entropy, information, strict=True)
    ]


def _split_areas(counts: Floats, positive: int | None) -> list[float | None]:
    """AUCsplit of the positive class; None if it or its opposite is absent."""
    if positive is None:
        return [None] * len(counts)
    plus, rest = counts[:, :, positive], np.delete(counts, positive, axis=2).sum(axis=2)
    both = (plus.sum(axis=1) > 0) & (rest.sum(axis=1) > 0)
    return [
        auc if defined else None
        for auc, defined in zip(area(plus, rest).tolist(), both.tolist(), strict=True)
    ]


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
    # Splits with equally many branches are one array: a large tree is audited in a few steps.
    by_branches: dict[int, list[tuple[Node, Split]]] = {}
    for node, split in tree.splits:
        by_branches.setdefault(len(node.children), []).append((node, split))
    audited: list[AuditedSplit] = []
    for splits in by_branches.values():
        branches = counts.per_class[[list(node.children) for node, _ in splits]]
        weights = branches.sum(axis=2).sum(axis=1).tolist()
        criteria = _compute_all(branches, w, positive)
        audited += [
            AuditedSplit(tree, node, split, weight, values)
            for (node, split), weight, values in zip(splits, weights, criteria, strict=True)
        ]
    return sorted(audited, key=lambda one: one.node.index)
