"""Our own model file, JSON: both directions in one place; the reader ``json`` is its door."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from j48geo.core.dataset import Header
from j48geo.core.tree_text import Entry, TreeText
from j48geo.errors import ModelReadError
from j48geo.modelfile.fitted import fitted_from_json
from j48geo.modelfile.schema import FORMAT, VERSION, Json, Wrong
from j48geo.modelfile.tree import counts_from_json, settled, tree_from_json
from j48geo.words import shown

__all__ = ["read"]

_EXPECTED = "expected the JSON that j48geo writes"


def read(data: bytes, *, source: str, header: Header | None = None) -> TreeText | None:
    """The tree in `data`, or None if it is not our JSON; nothing in it is executed.

    Parameters
    ----------
    header
        Header of the data at hand. The JSON carries its own; but if that was only guessed
        from a text, this one tells the order of classes and values.

    Raises
    ------
    ModelReadError
        If it claims to be our JSON and is damaged, or of a later version.
    """
    if not data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return None
    head = data[:2000]
    if b'"format"' not in head or FORMAT.encode() not in head:
        return None
    try:
        value = json.loads(
            data.decode("utf-8-sig"), parse_constant=_no_constant, object_pairs_hook=_object
        )
    except json.JSONDecodeError as error:
        line = error.doc.splitlines()[error.lineno - 1 : error.lineno] or [""]
        raise ModelReadError(
            f"broken JSON: {error.msg}", _EXPECTED, source, error.lineno, error.colno, line[0]
        ) from error
    except (UnicodeDecodeError, RecursionError, ValueError) as error:
        raise ModelReadError(f"broken JSON: {error}", _EXPECTED, source) from error
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        return None
    if value.get("version") != VERSION:
        raise ModelReadError(
            f"version {shown(value.get('version'))} of the tree format",
            f"expected {VERSION}",
            source,
        )
    try:
        tree = tree_from_json(value)
        counts = counts_from_json(value, tree)
        fitted = fitted_from_json(value, tree)
    except (Wrong, ValueError, RecursionError) as error:
        raise ModelReadError(f"broken tree: {error}", _EXPECTED, source) from error
    if tree.header.inferred and header is not None:
        tree = settled(tree, header)
    entry = Entry(tree.layout.banner or "tree", (tree,), None, counts=counts, fitted=fitted)
    return TreeText((entry,), (), source)


def _object(pairs: list[tuple[str, Any]]) -> Json:
    """An object; of a key that comes twice nobody knows which value is meant."""
    made = dict(pairs)
    if len(made) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise ValueError(f"the key {shown(key)} comes twice in an object")
            seen.add(key)
    return made


def _no_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON number")
