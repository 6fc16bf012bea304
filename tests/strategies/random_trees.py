"""Hypothesis strategies: small trees with every kind of split, and rows that meet them."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from j48geo.core.dataset import Attribute, Dataset, Header
from j48geo.core.tree import BoxTree, Leaf, Node, Split

HEADER = Header(
    "random",
    (
        Attribute("x"),
        Attribute("y"),
        Attribute("colour", "nominal", ("red", "green", "blue")),
        Attribute("on", "nominal", ("no", "yes")),
        Attribute("class", "nominal", ("a", "b", "c")),
    ),
    class_index=4,
)

# Few values, so that cases lie on thresholds and within the tolerance of old Weka.
NUMBERS = (-1.0, 0.0, 0.5, 0.5 + 4e-7, 0.5 + 9e-7, 1.0, 2.0)


@st.composite
def splits(draw: st.DrawFn) -> Split:
    """A split of any kind."""
    kind = draw(st.sampled_from(("numeric", "multiway", "binary")))
    if kind == "numeric":
        return Split(
            draw(st.integers(0, 1)),
            "numeric",
            draw(st.sampled_from(NUMBERS)),
            closed=draw(st.booleans()),
            slack=draw(st.sampled_from((0.0, 5e-7))),
        )
    column = draw(st.integers(2, 3))
    if kind == "multiway":
        return Split(column, "multiway")
    value = draw(st.integers(0, len(HEADER.attributes[column].values) - 1))
    return Split(column, "binary", value=value)


def plant_tree(header: Header, plan: Any, **more: Any) -> BoxTree:
    """A tree from nested pairs: a leaf is a `Leaf`, an inner node (split, [plans])."""
    nodes: list[Node] = []
    leaves: list[Leaf] = []

    def plant(plan: Any, parent: int, branch: int, depth: int) -> int:
        index = len(nodes)
        if isinstance(plan, Leaf):
            leaf = Leaf(len(leaves), plan.label, plan.weight, plan.errors, plan.token, plan.line)
            nodes.append(Node(index, parent, branch, depth, leaf=leaf.index))
            leaves.append(leaf)
            return index
        split, plans = plan
        nodes.append(Node(index))
        children = tuple(plant(p, index, k, depth + 1) for k, p in enumerate(plans))
        nodes[index] = Node(index, parent, branch, depth, split, children)
        return index

    plant(plan, -1, 0, 0)
    return BoxTree(header, tuple(nodes), tuple(leaves), **more)


@st.composite
def trees(draw: st.DrawFn, depth: int = 3) -> BoxTree:
    """A tree of at most this depth over `HEADER`."""

    def plan(room: int) -> Any:
        if not room or draw(st.integers(0, 3)) == 0:
            return Leaf(0, draw(st.integers(0, 2)))
        split = draw(splits())
        count = 2
        if split.kind == "multiway":
            count = len(HEADER.attributes[split.attribute].values)
        return split, [plan(room - 1) for _ in range(count)]

    return plant_tree(HEADER, plan(depth), tolerance=draw(st.sampled_from((0.0, 1e-6))))


@st.composite
def datasets(draw: st.DrawFn, min_rows: int = 0) -> Dataset:
    """Rows of `HEADER` with missing values, missing classes and weights."""
    missing = st.just(float("nan"))
    number = st.sampled_from(NUMBERS) | missing
    row = st.tuples(
        number,
        number,
        st.sampled_from((0.0, 1.0, 2.0)) | missing,
        st.sampled_from((0.0, 1.0)) | missing,
        st.sampled_from((0.0, 1.0, 2.0)) | missing,
    )
    rows = draw(st.lists(row, min_size=min_rows, max_size=25))
    weight = st.sampled_from((1.0, 1.0, 2.5, 0.25, 1e-7, 0.0))
    weights = draw(st.lists(weight, min_size=len(rows), max_size=len(rows)))
    X = np.array(rows, dtype=np.float64).reshape(len(rows), len(HEADER))
    return Dataset(HEADER, X, np.array(weights, dtype=np.float64))
