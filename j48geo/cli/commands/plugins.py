"""``j48geo plugins``: readers, scores and exports that can be named."""

from __future__ import annotations

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
    from j48geo.model.plugins_table import list_plugins
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
