"""A tree explained: numbered leaves, what the counts mean, one rule a leaf."""

from __future__ import annotations

from j48geo.core.counts import NodeCounts
from j48geo.core.tree import BoxTree, Leaf
from j48geo.show.text import PLAIN, Style, plain_number, text_table
from j48geo.show.tree.rules import leaf_rules
from j48geo.show.tree.weka_text import counts_text, tree_lines
from j48geo.text import one_line, plural

__all__ = [
    "counts_words",
    "numbered_tree",
    "rule_rows",
    "rule_titles",
    "tree_headline",
    "tree_words",
]


MANY_CLASSES = 6
"""More columns than this would not fit beside each other on a screen."""


def tree_words(tree: BoxTree, counts: NodeCounts | None = None, style: Style = PLAIN) -> str:
    """All that ``j48geo show`` says about a tree.

    Parameters
    ----------
    counts
        Counts replayed on the training data; adds the weight of each class to each rule.
    """
    parts = [tree_headline(tree), "", numbered_tree(tree), _example(tree), ""]
    if len(tree.classes) > MANY_CLASSES:
        counts = None
    titles = rule_titles(tree, counts)
    right = {"leaf", "weight", "errors", "support", "confidence", *titles[7:]}
    rows = [_percent(row) for row in rule_rows(tree, counts)]
    # The rule is the longest column, so people get it last.
    order = [*range(6), *range(7, len(titles)), 6]
    titles, rows = [titles[i] for i in order], [[row[i] for i in order] for row in rows]
    parts.append(text_table(titles, rows, right, style))
    return "\n".join(parts)


def tree_headline(tree: BoxTree) -> str:
    """Kind, size and classes in one line."""
    what = tree.layout.banner or "decision tree"
    leaves = plural(len(tree.leaves), "leaf", "leaves")
    name = tree.header.class_attribute.name
    labels = tree.classes
    shown = ", ".join(labels[:8]) + (f", ... ({len(labels)} classes)" if len(labels) > 8 else "")
    of = f" of {name}" if name and not tree.header.inferred else ""
    return one_line(f"{what}: {leaves}, size {tree.size}; classes{of}: {shown}")


def numbered_tree(tree: BoxTree) -> str:
    """J48's own lines with the number of the leaf before each that ends in one."""
    width = max(4, len(str(len(tree.leaves))))
    title = "leaf".rjust(width)
    lines = [f"{title}  tree", f"{'-' * width}  {'-' * 4}"]
    for line, leaf in tree_lines(tree):
        number = "" if leaf < 0 else str(leaf + 1)
        first, *more = line.split("\n")  # a name may hold a line break
        lines.append(f"{number:>{width}}  {one_line(first)}")
        lines.extend(f"{'':>{width}}  {one_line(part)}" for part in more)
    return "\n".join(lines) + "\n"


def counts_words(leaf: Leaf, *, summed: bool = False) -> str:
    """What ``(253.41/3.75)`` means, in words; for a leaf without counts, that it has none.

    Parameters
    ----------
    summed
        Whether the text counts right and wrong cases apart.
    """
    if leaf.weight is None:
        return "no counts: the text does not say how many training rows reached this leaf"
    token = counts_text(leaf)
    weight = token.strip("()").split("/")[0] or plain_number(leaf.weight)
    if leaf.weight == 0:
        return f"{token}: no training row reached this leaf; its class is that of its parent node"
    words = f"{token}: weight {weight} of training rows reached this leaf"
    if not leaf.errors:
        return f"{words}, all of it of this class"
    errors = token.strip("()").split("/")[-1] if "/" in token else plain_number(leaf.errors)
    if summed:
        whole = plain_number(leaf.weight)
        return (
            f"{token}: {weight} training rows of this class and {errors} of another reached this "
            f"leaf, {whole} in all (this tool counts right and wrong apart)"
        )
    return f"{words}, {errors} of it of another class"


def rule_titles(tree: BoxTree, counts: NodeCounts | None = None) -> list[str]:
    """Column names of `rule_rows`."""
    titles = ["leaf", "class", "weight", "errors", "support", "confidence", "rule"]
    return titles if counts is None else [*titles, *(f"n({label})" for label in tree.classes)]


def rule_rows(tree: BoxTree, counts: NodeCounts | None = None) -> list[list[object]]:
    """One row a leaf: number, class, weight, errors, support, confidence, rule, class weights."""
    per_class = None if counts is None else counts.leaves(tree)
    rows: list[list[object]] = []
    for rule in leaf_rules(tree):
        row: list[object] = [
            rule.leaf,
            rule.label,
            rule.weight,
            rule.errors,
            rule.support,
            rule.confidence,
            rule.text,
        ]
        if per_class is not None:
            row.extend(float(x) for x in per_class[rule.leaf - 1])
        rows.append(row)
    return rows


def _percent(row: list[object]) -> list[object]:
    return [
        f"{cell:.1%}" if i in (4, 5) and isinstance(cell, float) else cell
        for i, cell in enumerate(row)
    ]


def _example(tree: BoxTree) -> str:
    """The counts of one leaf explained: the first with errors, else the first."""
    chosen = next((leaf for leaf in tree.leaves if leaf.errors), tree.leaves[0])
    if chosen.weight is None:
        return f"{counts_words(chosen).capitalize()}."
    said = counts_words(chosen, summed=tree.layout.summed)
    return f"How to read the counts, at leaf {chosen.index + 1}: {said}."
