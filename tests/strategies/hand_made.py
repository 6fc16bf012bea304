"""Trees and data written by hand, for tests that need no file."""

from __future__ import annotations

from math import nan

import numpy as np

from j48geo.core.dataset import Attribute, Dataset, Header
from j48geo.core.tree import BoxTree, Leaf, Node, Options, Split, TreeLayout

WEATHER = Header(
    "weather",
    (
        Attribute("outlook", "nominal", ("sunny", "overcast", "rainy")),
        Attribute("humidity"),
        Attribute("windy", "nominal", ("TRUE", "FALSE")),
        Attribute("play", "nominal", ("yes", "no")),
    ),
    class_index=3,
)

WEATHER_TEXT = """\
J48 pruned tree
------------------

outlook = sunny
|   humidity <= 75: yes (2.0)
|   humidity > 75: no (3.0)
outlook = overcast: yes (4.0)
outlook = rainy
|   windy = TRUE: no (2.0)
|   windy = FALSE: yes (4.0/1.0)

Number of Leaves  : \t5

Size of the tree : \t8
"""


def weather_tree() -> BoxTree:
    """Weka's best known tree, with one error more so that there is one."""
    nodes = (
        Node(0, split=Split(0, "multiway"), children=(1, 4, 5)),
        Node(1, 0, 0, 1, Split(1, "numeric", 75.0, token="75"), (2, 3)),
        Node(2, 1, 0, 2, leaf=0),
        Node(3, 1, 1, 2, leaf=1),
        Node(4, 0, 1, 1, leaf=2),
        Node(5, 0, 2, 1, Split(2, "multiway"), (6, 7)),
        Node(6, 5, 0, 2, leaf=3),
        Node(7, 5, 1, 2, leaf=4),
    )
    leaves = (
        Leaf(0, 0, 2.0, None, "(2.0)", 5),
        Leaf(1, 1, 3.0, None, "(3.0)", 6),
        Leaf(2, 0, 4.0, None, "(4.0)", 7),
        Leaf(3, 1, 2.0, None, "(2.0)", 9),
        Leaf(4, 0, 4.0, 1.0, "(4.0/1.0)", 10),
    )
    return BoxTree(WEATHER, nodes, leaves)


def weather_rows() -> Dataset:
    """Rows that give the counts of `weather_tree`."""
    rows = [
        *[(0, 70, 0, 0)] * 2,
        *[(0, 90, 1, 1)] * 3,
        *[(1, 80, 1, 0)] * 4,
        *[(2, 80, 0, 1)] * 2,
        *[(2, 80, 1, 0)] * 3,
        (2, 80, 1, 1),
    ]
    X = np.array(rows, dtype=np.float64)
    return Dataset(WEATHER, X, np.ones(len(X)))


def one_leaf_tree() -> BoxTree:
    """A tree that says the same to everybody."""
    leaf = Leaf(0, 0, 14.0, 5.0)
    return BoxTree(WEATHER, (Node(0, leaf=0),), (leaf,))


def chain_tree(depth: int) -> BoxTree:
    """A numeric tree of the given depth whose right branches are all leaves."""
    header = Header("chain", (Attribute("x"), Attribute("c", "nominal", ("a", "b"))), 1)
    nodes: list[Node] = []
    leaves: list[Leaf] = []
    # Preorder: inner nodes 0..depth-1, then the deepest left leaf, then the right leaves upwards.
    for d in range(depth):
        children = (d + 1, 2 * depth - d)
        split = Split(0, "numeric", float(depth - d))
        nodes.append(Node(d, d - 1, 0, d, split, children))
    for k in range(depth + 1):
        parent, branch = (depth - 1, 0) if k == 0 else (depth - k, 1)
        leaves.append(Leaf(k, k % 2, 1.0))
        nodes.append(Node(depth + k, parent, branch, nodes[parent].depth + 1, leaf=k))
    return BoxTree(header, tuple(nodes), tuple(leaves))


def odd_tree() -> BoxTree:
    """Binary splits, an open threshold, a huge one, odd names, a missing count."""
    header = Header(
        "odd\nname",
        (
            Attribute('say "hi": 50%', "nominal", ("a: b (1.0)", "c\\d", "é ü", "")),
            Attribute("d", "date", format="yyyy-MM-dd", weight=2.5),
            Attribute("s", "string"),
            Attribute("bag", "relational", attributes=(Attribute("u"),)),
            Attribute("x"),
            Attribute("class", "nominal", ("don't", "日本")),
        ),
        class_index=5,
    )
    nodes = (
        Node(0, split=Split(0, "binary", value=1), children=(1, 4)),
        Node(1, 0, 0, 1, Split(4, "numeric", 0.1 + 0.2, closed=False, slack=5e-7), (2, 3)),
        Node(2, 1, 0, 2, leaf=0),
        Node(3, 1, 1, 2, leaf=1),
        Node(4, 0, 1, 1, Split(1, "numeric", 1e308, token="∞"), (5, 6)),
        Node(5, 4, 0, 2, leaf=2),
        Node(6, 4, 1, 2, leaf=3),
    )
    leaves = (
        Leaf(0, 0),
        Leaf(1, 1, 253.41, 3.75, "(253.41/3.75)"),
        Leaf(2, 0, 0.0),
        Leaf(3, 1, 1.13200026e8, 1e-3),
    )
    return BoxTree(
        header,
        nodes,
        leaves,
        options=Options(text="-B -A", laplace=True, binary=True, scheme="weka.J48"),
        layout=TreeLayout(dialect="weka", banner="J48 unpruned tree", greater=" >= "),
        tolerance=1e-6,
        notes=("a note",),
    )


def odd_rows() -> Dataset:
    """Cells of every type, with missing ones, weights and infinities."""
    header = odd_tree().header
    inner = Header("bag", header.attributes[3].attributes)
    bags = [
        Dataset(inner, np.array([[1.5], [nan]]), np.array([1.0, 0.5])),
        Dataset(inner, np.empty((0, 1)), np.empty(0)),
    ]
    X = np.array(
        [
            [0, 86400000.0, 0, 0, 0.1, 0],
            [3, nan, 1, 1, float("inf"), 1],
            [nan, 0, nan, nan, nan, nan],
        ]
    )
    return Dataset(header, X, np.array([1.0, 2.5, 1.0]), {2: ["té\nxt", ""], 3: bags})
