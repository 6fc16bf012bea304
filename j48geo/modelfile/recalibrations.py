"""What makes the probabilities of methods honest, as JSON and back."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from j48geo.arrays import Floats
from j48geo.core.learnt import RECALIBRATIONS, Recalibration
from j48geo.core.tree import BoxTree
from j48geo.modelfile.schema import (
    LARGEST,
    Json,
    fail,
    lists_of,
    name_of,
    numbers_json,
    numbers_of,
    value_of,
)

__all__ = ["recalibrations_json", "recalibrations_of"]


def recalibrations_json(learnt: Mapping[str, Recalibration]) -> dict[str, object]:
    """By method, if there are any: older files have none."""
    if not learnt:
        return {}
    return {
        "recalibrations": {
            name: {"kind": each.kind, "maps": [_map_json(m) for m in each.maps]}
            for name, each in learnt.items()
        }
    }


def _map_json(numbers: Floats) -> list[list[float | str | None]]:
    return [numbers_json(row) for row in np.atleast_2d(numbers)]


def recalibrations_of(given: Json, tree: BoxTree) -> dict[str, Recalibration]:
    """The same from JSON, if it fits the tree."""
    if given.get("recalibrations") is None:
        return {}
    found = value_of(given, "recalibrations", dict, "fitted")
    return {
        name: _recalibration(value_of(found, name, dict, "fitted.recalibrations"), name, tree)
        for name in found
    }


def _recalibration(value: Json, name: str, tree: BoxTree) -> Recalibration:
    where = f"fitted.recalibrations.{name}"
    kind = name_of(value, "kind", RECALIBRATIONS, where)
    n = 1 if len(tree.classes) == 2 else len(tree.classes)
    maps = []
    for each in lists_of(value, "maps", n, where):
        if kind == "platt":
            (row,) = lists_of(each, "maps", 1, where)
            found = numbers_of(row, "maps", where, size=2)
            if not (np.abs(found) <= LARGEST).all() or found[0] < 0:
                fail(where, "'maps' are not numbers, the first of at least 0")
        else:
            before, after = lists_of(each, "maps", 2, where)
            x = numbers_of(before, "maps", where)
            y = numbers_of(after, "maps", where, size=len(x))
            inside = ((x >= 0) & (x <= 1) & (y > 0) & (y < 1)).all()
            grows = (np.diff(x) > 0).all() and (np.diff(y) >= 0).all()
            if not len(x) or not inside or not grows:
                fail(where, "'maps' are no growing functions between 0 and 1")
            found = np.array([x, y])
        maps.append(found)
    return Recalibration(kind, tuple(maps))
