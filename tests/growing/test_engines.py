"""One tree, whatever grows it: compiled loops, NumPy, and the loops as plain Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pytest
from random_growing import grow_case

from j48geo.compilation import EngineChoice, expect_trees
from j48geo.core.dataset import Attribute, Dataset, Header
from j48geo.core.tree import BoxTree
from j48geo.data.arff.stream import read_arff
from j48geo.errors import UnknownNameError
from j48geo.growing import j48, loops
from j48geo.growing.grower import Grower, NodeRows
from j48geo.growing.j48 import grow_j48
from j48geo.growing.options import GrowOptions
from j48geo.growing.table import build_table

OPTIONS = ("", "-B -M 1 -O", "-U -J", "-R -N 4 -Q 9", "-C 0.01", "-C 0.6 -M 0")


def with_whole_weights(data: Dataset, seed: int) -> Dataset:
    """The same rows with nothing missing but classes, and whole weights."""
    rng = np.random.default_rng(seed)
    X = data.X.copy()
    X[:, :-1][np.isnan(X[:, :-1])] = 0.0
    return Dataset(data.header, X, rng.integers(0, 4, len(X)).astype(float))


def by_loops(data: Dataset, options: GrowOptions) -> tuple[object, ...]:
    """Questions and distributions of the nodes that the plain loops make, without any presort."""
    table = build_table(data, binary=options.binary)
    rows = NodeRows(np.arange(len(table.columns.y), dtype=np.int32), table.columns.weight.copy())
    grower = Grower(table, options, loops)
    nodes = grower.grow(rows, prune=not options.unpruned, collapse=options.collapse)
    found: list[object] = []
    waiting = [0]
    while waiting:
        node = waiting.pop()
        children = nodes.children(node)
        found.append(nodes.split_test(node)[::2] if children else "leaf")
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


# ------------------------------------------------------------------ when compiled loops take over


class Work(NamedTuple):
    """What the choice of engine of `grow_j48` came to."""

    tree: BoxTree
    blocks: dict[str, int]


def mixed_rows(n: int, *, signal: bool, missing: bool) -> Dataset:
    """NodeRows of four numbers; one of them says something of the class, or none does."""
    rng = np.random.default_rng(n)
    X = rng.normal(size=(n, 5))
    score = X[:, 0] + rng.normal(size=n) if signal else rng.normal(size=n)
    if missing:
        X[::9, 1] = np.nan
    X[:, 4] = score > 0
    names = [Attribute(f"x{i}") for i in range(4)]
    header = Header("r", (*names, Attribute("c", "nominal", ("a", "b"))), 4)
    return Dataset(header, X, np.ones(n))


@pytest.fixture
def grow_freely(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Work]:
    """Grows by ``auto`` with choices of its own, whose loops take so long to compile."""

    def grow(data: Dataset, seconds: float, trees: int = 1) -> Work:
        monkeypatch.setattr(EngineChoice, "_all", [])
        loop = "j48geo.core.routing_numba:walk_down" if seconds else ""
        choice = EngineChoice(loop, seconds)
        choice.is_compiled = not seconds
        for name in ("_choice", "_presorted_choice"):
            monkeypatch.setattr(j48, name, choice)
        with expect_trees(trees):
            return Work(grow_j48(data), choice.blocks)

    return grow


NUMPY, NUMBA = {"numpy": 1, "numba": 0}, {"numpy": 0, "numba": 1}


@pytest.mark.parametrize("missing", [False, True])
def test_small_data_is_grown_without_numba_even_if_that_is_compiled(
    grow_freely: Callable[..., Work], missing: bool
) -> None:
    data = mixed_rows(500, signal=True, missing=missing)
    assert grow_freely(data, 0.0).blocks == NUMPY


def test_compiled_loops_take_over_within_a_tree_which_stays_the_same(
    grow_freely: Callable[..., Work], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("numba")
    data = mixed_rows(6_000, signal=True, missing=True)
    open_node = Grower.open
    for seconds, blocks in ((0.5, NUMBA), (20.0, NUMPY)):
        opened: list[bool] = []

        def watched(
            self: Grower, node: int, rows: NodeRows, seen: list[bool] = opened
        ) -> list[NodeRows]:
            seen.append(self.takeover is None)
            return open_node(self, node, rows)

        with monkeypatch.context() as patch:
            patch.setattr(Grower, "open", watched)
            grown = grow_freely(data, seconds)
        assert grown.blocks == blocks
        assert not opened[0]  # the root may be all there is
        assert any(opened) == (blocks == NUMBA)
        assert opened == sorted(opened)
        assert grown.tree == grow_j48(data, engine="numpy")


def test_rows_that_nothing_tells_apart_compile_nothing(grow_freely: Callable[..., Work]) -> None:
    noise = mixed_rows(6_000, signal=False, missing=True)
    told = mixed_rows(6_000, signal=True, missing=True)
    assert grow_freely(noise, 0.5).blocks == NUMPY
    assert grow_freely(told, 0.5).blocks == NUMBA


def test_trees_to_come_make_compiling_pay(grow_freely: Callable[..., Work]) -> None:
    data = mixed_rows(2_000, signal=True, missing=True)
    assert grow_freely(data, 2.0).blocks == NUMPY
    assert grow_freely(data, 2.0, trees=11).blocks == NUMBA
