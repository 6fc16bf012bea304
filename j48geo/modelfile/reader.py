"""Read a model file of our own: the reader ``json``."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from j48geo.core.dataset import Header
from j48geo.core.tree_text import Entry, TreeText
from j48geo.errors import ModelReadError
from j48geo.modelfile.fitted import fitted_from_json
from j48geo.modelfile.part import Part, PartError
from j48geo.modelfile.tree import FORMAT, VERSION, adopt_header, counts_from_json, tree_from_json
from j48geo.text import quote_value

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
    head = data[:2000]
    if not data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return None
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
        problem = f"version {quote_value(value.get('version'))} of the tree format"
        raise ModelReadError(problem, f"expected {VERSION}", source)
    try:
        file = Part(value)
        tree = tree_from_json(file)
        counts = counts_from_json(file, tree)
        fitted = fitted_from_json(file, tree)
    except (PartError, ValueError, RecursionError) as error:
        raise ModelReadError(f"broken tree: {error}", _EXPECTED, source) from error
    if tree.header.inferred and header is not None:
        tree = adopt_header(tree, header)
    entry = Entry(tree.layout.banner or "tree", (tree,), None, counts=counts, fitted=fitted)
    return TreeText((entry,), (), source)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; of a key that comes twice nobody knows which value is meant."""
    unique = dict(pairs)
    if len(unique) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for i, key in enumerate(keys) if key in keys[:i])
        raise ValueError(f"the key {quote_value(twice)} comes twice in an object")
    return unique


def _no_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON number")
