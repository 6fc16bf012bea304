"""What ``j48geo check`` tells: whether a tree agrees with its footer, and its counts with rows."""

from __future__ import annotations

from collections.abc import Sequence

from j48geo.core.tree import BoxTree
from j48geo.replaying.leaf_comparison import LeafDifference
from j48geo.replaying.replay import Replay
from j48geo.show.text import PLAIN, Style, format_exact, format_number, text_table
from j48geo.text import pluralize


def check_to_json(
    tree: BoxTree, replay: Replay | None, trees: int, notes: Sequence[str]
) -> dict[str, object]:
    """The stable form of ``check --format json``.

    Parameters
    ----------
    replay
        What replaying the counts gave; None without rows.
    trees
        How many trees the text holds.
    """
    differences = () if replay is None else replay.differences
    restored = () if replay is None else replay.restored
    return {
        "ok": not differences,
        "leaves": len(tree.leaves),
        "size": tree.size,
        "trees": trees,
        "differences": [
            {
                "leaf": d.leaf + 1,
                "line": d.line or None,
                "class": _label(tree, d),
                "printed": {"weight": d.printed_weight, "errors": d.printed_errors},
                "replayed": {"weight": d.weight, "errors": d.errors},
                "rows_on_threshold": list(d.on_threshold),
            }
            for d in differences
        ],
        "restored_thresholds": [
            {"node": t.node, "attribute": t.attribute, "printed": t.printed, "threshold": t.value}
            for t in restored
        ],
        "notes": list(notes),
    }


def check_to_text(tree: BoxTree, replay: Replay | None, rows: int, style: Style = PLAIN) -> str:
    """A sentence, then a table of the leaves that differ and of restored thresholds.

    Parameters
    ----------
    rows
        How many rows were replayed.
    """
    parts = [f"{check_sentence(tree, replay, rows)}\n"]
    if replay is not None and replay.differences:
        titles = ["leaf", "line", "class", "printed", "replayed", "rows on a threshold"]
        lines = [
            [
                d.leaf + 1,
                d.line or "-",
                _label(tree, d),
                _format_counts(d.printed_weight, d.printed_errors),
                _format_counts(d.weight, d.errors),
                ", ".join(map(str, d.on_threshold)) or "-",
            ]
            for d in replay.differences
        ]
        parts.append(text_table(titles, lines, ("leaf", "line", "printed", "replayed"), style))
    if replay is not None and replay.restored:
        what = pluralize(len(replay.restored), "threshold is", "thresholds are")
        parts.append(f"{what} rounded in the text and exact in the data:\n")
        titles = ["node", "attribute", "printed", "exact"]
        exact = [[t.node, t.attribute, t.printed, format_exact(t.value)] for t in replay.restored]
        parts.append(text_table(titles, exact, ("node",), style, whole=titles[2:]))
    return "\n".join(parts)


def check_sentence(tree: BoxTree, replay: Replay | None, rows: int) -> str:
    """Size, footer and counts of a tree in one sentence."""
    leaves = pluralize(len(tree.leaves), "leaf", "leaves")
    footer = {
        True: "agrees with the footer",
        False: "the footer says otherwise",
        None: "the text has no footer",
    }[tree.layout.footer_agrees]
    return f"{leaves}, size {tree.size}: {footer}; {_describe_counts(replay, rows)}"


def _describe_counts(replay: Replay | None, rows: int) -> str:
    if replay is None:
        return "no data given, so the counts were not replayed"
    replayed = f"{pluralize(rows, 'row')} replayed"
    if not replay.compared:
        return f"{replayed}: the text shows no counts to compare"
    if replay.differences:
        return f"{replayed}: {len(replay.differences)} of {replay.compared} leaf counts differ"
    if replay.compared == 1:
        return f"{replayed}: the leaf count agrees"
    return f"{replayed}: all {replay.compared} leaf counts agree"


def _label(tree: BoxTree, difference: LeafDifference) -> str:
    return tree.classes[tree.leaves[difference.leaf].label]


def _format_counts(weight: float, errors: float) -> str:
    shown = format_number(weight, 2)
    return f"({shown}/{format_number(errors, 2)})" if errors else f"({shown})"
