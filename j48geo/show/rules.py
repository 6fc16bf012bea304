"""A tree explained: each leaf as a rule, numbered leaves, what the counts mean."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf

from j48geo.core.boxes import Interval
from j48geo.core.counts import NodeCounts
from j48geo.core.tree import BoxTree, Leaf
from j48geo.decide.leaf_rules import Rule, ValueLimit, leaf_rules
from j48geo.show.text import PLAIN, Style, format_moment, format_number, text_table
from j48geo.show.weka_text import counts_text, threshold_text, tree_lines
from j48geo.text import pluralize, to_one_line


def rule_texts(tree: BoxTree, rules: Sequence[Rule]) -> Iterator[str]:
    """The conditions of each rule in one line: ``x <= 2 and y != a``."""
    # Leaves below one node share their limits, so each limit is put into words once.
    texts: dict[int, str] = {}
    for rule in rules:
        for limit in rule.limits:
            if id(limit) not in texts:
                texts[id(limit)] = _limit_text(tree, limit)
        yield " and ".join(texts[id(limit)] for limit in rule.limits) or "(always)"


def rules_to_text(tree: BoxTree) -> str:
    """A sentence for every leaf: ``leaf 1: if x <= 2 then yes (support 50%, ...)``."""
    rules = leaf_rules(tree)
    sentences = map(_rule_sentence, rules, rule_texts(tree, rules))
    return "".join(f"{sentence}\n" for sentence in sentences)


def _rule_sentence(rule: Rule, conditions: str) -> str:
    sentence = to_one_line(f"leaf {rule.leaf}: if {conditions} then {rule.label}")
    if rule.weight is None or rule.support is None:
        return sentence
    if rule.confidence is None:
        return f"{sentence} (no training row reached it)"
    return f"{sentence} (support {rule.support:.1%}, confidence {rule.confidence:.1%})"


def _limit_text(tree: BoxTree, limit: ValueLimit) -> str:
    if isinstance(limit.values, Interval):
        return _interval_text(tree, limit.attribute, limit.values)
    return _subset_text(tree, limit.attribute, limit.values, unlisted=limit.is_open_ended)


def _interval_text(tree: BoxTree, column: int, interval: Interval) -> str:
    name = tree.header.attributes[column].name
    low, high = _bound_text(tree, interval.low_node), _bound_text(tree, interval.high_node)
    above = ">=" if interval.low_closed else ">"
    below = "<=" if interval.high_closed else "<"
    if interval.low == -inf and not low:
        return f"{name} {below} {high}"
    if interval.high == inf and not high:
        return f"{name} {above} {low}"
    return f"{low} {'<=' if interval.low_closed else '<'} {name} {below} {high}"


def _bound_text(tree: BoxTree, node: int) -> str:
    split = tree.nodes[node].split if node >= 0 else None
    if split is None:
        return ""
    text = threshold_text(tree, split)
    if tree.attribute(split).type == "date":
        return f"{text} ({format_moment(split.threshold)} UTC)"
    return text


def _subset_text(tree: BoxTree, column: int, values: frozenset[int], *, unlisted: bool) -> str:
    attribute = tree.header.attributes[column]
    if len(values) == 1 and not unlisted:
        return f"{attribute.name} = {attribute.values[next(iter(values))]}"
    absent = [v for i, v in enumerate(attribute.values) if i not in values]
    if len(absent) == 1:
        return f"{attribute.name} != {absent[0]}"
    present = [v for i, v in enumerate(attribute.values) if i in values]
    if unlisted or len(absent) < len(present):
        return f"{attribute.name} not in {{{', '.join(absent)}}}"
    return f"{attribute.name} in {{{', '.join(present)}}}"


MANY_CLASSES = 6
"""More columns than this would not fit beside each other on a screen."""


def describe_tree(tree: BoxTree, counts: NodeCounts | None = None, style: Style = PLAIN) -> str:
    """All that ``j48geo show`` says about a tree.

    Parameters
    ----------
    counts
        Counts replayed on the training data; adds the weight of each class to each rule.
    """
    parts = [summarize_tree(tree), "", tree_with_leaf_numbers(tree), _explain_example(tree), ""]
    if len(tree.classes) > MANY_CLASSES:
        counts = None
    titles = rule_titles(tree, counts)
    right = {"leaf", "weight", "errors", "support", "confidence", *titles[7:]}
    rows = [_format_percents(row) for row in rule_rows(tree, counts)]
    # The rule is the longest column, so people get it last.
    order = [*range(6), *range(7, len(titles)), 6]
    titles, rows = [titles[i] for i in order], [[row[i] for i in order] for row in rows]
    parts.append(text_table(titles, rows, right, style))
    return "\n".join(parts)


def summarize_tree(tree: BoxTree) -> str:
    """Kind, size and classes in one line."""
    what = tree.layout.banner or "decision tree"
    leaves = pluralize(len(tree.leaves), "leaf", "leaves")
    name = tree.header.class_attribute.name
    labels = tree.classes
    shown = ", ".join(labels[:8]) + (f", ... ({len(labels)} classes)" if len(labels) > 8 else "")
    of = f" of {name}" if name and not tree.header.inferred else ""
    return to_one_line(f"{what}: {leaves}, size {tree.size}; classes{of}: {shown}")


def tree_with_leaf_numbers(tree: BoxTree) -> str:
    """J48's own lines with the number of the leaf before each that ends in one."""
    width = max(4, len(str(len(tree.leaves))))
    title = "leaf".rjust(width)
    lines = [f"{title}  tree", f"{'-' * width}  {'-' * 4}"]
    for line, leaf in tree_lines(tree):
        number = "" if leaf < 0 else str(leaf + 1)
        first, *more = line.split("\n")  # a name may hold a line break
        lines.append(f"{number:>{width}}  {to_one_line(first)}")
        lines.extend(f"{'':>{width}}  {to_one_line(part)}" for part in more)
    return "\n".join(lines) + "\n"


