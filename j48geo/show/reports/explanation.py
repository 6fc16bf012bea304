"""Why a case has its class and what would change it, in words and as JSON.

Leaves are numbered from 1, nodes from 0 in the order of the text, as everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isfinite, isnan

import numpy as np

from j48geo.core.json_values import number_json
from j48geo.core.tree import BoxTree
from j48geo.geometry.explanation import Separator, Step
from j48geo.geometry.smallest_change import Flip, ValueChange
from j48geo.score.explained_case import ExplainedCase
from j48geo.score.nearby.average import LeafShares
from j48geo.show.text import format_exact, format_moment, format_number
from j48geo.text import pluralize, to_one_line

_UNITS = {
    "standard": ("standard deviation", "standard deviations"),
    "minmax": ("of the range", "of the range"),
    "none": ("in the attributes' own units", "in the attributes' own units"),
    "custom": ("of the given scale", "of the given scale"),
}
_DAY = 86_400_000


def explanation_to_text(case: ExplainedCase) -> str:
    """The explanation as a person reads it."""
    lines = [*_opening(case), "", *_path(case), "", *_distance_words(case)]
    e = case.explanation
    if e.flip is not None:
        lines += [
            "",
            *_flip(case, e.flip, f"Smallest change that makes it {_target(case, e.flip)}"),
        ]
    elif e.nearest_leaf >= 0:
        lines += ["", "No change of what the tree asks for gives the case another class."]
    for flip in e.per_class:
        if e.flip is None or (flip.flips_to, flip.leaf) != (e.flip.flips_to, e.flip.leaf):
            title = f"To make it {_target(case, flip)}, {_distance_text(case, flip.distance)} away"
            lines += ["", *_flip(case, flip, title)]
    if case.nearby is not None:
        lines += ["", *nearby_to_text(case.tree, case.nearby, case.sigma, e.leaf)]
    return "".join(f"{to_one_line(line).rstrip()}\n" for line in lines)


def _opening(case: ExplainedCase) -> Iterator[str]:
    if case.predicted is None:
        yield f"Row {case.row}: the class is not known (a missing value, and no counts)."
        return
    actual = ""
    if case.actual is not None:
        same = case.actual == case.predicted
        actual = "; that is its class" if same else f"; its class is {case.actual}"
    yield f"Row {case.row}: predicted {case.predicted}{actual}."


def _path(case: ExplainedCase) -> Iterator[str]:
    tree, e = case.tree, case.explanation
    if not e.path and e.leaf >= 0:
        yield "The tree asks nothing: it has one leaf."
    else:
        yield "The way down the tree:"
    texts = [_attribute_value(tree, step.attribute, step.value) for step in e.path]
    width = max(map(len, texts), default=0)
    for text, step in zip(texts, e.path, strict=True):
        yield f"  {text:<{width}}  {_condition_text(tree, step)}"
    if e.leaf < 0:
        stop = tree.nodes[0]
        for step in e.path:
            stop = tree.nodes[stop.children[step.branch]]
        assert stop.split is not None
        name = tree.attribute(stop.split).name
        yield f"  {name} is missing: from here the case goes down all branches, by their weight"
        return
    yield f"Leaf {e.leaf + 1} says {tree.classes[tree.leaves[e.leaf].label]}{_evidence(case)}"


def _condition_text(tree: BoxTree, step: Step) -> str:
    if step.category >= 0:
        value = tree.header.attributes[step.attribute].values[step.category]
        # What it is stands there already.
        return "" if step.relation == "=" else f"is not {value}"
    return f"is {step.relation} {_value_text(tree, step.attribute, step.threshold)}"


def _evidence(case: ExplainedCase) -> str:
    """What training cases say for the leaf."""
    tree = case.tree
    leaf = tree.leaves[case.explanation.leaf]
    counts = case.counts.per_class[tree.leaf_nodes[leaf.index]]
    if np.isnan(counts).any():
        if leaf.weight is None:
            return " (the text shows no counts)."
        wrong = leaf.errors or 0.0
        return f": {_weight(leaf.weight)} reached it, {format_number(wrong, 2)} of another class."
    total = float(counts.sum())
    if total <= 0:
        return ": no training case reached it."
    shares = [
        f"{format_number(float(n), 2)} {label}"
        for label, n in zip(tree.classes, counts, strict=True)
        if n > 0
    ]
    return f": {_weight(total)} reached it: {', '.join(shares)}."


def _weight(weight: float) -> str:
    if weight == int(weight):
        return "1 training case" if weight == 1 else f"{int(weight)} training cases"
    return f"training cases of weight {format_number(weight, 2)}"


def _distance_words(case: ExplainedCase) -> Iterator[str]:
    tree, e = case.tree, case.explanation
    if e.predicted < 0:
        yield "Without a class there is no distance to a boundary; the training data would tell."
        return
    if e.nearest_leaf < 0:
        yield "There is no decision boundary: no leaf says anything else."
        return
    label = tree.classes[tree.leaves[e.nearest_leaf].label]
    yield (
        f"Distance to the decision boundary: {_distance_text(case, e.distance)}"
        f"{_nominal_unit(case)}. The nearest leaf of another "
        f"class is leaf {e.nearest_leaf + 1} ({label})."
    )
    if e.separator is not None:
        s = e.separator
        name = tree.header.attributes[s.attribute].name
        if isnan(s.threshold):
            yield f"The test that stands between: the value of {name} (node {s.node})."
        else:
            where = f"{name} at {_value_text(tree, s.attribute, s.threshold)}"
            yield f"The test that stands between: {where} (node {s.node})."
    if e.distance == 0 and e.separator is not None:
        yield "At distance 0 the case lies on the threshold itself: the least step may flip it."


def _target(case: ExplainedCase, flip: Flip) -> str:
    return f"{case.tree.classes[flip.flips_to]} (leaf {flip.leaf + 1})"


def _flip(case: ExplainedCase, flip: Flip, title: str) -> Iterator[str]:
    yield f"{title}:" if flip.changes else f"{title}: none"
    for change in flip.changes:
        yield f"  {_change_words(case, change)}"


def _change_words(case: ExplainedCase, change: ValueChange) -> str:
    tree, a = case.tree, change.attribute
    attribute = tree.header.attributes[a]
    before, after = (_value_text(tree, a, value) for value in (change.before, change.to))
    text = f"{attribute.name} from {before} to {after}"
    if change.choices:
        others = [attribute.values[i] for i in change.choices if i != change.to]
        return f"{text} (or {_join_values(others)})" if others else text
    details: list[str] = []
    if not isnan(change.before):
        by = change.to - change.before
        sign = "up" if by > 0 else "down"
        details.append(f"{sign} by {_amount(attribute.type == 'date', abs(by))}")
        if case.metric.kind != "none":
            details[-1] += f", {_distance_text(case, change.scaled)}"
    if isfinite(change.threshold):
        threshold = _value_text(tree, a, change.threshold).partition(" (")[0]
        requirement = {
            "<=": f"at most {threshold}",
            "<": f"less than {threshold}",
            ">": f"more than {threshold}",
            ">=": f"at least {threshold}",
        }[change.relation]
        if change.beyond > 0:
            past = _amount(attribute.type == "date", change.beyond)
            requirement += f", here {past} past it"
        details.append(f"it must be {requirement}")
    return f"{text} ({'; '.join(details)})" if details else text


def _join_values(values: Sequence[str]) -> str:
    shown = ", ".join(values[:5])
    return f"{shown}, ..." if len(values) > 5 else shown


def _distance_text(case: ExplainedCase, distance: float) -> str:
    one, many = _UNITS[case.metric.kind]
    return f"{format_number(distance)} {one if distance == 1 else many}"


def _nominal_unit(case: ExplainedCase) -> str:
    """What a nominal value adds to a distance, if the tree asks for one."""
    attributes = [case.tree.header.attributes[a] for a in case.tree.used_attributes]
    if not any(a.is_nominal for a in attributes):
        return ""
    return f" (a changed nominal value counts {format_number(case.metric.nominal_weight)})"


def _attribute_value(tree: BoxTree, column: int, value: float) -> str:
    return f"{tree.header.attributes[column].name} = {_value_text(tree, column, value)}"


def _value_text(tree: BoxTree, column: int, value: float) -> str:
    attribute = tree.header.attributes[column]
    if isnan(value):
        return "missing"
    if attribute.is_nominal:
        return attribute.values[int(value)]
    if attribute.type == "date" and isfinite(value):
        return f"{format_moment(value)} UTC ({format_exact(value)} ms)"
    return format_exact(value)


def _amount(is_date: bool, size: float) -> str:
    if not is_date:
        return f"{size:.6g}"
    for length, name in ((_DAY, "day"), (3_600_000, "hour"), (60_000, "minute"), (1000, "second")):
        if size >= length:
            return f"{size / length:.6g} {name}{'' if size == length else 's'}"
    return f"{size:.6g} ms"


def nearby_to_json(tree: BoxTree, shares: LeafShares, sigma: float) -> dict[str, object]:
    """The nearby leaves of a case and their average, for `json.dumps`."""
    return {
        "sigma": sigma,
        "probabilities": dict(zip(tree.classes, shares.average.tolist(), strict=True)),
        "leaves": [
            {
                "leaf": int(leaf) + 1,
                "class": tree.classes[tree.leaves[leaf].label],
                "weight": float(weight),
                "probabilities": dict(zip(tree.classes, value.tolist(), strict=True)),
            }
            for leaf, weight, value in zip(shares.leaf, shares.weight, shares.value, strict=True)
        ],
        "others": shares.others,
        "rest": shares.rest,
    }


def nearby_to_text(tree: BoxTree, shares: LeafShares, sigma: float, own: int) -> Iterator[str]:
    """The nearby leaves of a case as lines for people.

    Parameters
    ----------
    own
        The leaf of the case, -1 if missing values divide it.
    """
    best = int(shares.average.argmax())
    yield (
        f"Leaves around, if its numbers were off by {sigma:g} standard deviations: together they "
        f"say {tree.classes[best]} with {shares.average[best]:.1%}:"
    )
    for leaf, weight, value in zip(shares.leaf.tolist(), shares.weight, shares.value, strict=True):
        c = tree.leaves[leaf].label
        mark = ", its own" if leaf == own else ""
        yield f"  {weight:6.1%}  leaf {leaf + 1}{mark}: {tree.classes[c]} with {value[c]:.1%}"
    if shares.others:
        some = pluralize(shares.others, "more leaf", "more leaves")
        yield f"  {shares.rest:6.1%}  {some}"


Json = dict[str, object]


def explanation_to_json(case: ExplainedCase) -> Json:
    """The explanation as a value that `json.dumps` writes; null where there is nothing."""
    tree, e = case.tree, case.explanation
    result: Json = {
        "row": case.row,
        "predicted": case.predicted,
        "path": [_step_json(tree, step) for step in e.path],
        "distance": _finite_or_none(e.distance),
        "nearest_leaf": _leaf_number(e.nearest_leaf),
        "separator": None if e.separator is None else _separator_json(tree, e.separator),
        "projection": None
        if e.nearest_leaf < 0
        else {
            tree.header.attributes[a].name: _cell(tree, a, float(e.projection[a]))
            for a in tree.used_attributes
        },
        "changes": [] if e.flip is None else _changes_json(tree, e.flip),
        "flips_to": None if e.flip is None else tree.classes[e.flip.flips_to],
        "flips_in_leaf": None if e.flip is None else _leaf_number(e.flip.leaf),
        "per_class": [
            {
                "class": tree.classes[flip.flips_to],
                "leaf": _leaf_number(flip.leaf),
                "distance": _finite_or_none(flip.distance),
                "changes": _changes_json(tree, flip),
            }
            for flip in e.per_class
        ],
        "leaf": _leaf_number(e.leaf),
        "actual": case.actual,
        "metric": case.metric.kind,
    }
    if case.nearby is not None:
        result["nearby"] = nearby_to_json(tree, case.nearby, case.sigma)
    if e.predicted < 0:
        result["flags"] = ["no-class"]
    elif not isfinite(e.distance):
        result["flags"] = ["no-boundary"]
    return result


def _step_json(tree: BoxTree, step: Step) -> Json:
    attribute = tree.header.attributes[step.attribute]
    result: Json = {
        "node": step.node,
        "attribute": attribute.name,
        "value": _cell(tree, step.attribute, step.value),
        "relation": step.relation,
        "threshold": number_json(step.threshold),
    }
    if step.category >= 0:
        result["category"] = attribute.values[step.category]
    return result


def _separator_json(tree: BoxTree, separator: Separator) -> Json:
    return {
        "attribute": tree.header.attributes[separator.attribute].name,
        "threshold": number_json(separator.threshold),
        "node": separator.node,
    }


def _changes_json(tree: BoxTree, flip: Flip) -> list[Json]:
    return [_change_json(tree, change) for change in flip.changes]


def _change_json(tree: BoxTree, change: ValueChange) -> Json:
    attribute = tree.header.attributes[change.attribute]
    result: Json = {
        "attribute": attribute.name,
        "from": _cell(tree, change.attribute, change.before),
        "to": _cell(tree, change.attribute, change.to),
        "relation": change.relation,
        "threshold": number_json(change.threshold),
    }
    if attribute.is_nominal:
        result["choices"] = [attribute.values[i] for i in change.choices]
    else:
        result["beyond"] = _finite_or_none(change.beyond)
    result["scaled"] = _finite_or_none(change.scaled)
    return result


def _cell(tree: BoxTree, column: int, value: float) -> str | float | None:
    attribute = tree.header.attributes[column]
    if attribute.is_nominal and not isnan(value):
        return attribute.values[int(value)]
    return number_json(value)


def _finite_or_none(x: float) -> float | None:
    return float(x) if isfinite(x) else None


def _leaf_number(index: int) -> int | None:
    return None if index < 0 else index + 1


def _class(tree: BoxTree, index: int) -> str | None:
    return None if index < 0 else tree.classes[index]
