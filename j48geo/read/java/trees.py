"""A J48 of a Java stream: its nodes, its counts as stored, its options."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from j48geo.arrays import Floats
from j48geo.core.counts import NodeCounts, find_leaf_label
from j48geo.core.dataset import Dataset, Header
from j48geo.core.j48_options import J48_SCHEME, JAVA_FIELDS, J48Options
from j48geo.core.tree import BoxTree, Leaf, Node, Options, Split, TreeLayout, build_nodes
from j48geo.core.tree_text import Entry
from j48geo.java.numbers import SMALL
from j48geo.java.objects import JavaObject, StreamError, check_doubles
from j48geo.read.java.instances import Headers, is_old_weka, read_rows

_PACKAGE: Final = "weka.classifiers.trees.j48."
_NODES: Final = ("C45PruneableClassifierTree", "PruneableClassifierTree", "ClassifierTree")
MOST_COUNTS: Final = 16_000_000
"""Nodes times classes of one tree."""


class Trees:
    """The trees of one stream; a node belongs to one of them, and once."""

    def __init__(self, headers: Headers) -> None:
        self._headers = headers
        self._met: set[int] = set()
        self._rows: dict[tuple[int, int], Dataset | None] = {}

    def entry(self, j48: JavaObject, scheme: str = J48_SCHEME) -> Entry:
        """Tree, counts, and rows if the file keeps them (``-L``).

        Parameters
        ----------
        scheme
            Class of the outermost classifier.
        """
        if j48.values.get("m_root") is None:
            raise StreamError("a J48 that was never built")
        root = j48.inside("m_root")
        train = root.inside("m_train")
        header = self._headers.of(train)
        if header.class_index is None or not header.class_attribute.is_nominal:
            raise StreamError("the tree's header names no nominal class")
        if not header.classes:
            raise StreamError("a class without values")
        nodes, objects = self._nodes(root, header)
        old = is_old_weka(train)
        options = _read_options(j48, old, scheme)
        counts, leaves, notes = _read_counts(nodes, objects, len(header.classes))
        tree = BoxTree(
            header,
            nodes,
            leaves,
            options,
            TreeLayout(
                banner=f"J48 {'unpruned' if options.unpruned else 'pruned'} tree", has_footer=False
            ),
            SMALL if old else 0.0,
            tuple(notes),
        )
        # With -R the rows kept are those the tree grew from, without those that pruned it.
        training = None if options.reduced_error else self._training(train, header)
        return Entry("J48", (tree,), None, counts=counts, training=training)

    def _training(self, train: JavaObject, header: Header) -> Dataset | None:
        """The rows inside, read once however many trees share them."""
        key = id(train.values.get("m_Instances")), id(header.attributes)
        if key not in self._rows:
            self._rows[key] = read_rows(train, header)
        return self._rows[key]

    def _nodes(self, root: JavaObject, header: Header) -> tuple[tuple[Node, ...], list[JavaObject]]:
        """Nodes in preorder, and the object of each."""

        def expand(node: Any) -> tuple[Split | None, Sequence[Any]]:
            if not isinstance(node, JavaObject) or node.cls.name not in _NODE_CLASSES:
                raise StreamError("something else where a node of the tree was expected")
            if id(node) in self._met:
                raise StreamError("a node of the tree is met twice; expected a tree")
            self._met.add(id(node))
            if node.flag("m_isLeaf"):
                return None, ()
            if node.flag("m_isEmpty"):
                raise StreamError("an inner node that is marked empty")
            split = _read_split(node.inside("m_localModel"), header)
            sons = node.items("m_sons")
            wanted = 2
            if split.kind == "multiway":
                wanted = len(header.attributes[split.attribute].values)
            if len(sons) != wanted or not wanted:
                raise StreamError(f"a node with {len(sons)} branches; expected {wanted}")
            return split, sons

        nodes, objects = build_nodes(root, expand)
        if len(nodes) * len(header.classes) > MOST_COUNTS:
            raise StreamError(f"{len(nodes):,} nodes of {len(header.classes):,} classes; too many")
        return nodes, objects


_NODE_CLASSES: Final = tuple(_PACKAGE + name for name in _NODES)


def _read_split(model: JavaObject, header: Header) -> Split:
    name = model.cls.name.removeprefix(_PACKAGE)
    if name not in ("C45Split", "BinC45Split"):
        raise StreamError(f"an inner node with the model {model.cls.name}; expected a C45Split")
    column = model.whole("m_attIndex")
    if not 0 <= column < len(header) or column == header.class_index:
        raise StreamError(f"a split on attribute {column + 1} of {len(header)}")
    attribute = header.attributes[column]
    if attribute.is_numeric:
        return Split(column, "numeric", threshold=model.number("m_splitPoint"))
    if not attribute.is_nominal:
        raise StreamError(f"a split on the {attribute.type} attribute {attribute.name!r}")
    if name == "C45Split":
        return Split(column, "multiway")
    value = int(model.number("m_splitPoint"))
    if not 0 <= value < len(attribute.values):
        raise StreamError(f"a split on value {value + 1} of {len(attribute.values)}")
    return Split(column, "binary", value=value)


def _read_counts(
    nodes: Sequence[Node], objects: Sequence[JavaObject], n_classes: int
) -> tuple[NodeCounts, tuple[Leaf, ...], list[str]]:
    """Counts of all nodes exactly as they are stored, and the leaves as Weka prints them."""
    n = len(nodes)
    per_class, bag = np.empty((n, n_classes)), np.empty((n, n_classes))
    total, weight = np.empty(n), np.empty(n)
    empty = np.zeros(n, dtype=np.bool_)
    unequal = 0
    for i, (node, stored) in enumerate(zip(nodes, objects, strict=True)):
        model = stored.inside("m_localModel")
        kids = list(node.children)
        if not kids and model.cls.name != _PACKAGE + "NoSplit":
            raise StreamError(f"a leaf with the model {model.cls.name}; expected NoSplit")
        own, own_total, bags, bag_totals = _read_distribution(model, max(1, len(kids)), n_classes)
        unequal += not _sums_agree(own, own_total, bags, bag_totals)
        per_class[i], total[i] = (own, own_total) if kids else (bags[0], bag_totals[0])
        if i == 0:
            bag[0], weight[0] = per_class[0], total[0]
        if kids:
            bag[kids], weight[kids] = bags, bag_totals
        else:
            empty[i] = stored.flag("m_isEmpty")
    counts = NodeCounts(per_class, weight, "data", bag, total, empty)
    leaves: list[Leaf] = []
    for i, node in enumerate(nodes):
        if node.is_leaf:
            above = per_class[max(0, node.parent)]
            leaves.append(_make_leaf(len(leaves), bag[i], float(weight[i]), above))
    notes = []
    if unequal:
        notes.append(
            f"the stored totals of {unequal} of {n} nodes are not the sums of their counts; "
            "they are used as stored"
        )
    return counts, tuple(leaves), notes


def _read_distribution(
    model: JavaObject, branches: int, n_classes: int
) -> tuple[Floats, float, Floats, Floats]:
    """``Distribution``: weight by class, in all, by bag and class, by bag."""
    stored = model.inside("m_distribution")
    if stored.cls.name != _PACKAGE + "Distribution":
        raise StreamError(f"counts of the class {stored.cls.name}; expected a Distribution")
    rows = stored.items("m_perClassPerBag")
    if len(rows) != branches:
        raise StreamError(f"counts of {len(rows)} branches; expected {branches}")
    bags = np.array([check_doubles(row, "m_perClassPerBag", n_classes) for row in rows])
    own = stored.floats("m_perClass", n_classes)
    by_bag = stored.floats("m_perBag", branches)
    total = stored.number("totaL")
    # Weights are added and taken away again, so that nothing may be a rounding error less.
    if min(bags.min(), own.min(), by_bag.min(), total) < -SMALL:
        raise StreamError("a count below zero")
    return own, total, bags, by_bag


def _sums_agree(own: Floats, total: float, bags: Floats, by_bag: Floats) -> bool:
    """Whether totals are the sums of their parts, but for rounding."""
    with np.errstate(over="ignore", invalid="ignore"):
        off = [
            np.abs(bags.sum(axis=1) - by_bag).max(),
            np.abs(bags.sum(axis=0) - own).max(),
            abs(own.sum() - total),
        ]
        return bool(max(off) <= SMALL * (1.0 + abs(total)))


def _make_leaf(index: int, bag: Floats, weight: float, above: Floats) -> Leaf:
    """Label and counts of a leaf, as its parent prints them (``dumpLabel``)."""
    label = find_leaf_label(bag, weight, above)
    return Leaf(index, label, weight, weight - float(bag[label]))


_SINCE_3_7: Final = frozenset({"collapse", "correct", "midpoint"})
"""Options that J48 of Weka 3.6 does not have."""


def _read_options(j48: JavaObject, old: bool, scheme: str) -> Options:
    """The options, and the words that ``getOptions`` would give for them."""
    fields: dict[str, Any] = {}
    for name, field in JAVA_FIELDS.items():
        if name == "confidence":
            # A float: its own shortest digits, not those of the double it widens to.
            fields[name] = float(str(np.float32(j48.number(field))))
        elif name not in _SINCE_3_7 or j48.has(field):
            fields[name] = j48.get(field, type(getattr(J48Options, name)))
    options = J48Options(**fields)
    return options.describe(" ".join([J48_SCHEME, *options.words()]), scheme, old or None)
