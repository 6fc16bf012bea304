r"""A second life for Weka's J48 trees: read the printed text, replay it, predict with it.

The flow is text -> `read_tree` -> `BoxTree` and data -> `read_arff` -> `Dataset`; `replay`
tells whether the two belong together, `predict` answers as Weka would.

Examples
--------
>>> import j48geo, numpy
>>> tree = j48geo.read_tree(b"x <= 2: no (3.0)\nx > 2: yes (4.0/1.0)\n")
>>> tree.classes
('no', 'yes')
>>> counts = j48geo.counts_from_text(tree)
>>> j48geo.predict(tree, counts, numpy.array([[1.0, 0], [5.0, 0]])).distribution.tolist()
[[1.0, 0.0], [0.25, 0.75]]
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from j48geo.decide.costs import (
        cost_ratio,
        label_leaves,
    )
    from j48geo.decide.criteria import (
        criteria_of,
    )
    from j48geo.decide.labellings import (
        Labelling,
        leaf_auc,
        optimal_labellings,
    )
    from j48geo.decide.leaf_counts import (
        ClassCounts,
        LeafCounts,
        class_counts,
    )
    from j48geo.decide.leaf_order import (
        LeafOrder,
        order_leaves,
    )
    from j48geo.decide.relabel import (
        relabelled,
    )
    from j48geo.decide.roc import (
        Curve,
        curve,
        hand_till,
    )
    from j48geo.errors import (
        DataReadError,
        FitError,
        J48GeoError,
        MismatchError,
        ModelReadError,
        ReadError,
        ReplayError,
        UnknownNameError,
    )
    from j48geo.geometry.boundary import (
        Boundary,
    )
    from j48geo.geometry.engine import (
        boundary,
        boundary_distance,
        class_distances,
    )
    from j48geo.geometry.explain import (
        Explanation,
        explain,
    )
    from j48geo.geometry.midgap import (
        midgap_tree,
    )
    from j48geo.geometry.projection import (
        project,
        separators,
    )
    from j48geo.geometry.scaling import (
        Metric,
        fit_metric,
    )
    from j48geo.model.boxes import (
        Box,
        Interval,
    )
    from j48geo.model.build import (
        at_most,
        by_value,
        grow_tree,
        is_value,
        leaf,
    )
    from j48geo.model.counts import (
        NodeCounts,
        counts_from_data,
        counts_from_text,
    )
    from j48geo.model.dataset import (
        Attribute,
        Dataset,
        Header,
    )
    from j48geo.model.routing import (
        Routes,
        leaf_of,
        route,
    )
    from j48geo.model.tree import (
        BoxTree,
        Layout,
        Leaf,
        Node,
        Options,
        Split,
    )
    from j48geo.read.arff import (
        open_arff,
        read_arff,
    )
    from j48geo.read.csv import (
        read_csv,
    )
    from j48geo.read.door import (
        read_tree,
        read_trees,
    )
    from j48geo.read.replay import (
        Replay,
        replay,
    )
    from j48geo.score.batch import (
        Batch,
        score_batch,
    )
    from j48geo.score.geometric import (
        algebraic_distances,
        geometric_score,
    )
    from j48geo.score.leaf_estimates import (
        leaf_estimates,
    )
    from j48geo.score.ranking import (
        Ranking,
        ranking,
    )
    from j48geo.score.setting import (
        Setting,
    )
    from j48geo.score.weka import (
        Prediction,
        predict,
    )
    from j48geo.show.weka_text import (
        tree_text,
    )

__version__ = "0.1.0"

__all__ = [
    "Attribute",
    "Batch",
    "Boundary",
    "Box",
    "BoxTree",
    "ClassCounts",
    "Curve",
    "DataReadError",
    "Dataset",
    "Explanation",
    "FitError",
    "Header",
    "Interval",
    "J48GeoError",
    "Labelling",
    "Layout",
    "Leaf",
    "LeafCounts",
    "LeafOrder",
    "Metric",
    "MismatchError",
    "ModelReadError",
    "Node",
    "NodeCounts",
    "Options",
    "Prediction",
    "Ranking",
    "ReadError",
    "Replay",
    "ReplayError",
    "Routes",
    "Setting",
    "Split",
    "UnknownNameError",
    "algebraic_distances",
    "at_most",
    "boundary",
    "boundary_distance",
    "by_value",
    "class_counts",
    "class_distances",
    "cost_ratio",
    "counts_from_data",
    "counts_from_text",
    "criteria_of",
    "curve",
    "explain",
    "fit_metric",
    "geometric_score",
    "grow_tree",
    "hand_till",
    "is_value",
    "label_leaves",
    "leaf",
    "leaf_auc",
    "leaf_estimates",
    "leaf_of",
    "midgap_tree",
    "open_arff",
    "optimal_labellings",
    "order_leaves",
    "predict",
    "project",
    "ranking",
    "read_arff",
    "read_csv",
    "read_tree",
    "read_trees",
    "relabelled",
    "replay",
    "route",
    "score_batch",
    "separators",
    "tree_text",
]

_HOMES = {
    "Attribute": "model.dataset",
    "Batch": "score.batch",
    "Boundary": "geometry.boundary",
    "Box": "model.boxes",
    "BoxTree": "model.tree",
    "ClassCounts": "decide.leaf_counts",
    "Curve": "decide.roc",
    "DataReadError": "errors",
    "Dataset": "model.dataset",
    "Explanation": "geometry.explain",
    "FitError": "errors",
    "Header": "model.dataset",
    "Interval": "model.boxes",
    "J48GeoError": "errors",
    "Labelling": "decide.labellings",
    "Layout": "model.tree",
    "Leaf": "model.tree",
    "LeafCounts": "decide.leaf_counts",
    "LeafOrder": "decide.leaf_order",
    "Metric": "geometry.scaling",
    "MismatchError": "errors",
    "ModelReadError": "errors",
    "Node": "model.tree",
    "NodeCounts": "model.counts",
    "Options": "model.tree",
    "Prediction": "score.weka",
    "Ranking": "score.ranking",
    "ReadError": "errors",
    "Replay": "read.replay",
    "ReplayError": "errors",
    "Routes": "model.routing",
    "Setting": "score.setting",
    "Split": "model.tree",
    "UnknownNameError": "errors",
    "algebraic_distances": "score.geometric",
    "at_most": "model.build",
    "boundary": "geometry.engine",
    "boundary_distance": "geometry.engine",
    "by_value": "model.build",
    "class_counts": "decide.leaf_counts",
    "class_distances": "geometry.engine",
    "cost_ratio": "decide.costs",
    "counts_from_data": "model.counts",
    "counts_from_text": "model.counts",
    "criteria_of": "decide.criteria",
    "curve": "decide.roc",
    "explain": "geometry.explain",
    "fit_metric": "geometry.scaling",
    "geometric_score": "score.geometric",
    "grow_tree": "model.build",
    "hand_till": "decide.roc",
    "is_value": "model.build",
    "label_leaves": "decide.costs",
    "leaf": "model.build",
    "leaf_auc": "decide.labellings",
    "leaf_estimates": "score.leaf_estimates",
    "leaf_of": "model.routing",
    "midgap_tree": "geometry.midgap",
    "open_arff": "read.arff",
    "optimal_labellings": "decide.labellings",
    "order_leaves": "decide.leaf_order",
    "predict": "score.weka",
    "project": "geometry.projection",
    "ranking": "score.ranking",
    "read_arff": "read.arff",
    "read_csv": "read.csv",
    "read_tree": "read.door",
    "read_trees": "read.door",
    "relabelled": "decide.relabel",
    "replay": "read.replay",
    "route": "model.routing",
    "score_batch": "score.batch",
    "separators": "geometry.projection",
    "tree_text": "show.weka_text",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for, so that ``j48geo --help`` is quick."""
    if name not in _HOMES:
        raise AttributeError(f"module 'j48geo' has no attribute {name!r}")
    found = getattr(import_module(f"j48geo.{_HOMES[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
