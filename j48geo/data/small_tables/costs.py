"""A cost matrix as Weka stores it: a file of rows, or Matlab's one line."""

from __future__ import annotations

from math import isfinite

from j48geo.data.source import SourceLike, read_bytes
from j48geo.errors import DataReadError

__all__ = ["read_cost_matrix"]

_LARGEST = 16 << 20
_EXPECTED = "expected '2 2' and two rows of two costs, or [0 5; 1 0]"


def read_cost_matrix(source: SourceLike) -> tuple[tuple[float, ...], ...]:
    r"""Costs by actual class (row) and predicted class (column).

    Parameters
    ----------
    source
        A path, ``-`` for standard input, bytes or a binary file object: Weka's cost file
        (comments after ``%``, a line with the numbers of rows and columns, the rows), or
        one line such as ``[0.0 5.0; 1.0 0.0]``.

    Raises
    ------
    DataReadError
        If it is neither, or not square.

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
        (number, line.partition("%")[0].replace(",", " ").strip())
        for number, line in enumerate(text.splitlines(), 1)
    ]
    lines = [(number, line) for number, line in lines if line]
    if not lines:
        raise DataReadError("no cost matrix in it", _EXPECTED, name)
    first, head = lines[0]
    if head.startswith("["):
        return _one_line(" ".join(line for _, line in lines), name, first)
    size = head.split()
    if len(size) != 2 or not all(word.isascii() and word.isdigit() for word in size):
        raise DataReadError(f"{head!r} is not the size of a matrix", _EXPECTED, name, first)
    n, m = map(int, size)
    if n != m or not n:
        raise DataReadError(f"a matrix of {n} x {m}", "expected a square one", name, first)
    if len(lines) - 1 != n:
        raise DataReadError(f"{len(lines) - 1} rows", f"expected {n}", name, first)
    return tuple(_row(line, n, name, number) for number, line in lines[1:])


def _one_line(text: str, name: str, number: int) -> tuple[tuple[float, ...], ...]:
    if not text.endswith("]"):
        raise DataReadError("no bracket ends the matrix", _EXPECTED, name, number)
    rows = [row for row in text[1:-1].split(";") if row.strip()]
    return tuple(_row(row, len(rows), name, number) for row in rows)


def _row(line: str, n: int, name: str, number: int) -> tuple[float, ...]:
    words = line.split()
    if len(words) != n:
        raise DataReadError(f"{len(words)} costs in a row", f"expected {n}", name, number)
    return tuple(_cost(word, name, number) for word in words)


def _cost(word: str, name: str, number: int) -> float:
    try:
        found = float(word)
    except ValueError:
        found = float("nan")
    if not isfinite(found):
        raise DataReadError(f"{word!r} is no cost", "expected a number", name, number)
    return found
