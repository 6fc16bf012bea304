"""Grow trees from rows: J48's own tree to the last digit, and trees by other criteria.

`grow_j48` grows what Weka's J48 grows; `grow_by_criterion` grows by the criteria of two papers.
Both have a variant ``…_with_counts`` whose nodes keep their counts. `stratified_folds` are the
folds of Weka's cross-validation.
"""

from __future__ import annotations

from j48geo.lazy import lazy_exports

TYPE_CHECKING = False  # as type checkers read it
if TYPE_CHECKING:
    from j48geo.growing.criterion_trees import (
        CriterionOptions,
        grow_by_criterion,
        grow_by_criterion_with_counts,
    )
    from j48geo.growing.folds import Fold, cross_validate_grown, evaluate_grown, stratified_folds
    from j48geo.growing.j48 import grow_j48, grow_j48_with_counts
    from j48geo.growing.nodes import GrownTree
    from j48geo.growing.options import GrowOptions, GrowOptionsError

__all__ = [
    "CriterionOptions",
    "Fold",
    "GrowOptions",
    "GrowOptionsError",
    "GrownTree",
    "cross_validate_grown",
    "evaluate_grown",
    "grow_by_criterion",
    "grow_by_criterion_with_counts",
    "grow_j48",
    "grow_j48_with_counts",
    "stratified_folds",
]

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "CriterionOptions": "criterion_trees",
        "grow_by_criterion": "criterion_trees",
        "grow_by_criterion_with_counts": "criterion_trees",
        "Fold": "folds",
        "cross_validate_grown": "folds",
        "evaluate_grown": "folds",
        "stratified_folds": "folds",
        "grow_j48": "j48",
        "grow_j48_with_counts": "j48",
        "GrownTree": "nodes",
        "GrowOptions": "options",
        "GrowOptionsError": "options",
    },
)
