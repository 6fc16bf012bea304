"""A tree with other labels, as a new value: the tree itself stays as it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from j48geo.core.tree import BoxTree, Leaf
from j48geo.decide.leaf_counts import ClassCounts


def relabelled(tree: BoxTree, counts: ClassCounts, labels: Sequence[int]) -> BoxTree:
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
