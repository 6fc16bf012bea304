"""Format answers for people and programs: text, tables, CSV, JSON, ARFF, Parquet, pictures.

``reports`` holds one module a command, ``rows`` the formats of long tables, ``tree`` the texts of
a tree, ``plots`` the pictures; ``text`` the numbers and small tables of all of them. Nothing here
computes an answer.
"""

from __future__ import annotations

from j48geo.lazy import lazy_exports

TYPE_CHECKING = False  # as type checkers read it; importing typing takes longer than all of this
if TYPE_CHECKING:
    from j48geo.show.arff import arff_lines, arff_text
    from j48geo.show.text import PLAIN, Style, format_exact, format_number, json_text, text_table

__all__ = [
    "PLAIN",
    "Style",
    "arff_lines",
    "arff_text",
    "format_exact",
    "format_number",
    "json_text",
    "text_table",
]

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "PLAIN": "text",
        "Style": "text",
        "arff_lines": "arff",
        "arff_text": "arff",
        "format_exact": "text",
        "format_number": "text",
        "json_text": "text",
        "text_table": "text",
    },
)
