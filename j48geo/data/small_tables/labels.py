"""An overlay of labels: leaf numbers and labels, from JSON or CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable

from j48geo.errors import DataReadError

__all__ = ["read_label_table"]


def read_label_table(raw: bytes, name: str) -> dict[int, str] | None:
    r"""Labels by leaf number, counted from 1; None if `raw` is neither of the two.

    JSON has a list ``leaves`` of objects with ``leaf`` and ``label``, CSV columns of these
    names: what ``j48geo label`` writes.

    Raises
    ------
    DataReadError
        If a leaf has no number or stands there twice.

    Examples
    --------
    >>> read_label_table(b"leaf,label\n1,yes\n2,no\n", "labels.csv")
    {1: 'yes', 2: 'no'}
    """
    text = raw.decode("utf-8-sig", "surrogateescape")
    if text.lstrip().startswith("{"):
        return _from_json(text, name)
    first = text.partition("\n")[0].strip()
    titles = next(csv.reader([first]), [])
    if "leaf" not in titles or "label" not in titles:
        return None
    rows = csv.DictReader(io.StringIO(text))
    return _collected(((row.get("leaf"), row.get("label")) for row in rows), name)


def _from_json(text: str, name: str) -> dict[int, str] | None:
    try:
        value = json.loads(text)
    except ValueError:
        return None
    leaves = value.get("leaves") if isinstance(value, dict) else None
    if not isinstance(leaves, list) or not all(isinstance(x, dict) for x in leaves):
        return None
    if not all("leaf" in x and "label" in x for x in leaves) or "format" in value:
        return None
    return _collected(((x["leaf"], x["label"]) for x in leaves), name)


def _collected(pairs: Iterable[tuple[object, object]], name: str) -> dict[int, str]:
    found: dict[int, str] = {}
    for leaf, label in pairs:
        text = str(leaf)
        if not (text.isascii() and text.isdigit()):
            raise DataReadError(f"{text!r} is no number of a leaf", "expected 1, 2, ...", name)
        if int(text) in found:
            raise DataReadError(f"leaf {text} stands there twice", "expected it once", name)
        found[int(text)] = str(label)
    return found
