"""Distance to the decision boundary by a search over the tree, compiled by numba.

The answers are those of `j48geo.geometry.distance_numpy`, bit for bit. The tree is the spatial
index: leaves with an empty box are dropped and nodes left with one child are joined with it, so
that boxes are truly nested. Each node keeps its own box in the attribute of its own split;
thus the squared distance of a child follows from that of its parent alone::

    d²(far) = d² + ((x - t) / s)² - (max(low - x, x - high, 0) / s)²      d²(near) = d²
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.compilation import compile_loop, run_in_threads
from j48geo.core.cache import cached_for
from j48geo.core.fitted_values import Metric
from j48geo.core.tree import BoxTree
from j48geo.geometry import distance_kernels as loops
from j48geo.geometry.distance_kernels import BitWords, IndexNodes
from j48geo.geometry.distance_numpy import TIE, Boundary
from j48geo.geometry.faces import Faces, find_faces


@dataclass(frozen=True, eq=False)
class TreeIndex:
    """The nodes that are left, and what lies below them.

    Parameters
    ----------
    first_leaf, last_leaf : array of int
        The leaves below a node, as positions in `leaves`; the last excluded.
    leaves : array of int
        Index of the leaves that are not empty.
    room
        Largest number of nodes that wait in a depth-first search.
    depth
        Of the deepest leaf.
    """

    nodes: IndexNodes
    first_leaf: Ints
    last_leaf: Ints
    leaves: Ints
    room: int
    depth: int

    @property
    def size(self) -> int:
        """Number of nodes."""
        return len(self.nodes.leaf)


def make_index(tree: BoxTree) -> TreeIndex:
    """The index of a tree."""
    faces = find_faces(tree)
    heir = _heirs(tree, faces)
    index_nodes = [node for node in tree.nodes if heir[node.index] == node.index]
    place = {node.index: i for i, node in enumerate(index_nodes)}
    m = len(index_nodes)
    attribute, leaf, right = np.full((3, m), -1, dtype=np.intp)
    first_child, first_route = np.zeros((2, m + 1), dtype=np.intp)
    threshold, low, high = np.zeros((3, m))
    child: list[int] = []
    route: list[int] = []
    waiting = np.ones(m, dtype=np.intp)  # room a search needs when it stands here
    depth = np.zeros(m, dtype=np.intp)
    for i, node in enumerate(index_nodes):
        first_child[i], first_route[i] = len(child), len(route)
        leaf[i] = node.leaf
        split = node.split
        if split is None:
            continue
        attribute[i] = split.attribute
        alive = [(k, place[heir[c]]) for k, c in enumerate(node.children) if heir[c] >= 0]
        child += [c for _, c in alive]
        for _, c in alive:
            waiting[c] = waiting[i] + len(alive) - 1
            depth[c] = depth[i] + 1
        if split.kind == "numeric":
            right[i] = alive[1][1]
            threshold[i] = split.threshold
            low[i], high[i] = faces.node_low[node.index], faces.node_high[node.index]
            continue
        route += _route_values(tree, faces, node.index, [k for k, _ in alive])
    first_child[m], first_route[m] = len(child), len(route)
    nodes = IndexNodes(
        attribute,
        threshold,
        low,
        high,
        right,
        first_child,
        np.array(child, dtype=np.intp),
        first_route,
        np.array(route, dtype=np.intp),
        leaf,
    )
    first_leaf, last_leaf = _leaves_below(nodes)
    room = int(waiting.max()) + 1
    return TreeIndex(nodes, first_leaf, last_leaf, leaf[leaf >= 0], room, int(depth.max()))


def _route_values(tree: BoxTree, faces: Faces, node: int, alive: list[int]) -> list[int]:
    """For every value of a nominal node the position of its branch among those alive, or -1.

    Parameters
    ----------
    alive
        The branches that lead to a leaf which is not empty.
    """
    split = tree.nodes[node].split
    assert split is not None
    position = {branch: at for at, branch in enumerate(alive)}
    values = np.arange(len(tree.attribute(split).values))
    inside = faces.contains(faces.node_subset[node], values).tolist()
    if split.kind == "multiway":
        return [position[value] if inside[value] else -1 for value in values.tolist()]
    return [
        position[int(value != split.value)] if inside[value] else -1 for value in values.tolist()
    ]


def _leaves_below(nodes: IndexNodes) -> tuple[Ints, Ints]:
    """Positions among the leaves of the first leaf below each node, and behind the last."""
    is_leaf = nodes.leaf >= 0
    behind = np.cumsum(is_leaf, dtype=np.intp)
    first = behind - is_leaf
    for i in range(len(is_leaf) - 1, -1, -1):  # children come after their node
        if not is_leaf[i]:
            behind[i] = behind[nodes.child[nodes.first_child[i + 1] - 1]]
    return first, behind


def _heirs(tree: BoxTree, faces: Faces) -> list[int]:
    """The node that stands for each node: itself, its only child's heir, or -1 for none."""
    heir = list(range(tree.size))
    for node in reversed(tree.nodes):
        if node.split is None:
            if faces.empty[node.leaf]:
                heir[node.index] = -1
            continue
        alive = [heir[c] for c in node.children if heir[c] >= 0]
        if len(alive) < 2:
            heir[node.index] = alive[0] if alive else -1
    return heir


