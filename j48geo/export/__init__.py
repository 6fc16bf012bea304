"""Export a tree to other languages and tools.

Every format is one module with one function ``export_NAME``, which takes an `ExportInput`, writes
from the flat `TreeTable` and gives an `ExportResult`. ``j48.c`` and ``j48.js`` are the programs
around the tables.
"""

from __future__ import annotations

from j48geo.lazy import lazy_exports

TYPE_CHECKING = False  # as type checkers read it; importing typing takes longer than all of this
if TYPE_CHECKING:
    from j48geo.export.c import export_c
    from j48geo.export.java_model import export_java_model
    from j48geo.export.javascript import export_javascript
    from j48geo.export.mermaid import export_mermaid
    from j48geo.export.onnx import export_onnx
    from j48geo.export.sensor import export_sensor
    from j48geo.export.sql import export_sql
    from j48geo.export.tree_table import (
        ExportError,
        ExportInput,
        ExportResult,
        TreeTable,
        build_tree_table,
    )

__all__ = [
    "ExportError",
    "ExportInput",
    "ExportResult",
    "TreeTable",
    "build_tree_table",
    "export_c",
    "export_java_model",
    "export_javascript",
    "export_mermaid",
    "export_onnx",
    "export_sensor",
    "export_sql",
]

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "ExportError": "tree_table",
        "ExportInput": "tree_table",
        "ExportResult": "tree_table",
        "TreeTable": "tree_table",
        "build_tree_table": "tree_table",
        "export_c": "c",
        "export_java_model": "java_model",
        "export_javascript": "javascript",
        "export_mermaid": "mermaid",
        "export_onnx": "onnx",
        "export_sensor": "sensor",
        "export_sql": "sql",
    },
)
