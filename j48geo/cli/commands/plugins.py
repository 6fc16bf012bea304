"""``j48geo plugins``: readers, scores and exports that can be named."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import click

from j48geo.cli.options import output_options
from j48geo.cli.output import Output

TITLES = ("kind", "name", "package", "version", "where", "remark")


@click.command(short_help="List readers, scores and exports, built in and from other packages.")
@output_options("table", "csv", "json", "jsonl")
def plugins(output: Output) -> None:
    """List what '--reader', '--by' and '--to' can name, without importing any plugin.

    Other packages add readers through the entry-point group 'j48geo.readers', scores
    through 'j48geo.scores' and exports through 'j48geo.exports'.
    """
    from j48geo.show.rows.row_report import csv_table, jsonl_table
    from j48geo.show.text import json_text, text_table

    rows = list_plugins()
    if output.format == "table":
        shown = [[cell or "-" for cell in row] for row in rows]
        output.write([text_table(TITLES, shown, style=output.style)])
    elif output.format == "csv":
        output.write([csv_table(TITLES, rows)])
    elif output.format == "jsonl":
        output.write([jsonl_table(TITLES, rows)])
    else:
        records = [dict(zip(TITLES, row, strict=True)) for row in rows]
        output.write([json_text(records, indent=2), "\n"])


def list_plugins() -> list[tuple[str, ...]]:
    """Kind, name, package, version, where and remark of each; no plugin is imported."""
    from j48geo.model.formats import FORMATS
    from j48geo.plugins import EXPORT_GROUP, PLUGIN_GROUPS, READER_GROUP, SCORE_GROUP, find_plugins
    from j48geo.read.readers import READERS
    from j48geo.score.scores import BUILTIN_SCORES

    builtin: dict[str, Mapping[str, Callable[..., Any] | str]] = {
        READER_GROUP: READERS,
        SCORE_GROUP: BUILTIN_SCORES,
        EXPORT_GROUP: FORMATS,
    }
    rows: list[tuple[str, ...]] = []
    for group, kind in PLUGIN_GROUPS.items():
        own = builtin.get(group, {})
        for name, function in own.items():
            where = function
            if not isinstance(where, str):
                where = f"{where.__module__}:{where.__qualname__}"
            rows.append((kind, name, "j48geo", "", where, "built in"))
        rows.extend(
            (kind, p.name, p.package, p.version, p.value, p.shadowed)
            for p in find_plugins(group, own)
        )
    return rows
