"""``j48geo data``: what is in a data file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import click

from j48geo.cli.inputs import Inputs
from j48geo.cli.notes import Notes
from j48geo.cli.options import input_options, output_options
from j48geo.cli.output import Output

if TYPE_CHECKING:
    from j48geo.core.dataset import Dataset
    from j48geo.data.rows import Rows

EXAMPLES = """\b
Examples:
  j48geo data iris.arff
  j48geo data iris.arff -o iris.json
  j48geo data iris.arff.gz --format csv | head
"""


@click.command(
    epilog=EXAMPLES, short_help="What is in a data file, or the same data in another format."
)
@input_options("DATA", model=False, train=False)
@output_options("table", "csv", "json", "jsonl", "arff")
def data(inputs: Inputs, output: Output) -> None:
    """Summarise DATA (an ARFF file, '-' for standard input), read as Weka reads it.

    The other formats hold every row: json is {"relation", "attributes", "rows", "weights"}
    with numbers as numbers, dates in milliseconds since 1970, nominal cells as labels and
    missing cells null.
    """
    with inputs.open_data() as rows:
        output.write(_pieces(output, rows, inputs.zone))
        output.notes.note(*rows.notes)


def _pieces(output: Output, rows: Rows, timezone: str) -> Iterator[str]:
    from j48geo.core.dataset import DataSummary
    from j48geo.show.reports.data import (
        data_to_csv,
        data_to_json,
        data_to_jsonl,
        summary_to_text,
    )
    from j48geo.show.rows.row_report import arff_rows

    header = rows.header
    if output.format == "json":
        yield from data_to_json(header, rows)
    elif output.format == "jsonl":
        yield from data_to_jsonl(header, rows)
    elif output.format == "csv":
        yield from data_to_csv(header, _weights_lost(rows, output.notes), timezone)
    elif output.format == "arff":
        yield from arff_rows(header, rows, timezone)
    else:
        summary = DataSummary(header)
        for block in rows:
            summary.add(block)
        yield summary_to_text(summary, output.style)


def _weights_lost(blocks: Iterable[Dataset], notes: Notes) -> Iterator[Dataset]:
    for block in blocks:
        if (block.weights != 1).any():
            notes.note("the rows have weights; CSV has no place for them")
        yield block
