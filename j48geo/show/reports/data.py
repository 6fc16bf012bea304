"""A data set as JSON, JSON lines and CSV, block by block, and at a glance.

Numbers stay numbers (dates in milliseconds since 1970), nominal cells are their labels,
strings their text, missing cells ``null`` (``?`` in CSV). Infinite numbers, which JSON lacks,
are the words ``"Infinity"`` and ``"-Infinity"``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from j48geo.arrays import Floats
from j48geo.core.dataset import Dataset, DataSummary, Header
from j48geo.core.json_values import attribute_json
from j48geo.show.rows.column_kinds import IntegerColumn, NestedColumn, NumberColumn
from j48geo.show.rows.columns import Column, add_columns, quote_json
from j48geo.show.rows.data_columns import data_columns, json_arrays, json_number
from j48geo.show.rows.row_report import csv_rows, jsonl_rows
from j48geo.show.text import PLAIN, Style, format_moment, format_number, json_text, text_table
from j48geo.text import pluralize, to_one_line


def data_to_json(header: Header, blocks: Iterable[Dataset]) -> Iterator[str]:
    """The whole data set as one JSON object, in pieces.

    ``{"relation":…,"attributes":[…],"rows":[[…]],"weights":[…]}``; only the weights are kept
    until the end.
    """
    attributes = json_text([attribute_json(a) for a in header.attributes])
    yield f'{{"relation":{quote_json(header.relation)},"attributes":{attributes},"rows":['
    columns = data_columns(header)
    weights: list[Floats] = []
    lead = "\n"
    for block in blocks:
        if len(block):
            weights.append(block.weights)
            yield lead + ",\n".join(json_arrays(block, columns))
            lead = ",\n"
    yield '\n],"weights":['
    yield ",".join(",".join(map(json_number, part.tolist())) for part in weights)
    yield "]}\n"


class _Numbered(NamedTuple):
    first: int
    rows: Dataset


def data_to_jsonl(header: Header, blocks: Iterable[Dataset]) -> Iterator[str]:
    """One object a row: ``{"row":1,"weight":1.0,"values":{"outlook":"sunny",…}}``."""

    def numbered() -> Iterator[_Numbered]:
        first = 1
        for block in blocks:
            yield _Numbered(first, block)
            first += len(block)

    cells: list[Column[_Numbered]] = add_columns(data_columns(header), [], lambda block: block.rows)
    columns: list[Column[_Numbered]] = [
        Column(
            "row", IntegerColumn(), lambda block: range(block.first, block.first + len(block.rows))
        ),
        Column("weight", NumberColumn(), lambda block: block.rows.weights),
        Column("values", NestedColumn(cells), lambda block: block),
    ]
    return jsonl_rows(numbered(), columns)


def data_to_csv(
    header: Header, blocks: Iterable[Dataset], timezone: str | None = None, *, safe: bool = False
) -> Iterator[str]:
    """A header line and one line a row; weights have no place in CSV.

    Parameters
    ----------
    timezone
        The one that dates are written in; milliseconds without.
    safe
        As in `csv_rows`.
    """
    columns = data_columns(header, timezone=timezone, missing="?")
    return csv_rows(blocks, columns, safe=safe)


def summary_to_text(summary: DataSummary, style: Style = PLAIN) -> str:
    """A data set at a glance: a headline, and one line an attribute."""
    titles = ["#", "attribute", "type", "missing", "values"]
    rows = [_summary_row(summary, i) for i in range(len(summary.header))]
    table = text_table(titles, rows, ("#", "missing"), style)
    return f"{to_one_line(_headline(summary))}\n\n{table}"


def _headline(summary: DataSummary) -> str:
    header = summary.header
    parts = [f"{header.relation or '(no relation name)'}: {pluralize(summary.rows, 'row')}"]
    if summary.is_weighted:
        parts[0] += f" of total weight {format_number(summary.weight)}"
    parts.append(f"{len(header)} attributes")
    if header.class_index is not None:
        parts.append(f"class {header.class_attribute.name}")
    return ", ".join(parts)


def _summary_row(summary: DataSummary, column: int) -> list[object]:
    attribute = summary.header.attributes[column]
    if attribute.is_nominal:
        values = _label_counts(attribute.values, summary.label_counts[column].tolist())
    elif attribute.is_numeric:
        values = _range_text(summary, column)
    elif attribute.type == "relational":
        values = f"inner attributes: {', '.join(a.name for a in attribute.attributes)}"
    else:
        values = "text"
    kind = attribute.type + (" (class)" if column == summary.header.class_index else "")
    return [column + 1, attribute.name, kind, int(summary.missing[column]), values]


def _range_text(summary: DataSummary, column: int) -> str:
    if summary.missing[column] == summary.rows:
        return "no known value"
    low, high = float(summary.low[column]), float(summary.high[column])
    if summary.header.attributes[column].type == "date":
        return f"{format_moment(low)} to {format_moment(high)} UTC"
    mean = summary.mean(column)
    return f"{format_number(low)} to {format_number(high)}, mean {format_number(mean)}"


def _label_counts(values: Sequence[str], counts: Sequence[int], shown: int = 8) -> str:
    text = ", ".join(f"{v} {n}" for v, n in zip(values[:shown], counts[:shown], strict=True))
    return f"{text}, ... ({len(values)} labels)" if len(values) > shown else text
