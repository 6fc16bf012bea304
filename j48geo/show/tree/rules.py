"""Each leaf as a rule: its conditions in words, its support and its confidence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf

from j48geo.core.boxes import Interval
from j48geo.core.tree import BoxTree
from j48geo.show.text import moment_text
from j48geo.show.tree.weka_text import number_text
from j48geo.words import one_line

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


def _conditions(tree: BoxTree) -> Iterator[tuple[str, ...]]:
    """What restricts each leaf, in the order of the first tests on its way."""
    # Leaves under the same test share its interval or set, and so the words for it.
    words: dict[tuple[int, int, bool], str] = {}
    for box, tested in zip(tree.boxes, _tested(tree), strict=True):
        found = []
        for a, unlisted in tested.items():
            part = box.intervals[a] if a in box.intervals else box.subsets[a]
            key = (a, id(part), unlisted)
            if key not in words:
                words[key] = (
                    _interval(tree, a, part)
                    if isinstance(part, Interval)
                    else _subset(tree, a, part, unlisted=unlisted)
                )
            found.append(words[key])
        yield tuple(found)


def _tested(tree: BoxTree) -> Iterator[dict[int, bool]]:
    """For each leaf the attributes tested on its way, and whether the values left are unlisted.

    A header guessed from `= a` and `!= a` does not know the values that a stands against.
    """
    now: dict[int, bool] = {}
    trail: list[tuple[int, bool | None]] = []  # a step for each test: what was known before it
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
            if split.kind == "binary" and tree.header.inferred:
                now[a] = node.branch == 1
            else:
                now.setdefault(a, False)
        if node.is_leaf:
            yield now


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
