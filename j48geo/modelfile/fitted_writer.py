"""A fitted model as JSON: the tree, and what was learnt about it; numbers, no code.

The reader is ``json``, as for a tree alone. Arrays are lists; what JSON lacks is null (NaN)
or a word (infinities).
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from j48geo.arrays import Floats
from j48geo.core.counts import NodeCounts
from j48geo.core.learnt import DistanceKDE, Fitted, Metric, NearbyLeaves
from j48geo.core.tree import BoxTree
from j48geo.modelfile.tree_writer import number_json, tree_to_json

__all__ = ["FITTED_VERSION", "fitted_pieces", "fitted_text", "fitted_to_json"]

FITTED_VERSION = 1


def fitted_to_json(tree: BoxTree, counts: NodeCounts, fitted: Fitted) -> dict[str, object]:
    """The tree with its counts and ``fitted`` as a value that `json.dumps` writes."""
    return tree_to_json(tree, counts) | {
        "fitted": {
            "version": FITTED_VERSION,
            "training": fitted.training,
            "calibration": fitted.calibration,
            "positive": None if fitted.positive is None else tree.classes[fitted.positive],
            "m": number_json(fitted.m),
            "metric": _metric(tree, fitted.metric),
            "faces": _faces(fitted),
            "densities": {name: _density(kde) for name, kde in fitted.densities.items()},
            "nearby": None if fitted.nearby is None else _nearby(fitted.nearby),
        }
    }


def fitted_pieces(tree: BoxTree, counts: NodeCounts, fitted: Fitted) -> Iterator[str]:
    """The text of it, one line for each part of the file."""
    lead = "{\n"
    for key, value in fitted_to_json(tree, counts, fitted).items():
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
        yield f"{lead}{json.dumps(key)}: {text}"
        lead = ",\n"
    yield "\n}\n"


def fitted_text(tree: BoxTree, counts: NodeCounts, fitted: Fitted) -> str:
    """The whole file as text; `j48geo.read_trees` reads it again."""
    return "".join(fitted_pieces(tree, counts, fitted))


def _metric(tree: BoxTree, metric: Metric) -> dict[str, object]:
    return {
        "kind": metric.kind,
        "scale": dict(zip(tree.header.names, _numbers(metric.scale), strict=True)),
        "nominal_weight": number_json(metric.nominal_weight),
        "source": metric.source,
    }


def _faces(fitted: Fitted) -> dict[str, object] | None:
    if fitted.faces is None:
        return None
    return {str(node): number_json(face) for node, face in fitted.faces.items()}


def _density(kde: DistanceKDE) -> dict[str, object]:
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


def _nearby(nearby: NearbyLeaves) -> dict[str, object]:
    return {
        "sigma": nearby.sigma,
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


def _numbers(values: Floats) -> list[float | str | None]:
    return [number_json(x) for x in values.tolist()]
