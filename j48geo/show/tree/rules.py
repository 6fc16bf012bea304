"""Each leaf as a rule: its conditions in words, its support and its confidence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from typing import NamedTuple

from j48geo.core.boxes import Interval
from j48geo.core.tree import BoxTree, Node, Split, interval_of, subset_of
from j48geo.show.text import moment_text
from j48geo.show.tree.weka_text import number_text
from j48geo.text import one_line

__all__ = ["Rule", "leaf_rules", "rule_words"]


@dataclass(frozen=True)
class Rule:
    """What must hold to reach a leaf, and what the training rows said there.

    Parameters
    ----------
    leaf
        Number of the leaf, from 1.
    conditions
        One for each attribute that restricts the leaf; all must hold.
    weight, errors
        Training weight that reached the leaf, and the part of another class; None if the
        text shows none.
    support
        Share of all training weight that reached the leaf.
    confidence
        Share of the leaf's weight that is of its class; None for an empty leaf.
    """

    leaf: int
    label: str
    conditions: tuple[str, ...]
    weight: float | None
    errors: float | None
    support: float | None
    confidence: float | None

    @property
    def text(self) -> str:
        """The conditions in one line."""
        return " and ".join(self.conditions) or "(always)"


def leaf_rules(tree: BoxTree) -> tuple[Rule, ...]:
    """The rule of every leaf, in text order; repeated tests of an attribute are merged."""
    total = sum(leaf.weight or 0.0 for leaf in tree.leaves)
    made = []
    for leaf, conditions in zip(tree.leaves, _conditions(tree), strict=True):
        weight, errors = leaf.weight, leaf.errors
        if weight is not None and errors is None:
            errors = 0.0
        made.append(
            Rule(
                leaf=leaf.index + 1,
                label=tree.classes[leaf.label],
                conditions=conditions,
                weight=weight,
                errors=errors,
                support=weight / total if weight is not None and total else None,
                confidence=(weight - errors) / weight if weight and errors is not None else None,
            )
        )
    return tuple(made)


def rule_words(rule: Rule) -> str:
    """The rule as a sentence: ``if x <= 2 then yes (3 of 4 training rows, ...)``."""
    sentence = one_line(f"leaf {rule.leaf}: if {rule.text} then {rule.label}")
    if rule.weight is None or rule.support is None:
        return sentence
    if rule.confidence is None:
        return f"{sentence} (no training row reached it)"
    return f"{sentence} (support {rule.support:.1%}, confidence {rule.confidence:.1%})"


class _Limit(NamedTuple):
    """What is left of an attribute's values at a node, and the words for it."""

    left: Interval | frozenset[int]
    unlisted: bool
    words: str


def _conditions(tree: BoxTree) -> Iterator[tuple[str, ...]]:
    """What restricts each leaf, in the order of the first tests on its way."""
    now: dict[int, _Limit] = {}
    trail: list[tuple[int, _Limit | None]] = []  # a step for each test: what was known before it
    for node in tree.nodes:
        while len(trail) >= max(1, node.depth):
            a, before = trail.pop()
            if before is None:
                del now[a]
            else:
                now[a] = before
        if node.parent >= 0:
            split = tree.nodes[node.parent].split
            assert split is not None  # a parent has one
            a = split.attribute
            trail.append((a, now.get(a)))
            now[a] = _limit(tree, now.get(a), split, node)
        if node.is_leaf:
            yield tuple([limit.words for limit in now.values()])


def _limit(tree: BoxTree, before: _Limit | None, split: Split, node: Node) -> _Limit:
    """What the branch to `node` leaves."""
    a, old = split.attribute, None if before is None else before.left
    if split.kind == "numeric":
        assert not isinstance(old, frozenset)  # an attribute is numeric or nominal everywhere
        interval = interval_of(old, split, node.branch, node.parent)
        return _Limit(interval, False, _interval(tree, a, interval))
    # A header guessed from `= a` and `!= a` does not know the values that a stands against.
    unlisted = before is not None and before.unlisted
    if split.kind == "binary" and tree.header.inferred:
        unlisted = node.branch == 1
    n_values = len(tree.header.attributes[a].values)
    assert not isinstance(old, Interval)
    subset = subset_of(old, split, node.branch, n_values)
    return _Limit(subset, unlisted, _subset(tree, a, subset, unlisted=unlisted))


def _interval(tree: BoxTree, column: int, interval: Interval) -> str:
    name = tree.header.attributes[column].name
    low, high = _threshold(tree, interval.low_node), _threshold(tree, interval.high_node)
    above = ">=" if interval.low_closed else ">"
    below = "<=" if interval.high_closed else "<"
    if interval.low == -inf and not low:
        return f"{name} {below} {high}"
    if interval.high == inf and not high:
        return f"{name} {above} {low}"
    return f"{low} {'<=' if interval.low_closed else '<'} {name} {below} {high}"


def _threshold(tree: BoxTree, node: int) -> str:
    split = tree.nodes[node].split if node >= 0 else None
    if split is None:
        return ""
    text = number_text(tree, split)
    if tree.attribute(split).type == "date":
        return f"{text} ({moment_text(split.threshold)} UTC)"
    return text


def _subset(tree: BoxTree, column: int, values: frozenset[int], *, unlisted: bool) -> str:
    attribute = tree.header.attributes[column]
    if len(values) == 1 and not unlisted:
        return f"{attribute.name} = {attribute.values[next(iter(values))]}"
    absent = [v for i, v in enumerate(attribute.values) if i not in values]
    if len(absent) == 1:
        return f"{attribute.name} != {absent[0]}"
    kept = [v for i, v in enumerate(attribute.values) if i in values]
    if unlisted or len(absent) < len(kept):
        return f"{attribute.name} not in {{{', '.join(absent)}}}"
    return f"{attribute.name} in {{{', '.join(kept)}}}"
