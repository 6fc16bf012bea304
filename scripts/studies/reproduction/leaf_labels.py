"""FFH02 on real trees: how many labellings are optimal, and the area under their curve."""

from __future__ import annotations

from typing import Any

import j48geo
from j48geo.core.counts import counts_from_data
from j48geo.decide.labellings import leaf_auc, optimal_labellings
from j48geo.decide.leaf_counts import class_counts
from j48geo.decide.leaf_order import order_leaves

__all__ = ["labelling_facts"]


def labelling_facts(
    tree: j48geo.BoxTree, counts: j48geo.NodeCounts, test: j48geo.Dataset, positive: int
) -> dict[str, Any]:
    """Optimal labellings of a tree, and areas on training and test cases.

    The order comes from training, the areas of the test from its own cases (FFH02
    definition 7); ``auc-own`` is that of the labels J48 gave, their balanced accuracy.
    """
    pairs = class_counts(tree, counts).against_rest(positive)
    covered = counts_from_data(tree, test.X, test.class_values, test.weights)
    coverage = class_counts(tree, covered).against_rest(positive)
    order = order_leaves(pairs)
    labellings = optimal_labellings(order, coverage)
    smoothed = order_leaves(pairs, "laplace")
    own = {i for i, leaf in enumerate(tree.leaves) if leaf.label == positive}
    plus, minus = coverage.totals
    tpr = sum(coverage.positive[i] for i in own) / plus if plus else None
    fpr = sum(coverage.negative[i] for i in own) / minus if minus else None
    return {
        "labellings": len(labellings),
        "auc-train": _number(leaf_auc(order)),
        "auc-raw": _number(leaf_auc(order, coverage)),
        "auc-laplace": _number(leaf_auc(smoothed, coverage)),
        "auc-own": None if tpr is None or fpr is None else float((tpr - fpr + 1) / 2),
    }


def _number(x: Any) -> float | None:
    return None if x is None else float(x)
