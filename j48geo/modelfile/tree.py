"""A tree as JSON, and back: the whole model at full precision, with its counts.

Numbering: leaves and columns from 1, as people and Weka count; nodes from 0 in the order of
the text, as Weka's ``-g`` does. What a function writes, the function below it reads; attributes
are written by `j48geo.core.json_values.attribute_json`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, fields, replace
from decimal import Decimal, InvalidOperation
from math import isnan
from typing import Any, TypeVar, get_args

import numpy as np

from j48geo.core.counts import NodeCounts
from j48geo.core.dataset import Attribute, AttributeType, Header
from j48geo.core.json_values import attribute_json, indented_json, number_json
from j48geo.core.tree import BoxTree, Layout, Leaf, Node, Options, Split, SplitKind
from j48geo.java.numbers import HALF_UNIT, SMALL
from j48geo.modelfile.schema import (
    FORMAT,
    LARGEST_DOUBLE,
    VERSION,
    Json,
    fail,
    name_of,
    number_between,
    number_of,
    object_of,
    value_of,
)
from j48geo.words import shortened, shown

__all__ = [
    "counts_from_json",
    "frame_json",
    "nodes_json",
    "settled",
    "tree_from_json",
    "tree_pieces",
    "tree_to_json",
]

_Record = TypeVar("_Record", Options, Layout)
MOST_LINES = 10**9
LONGEST_NOTE = 1000
_TYPES = {"str": str, "bool": bool, "int": int, "None": type(None)}


def tree_to_json(tree: BoxTree, counts: NodeCounts | None = None) -> dict[str, object]:
    """The tree as a value that `json.dumps` writes.

    Parameters
    ----------
    counts
        What is known about the training weight at each node; adds ``counts`` to every node
        for which it is known. If it comes from training data the reader takes it along.
    """
    return frame_json(tree, counts) | {"nodes": list(nodes_json(tree, counts))}


def tree_pieces(tree: BoxTree, counts: NodeCounts | None = None) -> Iterator[str]:
    """The text of `tree_to_json`, indented by one, node by node: a large tree is never whole."""
    lead = "{\n "
    for key, value in frame_json(tree, counts).items():
        yield f"{lead}{json.dumps(key)}: "
        lead = ",\n "
        if key != "nodes":
            yield indented_json(value, 1)
            continue
        before = "[\n  "
        for node in nodes_json(tree, counts):
            yield f"{before}{indented_json(node, 2)}"
            before = ",\n  "
        yield "\n ]"
    yield "\n}\n"


def nodes_json(tree: BoxTree, counts: NodeCounts | None) -> Iterator[dict[str, object]]:
    """The nodes of the file, one after the other."""
    rows = None if counts is None else counts.per_class.tolist()
    for node in tree.nodes:
        made = _node_json(tree, node)
        if rows is not None and not any(map(isnan, rows[node.index])):
            made["counts"] = dict(zip(tree.classes, rows[node.index], strict=True))
        yield made


def frame_json(tree: BoxTree, counts: NodeCounts | None) -> dict[str, object]:
    """All of the file but its nodes, an empty list in their place."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "leaves": len(tree.leaves),
        "size": tree.size,
        "header": _header_json(tree.header),
        "counts_from": None if counts is None else counts.source,
        "nodes": [],
        "options": asdict(tree.options),
        "layout": _layout_json(tree.layout),
        "tolerance": tree.tolerance,
        "notes": list(tree.notes),
    }


def tree_from_json(value: Json) -> BoxTree:
    """The tree in the JSON of a whole file.

    Raises
    ------
    Wrong
        If something in it is not what `tree_to_json` writes.
    """
    header = _header(value_of(value, "header", dict, "the file"))
    nodes, leaves = _nodes(value_of(value, "nodes", list, "the file"), header)
    for key, found in (("leaves", len(leaves)), ("size", len(nodes))):
        if value.get(key) != found:
            fail(key, f"{shown(value.get(key))}; the tree has {found}")
    notes = value_of(value, "notes", list, "the file")
    return BoxTree(
        header=header,
        nodes=tuple(nodes),
        leaves=tuple(leaves),
        options=_record(Options, value_of(value, "options", dict, "the file"), "options"),
        layout=_record(Layout, value_of(value, "layout", dict, "the file"), "layout"),
        tolerance=number_between(value, "tolerance", "the file", 0.0, SMALL),
        notes=tuple(shortened(str(n), LONGEST_NOTE) for n in notes),
    )


def _layout_json(layout: Layout) -> dict[str, object]:
    """What 0.1.0 wrote, and what is newer only where it says something."""
    newer = {"has_footer": True, "summed": False}
    return {k: v for k, v in asdict(layout).items() if k not in newer or v != newer[k]}


def _record(kind: type[_Record], value: Json, where: str) -> _Record:
    given: Json = {}
    for field in fields(kind):
        if field.name not in value:
            continue
        found = value[field.name]
        wanted = tuple(_TYPES[name] for name in str(field.type).split(" | "))
        if type(found) not in wanted:
            fail(where, f"{field.name!r} is {shown(found)}; expected {field.type}")
        given[field.name] = found
    return kind(**given)


