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
    from j48geo.core.boxes import (
        Box,
        Interval,
    )
    from j48geo.core.build import (
        at_most,
        by_value,
        grow_tree,
        is_value,
        leaf,
    )
    from j48geo.core.counts import (
        NodeCounts,
        counts_from_data,
        counts_from_text,
    )
    from j48geo.core.dataset import (
        Attribute,
        Dataset,
        Header,
    )
    from j48geo.core.learnt import (
        DistanceKDE,
        Fitted,
        Metric,
        NearbyLeaves,
    )
    from j48geo.core.routing import (
        Routes,
        leaf_of,
        route,
    )
    from j48geo.core.tree import (
        BoxTree,
        Layout,
        Leaf,
        Node,
        Options,
        Split,
    )
    from j48geo.data.arff.stream import (
        open_arff,
        read_arff,
    )
    from j48geo.data.csv import (
        read_csv,
    )
    from j48geo.decide.costs import (
        cost_ratio,
        label_leaves,
    )
    from j48geo.decide.criteria import (
        criteria_of,
    )
    from j48geo.decide.evaluation.auc import (
        auc,
        lambda_of_errors,
        partial_auc,
        tied_pairs,
    )
    from j48geo.decide.evaluation.cases import (
        JudgedCases,
        judge_cases,
    )
    from j48geo.decide.evaluation.intervals import (
        bootstrap_interval,
        delong_difference,
        delong_interval,
    )
    from j48geo.decide.evaluation.probabilities import (
        calibration_error,
        log_loss,
        mean_squared_error,
        reliability,
    )
    from j48geo.decide.evaluation.table import (
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
    from j48geo.geometry.counterfactual import (
        Explanation,
        explain,
    )
    from j48geo.geometry.distance import (
        boundary,
        boundary_distance,
        class_distances,
    )
    from j48geo.geometry.distance_numpy import (
        Boundary,
    )
    from j48geo.geometry.metric import (
        fit_metric,
    )
    from j48geo.geometry.midgap import (
        midgap_tree,
    )
    from j48geo.geometry.projection import (
        project,
        separators,
    )
    from j48geo.modelfile.fitted import (
        fitted_text,
    )
    from j48geo.read.door import (
        read_tree,
        read_trees,
    )
    from j48geo.replaying.replay import (
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
    from j48geo.score.density.kde import (
        estimate_density,
        fit_density,
    )
    from j48geo.score.density.sums import (
        log_kernel_sums,
    )
    from j48geo.score.estimates import (
        leaf_estimates,
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
    from j48geo.score.nearby.average import (
        fit_nearby,
        leaf_shares,
        nearby_distribution,
        nearby_weights,
    )
    from j48geo.score.predict import (
        Prediction,
        predict,
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
    from j48geo.show.tree.weka_text import (
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
    "Attribute": "core.dataset",
    "Batch": "score.batch",
    "Boundary": "geometry.distance_numpy",
    "Box": "core.boxes",
    "BoxTree": "core.tree",
    "ClassCounts": "decide.leaf_counts",
    "Curve": "decide.roc",
    "DataReadError": "errors",
    "Dataset": "core.dataset",
    "DistanceKDE": "core.learnt",
    "Evaluation": "decide.evaluation.table",
    "Explanation": "geometry.counterfactual",
    "FitError": "errors",
    "Fitted": "core.learnt",
    "Flag": "score.flags",
    "Header": "core.dataset",
    "Interval": "core.boxes",
    "J48GeoError": "errors",
    "JudgedCases": "decide.evaluation.cases",
    "Labelling": "decide.labellings",
    "Layout": "core.tree",
    "Leaf": "core.tree",
    "LeafCounts": "decide.leaf_counts",
    "LeafOrder": "decide.leaf_order",
    "Measures": "decide.evaluation.table",
    "Metric": "core.learnt",
    "MismatchError": "errors",
    "ModelReadError": "errors",
    "NearbyLeaves": "core.learnt",
    "Node": "core.tree",
    "NodeCounts": "core.counts",
    "Options": "core.tree",
    "Prediction": "score.predict",
    "Probabilities": "score.probabilities",
    "ProbabilityModel": "score.probabilities",
    "Ranking": "score.ranking",
    "ReadError": "errors",
    "Replay": "replaying.replay",
    "ReplayError": "errors",
    "Routes": "core.routing",
    "Setting": "score.setting",
    "Split": "core.tree",
    "UnknownNameError": "errors",
    "algebraic_distances": "score.geometric",
    "at_most": "core.build",
    "auc": "decide.evaluation.auc",
    "bootstrap_interval": "decide.evaluation.intervals",
    "boundary": "geometry.distance",
    "boundary_distance": "geometry.distance",
    "by_value": "core.build",
    "calibration_error": "decide.evaluation.probabilities",
    "cases_of": "score.cases",
    "class_counts": "decide.leaf_counts",
    "class_distances": "geometry.distance",
    "cost_ratio": "decide.costs",
    "counts_from_data": "core.counts",
    "counts_from_text": "core.counts",
    "criteria_of": "decide.criteria",
    "curve": "decide.roc",
    "delong_difference": "decide.evaluation.intervals",
    "delong_interval": "decide.evaluation.intervals",
    "estimate_density": "score.density.kde",
    "estimate_probabilities": "score.probabilities",
    "evaluate_methods": "decide.evaluation.table",
    "explain": "geometry.counterfactual",
    "fit_density": "score.density.kde",
    "fit_metric": "geometry.metric",
    "fit_nearby": "score.nearby.average",
    "fit_probabilities": "score.probabilities",
    "fitted_of": "score.fitted",
    "fitted_text": "modelfile.fitted",
    "flag_names": "score.flags",
    "geometric_score": "score.geometric",
    "grow_tree": "core.build",
    "hand_till": "decide.roc",
    "is_value": "core.build",
    "judge_cases": "decide.evaluation.cases",
    "label_leaves": "decide.costs",
    "lambda_of_errors": "decide.evaluation.auc",
    "leaf": "core.build",
    "leaf_auc": "decide.labellings",
    "leaf_estimates": "score.estimates",
    "leaf_of": "core.routing",
    "leaf_shares": "score.nearby.average",
    "log_kernel_sums": "score.density.sums",
    "log_loss": "decide.evaluation.probabilities",
    "mean_squared_error": "decide.evaluation.probabilities",
    "midgap_tree": "geometry.midgap",
    "nearby_distribution": "score.nearby.average",
    "nearby_weights": "score.nearby.average",
    "open_arff": "data.arff.stream",
    "optimal_labellings": "decide.labellings",
    "order_leaves": "decide.leaf_order",
    "partial_auc": "decide.evaluation.auc",
    "predict": "score.predict",
    "project": "geometry.projection",
    "ranking": "score.ranking",
    "read_arff": "data.arff.stream",
    "read_csv": "data.csv",
    "read_tree": "read.door",
    "read_trees": "read.door",
    "relabelled": "decide.relabel",
    "reliability": "decide.evaluation.probabilities",
    "replay": "replaying.replay",
    "restore_model": "score.fitted",
    "restore_setting": "score.fitted",
    "route": "core.routing",
    "score_batch": "score.batch",
    "separators": "geometry.projection",
    "tied_pairs": "decide.evaluation.auc",
    "tree_text": "show.tree.weka_text",
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
