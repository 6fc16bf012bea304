"""What the nearby-leaf average learnt, as JSON and back."""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from j48geo.core.json_values import number_json
from j48geo.core.learnt import LEAF_VALUES, TUNED_FOR, NearbyLeaves
from j48geo.core.tree import BoxTree
from j48geo.modelfile.schema import (
    LARGEST,
    Json,
    fail,
    lists_of,
    name_of,
    number_between,
    numbers_json,
    numbers_of,
    positive_of,
    value_of,
)

__all__ = ["nearby_json", "nearby_of", "strength_of"]

_Name = TypeVar("_Name", bound=str)


def nearby_json(nearby: NearbyLeaves) -> dict[str, object]:
    """What the nearby-leaf average has learnt, as a value that `json.dumps` writes."""
    return {
        "sigma": nearby.sigma,
        **_of_other_leaves(nearby),
        "face": numbers_json(nearby.face),
        "share": numbers_json(nearby.share),
        "leaf_value": [numbers_json(row) for row in nearby.leaf_value],
        "attributes": [
            {
                "column": int(column) + 1,
                "scale": number_json(float(nearby.scale[k])),
                "knot": numbers_json(nearby.knots(k)[0]),
                "rank": numbers_json(nearby.knots(k)[1]),
            }
            for k, column in enumerate(nearby.attribute)
        ],
    }


def _of_other_leaves(nearby: NearbyLeaves) -> dict[str, object]:
    """What a file tells of leaf values, if they are not Laplace's: older files say nothing."""
    made: dict[str, object] = {}
    if nearby.leaves != "laplace":
        made["leaves"] = nearby.leaves
    if nearby.shrinkage is not None:
        made["shrinkage"] = number_json(nearby.shrinkage)
    if nearby.tuned:
        made["tuned"] = nearby.tuned
    return made


def nearby_of(value: Json, tree: BoxTree) -> NearbyLeaves:
    """The same from JSON, if it fits the tree."""
    where = "fitted.nearby"
    tested = sorted({s.attribute for _, s in tree.splits if s.kind == "numeric"})
    attributes = value_of(value, "attributes", list, where)
    if [a.get("column") if isinstance(a, dict) else None for a in attributes] != [
        a + 1 for a in tested
    ]:
        fail(where, "'attributes' are not those with a numeric split")
    scale = [positive_of(a, "scale", f"{where}.attributes") for a in attributes]
    knots, ranks = [np.empty(0)], [np.empty(0)]
    for a in attributes:
        knot = numbers_of(a, "knot", f"{where}.attributes")
        rank = numbers_of(a, "rank", f"{where}.attributes", size=len(knot))
        if not (np.abs(knot) <= LARGEST).all():
            fail(f"{where}.attributes", "'knot' is not finite, or beyond 1e150")
        if not (np.diff(knot) > 0).all():
            fail(f"{where}.attributes", "'knot' does not ascend")
        if not (np.diff(rank) >= 0).all() or not ((rank >= 0) & (rank <= 1)).all():
            fail(f"{where}.attributes", "'rank' does not ascend from 0 to 1")
        knots.append(knot)
        ranks.append(rank)
    n, size = len(tree.leaves), len(tree.classes)
    rows = lists_of(value, "leaf_value", n, where)
    leaf_value = np.stack([numbers_of(row, "leaf_value", where, size=size) for row in rows])
    if not (leaf_value >= 0).all() or not np.allclose(
        leaf_value.sum(axis=1), 1.0, rtol=0, atol=1e-9
    ):
        fail(where, "'leaf_value' are not probabilities")
    face = numbers_of(value, "face", where, size=tree.size)
    numeric = [node.index for node, split in tree.splits if split.kind == "numeric"]
    if np.isnan(face[numeric]).any():
        fail(where, "a threshold has no face")
    share = numbers_of(value, "share", where, size=tree.size)
    if not ((share >= 0) & (share <= 1)).all():
        fail(where, "'share' are not shares")
    return NearbyLeaves(
        sigma=positive_of(value, "sigma", where),
        face=face,
        share=share,
        leaf_value=leaf_value,
        attribute=np.array(tested, dtype=np.intp),
        scale=np.array(scale, dtype=np.float64),
        first_knot=np.concatenate([[0], np.cumsum([len(k) for k in knots[1:]])]).astype(np.intp),
        knot=np.concatenate(knots),
        rank=np.concatenate(ranks),
        leaves=_optional_name(value, "leaves", LEAF_VALUES),
        shrinkage=strength_of(value, where),
        tuned=_optional_name(value, "tuned", TUNED_FOR),
    )


def strength_of(value: Json, where: str) -> float | None:
    """The λ of shrinkage, if the file has one."""
    if value.get("shrinkage") is None:
        return None
    return number_between(value, "shrinkage", where, 0, LARGEST)


def _optional_name(value: Json, key: str, known: tuple[_Name, ...]) -> _Name:
    """One of these names; the first, if the file is older than the key."""
    return name_of(value, key, known, "fitted.nearby") if key in value else known[0]
