"""Rows of a data set as JSON, JSON lines and CSV, block by block.

Numbers stay numbers (dates in milliseconds since 1970), nominal cells are their labels,
strings their text, missing cells ``null`` (``?`` in CSV). Infinite numbers, which JSON lacks,
are the words ``"Infinity"`` and ``"-Infinity"``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from j48geo.arrays import Floats
from j48geo.core.dataset import Dataset, Header
from j48geo.core.json_values import attribute_json
from j48geo.show.columns import Column, beside, quoted
from j48geo.show.kinds import Counts, Nested, Numbers
from j48geo.show.rowtable import csv_rows, jsonl_rows
from j48geo.show.text import json_text
from j48geo.show.wider import data_columns, json_arrays, json_number

__all__ = ["data_csv", "data_json", "data_jsonl"]


def data_json(header: Header, blocks: Iterable[Dataset]) -> Iterator[str]:
    """The whole data set as one JSON object, in pieces.

    ``{"relation":…,"attributes":[…],"rows":[[…]],"weights":[…]}``; only the weights are kept
    until the end.
    """
    attributes = json_text([attribute_json(a) for a in header.attributes])
    yield f'{{"relation":{quoted(header.relation)},"attributes":{attributes},"rows":['
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


def data_jsonl(header: Header, blocks: Iterable[Dataset]) -> Iterator[str]:
    """One object a row: ``{"row":1,"weight":1.0,"values":{"outlook":"sunny",…}}``."""

    def numbered() -> Iterator[_Numbered]:
        first = 1
        for block in blocks:
            yield _Numbered(first, block)
            first += len(block)

    cells: list[Column[_Numbered]] = beside(data_columns(header), [], lambda block: block.rows)
    columns: list[Column[_Numbered]] = [
        Column("row", Counts(), lambda block: range(block.first, block.first + len(block.rows))),
        Column("weight", Numbers(), lambda block: block.rows.weights),
        Column("values", Nested(cells), lambda block: block),
    ]
    return jsonl_rows(numbered(), columns)


def data_csv(
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