# ----------------------------------------------------------------------------------- header


def _header_json(header: Header) -> dict[str, object]:
    """Relation, attributes, and the column of the class counted from 1."""
    return {
        "relation": header.relation,
        "attributes": [attribute_json(a) for a in header.attributes],
        "class": None if header.class_index is None else header.class_index + 1,
        "inferred": header.inferred,
    }


def _header(value: Json) -> Header:
    attributes = tuple(
        _attribute(a, f"header.attributes[{i}]")
        for i, a in enumerate(value_of(value, "attributes", list, "header"))
    )
    column = value_of(value, "class", int, "header")
    if not 1 <= column <= len(attributes):
        fail("header", f"class {shown(column)} of {len(attributes)} attributes")
    return Header(
        relation=value_of(value, "relation", str, "header"),
        attributes=attributes,
        class_index=column - 1,
        inferred=value_of(value, "inferred", bool, "header"),
    )


def _attribute(given: object, where: str) -> Attribute:
    value = object_of(given, where)
    kind: AttributeType = name_of(value, "type", get_args(AttributeType), where)
    values = value_of(value, "values", list, where) if kind == "nominal" else []
    if not all(isinstance(v, str) for v in values):
        fail(where, "'values' are not all texts")
    inner = value_of(value, "attributes", list, where) if kind == "relational" else []
    told = kind == "date" and value.get("format") is not None
    return Attribute(
        name=value_of(value, "name", str, where),
        type=kind,
        values=tuple(values),
        format=value_of(value, "format", str, where) if told else None,
        weight=number_of(value, "weight", where),
        attributes=tuple(_attribute(a, f"{where}.attributes[{i}]") for i, a in enumerate(inner)),
    )


# ------------------------------------------------------------------------ nodes and leaves


def _node_json(tree: BoxTree, node: Node) -> dict[str, object]:
    made: dict[str, object] = {
        "node": node.index,
        "parent": None if node.parent < 0 else node.parent,
    }
    if node.split is None:
        return made | _leaf_json(tree, tree.leaves[node.leaf])
    return made | _split_json(tree, node.split) | {"children": list(node.children)}


def _nodes(raw: list[Any], header: Header) -> tuple[list[Node], list[Leaf]]:
    nodes: list[Node] = []
    leaves: list[Leaf] = []
    open_children: list[tuple[int, int]] = []
    for index, given in enumerate(raw):
        where = f"nodes[{index}]"
        item = object_of(given, where)
        parent, branch = open_children.pop() if open_children else (-1, 0)
        if (index == 0) != (parent < 0):
            fail(where, "more nodes than branches")
        if item.get("node", index) != index:
            fail(where, f"'node' is {shown(item['node'])}; expected {index}")
        found = item.get("parent")
        if (-1 if found is None else found) != parent:
            fail(where, f"parent is {shown(found)}; expected {None if parent < 0 else parent}")
        depth = nodes[parent].depth + 1 if parent >= 0 else 0
        if "children" in item:
            children = tuple(value_of(item, "children", list, where))
            split = _split(item, header, where)
            if not all(type(c) is int for c in children):
                fail(where, "'children' are not whole numbers")
            nodes.append(Node(index, parent, branch, depth, split, children))
            open_children.extend((index, b) for b in reversed(range(len(children))))
        else:
            leaves.append(_leaf(item, header, len(leaves), where))
            nodes.append(Node(index, parent, branch, depth, leaf=len(leaves) - 1))
        if parent >= 0 and nodes[parent].children[branch] != index:
            fail(where, f"is not child {branch + 1} of node {parent}")
    if open_children:
        fail("nodes", f"{len(open_children)} branches lead nowhere")
    return nodes, leaves


