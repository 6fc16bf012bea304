"""What ``j48geo fit`` learnt, as JSON beside its tree, and back; numbers, no code.

What a function writes, the function below it reads.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TypeVar

import numpy as np

from j48geo.arrays import Floats
from j48geo.core.counts import NodeCounts
from j48geo.core.json_values import number_json
from j48geo.core.learnt import (
    KDES,
    KERNELS,
    LEAF_VALUES,
    METRICS,
    PARTITIONS,
    RECALIBRATIONS,
    TUNED_FOR,
    DistanceKDE,
    Fitted,
    Metric,
    NearbyLeaves,
    Recalibration,
)
from j48geo.core.tree import BoxTree
from j48geo.modelfile.schema import (
    FITTED_VERSION,
    Json,
    fail,
    lists_of,
    name_of,
    number_between,
    number_of,
    numbers_json,
    numbers_of,
    positive_of,
    value_of,
    whole_numbers_of,
)
from j48geo.modelfile.tree import tree_to_json
from j48geo.words import shown

__all__ = ["fitted_from_json", "fitted_pieces", "fitted_text", "fitted_to_json"]

_Name = TypeVar("_Name", bound=str)
_PARTITION = {"gdk": "none", "ldk": "separator", "ldk-leaf": "leaf"}
_LARGEST = 1e150
"""Numbers whose squares would leave the doubles are nobody's measurements."""


def fitted_text(tree: BoxTree, counts: NodeCounts, fitted: Fitted) -> str:
    """The whole file as text; `j48geo.read_trees` reads it again."""
    return "".join(fitted_pieces(tree, counts, fitted))


def fitted_pieces(tree: BoxTree, counts: NodeCounts, fitted: Fitted) -> Iterator[str]:
    """The text of it, one line for each part of the file."""
    lead = "{\n"
    for key, value in fitted_to_json(tree, counts, fitted).items():
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
        yield f"{lead}{json.dumps(key)}: {text}"
        lead = ",\n"
    yield "\n}\n"


def fitted_to_json(tree: BoxTree, counts: NodeCounts, fitted: Fitted) -> dict[str, object]:
    """The tree with its counts and ``fitted`` as a value that `json.dumps` writes."""
    return tree_to_json(tree, counts) | {
        "fitted": {
            "version": FITTED_VERSION,
            "training": fitted.training,
            "calibration": fitted.calibration,
            "positive": None if fitted.positive is None else tree.classes[fitted.positive],
            "m": number_json(fitted.m),
            "metric": _metric_json(tree, fitted.metric),
            "faces": _faces_json(fitted.faces),
            "densities": {name: _density_json(kde) for name, kde in fitted.densities.items()},
            "nearby": None if fitted.nearby is None else _nearby_json(fitted.nearby),
            **_recalibrations_json(fitted.recalibrations),
        }
    }


def fitted_from_json(value: Json, tree: BoxTree) -> Fitted | None:
    """The part ``fitted`` of a model file, if it has one.

    Raises
    ------
    Wrong
        If it does not fit the tree, or cannot be what `j48geo fit` wrote.
    """
    if value.get("fitted") is None:
        return None
    given = value_of(value, "fitted", dict, "the file")
    if given.get("version") != FITTED_VERSION:
        fail("fitted", f"version {shown(given.get('version'))}; expected {FITTED_VERSION}")
    if value.get("counts_from") != "data":
        fail("fitted", "the nodes have no counts of the training data")
    positive = given.get("positive")
    if positive is not None and positive not in tree.classes:
        fail("fitted", f"no class {shown(positive)}")
    nearby = given.get("nearby")
    densities = value_of(given, "densities", dict, "fitted")
    for name in densities:
        if name not in _PARTITION:
            known = ", ".join(_PARTITION)
            fail("fitted.densities", f"no method {shown(name)}; expected some of {known}")
    return Fitted(
        metric=_metric(value_of(given, "metric", dict, "fitted"), tree),
        faces=None if given.get("faces") is None else _faces(given, tree),
        positive=None if positive is None else tree.classes.index(positive),
        m=None if given.get("m") is None else positive_of(given, "m", "fitted"),
        training=value_of(given, "training", str, "fitted"),
        calibration=value_of(given, "calibration", str, "fitted"),
        densities={
            name: _density(value_of(densities, name, dict, "fitted.densities"), name, tree)
            for name in densities
        },
        nearby=None if nearby is None else _nearby(value_of(given, "nearby", dict, "fitted"), tree),
        recalibrations=_recalibrations(given, tree),
    )


def _metric_json(tree: BoxTree, metric: Metric) -> dict[str, object]:
    return {
        "kind": metric.kind,
        "scale": dict(zip(tree.header.names, numbers_json(metric.scale), strict=True)),
        "nominal_weight": number_json(metric.nominal_weight),
        "source": metric.source,
    }


