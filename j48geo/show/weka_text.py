"""A tree as Weka prints it: J48's own text, Graphviz of ``-g``, and Weka's quotes."""

from __future__ import annotations

import re

from j48geo.core.tree import BoxTree, Leaf, Node, Split
from j48geo.java.numbers import (
    double_to_string,
    leaf_counts_to_string,
    threshold_to_string,
    threshold_to_string_36,
)

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
        return attribute.name + operator + threshold_text(tree, split)
    if split.kind == "multiway":
        return f"{attribute.name} = {attribute.values[node.branch]}"
    operator = "=" if node.branch == 0 else "!="
    return f"{attribute.name} {operator} {attribute.values[split.value]}"


def threshold_text(tree: BoxTree, split: Split) -> str:
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


_OPERATOR = re.compile(r" (<=|>=|!=|<|>|=) ")


def relabelled_tree_text(tree: BoxTree, done: str) -> str:
    """The text of a relabelled tree; readers take its first lines for surroundings.

    The options of the tree and its classes in their order follow the first line, since
    labels may have vanished from the leaves.

    Parameters
    ----------
    done
        What was done, in a few words.
    """
    parts = [f"{_clean_line(done)}\n"]
    options = tree.options
    if options.text is not None and options.text.strip().isprintable():
        name = "Scheme:       " if options.text.lstrip().startswith("weka.") else "Options: "
        parts.append(f"{name}{options.text.strip()}\n")
    if _can_be_listed(tree):
        parts.append(f"classes:\n => {', '.join(tree.classes)}\n")
    text = tree_text(tree)
    return "".join(parts) + "\n" + text


def _can_be_listed(tree: BoxTree) -> bool:
    return all(
        name and name == name.strip() and "," not in name and name.isprintable()
        for name in tree.classes
    )


def _clean_line(done: str) -> str:
    """One line that no reader takes for a branch of a tree."""
    line = "".join(c if c.isprintable() else " " for c in done)
    return _OPERATOR.sub(r" \1", line)


def tree_to_dot(tree: BoxTree) -> str:
    """The tree as a ``digraph`` that Graphviz draws and the reader ``dot`` reads back."""
    lines = ["digraph J48Tree {"]
    for node in tree.nodes:
        if node.parent >= 0:
            label = escape_weka(_condition(tree, node).strip())
            lines.append(f'N{node.parent}->N{node.index} [label="{label}"]')
        if node.split is not None:
            label = escape_weka(tree.attribute(node.split).name)
            lines.append(f'N{node.index} [label="{label}" ]')
        else:
            label = escape_weka(leaf_text(tree, tree.leaves[node.leaf]))
            lines.append(f'N{node.index} [label="{label}" shape=box style=filled ]')
    lines.append("}")
    return "\n".join(lines) + "\n"


def _condition(tree: BoxTree, node: Node) -> str:
    split = tree.nodes[node.parent].split
    if split is None:
        raise ValueError(f"node {node.index}: its parent has no split")
    return branch_text(tree, node).removeprefix(tree.attribute(split).name)


_ESCAPES = str.maketrans(
    {
        "\\": "\\\\",
        "'": "\\'",
        '"': '\\"',
        "%": "\\%",
        "\t": "\\t",
        "\n": "\\n",
        "\r": "\\r",
        "\x1e": "\\u001E",
    }
)


def escape_weka(text: str) -> str:
    r"""`text` with a backslash before quotes, percent signs, backslashes and control characters.

    Examples
    --------
    >>> escape_weka("100% \"sure\"")
    '100\\% \\"sure\\"'
    """
    return text.translate(_ESCAPES)


def quote_weka(text: str) -> str:
    """`text` as Weka writes it in a row: in single quotes if it would not stand alone.

    Examples
    --------
    >>> quote_weka("yes"), quote_weka("build wind float"), quote_weka(""), quote_weka("?")
    ('yes', "'build wind float'", "''", "'?'")
    """
    escaped = escape_weka(text)
    if escaped != text or text in ("", "?") or any(c in "{}, " for c in text):
        return f"'{escaped}'"
    return text
