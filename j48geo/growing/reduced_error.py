"""Reduced-error pruning (``-R``): some rows grow the tree, the others judge it."""

from __future__ import annotations

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.growing.grower import Grower, Rows
from j48geo.growing.loops.counting import SLACK, major
from j48geo.growing.loops.dividing import side_of
from j48geo.growing.nodes import Distribution
from j48geo.growing.options import GrowOptions, GrowOptionsError
from j48geo.java.random import JavaRandom
from j48geo.replaying.growing_set import dealt_order

__all__ = ["folds_of", "prune_by_rows"]


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
    growing, pruning = np.split(dealt_order(label, folds), [len(label) - len(label) // folds])
    return JavaRandom(options.seed).shuffled(growing), pruning


def prune_by_rows(grower: Grower, rows: Rows) -> None:
    """Make leaves of nodes of a grown tree that these rows find no worse as leaves."""
    nodes = grower.nodes
    errors: dict[int, float] = {}
    seen: dict[int, Distribution] = {}
    waiting = [(0, rows, True)]
    while waiting:
        node, here, opening = waiting.pop()
        children = nodes.children(node)
        if opening:
            seen[node] = _sent(grower, node, here)
            waiting.append((node, here, False))
            if children:
                below = zip(children, grower.divided(node, here), strict=True)
                waiting += reversed([(child, part, True) for child, part in below])
            continue
        grown, judged = nodes.distribution[node], seen.pop(node)
        label = major(grown.C)
        errors[node] = judged.T - float(judged.C[label])
        if not children:
            continue
        below_errors = 0.0
        for b, child in enumerate(children):
            if abs(grown.B[b]) < SLACK:
                below_errors += float(judged.B[b] - judged.P[b, label])
            else:
                below_errors += errors[child]
        if errors[node] - below_errors < SLACK or errors[node] <= below_errors:
            nodes.cut_off(node)
        else:
            errors[node] = below_errors


def _sent(grower: Grower, node: int, rows: Rows) -> Distribution:
    """The rows in the bags of a node; missing values by the shares of the growing rows."""
    columns, nodes = grower.table.columns, grower.nodes
    bags = int(nodes.bags[node])
    if not bags:
        return Distribution.of_leaf(
            *grower.loops.one_bag(columns.y, columns.n_classes, rows.ids, rows.weight)
        )
    attribute, kind, cut, value = nodes.question(node)
    grown = nodes.distribution[node]
    P: Floats = np.zeros((bags, columns.n_classes))
    B, C, T = np.zeros(bags), np.zeros(columns.n_classes), 0.0
    share = grown.B / grown.T
    for row, weight in zip(rows.ids.tolist(), rows.weight.tolist(), strict=True):
        side = side_of(columns.X[attribute, row], kind, cut, value)
        c = columns.y[row]
        for b in range(bags) if side < 0 else (side,):
            w = share[b] * weight if side < 0 else weight
            P[b, c] += w
            B[b] += w
            C[c] += w
            T += w
    return Distribution(P, B, C, T)
