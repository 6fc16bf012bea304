"""Rows of a data set as JSON, JSON lines and CSV, block by block.

Numbers stay numbers (dates in milliseconds since 1970), nominal cells are their labels,
strings their text, missing cells ``null`` (``?`` in CSV). Infinite numbers, which JSON lacks,
are the words ``"Infinity"`` and ``"-Infinity"``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import isfinite, isnan

import numpy as np

from j48geo.arrays import Floats
from j48geo.core.dataset import Dataset, Header
from j48geo.core.json_values import attribute_json, number_json
from j48geo.show.tables import csv_line, csv_lines, json_text, number_text

__all__ = ["data_csv", "data_json", "data_jsonl"]


def data_json(header: Header, blocks: Iterable[Dataset]) -> Iterator[str]:
    """The whole data set as one JSON object, in pieces.

    ``{"relation":…,"attributes":[…],"rows":[[…]],"weights":[…]}``; only the weights are kept
    until the end.
    """
    attributes = json_text([attribute_json(a) for a in header.attributes])
    yield f'{{"relation":{_quoted(header.relation)},"attributes":{attributes},"rows":['
    weights: list[Floats] = []
    comma = "\n"
    for block in blocks:
        weights.append(block.weights)
        for row in _json_rows(block):
            yield f"{comma}[{','.join(row)}]"
            comma = ",\n"
    yield '\n],"weights":['
    comma = ""
    for part in weights:
        if len(part):
            yield comma + ",".join(map(_json_number, part.tolist()))
            comma = ","
    yield "]}\n"


def data_jsonl(header: Header, blocks: Iterable[Dataset]) -> Iterator[str]:
    """One object a row: ``{"row":1,"weight":1.0,"values":{"outlook":"sunny",…}}``."""
    names = [_quoted(name) for name in header.names]
    number = 0
    for block in blocks:
        for row, weight in zip(_json_rows(block), block.weights.tolist(), strict=True):
            number += 1
            values = ",".join(f"{n}:{cell}" for n, cell in zip(names, row, strict=True))
            yield f'{{"row":{number},"weight":{_json_number(weight)},"values":{{{values}}}}}\n'


def data_csv(
    header: Header,
    blocks: Iterable[Dataset],
    dates: Mapping[int, Callable[[float], str]] | None = None,
) -> Iterator[str]:
    """A header line and one line a row; weights have no place in CSV.

    Parameters
    ----------
    dates
        For each date column how a moment is written; milliseconds without.
    """
    written = dates or {}
    columns = [(c, written.get(c, number_text)) for c in range(len(header))]
    yield csv_line(header.names)
    for block in blocks:
        yield csv_lines(zip(*(_plain_column(block, c, f) for c, f in columns), strict=True))


def _json_rows(block: Dataset) -> Iterator[tuple[str, ...]]:
    """The cells of each row as JSON."""
    return zip(*(_json_column(block, c) for c in range(len(block.header))), strict=True)


def _json_column(block: Dataset, column: int) -> list[str]:
    attribute = block.header.attributes[column]
    if attribute.is_numeric:
        return _numbers(block, column, _json_number)
    return _labelled(block, column, _quoted, "null")


def _plain_column(block: Dataset, column: int, number: Callable[[float], str]) -> list[str]:
    attribute = block.header.attributes[column]
    if attribute.is_numeric:
        return _numbers(block, column, lambda x: "?" if isnan(x) else number(x))
    return _labelled(block, column, str, "?")


def _numbers(block: Dataset, column: int, shown: Callable[[float], str]) -> list[str]:
    """Cells of a numeric column; each different number is made once a block."""
    bits = np.ascontiguousarray(block.X[:, column]).view(np.int64)  # so that -0.0 is not 0.0
    different, which = np.unique(bits, return_inverse=True)
    texts = list(map(shown, different.view(np.float64).tolist()))
    return [texts[i] for i in which.tolist()]


def _labelled(block: Dataset, column: int, shown: Callable[[str], str], missing: str) -> list[str]:
    """Cells that point to a label, a text or inner rows; each is made once a block."""
    attribute = block.header.attributes[column]
    values: Sequence[str | Dataset] = (
        attribute.values if attribute.is_nominal else block.pools.get(column, ())
    )
    texts: dict[float, str] = {}
    cells = block.X[:, column].tolist()
    for x in cells:
        if x not in texts and not isnan(x):
            value = values[int(x)]
            texts[x] = _nested_json(value) if isinstance(value, Dataset) else shown(value)
    return [missing if isnan(x) else texts[x] for x in cells]


def _nested_json(inner: Dataset) -> str:
    rows = ",".join(f"[{','.join(row)}]" for row in _json_rows(inner))
    weights = ",".join(map(_json_number, inner.weights.tolist()))
    return f'{{"rows":[{rows}],"weights":[{weights}]}}'


def _json_number(x: float) -> str:
    return repr(x) if isfinite(x) else json_text([number_json(x)])[1:-1]


def _quoted(text: str) -> str:
    return json_text([text])[1:-1]
