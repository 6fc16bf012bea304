"""The reader ``json``: what ``j48geo show --format json`` and ``j48geo fit`` wrote."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from typing import Any, NoReturn, TypeVar, cast, get_args

import numpy as np

from j48geo.core.counts import NodeCounts
from j48geo.core.dataset import Attribute, AttributeType, Header
from j48geo.core.tree import BoxTree, Layout, Leaf, Node, Options, Split, SplitKind
from j48geo.core.tree_text import Entry, TreeText
from j48geo.errors import ModelReadError
from j48geo.modelfile.fitted_reader import read_fitted
from j48geo.modelfile.values import Wrong, fail, number_of, value_of

__all__ = ["read"]

FORMAT = "j48geo tree"
VERSION = 1
_EXPECTED = "expected what 'j48geo show --format json' or 'j48geo fit' writes"


_Record = TypeVar("_Record", Options, Layout)
_TYPES = {"str": str, "bool": bool, "int": int, "None": type(None)}


def read(data: bytes, *, source: str, header: Header | None = None) -> TreeText | None:
    """The tree in `data`, or None if it is not our JSON.

    Parameters
    ----------
    header
        Header of the data at hand. The JSON carries its own; but if that was only guessed
        from a text, this one tells the order of classes and values.

    Raises
    ------
    ModelReadError
        If it claims to be our JSON and is damaged, or of a later version.
    """
    if not data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return None
    head = data[:2000]
    if b'"format"' not in head or FORMAT.encode() not in head:
        return None
    try:
        value = json.loads(data.decode("utf-8-sig"), parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        line = error.doc.splitlines()[error.lineno - 1 : error.lineno] or [""]
        raise ModelReadError(
            f"broken JSON: {error.msg}",
            _EXPECTED,
            source,
            error.lineno,
            error.colno,
            line[0],
        ) from error
    except (UnicodeDecodeError, RecursionError, ValueError) as error:
        raise ModelReadError(
            f"broken JSON: {error}",
            _EXPECTED,
            source,
        ) from error
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        return None
    if value.get("version") != VERSION:
        raise ModelReadError(
            f"version {value.get('version')!r} of the tree format", f"expected {VERSION}", source
        )
    try:
        tree = _tree(value)
        counts = _counts(value, tree)
        fitted = read_fitted(value, tree)
    except (Wrong, ValueError, RecursionError) as error:
        raise ModelReadError(
            f"broken tree: {error}",
            _EXPECTED,
            source,
        ) from error
    if tree.header.inferred and header is not None:
        tree = _settled(tree, header)
    entry = Entry(tree.layout.banner or "tree", (tree,), None, counts=counts, fitted=fitted)
    return TreeText((entry,), (), source)


def _counts(value: dict[str, Any], tree: BoxTree) -> NodeCounts | None:
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


def _weight(x: object, where: str) -> float:
    if isinstance(x, bool) or not isinstance(x, (int, float)) or not x >= 0:
        fail(where, f"the count {x!r} is no weight")
    return float(x)


def _tree(value: dict[str, Any]) -> BoxTree:
    header = _header(value_of(value, "header", dict, "the file"))
    raw = value_of(value, "nodes", list, "the file")
    nodes: list[Node] = []
    leaves: list[Leaf] = []
    open_children: list[tuple[int, int]] = []
    for index, item in enumerate(raw):
        where = f"nodes[{index}]"
        if not isinstance(item, dict):
            fail(where, "not an object")
        parent, branch = open_children.pop() if open_children else (-1, 0)
        if (index == 0) != (parent < 0):
            fail(where, "more nodes than branches")
        found = item.get("parent")
        if (-1 if found is None else found) != parent:
            fail(where, f"parent is {found!r}; expected {None if parent < 0 else parent}")
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
    for key, found in (("leaves", len(leaves)), ("size", len(nodes))):
        if value.get(key) != found:
            fail(key, f"{value.get(key)!r}; the tree has {found}")
    notes = value_of(value, "notes", list, "the file")
    return BoxTree(
        header=header,
        nodes=tuple(nodes),
        leaves=tuple(leaves),
        options=_record(Options, value_of(value, "options", dict, "the file"), "options"),
        layout=_record(Layout, value_of(value, "layout", dict, "the file"), "layout"),
        tolerance=number_of(value, "tolerance", "the file"),
        notes=tuple(str(n) for n in notes),
    )


def _settled(tree: BoxTree, header: Header) -> BoxTree:
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


def _header(value: dict[str, Any]) -> Header:
    attributes = tuple(
        _attribute(a, f"header.attributes[{i}]")
        for i, a in enumerate(value_of(value, "attributes", list, "header"))
    )
    column = value_of(value, "class", int, "header")
    if not 1 <= column <= len(attributes):
        fail("header", f"class {column} of {len(attributes)} attributes")
    return Header(
        relation=value_of(value, "relation", str, "header"),
        attributes=attributes,
        class_index=column - 1,
        inferred=value_of(value, "inferred", bool, "header"),
    )


def _attribute(value: object, where: str) -> Attribute:
    if not isinstance(value, dict):
        fail(where, "not an object")
    kind = value_of(value, "type", str, where)
    if kind not in get_args(AttributeType):
        fail(where, f"type {kind!r}; expected one of {', '.join(get_args(AttributeType))}")
    values = value_of(value, "values", list, where) if kind == "nominal" else []
    if not all(isinstance(v, str) for v in values):
        fail(where, "'values' are not all texts")
    inner = value_of(value, "attributes", list, where) if kind == "relational" else []
    return Attribute(
        name=value_of(value, "name", str, where),
        type=cast(AttributeType, kind),
        values=tuple(values),
        format=value.get("format") if kind == "date" else None,
        weight=number_of(value, "weight", where),
        attributes=tuple(_attribute(a, f"{where}.attributes[{i}]") for i, a in enumerate(inner)),
    )


def _split(item: dict[str, Any], header: Header, where: str) -> Split:
    column = value_of(item, "column", int, where)
    if not 1 <= column <= len(header):
        fail(where, f"column {column} of {len(header)}")
    attribute = header.attributes[column - 1]
    if attribute.name != item.get("attribute"):
        fail(where, f"column {column} is {attribute.name!r}, not {item.get('attribute')!r}")
    kind = value_of(item, "kind", str, where)
    if kind not in get_args(SplitKind):
        fail(where, f"kind {kind!r}; expected one of {', '.join(get_args(SplitKind))}")
    if attribute.is_numeric != (kind == "numeric") or attribute.is_nominal == (kind == "numeric"):
        fail(where, f"a {kind} split on the {attribute.type} attribute {attribute.name!r}")
    if kind == "numeric":
        return Split(
            attribute=column - 1,
            kind="numeric",
            threshold=number_of(item, "threshold", where),
            closed=value_of(item, "closed", bool, where),
            slack=number_of(item, "slack", where),
            token=value_of(item, "token", str, where),
        )
    value = -1
    if kind == "binary":
        label = value_of(item, "value", str, where)
        if label not in attribute.index_of:
            fail(where, f"{attribute.name!r} has no value {label!r}")
        value = attribute.index_of[label]
    return Split(attribute=column - 1, kind=cast(SplitKind, kind), value=value)


def _leaf(item: dict[str, Any], header: Header, index: int, where: str) -> Leaf:
    label = value_of(item, "class", str, where)
    place = header.class_attribute.index_of.get(label)
    if place is None:
        fail(where, f"no class {label!r}")
    if item.get("leaf") != index + 1:
        fail(where, f"leaf {item.get('leaf')!r}; expected {index + 1}")
    return Leaf(
        index=index,
        label=place,
        weight=None if item.get("weight") is None else number_of(item, "weight", where),
        errors=None if item.get("errors") is None else number_of(item, "errors", where),
        token=value_of(item, "token", str, where),
        line=item.get("line") or 0,
    )


def _record(kind: type[_Record], value: dict[str, Any], where: str) -> _Record:
    given: dict[str, Any] = {}
    for field in fields(kind):
        if field.name not in value:
            continue
        found = value[field.name]
        wanted = tuple(_TYPES[name] for name in str(field.type).split(" | "))
        if type(found) not in wanted:
            fail(where, f"{field.name!r} is {found!r}; expected {field.type}")
        given[field.name] = found
    return kind(**given)


def _no_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON number")
