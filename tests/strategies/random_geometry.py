"""Hypothesis strategies and seeded chance for trees that are measured."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from random_trees import HEADER, datasets, trees

from j48geo.arrays import Floats
from j48geo.core.dataset import Attribute, Dataset, Header
from j48geo.core.fitted_values import Metric
from j48geo.core.tree import BoxTree, Leaf, Node, Split


@st.composite
def metrics(draw: st.DrawFn) -> Metric:
    """Any scales; a nominal attribute may weigh nothing."""
    scales = st.sampled_from((1.0, 0.3, 2.0, 1e-3, 7e5))
    scale = [draw(scales) for _ in HEADER.attributes]
    return Metric("custom", np.array(scale), draw(st.sampled_from((1.0, 0.0, 0.25, 3.0))))


@st.composite
def scenes(draw: st.DrawFn, depth: int = 4) -> tuple[BoxTree, Floats, Metric]:
    """A tree with cases, some of them on its faces, and a metric."""
    tree = draw(trees(depth=depth))
    rows: Dataset = draw(datasets(min_rows=1))
    return tree, rows.X, draw(metrics())


def grown_tree(
    seed: int, leaves: int, *, numbers: int = 6, colours: int = 0, classes: int = 2, grid: int = 0
) -> BoxTree:
    """A large tree of boxes that are not empty, by seeded chance.

    Parameters
    ----------
    numbers, colours
        How many numeric attributes in [0, 1], and how many nominal ones of four values.
    grid
        Thresholds are multiples of 1 / grid, so that cases can lie on them; 0 for any.
    """
    chance = np.random.default_rng(seed)
    attributes = [Attribute(f"x{i}") for i in range(numbers)]
    attributes += [Attribute(f"n{i}", "nominal", tuple("abcd")) for i in range(colours)]
    labels = tuple(f"c{k}" for k in range(classes))
    header = Header("grown", (*attributes, Attribute("class", "nominal", labels)), len(attributes))
    places: list[tuple[int, int, int, Split | None]] = []
    children: list[list[int]] = []
    stack: list[tuple[int, int, int, int, dict[int, tuple[float, float]], frozenset[int]]] = [
        (leaves, -1, 0, 0, {}, frozenset())
    ]
    while stack:
        room, parent, branch, depth, box, asked = stack.pop()
        index = len(places)
        children.append([])
        if parent >= 0:
            children[parent].append(index)
        split = _split(chance, room, numbers, colours, grid, box, asked)
        places.append((parent, branch, depth, split))
        if split is None:
            continue
        a = split.attribute
        if split.kind == "numeric":
            low, high = box.get(a, (0.0, 1.0))
            part = min(room - 1, max(1, round(room * (split.threshold - low) / (high - low))))
            stack.append(
                (room - part, index, 1, depth + 1, {**box, a: (split.threshold, high)}, asked)
            )
            stack.append((part, index, 0, depth + 1, {**box, a: (low, split.threshold)}, asked))
        else:
            count = 4 if split.kind == "multiway" else 2
            for k in reversed(range(count)):
                stack.append((max(1, room // count), index, k, depth + 1, box, asked | {a}))
    found: list[Leaf] = []
    nodes: list[Node] = []
    for index, (parent, branch, depth, split) in enumerate(places):
        leaf = -1
        if split is None:
            leaf = len(found)
            found.append(Leaf(leaf, int(chance.integers(classes))))
        nodes.append(Node(index, parent, branch, depth, split, tuple(children[index]), leaf))
    return BoxTree(header, tuple(nodes), tuple(found))


def _split(
    chance: np.random.Generator,
    room: int,
    numbers: int,
    colours: int,
    grid: int,
    box: dict[int, tuple[float, float]],
    asked: frozenset[int],
) -> Split | None:
    if room < 2:
        return None
    for _ in range(20):
        a = int(chance.integers(numbers + colours))
        if a >= numbers:
            if a in asked:
                continue
            if chance.random() < 0.5:
                return Split(a, "multiway")
            return Split(a, "binary", value=int(chance.integers(4)))
        low, high = box.get(a, (0.0, 1.0))
        threshold = low + chance.uniform(0.25, 0.75) * (high - low)
        if grid:
            threshold = round(threshold * grid) / grid
        if low < threshold < high:
            return Split(a, "numeric", float(threshold))
    return None


def cases_for(
    tree: BoxTree, seed: int, count: int, *, missing: float = 0.0, grid: int = 0
) -> Floats:
    """Cases in and around the unit box."""
    chance = np.random.default_rng(seed)
    X = np.zeros((count, len(tree.header)))
    for column, attribute in enumerate(tree.header.attributes):
        if attribute.is_nominal:
            X[:, column] = chance.integers(len(attribute.values), size=count)
        else:
            x = chance.uniform(-0.1, 1.1, count)
            X[:, column] = np.round(x * grid) / grid if grid else x
    X[chance.random(X.shape) < missing] = np.nan
    return X
