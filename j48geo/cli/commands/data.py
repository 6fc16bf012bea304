"""``j48geo data``: what is in a data file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import click

from j48geo.cli.options import (
    InputOptions,
    data_argument,
    data_options,
    format_option,
    output_option,
    quiet_option,
)
from j48geo.cli.output import write_output
from j48geo.cli.words import Words

if TYPE_CHECKING:
    from j48geo.core.dataset import Dataset, Header

__all__ = ["arff_pieces", "data"]

EXAMPLES = """\b
Examples:
  j48geo data iris.arff
  j48geo data iris.arff --format json -o iris.json
  j48geo data iris.arff.gz --format csv | head
"""


@click.command(
    epilog=EXAMPLES, short_help="What is in a data file, or the same data in another format."
)
@data_argument(required=True)
@data_options
@format_option(("table", "csv", "json", "jsonl", "arff"))
@output_option
@quiet_option
def data(
    data: str,
    class_attribute: str,
    timezone: str,
    encoding: str | None,
    output_format: str,
    output: str | None,
    quiet: bool,
) -> None:
    """Summarise DATA (an ARFF file, '-' for standard input), read as Weka reads it.

    The other formats hold every row: json is {"relation", "attributes", "rows", "weights"}
    with numbers as numbers, dates in milliseconds since 1970, nominal cells as labels and
    missing cells null.
    """
    from j48geo.cli.rows import open_rows

    words = Words(quiet)
    options = InputOptions(class_attribute, timezone, encoding)
    with open_rows(data, options, words) as rows:
        write_output(output, _pieces(output_format, rows.header, rows.blocks, timezone, words))


def _pieces(
    output_format: str, header: Header, blocks: Iterable[Dataset], timezone: str, words: Words
) -> Iterator[str]:
    from j48geo.show.reports.data_rows import data_csv, data_json, data_jsonl

    if output_format == "json":
        return data_json(header, blocks)
    if output_format == "jsonl":
        return data_jsonl(header, blocks)
    if output_format == "csv":
        return data_csv(header, _weights_lost(blocks, words), timezone)
    if output_format == "arff":
        return arff_pieces(header, blocks, timezone)
    return _summary(header, blocks)


def _summary(header: Header, blocks: Iterable[Dataset]) -> Iterator[str]:
    from j48geo.show.reports.data_summary import DataSummary

    summary = DataSummary(header)
    for block in blocks:
        summary.add(block)
    yield summary.text()


def _weights_lost(blocks: Iterable[Dataset], words: Words) -> Iterator[Dataset]:
    for block in blocks:
        if (block.weights != 1).any():
            words.note("the rows have weights; CSV has no place for them")
        yield block


def arff_pieces(header: Header, blocks: Iterable[Dataset], timezone: str) -> Iterator[str]:
    """Header and rows as ARFF."""
    from j48geo.show.rowtable import arff_rows

    return arff_rows(header, blocks, timezone)
