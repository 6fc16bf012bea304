"""Numbers and attributes as values that JSON has: in a model file, and in what is shown."""

from __future__ import annotations

from math import inf, isinf, isnan

from j48geo.core.dataset import Attribute

__all__ = ["INFINITIES", "attribute_json", "number_json"]

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
    made: dict[str, object] = {"name": attribute.name, "type": attribute.type}
    if attribute.is_nominal:
        made["values"] = list(attribute.values)
    if attribute.type == "date":
        made["format"] = attribute.format
    if attribute.type == "relational":
        made["attributes"] = [attribute_json(a) for a in attribute.attributes]
    made["weight"] = number_json(attribute.weight)
    return made
