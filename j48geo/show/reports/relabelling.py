"""New labels for the leaves, and what they cost, as a table and as JSON."""

from __future__ import annotations

from collections.abc import Sequence

from j48geo.decide.costs import cost_ratio
from j48geo.decide.relabelling import Relabelling, expected_costs, relabel_tree
from j48geo.show.reports.labellings import number_or_none
from j48geo.show.rows.row_report import csv_table
from j48geo.show.text import PLAIN, Style, format_number, text_table
from j48geo.show.weka_text import relabelled_tree_text
from j48geo.text import to_one_line


def note_higher_cost(relabelling: Relabelling) -> str:
    """That the new labels are not cheaper on the counts at hand; empty if they are."""
    (_, own), (_, new), *_rest = relabelling.costs
    if not relabelling.changed or new < own:
        return ""
    both = f"{format_number(float(new))} against {format_number(float(own))}"
    return f"the new labels are not cheaper than J48's on the training counts ({both})"


def relabelling_to_tree(relabelling: Relabelling) -> str:
    """The relabelled tree in J48's layout, with a first line that says what was done."""
    done = (
        f"Relabelled by j48geo ({relabelling.description}; {relabelling.smoothing} estimates): "
        f"{len(relabelling.changed)} of {len(relabelling.labels)} labels differ from J48's"
    )
    return relabelled_tree_text(
        relabel_tree(relabelling.tree, relabelling.counts, relabelling.labels), done
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
