"""``j48geo plugins``: readers and scores that can be named."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import click

from j48geo.cli.options import format_option, output_option
from j48geo.cli.output import write_output

__all__ = ["plugins"]

TITLES = ("kind", "name", "package", "version", "where", "remark")


@click.command(short_help="List readers and scores, built in and from other packages.")
@format_option(("table", "csv", "json", "jsonl"))
@output_option
def plugins(output_format: str, output: str | None) -> None:
    """List what '--reader' and '--by' can name, without importing any of it.

    Other packages add readers through the entry-point group 'j48geo.readers' and scores
    through 'j48geo.scores'.
    """
    from j48geo.show.rowtable import csv_table, jsonl_table
    from j48geo.show.text import json_text, text_table

    rows = _rows()
    if output_format == "table":
        pieces = [text_table(TITLES, [[cell or "-" for cell in row] for row in rows])]
    elif output_format == "csv":
        pieces = [csv_table(TITLES, rows)]
    elif output_format == "json":
        records = [dict(zip(TITLES, row, strict=True)) for row in rows]
        pieces = [json_text(records, indent=2), "\n"]
    else:
        pieces = [jsonl_table(TITLES, rows)]
    write_output(output, pieces)


def _rows() -> list[tuple[str, ...]]:
    from j48geo.plugins import GROUPS, READERS, SCORES, found
    from j48geo.read import door
    from j48geo.score.registry import BUILTIN

    builtin: dict[str, Mapping[str, Callable[..., Any]]] = {
        READERS: door.READERS,
        SCORES: BUILTIN,
    }
    rows: list[tuple[str, ...]] = []
    for group, kind in GROUPS.items():
        own = builtin.get(group, {})
        for name, function in own.items():
            where = f"{function.__module__}:{function.__qualname__}"
            rows.append((kind, name, "j48geo", "", where, "built in"))
        rows.extend(
            (kind, p.name, p.package, p.version, p.value, p.shadowed) for p in found(group, own)
        )
    return rows
