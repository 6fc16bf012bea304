"""Leaves in order, and the optimal labellings, as tables and as JSON."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from fractions import Fraction
from math import inf

from j48geo.decide.labellings import Labelling, OrderedLeaves, list_roc_points
from j48geo.decide.leaf_order import leaf_accuracies
from j48geo.decide.leaf_rules import leaf_rules
from j48geo.show.rows.row_report import csv_table
from j48geo.show.rules import rule_texts
from j48geo.show.text import PLAIN, Style, format_number, text_table
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
