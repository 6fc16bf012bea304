"""Write numbers, attributes and nested values as JSON, for model files and for output."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import cache
from math import inf, isinf, isnan

from j48geo.core.dataset import Attribute

INFINITIES = {"Infinity": inf, "-Infinity": -inf}
"""The words for what JSON has no number for; NaN is null."""


def number_json(x: float | None) -> float | str | None:
    """A number for JSON: NaN is null, infinities are words."""
    if x is None or isnan(x):
        return None
    if isinf(x):
        return next(word for word, infinity in INFINITIES.items() if infinity == x)
    return float(x)


def attribute_json(attribute: Attribute) -> dict[str, object]:
    """Name, type and weight, and ``values``, ``format`` or ``attributes`` if the type has them."""
    fields: dict[str, object] = {"name": attribute.name, "type": attribute.type}
    if attribute.is_nominal:
        fields["values"] = list(attribute.values)
    if attribute.type == "date":
        fields["format"] = attribute.format
    if attribute.type == "relational":
        fields["attributes"] = [attribute_json(a) for a in attribute.attributes]
    fields["weight"] = number_json(attribute.weight)
    return fields


@cache
def _encoder(depth: int) -> Callable[[object], str]:
    """What writes values without values inside; json's own indenting is many times slower."""
    apart = ",\n" + " " * depth
    return json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(apart, ": ")).encode


def indented_json(value: object, depth: int = 0) -> str:
    """The text of ``json.dumps(value, indent=1)``, inside of something at a depth.

    Labels stay as they are. Infinities and NaN have no JSON: ValueError.
    """
    items: Iterable[tuple[object, object]]
    if isinstance(value, dict) and value:
        items = value.items()
    elif isinstance(value, (list, tuple)) and value:
        items = enumerate(value)
    else:
        return _encoder(0)(value)
    inner = depth + 1
    plain = _encoder(inner)
    named = isinstance(value, dict)
    parts, run = [], {}
    for key, part in items:
        if not isinstance(part, (dict, list, tuple)):
            run[key] = part
            continue
        if run:
            parts.append(plain(run if named else list(run.values()))[1:-1])
            run = {}
        lead = f"{plain(key)}: " if named else ""
        parts.append(lead + indented_json(part, inner))
    if run:
        parts.append(plain(run if named else list(run.values()))[1:-1])
    begin, end = "{}" if named else "[]"
    pad = "\n" + " " * inner
    return f"{begin}{pad}{f',{pad}'.join(parts)}\n{' ' * depth}{end}"
