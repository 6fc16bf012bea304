"""What ``j48geo fit`` learnt, as JSON beside its tree, and back; numbers, no code.

What a function writes, the function below it reads.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

import numpy as np

from j48geo.core.counts import NodeCounts
from j48geo.core.json_values import number_json
from j48geo.core.learnt import (
    KDES,
    KERNELS,
    METRICS,
    PARTITIONS,
    DistanceKDE,
    Fitted,
    Metric,
)
from j48geo.core.tree import BoxTree
from j48geo.modelfile.nearby import nearby_json, nearby_of, strength_of
from j48geo.modelfile.recalibrations import recalibrations_json, recalibrations_of
from j48geo.modelfile.schema import (
    FITTED_VERSION,
    LARGEST,
    Json,
    fail,
    lists_of,
    name_of,
    number_of,
    numbers_json,
    numbers_of,
    positive_of,
    value_of,
    whole_numbers_of,
)
from j48geo.modelfile.tree import frame_json, nodes_json
from j48geo.words import shown

__all__ = ["fitted_from_json", "fitted_pieces", "fitted_text"]

_PARTITION = {"gdk": "none", "ldk": "separator", "ldk-leaf": "leaf"}


def fitted_text(tree: BoxTree, counts: NodeCounts, fitted: Fitted) -> str:
    """The whole file as text; `j48geo.read_trees` reads it again."""
    return "".join(fitted_pieces(tree, counts, fitted))


def fitted_pieces(tree: BoxTree, counts: NodeCounts, fitted: Fitted) -> Iterator[str]:
    """The text of it, one line for each part of the file; nodes are made one by one."""
    lead = "{\n"
    for key, value in (frame_json(tree, counts) | _fitted_part(tree, fitted)).items():
        yield f"{lead}{json.dumps(key)}: "
        lead = ",\n"
        if key != "nodes":
            yield _line(value)
            continue
        before = "["
        for node in nodes_json(tree, counts):
            yield f"{before}{_line(node)}"
            before = ", "
        yield "]"
    yield "\n}\n"


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _fitted_part(tree: BoxTree, fitted: Fitted) -> dict[str, object]:
    """What stands in the file beside the tree."""
    return {
        "fitted": {
            "version": FITTED_VERSION,
            "training": fitted.training,
            "calibration": fitted.calibration,
            "positive": None if fitted.positive is None else tree.classes[fitted.positive],
            "m": number_json(fitted.m),
            "metric": _metric_json(tree, fitted.metric),
            "faces": _faces_json(fitted.faces),
            "densities": {name: _density_json(kde) for name, kde in fitted.densities.items()},
            "nearby": None if fitted.nearby is None else nearby_json(fitted.nearby),
            **recalibrations_json(fitted.recalibrations),
            **({} if fitted.shrinkage is None else {"shrinkage": number_json(fitted.shrinkage)}),
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
        nearby=None
        if nearby is None
        else nearby_of(value_of(given, "nearby", dict, "fitted"), tree),
        recalibrations=recalibrations_of(given, tree),
        shrinkage=strength_of(given, "fitted"),
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
    if not ((weights > 0) & (weights <= LARGEST)).all():
        fail(where, "'weights' are not all positive numbers up to 1e150")
    bandwidth = numbers_of(value, "bandwidth", where, size=columns)
    if not (bandwidth >= 0).all():
        fail(where, "'bandwidth' is not a list of numbers of at least 0")
    h = np.stack([numbers_of(c, "h", where, size=n) for c in lists_of(value, "h", columns, where)])
    if not (np.abs(h[bandwidth < np.inf]) <= LARGEST).all():
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
