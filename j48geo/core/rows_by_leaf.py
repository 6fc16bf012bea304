"""Sum up training rows by the leaves they may reach, so that parts of the rows add up.

Counts of parts of the rows do not add up where values are missing: a row is divided by the known
values of *all* rows at a node. What does add up is the weight of the rows that go the same way: a
tree has far fewer ways than rows, and from the weight of each the counts of every node follow.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.core.counts import NodeCounts, divide_by_known
from j48geo.core.descent import Visit, descend
from j48geo.core.routing import find_leaves
from j48geo.core.summaries import ExactSum, Summary, exact_sums
from j48geo.core.tree import BoxTree
from j48geo.java.numbers import SMALL

Way = tuple[tuple[int, ...], int]
"""The leaves that a row may reach, ascending, and its class."""


@dataclass(frozen=True)
class RowsByLeaf(Summary):
    """The weight of the rows of every way down a tree; two of one tree add up.

    Parameters
    ----------
    weight
        Of the rows that may reach the same leaves and have the same class.
    rows, classless
        How many rows have a class and count, and how many have none.
    """

    weight: Mapping[Way, ExactSum] = field(default_factory=dict)
    rows: int = 0
    classless: int = 0

    @classmethod
    def of(cls, tree: BoxTree, X: Floats, y: Floats, weights: Floats) -> RowsByLeaf:
        """Sum up some rows; parameters as for `j48geo.core.counts.counts_from_data`."""
        known = ~np.isnan(y)
        X, label, weights = X[known], y[known].astype(np.intp), weights[known]
        ends, classes = find_leaves(tree, X), len(tree.classes)
        whole = ends >= 0
        sums = exact_sums(weights[whole], ends[whole] * classes + label[whole])
        weight_by_way: dict[Way, ExactSum] = {
            ((cell // classes,), cell % classes): total for cell, total in sums.items()
        }
        divided = np.flatnonzero(~whole)
        ways = _ways(tree, X[divided])
        numbers: dict[Way, int] = {}
        place = np.empty(len(divided), dtype=np.intp)
        for i, (leaves, c) in enumerate(zip(ways, label[divided].tolist(), strict=True)):
            place[i] = numbers.setdefault((leaves, c), len(numbers))
        of_way = exact_sums(weights[divided], place)
        weight_by_way |= {way: of_way[number] for way, number in numbers.items()}
        return cls(weight_by_way, len(label), int((~known).sum()))

    def counts(self, tree: BoxTree) -> NodeCounts:
        """The counts of every node, as `j48geo.core.counts.counts_from_data` gives them.

        They are the same to the last bit for any parts of the rows. Weka adds up row by row:
        where weights are not whole, or values missing, its last bits may be others.
        """
        ways = sorted(self.weight)
        label = np.array([c for _, c in ways], dtype=np.intp)
        weight = np.array([self.weight[way].result() for way in ways])
        way = np.repeat(np.arange(len(ways)), [len(leaves) for leaves, _ in ways])
        leaf = np.array([k for leaves, _ in ways for k in leaves], dtype=np.intp)
        per_class = np.zeros((tree.size, len(tree.classes)))
        dropped = np.zeros_like(per_class)
        spans = _spans(tree)
        # Of every node that is still to be counted: its (way, leaf) pairs, and the ways' weights.
        waiting: list[tuple[int, Ints, Ints, Floats]] = [(0, way, leaf, weight)] if len(way) else []
        while waiting:
            node, way, leaf, share = waiting.pop()
            ways_here = np.unique(way)
            per_class[node] = np.bincount(label[ways_here], share[ways_here], len(tree.classes))
            children = tree.nodes[node].children
            if not children:
                continue
            ends = np.array([spans[child][1] for child in children])
            branch = np.searchsorted(ends, leaf, "right")
            reached = np.zeros((len(share), len(children)), dtype=np.bool_)
            reached[way, branch] = True
            several = reached[ways_here].sum(axis=1) > 1
            one = np.where(several, -1, np.argmax(reached[ways_here], axis=1))
            factor = np.ones(len(children))
            if several.any():
                factor = divide_by_known(share[ways_here], one, len(children))
                missing = np.bincount(
                    label[ways_here[several]], share[ways_here[several]], len(tree.classes)
                )
                for k in np.flatnonzero((factor > 0) & (factor <= SMALL)).tolist():
                    dropped[children[k]] = factor[k] * missing
                    factor[k] = 0.0
            is_divided = np.zeros(len(share), dtype=np.bool_)
            is_divided[ways_here[several]] = True
            for k, child in enumerate(children):
                goes = (branch == k) & ~(is_divided[way] & (factor[k] == 0))
                if goes.any():
                    part = np.where(is_divided, share * factor[k], share)
                    waiting.append((child, way[goes], leaf[goes], part))
        bag = per_class + dropped if dropped.any() else per_class
        return NodeCounts(per_class, bag.sum(axis=1), "data", bag)


def _ways(tree: BoxTree, X: Floats) -> list[tuple[int, ...]]:
    """The leaves that each case may reach if a missing value may be any."""

    def everywhere(visit: Visit, branch: Ints) -> Floats:
        return np.ones(len(tree.nodes[visit.node].children))

    reachable: list[list[int]] = [[] for _ in range(len(X))]
    for visit in descend(tree, X, np.ones(len(X)), everywhere):
        leaf = tree.nodes[visit.node].leaf
        if leaf >= 0:
            for case in visit.cases.tolist():
                reachable[case].append(leaf)
    return [tuple(leaves) for leaves in reachable]


def _spans(tree: BoxTree) -> list[tuple[int, int]]:
    """The first leaf below each node, and the one behind the last."""
    spans = [(0, 0)] * tree.size
    for node in reversed(tree.nodes):
        if node.children:
            spans[node.index] = (spans[node.children[0]][0], spans[node.children[-1]][1])
        else:
            spans[node.index] = (node.leaf, node.leaf + 1)
    return spans