def _metric(value: Json, tree: BoxTree) -> Metric:
    where = "fitted.metric"
    scales = value_of(value, "scale", dict, where)
    if list(scales) != list(tree.header.names):
        fail(where, "'scale' does not name the attributes of the header")
    scale = np.array([positive_of(scales, name, f"{where}.scale") for name in scales])
    weight = number_of(value, "nominal_weight", where)
    if not 0 <= weight < np.inf:
        fail(where, f"'nominal_weight' is {weight}; expected at least 0")
    return Metric(
        name_of(value, "kind", METRICS, where), scale, weight, value_of(value, "source", str, where)
    )


def _faces_json(faces: Mapping[int, float] | None) -> dict[str, object] | None:
    if faces is None:
        return None
    return {str(node): number_json(face) for node, face in faces.items()}


def _faces(given: Json, tree: BoxTree) -> dict[int, float]:
    where = "fitted.faces"
    numeric = {node.index for node, split in tree.splits if split.kind == "numeric"}
    faces = value_of(given, "faces", dict, "fitted")
    made = {}
    for key in faces:
        if not key.isdecimal() or int(key) not in numeric:
            fail(where, f"node {shown(key)} has no threshold")
        made[int(key)] = number_of(faces, key, where)
        if not np.isfinite(made[int(key)]):
            fail(where, f"the face of node {key} is not finite")
    return made


def _density_json(kde: DistanceKDE) -> dict[str, object]:
    return {
        "partition": kde.partition,
        "kernel": kde.kernel,
        "kde": kde.kde,
        "tau": kde.tau,
        "h": [numbers_json(column) for column in kde.h.T],
        "part": [column.tolist() for column in kde.part.T],
        "actual": kde.actual.tolist(),
        "weights": numbers_json(kde.weights),
        "bandwidth": numbers_json(kde.bandwidth),
    }


def _density(value: Json, name: str, tree: BoxTree) -> DistanceKDE:
    where = f"fitted.densities.{name}"
    if value.get("partition") != _PARTITION[name]:
        fail(
            where, f"'partition' is {shown(value.get('partition'))}; expected {_PARTITION[name]!r}"
        )
    n_classes = len(tree.classes)
    columns = 1 if n_classes == 2 else n_classes
    n = len(value_of(value, "actual", list, where))
    if not n:
        fail(where, "'actual' is empty")
    actual = whole_numbers_of(value, "actual", where, size=n, low=0, high=n_classes)
    weights = numbers_of(value, "weights", where, size=n)
    if not ((weights > 0) & (weights <= _LARGEST)).all():
        fail(where, "'weights' are not all positive numbers up to 1e150")
    bandwidth = numbers_of(value, "bandwidth", where, size=columns)
    if not (bandwidth >= 0).all():
        fail(where, "'bandwidth' is not a list of numbers of at least 0")
    h = np.stack([numbers_of(c, "h", where, size=n) for c in lists_of(value, "h", columns, where)])
    if not (np.abs(h[bandwidth < np.inf]) <= _LARGEST).all():
        fail(where, "'h' is not finite, or beyond 1e150")
    if ((bandwidth > 0) & (bandwidth < 1e-290)).any():
        fail(where, "'bandwidth' is below 1e-290")
    part = np.stack(
        [
            whole_numbers_of(c, "part", where, size=n, low=-1, high=tree.size)
            for c in lists_of(value, "part", columns, where)
        ]
    )
    total = np.bincount(actual, weights, n_classes)
    return DistanceKDE(
        partition=name_of(value, "partition", PARTITIONS, where),
        kernel=name_of(value, "kernel", KERNELS, where),
        kde=name_of(value, "kde", KDES, where),
        tau=positive_of(value, "tau", where),
        h=np.ascontiguousarray(h.T),
        part=np.ascontiguousarray(part.T),
        actual=actual,
        weights=weights,
        bandwidth=bandwidth,
        prior=total / total.sum(),
    )


def _nearby_json(nearby: NearbyLeaves) -> dict[str, object]:
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


def _recalibrations_json(learnt: Mapping[str, Recalibration]) -> dict[str, object]:
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


def _recalibrations(given: Json, tree: BoxTree) -> dict[str, Recalibration]:
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
            if not (np.abs(found) <= _LARGEST).all() or found[0] < 0:
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


def _nearby(value: Json, tree: BoxTree) -> NearbyLeaves:
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
        if not (np.abs(knot) <= _LARGEST).all():
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
        shrinkage=None
        if value.get("shrinkage") is None
        else number_between(value, "shrinkage", where, 0, _LARGEST),
        tuned=_optional_name(value, "tuned", TUNED_FOR),
    )


def _optional_name(value: Json, key: str, known: tuple[_Name, ...]) -> _Name:
    """One of these names; the first, if the file is older than the key."""
    return name_of(value, key, known, "fitted.nearby") if key in value else known[0]
