"""A tree for Graphviz, in the layout of Weka 3.9's ``-g``."""

from __future__ import annotations

from j48geo.core.tree import BoxTree, Node
from j48geo.show.tree.quoting import back_quoted
from j48geo.show.tree.weka_text import branch_text, leaf_text

__all__ = ["tree_dot"]


def tree_dot(tree: BoxTree) -> str:
    """The tree as a ``digraph`` that Graphviz draws and the reader ``dot`` reads back."""
    lines = ["digraph J48Tree {"]
    for node in tree.nodes:
        if node.parent >= 0:
            label = back_quoted(_condition(tree, node).strip())
            lines.append(f'N{node.parent}->N{node.index} [label="{label}"]')
        if node.split is not None:
            label = back_quoted(tree.attribute(node.split).name)
            lines.append(f'N{node.index} [label="{label}" ]')
        else:
            label = back_quoted(leaf_text(tree, tree.leaves[node.leaf]))
            lines.append(f'N{node.index} [label="{label}" shape=box style=filled ]')
    lines.append("}")
    return "\n".join(lines) + "\n"


def _condition(tree: BoxTree, node: Node) -> str:
    split = tree.nodes[node.parent].split
    if split is None:
        raise ValueError(f"node {node.index}: its parent has no split")
    return branch_text(tree, node).removeprefix(tree.attribute(split).name)
