"""A tree written by hand: nested calls in the order in which the text would show them.

Examples
--------
>>> from j48geo.core.dataset import Attribute, Header
>>> header = Header(
...     "weather",
...     (
...         Attribute("outlook", "nominal", ("sunny", "rainy")),
...         Attribute("humidity"),
...         Attribute("play", "nominal", ("yes", "no")),
...     ),
...     class_index=2,
... )
>>> tree = build_tree(
...     header,
...     by_value(
...         "outlook",
...         at_most("humidity", 75, leaf("yes", 2), leaf("no", 3)),
...         leaf("yes", 5, 1),
...     ),
... )
>>> tree.size, len(tree.leaves)
(5, 3)
"""

from __future__ import annotations

from dataclasses import dataclass

from j48geo.core.dataset import Header
from j48geo.core.tree import BoxTree, Leaf, Split, build_nodes
from j48geo.errors import UnknownNameError


@dataclass(frozen=True)
class LeafSpec:
    """A leaf to be: its label and counts."""

    label: str
    weight: float | None
    errors: float | None


@dataclass(frozen=True)
class SplitSpec:
    """An inner node to be: an attribute, what is asked of it, and what follows."""

    attribute: str
    threshold: float | None
    value: str | None
    parts: tuple[NodeSpec, ...]


NodeSpec = LeafSpec | SplitSpec


def leaf(label: str, weight: float | None = None, errors: float | None = None) -> LeafSpec:
    """A leaf; no errors but a weight means none were made."""
    if weight is not None and errors is None:
        errors = 0.0
    return LeafSpec(label, weight, errors)


def at_most(attribute: str, threshold: float, then: NodeSpec, otherwise: NodeSpec) -> SplitSpec:
    """A numeric split: `then` where the attribute is at most the threshold."""
    return SplitSpec(attribute, float(threshold), None, (then, otherwise))


def by_value(attribute: str, *parts: NodeSpec) -> SplitSpec:
    """A nominal split with one branch for each declared value, in header order."""
    return SplitSpec(attribute, None, None, parts)


def is_value(attribute: str, value: str, then: NodeSpec, otherwise: NodeSpec) -> SplitSpec:
    """A nominal split of one value against all others."""
    return SplitSpec(attribute, None, value, (then, otherwise))


def build_tree(header: Header, part: NodeSpec) -> BoxTree:
    """The tree of `part` for the attributes and class of `header`.

    Raises
    ------
    UnknownNameError
        If an attribute, value or label is not in the header.
    """
    labels = header.class_attribute.index_of
    leaves: list[Leaf] = []

    def expand(spec: NodeSpec) -> tuple[Split | None, tuple[NodeSpec, ...]]:
        if isinstance(spec, SplitSpec):
            return _split(header, spec), spec.parts
        if spec.label not in labels:
            raise UnknownNameError("class", spec.label, header.classes)
        leaves.append(Leaf(len(leaves), labels[spec.label], spec.weight, spec.errors))
        return None, ()

    nodes, _ = build_nodes(part, expand)
    return BoxTree(header, nodes, tuple(leaves))


def _split(header: Header, stem: SplitSpec) -> Split:
    column = header.position(stem.attribute)
    if stem.threshold is not None:
        return Split(column, "numeric", threshold=stem.threshold)
    if stem.value is None:
        return Split(column, "multiway")
    index_of = header.attributes[column].index_of
    if stem.value not in index_of:
        raise UnknownNameError("value", stem.value, index_of)
    return Split(column, "binary", value=index_of[stem.value])
