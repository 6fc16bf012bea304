"""Why a case has its class and what would change it, as JSON."""

from __future__ import annotations

from math import isfinite, isnan

from j48geo.core.json_values import number_json
from j48geo.core.tree import BoxTree
from j48geo.geometry.explanation import Separator, Step
from j48geo.geometry.smallest_change import Change, Flip
from j48geo.show.reports.cases.explain import ExplainedCase
from j48geo.show.reports.cases.nearby import nearby_json

__all__ = ["explanation_json"]

Json = dict[str, object]


def explanation_json(case: ExplainedCase) -> Json:
    """The explanation as a value that `json.dumps` writes; null where there is nothing."""
    tree, e = case.tree, case.explanation
    made: Json = {
        "row": case.row,
        "predicted": case.predicted,
        "path": [_step_json(tree, step) for step in e.path],
        "distance": _measure(e.distance),
        "nearest_leaf": _leaf(e.nearest_leaf),
        "separator": None if e.separator is None else _separator_json(tree, e.separator),
        "projection": None
        if e.nearest_leaf < 0
        else {
            tree.header.attributes[a].name: _cell(tree, a, float(e.projection[a]))
            for a in tree.used_attributes
        },
        "changes": [] if e.flip is None else _changes_json(tree, e.flip),
        "flips_to": None if e.flip is None else tree.classes[e.flip.flips_to],
        "flips_in_leaf": None if e.flip is None else _leaf(e.flip.leaf),
        "per_class": [
            {
                "class": tree.classes[flip.flips_to],
                "leaf": _leaf(flip.leaf),
                "distance": _measure(flip.distance),
                "changes": _changes_json(tree, flip),
            }
            for flip in e.per_class
        ],
        "leaf": _leaf(e.leaf),
        "actual": case.actual,
        "metric": case.metric.kind,
    }
    if case.nearby is not None:
        made["nearby"] = nearby_json(tree, case.nearby, case.sigma)
    if e.predicted < 0:
        made["flags"] = ["no-class"]
    elif not isfinite(e.distance):
        made["flags"] = ["no-boundary"]
    return made


def _step_json(tree: BoxTree, step: Step) -> Json:
    attribute = tree.header.attributes[step.attribute]
    made: Json = {
        "node": step.node,
        "attribute": attribute.name,
        "value": _cell(tree, step.attribute, step.value),
        "relation": step.relation,
        "threshold": number_json(step.threshold),
    }
    if step.category >= 0:
        made["category"] = attribute.values[step.category]
    return made


def _separator_json(tree: BoxTree, separator: Separator) -> Json:
    return {
        "attribute": tree.header.attributes[separator.attribute].name,
        "threshold": number_json(separator.threshold),
        "node": separator.node,
    }


def _changes_json(tree: BoxTree, flip: Flip) -> list[Json]:
    return [_change_json(tree, change) for change in flip.changes]


def _change_json(tree: BoxTree, change: Change) -> Json:
    attribute = tree.header.attributes[change.attribute]
    made: Json = {
        "attribute": attribute.name,
        "from": _cell(tree, change.attribute, change.before),
        "to": _cell(tree, change.attribute, change.to),
        "relation": change.relation,
        "threshold": number_json(change.threshold),
    }
    if attribute.is_nominal:
        made["choices"] = [attribute.values[i] for i in change.choices]
    else:
        made["beyond"] = _measure(change.beyond)
    made["scaled"] = _measure(change.scaled)
    return made


def _cell(tree: BoxTree, column: int, value: float) -> str | float | None:
    attribute = tree.header.attributes[column]
    if attribute.is_nominal and not isnan(value):
        return attribute.values[int(value)]
    return number_json(value)


def _measure(x: float) -> float | None:
    return float(x) if isfinite(x) else None


def _leaf(index: int) -> int | None:
    return None if index < 0 else index + 1


def _class(tree: BoxTree, index: int) -> str | None:
    return None if index < 0 else tree.classes[index]
