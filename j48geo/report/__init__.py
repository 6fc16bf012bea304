"""Render the report: one offline page about a tree, its cases, its costs and its evaluation.

Values become facts (plain data: ``facts``, ``cost_facts``, ``tree_facts``), facts become the page
(``page``, with ``pictures`` and ``tree_drawing``); nothing here knows a `Model`.
"""

from __future__ import annotations

from j48geo.lazy import lazy_exports

TYPE_CHECKING = False  # as type checkers read it; importing typing takes longer than all of this
if TYPE_CHECKING:
    from j48geo.report.cost_facts import CostFacts, gather_cost_facts
    from j48geo.report.facts import CaseFacts, EvaluationFacts, FileFacts, ReportFacts, Verdict
    from j48geo.report.page import render_page
    from j48geo.report.tree_drawing import draw_tree, draw_tree_picture
    from j48geo.report.tree_facts import TreeFacts, gather_tree_facts

__all__ = [
    "CaseFacts",
    "CostFacts",
    "EvaluationFacts",
    "FileFacts",
    "ReportFacts",
    "TreeFacts",
    "Verdict",
    "draw_tree",
    "draw_tree_picture",
    "gather_cost_facts",
    "gather_tree_facts",
    "render_page",
]

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "CaseFacts": "facts",
        "CostFacts": "cost_facts",
        "EvaluationFacts": "facts",
        "FileFacts": "facts",
        "ReportFacts": "facts",
        "TreeFacts": "tree_facts",
        "Verdict": "facts",
        "draw_tree": "tree_drawing",
        "draw_tree_picture": "tree_drawing",
        "gather_cost_facts": "cost_facts",
        "gather_tree_facts": "tree_facts",
        "render_page": "page",
    },
)
