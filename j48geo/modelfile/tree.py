"""A tree as JSON, and back: the whole model at full precision, with its counts.

Numbering: leaves and columns from 1, as people and Weka count; nodes from 0 in the order of
the text, as Weka's ``-g`` does. What a function writes, the function below it reads; attributes
are written by `j48geo.core.json_values.attribute_json`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, fields, replace
from decimal import Decimal, InvalidOperation
from math import isnan
from typing import Any, TypeVar, get_args

import numpy as np

from j48geo.core.counts import NodeCounts
from j48geo.core.dataset import Attribute, AttributeType, Header
from j48geo.core.json_values import attribute_json, indented_json, number_json
from j48geo.core.tree import BoxTree, Leaf, Node, Options, Split, SplitKind, TreeLayout
from j48geo.java.numbers import HALF_UNIT, SMALL
from j48geo.modelfile.part import LARGEST_DOUBLE, Part
from j48geo.text import quote_value, shorten

FILE_FORMAT = "j48geo tree"
FILE_VERSION = 1
"""Of the whole file; 0.1.0 wrote the same."""

_Record = TypeVar("_Record", Options, TreeLayout)
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
    nodes = (indented_json(node, 2) for node in nodes_json(tree, counts))
    marks = ("[\n  ", ",\n  ", "\n ]")
    return join_pieces(frame_json(tree, counts), nodes, lambda x: indented_json(x, 1), "\n ", marks)


def join_pieces(
    frame: dict[str, object],
    nodes: Iterator[str],
    text: Callable[[object], str],
    pad: str,
    marks: tuple[str, str, str],
) -> Iterator[str]:
    """The text of a file, key by key; `marks` are before, between and behind its nodes."""
    for i, (key, value) in enumerate(frame.items()):
        yield f"{',' if i else '{'}{pad}{json.dumps(key)}: "
        if key != "nodes":
            yield text(value)
            continue
        for k, node in enumerate(nodes):
            yield marks[k > 0] + node
        yield marks[2]
    yield "\n}\n"


def nodes_json(tree: BoxTree, counts: NodeCounts | None) -> Iterator[dict[str, object]]:
    """The nodes of the file, one after the other."""
    rows = None if counts is None else counts.per_class.tolist()
    for node in tree.nodes:
        node_json = _node_json(tree, node)
        if rows is not None and not any(map(isnan, rows[node.index])):
            node_json["counts"] = dict(zip(tree.classes, rows[node.index], strict=True))
        yield node_json


def frame_json(tree: BoxTree, counts: NodeCounts | None) -> dict[str, object]:
    """All of the file but its nodes, an empty list in their place."""
    header = tree.header
    newer = {"has_footer": True, "summed": False}  # not known to 0.1.0: only where they tell
    layout = asdict(tree.layout)
    return {
        "format": FILE_FORMAT,
        "version": FILE_VERSION,
        "leaves": len(tree.leaves),
        "size": tree.size,
        "header": {
            "relation": header.relation,
            "attributes": [attribute_json(a) for a in header.attributes],
            "class": None if header.class_index is None else header.class_index + 1,
            "inferred": header.inferred,
        },
        "counts_from": None if counts is None else counts.source,
        "nodes": [],
        "options": asdict(tree.options),
        "layout": {k: v for k, v in layout.items() if k not in newer or v != newer[k]},
        "tolerance": tree.tolerance,
        "notes": list(tree.notes),
    }


def tree_from_json(file: Part) -> BoxTree:
    """The tree of a whole file.

    Raises
    ------
    Wrong
        If something in it is not what `tree_to_json` writes.
    """
    header = _header(file.part("header"))
    nodes, leaves = _nodes(file.get("nodes", list), header)
    for key, count in (("leaves", len(leaves)), ("size", len(nodes))):
        if file.value.get(key) != count:
            Part({}, key).fail(f"{quote_value(file.value.get(key))}; the tree has {count}")
    return BoxTree(
        header=header,
        nodes=tuple(nodes),
        leaves=tuple(leaves),
        options=_record(Options, file.part("options")),
        layout=_record(TreeLayout, file.part("layout")),
        tolerance=file.number("tolerance", 0.0, SMALL),
        notes=tuple(shorten(str(n), LONGEST_NOTE) for n in file.get("notes", list)),
    )


def _record(kind: type[_Record], part: Part) -> _Record:
    given: dict[str, Any] = {}
    for field in fields(kind):
        if field.name in part.value:
            value = given[field.name] = part.value[field.name]
            if type(value) not in [_TYPES[name] for name in str(field.type).split(" | ")]:
                part.fail(f"{field.name!r} is {quote_value(value)}; expected {field.type}")
    return kind(**given)


def _header(part: Part) -> Header:
    attributes = tuple(map(_attribute, part.parts("attributes")))
    column = part.get("class", int)
    if not 1 <= column <= len(attributes):
        part.fail(f"class {quote_value(column)} of {len(attributes)} attributes")
    inferred = part.get("inferred", bool)
    return Header(part.get("relation", str), attributes, column - 1, inferred)


def _attribute(part: Part) -> Attribute:
    kind: AttributeType = part.name("type", get_args(AttributeType))
    values = part.get("values", list) if kind == "nominal" else []
    part.require(all(isinstance(v, str) for v in values), "'values' are not all texts")
    has_format = kind == "date" and part.has("format")
    return Attribute(
        name=part.get("name", str),
        type=kind,
        values=tuple(values),
        format=part.get("format", str) if has_format else None,
        weight=part.number("weight"),
        attributes=tuple(map(_attribute, part.parts("attributes") if kind == "relational" else [])),
    )


# ------------------------------------------------------------------------ nodes and leaves


def _node_json(tree: BoxTree, node: Node) -> dict[str, object]:
    value: dict[str, object] = {
        "node": node.index,
        "parent": None if node.parent < 0 else node.parent,
    }
    split = node.split
    if split is None:
        return value | _leaf_json(tree, tree.leaves[node.leaf])
    attribute = tree.attribute(split)
    value |= {"attribute": attribute.name, "column": split.attribute + 1, "kind": split.kind}
    if split.kind == "numeric":
        value |= {
            "threshold": number_json(split.threshold),
            "closed": split.closed,
            "slack": split.slack,
            "token": split.token,
        }
    elif split.kind == "binary":
        value["value"] = attribute.values[split.value]
    return value | {"children": list(node.children)}


def _nodes(raw: list[Any], header: Header) -> tuple[list[Node], list[Leaf]]:
    nodes: list[Node] = []
    leaves: list[Leaf] = []
    open_children: list[tuple[int, int]] = []
    for index, given in enumerate(raw):
        part = Part(given, f"nodes[{index}]")
        parent, branch = open_children.pop() if open_children else (-1, 0)
        part.require((index == 0) == (parent < 0), "more nodes than branches")
        if part.value.get("node", index) != index:
            part.fail(f"'node' is {quote_value(part.value['node'])}; expected {index}")
        wanted = None if parent < 0 else parent
        if (stored := part.value.get("parent")) != wanted:
            part.fail(f"parent is {quote_value(stored)}; expected {wanted}")
        depth = nodes[parent].depth + 1 if parent >= 0 else 0
        if "children" in part.value:
            children = tuple(part.get("children", list))
            split = _read_split(part, header)
            whole = all(type(c) is int for c in children)
            part.require(whole, "'children' are not whole numbers")
            nodes.append(Node(index, parent, branch, depth, split, children))
            open_children.extend((index, b) for b in reversed(range(len(children))))
        else:
            leaves.append(_read_leaf(part, header, len(leaves)))
            nodes.append(Node(index, parent, branch, depth, leaf=len(leaves) - 1))
        if parent >= 0 and nodes[parent].children[branch] != index:
            part.fail(f"is not child {branch + 1} of node {parent}")
    if open_children:
        Part({}, "nodes").fail(f"{len(open_children)} branches lead nowhere")
    return nodes, leaves


def _read_split(part: Part, header: Header) -> Split:
    column = part.get("column", int)
    if not 1 <= column <= len(header):
        part.fail(f"column {quote_value(column)} of {len(header)}")
    attribute = header.attributes[column - 1]
    name = quote_value(attribute.name)
    if attribute.name != part.value.get("attribute"):
        part.fail(f"column {column} is {name}, not {quote_value(part.value.get('attribute'))}")
    kind: SplitKind = part.name("kind", get_args(SplitKind))
    if attribute.is_numeric != (kind == "numeric") or attribute.is_nominal == (kind == "numeric"):
        part.fail(f"a {kind} split on the {attribute.type} attribute {name}")
    if kind == "numeric":
        threshold = part.number("threshold", -LARGEST_DOUBLE, LARGEST_DOUBLE)
        token = part.get("token", str)
        if not _may_print(token, threshold):
            part.fail(f"'token' is {quote_value(token)}; expected what {threshold!r} is printed as")
        closed, slack = part.get("closed", bool), part.number("slack", 0.0, HALF_UNIT)
        return Split(column - 1, "numeric", threshold, closed=closed, slack=slack, token=token)
    value = -1
    if kind == "binary":
        label = part.get("value", str)
        if label not in attribute.index_of:
            part.fail(f"{name} has no value {quote_value(label)}")
        value = attribute.index_of[label]
    return Split(column - 1, kind, value=value)


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


def _read_leaf(part: Part, header: Header, index: int) -> Leaf:
    label = part.get("class", str)
    place = header.class_attribute.index_of.get(label)
    if place is None:
        part.fail(f"no class {quote_value(label)}")
    if part.value.get("leaf") != index + 1:
        part.fail(f"leaf {quote_value(part.value.get('leaf'))}; expected {index + 1}")
    line = part.get("line", int) if part.has("line") else 0
    if not 0 <= line <= MOST_LINES:
        part.fail(f"'line' is {quote_value(line)}; expected the number of a line")
    weight, errors = (
        part.number(key, 0.0, LARGEST_DOUBLE) if part.has(key) else None
        for key in ("weight", "errors")
    )
    if weight is not None and errors is not None and errors > weight:
        part.fail(f"{errors:g} errors in a weight of {weight:g}")
    return Leaf(index, place, weight, errors, part.get("token", str), line)


# ----------------------------------------------------------------------------------- counts


def counts_from_json(file: Part, tree: BoxTree) -> NodeCounts | None:
    """Counts of training data; those of a text are in the leaves already."""
    if file.value.get("counts_from") != "data":
        return None
    rows = []
    for part in file.parts("nodes"):
        given = part.get("counts", dict)
        part.require(list(given) == list(tree.classes), "'counts' are not those of the classes")
        for x in given.values():
            if type(x) not in (int, float) or not 0 <= x <= LARGEST_DOUBLE:
                part.fail(f"the count {quote_value(x)} is no weight")
        rows.append(list(given.values()))
    per_class = np.array(rows, dtype=np.float64)
    for node in tree.nodes[1:]:
        above = per_class[node.parent]
        if (per_class[node.index] > above * (1 + 1e-6) + 1e-6).any():
            Part({}, f"nodes[{node.index}]").fail("'counts' exceed those of its parent")
    return NodeCounts(per_class, per_class.sum(axis=1), "data", per_class)


# ------------------------------------------------------------------------- a guessed header


def adopt_header(tree: BoxTree, header: Header) -> BoxTree:
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
            attribute = header.attributes[column]
            if guessed.is_numeric != attribute.is_numeric:
                return tree
            if split.kind == "multiway" and guessed.values != attribute.values:
                return tree
            value = split.value
            if split.kind == "binary":
                value = attribute.index_of.get(guessed.values[value], -1)
                if value < 0:
                    return tree
            split = replace(split, attribute=column, value=value)
        nodes.append(replace(node, split=split))
    if any(tree.classes[leaf.label] not in labels for leaf in tree.leaves):
        return tree
    leaves = tuple(replace(x, label=labels[tree.classes[x.label]]) for x in tree.leaves)
    return replace(tree, header=header, nodes=tuple(nodes), leaves=leaves)
