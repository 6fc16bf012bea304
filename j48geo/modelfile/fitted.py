"""The whole file that ``j48geo fit`` writes: a tree and what was fitted, as JSON, and back.

`fitted_text` and `fitted_pieces` write it, `read` is the reader ``json``. What a function writes,
the function below it reads; nothing in the file is executed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

import numpy as np

from j48geo.arrays import Floats
from j48geo.core.counts import NodeCounts
from j48geo.core.dataset import Header
from j48geo.core.fitted_values import (
    KDES,
    KERNELS,
    LEAF_VALUES,
    METRIC_KINDS,
    PARTITIONS,
    RECALIBRATIONS,
    TUNED_FOR,
    DistanceKDE,
    FittedValues,
    Metric,
    NearbyLeaves,
    Recalibration,
)
from j48geo.core.json_values import number_json
from j48geo.core.tree import BoxTree
from j48geo.core.tree_text import Entry, TreeText
from j48geo.errors import ModelReadError
from j48geo.modelfile.part import EXPECTED_JSON, LARGEST_MEASUREMENT, Part, PartError, parse_file
from j48geo.modelfile.tree import (
    FILE_FORMAT,
    FILE_VERSION,
    adopt_header,
    counts_from_json,
    frame_json,
    join_pieces,
    nodes_json,
    tree_from_json,
)
from j48geo.text import quote_value

FITTED_VERSION = 1
"""Of the part ``fitted``; 0.1.0 wrote the same."""

_PARTITION = {"gdk": "none", "ldk": "separator", "ldk-leaf": "leaf"}


def fitted_text(tree: BoxTree, counts: NodeCounts, fitted: FittedValues) -> str:
    """The whole file as text; `j48geo.read_trees` reads it again."""
    return "".join(fitted_pieces(tree, counts, fitted))


def fitted_pieces(tree: BoxTree, counts: NodeCounts, fitted: FittedValues) -> Iterator[str]:
    """The text of the file, one line for each part of it; nodes are made one by one."""
    frame = frame_json(tree, counts) | {"fitted": _fitted_json(tree, fitted)}
    return join_pieces(frame, map(_line, nodes_json(tree, counts)), _line, "\n", ("[", ", ", "]"))


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
    if b'"format"' not in head or FILE_FORMAT.encode() not in head:
        return None
    file = parse_file(data, source)
    if file is None or file.value.get("format") != FILE_FORMAT:
        return None
    version = file.value.get("version")
    if version != FILE_VERSION:
        problem = f"version {quote_value(version)} of the tree format"
        raise ModelReadError(problem, f"expected {FILE_VERSION}", source)
    try:
        tree = tree_from_json(file)
        counts = counts_from_json(file, tree)
        fitted = fitted_from_json(file, tree)
    except (PartError, ValueError, RecursionError) as error:
        raise ModelReadError(f"broken tree: {error}", EXPECTED_JSON, source) from error
    if tree.header.inferred and header is not None:
        tree = adopt_header(tree, header)
    entry = Entry(tree.layout.banner or "tree", (tree,), None, counts=counts, fitted=fitted)
    return TreeText((entry,), (), source)


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _numbers(values: Floats) -> list[float | str | None]:
    """An array of numbers as a list; NaN is null."""
    return [number_json(x) for x in values.tolist()]


def _newer(**given: object) -> dict[str, object]:
    """What older files have not stands in a file only where it says something."""
    return {key: value for key, value in given.items() if value}


def _fitted_json(tree: BoxTree, fitted: FittedValues) -> dict[str, object]:
    metric, faces = fitted.metric, fitted.faces
    recalibrations = {k: _recalibration_json(each) for k, each in fitted.recalibrations.items()}
    return {
        "version": FITTED_VERSION,
        "training": fitted.training,
        "calibration": fitted.calibration,
        "positive": None if fitted.positive is None else tree.classes[fitted.positive],
        "m": number_json(fitted.m),
        "metric": {
            "kind": metric.kind,
            "scale": dict(zip(tree.header.names, _numbers(metric.scale), strict=True)),
            "nominal_weight": number_json(metric.nominal_weight),
            "source": metric.source,
        },
        "faces": None if faces is None else {str(k): number_json(x) for k, x in faces.items()},
        "densities": {name: _density_json(kde) for name, kde in fitted.densities.items()},
        "nearby": None if fitted.nearby is None else _nearby_json(fitted.nearby),
        **_newer(recalibrations=recalibrations),
        **({} if fitted.shrinkage is None else {"shrinkage": number_json(fitted.shrinkage)}),
    }


def fitted_from_json(file: Part, tree: BoxTree) -> FittedValues | None:
    """The part ``fitted`` of a model file, if it has one.

    Raises
    ------
    Wrong
        If it does not fit the tree, or cannot be what `j48geo fit` wrote.
    """
    if not file.has("fitted"):
        return None
    part = file.part("fitted")
    if part.value.get("version") != FITTED_VERSION:
        part.fail(f"version {quote_value(part.value.get('version'))}; expected {FITTED_VERSION}")
    counted = file.value.get("counts_from") == "data"
    part.require(counted, "the nodes have no counts of the training data")
    positive = part.value.get("positive")
    if positive is not None and positive not in tree.classes:
        part.fail(f"no class {quote_value(positive)}")
    densities = part.part("densities")
    for name in densities.value:
        if name not in _PARTITION:
            densities.fail(
                f"no method {quote_value(name)}; expected some of {', '.join(_PARTITION)}"
            )
    maps = part.part("recalibrations") if part.has("recalibrations") else Part({})
    return FittedValues(
        metric=_metric(part.part("metric"), tree),
        faces=_faces(part.part("faces"), tree) if part.has("faces") else None,
        positive=None if positive is None else tree.classes.index(positive),
        m=part.positive("m") if part.has("m") else None,
        training=part.get("training", str),
        calibration=part.get("calibration", str),
        densities={name: _density(densities.part(name), name, tree) for name in densities.value},
        nearby=_nearby(part.part("nearby"), tree) if part.has("nearby") else None,
        recalibrations={name: _recalibration(maps.part(name), tree) for name in maps.value},
        shrinkage=_shrinkage(part),
    )


def _shrinkage(part: Part) -> float | None:
    """The λ of shrinkage, if the file has one."""
    return part.number("shrinkage", 0, LARGEST_MEASUREMENT) if part.has("shrinkage") else None


def _metric(part: Part, tree: BoxTree) -> Metric:
    scales = part.part("scale")
    named = list(scales.value) == list(tree.header.names)
    part.require(named, "'scale' does not name the attributes of the header")
    scale = np.array([scales.positive(name) for name in scales.value])
    weight = part.number("nominal_weight")
    part.require(0 <= weight < np.inf, f"'nominal_weight' is {weight}; expected at least 0")
    return Metric(part.name("kind", METRIC_KINDS), scale, weight, part.get("source", str))


def _faces(part: Part, tree: BoxTree) -> Mapping[int, float]:
    numeric = {str(node.index) for node, split in tree.splits if split.kind == "numeric"}
    for key in part.value:
        part.require(key in numeric, f"node {quote_value(key)} has no threshold")
        part.require(np.isfinite(part.number(key)), f"the face of node {key} is not finite")
    return {int(key): part.number(key) for key in part.value}


# --------------------------------------------------------------------------------- densities


def _density_json(kde: DistanceKDE) -> dict[str, object]:
    return {
        "partition": kde.partition,
        "kernel": kde.kernel,
        "kde": kde.kde,
        "tau": kde.tau,
        "h": [_numbers(column) for column in kde.h.T],
        "part": [column.tolist() for column in kde.part.T],
        "actual": kde.actual.tolist(),
        "weights": _numbers(kde.weights),
        "bandwidth": _numbers(kde.bandwidth),
    }


def _density(part: Part, name: str, tree: BoxTree) -> DistanceKDE:
    if part.value.get("partition") != _PARTITION[name]:
        partition = quote_value(part.value.get("partition"))
        part.fail(f"'partition' is {partition}; expected {_PARTITION[name]!r}")
    n_classes = len(tree.classes)
    columns = 1 if n_classes == 2 else n_classes
    n = len(part.get("actual", list))
    part.require(n, "'actual' is empty")
    actual = part.whole_numbers("actual", n, 0, n_classes)
    weights = part.numbers("weights", n)
    positive = ((weights > 0) & (weights <= LARGEST_MEASUREMENT)).all()
    part.require(positive, "'weights' are not all positive numbers up to 1e150")
    bandwidth = part.numbers("bandwidth", columns)
    part.require((bandwidth >= 0).all(), "'bandwidth' is not a list of numbers of at least 0")
    h = np.stack([column.numbers("h", n) for column in part.lists("h", columns)])
    finite = (np.abs(h[bandwidth < np.inf]) <= LARGEST_MEASUREMENT).all()
    part.require(finite, "'h' is not finite, or beyond 1e150")
    part.require(not ((bandwidth > 0) & (bandwidth < 1e-290)).any(), "'bandwidth' is below 1e-290")
    parts = [c.whole_numbers("part", n, -1, tree.size) for c in part.lists("part", columns)]
    total = np.bincount(actual, weights, n_classes)
    return DistanceKDE(
        partition=part.name("partition", PARTITIONS),
        kernel=part.name("kernel", KERNELS),
        kde=part.name("kde", KDES),
        tau=part.positive("tau"),
        h=np.ascontiguousarray(h.T),
        part=np.ascontiguousarray(np.stack(parts).T),
        actual=actual,
        weights=weights,
        bandwidth=bandwidth,
        prior=total / total.sum(),
    )


# ----------------------------------------------------------------------------- nearby leaves


def _nearby_json(nearby: NearbyLeaves) -> dict[str, object]:
    shrinkage = nearby.shrinkage
    return {
        "sigma": nearby.sigma,
        **_newer(leaves=nearby.leaves if nearby.leaves != "laplace" else ""),
        **({} if shrinkage is None else {"shrinkage": number_json(shrinkage)}),
        **_newer(tuned=nearby.tuned),
        "face": _numbers(nearby.face),
        "share": _numbers(nearby.share),
        "leaf_value": [_numbers(row) for row in nearby.leaf_value],
        "attributes": [
            {
                "column": int(column) + 1,
                "scale": number_json(float(nearby.scale[k])),
                "knot": _numbers(nearby.knots(k)[0]),
                "rank": _numbers(nearby.knots(k)[1]),
            }
            for k, column in enumerate(nearby.attribute)
        ],
    }


def _nearby(part: Part, tree: BoxTree) -> NearbyLeaves:
    numeric = {node.index: s.attribute for node, s in tree.splits if s.kind == "numeric"}
    tested = sorted(set(numeric.values()))
    attributes = part.parts("attributes")
    same = [a.value.get("column") for a in attributes] == [a + 1 for a in tested]
    part.require(same, "'attributes' are not those with a numeric split")
    knots, ranks = [np.empty(0)], [np.empty(0)]
    for each in attributes:
        knot = each.numbers("knot")
        rank = each.numbers("rank", len(knot))
        finite = (np.abs(knot) <= LARGEST_MEASUREMENT).all()
        each.require(finite, "'knot' is not finite, or beyond 1e150")
        each.require((np.diff(knot) > 0).all(), "'knot' does not ascend")
        grows = (np.diff(rank) >= 0).all() and ((rank >= 0) & (rank <= 1)).all()
        each.require(grows, "'rank' does not ascend from 0 to 1")
        knots.append(knot)
        ranks.append(rank)
    rows = part.lists("leaf_value", len(tree.leaves))
    leaf_value = np.stack([row.numbers("leaf_value", len(tree.classes)) for row in rows])
    whole = np.allclose(leaf_value.sum(axis=1), 1.0, rtol=0, atol=1e-9)
    part.require((leaf_value >= 0).all() and whole, "'leaf_value' are not probabilities")
    face, share = part.numbers("face", tree.size), part.numbers("share", tree.size)
    part.require(not np.isnan(face[list(numeric)]).any(), "a threshold has no face")
    part.require(((share >= 0) & (share <= 1)).all(), "'share' are not shares")
    return NearbyLeaves(
        sigma=part.positive("sigma"),
        face=face,
        share=share,
        leaf_value=leaf_value,
        attribute=np.array(tested, dtype=np.intp),
        scale=np.array([each.positive("scale") for each in attributes], dtype=np.float64),
        first_knot=np.concatenate([[0], np.cumsum([len(k) for k in knots[1:]])]).astype(np.intp),
        knot=np.concatenate(knots),
        rank=np.concatenate(ranks),
        leaves=part.name("leaves", LEAF_VALUES) if "leaves" in part.value else "laplace",
        shrinkage=_shrinkage(part),
        tuned=part.name("tuned", TUNED_FOR) if "tuned" in part.value else "",
    )


# ---------------------------------------------------------------------------- recalibrations


def _recalibration_json(recalibration: Recalibration) -> dict[str, object]:
    maps = [[_numbers(row) for row in np.atleast_2d(each)] for each in recalibration.maps]
    return {"kind": recalibration.kind, "maps": maps}


def _recalibration(part: Part, tree: BoxTree) -> Recalibration:
    kind = part.name("kind", RECALIBRATIONS)
    maps = []
    for each in part.lists("maps", 1 if len(tree.classes) == 2 else len(tree.classes)):
        if kind == "platt":
            (row,) = each.lists("maps", 1)
            fitted_map = row.numbers("maps", 2)
            rises = (np.abs(fitted_map) <= LARGEST_MEASUREMENT).all() and fitted_map[0] >= 0
            part.require(rises, "'maps' are not numbers, the first of at least 0")
        else:
            before, after = each.lists("maps", 2)
            x = before.numbers("maps")
            y = after.numbers("maps", len(x))
            inside = ((x >= 0) & (x <= 1) & (y > 0) & (y < 1)).all()
            grows = (np.diff(x) > 0).all() and (np.diff(y) >= 0).all()
            holds = len(x) and inside and grows
            part.require(holds, "'maps' are no growing functions between 0 and 1")
            fitted_map = np.array([x, y])
        maps.append(fitted_map)
    return Recalibration(kind, tuple(maps))
