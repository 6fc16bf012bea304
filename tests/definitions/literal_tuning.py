"""What a candidate of --tune is judged by, in plain loops over cases and pairs of cases."""

from __future__ import annotations

from math import log

from literal_shrinkage import shrunken
from literal_weka import branch_of

from j48geo.core.tree import BoxTree

Rows = list[list[float]]


def said_by_hs(tree: BoxTree, counts: Rows, row: list[float], strength: float) -> list[float]:
    """The shrunken shares of the leaf that a case without missing values falls into."""
    node = tree.nodes[0]
    while node.split is not None:
        taken = branch_of(node.split, row[node.split.attribute], tree.tolerance)
        node = tree.nodes[node.children[taken]]
    found = [
        shrunken(tree, counts, tree.leaf_nodes.index(node.index), c, strength, laplace=False)
        for c in range(len(tree.classes))
    ]
    return [1 / len(found) if p is None else p for p in found]


def log_loss(p: Rows, actual: list[int]) -> float:
    """Mean of -log of what the class that came true had, at least 1e-6."""
    return sum(-log(max(q[c], 1e-6)) for q, c in zip(p, actual, strict=True)) / len(actual)


def area(p: Rows, actual: list[int], c: int, others: set[int]) -> float:
    """Share of pairs of a case of c and one of `others` in which c's has the larger p of c."""
    won = [
        (a[c] > b[c]) + (a[c] == b[c]) / 2
        for a, is_c in zip(p, actual, strict=True)
        if is_c == c
        for b, other in zip(p, actual, strict=True)
        if other in others
    ]
    return sum(won) / len(won)


def hand_till(p: Rows, actual: list[int]) -> float:
    """M: the mean over ordered pairs of classes of how well the first is told from the second."""
    here = sorted(set(actual))
    areas = [area(p, actual, i, {j}) for i in here for j in here if i != j]
    return sum(areas) / len(areas)
