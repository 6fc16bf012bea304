"""Hierarchical shrinkage, as Agarwal et al. (2022) write it: one leaf, one class, one path."""

from __future__ import annotations

from itertools import pairwise

from literal_weka import SMALL

from j48geo.core.tree import BoxTree


def path_to(tree: BoxTree, leaf: int) -> list[int]:
    """The nodes from the root down to a leaf."""
    found = [tree.leaf_nodes[leaf]]
    while tree.nodes[found[0]].parent >= 0:
        found.insert(0, tree.nodes[found[0]].parent)
    return found


def shrunken(
    tree: BoxTree, counts: list[list[float]], leaf: int, c: int, strength: float, laplace: bool
) -> float | None:
    """H of a leaf for one class; None where no case was counted at all.

    A node without cases adds nothing to what its parent says.
    """
    root, *below = path_to(tree, leaf)
    path = [root, *(node for node in below if sum(counts[node]) > SMALL)]

    def p(node: int) -> float:
        k = counts[node]
        return (k[c] + 1) / (sum(k) + len(k)) if laplace else k[c] / sum(k)

    if not sum(counts[root]):
        return 1 / len(counts[0]) if laplace else None
    h = p(path[0])
    for parent, node in pairwise(path):
        h += (p(node) - p(parent)) / (1 + strength / sum(counts[parent]))
    return h