def pure_labels(index: TreeIndex, labels: Ints) -> Ints:
    """The label of all leaves below each node; -1 where they differ."""
    own = labels[index.leaves]
    changes = np.cumsum(np.diff(own, prepend=own[:1]) != 0)
    same = changes[index.first_leaf] == changes[index.last_leaf - 1]
    return np.where(same, own[index.first_leaf], -1)


def other_children(index: TreeIndex, labels: Ints) -> tuple[Ints, Ints]:
    """The children of each nominal node to look at beside the one that takes the case.

    Inner nodes, and of its leaves the first of each label: the boxes of these leaves differ
    in the tested attribute only, so that a case of another value is equally far from all, and
    of equals the first in the text counts. A split may have as many leaves as there are cases.

    Returns
    -------
    first, other : array of int
        Those of node i are in `other` from ``first[i]`` up to ``first[i + 1]``, as places in
        `child`, ascending.
    """
    nodes = index.nodes
    owner = np.repeat(np.arange(index.size), np.diff(nodes.first_child))
    leaf = nodes.leaf[nodes.child]
    is_listed = (nodes.right[owner] < 0) & (leaf < 0)
    ends = np.flatnonzero((nodes.right[owner] < 0) & (leaf >= 0))
    pairs = owner[ends] * (int(labels.max(initial=0)) + 1) + labels[leaf[ends]]
    is_listed[ends[np.unique(pairs, return_index=True)[1]]] = True
    counts = np.bincount(owner[is_listed], minlength=index.size)
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.intp), np.flatnonzero(is_listed)


def class_masks(index: TreeIndex, labels: Ints, n_classes: int) -> BitWords:
    """The labels of the leaves below each node, a bit each, shape (n_nodes, n_words)."""
    own = labels[index.leaves]
    words = (n_classes + 63) // 64
    masks = np.zeros((index.size, words), dtype=np.uint64)
    for c in np.unique(own):
        before = np.concatenate([[0], np.cumsum(own == c)])
        some = before[index.last_leaf] > before[index.first_leaf]
        masks[some, c // 64] |= np.uint64(1) << np.uint64(c % 64)
    return masks


def search_boundary(
    tree: BoxTree,
    X: Floats,
    metric: Metric,
    predicted: Ints,
    labels: Ints,
    *,
    want_leaf: bool = True,
    met: Ints | None = None,
) -> Boundary:
    """`Boundary` by search; see `j48geo.geometry.distance.boundary`.

    Parameters
    ----------
    want_leaf
        Whether the nearest leaf is asked for; without it none is given.
    met : array of int, shape (n_cases,)
        Filled with the number of nodes that the search for the distance met.
    """
    index = cached_for(tree, make_index)
    pure = pure_labels(index, labels)
    squares = np.empty(len(X))
    leaf = np.full(len(X), -1, dtype=np.intp)
    found = leaf if want_leaf else leaf[:0]
    visits = leaf[:0] if met is None else met
    space = _space(tree, index, metric, labels)
    nearest = compile_loop(loops.search_nearest)

    def search(part: slice) -> None:
        nearest(X[part], predicted[part], pure, squares[part], found[part], visits[part], space)

    run_in_threads(search, len(X))
    return Boundary(np.sqrt(squares), leaf)


def search_class_distances(
    tree: BoxTree, X: Floats, metric: Metric, predicted: Ints, labels: Ints
) -> Floats:
    """d(x, Γ_c) by search; see `j48geo.geometry.distance.class_distances`."""
    index = cached_for(tree, make_index)
    masks = class_masks(index, labels, len(tree.classes))
    squares = np.empty((len(X), len(tree.classes)))
    space = _space(tree, index, metric, labels)
    by_class = compile_loop(loops.search_by_class)

    def search(part: slice) -> None:
        by_class(X[part], predicted[part], labels, masks, squares[part], space)

    run_in_threads(search, len(X))
    return np.sqrt(squares)


def _space(tree: BoxTree, index: TreeIndex, metric: Metric, labels: Ints) -> loops.SearchSpace:
    faces = find_faces(tree)
    return loops.SearchSpace(
        index.nodes,
        loops.LeafBoxes(
            faces.start,
            faces.attribute,
            faces.low,
            faces.high,
            faces.subset,
            faces.only,
            faces.row,
            faces.allowed,
        ),
        *other_children(index, labels),
        scale=np.ascontiguousarray(metric.scale),
        unit=1.0 / metric.scale,
        weight=metric.nominal_weight * metric.nominal_weight,
        # Each step down rounds a few times; the margin covers the deepest path.
        guard=float(1.0 + 16 * np.finfo(np.float64).eps * (index.depth + 8)),
        tie=1 + TIE,
        room=index.room,
    )
