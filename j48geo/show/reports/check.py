"""What ``j48geo check`` found, in words and as JSON."""

from __future__ import annotations

from dataclasses import dataclass

from j48geo.core.tree import BoxTree
from j48geo.replaying.replay import Replay
from j48geo.show.text import PLAIN, Style, format_exact, format_number, text_table
from j48geo.text import pluralize


@dataclass(frozen=True)
class CountDifference:
    """A leaf whose printed counts the data does not give back; leaf and rows count from 1."""

    leaf: int
    line: int
    label: str
    printed: tuple[float, float]
    replayed: tuple[float, float]
    on_threshold: tuple[int, ...]


@dataclass(frozen=True)
class ExactThreshold:
    """A threshold that the data gives with all its digits."""

    node: int
    attribute: str
    printed: str
    value: float


@dataclass(frozen=True)
class CheckReport:
    """The outcome of a check.

    Parameters
    ----------
    trees
        Number of trees in the text.
    footer
        Whether the footer says the same; None if there is none.
    rows
        Number of rows replayed; None without data.
    compared
        Number of leaves whose counts were compared.
    """

    leaves: int
    size: int
    trees: int
    footer: bool | None
    rows: int | None
    compared: int
    differences: tuple[CountDifference, ...]
    restored: tuple[ExactThreshold, ...]
    notes: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether all that could be compared agrees."""
        return not self.differences

    def to_json(self) -> dict[str, object]:
        """The stable form of ``check --format json``."""
        return {
            "ok": self.ok,
            "leaves": self.leaves,
            "size": self.size,
            "trees": self.trees,
            "differences": [
                {
                    "leaf": d.leaf,
                    "line": d.line or None,
                    "class": d.label,
                    "printed": {"weight": d.printed[0], "errors": d.printed[1]},
                    "replayed": {"weight": d.replayed[0], "errors": d.replayed[1]},
                    "rows_on_threshold": list(d.on_threshold),
                }
                for d in self.differences
            ],
            "restored_thresholds": [
                {
                    "node": t.node,
                    "attribute": t.attribute,
                    "printed": t.printed,
                    "threshold": t.value,
                }
                for t in self.restored
            ],
            "notes": list(self.notes),
        }

    def words(self, style: Style = PLAIN) -> str:
        """A sentence, then a table of the leaves that differ and of restored thresholds."""
        parts = [f"{self._size()}; {self._counts()}\n"]
        if self.differences:
            titles = ["leaf", "line", "class", "printed", "replayed", "rows on a threshold"]
            rows = [
                [d.leaf, d.line or "-", d.label, _pair(d.printed), _pair(d.replayed), _listed(d)]
                for d in self.differences
            ]
            parts.append(text_table(titles, rows, ("leaf", "line", "printed", "replayed"), style))
        if self.restored:
            parts.append(f"{self._restored()}\n")
            titles = ["node", "attribute", "printed", "exact"]
            exact = [[t.node, t.attribute, t.printed, format_exact(t.value)] for t in self.restored]
            parts.append(text_table(titles, exact, ("node",), style, whole=titles[2:]))
        return "\n".join(parts)

    def _size(self) -> str:
        leaves = pluralize(self.leaves, "leaf", "leaves")
        footer = {
            True: "agrees with the footer",
            False: "the footer says otherwise",
            None: "the text has no footer",
        }[self.footer]
        return f"{leaves}, size {self.size}: {footer}"

    def _counts(self) -> str:
        if self.rows is None:
            return "no data given, so the counts were not replayed"
        rows = f"{pluralize(self.rows, 'row')} replayed"
        if not self.compared:
            return f"{rows}: the text shows no counts to compare"
        if self.differences:
            return f"{rows}: {len(self.differences)} of {self.compared} leaf counts differ"
        return f"{rows}: " + (
            "the leaf count agrees"
            if self.compared == 1
            else f"all {self.compared} leaf counts agree"
        )

    def _restored(self) -> str:
        what = pluralize(len(self.restored), "threshold is", "thresholds are")
        return f"{what} rounded in the text and exact in the data:"


def _pair(counts: tuple[float, float]) -> str:
    weight, errors = counts
    shown = format_number(weight, 2)
    return f"({shown}/{format_number(errors, 2)})" if errors else f"({shown})"


def _listed(difference: CountDifference) -> str:
    return ", ".join(map(str, difference.on_threshold)) or "-"


def check_report(
    tree: BoxTree, replay: Replay | None, rows: int, trees: int, notes: tuple[str, ...]
) -> CheckReport:
    """What is to be told of a tree, and of its counts replayed on some rows.

    Parameters
    ----------
    replay, rows
        What replaying gave, and on how many rows; None without rows.
    trees
        How many trees the text holds.
    """
    differences = () if replay is None else replay.differences
    restored = () if replay is None else replay.restored
    return CheckReport(
        leaves=len(tree.leaves),
        size=tree.size,
        trees=trees,
        footer=tree.layout.footer_agrees,
        rows=None if replay is None else rows,
        compared=0 if replay is None else replay.compared,
        differences=tuple(
            CountDifference(
                leaf=d.leaf + 1,
                line=d.line,
                label=tree.classes[tree.leaves[d.leaf].label],
                printed=(d.printed_weight, d.printed_errors),
                replayed=(d.weight, d.errors),
                on_threshold=d.on_threshold,
            )
            for d in differences
        ),
        restored=tuple(ExactThreshold(t.node, t.attribute, t.printed, t.value) for t in restored),
        notes=notes,
    )
