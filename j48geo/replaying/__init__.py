"""Prove that a tree was grown from some rows: count them again, restore its thresholds.

`replay` counts rows in the leaves and compares with the printed counts; `threshold_choices` and
`midpoint_choices` find the exact values of rounded thresholds; `select_growing_rows` and
`deal_rows` divide rows as Weka's stratified folds do.
"""

from __future__ import annotations

from j48geo.lazy import lazy_exports

TYPE_CHECKING = False  # as type checkers read it
if TYPE_CHECKING:
    from j48geo.replaying.leaf_comparison import LeafCounts, LeafDifference
    from j48geo.replaying.replay import Replay
    from j48geo.replaying.stratify import deal_rows, select_growing_rows
    from j48geo.replaying.thresholds import RestoredThreshold, midpoint_choices, threshold_choices

__all__ = [
    "LeafCounts",
    "LeafDifference",
    "Replay",
    "RestoredThreshold",
    "deal_rows",
    "midpoint_choices",
    "select_growing_rows",
    "threshold_choices",
]

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "LeafCounts": "leaf_comparison",
        "LeafDifference": "leaf_comparison",
        "Replay": "replay",
        "deal_rows": "stratify",
        "select_growing_rows": "stratify",
        "RestoredThreshold": "thresholds",
        "midpoint_choices": "thresholds",
        "threshold_choices": "thresholds",
    },
)