def _split_json(tree: BoxTree, split: Split) -> dict[str, object]:
    attribute = tree.attribute(split)
    made: dict[str, object] = {
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
    return made


def _split(item: Json, header: Header, where: str) -> Split:
    column = value_of(item, "column", int, where)
    if not 1 <= column <= len(header):
        fail(where, f"column {shown(column)} of {len(header)}")
    attribute = header.attributes[column - 1]
    if attribute.name != item.get("attribute"):
        fail(
            where, f"column {column} is {shown(attribute.name)}, not {shown(item.get('attribute'))}"
        )
    kind: SplitKind = name_of(item, "kind", get_args(SplitKind), where)
    if attribute.is_numeric != (kind == "numeric") or attribute.is_nominal == (kind == "numeric"):
        fail(where, f"a {kind} split on the {attribute.type} attribute {shown(attribute.name)}")
    if kind == "numeric":
        threshold = number_between(item, "threshold", where, -LARGEST_DOUBLE, LARGEST_DOUBLE)
        token = value_of(item, "token", str, where)
        if not _may_print(token, threshold):
            fail(where, f"'token' is {shown(token)}; expected what {threshold!r} is printed as")
        return Split(
            attribute=column - 1,
            kind="numeric",
            threshold=threshold,
            closed=value_of(item, "closed", bool, where),
            slack=number_between(item, "slack", where, 0.0, HALF_UNIT),
            token=token,
        )
    value = -1
    if kind == "binary":
        label = value_of(item, "value", str, where)
        if label not in attribute.index_of:
            fail(where, f"{shown(attribute.name)} has no value {shown(label)}")
        value = attribute.index_of[label]
    return Split(attribute=column - 1, kind=kind, value=value)


def _may_print(token: str, threshold: float) -> bool:
    """Whether a number may be printed so: they differ by less than one of the last digit."""
    try:
        printed = Decimal(token)
    except InvalidOperation:  # Java prints some numbers as signs
        return True
    exponent = printed.as_tuple().exponent
    if not isinstance(exponent, int):
        return True
    return abs(printed - Decimal(threshold)) < Decimal(1).scaleb(max(exponent, -6))


def _leaf_json(tree: BoxTree, leaf: Leaf) -> dict[str, object]:
    return {
        "leaf": leaf.index + 1,
        "class": tree.classes[leaf.label],
        "weight": number_json(leaf.weight),
        "errors": number_json(leaf.errors),
        "token": leaf.token,
        "line": leaf.line or None,
    }


def _leaf(item: Json, header: Header, index: int, where: str) -> Leaf:
    label = value_of(item, "class", str, where)
    place = header.class_attribute.index_of.get(label)
    if place is None:
        fail(where, f"no class {shown(label)}")
    if item.get("leaf") != index + 1:
        fail(where, f"leaf {shown(item.get('leaf'))}; expected {index + 1}")
    line = 0 if item.get("line") is None else value_of(item, "line", int, where)
    if not 0 <= line <= MOST_LINES:
        fail(where, f"'line' is {shown(line)}; expected the number of a line")
    weight, errors = _count(item, "weight", where), _count(item, "errors", where)
    if weight is not None and errors is not None and errors > weight:
        fail(where, f"{errors:g} errors in a weight of {weight:g}")
    return Leaf(
        index=index,
        label=place,
        weight=weight,
        errors=errors,
        token=value_of(item, "token", str, where),
        line=line,
    )


def _count(item: Json, key: str, where: str) -> float | None:
    """A printed count of a leaf, null where the text has none."""
    if item.get(key) is None:
        return None
    return number_between(item, key, where, 0.0, LARGEST_DOUBLE)


# ----------------------------------------------------------------------------------- counts


def counts_from_json(value: Json, tree: BoxTree) -> NodeCounts | None:
    """Counts of training data; those of a text are in the leaves already."""
    if value.get("counts_from") != "data":
        return None
    rows = []
    for index, item in enumerate(value["nodes"]):
        given = value_of(item, "counts", dict, f"nodes[{index}]")
        if list(given) != list(tree.classes):
            fail(f"nodes[{index}]", "'counts' are not those of the classes")
        rows.append([_weight(x, f"nodes[{index}]") for x in given.values()])
    per_class = np.array(rows, dtype=np.float64)
    for node in tree.nodes[1:]:
        above = per_class[node.parent]
        if (per_class[node.index] > above * (1 + 1e-6) + 1e-6).any():
            fail(f"nodes[{node.index}]", "'counts' exceed those of its parent")
    return NodeCounts(per_class, per_class.sum(axis=1), "data", per_class)


def _weight(x: Any, where: str) -> float:
    if type(x) not in (int, float) or not 0 <= x <= LARGEST_DOUBLE:
        fail(where, f"the count {shown(x)} is no weight")
    return float(x)


# ------------------------------------------------------------------------- a guessed header


def settled(tree: BoxTree, header: Header) -> BoxTree:
    """A tree with a guessed header in terms of a known one; as it is if they do not fit."""
    known = {attribute.name: i for i, attribute in enumerate(header.attributes)}
    labels = header.class_attribute.index_of
    nodes = []
    for node in tree.nodes:
        split = node.split
        if split is not None:
            guessed = tree.attribute(split)
            column = known.get(guessed.name, header.class_index)
            if column is None or column == header.class_index:
                return tree
            found = header.attributes[column]
            if guessed.is_numeric != found.is_numeric:
                return tree
            if split.kind == "multiway" and guessed.values != found.values:
                return tree
            value = split.value
            if split.kind == "binary":
                value = found.index_of.get(guessed.values[value], -1)
                if value < 0:
                    return tree
            split = replace(split, attribute=column, value=value)
        nodes.append(replace(node, split=split))
    if any(tree.classes[leaf.label] not in labels for leaf in tree.leaves):
        return tree
    leaves = tuple(replace(x, label=labels[tree.classes[x.label]]) for x in tree.leaves)
    return replace(tree, header=header, nodes=tuple(nodes), leaves=leaves)
