"""Frozen values that every folder shares, and the routing of rows down a tree.

`BoxTree` is the model in the middle, with its `Header`, nodes and leaves; `build_tree` writes one
by hand. `Dataset` holds rows, `NodeCounts` the training weight of every node
(`counts_from_data`, `counts_from_text`). `find_leaves` and `route_cases` send rows down a tree.
`FittedValues` is what was fitted to training data, `TreeText` what a reader returns.
"""

from __future__ import annotations

from j48geo.lazy import lazy_exports

TYPE_CHECKING = False  # as type checkers read it; importing typing takes longer than all of this
if TYPE_CHECKING:
    from j48geo.core.boxes import Box, Interval
    from j48geo.core.build import at_most, build_tree, by_value, is_value, leaf
    from j48geo.core.counts import NodeCounts, counts_from_data, counts_from_text
    from j48geo.core.dataset import Attribute, Dataset, DataSummary, Header
    from j48geo.core.fitted_values import (
        DistanceKDE,
        FittedValues,
        Metric,
        NearbyLeaves,
        Recalibration,
    )
    from j48geo.core.routing import LeafRoutes, find_leaves, route_cases
    from j48geo.core.rows_by_leaf import RowsByLeaf
    from j48geo.core.summaries import ExactSum, Moments, Summary
    from j48geo.core.tree import BoxTree, Leaf, Node, Options, Split, TreeLayout
    from j48geo.core.tree_text import Entry, TreeText
    from j48geo.core.wrappers import Ensemble, FittedFilter, NamedFilter

__all__ = [
    "Attribute",
    "Box",
    "BoxTree",
    "DataSummary",
    "Dataset",
    "DistanceKDE",
    "Ensemble",
    "Entry",
    "ExactSum",
    "FittedFilter",
    "FittedValues",
    "Header",
    "Interval",
    "Leaf",
    "LeafRoutes",
    "Metric",
    "Moments",
    "NamedFilter",
    "NearbyLeaves",
    "Node",
    "NodeCounts",
    "Options",
    "Recalibration",
    "RowsByLeaf",
    "Split",
    "Summary",
    "TreeLayout",
    "TreeText",
    "at_most",
    "build_tree",
    "by_value",
    "counts_from_data",
    "counts_from_text",
    "find_leaves",
    "is_value",
    "leaf",
    "route_cases",
]

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "Attribute": "dataset",
        "Box": "boxes",
        "BoxTree": "tree",
        "DataSummary": "dataset",
        "Dataset": "dataset",
        "DistanceKDE": "fitted_values",
        "Ensemble": "wrappers",
        "Entry": "tree_text",
        "ExactSum": "summaries",
        "FittedFilter": "wrappers",
        "FittedValues": "fitted_values",
        "Header": "dataset",
        "Interval": "boxes",
        "Leaf": "tree",
        "LeafRoutes": "routing",
        "Metric": "fitted_values",
        "Moments": "summaries",
        "NamedFilter": "wrappers",
        "NearbyLeaves": "fitted_values",
        "Node": "tree",
        "NodeCounts": "counts",
        "Options": "tree",
        "Recalibration": "fitted_values",
        "RowsByLeaf": "rows_by_leaf",
        "Split": "tree",
        "Summary": "summaries",
        "TreeLayout": "tree",
        "TreeText": "tree_text",
        "at_most": "build",
        "build_tree": "build",
        "by_value": "build",
        "counts_from_data": "counts",
        "counts_from_text": "counts",
        "find_leaves": "routing",
        "is_value": "build",
        "leaf": "build",
        "route_cases": "routing",
    },
)
