"""The tree that readers make and everything else reads: frozen, with boxes as leaves.

Readers coerce to `BoxTree`; everything else only reads it. What is learnt about leaves or
cases later (counts, labels, scores) is an array beside the tree, never a change of it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, TypeVar

from j48geo.core.boxes import Box, Interval
from j48geo.core.columns import match_attributes
from j48geo.core.dataset import Attribute, Header

SplitKind = Literal["numeric", "multiway", "binary"]


@dataclass(frozen=True)
class Split:
    """The question at an inner node.

    Parameters
    ----------
    attribute
        Column it asks about.
    kind
        ``numeric`` (two branches around `threshold`), ``multiway`` (one branch a value, in
        header order) or ``binary`` (one value against all others, J48's ``-B``).
    threshold
        Cut of a numeric split: left is ``x <= threshold``, or ``x < threshold`` if not
        `closed`.
    value
        Index of the value a binary split singles out; its branch is the left one.
    closed
        Whether the threshold itself belongs to the left branch. True in Weka; False in
        the dialects that print ``<`` and ``>=``.
    slack
        Half a unit of the last printed decimal where the threshold is only known to
        that precision: left is then ``x <= threshold + slack``.
    token
        Threshold as the text prints it; empty for a tree made by hand.
    """

    attribute: int
    kind: SplitKind
    threshold: float = 0.0
    value: int = -1
    closed: bool = True
    slack: float = 0.0
    token: str = ""


@dataclass(frozen=True)
class Leaf:
    """The end of a path.

    Parameters
    ----------
    index
        Position among the leaves, in text order, from 0.
    label
        Index of the class it predicts.
    weight, errors
        Printed counts: weight that reached the leaf, and the part of it not of the
        leaf's class; None where the text prints none.
    token
        Counts as the text prints them, such as ``(3.0/1.0)``.
    line
        Line of the source that shows it, from 1; 0 if there is none.
    """

    index: int
    label: int
    weight: float | None = None
    errors: float | None = None
    token: str = ""
    line: int = 0


@dataclass(frozen=True)
class Node:
    """One node in preorder: an inner node has a split and children, a leaf neither.

    Parameters
    ----------
    parent
        Index of the parent node; -1 for the root.
    branch
        Which child of the parent this is, from 0.
    """

    index: int
    parent: int = -1
    branch: int = 0
    depth: int = 0
    split: Split | None = None
    children: tuple[int, ...] = ()
    leaf: int = -1

    @property
    def is_leaf(self) -> bool:
        """Whether the path ends here."""
        return self.split is None


@dataclass(frozen=True)
class Options:
    """What the surroundings of the tree say about how it was grown; None if they are silent.

    Parameters
    ----------
    text
        The option string as printed.
    laplace, binary, reduced_error, unpruned, midpoint
        J48's ``-A``, ``-B``, ``-R``, ``-U`` and ``-doNotMakeSplitPointActualValue``.
    folds
        ``-N`` of reduced-error pruning.
    old_weka
        Whether the text betrays a Weka before 3.8.3, whose comparison has a tolerance of
        1e-6; None if it does not say.
    scheme
        Class name of the outermost classifier; empty if it is not named, and words in
        parentheses if the options tell that there is one around J48 but not which.
    """

    text: str | None = None
    laplace: bool | None = None
    binary: bool | None = None
    reduced_error: bool | None = None
    unpruned: bool | None = None
    midpoint: bool | None = None
    folds: int = 3
    old_weka: bool | None = None
    scheme: str = ""

    @property
    def is_wrapped(self) -> bool:
        """Whether another classifier grew the tree, from rows of its own making."""
        return bool(self.scheme) and not self.scheme.endswith("trees.J48")


@dataclass(frozen=True)
class TreeLayout:
    """How the source writes its tree, so that it can be written back alike.

    Parameters
    ----------
    dialect
        ``weka``, or the name of another producer.
    banner
        First line of the block (``J48 pruned tree``); empty if the text has none.
    colon
        What stands between a branch and its label.
    greater
        What stands between an attribute and the threshold of a right branch.
    footer
        The lines after the tree with ``{leaves}`` and ``{size}``; empty if there are none.
    has_footer
        Whether the source itself says how many leaves there are; Graphviz does not.
    summed
        Whether ``(n/e)`` in the source counts n right and e wrong cases; the weight of a leaf
        is then n + e.
    """

    dialect: str = "weka"
    banner: str = "J48 pruned tree"
    colon: str = ": "
    greater: str = " > "
    footer: str = "\nNumber of Leaves  : \t{leaves}\n\nSize of the tree : \t{size}\n"
    has_footer: bool = True
    summed: bool = False

    @property
    def is_weka(self) -> bool:
        """Whether Weka itself wrote the source, so that its own rules of printing hold."""
        return self.dialect == "weka"

    @property
    def footer_agrees(self) -> bool | None:
        """Whether the footer of the source counts the leaves as they are; None without one."""
        if not (self.has_footer and self.footer):
            return None
        return "{leaves}" in self.footer and "{size}" in self.footer


Layout = TreeLayout  # as pickles written by 0.1.0 name it


@dataclass(frozen=True)
class BoxTree:
    """A decision tree, frozen.

    Parameters
    ----------
    header
        Attributes the splits refer to, and the class attribute.
    nodes
        All nodes in preorder; ``nodes[0]`` is the root.
    leaves
        The leaves in text order.
    tolerance
        0, or 1e-6 for Weka before 3.8.3, where ``x - threshold < 1e-6`` also goes left.
    notes
        What the reader wants the user to know about this tree.
    """

    header: Header
    nodes: tuple[Node, ...]
    leaves: tuple[Leaf, ...]
    options: Options = field(default=Options())
    layout: TreeLayout = field(default=TreeLayout())
    tolerance: float = 0.0
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.nodes:
            raise ValueError("a tree has at least one node")
        n_classes = len(self.header.classes)
        for node in self.nodes:
            split, kids = node.split, len(node.children)
            if (split is None) != (kids == 0):
                raise ValueError(f"node {node.index}: a node has a split exactly when it has kids")
            if split is None or (kids == 2 and split.kind != "multiway"):
                continue
            if kids != (wanted := self.branch_count(split)):
                raise ValueError(f"node {node.index}: {kids} branches, expected {wanted}")
        for leaf in self.leaves:
            if not 0 <= leaf.label < n_classes:
                raise ValueError(f"leaf {leaf.index}: class index {leaf.label} out of range")

    def branch_count(self, split: Split) -> int:
        """Number of branches of `split`."""
        if split.kind == "multiway":
            return len(self.header.attributes[split.attribute].values)
        return 2

    @property
    def size(self) -> int:
        """Number of nodes, leaves included: Weka's ``Size of the tree``."""
        return len(self.nodes)

    @property
    def classes(self) -> tuple[str, ...]:
        """Class labels in header order."""
        return self.header.classes

    @property
    def has_counts(self) -> bool:
        """Whether every leaf carries printed counts."""
        return all(leaf.weight is not None for leaf in self.leaves)

    def attribute(self, split: Split) -> Attribute:
        """The attribute `split` asks about."""
        return self.header.attributes[split.attribute]

    @cached_property
    def leaf_nodes(self) -> tuple[int, ...]:
        """Node index of each leaf."""
        return tuple(node.index for node in self.nodes if node.is_leaf)

    @property
    def splits(self) -> Iterator[tuple[Node, Split]]:
        """Inner nodes with their splits, in preorder."""
        for node in self.nodes:
            if node.split is not None:
                yield node, node.split

    @cached_property
    def used_attributes(self) -> tuple[int, ...]:
        """Columns that some split asks about, ascending."""
        return tuple(sorted({split.attribute for _, split in self.splits}))

    def path(self, leaf: int) -> tuple[int, ...]:
        """Node indices from the root to `leaf`, both included."""
        node = self.nodes[self.leaf_nodes[leaf]]
        steps = [node.index]
        while node.parent >= 0:
            node = self.nodes[node.parent]
            steps.append(node.index)
        return tuple(reversed(steps))

    @cached_property
    def boxes(self) -> tuple[Box, ...]:
        """The box of each leaf; redundant tests keep the tightest, which owns the face."""
        node_boxes: dict[int, Box] = {0: Box()}
        leaf_boxes: list[Box] = []
        for node in self.nodes:
            box = node_boxes.pop(node.index)
            if node.split is None:
                leaf_boxes.append(box)
                continue
            for branch, child in enumerate(node.children):
                node_boxes[child] = self._refine(box, node, node.split, branch)
        return tuple(leaf_boxes)

    def _refine(self, box: Box, node: Node, split: Split, branch: int) -> Box:
        a = split.attribute
        if split.kind == "numeric":
            new = narrow_interval(box.intervals.get(a), split, branch, node.index)
            return Box({**box.intervals, a: new}, box.subsets, box.subset_nodes)
        subset = narrow_subset(box.subsets.get(a), split, branch, len(self.attribute(split).values))
        return Box(
            box.intervals,
            {**box.subsets, a: subset},
            {**box.subset_nodes, a: node.index},
        )

    def with_thresholds(self, thresholds: Mapping[int, float]) -> BoxTree:
        """A tree whose splits at the given nodes have these exact thresholds."""
        nodes = list(self.nodes)
        for index, threshold in thresholds.items():
            old = nodes[index]
            split = old.split
            if split is not None:  # spelt out: `replace` takes twice the time for a large tree
                at, kind, value, closed = split.attribute, split.kind, split.value, split.closed
                new = Split(at, kind, threshold, value, closed, 0.0, split.token)
                place = (old.index, old.parent, old.branch, old.depth)
                nodes[index] = Node(*place, new, old.children, old.leaf)
        return replace(self, nodes=tuple(nodes))

    def with_tolerance(self, tolerance: float) -> BoxTree:
        """The same tree with this tolerance; itself if it has it already."""
        return self if tolerance == self.tolerance else replace(self, tolerance=tolerance)

    def with_header(self, header: Header, source: str = "the data") -> BoxTree:
        """The same tree in the columns of another header, matched by name.

        Parameters
        ----------
        source
            What the rows of that header are called in messages.

        Raises
        ------
        ColumnError
            If an attribute the tree uses, or its class, is missing there, has another
            type or other values.
        """
        if header is self.header:
            return self
        if header.attributes == self.header.attributes and (
            header.class_index == self.header.class_index
        ):
            return replace(self, header=header)
        class_index = self.header.class_index
        needed = {*self.used_attributes, *(() if class_index is None else (class_index,))}
        moved = match_attributes(header, self.header, sorted(needed), source)
        nodes = tuple(
            n
            if n.split is None
            else replace(n, split=replace(n.split, attribute=moved[n.split.attribute]))
            for n in self.nodes
        )
        new_class = None if class_index is None else moved[class_index]
        return replace(self, header=replace(header, class_index=new_class), nodes=nodes)

    def digest(self) -> str:
        """A fingerprint of the whole model; the same before and after every function."""
        text = repr((self.header, self.nodes, self.leaves, self.tolerance, self.layout))
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


Part = TypeVar("Part")


def build_nodes(
    root: Part, expand: Callable[[Part], tuple[Split | None, Sequence[Part]]]
) -> tuple[tuple[Node, ...], list[Part]]:
    """Nodes of any tree in preorder; trees may be deeper than Python's stack.

    Parameters
    ----------
    root
        What the first node is made of.
    expand
        Gives the split of a part and the parts below it; None and nothing for a leaf.

    Returns
    -------
    nodes, parts
        The nodes, and what each of them was made of.
    """
    parts: list[Part] = []
    splits: list[Split | None] = []
    children: list[list[int]] = []
    places: list[tuple[int, int, int]] = []
    waiting = [(root, -1, 0, 0)]
    while waiting:
        part, parent, branch, depth = waiting.pop()
        index = len(parts)
        parts.append(part)
        children.append([])
        places.append((parent, branch, depth))
        if parent >= 0:
            children[parent].append(index)
        split, below = expand(part)
        splits.append(split)
        for k in range(len(below) - 1, -1, -1):
            waiting.append((below[k], index, k, depth + 1))
    nodes: list[Node] = []
    leaves = 0
    for i, split in enumerate(splits):
        leaf = -1
        if split is None:
            leaf, leaves = leaves, leaves + 1
        nodes.append(Node(i, *places[i], split, tuple(children[i]), leaf))
    return tuple(nodes), parts


def narrow_interval(old: Interval | None, split: Split, branch: int, node: int) -> Interval:
    """What a branch of the numeric split at `node` leaves of an interval; None is unbounded."""
    old = _UNBOUNDED if old is None else old
    if branch == 0:
        return old.below(split.threshold, split.closed, node)
    return old.above(split.threshold, not split.closed, node)


def narrow_subset(
    old: frozenset[int] | None, split: Split, branch: int, n_values: int
) -> frozenset[int]:
    """What a branch of a nominal split leaves of a set of values; None is all of them."""
    if branch == 0 or split.kind == "multiway":
        # One value: the whole set is never made for it, since there may be as many branches.
        value = branch if split.kind == "multiway" else split.value
        return frozenset((value,)) if old is None else old & {value}
    return frozenset(range(n_values) if old is None else old) - {split.value}


_UNBOUNDED = Interval()
