"""Leaves as rules: which values reach each leaf, and how many training rows did (`leaf_rules`)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from j48geo.core.boxes import Interval
from j48geo.core.tree import BoxTree, Node, Split, narrow_interval, narrow_subset


class ValueLimit(NamedTuple):
    """What the tests on the way to a node leave of one attribute's values.

    Parameters
    ----------
    attribute
        Its column.
    values
        An interval, or of a nominal attribute a set of value indices.
    is_open_ended
        Whether values that the header does not know are allowed, too.
    """

    attribute: int
    values: Interval | frozenset[int]
    is_open_ended: bool = False


@dataclass(frozen=True)
class Rule:
    """What must hold to reach a leaf, and what the training rows said there.

    Parameters
    ----------
    leaf
        Number of the leaf, from 1.
    limits
        One for each attribute that restricts the leaf, in the order of the tests; all must hold.
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
    limits: tuple[ValueLimit, ...]
    weight: float | None
    errors: float | None
    support: float | None
    confidence: float | None


def leaf_rules(tree: BoxTree) -> tuple[Rule, ...]:
    """The rule of every leaf, in text order; repeated tests of an attribute are merged."""
    total = sum(leaf.weight or 0.0 for leaf in tree.leaves)
    rules = []
    for leaf, limits in zip(tree.leaves, _leaf_limits(tree), strict=True):
        weight, errors = leaf.weight, leaf.errors
        if weight is not None and errors is None:
            errors = 0.0
        rules.append(
            Rule(
                leaf=leaf.index + 1,
                label=tree.classes[leaf.label],
                limits=limits,
                weight=weight,
                errors=errors,
                support=weight / total if weight is not None and total else None,
                confidence=(weight - errors) / weight if weight and errors is not None else None,
            )
        )
    return tuple(rules)


def _leaf_limits(tree: BoxTree) -> Iterator[tuple[ValueLimit, ...]]:
    """What restricts each leaf, in the order of the first tests on its way."""
    limits: dict[int, ValueLimit] = {}
    # A step for each test on the way: the attribute, and its limit before the test. One dict is
    # kept up to date instead of one a node, since trees may be thousands of nodes deep.
    trail: list[tuple[int, ValueLimit | None]] = []
    for node in tree.nodes:
        while len(trail) >= max(1, node.depth):
            a, earlier = trail.pop()
            if earlier is None:
                del limits[a]
            else:
                limits[a] = earlier
        if node.parent >= 0:
            split = tree.nodes[node.parent].split
            assert split is not None  # a parent has one
            a = split.attribute
            trail.append((a, limits.get(a)))
            limits[a] = _narrow_limit(tree, limits.get(a), split, node)
        if node.is_leaf:
            yield tuple(limits.values())


def _narrow_limit(
    tree: BoxTree, earlier: ValueLimit | None, split: Split, node: Node
) -> ValueLimit:
    """What the branch to `node` leaves of the values of the split's attribute."""
    a, old = split.attribute, None if earlier is None else earlier.values
    if split.kind == "numeric":
        assert not isinstance(old, frozenset)  # an attribute is numeric or nominal everywhere
        return ValueLimit(a, narrow_interval(old, split, node.branch, node.parent))
    # A header guessed from `= a` and `!= a` does not know the values that a stands against.
    is_open_ended = earlier is not None and earlier.is_open_ended
    if split.kind == "binary" and tree.header.inferred:
        is_open_ended = node.branch == 1
    n_values = len(tree.header.attributes[a].values)
    assert not isinstance(old, Interval)
    return ValueLimit(a, narrow_subset(old, split, node.branch, n_values), is_open_ended)
