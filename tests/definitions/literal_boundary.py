"""Algorithms 1 and 2 of Alvarez and Bernard (2005) and Alvarez, Bernard and Deffuant (2007).

One case, one leaf, one test at a time, in plain loops. What the papers leave open (closed boxes,
nominal and missing values, empty boxes, ties, separators) is as in DEFINITIONS sections 1 to 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import inf, isnan, nan, sqrt

from literal_weka import branch_of

from j48geo.core.tree import BoxTree, Split


@dataclass
class Nearest:
    """What Algorithm 1 finds."""

    distance: float
    leaf: int


def tests_of(tree: BoxTree, leaf: int) -> list[tuple[int, Split, int]]:
    """The tests T_i of a leaf: node, split and the branch that leads on."""
    path = tree.path(leaf)
    return [
        (node, tree.nodes[node].split, tree.nodes[child].branch) for node, child in pairwise(path)
    ]


def allowed_values(tree: BoxTree, leaf: int, column: int) -> set[int]:
    values = set(range(len(tree.header.attributes[column].values)))
    for _, split, branch in tests_of(tree, leaf):
        if split.attribute != column:
            continue
        if split.kind == "multiway":
            values &= {branch}
        elif branch == 0:
            values &= {split.value}
        else:
            values -= {split.value}
    return values


def faces(tree: BoxTree, leaf: int) -> dict[tuple[int, str], tuple[float, bool, int]]:
    """The tightest test of each side of each numeric attribute: threshold, closed, node."""
    found: dict[tuple[int, str], tuple[float, bool, int]] = {}
    for node, split, branch in tests_of(tree, leaf):
        if split.kind != "numeric":
            continue
        t = split.threshold
        side = "high" if branch == 0 else "low"
        closed = split.closed if branch == 0 else not split.closed
        start = inf if side == "high" else -inf
        old, old_closed, _ = found.get((split.attribute, side), (start, side == "high", -1))
        tighter = t < old if side == "high" else t > old
        if tighter or (t == old and old_closed and not closed):
            found[split.attribute, side] = (t, closed, node)
    return found


def is_empty(tree: BoxTree, leaf: int) -> bool:
    bounds = faces(tree, leaf)
    for column in {split.attribute for _, split, _ in tests_of(tree, leaf)}:
        if tree.header.attributes[column].is_nominal:
            if not allowed_values(tree, leaf, column):
                return True
            continue
        low, low_closed, _ = bounds.get((column, "low"), (-inf, False, -1))
        high, high_closed, _ = bounds.get((column, "high"), (inf, True, -1))
        if low > high or (low == high and not (low_closed and high_closed)):
            return True
    return False


def projection_onto_leaf(tree: BoxTree, x: list[float], leaf: int) -> list[float]:
    """Algorithm 2: put y on the threshold of every test that it does not verify."""
    y = list(x)
    for _, split, branch in tests_of(tree, leaf):
        u = split.attribute
        if isnan(y[u]):
            continue
        if split.kind == "numeric":
            b = split.threshold
            if (branch == 0 and y[u] > b) or (branch == 1 and y[u] < b):
                y[u] = b
        else:
            values = allowed_values(tree, leaf, u)
            if int(y[u]) not in values:
                y[u] = float(min(values))
    return y


def squared_distance(
    tree: BoxTree, x: list[float], leaf: int, scale: list[float], weight: float
) -> float:
    y = projection_onto_leaf(tree, x, leaf)
    total = 0.0
    for u, attribute in enumerate(tree.header.attributes):
        if isnan(x[u]) or x[u] == y[u]:
            continue
        term = weight if attribute.is_nominal else abs(x[u] - y[u]) / scale[u]
        total += term * term
    return total


def nearest_of(
    tree: BoxTree, x: list[float], leaves: list[int], scale: list[float], weight: float
) -> Nearest:
    """The nearest of these leaves; tied ones give way to the first in the text."""
    squared = {
        leaf: squared_distance(tree, x, leaf, scale, weight)
        for leaf in leaves
        if not is_empty(tree, leaf)
    }
    if not squared:
        return Nearest(inf, -1)
    best = min(squared.values())
    first = min(leaf for leaf, d in squared.items() if d <= best * (1 + 1e-9))
    return Nearest(sqrt(best), first)


def distance_from(
    tree: BoxTree,
    x: list[float],
    own: int,
    labels: list[int],
    scale: list[float],
    weight: float = 1.0,
) -> Nearest:
    """Algorithm 1: the nearest projection onto a leaf whose class differs from c(x)."""
    if own < 0:
        return Nearest(nan, -1)
    others = [leaf for leaf, label in enumerate(labels) if label != own]
    return nearest_of(tree, x, others, scale, weight)


def class_distance(
    tree: BoxTree,
    x: list[float],
    own: int,
    c: int,
    labels: list[int],
    scale: list[float],
    weight: float = 1.0,
) -> float:
    """ABD07 Algorithm 1 without the sign: leaves for which (c(f) = c) differs from (c(x) = c)."""
    if own < 0:
        return nan
    chosen = [leaf for leaf, label in enumerate(labels) if (label == c) != (own == c)]
    return nearest_of(tree, x, chosen, scale, weight).distance


def separator(
    tree: BoxTree, x: list[float], leaf: int, scale: list[float], weight: float = 1.0
) -> tuple[int, float, int]:
    """Attribute, threshold and node of the refused test with the largest margin."""
    if leaf < 0:
        return -1, nan, -1
    refused: list[tuple[float, int, float, int]] = []
    for (u, side), (t, _, node) in faces(tree, leaf).items():
        if isnan(x[u]):
            continue
        branch = branch_of(tree.nodes[node].split, x[u], tree.tolerance)
        if branch != (0 if side == "high" else 1):
            refused.append((-abs(x[u] - t) / scale[u], u, t, node))
    for node, split, _ in tests_of(tree, leaf):
        u = split.attribute
        if split.kind == "numeric" or isnan(x[u]):
            continue
        if int(x[u]) not in allowed_values(tree, leaf, u):
            deepest = max(n for n, s, _ in tests_of(tree, leaf) if s.attribute == u)
            assert node <= deepest
            refused.append((-weight, u, nan, deepest))
    if not refused:
        return -1, nan, -1
    _, u, t, node = min(refused, key=lambda test: test[:2])
    return u, t, node
