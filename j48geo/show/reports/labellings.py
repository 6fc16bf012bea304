"""Labels of leaves as tables and JSON: leaves in order, optimal labellings, new labels."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from fractions import Fraction
from math import inf

from j48geo.decide.costs import cost_ratio
from j48geo.decide.labellings import Labelling, OrderedLeaves, list_roc_points
from j48geo.decide.leaf_order import leaf_accuracies
from j48geo.decide.leaf_rules import leaf_rules
from j48geo.decide.relabelling import Relabelling, expected_costs, relabel_tree
from j48geo.show.rows.row_report import csv_table
from j48geo.show.rules import rule_texts
from j48geo.show.text import PLAIN, Style, format_number, text_table
from j48geo.show.weka_text import relabelled_tree_text
from j48geo.text import to_one_line

_LARGEST = Fraction(sys.float_info.max)


def number_or_none(x: Fraction | None) -> float | None:
    """A fraction as a float; None stays None, and so is what no double holds."""
    return None if x is None or x > _LARGEST else float(x)


# ----------------------------------------------------------------------------------- leaves


def leaf_titles() -> list[str]:
    """Titles of `leaf_rows`."""
    estimates = ["raw", "laplace", "m-estimate"]
    return ["rank", "leaf", "label", "positive", "negative", *estimates, "tpr", "fpr", "rule"]


def leaf_rows(ordered: OrderedLeaves) -> list[list[object]]:
    """One row a leaf, best first; rates are those after the leaf and its equals."""
    tree, counts = ordered.tree, ordered.order.counts
    n_classes = len(tree.classes)
    columns = [
        leaf_accuracies(counts, kind, classes=n_classes, mp=ordered.mp)
        for kind in ("none", "laplace", "m")
    ]
    rules, ranks = list(rule_texts(tree, leaf_rules(tree))), ordered.order.ranks
    rows: list[list[object]] = []
    points = list_roc_points(ordered.order, ordered.coverage)[1:]
    for group, point in zip(ordered.order.groups, points, strict=True):
        fpr, tpr = map(number_or_none, point)
        for leaf in group.leaves:
            rows.append(
                [
                    ranks[leaf],
                    leaf + 1,
                    tree.classes[tree.leaves[leaf].label],
                    float(counts.positive[leaf]),
                    float(counts.negative[leaf]),
                    *(number_or_none(column[leaf]) for column in columns),
                    tpr,
                    fpr,
                    rules[leaf],
                ]
            )
    return rows


def leaves_to_text(ordered: OrderedLeaves, style: Style = PLAIN) -> str:
    """The leaves as a table for people."""
    titles = leaf_titles()
    table = text_table(titles, leaf_rows(ordered), titles[:2] + titles[3:-1], style)
    return f"positive: {to_one_line(ordered.tree.classes[ordered.positive])}\n\n{table}"


# ------------------------------------------------------------------------------- labellings


def labellings_to_json(ordered: OrderedLeaves) -> dict[str, object]:
    """The contract of ``j48geo labellings --format json``."""
    order, area, corners = ordered.order, ordered.auc, ordered.hull
    fpr, tpr = ordered.own_point
    return {
        "positive": ordered.tree.classes[ordered.positive],
        "smoothing": order.smoothing,
        "leaves": [
            {
                "leaf": k + 1,
                "positive": float(order.counts.positive[k]),
                "negative": float(order.counts.negative[k]),
                "accuracy": number_or_none(order.accuracy[k]),
                **_test_counts(ordered, k),
            }
            for k in range(len(ordered.tree.leaves))
        ],
        "labellings": [_labelling_to_json(s, ordered.own) for s in ordered.labellings],
        "auc": number_or_none(area),
        "auc_exact": None if area is None else str(area),
        "hull": None if corners is None else [[float(x), float(y)] for x, y in corners],
        "own": {
            "positive_leaves": _leaf_numbers(ordered.own),
            "tpr": number_or_none(tpr),
            "fpr": number_or_none(fpr),
            "on_hull": ordered.own_is_on_hull,
        },
    }


def labellings_to_csv(ordered: OrderedLeaves, *, safe: bool = False) -> str:
    """One line a labelling; an infinite bound is ``Infinity``, unknown cells are empty."""
    titles = "positive_leaves tpr fpr cost_ratio_low cost_ratio_high fn_to_fp_low fn_to_fp_high"
    rows: list[Sequence[object]] = []
    for s in ordered.labellings:
        low, high = s.fn_to_fp
        rows.append(
            [
                " ".join(map(str, _leaf_numbers(s.positive_leaves))),
                *map(number_or_none, (s.tpr, s.fpr, *s.cost_ratio)),
                *(inf if x is None else x for x in map(number_or_none, (low, high))),
            ]
        )
    return csv_table(titles.split(), rows, safe=safe)


def labellings_to_text(ordered: OrderedLeaves, style: Style = PLAIN) -> str:
    """A table of the labellings, and what is to be known about them."""
    label = ordered.tree.classes[ordered.positive]
    corners = ordered.hull
    rows = []
    for i, s in enumerate(ordered.labellings):
        low, high = s.fn_to_fp
        gained, lost = s.changes(ordered.own)
        corner = corners is not None and (s.fpr, s.tpr) in corners
        rows.append(
            [
                f"S{i}",
                number_or_none(s.tpr),
                number_or_none(s.fpr),
                f"{_format_fraction(s.cost_ratio[0])} to {_format_fraction(s.cost_ratio[1])}",
                f"{_format_fraction(low)} to {_format_fraction(high)}",
                "yes" if corner else "-" if corners is None else "no",
                _leaf_list(s.positive_leaves),
                _change_text(gained, lost),
            ]
        )
    titles = ["", "tpr", "fpr", "cost ratio", "FN : FP", "hull", f"{label} at", "against J48"]
    table = text_table(titles, rows, ["tpr", "fpr"], style, whole=titles[3:6])
    return f"{table}\n{_sentences(ordered)}"


def _sentences(ordered: OrderedLeaves) -> str:
    area = ordered.auc
    auc_text = (
        "AUC: not defined, a class has no case"
        if area is None
        else f"AUC {_format_fraction(area)}"
        + (f" (exactly {area})" if area.denominator < 10**9 else "")
    )
    fpr, tpr = ordered.own_point
    on = ordered.own_is_on_hull
    where = "" if on is None else ", on the convex hull" if on else ", below the convex hull"
    rates = f"tpr {_format_fraction(tpr, '-')}, fpr {_format_fraction(fpr, '-')}{where}"
    return f"{auc_text}\nJ48's own labels: {rates}; {_leaf_list(ordered.own)} positive\n"


def _test_counts(ordered: OrderedLeaves, leaf: int) -> dict[str, float]:
    """What a test set brings to the leaf, if there is one."""
    if ordered.coverage is ordered.order.counts:
        return {}
    coverage = ordered.coverage
    return {
        "test_positive": float(coverage.positive[leaf]),
        "test_negative": float(coverage.negative[leaf]),
    }


def _labelling_to_json(s: Labelling, own: Sequence[int]) -> dict[str, object]:
    gained, lost = s.changes(own)
    return {
        "positive_leaves": _leaf_numbers(s.positive_leaves),
        "tpr": number_or_none(s.tpr),
        "fpr": number_or_none(s.fpr),
        "cost_ratio": [float(x) for x in s.cost_ratio],
        "fn_to_fp": [number_or_none(x) for x in s.fn_to_fp],
        "to_positive": _leaf_numbers(gained),
        "to_negative": _leaf_numbers(lost),
    }


def _leaf_numbers(leaves: Sequence[int]) -> list[int]:
    return [k + 1 for k in leaves]


def _leaf_list(leaves: Sequence[int], most: int = 8) -> str:
    if not leaves:
        return "no leaf"
    shown = ", ".join(str(k + 1) for k in leaves[:most])
    return ("leaf " if len(leaves) == 1 else "leaves ") + (
        f"{shown}, ... ({len(leaves)})" if len(leaves) > most else shown
    )


def _change_text(gained: Sequence[int], lost: Sequence[int]) -> str:
    if not gained and not lost:
        return "the same"
    parts = [f"+ {_leaf_list(gained)}"] if gained else []
    if lost:
        parts.append(f"- {_leaf_list(lost)}")
    return ", ".join(parts)


def _format_fraction(x: Fraction | None, none: str = "Infinity") -> str:
    number = number_or_none(x)
    return none if number is None else format_number(number)


# ------------------------------------------------------------------------------- new labels


def note_higher_cost(relabelling: Relabelling) -> str:
    """That the new labels are not cheaper on the counts at hand; empty if they are."""
    (_, own), (_, new), *_rest = relabelling.costs
    if not relabelling.changed or new < own:
        return ""
    both = f"{format_number(float(new))} against {format_number(float(own))}"
    return f"the new labels are not cheaper than J48's on the training counts ({both})"


def relabelling_to_tree(relabelling: Relabelling) -> str:
    """The relabelled tree in J48's layout, with a first line that says what was done."""
    headline = (
        f"Relabelled by j48geo ({relabelling.description}; {relabelling.smoothing} estimates): "
        f"{len(relabelling.changed)} of {len(relabelling.labels)} labels differ from J48's"
    )
    return relabelled_tree_text(
        relabel_tree(relabelling.tree, relabelling.counts, relabelling.labels), headline
    )


