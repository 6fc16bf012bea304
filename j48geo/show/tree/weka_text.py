"""A tree in J48's own layout, as Weka's ``toString`` prints it."""

from __future__ import annotations

from j48geo.core.tree import BoxTree, Leaf, Node, Split
from j48geo.java.numbers import (
    double_to_string,
    leaf_counts_to_string,
    threshold_to_string,
    threshold_to_string_36,
)

__all__ = ["branch_text", "counts_text", "leaf_text", "number_text", "tree_lines", "tree_text"]

HYPHENS = "-" * 18


def tree_text(tree: BoxTree) -> str:
    """The whole block in the layout of ``tree.layout``: banner, branches, footer.

    Thresholds and counts are the tokens of the text that was read, or what Weka would print
    if the tree was made otherwise, so that text -> tree -> text gives the same block.
    """
    layout = tree.layout
    parts = []
    if layout.banner:
        parts.append(f"{layout.banner}\n{HYPHENS}\n")
        if len(tree.nodes) > 1:
            parts.append("\n")
    parts.extend(f"{line}\n" for line, _ in tree_lines(tree))
    footer = layout.footer.replace("{leaves}", str(len(tree.leaves)))
    parts.append(footer.replace("{size}", str(tree.size)))
    return "".join(parts)


def tree_lines(tree: BoxTree) -> list[tuple[str, int]]:
    """One line a branch, with the leaf it ends in (from 0) or -1."""
    colon = tree.layout.colon
    root = tree.nodes[0]
    if root.is_leaf:
        return [(colon + leaf_text(tree, tree.leaves[0]), 0)]
    lines = []
    for node in tree.nodes[1:]:  # preorder is the order of the text
        line = "|   " * (node.depth - 1) + branch_text(tree, node)
        if node.is_leaf:
            line += colon + leaf_text(tree, tree.leaves[node.leaf])
        lines.append((line, node.leaf))
    return lines


def branch_text(tree: BoxTree, node: Node) -> str:
    """Attribute and condition of the branch that leads to `node`, such as ``x <= 2.5``."""
    split = tree.nodes[node.parent].split
    if split is None:
        raise ValueError(f"node {node.index}: no branch leads to it")
    attribute = tree.attribute(split)
    if split.kind == "numeric":
        left = " <= " if split.closed else " < "
        operator = left if node.branch == 0 else tree.layout.greater
        return attribute.name + operator + number_text(tree, split)
    if split.kind == "multiway":
        return f"{attribute.name} = {attribute.values[node.branch]}"
    operator = "=" if node.branch == 0 else "!="
    return f"{attribute.name} {operator} {attribute.values[split.value]}"


def number_text(tree: BoxTree, split: Split) -> str:
    """A threshold as it was printed, or as Weka prints it: ``-B`` shows all digits."""
    if split.token:
        return split.token
    if tree.options.binary:
        return double_to_string(split.threshold)
    if tree.options.old_weka:
        return threshold_to_string_36(split.threshold)
    return threshold_to_string(split.threshold)


def leaf_text(tree: BoxTree, leaf: Leaf) -> str:
    """Label and counts, such as ``yes (3.0/1.0)``."""
    counts = counts_text(leaf)
    label = tree.classes[leaf.label]
    return f"{label} {counts}" if counts else label


def counts_text(leaf: Leaf) -> str:
    """Counts as printed, or as Weka prints them; empty if the leaf has none."""
    if leaf.token or leaf.weight is None:
        return leaf.token
    return leaf_counts_to_string(leaf.weight, leaf.errors or 0.0)
