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
    from j48geo.decide.evaluation import (
        auc,
        lambda_of_errors,
        partial_auc,
        tied_pairs,
    )
    from j48geo.decide.evaluation_cases import (
        JudgedCases,
        judge_cases,
    )
    from j48geo.decide.evaluation_intervals import (
        bootstrap_interval,
        delong_difference,
        delong_interval,
    )
    from j48geo.decide.evaluation_probabilities import (
        calibration_error,
        log_loss,
        mean_squared_error,
        reliability,
    )
    from j48geo.decide.evaluation_rows import (
        Evaluation,
        Measures,
        evaluate_methods,
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
    from j48geo.model.density import (
        DistanceKDE,
    )
    from j48geo.model.fitted import (
        Fitted,
    )
    from j48geo.model.nearby import (
        NearbyLeaves,
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
    from j48geo.score.cases import (
        cases_of,
    )
    from j48geo.score.density import (
        estimate_density,
        fit_density,
    )
    from j48geo.score.fitted import (
        fitted_of,
        restore_model,
        restore_setting,
    )
    from j48geo.score.flags import (
        Flag,
        flag_names,
    )
    from j48geo.score.geometric import (
        algebraic_distances,
        geometric_score,
    )
    from j48geo.score.kernel_sums import (
        log_kernel_sums,
    )
    from j48geo.score.leaf_estimates import (
        leaf_estimates,
    )
    from j48geo.score.nearby import (
        fit_nearby,
        leaf_shares,
        nearby_distribution,
        nearby_weights,
    )
    from j48geo.score.probabilities import (
        Probabilities,
        ProbabilityModel,
        estimate_probabilities,
        fit_probabilities,
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
    from j48geo.show.fitted_json import (
        fitted_text,
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
    "DistanceKDE",
    "Evaluation",
    "Explanation",
    "FitError",
    "Fitted",
    "Flag",
    "Header",
    "Interval",
    "J48GeoError",
    "JudgedCases",
    "Labelling",
    "Layout",
    "Leaf",
    "LeafCounts",
    "LeafOrder",
    "Measures",
    "Metric",
    "MismatchError",
    "ModelReadError",
    "NearbyLeaves",
    "Node",
    "NodeCounts",
    "Options",
    "Prediction",
    "Probabilities",
    "ProbabilityModel",
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
    "auc",
    "bootstrap_interval",
    "boundary",
    "boundary_distance",
    "by_value",
    "calibration_error",
    "cases_of",
    "class_counts",
    "class_distances",
    "cost_ratio",
    "counts_from_data",
    "counts_from_text",
    "criteria_of",
    "curve",
    "delong_difference",
    "delong_interval",
    "estimate_density",
    "estimate_probabilities",
    "evaluate_methods",
    "explain",
    "fit_density",
    "fit_metric",
    "fit_nearby",
    "fit_probabilities",
    "fitted_of",
    "fitted_text",
    "flag_names",
    "geometric_score",
    "grow_tree",
    "hand_till",
    "is_value",
    "judge_cases",
    "label_leaves",
    "lambda_of_errors",
    "leaf",
    "leaf_auc",
    "leaf_estimates",
    "leaf_of",
    "leaf_shares",
    "log_kernel_sums",
    "log_loss",
    "mean_squared_error",
    "midgap_tree",
    "nearby_distribution",
    "nearby_weights",
    "open_arff",
    "optimal_labellings",
    "order_leaves",
    "partial_auc",
    "predict",
    "project",
    "ranking",
    "read_arff",
    "read_csv",
    "read_tree",
    "read_trees",
    "relabelled",
    "reliability",
    "replay",
    "restore_model",
    "restore_setting",
    "route",
    "score_batch",
    "separators",
    "tied_pairs",
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
    "DistanceKDE": "model.density",
    "Evaluation": "decide.evaluation_rows",
    "Explanation": "geometry.explain",
    "FitError": "errors",
    "Fitted": "model.fitted",
    "Flag": "score.flags",
    "Header": "model.dataset",
    "Interval": "model.boxes",
    "J48GeoError": "errors",
    "JudgedCases": "decide.evaluation_cases",
    "Labelling": "decide.labellings",
    "Layout": "model.tree",
    "Leaf": "model.tree",
    "LeafCounts": "decide.leaf_counts",
    "LeafOrder": "decide.leaf_order",
    "Measures": "decide.evaluation_rows",
    "Metric": "geometry.scaling",
    "MismatchError": "errors",
    "ModelReadError": "errors",
    "NearbyLeaves": "model.nearby",
    "Node": "model.tree",
    "NodeCounts": "model.counts",
    "Options": "model.tree",
    "Prediction": "score.weka",
    "Probabilities": "score.probabilities",
    "ProbabilityModel": "score.probabilities",
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
    "auc": "decide.evaluation",
    "bootstrap_interval": "decide.evaluation_intervals",
    "boundary": "geometry.engine",
    "boundary_distance": "geometry.engine",
    "by_value": "model.build",
    "calibration_error": "decide.evaluation_probabilities",
    "cases_of": "score.cases",
    "class_counts": "decide.leaf_counts",
    "class_distances": "geometry.engine",
    "cost_ratio": "decide.costs",
    "counts_from_data": "model.counts",
    "counts_from_text": "model.counts",
    "criteria_of": "decide.criteria",
    "curve": "decide.roc",
    "delong_difference": "decide.evaluation_intervals",
    "delong_interval": "decide.evaluation_intervals",
    "estimate_density": "score.density",
    "estimate_probabilities": "score.probabilities",
    "evaluate_methods": "decide.evaluation_rows",
    "explain": "geometry.explain",
    "fit_density": "score.density",
    "fit_metric": "geometry.scaling",
    "fit_nearby": "score.nearby",
    "fit_probabilities": "score.probabilities",
    "fitted_of": "score.fitted",
    "fitted_text": "show.fitted_json",
    "flag_names": "score.flags",
    "geometric_score": "score.geometric",
    "grow_tree": "model.build",
    "hand_till": "decide.roc",
    "is_value": "model.build",
    "judge_cases": "decide.evaluation_cases",
    "label_leaves": "decide.costs",
    "lambda_of_errors": "decide.evaluation",
    "leaf": "model.build",
    "leaf_auc": "decide.labellings",
    "leaf_estimates": "score.leaf_estimates",
    "leaf_of": "model.routing",
    "leaf_shares": "score.nearby",
    "log_kernel_sums": "score.kernel_sums",
    "log_loss": "decide.evaluation_probabilities",
    "mean_squared_error": "decide.evaluation_probabilities",
    "midgap_tree": "geometry.midgap",
    "nearby_distribution": "score.nearby",
    "nearby_weights": "score.nearby",
    "open_arff": "read.arff",
    "optimal_labellings": "decide.labellings",
    "order_leaves": "decide.leaf_order",
    "partial_auc": "decide.evaluation",
    "predict": "score.weka",
    "project": "geometry.projection",
    "ranking": "score.ranking",
    "read_arff": "read.arff",
    "read_csv": "read.csv",
    "read_tree": "read.door",
    "read_trees": "read.door",
    "relabelled": "decide.relabel",
    "reliability": "decide.evaluation_probabilities",
    "replay": "read.replay",
    "restore_model": "score.fitted",
    "restore_setting": "score.fitted",
    "route": "model.routing",
    "score_batch": "score.batch",
    "separators": "geometry.projection",
    "tied_pairs": "decide.evaluation",
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