def relabelling_to_text(relabelling: Relabelling, style: Style = PLAIN) -> str:
    """What was asked, the leaves that change, and the costs."""
    classes = relabelling.tree.classes
    changed = set(relabelling.changed)
    shown = [
        k
        for k in range(len(relabelling.labels))
        if k in changed or relabelling.raw_labels[k] != relabelling.labels[k]
    ]
    parts = [f"{to_one_line(relabelling.description)}\n", _costs_to_text(relabelling, style), "\n"]
    if shown:
        titles = ["leaf", *classes, "J48", "new", "raw"]
        rows = [
            [k + 1, *map(float, relabelling.counts.own[k]), *_label_names(relabelling, k)]
            for k in shown
        ]
        parts.append(text_table(titles, rows, ["leaf", *classes], style))
    n = len(changed)
    parts.append(f"{n} of {len(relabelling.labels)} leaves {'changes' if n == 1 else 'change'}\n\n")
    weight = relabelling.weight
    rows = [
        [what, float(cost), float(cost / weight) if weight else None]
        for what, cost in relabelling.costs
    ]
    titles = ["labels", "training cost", "a row"]
    parts.append(text_table(titles, rows, titles[1:], style))
    return "".join(parts)


def _costs_to_text(relabelling: Relabelling, style: Style) -> str:
    """The cost matrix, if it does not stand in the description, and the threshold it means."""
    classes = relabelling.tree.classes
    parts = []
    if len(classes) > 2 or any(relabelling.matrix.costs[c][c] for c in range(len(classes))):
        costs = [
            [name, *map(float, row)]
            for name, row in zip(classes, relabelling.matrix.costs, strict=True)
        ]
        table = text_table(["actual \\ predicted", *classes], costs, classes, style)
        parts.append(f"\n{table}")
    if relabelling.positive is not None and len(classes) == 2:
        ratio = cost_ratio(relabelling.matrix, relabelling.positive)
        if ratio is not None:
            parts.append(
                f"{classes[relabelling.positive]!r} where its estimate is above "
                f"{format_number(float(ratio))}\n"
            )
    return "".join(parts)


