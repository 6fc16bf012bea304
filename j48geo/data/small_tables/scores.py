"""Scores of cases and their classes, from a CSV or ARFF file."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan, nan

from j48geo.data.arff.stream import read_arff
from j48geo.data.source import SourceLike, read_bytes
from j48geo.errors import DataReadError, UnknownNameError

__all__ = ["ScoreTable", "read_score_table"]

_LARGEST = 1 << 30


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
        A path, ``-`` for standard input, bytes or a binary file object: CSV with titles, or
        ARFF.
    score
        Name of the column of scores; larger means more likely positive.
    actual
        Name of the column of classes. Default: ``actual`` in CSV, the last nominal attribute
        in ARFF.

    Raises
    ------
    DataReadError
        If the file cannot be read or a score is no number.
    UnknownNameError
        If there is no such column.

    Examples
    --------
    >>> found = read_score_table(b"score,actual\n0.7,yes\n0.2,no\n,no\n", "score")
    >>> found.scores, found.actual, found.classes, found.left_out
    ((0.7, 0.2), (1, 0), ('no', 'yes'), 1)
    """
    raw, name = read_bytes(source, limit=_LARGEST)
    start = raw.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    if start in (b"@", b"%"):
        return _from_arff(raw, name, score, actual)
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise DataReadError("not UTF-8", "expected CSV or ARFF", name, line) from error
    return _from_csv(text, name, score, actual or "actual")


def _from_csv(text: str, name: str, score: str, actual: str) -> ScoreTable:
    reader = csv.reader(io.StringIO(text))
    titles = next(reader, [])
    where, what = _column(titles, score), _column(titles, actual)
    scores, labels = [], []
    for row in reader:
        if not row:
            continue
        if len(row) != len(titles):
            raise DataReadError(
                f"{len(row)} cells", f"expected {len(titles)}", name, reader.line_num
            )
        scores.append(_number(row[where], name, reader.line_num))
        labels.append(row[what])
    classes = sorted({label for label in labels if label not in ("", "?")})
    index: dict[str, float] = {label: float(k) for k, label in enumerate(classes)}
    known = [index.get(label, nan) for label in labels]
    return _kept(scores, known, [1.0] * len(scores), tuple(classes))


def _from_arff(raw: bytes, name: str, score: str, actual: str | None) -> ScoreTable:
    try:
        data = read_arff(raw)
    except DataReadError as error:
        raise DataReadError(
            error.problem, error.expected, name, error.line, error.column, error.excerpt
        ) from error
    header = data.header
    where = _column(header.names, score)
    if actual is None:
        nominal = [i for i, a in enumerate(header.attributes) if a.is_nominal and i != where]
        if not nominal:
            raise DataReadError("no nominal attribute", "expected one with the classes", name)
        what = nominal[-1]
    else:
        what = _column(header.names, actual)
    if not header.attributes[where].is_numeric:
        raise DataReadError(f"attribute {score!r} is not numeric", "expected scores", name)
    if not header.attributes[what].is_nominal:
        raise DataReadError(f"attribute {actual!r} is not nominal", "expected classes", name)
    return _kept(
        data.X[:, where].tolist(),
        data.X[:, what].tolist(),
        data.weights.tolist(),
        header.attributes[what].values,
    )


def _kept(
    scores: Sequence[float],
    actual: Sequence[float],
    weights: Sequence[float],
    classes: tuple[str, ...],
) -> ScoreTable:
    rows = [
        (s, int(a), w)
        for s, a, w in zip(scores, actual, weights, strict=True)
        if not isnan(s) and not isnan(a)
    ]
    return ScoreTable(
        tuple(s for s, _, _ in rows),
        tuple(a for _, a, _ in rows),
        tuple(w for _, _, w in rows),
        classes,
        len(scores) - len(rows),
    )


def _column(titles: Sequence[str], name: str) -> int:
    if name not in titles:
        raise UnknownNameError("column", name, titles)
    return list(titles).index(name)


def _number(cell: str, name: str, line: int) -> float:
    if cell.strip() in ("", "?"):
        return nan
    try:
        return float(cell)
    except ValueError as error:
        raise DataReadError(f"{cell!r} is no score", "expected a number", name, line) from error
