"""Grow J48's tree as Weka does: the same text, digit for digit (GROW.md).

The entry points are `grow_j48`, and `grow_j48_with_counts` for the counts of all nodes too.
Reduced-error pruning (``-R``) grows from some rows and prunes by the others.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from j48geo.arrays import Ints
from j48geo.compilation import Engine, EngineChoice, compile_together
from j48geo.core.dataset import Dataset
from j48geo.core.j48_options import J48_SCHEME
from j48geo.core.tree import BoxTree, TreeLayout
from j48geo.errors import UnknownNameError
from j48geo.growing import loops, vectorised
from j48geo.growing.grower import Grower, NodeRows, PresortedGrower, Takeover
from j48geo.growing.loops import ENTRIES, LOOPS
from j48geo.growing.nodes import GrowingNodes, GrownTree, freeze_tree
from j48geo.growing.options import GrowOptions, GrowOptionsError
from j48geo.growing.pruning import prune_by_rows
from j48geo.growing.table import TrainingTable, build_table
from j48geo.java.random import JavaRandom
from j48geo.replaying.stratify import deal_rows

_CELL, _NODE = 9e-6, 1e-4
"""Seconds that plain loops take for a cell of a node's rows, and for a node."""
_PRESORTED_CELL, _PRESORTED_NODE = 1.1e-7, 3e-4
"""The same for NumPy, where weights are whole and nothing is missing."""

_choice = EngineChoice(
    "j48geo.growing.loops:search",
    9.0,
    together="j48geo.growing.loops:LOOPS",
    load_seconds=0.3,
    saving=0.97,
)
_presorted_choice = EngineChoice(
    "j48geo.growing.loops:search_presorted",
    8.3,
    together="j48geo.growing.loops:LOOPS",
    load_seconds=0.3,
    saving=0.65,
)


def grow_j48(
    data: Dataset, options: GrowOptions | None = None, *, engine: Engine = "auto"
) -> BoxTree:
    """The tree that Weka's J48 grows from these rows.

    Parameters
    ----------
    data
        Training rows; the class is that of their header.
    engine
        ``numba``, ``numpy`` (Python and NumPy alone), or ``auto``, which goes by the size
        of the data. The tree is the same.

    Returns
    -------
    BoxTree
        With exact thresholds, and the counts of every leaf with all their digits.

    Raises
    ------
    DataReadError
        If J48 cannot handle an attribute, or the class.
    GrowOptionsError
        If the rows are too few for the folds of reduced-error pruning.

    Notes
    -----
    GROW.md; Weka 3.9.7, and 3.9.5 for ``-R``, which fails in 3.9.7.
    """
    return grow_j48_with_counts(data, options, engine=engine).tree


def grow_j48_with_counts(
    data: Dataset, options: GrowOptions | None = None, *, engine: Engine = "auto"
) -> GrownTree:
    """`grow_j48` with the counts of all nodes, which predict as Weka does to the last bit."""
    options = options or GrowOptions()
    table = build_table(data, binary=options.binary)
    with np.errstate(all="ignore"):  # as in Java, what overflows is infinite
        nodes = _grow_nodes(table, options, engine)
    tree_options = options.describe(options.text or None, J48_SCHEME, old_weka=False)
    banner = "J48 unpruned tree" if options.unpruned else "J48 pruned tree"
    return freeze_tree(nodes, data.header, tree_options, TreeLayout(banner=banner))


def _grow_nodes(table: TrainingTable, options: GrowOptions, engine: Engine) -> GrowingNodes:
    columns = table.columns
    if options.reduced_error:
        growing, pruning = (
            NodeRows(index.astype(np.int32), columns.weight[index])
            for index in folds_of(columns.y, options)
        )
        grower = make_grower(table, options, engine)
        grower.grow(growing, prune=False, collapse=False)
        prune_by_rows(grower, pruning)
        return grower.nodes
    rows = NodeRows(np.arange(len(columns.y), dtype=np.int32), columns.weight.copy())
    grower = make_grower(table, options, engine)
    return grower.grow(rows, prune=not options.unpruned, collapse=options.collapse)


def make_grower(table: TrainingTable, options: GrowOptions, engine: Engine) -> Grower:
    """The fastest that grows this table's tree."""
    if engine not in ("auto", "numpy", "numba"):
        raise UnknownNameError("engine", engine, ("auto", "numpy", "numba"))
    choice = _presorted_choice if table.whole else _choice
    make = PresortedGrower if table.whole else Grower
    if engine == "numba":
        choice.record(0.0, numba=True)
        return make(table, options, compiled_loops())
    grower = make(table, options, vectorised if table.whole else loops)
    if engine == "auto":
        cell, node = (_PRESORTED_CELL, _PRESORTED_NODE) if table.whole else (_CELL, _NODE)
        grower.takeover = Takeover(choice, compiled_loops, cell * len(table.columns.X), node)
    return grower


def compiled_loops() -> Any:
    """The module `loops`, compiled by numba."""
    return compile_together(LOOPS, ENTRIES)


def folds_of(label: Ints, options: GrowOptions) -> tuple[Ints, Ints]:
    """Rows to grow from and rows to prune by, each in Weka's order.

    Raises
    ------
    GrowOptionsError
        If there are fewer rows than folds.
    """
    folds = options.folds
    if len(label) < folds:
        raise GrowOptionsError(
            f"-N: {folds} folds of {len(label)} rows with a class; expected no more folds than rows"
        )
    # The last fold judges; the folds before it are the larger ones.
    growing, pruning = np.split(deal_rows(label, folds), [len(label) - len(label) // folds])
    return JavaRandom(options.seed).shuffle(growing), pruning
