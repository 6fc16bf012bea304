"""Decide by costs and evaluate: leaf order, labellings, costs, curves, split criteria.

``leaf_counts`` and ``leaf_order`` give the exact counts of the leaves and their order,
``labellings`` the optimal labellings and their ROC curve, ``costs`` and ``relabelling`` the labels
of least expected cost, ``cost_steps`` these labels for all ratios of costs, ``criteria`` what a
split is worth, ``roc`` and ``curves`` the curves of scores. ``evaluation`` is a folder of its own.
"""

from __future__ import annotations

from j48geo.lazy import lazy_exports

TYPE_CHECKING = False  # as type checkers read it; importing typing takes longer than all of this
if TYPE_CHECKING:
    from j48geo.decide.cost_steps import CostSteps, find_cost_steps
    from j48geo.decide.costs import CostError, CostMatrix, cost_matrix, two_class_costs
    from j48geo.decide.criteria import AuditedSplit, SplitCriteria, audit_splits, compute_criteria
    from j48geo.decide.curves import (
        CurveResult,
        LeafCurve,
        case_curve,
        count_curve,
        score_curve,
        threshold_curve,
    )
    from j48geo.decide.labellings import Labelling, OrderedLeaves, leaf_auc, optimal_labellings
    from j48geo.decide.leaf_counts import ClassCounts, PositiveCounts, class_counts, count_coverage
    from j48geo.decide.leaf_order import LeafOrder, order_leaves
    from j48geo.decide.relabelling import (
        Relabelling,
        class_estimates,
        label_leaves,
        labelling_cost,
        relabel_tree,
    )
    from j48geo.decide.roc import Curve, curve, hand_till

__all__ = [
    "AuditedSplit",
    "ClassCounts",
    "CostError",
    "CostMatrix",
    "CostSteps",
    "Curve",
    "CurveResult",
    "Labelling",
    "LeafCurve",
    "LeafOrder",
    "OrderedLeaves",
    "PositiveCounts",
    "Relabelling",
    "SplitCriteria",
    "audit_splits",
    "case_curve",
    "class_counts",
    "class_estimates",
    "compute_criteria",
    "cost_matrix",
    "count_coverage",
    "count_curve",
    "curve",
    "find_cost_steps",
    "hand_till",
    "label_leaves",
    "labelling_cost",
    "leaf_auc",
    "optimal_labellings",
    "order_leaves",
    "relabel_tree",
    "score_curve",
    "threshold_curve",
    "two_class_costs",
]

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "AuditedSplit": "criteria",
        "ClassCounts": "leaf_counts",
        "CostError": "costs",
        "CostMatrix": "costs",
        "CostSteps": "cost_steps",
        "Curve": "roc",
        "CurveResult": "curves",
        "Labelling": "labellings",
        "LeafCurve": "curves",
        "LeafOrder": "leaf_order",
        "OrderedLeaves": "labellings",
        "PositiveCounts": "leaf_counts",
        "Relabelling": "relabelling",
        "SplitCriteria": "criteria",
        "audit_splits": "criteria",
        "case_curve": "curves",
        "class_counts": "leaf_counts",
        "class_estimates": "relabelling",
        "compute_criteria": "criteria",
        "cost_matrix": "costs",
        "count_coverage": "leaf_counts",
        "count_curve": "curves",
        "curve": "roc",
        "find_cost_steps": "cost_steps",
        "hand_till": "roc",
        "label_leaves": "relabelling",
        "labelling_cost": "relabelling",
        "leaf_auc": "labellings",
        "optimal_labellings": "labellings",
        "order_leaves": "leaf_order",
        "relabel_tree": "relabelling",
        "score_curve": "curves",
        "threshold_curve": "curves",
        "two_class_costs": "costs",
    },
)
