"""Distances between cases and the decision boundary of a tree.

`fit_metric` says what one unit of each attribute is worth. `boundary` measures the distance to
the nearest leaf of another class, `class_distances` the distance to the boundary of every class;
`find_separators` and `project_cases` tell which test lies between. `explain` finds the smallest
change of a case that gives it another class; `cut_slice` cuts the boxes along two attributes.
"""

from __future__ import annotations

from j48geo.lazy import lazy_exports

TYPE_CHECKING = False  # as type checkers read it; importing typing takes longer than all of this
if TYPE_CHECKING:
    from j48geo.geometry.distance import (
        algebraic_distances,
        boundary,
        boundary_distance,
        class_boundary,
        class_distances,
        geometric_score,
        has_boundary,
    )
    from j48geo.geometry.distance_numpy import Boundary
    from j48geo.geometry.explanation import Explanation, explain
    from j48geo.geometry.faces import Faces, find_faces, midgap_tree
    from j48geo.geometry.metric import MetricError, fit_metric
    from j48geo.geometry.projection import CaseSeparators, find_separators, project_cases
    from j48geo.geometry.slices import SliceError, TreeSlice, cut_slice, typical_case
    from j48geo.geometry.smallest_change import Flip, ValueChange, column_steps

__all__ = [
    "Boundary",
    "CaseSeparators",
    "Explanation",
    "Faces",
    "Flip",
    "MetricError",
    "SliceError",
    "TreeSlice",
    "ValueChange",
    "algebraic_distances",
    "boundary",
    "boundary_distance",
    "class_boundary",
    "class_distances",
    "column_steps",
    "cut_slice",
    "explain",
    "find_faces",
    "find_separators",
    "fit_metric",
    "geometric_score",
    "has_boundary",
    "midgap_tree",
    "project_cases",
    "typical_case",
]

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "Boundary": "distance_numpy",
        "CaseSeparators": "projection",
        "Explanation": "explanation",
        "Faces": "faces",
        "Flip": "smallest_change",
        "MetricError": "metric",
        "SliceError": "slices",
        "TreeSlice": "slices",
        "ValueChange": "smallest_change",
        "algebraic_distances": "distance",
        "boundary": "distance",
        "boundary_distance": "distance",
        "class_boundary": "distance",
        "class_distances": "distance",
        "column_steps": "smallest_change",
        "cut_slice": "slices",
        "explain": "explanation",
        "find_faces": "faces",
        "find_separators": "projection",
        "fit_metric": "metric",
        "geometric_score": "distance",
        "has_boundary": "distance",
        "midgap_tree": "faces",
        "project_cases": "projection",
        "typical_case": "slices",
    },
)
