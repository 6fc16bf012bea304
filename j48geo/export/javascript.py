"""A tree as one JavaScript function: tables and a loop, no module system needed."""

from __future__ import annotations

import json
from math import isnan
from typing import Any

from j48geo.export.tree_table import (
    ExportInput,
    ExportResult,
    TreeTable,
    build_tree_table,
    describe_export,
    quote_name,
    read_template,
)

_KINDS = {"numeric": 0, "binary": 1, "multiway": 2}


def export_javascript(subject: ExportInput) -> ExportResult:
    """A script that defines ``j48(row)``, which gives ``{leaf, class, distribution}``."""
    table = build_tree_table(subject)
    exactness = (
        "Exact: every test, in double; classes are those of 'j48geo predict', distributions Weka's."
    )
    header = table.tree.header
    columns = [
        f"{quote_name(header.attributes[a].name)} ({header.attributes[a].type})"
        for a in table.used_columns
    ]
    explained = [
        "j48(row): a row has a property for every attribute that the tree asks about; null or NaN",
        "is missing; a nominal value is its text, a date its milliseconds since 1970 or a Date.",
        "Gives {leaf: its number from 1, null if a missing value divides the row; class: a label,",
        "null if it cannot be known; distribution: the weights in the order of j48.labels}.",
        f"Attributes: {', '.join(columns) or 'none'}",
    ]
    lines = [
        *(f"// {line}" for line in (*describe_export(subject, table, "js", exactness), *explained)),
        read_template("j48.js").rstrip("\n"),
        f"j48.labels = {_json(list(table.tree.classes))};",
        f"j48.tree = {_tables(table)};",
    ]
    return ExportResult("\n".join(lines) + "\n")


def _tables(table: TreeTable) -> str:
    attributes = table.tree.header.attributes
    place = {a: k for k, a in enumerate(table.used_columns)}
    speaks = [] if table.speaks is None else [int(k) for k in table.speaks]
    spoken = None if table.spoken is None else table.spoken.tolist()
    rows = {
        "names": [attributes[a].name for a in table.used_columns],
        "values": [list(attributes[a].values) or None for a in table.used_columns],
        "column": [place[test.attribute] for test in table.tests],
        "kind": [_KINDS[test.kind] for test in table.tests],
        "bound": [test.bound for test in table.tests],
        "next": [list(test.branches) for test in table.tests],
        "share": [list(test.shares) for test in table.tests],
        "leafClass": table.classes.tolist(),
        "leafLabel": table.labels.tolist(),
        "leafNew": speaks,
        "weight": table.distribution.tolist(),
        "spoken": spoken,
        "exact": table.exact,
    }
    return "{\n" + ",\n".join(f"  {name}: {_json(value)}" for name, value in rows.items()) + "\n}"


def _json(value: Any) -> str:
    r"""Plain ASCII, and nothing that ends a script element; NaN is a name of JavaScript's too."""
    if isinstance(value, list) and any(isinstance(v, list) for v in value):
        return "[" + ", ".join(map(_json, value)) + "]"
    if isinstance(value, list) and any(isinstance(v, float) and isnan(v) for v in value):
        return "[" + ", ".join(_number(v) for v in value) + "]"
    return json.dumps(value).replace("<", "\\u003c")


def _number(x: float) -> str:
    return "NaN" if isnan(x) else repr(x)
