"""Format a tree: as Weka prints it, as Graphviz, as rules."""

from __future__ import annotations

from j48geo.lazy import lazy_exports

TYPE_CHECKING = False  # as type checkers read it; importing typing takes longer than all of this
if TYPE_CHECKING:
    from j48geo.show.tree.rules import (
        Rule,
        describe_tree,
        leaf_rules,
        rule_to_text,
        summarize_tree,
        tree_with_leaf_numbers,
    )
    from j48geo.show.tree.weka_text import relabelled_tree_text, tree_lines, tree_text, tree_to_dot

__all__ = [
    "Rule",
    "describe_tree",
    "leaf_rules",
    "relabelled_tree_text",
    "rule_to_text",
    "summarize_tree",
    "tree_lines",
    "tree_text",
    "tree_to_dot",
    "tree_with_leaf_numbers",
]

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "Rule": "rules",
        "describe_tree": "rules",
        "leaf_rules": "rules",
        "relabelled_tree_text": "weka_text",
        "rule_to_text": "rules",
        "summarize_tree": "rules",
        "tree_lines": "weka_text",
        "tree_text": "weka_text",
        "tree_to_dot": "weka_text",
        "tree_with_leaf_numbers": "rules",
    },
)
