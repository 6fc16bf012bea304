"""One tree, whatever grows it: compiled loops, NumPy, and the loops as plain Python."""

from __future__ import annotations

import numpy as np
import pytest
from random_growing import grow_case

from j48geo.core.dataset import Dataset
from j48geo.core.tree import BoxTree
from j48geo.data.arff.stream import read_arff
from j48geo.errors import UnknownNameError
from j48geo.growing import loops
from j48geo.growing.grower import Grower, Rows
from j48geo.growing.j48 import grow_j48
from j48geo.growing.options import GrowOptions
from j48geo.growing.table import make_table

OPTIONS = ("", "-B -M 1 -O", "-U -J", "-R -N 4 -Q 9", "-C 0.01", "-C 0.6 -M 0")


def with_whole_weights(data: Dataset, seed: int) -> Dataset:
    """The same rows with nothing missing but classes, and whole weights."""
    rng = np.random.default_rng(seed)
    X = data.X.copy()
    X[:, :-1][np.isnan(X[:, :-1])] = 0.0
    return Dataset(data.header, X, rng.integers(0, 4, len(X)).astype(float))


def by_loops(data: Dataset, options: GrowOptions) -> tuple[object, ...]:
    """Questions and distributions of the nodes that the plain loops make, without any presort."""
    table = make_table(data, binary=options.binary)
    rows = Rows(np.arange(len(table.columns.y), dtype=np.int32), table.columns.weight.copy())
    grower = Grower(table, options, loops)
    nodes = grower.grow(rows, prune=not options.unpruned, collapse=options.collapse)
    found: list[object] = []
    waiting = [0]
    while waiting:
        node = waiting.pop()
        children = nodes.children(node)
        found.append(nodes.question(node)[::2] if children else "leaf")
        waiting += reversed(children)
    return tuple(found)


def questions(tree: BoxTree) -> tuple[object, ...]:
    return tuple(
        (n.split.attribute, n.split.threshold) if n.split is not None else "leaf"
        for n in tree.nodes
    )


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("seed", [1, 2, 3, 5, 7, 8, 9, 14, 15])
def test_compiled_or_not_the_tree_is_the_same(seed: int, whole: bool) -> None:
    pytest.importorskip("numba")
    data = read_arff(grow_case(seed).arff.encode())
    if whole:
        data = with_whole_weights(data, seed)
    for text in OPTIONS:
        options = GrowOptions.of(text.split())
        compiled = grow_j48(data, options, engine="numba")
        assert compiled == grow_j48(data, options, engine="numpy")


@pytest.mark.parametrize("seed", [1, 5, 7, 14])
def test_presorting_changes_nothing_where_order_cannot_matter(seed: int) -> None:
    data = with_whole_weights(read_arff(grow_case(seed).arff.encode()), seed)
    for text in ("", "-B -M 1 -O", "-U -J", "-C 0.01"):
        options = GrowOptions.of(text.split())
        assert questions(grow_j48(data, options, engine="numpy")) == by_loops(data, options)


def test_an_unknown_engine_is_named() -> None:
    data = read_arff(grow_case(1).arff.encode())
    with pytest.raises(UnknownNameError, match="engine 'fast'"):
        grow_j48(data, engine="fast")  # type: ignore[arg-type]
