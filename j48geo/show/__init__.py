"""Format answers for people and programs: text, tables, CSV, JSON, ARFF, Parquet, pictures.

``reports`` holds one module a command, ``rows`` the formats of long tables, ``plots`` the
pictures, ``weka_text`` and ``rules`` the texts of a tree; ``text`` the numbers and small tables of
all of them. Nothing here computes an answer.
"""

from __future__ import annotations

from j48geo.lazy import lazy_exports

TYPE_CHECKING = False  # as type checkers read it; importing typing takes longer than all of this
if TYPE_CHECKING:
    from j48geo.show.arff import arff_lines, arff_text
    from j48geo.show.rules import (
        describe_tree,
        rule_texts,
        rules_to_text,
        summarize_tree,
        tree_with_leaf_numbers,
    )
    from j48geo.show.text import PLAIN, Style, format_exact, format_number, json_text, text_table
    from j48geo.show.weka_text import relabelled_tree_text, tree_lines, tree_text, tree_to_dot

__all__ = [
    "PLAIN",
    "Style",
    "arff_lines",
    "arff_text",
    "describe_tree",
    "format_exact",
    "format_number",
    "json_text",
    "relabelled_tree_text",
    "rule_texts",
    "rules_to_text",
    "summarize_tree",
    "text_table",
    "tree_lines",
    "tree_text",
    "tree_to_dot",
    "tree_with_leaf_numbers",
]

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "PLAIN": "text",
        "Style": "text",
        "arff_lines": "arff",
        "arff_text": "arff",
        "describe_tree": "rules",
        "format_exact": "text",
        "format_number": "text",
        "json_text": "text",
        "relabelled_tree_text": "weka_text",
        "rule_texts": "rules",
        "rules_to_text": "rules",
        "summarize_tree": "rules",
        "text_table": "text",
        "tree_lines": "weka_text",
        "tree_text": "weka_text",
        "tree_to_dot": "weka_text",
        "tree_with_leaf_numbers": "rules",
    },
)
