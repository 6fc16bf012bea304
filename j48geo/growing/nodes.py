"""The tree while it grows: nodes that change, as arrays, and the frozen tree made of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from j48geo.arrays import Floats
from j48geo.core.counts import NodeCounts, find_largest_class, find_leaf_label
from j48geo.core.dataset import Header
from j48geo.core.tree import BoxTree, Leaf, Options, Split, SplitKind, TreeLayout, build_nodes
from j48geo.growing.loops.distributions import SplitArrays, SplitTest
from j48geo.java.numbers import SMALL

KINDS: tuple[SplitKind, ...] = ("numeric", "multiway", "binary")


class NodeDistribution(NamedTuple):
    """Weight of the rows of a node by bag and class, by bag, by class, and of all.

    A leaf has one bag. The four are sums of their own: made from each other they would
    round otherwise.
    """

    P: Floats
    B: Floats
    C: Floats
    T: float

    @classmethod
    def of_leaf(cls, C: Floats, T: float) -> NodeDistribution:
        """One bag with everything."""
        return cls(C[np.newaxis], np.array([T]), C, T)

    def merge_bags(self) -> NodeDistribution:
        """The distribution of a leaf with the same rows: all of them in one bag."""
        return NodeDistribution.of_leaf(self.C, self.T)

    @property
    def wrong(self) -> float:
        """Weight of all classes but the largest."""
        return self.T - float(self.C[find_largest_class(self.C)])

    def label(self, bag: int) -> int:
        """Class of a bag; of the whole if there is nothing in it."""
        return find_leaf_label(self.P[bag], float(self.B[bag]), self.C)

    @property
    def biggest(self) -> int:
        """The heaviest bag, the last of equals."""
        heaviest, most = -1, 0.0
        for b, weight in enumerate(self.B.tolist()):
            if most - weight < SMALL or weight >= most:
                heaviest, most = b, weight
        return heaviest


class GrowingNodes:
    """All nodes that were ever made; the children of one stand side by side."""

    def __init__(self) -> None:
        self.count = 0
        self.attribute, self.kind, self.value, self.first, self.bags = (
            np.zeros(64, dtype=np.intp) for _ in range(5)
        )
        self.cut = np.zeros(64)
        self.distribution: list[NodeDistribution] = []
        self.make(1)

    def _double(self) -> None:
        for name in SplitArrays._fields:
            column = getattr(self, name)
            setattr(self, name, np.concatenate([column, np.zeros_like(column)]))

    def make(self, count: int) -> int:
        """Leaves side by side; the index of the first."""
        first = self.count
        self.count += count
        while self.count > len(self.bags):
            self._double()
        self.distribution += [_EMPTY] * count
        return first

    def split(
        self, node: int, attribute: int, kind: int, cut: float, value: int, bags: int
    ) -> range:
        """Give a leaf a question and children; their indices."""
        self.attribute[node] = attribute
        self.kind[node] = kind
        self.cut[node] = cut
        self.value[node] = value
        first = self.make(bags)
        self.first[node] = first
        self.bags[node] = bags
        return range(first, first + bags)

    def children(self, node: int) -> range:
        """Indices of the children; none for a leaf."""
        first = int(self.first[node])
        return range(first, first + int(self.bags[node]))

    def cut_off(self, node: int) -> None:
        """Make a leaf of a node."""
        self.bags[node] = 0
        self.distribution[node] = self.distribution[node].merge_bags()

    def replace(self, node: int, child: int) -> None:
        """Let a child take the place of its parent; distributions are then to be made anew."""
        for name in SplitArrays._fields:
            column = getattr(self, name)
            column[node] = column[child]

    @property
    def split_arrays(self) -> SplitArrays:
        """What all nodes ask."""
        return SplitArrays(*(getattr(self, name) for name in SplitArrays._fields))

    def split_test(self, node: int) -> SplitTest:
        """What the split of a node asks."""
        return SplitTest(
            int(self.attribute[node]),
            int(self.kind[node]),
            float(self.cut[node]),
            int(self.value[node]),
        )


_EMPTY = NodeDistribution(np.zeros((1, 0)), np.zeros(1), np.zeros(0), 0.0)


class GrownTree(NamedTuple):
    """A grown tree, and the counts of its nodes to the last bit, as Weka would store them."""

    tree: BoxTree
    counts: NodeCounts


class _Part(NamedTuple):
    """A node to be: its index here, and the bag of its parent that holds its rows."""

    node: int
    above: NodeDistribution
    branch: int


def freeze_tree(
    nodes: GrowingNodes, header: Header, options: Options, layout: TreeLayout
) -> GrownTree:
    """The tree of node 0, in preorder; the numbers of a leaf are those of its parent's bag."""
    leaves: list[Leaf] = []
    own: list[NodeDistribution] = []
    bags: list[tuple[Floats, float]] = []

    def expand(part: _Part) -> tuple[Split | None, list[_Part]]:
        node, above, branch = part
        distribution = nodes.distribution[node]
        own.append(distribution)
        weight = float(above.B[branch])
        bags.append((above.P[branch], weight))
        children = nodes.children(node)
        if not children:
            label = above.label(branch)
            errors = weight - float(above.P[branch, label])
            leaves.append(Leaf(len(leaves), label, weight, errors))
            return None, []
        attribute, kind, cut, value = nodes.split_test(node)
        split = Split(attribute, KINDS[kind], cut if kind == 0 else 0.0, value)
        return split, [_Part(child, distribution, b) for b, child in enumerate(children)]

    tree_nodes, _ = build_nodes(_Part(0, nodes.distribution[0].merge_bags(), 0), expand)
    total = np.array([distribution.T for distribution in own])
    counts = NodeCounts(
        np.array([distribution.C for distribution in own]),
        np.array([weight for _, weight in bags]),
        "data",
        np.array([by_class for by_class, _ in bags]),
        total,
        np.array([node.is_leaf for node in tree_nodes]) & (np.abs(total) < SMALL),
    )
    return GrownTree(BoxTree(header, tree_nodes, tuple(leaves), options, layout), counts)