def explain_counts(leaf: Leaf, *, summed: bool = False) -> str:
    """What ``(253.41/3.75)`` means, in words; for a leaf without counts, that it has none.

    Parameters
    ----------
    summed
        Whether the text counts right and wrong cases apart.
    """
    if leaf.weight is None:
        return "no counts: the text does not say how many training rows reached this leaf"
    token = counts_text(leaf)
    weight = token.strip("()").split("/")[0] or format_number(leaf.weight)
    if leaf.weight == 0:
        return f"{token}: no training row reached this leaf; its class is that of its parent node"
    sentence = f"{token}: weight {weight} of training rows reached this leaf"
    if not leaf.errors:
        return f"{sentence}, all of it of this class"
    errors = token.strip("()").split("/")[-1] if "/" in token else format_number(leaf.errors)
    if summed:
        total = format_number(leaf.weight)
        return (
            f"{token}: {weight} training rows of this class and {errors} of another reached this "
            f"leaf, {total} in all (this tool counts right and wrong apart)"
        )
    return f"{sentence}, {errors} of it of another class"


def rule_titles(tree: BoxTree, counts: NodeCounts | None = None) -> list[str]:
    """Column names of `rule_rows`."""
    titles = ["leaf", "class", "weight", "errors", "support", "confidence", "rule"]
    return titles if counts is None else [*titles, *(f"n({label})" for label in tree.classes)]


def rule_rows(tree: BoxTree, counts: NodeCounts | None = None) -> list[list[object]]:
    """One row a leaf: number, class, weight, errors, support, confidence, rule, class weights."""
    per_class = None if counts is None else counts.leaves(tree)
    rows: list[list[object]] = []
    rules = leaf_rules(tree)
    for rule, text in zip(rules, rule_texts(tree, rules), strict=True):
        row: list[object] = [
            rule.leaf,
            rule.label,
            rule.weight,
            rule.errors,
            rule.support,
            rule.confidence,
            text,
        ]
        if per_class is not None:
            row.extend(float(x) for x in per_class[rule.leaf - 1])
        rows.append(row)
    return rows


def _format_percents(row: list[object]) -> list[object]:
    return [
        f"{cell:.1%}" if i in (4, 5) and isinstance(cell, float) else cell
        for i, cell in enumerate(row)
    ]


def _explain_example(tree: BoxTree) -> str:
    """The counts of one leaf explained: the first with errors, else the first."""
    chosen = next((leaf for leaf in tree.leaves if leaf.errors), tree.leaves[0])
    if chosen.weight is None:
        return f"{explain_counts(chosen).capitalize()}."
    meaning = explain_counts(chosen, summed=tree.layout.summed)
    return f"How to read the counts, at leaf {chosen.index + 1}: {meaning}."
