"""New labels for the leaves, and what they cost, as a table and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from j48geo.core.tree import BoxTree
from j48geo.decide.costs import (
    CostMatrix,
    cost_ratio,
    expected_costs,
    labelling_cost,
)
from j48geo.decide.leaf_counts import ClassCounts
from j48geo.decide.leaf_order import Smoothing
from j48geo.decide.relabel import relabelled
from j48geo.show.reports.labellings import number_or_none
from j48geo.show.rows.row_report import csv_table
from j48geo.show.text import PLAIN, Style, plain_number, text_table
from j48geo.show.tree.weka_text import relabelled_text
from j48geo.text import to_one_line

Estimates = Sequence[Sequence[Fraction] | None]


@dataclass(frozen=True)
class Labelled:
    """New labels, and what they were chosen by.

    Parameters
    ----------
    matrix
        The costs that count, those of new class shares included.
    told
        What was asked for, in words.
    labels, raw_labels
        Chosen by the smoothed and by the raw estimates.
    positive
        The class that matters, if there is one.
    m
        That of the m-estimate.
    """

    tree: BoxTree
    counts: ClassCounts
    matrix: CostMatrix
    told: str
    smoothing: Smoothing
    estimates: Estimates
    labels: tuple[int, ...]
    raw_labels: tuple[int, ...]
    positive: int | None = None
    m: float | None = None

    @cached_property
    def own(self) -> tuple[int, ...]:
        """J48's labels."""
        return tuple(leaf.label for leaf in self.tree.leaves)

    @cached_property
    def changed(self) -> tuple[int, ...]:
        """Leaves whose label is new."""
        pairs = zip(self.labels, self.own, strict=True)
        return tuple(k for k, (label, own) in enumerate(pairs) if label != own)

    @property
    def weight(self) -> Fraction:
        """Training weight."""
        return sum(self.counts.totals, start=Fraction(0))

    @cached_property
    def costs(self) -> list[tuple[str, Fraction]]:
        """Names of labellings and what they cost on the training counts."""
        n = len(self.labels)
        choices: list[tuple[str, Sequence[int]]] = [
            ("J48's labels", self.own),
            (f"new labels ({_named(self.smoothing)})", self.labels),
        ]
        if self.smoothing != "none":
            choices.append(("new labels (raw)", self.raw_labels))
        choices += [(f"all {name!r}", [c] * n) for c, name in enumerate(self.tree.classes)]
        return [(what, self._cost(labels)) for what, labels in choices]

    def _cost(self, labels: Sequence[int]) -> Fraction:
        return labelling_cost(self.counts.own, labels, self.matrix)


def _named(smoothing: Smoothing) -> str:
    return {"none": "raw", "laplace": "Laplace", "m": "m-estimate"}[smoothing]


def dearer_sentence(found: Labelled) -> str:
    """That the new labels are not cheaper on the counts at hand; empty if they are."""
    (_, own), (_, new), *_rest = found.costs
    if not found.changed or new < own:
        return ""
    both = f"{plain_number(float(new))} against {plain_number(float(own))}"
    return f"the new labels are not cheaper than J48's on the training counts ({both})"


def labels_tree(found: Labelled) -> str:
    """The relabelled tree in J48's layout, with a first line that says what was done."""
    done = (
        f"Relabelled by j48geo ({found.told}; {found.smoothing} estimates): "
        f"{len(found.changed)} of {len(found.labels)} labels differ from J48's"
    )
    return relabelled_text(relabelled(found.tree, found.counts, found.labels), done)


def labels_words(found: Labelled, style: Style = PLAIN) -> str:
    """What was asked, the leaves that change, and the costs."""
    classes = found.tree.classes
    changed = set(found.changed)
    shown = [
        k
        for k in range(len(found.labels))
        if k in changed or found.raw_labels[k] != found.labels[k]
    ]
    parts = [f"{to_one_line(found.told)}\n"]
    if len(classes) > 2 or any(found.matrix.costs[c][c] for c in range(len(classes))):
        costs = [
            [name, *map(float, row)] for name, row in zip(classes, found.matrix.costs, strict=True)
        ]
        table = text_table(["actual \\ predicted", *classes], costs, classes, style)
        parts.append(f"\n{table}")
    if found.positive is not None and len(classes) == 2:
        ratio = cost_ratio(found.matrix, found.positive)
        if ratio is not None:
            parts.append(
                f"{classes[found.positive]!r} where its estimate is above "
                f"{plain_number(float(ratio))}\n"
            )
    parts.append("\n")
    if shown:
        titles = ["leaf", *classes, "J48", "new", "raw"]
        rows = [[k + 1, *map(float, found.counts.own[k]), *_three(found, k)] for k in shown]
        parts.append(text_table(titles, rows, ["leaf", *classes], style))
    n = len(changed)
    parts.append(f"{n} of {len(found.labels)} leaves {'changes' if n == 1 else 'change'}\n\n")
    weight = found.weight
    rows = [
        [what, float(cost), float(cost / weight) if weight else None] for what, cost in found.costs
    ]
    titles = ["labels", "training cost", "a row"]
    parts.append(text_table(titles, rows, titles[1:], style))
    return "".join(parts)


def _three(found: Labelled, leaf: int) -> list[str]:
    classes = found.tree.classes
    return [classes[x[leaf]] for x in (found.own, found.labels, found.raw_labels)]


def labels_csv(found: Labelled, *, safe: bool = False) -> str:
    """One line a leaf; a file of it is an overlay for ``--labels``."""
    classes = found.tree.classes
    titles = ["leaf", "label", "own", "raw_label", *(f"cost_{c}" for c in classes)]
    rows: list[Sequence[object]] = []
    for k in range(len(found.labels)):
        own, label, raw = _three(found, k)
        estimate = found.estimates[k]
        costs: Sequence[float | None] = [None] * len(classes)
        if estimate is not None:
            costs = [float(x) for x in expected_costs(estimate, found.matrix)]
        rows.append([k + 1, label, own, raw, *costs])
    return csv_table(titles, rows, safe=safe)


def labels_json(found: Labelled) -> dict[str, object]:
    """Everything about the new labels; a file of it is an overlay for ``--labels``."""
    classes = found.tree.classes
    leaves = []
    for k in range(len(found.labels)):
        own, label, raw = _three(found, k)
        estimate = found.estimates[k]
        leaves.append(
            {
                "leaf": k + 1,
                "label": label,
                "own": own,
                "raw_label": raw,
                "counts": dict(zip(classes, map(float, found.counts.own[k]), strict=True)),
                "estimate": None
                if estimate is None
                else dict(zip(classes, map(float, estimate), strict=True)),
                "expected_cost": None
                if estimate is None
                else dict(
                    zip(classes, map(float, expected_costs(estimate, found.matrix)), strict=True)
                ),
            }
        )
    costs = [float(cost) for _, cost in found.costs]
    raw_cost = costs[2] if found.smoothing != "none" else costs[1]
    two = found.positive is not None and len(classes) == 2
    return {
        "asked": found.told,
        "smoothing": found.smoothing,
        "positive": None if found.positive is None else classes[found.positive],
        "cost_matrix": [[float(x) for x in row] for row in found.matrix.costs],
        "cost_ratio": number_or_none(cost_ratio(found.matrix, found.positive or 0))
        if two
        else None,
        "leaves": leaves,
        "changed": [k + 1 for k in found.changed],
        "weight": float(found.weight),
        "costs": {
            "own": costs[0],
            "new": costs[1],
            "raw": raw_cost,
            "trivial": dict(zip(classes, costs[-len(classes) :], strict=True)),
        },
    }
