"""Wrappers and filters: answer with several trees together, as Weka's wrappers do.

`Committee` is a wrapper with its trees, `committee_from_text` makes one of a text; `FilterChain`
applies the filters before a tree, `fit_filters` finds their parameters in training rows.
"""

from __future__ import annotations

from j48geo.lazy import lazy_exports

TYPE_CHECKING = False  # as type checkers read it
if TYPE_CHECKING:
    from j48geo.ensemble.committee import Committee, WrapperAnswer, answer_rows, committee_from_text
    from j48geo.ensemble.filter_fitting import fit_filters, only_selects_columns
    from j48geo.ensemble.filters import FilterChain, apply_filter

__all__ = [
    "Committee",
    "FilterChain",
    "WrapperAnswer",
    "answer_rows",
    "apply_filter",
    "committee_from_text",
    "fit_filters",
    "only_selects_columns",
]

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "Committee": "committee",
        "WrapperAnswer": "committee",
        "answer_rows": "committee",
        "committee_from_text": "committee",
        "FilterChain": "filters",
        "apply_filter": "filters",
        "fit_filters": "filter_fitting",
        "only_selects_columns": "filter_fitting",
    },
)
