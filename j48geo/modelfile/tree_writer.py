"""A tree as JSON: the whole model at full precision, and back again by the reader ``json``.

Numbering: leaves and columns from 1, as people and Weka count; nodes from 0 in the order of
the text, as Weka's ``-g`` does. Infinite numbers, which JSON lacks, are the words
``"Infinity"`` and ``"-Infinity"``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from math import inf, isnan

from j48geo.core.counts import NodeCounts
from j48geo.core.dataset import Attribute, Header
from j48geo.core.tree import BoxTree, Node

__all__ = ["FORMAT", "VERSION", "attribute_json", "number_json", "tree_to_json"]

FORMAT = "j48geo tree"
VERSION = 1

Json = Mapping[str, object]


def tree_to_json(tree: BoxTree, counts: NodeCounts | None = None) -> dict[str, object]:
    """The tree as a value that `json.dumps` writes.

    Parameters
    ----------
    counts
        What is known about the training weight at each node; adds ``counts`` to every node
        for which it is known. If it comes from training data the reader takes it along.
    """
    header = tree.header
    return {
        "format": FORMAT,
        "version": VERSION,
        "leaves": len(tree.leaves),
        "size": tree.size,
        "header": header_json(header),
        "counts_from": None if counts is None else counts.source,
        "nodes": [_node(tree, node, counts) for node in tree.nodes],
        "options": asdict(tree.options),
        "layout": {k: v for k, v in asdict(tree.layout).items() if k != "has_footer"},
        "tolerance": tree.tolerance,
        "notes": list(tree.notes),
    }


def header_json(header: Header) -> dict[str, object]:
    """Relation, attributes, and the column of the class counted from 1."""
    return {
        "relation": header.relation,
        "attributes": [attribute_json(a) for a in header.attributes],
        "class": None if header.class_index is None else header.class_index + 1,
        "inferred": header.inferred,
    }


def attribute_json(attribute: Attribute) -> dict[str, object]:
    """Name, type and weight, and ``values``, ``format`` or ``attributes`` if the type has them."""
    made: dict[str, object] = {"name": attribute.name, "type": attribute.type}
    if attribute.is_nominal:
        made["values"] = list(attribute.values)
    if attribute.type == "date":
        made["format"] = attribute.format
    if attribute.type == "relational":
        made["attributes"] = [attribute_json(a) for a in attribute.attributes]
    made["weight"] = number_json(attribute.weight)
    return made


def number_json(x: float | None) -> float | str | None:
    """A number for JSON: NaN is null, infinities are words."""
    if x is None or isnan(x):
        return None
    if x in (inf, -inf):
        return "Infinity" if x > 0 else "-Infinity"
    return float(x)


def _node(tree: BoxTree, node: Node, counts: NodeCounts | None) -> dict[str, object]:
    made: dict[str, object] = {
        "node": node.index,
        "parent": None if node.parent < 0 else node.parent,
    }
    if node.split is not None:
        split = node.split
        attribute = tree.attribute(split)
        made |= {
            "attribute": attribute.name,
            "column": split.attribute + 1,
            "kind": split.kind,
        }
        if split.kind == "numeric":
            made |= {
                "threshold": number_json(split.threshold),
                "closed": split.closed,
                "slack": split.slack,
                "token": split.token,
            }
        elif split.kind == "binary":
            made["value"] = attribute.values[split.value]
        made["children"] = list(node.children)
    else:
        leaf = tree.leaves[node.leaf]
        made |= {
            "leaf": leaf.index + 1,
            "class": tree.classes[leaf.label],
            "weight": number_json(leaf.weight),
            "errors": number_json(leaf.errors),
            "token": leaf.token,
            "line": leaf.line or None,
        }
    if counts is not None:
        row = counts.per_class[node.index]
        if not any(isnan(x) for x in row):
            made["counts"] = dict(zip(tree.classes, map(float, row), strict=True))
    return made
