"""A file that gives each attribute a scale: JSON, or CSV of name and scale."""

from __future__ import annotations

import csv
import io
import json

from j48geo.data.source import SourceLike, read_bytes
from j48geo.errors import DataReadError

__all__ = ["Scales", "read_scales"]

_LARGEST = 16 << 20
_EXPECTED = 'expected {"name": scale, ...} or lines of name,scale'


class Scales(dict[str, float]):
    """Scales by attribute name; `source` is the name of the file they come from."""

    source: str = ""


def read_scales(source: SourceLike) -> Scales:
    r"""Scales by attribute name, as a custom metric takes them.

    Parameters
    ----------
    source
        A path, ``-`` for standard input, bytes or a binary file object. An object of JSON,
        or CSV with two columns whose first line may hold titles.

    Raises
    ------
    DataReadError
        If it is neither, names an attribute twice, or gives one no number.

    Examples
    --------
    >>> read_scales(b'{"width": 0.5, "mass": 2}')
    {'width': 0.5, 'mass': 2.0}
    >>> read_scales(b"name,scale\nwidth,0.5\n")
    {'width': 0.5}
    """
    raw, name = read_bytes(source, limit=_LARGEST)
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise DataReadError("not UTF-8", _EXPECTED, name, line) from error
    found = _from_json(text, name) if text.lstrip().startswith("{") else _from_csv(text, name)
    if not found:
        raise DataReadError("no scales in it", _EXPECTED, name)
    scales = Scales(found)
    scales.source = name
    return scales


def _from_json(text: str, name: str) -> dict[str, float]:
    def unique(pairs: list[tuple[str, object]]) -> dict[str, float]:
        found: dict[str, float] = {}
        for attribute, scale in pairs:
            if attribute in found:
                raise DataReadError(
                    f"attribute {attribute!r} stands there twice", "expected it once", name
                )
            if not isinstance(scale, (int, float)) or isinstance(scale, bool):
                raise DataReadError(
                    f"the scale of {attribute!r} is no number", _EXPECTED, source=name
                )
            found[attribute] = _float(scale)
        return found

    try:
        found: dict[str, float] = json.loads(text, object_pairs_hook=unique)
    except json.JSONDecodeError as error:
        raise DataReadError(
            f"not JSON: {error.msg}", _EXPECTED, name, error.lineno, error.colno
        ) from error
    except (RecursionError, ValueError) as error:  # endless brackets, endless digits
        raise DataReadError("not JSON", _EXPECTED, name) from error
    return found


def _from_csv(text: str, name: str) -> dict[str, float]:
    found: dict[str, float] = {}
    lines = csv.reader(io.StringIO(text, newline=""), skipinitialspace=True)
    first = True
    try:
        for cells in lines:
            if not any(cell.strip() for cell in cells):
                continue
            is_title, first = first, False
            place = (name, lines.line_num)
            if len(cells) != 2:
                raise DataReadError(f"{len(cells)} cells in a line", _EXPECTED, *place)
            attribute, cell = cells
            try:
                scale = float(cell)
            except ValueError:
                if is_title:
                    continue
                raise DataReadError(
                    f"the scale of {attribute!r} is {cell!r}", "expected a number", *place
                ) from None
            if attribute in found:
                raise DataReadError(
                    f"attribute {attribute!r} stands there twice", "expected it once", *place
                )
            found[attribute] = scale
    except csv.Error as error:
        raise DataReadError(f"not CSV: {error}", _EXPECTED, name, lines.line_num) from error
    return found


def _float(scale: int | float) -> float:
    try:
        return float(scale)
    except OverflowError:
        return float("inf")
