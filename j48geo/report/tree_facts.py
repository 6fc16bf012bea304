"""The tree as plain data: nodes in columns, branches in words, counts of the leaves."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from math import isnan

import numpy as np

from j48geo.arrays import Floats
from j48geo.core.counts import NodeCounts
from j48geo.core.json_values import number_json
from j48geo.core.tree import BoxTree, Node, Split
from j48geo.show.text import format_moment
from j48geo.show.weka_text import threshold_text
from j48geo.text import to_one_line

DRAWN_WHOLE = 60
"""Trees of at most so many leaves are drawn whole."""

OPENED_ROWS = 30
"""Of larger trees so many rows are opened at first, the heaviest parts."""


@dataclass(frozen=True)
class TreeFacts:
    """The facts that the drawings of a tree need.

    Parameters
    ----------
    classes, positive
        Labels, and which of them matters.
    attributes
        Columns that some test asks for, in the order of the header.
    parent, children, attribute, branch, leaf
        Of every node: its parent (-1), its children, the place in `attributes` of what it asks
        for (-1: a leaf), the words of the branch that leads to it, its leaf (-1).
    weight
        Training weight of every node; the number of leaves below where it is not known.
    weighed
        Whether the weights are known.
    label
        Class of every leaf.
    counts
        Weight of every class at each leaf; None where it is not known.
    opened
        Inner nodes that are open at first.
    """

    classes: tuple[str, ...]
    positive: int
    attributes: tuple[int, ...]
    names: tuple[str, ...]
    parent: tuple[int, ...]
    children: tuple[tuple[int, ...], ...]
    attribute: tuple[int, ...]
    branch: tuple[str, ...]
    leaf: tuple[int, ...]
    weight: tuple[float, ...]
    weighed: bool
    label: tuple[int, ...]
    counts: tuple[tuple[float, ...] | None, ...]
    opened: frozenset[int]

    def to_json(self, tree: BoxTree) -> dict[str, object]:
        """The tree as plain data for the script of the page."""
        splits = [node.split for node in tree.nodes]
        return {
            "attributes": [_attribute_json(tree, column) for column in self.attributes],
            "parent": self.parent,
            "attribute": self.attribute,
            "branch": self.branch,
            "leaf": self.leaf,
            "weight": [shorten_float(w) for w in self.weight],
            "weighed": self.weighed,
            "cut": list(map(_slice_cut, splits)),
            "kind": "".join("-" if s is None else s.kind[0] for s in splits),
            "open_left": [k for k, s in enumerate(splits) if s is not None and not s.closed],
            "label": self.label,
            "counts": [
                None
                if row is None
                else [x for c, k in enumerate(row) if k for x in (c, shorten_float(k))]
                for row in self.counts
            ],
            "opened": sorted(self.opened),
            "tolerance": tree.tolerance,
        }


def gather_tree_facts(tree: BoxTree, counts: NodeCounts, positive: int) -> TreeFacts:
    """What the drawings need, from a tree and its counts."""
    place = {column: k for k, column in enumerate(tree.used_attributes)}
    weight = counts.weight
    weighed = bool(np.isfinite(weight).all() and weight[0] > 0)
    if not weighed:
        weight = _leaves_below(tree)
    of_leaf = counts.leaves(tree).tolist()
    shown = tuple(None if any(isnan(k) for k in row) else tuple(row) for row in of_leaf)
    return TreeFacts(
        tuple(map(to_one_line, tree.classes)),
        positive,
        tree.used_attributes,
        tuple(to_one_line(tree.header.attributes[a].name) for a in tree.used_attributes),
        tuple(node.parent for node in tree.nodes),
        tuple(node.children for node in tree.nodes),
        tuple(-1 if n.split is None else place[n.split.attribute] for n in tree.nodes),
        tuple(branch_to_text(tree, node) for node in tree.nodes),
        tuple(node.leaf for node in tree.nodes),
        tuple(weight.tolist()),
        weighed,
        tuple(leaf.label for leaf in tree.leaves),
        shown,
        _choose_opened(tree, weight),
    )


def branch_to_text(tree: BoxTree, node: Node) -> str:
    """What the branch to a node asks, without the attribute: ``≤ 127``, ``= red``."""
    if node.parent < 0:
        return ""
    split = tree.nodes[node.parent].split
    assert split is not None
    if split.kind == "numeric":
        sign = ("≤", ">")[node.branch] if split.closed else ("<", "≥")[node.branch]
        text = threshold_text(tree, split)
        if tree.attribute(split).type == "date":
            text = format_moment(split.threshold)
        return to_one_line(f"{sign} {text}")
    value = node.branch if split.kind == "multiway" else split.value
    sign = "≠" if split.kind == "binary" and node.branch == 1 else "="
    return to_one_line(f"{sign} {tree.attribute(split).values[value]}")


def shorten_float(x: float) -> float | int:
    """The same number, whole if it is whole: shorter in JSON."""
    return int(x) if float(x).is_integer() and abs(x) < 1e15 else float(x)


def _slice_cut(split: Split | None) -> object:
    """What a slice is cut by: a threshold, or the value of a binary split."""
    if split is None or split.kind == "multiway":
        return None
    return number_json(split.threshold + split.slack) if split.kind == "numeric" else split.value


def _attribute_json(tree: BoxTree, column: int) -> dict[str, object]:
    attribute = tree.header.attributes[column]
    result: dict[str, object] = {"name": to_one_line(attribute.name), "type": attribute.type}
    if attribute.is_nominal:
        result["values"] = [to_one_line(v) for v in attribute.values]
    return result


def _leaves_below(tree: BoxTree) -> Floats:
    counts = np.zeros(tree.size)
    for node in reversed(tree.nodes):
        if node.is_leaf:
            counts[node.index] = 1
        if node.parent >= 0:
            counts[node.parent] += counts[node.index]
    return counts


def _choose_opened(tree: BoxTree, weight: Floats) -> frozenset[int]:
    """Inner nodes to open: all of a small tree, else the heaviest while there are few rows."""
    if len(tree.leaves) <= DRAWN_WHOLE:
        return frozenset(node.index for node in tree.nodes if not node.is_leaf)
    opened: set[int] = set()
    rows = 1
    waiting = [(-float(weight[0]), 0)]
    while waiting:
        _, index = heapq.heappop(waiting)
        kids = tree.nodes[index].children
        if opened and rows + len(kids) - 1 > OPENED_ROWS:
            continue
        opened.add(index)
        rows += len(kids) - 1
        for kid in kids:
            if tree.nodes[kid].children:
                heapq.heappush(waiting, (-float(weight[kid]), kid))
    return frozenset(opened)