def _label_names(relabelling: Relabelling, leaf: int) -> list[str]:
    classes = relabelling.tree.classes
    return [classes[x[leaf]] for x in (relabelling.own, relabelling.labels, relabelling.raw_labels)]


def relabelling_to_csv(relabelling: Relabelling, *, safe: bool = False) -> str:
    """One line a leaf; a file of it is an overlay for ``--labels``."""
    classes = relabelling.tree.classes
    titles = ["leaf", "label", "own", "raw_label", *(f"cost_{c}" for c in classes)]
    rows: list[Sequence[object]] = []
    for k in range(len(relabelling.labels)):
        own, label, raw = _label_names(relabelling, k)
        estimate = relabelling.estimates[k]
        costs: Sequence[float | None] = [None] * len(classes)
        if estimate is not None:
            costs = [float(x) for x in expected_costs(estimate, relabelling.matrix)]
        rows.append([k + 1, label, own, raw, *costs])
    return csv_table(titles, rows, safe=safe)


def relabelling_to_json(relabelling: Relabelling) -> dict[str, object]:
    """Everything about the new labels; a file of it is an overlay for ``--labels``."""
    classes = relabelling.tree.classes
    leaves = []
    for k in range(len(relabelling.labels)):
        own, label, raw = _label_names(relabelling, k)
        estimate = relabelling.estimates[k]
        leaves.append(
            {
                "leaf": k + 1,
                "label": label,
                "own": own,
                "raw_label": raw,
                "counts": dict(zip(classes, map(float, relabelling.counts.own[k]), strict=True)),
                "estimate": None
                if estimate is None
                else dict(zip(classes, map(float, estimate), strict=True)),
                "expected_cost": None
                if estimate is None
                else dict(
                    zip(
                        classes,
                        map(float, expected_costs(estimate, relabelling.matrix)),
                        strict=True,
                    )
                ),
            }
        )
    costs = [float(cost) for _, cost in relabelling.costs]
    raw_cost = costs[2] if relabelling.smoothing != "none" else costs[1]
    two = relabelling.positive is not None and len(classes) == 2
    return {
        "asked": relabelling.description,
        "smoothing": relabelling.smoothing,
        "positive": None if relabelling.positive is None else classes[relabelling.positive],
        "cost_matrix": [[float(x) for x in row] for row in relabelling.matrix.costs],
        "cost_ratio": number_or_none(cost_ratio(relabelling.matrix, relabelling.positive or 0))
        if two
        else None,
        "leaves": leaves,
        "changed": [k + 1 for k in relabelling.changed],
        "weight": float(relabelling.weight),
        "costs": {
            "own": costs[0],
            "new": costs[1],
            "raw": raw_cost,
            "trivial": dict(zip(classes, costs[-len(classes) :], strict=True)),
        },
    }
