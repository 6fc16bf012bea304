"""J48's pruning: C4.5's error estimates with subtree raising, and reduced-error pruning (``-R``).

`prune_node` decides about a node while the tree grows, `prune_by_rows` about a grown tree.
"""

from __future__ import annotations

from math import isnan, nan
from sys import float_info
from typing import TYPE_CHECKING

import numpy as np

from j48geo.arrays import Floats
from j48geo.core.counts import find_largest_class
from j48geo.growing.loops.branches import find_branch
from j48geo.growing.nodes import NodeDistribution
from j48geo.growing.options import GrowOptionsError
from j48geo.java.numbers import SMALL

if TYPE_CHECKING:
    from j48geo.growing.grower import Grower, NodeRows


def prune_node(grower: Grower, node: int, rows: NodeRows) -> bool:
    """Make a leaf of a node if C4.5's estimate of its errors finds that no worse.

    Returns
    -------
    bool
        Whether its biggest branch took its place: then everything below is to be made
        anew from the rows, and pruned again.
    """
    nodes = grower.nodes
    distribution = nodes.distribution[node]
    as_leaf = grower.loops.leaf_errors(distribution.C, distribution.T, grower.cf, grower.z)
    children = nodes.children(node)
    if not children:
        grower.estimate[node] = as_leaf
        return False
    as_tree = 0.0
    for child in children:
        as_tree += grower.estimate[child]
    raised = float_info.max  # as Java's Double.MAX_VALUE
    biggest = children[distribution.biggest]
    if grower.options.raising:
        raised = _raised_errors(grower, biggest, rows)
    if isnan(as_leaf + as_tree + raised):
        raise GrowOptionsError(
            f"-C: {grower.cf:g} is too small for Weka's 32-bit arithmetic; expected 3e-8 or more"
        )
    if _at_most(as_leaf, as_tree + 0.1) and _at_most(as_leaf, raised + 0.1):
        nodes.cut_off(node)
        grower.estimate[node] = as_leaf
        return False
    if _at_most(raised, as_tree + 0.1):
        nodes.replace(node, biggest)
        return True
    grower.estimate[node] = as_tree
    return False


def _raised_errors(grower: Grower, top: int, rows: NodeRows) -> float:
    """Errors of the subtree below `top` if these rows were sent into it."""
    return float(
        grower.loops.raised_errors(
            grower.table.columns,
            grower.nodes.split_arrays,
            top,
            rows.ids,
            rows.weight,
            grower.cf,
            grower.z,
        )
    )


def _at_most(a: float, b: float) -> bool:
    """A <= b, with Weka's slack."""
    return a - b < SMALL or a <= b


def confidence_quantile(cf: float) -> float:
    """Quantile of the normal distribution at 1 - cf, which is computed in 32 bits.

    NaN if that is 1: so are all estimates that would need it.
    """
    from scipy.special import ndtri

    at = float(np.float32(1) - np.float32(cf))
    return float(ndtri(at)) if at < 1 else nan


def prune_by_rows(grower: Grower, rows: NodeRows) -> None:
    """Make leaves of nodes of a grown tree that these rows find no worse as leaves."""
    nodes = grower.nodes
    errors: dict[int, float] = {}
    seen: dict[int, NodeDistribution] = {}
    waiting = [(0, rows, True)]
    while waiting:
        node, node_rows, opening = waiting.pop()
        children = nodes.children(node)
        if opening:
            seen[node] = _distribute(grower, node, node_rows)
            waiting.append((node, node_rows, False))
            if children:
                below = zip(children, grower.divide_rows(node, node_rows), strict=True)
                waiting += reversed([(child, part, True) for child, part in below])
            continue
        grown, judged = nodes.distribution[node], seen.pop(node)
        label = find_largest_class(grown.C)
        errors[node] = judged.T - float(judged.C[label])
        if not children:
            continue
        below_errors = 0.0
        for b, child in enumerate(children):
            if abs(grown.B[b]) < SMALL:
                below_errors += float(judged.B[b] - judged.P[b, label])
            else:
                below_errors += errors[child]
        if errors[node] - below_errors < SMALL or errors[node] <= below_errors:
            nodes.cut_off(node)
        else:
            errors[node] = below_errors


def _distribute(grower: Grower, node: int, rows: NodeRows) -> NodeDistribution:
    """The rows in the bags of a node; missing values by the shares of the growing rows."""
    columns, nodes = grower.table.columns, grower.nodes
    bags = int(nodes.bags[node])
    if not bags:
        return NodeDistribution.of_leaf(
            *grower.loops.count_classes(columns.y, columns.n_classes, rows.ids, rows.weight)
        )
    attribute, kind, cut, value = nodes.split_test(node)
    grown = nodes.distribution[node]
    P: Floats = np.zeros((bags, columns.n_classes))
    B, C, T = np.zeros(bags), np.zeros(columns.n_classes), 0.0
    share = grown.B / grown.T
    for row, weight in zip(rows.ids.tolist(), rows.weight.tolist(), strict=True):
        side = find_branch(columns.X[attribute, row], kind, cut, value)
        c = columns.y[row]
        for b in range(bags) if side < 0 else (side,):
            w = share[b] * weight if side < 0 else weight
            P[b, c] += w
            B[b] += w
            C[c] += w
            T += w
    return NodeDistribution(P, B, C, T)
