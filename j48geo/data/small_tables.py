"""Small files and texts beside the data: scales, labels, scores, costs, one case."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, isnan, nan
from typing import Any

import numpy as np

from j48geo.core.dataset import Dataset, Header
from j48geo.data.arff.stream import read_arff
from j48geo.data.frame import cell_value
from j48geo.data.source import ByteSource, SourceLike, read_bytes
from j48geo.errors import DataReadError, UnknownNameError

_LARGEST = 1 << 30


def _utf8(raw: bytes, name: str, expected: str) -> str:
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise DataReadError("not UTF-8", expected, name, line) from error


def _number(cell: str, problem: str, name: str, line: int) -> float:
    try:
        return float(cell)
    except ValueError:
        raise DataReadError(problem, "expected a number", name, line) from None


# ------------------------------------------------------------------------------------ scales

_SCALES = 'expected {"name": scale, ...} or lines of name,scale'


class Scales(dict[str, float]):
    """Scales by attribute name; `source` is the name of the file they come from."""

    source: str = ""

    def add(self, attribute: str, scale: float, line: int = 0) -> None:
        """Add one that is not there yet."""
        if attribute in self:
            problem = f"attribute {attribute!r} stands there twice"
            raise DataReadError(problem, "expected it once", self.source, line)
        self[attribute] = scale


def read_scales(source: SourceLike) -> Scales:
    r"""Scales by attribute name, as a custom metric takes them.

    Parameters
    ----------
    source
        A path, ``-`` for standard input, bytes or a file object. An object of JSON,
        or CSV with two columns whose first line may hold titles.

    Examples
    --------
    >>> read_scales(b'{"width": 0.5, "mass": 2}')
    {'width': 0.5, 'mass': 2.0}
    >>> read_scales(b"name,scale\nwidth,0.5\n")
    {'width': 0.5}
    """
    raw, name = read_bytes(source, limit=_LARGEST)
    text = _utf8(raw, name, _SCALES)
    scales = Scales()
    scales.source = name
    (_add_from_json if text.lstrip().startswith("{") else _add_from_csv)(scales, text)
    if not scales:
        raise DataReadError("no scales in it", _SCALES, name)
    return scales


def _add_from_json(scales: Scales, text: str) -> None:
    name = scales.source

    def add(pairs: list[tuple[str, object]]) -> None:
        for attribute, scale in pairs:
            if not isinstance(scale, float):
                raise DataReadError(f"the scale of {attribute!r} is no number", _SCALES, name)
            scales.add(attribute, scale)

    try:
        json.loads(text, parse_int=float, object_pairs_hook=add)
    except json.JSONDecodeError as error:
        problem = f"not JSON: {error.msg}"
        raise DataReadError(problem, _SCALES, name, error.lineno, error.colno) from error
    except (RecursionError, ValueError) as error:  # endless brackets
        raise DataReadError("not JSON", _SCALES, name) from error


def _add_from_csv(scales: Scales, text: str) -> None:
    name = scales.source
    lines = csv.reader(io.StringIO(text, newline=""), skipinitialspace=True)
    titles = True
    try:
        for cells in lines:
            if not any(cell.strip() for cell in cells):
                continue
            if len(cells) != 2:
                problem = f"{len(cells)} cells in a line"
                raise DataReadError(problem, _SCALES, name, lines.line_num)
            attribute, cell = cells
            problem = f"the scale of {attribute!r} is {cell!r}"
            try:
                scales.add(attribute, _number(cell, problem, name, lines.line_num), lines.line_num)
            except DataReadError as error:
                if not (titles and error.problem == problem):
                    raise
            titles = False
    except csv.Error as error:
        raise DataReadError(f"not CSV: {error}", _SCALES, name, lines.line_num) from error


# ------------------------------------------------------------------------------------ labels


def read_label_table(raw: bytes, name: str) -> dict[int, str] | None:
    r"""Labels by leaf number, counted from 1; None if `raw` is neither of the two.

    JSON has a list ``leaves`` of objects with ``leaf`` and ``label``, CSV columns of these
    names: what ``j48geo label`` writes.

    Examples
    --------
    >>> read_label_table(b"leaf,label\n1,yes\n2,no\n", "labels.csv")
    {1: 'yes', 2: 'no'}
    """
    text = raw.decode("utf-8-sig", "surrogateescape")
    rows = _json_leaves(text) if text.lstrip().startswith("{") else _csv_leaves(text)
    if rows is None:
        return None
    labels: dict[int, str] = {}
    for row in rows:
        leaf = str(row["leaf"])
        if not (leaf.isascii() and leaf.isdigit()):
            raise DataReadError(f"{leaf!r} is no number of a leaf", "expected 1, 2, ...", name)
        if int(leaf) in labels:
            raise DataReadError(f"leaf {leaf} stands there twice", "expected it once", name)
        labels[int(leaf)] = str(row["label"])
    return labels


def _json_leaves(text: str) -> Iterable[Mapping[str, object]] | None:
    """The leaves with their labels in JSON; None if it is something else, such as a model."""
    try:
        value = json.loads(text)
    except ValueError:
        return None
    rows = value.get("leaves")
    if not isinstance(rows, list) or "format" in value:
        return None
    if not all(isinstance(x, dict) and "leaf" in x and "label" in x for x in rows):
        return None
    return rows


def _csv_leaves(text: str) -> Iterable[Mapping[str, object]] | None:
    """The rows of CSV with columns ``leaf`` and ``label``; None if it has not both."""
    rows = csv.DictReader(io.StringIO(text))
    titles = {title.strip() for title in rows.fieldnames or ()}
    return rows if {"leaf", "label"} <= titles else None


# ------------------------------------------------------------------------------------ scores


@dataclass(frozen=True)
class ScoreTable:
    """Scored cases; rows without a score or a class are left out and counted.

    Parameters
    ----------
    classes
        Labels in the order of the header, or in alphabetical order.
    actual
        Index of each case's class.
    """

    scores: tuple[float, ...]
    actual: tuple[int, ...]
    weights: tuple[float, ...]
    classes: tuple[str, ...]
    left_out: int


def read_score_table(source: SourceLike, score: str, actual: str | None = None) -> ScoreTable:
    r"""Read the columns of scores and of classes.

    Parameters
    ----------
    source
        A path, ``-`` for standard input, bytes or a file object: CSV with titles, or
        ARFF.
    score
        Name of the column of scores; larger means more likely positive.
    actual
        Name of the column of classes. Default: ``actual`` in CSV, the last nominal attribute
        in ARFF.

    Examples
    --------
    >>> table = read_score_table(b"score,actual\n0.7,yes\n0.2,no\n,no\n", "score")
    >>> table.scores, table.actual, table.classes, table.left_out
    ((0.7, 0.2), (1, 0), ('no', 'yes'), 1)
    """
    raw, name = read_bytes(source, limit=_LARGEST)
    if raw.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"@", b"%"):
        scores, labels, weights, classes = _from_arff(raw, name, score, actual)
    else:
        text = _utf8(raw, name, "expected CSV or ARFF")
        scores, labels, weights, classes = _from_csv(text, name, score, actual or "actual")
    rows = [
        (s, int(a), w)
        for s, a, w in zip(scores, labels, weights, strict=True)
        if not isnan(s) and not isnan(a)
    ]
    return ScoreTable(
        tuple(s for s, _, _ in rows),
        tuple(a for _, a, _ in rows),
        tuple(w for _, _, w in rows),
        classes,
        len(scores) - len(rows),
    )


_Columns = tuple[list[float], list[float], list[float], tuple[str, ...]]


def _translate_csv_errors(reader: Any, name: str) -> Iterator[list[str]]:
    """The lines of a CSV reader; what Python cannot separate is an error of the data."""
    try:
        yield from reader
    except csv.Error as error:
        expected = "expected comma-separated values"
        raise DataReadError(f"not CSV: {error}", expected, name, reader.line_num) from error


def _from_csv(text: str, name: str, score: str, actual: str) -> _Columns:
    reader = csv.reader(io.StringIO(text))
    titles = next(_translate_csv_errors(reader, name), [])
    where, what = _column(titles, score), _column(titles, actual)
    scores, labels = [], []
    for row in filter(None, _translate_csv_errors(reader, name)):
        line = reader.line_num
        if len(row) != len(titles):
            raise DataReadError(f"{len(row)} cells", f"expected {len(titles)}", name, line)
        cell = row[where]
        missing = cell.strip() in ("", "?")
        scores.append(nan if missing else _number(cell, f"{cell!r} is no score", name, line))
        labels.append(row[what])
    classes = tuple(sorted(set(labels) - {"", "?"}))
    index = {label: float(k) for k, label in enumerate(classes)}
    return scores, [index.get(label, nan) for label in labels], [1.0] * len(scores), classes


def _from_arff(raw: bytes, name: str, score: str, actual: str | None) -> _Columns:
    data = read_arff(ByteSource(name, io.BytesIO(raw).read))
    attributes = data.header.attributes
    where = _column(data.header.names, score)
    nominal = [i for i, a in enumerate(attributes) if a.is_nominal and i != where]
    if actual is None and not nominal:
        raise DataReadError("no nominal attribute", "expected one with the classes", name)
    what = nominal[-1] if actual is None else _column(data.header.names, actual)
    if not attributes[where].is_numeric:
        raise DataReadError(f"attribute {score!r} is not numeric", "expected scores", name)
    if not attributes[what].is_nominal:
        raise DataReadError(f"attribute {actual!r} is not nominal", "expected classes", name)
    scores, labels = data.X[:, where].tolist(), data.X[:, what].tolist()
    return scores, labels, data.weights.tolist(), attributes[what].values


def _column(titles: Sequence[str], name: str) -> int:
    if name not in titles:
        raise UnknownNameError("column", name, titles)
    return list(titles).index(name)


# ------------------------------------------------------------------------------------- costs

_COSTS = "expected '2 2' and two rows of two costs, or [0 5; 1 0]"


def read_cost_matrix(source: SourceLike) -> tuple[tuple[float, ...], ...]:
    r"""Costs by actual class (row) and predicted class (column).

    Parameters
    ----------
    source
        A path, ``-`` for standard input, bytes or a file object: Weka's cost file
        (comments after ``%``, a line with the numbers of rows and columns, the rows), or
        one line such as ``[0.0 5.0; 1.0 0.0]``.

    Examples
    --------
    >>> read_cost_matrix(b"% Rows\tColumns\n2\t2\n% Matrix elements\n0.0\t5.0\n1.0\t0.0\n")
    ((0.0, 5.0), (1.0, 0.0))
    >>> read_cost_matrix(b"[0 5; 1 0]")
    ((0.0, 5.0), (1.0, 0.0))
    """
    raw, name = read_bytes(source, limit=_LARGEST)
    text = raw.decode("utf-8-sig", "replace")
    lines = [
        (number, words)
        for number, line in enumerate(text.splitlines(), 1)
        if (words := line.partition("%")[0].replace(",", " ").strip())
    ]
    if not lines:
        raise DataReadError("no cost matrix in it", _COSTS, name)
    rows = _read_bracketed(lines, name) if lines[0][1].startswith("[") else _read_sized(lines, name)
    n = len(rows)
    for number, row in rows:
        if (count := len(row.split())) != n:
            raise DataReadError(f"{count} costs in a row", f"expected {n}", name, number)
    return tuple(tuple(_cost(word, name, number) for word in row.split()) for number, row in rows)


def _read_bracketed(lines: list[tuple[int, str]], name: str) -> list[tuple[int, str]]:
    """The rows of a matrix such as ``[0 5; 1 0]``, each with the number of its line."""
    first = lines[0][0]
    text = " ".join(line for _, line in lines)
    if not text.endswith("]"):
        raise DataReadError("no bracket ends the matrix", _COSTS, name, first)
    return [(first, row) for row in text[1:-1].split(";") if row.strip()]


def _read_sized(lines: list[tuple[int, str]], name: str) -> list[tuple[int, str]]:
    """The rows below a line with their numbers of rows and columns, as Weka writes them."""
    (first, head), *rows = lines
    size = head.split()
    if len(size) != 2 or not all(word.isascii() and word.isdigit() for word in size):
        raise DataReadError(f"{head!r} is not the size of a matrix", _COSTS, name, first)
    n, m = map(int, size)
    if n != m or not n:
        raise DataReadError(f"a matrix of {n} x {m}", "expected a square one", name, first)
    if len(rows) != n:
        raise DataReadError(f"{len(rows)} rows", f"expected {n}", name, first)
    return rows


def _cost(word: str, name: str, number: int) -> float:
    problem = f"{word!r} is no cost"
    cost = _number(word, problem, name, number)
    if not isfinite(cost):
        raise DataReadError(problem, "expected a number", name, number)
    return cost


# ------------------------------------------------------------------------------------ a case


def read_case(values: Mapping[str, Any], header: Header) -> Dataset:
    """One row; attributes that are not named are missing, and so is ``?``.

    Raises
    ------
    UnknownNameError, DataReadError
        If a name is not known, or a value is none of its attribute.
    """
    X = np.full((1, len(header)), np.nan)
    for name, value in values.items():
        if name not in header.names:
            raise UnknownNameError("attribute", name, header.names)
        column = header.position(name)
        attribute = header.attributes[column]
        if value == "?" and "?" not in attribute.index_of:
            continue
        cell = cell_value(value, attribute)
        if isinstance(cell, str):
            raise DataReadError(f"{name}={value}", cell, "the case")
        X[0, column] = cell
    return Dataset(header, X, np.ones(1))


def split_case(text: str, header: Header) -> dict[str, str]:
    """Values by name from ``a=1,b=2``; names and values may hold commas and equals signs.

    A part begins where a known name and ``=`` follow the beginning or a comma.
    """
    known = sorted(header.names, key=len, reverse=True)
    places: list[tuple[int, str]] = []
    start = 0
    while start <= len(text):
        name = next((n for n in known if text.startswith(f"{n}=", start)), None)
        if name is not None:
            places.append((start, name))
        elif not places and "=" not in text:
            raise DataReadError(text, "expected NAME=VALUE,...", "the case")
        elif not places:
            raise UnknownNameError("attribute", text.split("=")[0], header.names)
        comma = text.find(",", start)
        if comma < 0:
            break
        start = comma + 1
        while text.startswith(" ", start):
            start += 1
    values: dict[str, str] = {}
    ends = [place for place, _ in places[1:]] + [len(text)]
    for (place, name), end in zip(places, ends, strict=True):
        value = text[place + len(name) + 1 : end]
        if end < len(text):
            value = value.rstrip().removesuffix(",")
        values[name] = value.strip()
    return values
