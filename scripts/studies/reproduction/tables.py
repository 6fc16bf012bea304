"""The papers' tables beside ours, in Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from reproduction.papers import COLUMNS, Column
from reproduction.statistics import Mean, mean_of
from reproduction.store import Results

__all__ = ["Cell", "cells_of", "disagreements", "paper_tables", "row", "shown", "summary"]

Papers = Mapping[tuple[str, str, str, str], Mean]


@dataclass(frozen=True)
class Cell:
    """A number of a paper beside ours, and what faces in the middle of their gaps change."""

    column: Column
    data: str
    paper: Mean | None
    ours: Mean | None
    midgap: Mean | None
    gain: Mean | None

    @property
    def decided(self) -> bool:
        """Whether there are both, and the paper's is significant."""
        return self.paper is not None and self.ours is not None and self.paper.significant

    @property
    def same_sign(self) -> bool | None:
        """Whether ours has the paper's sign; None where the paper's is not significant."""
        if self.paper is None or self.ours is None or not self.paper.significant:
            return None
        return self.paper.same_sign(self.ours)

    @property
    def contradicts(self) -> bool:
        """Whether both are significant, with opposite signs."""
        return self.same_sign is False and self.ours is not None and self.ours.significant

    @property
    def near(self) -> bool | None:
        """Whether the two are within two combined standard errors."""
        if self.paper is None or self.ours is None:
            return None
        return self.paper.near(self.ours)


def cells_of(column: Column, results: Mapping[str, Results], papers: Papers) -> list[Cell]:
    """The cells of a column for the data sets that are in the paper, or in none if unknown."""
    found = []
    for name, known in results.items():
        paper = papers.get((column.paper, column.table, column.key, name))
        if papers and paper is None:
            continue
        other = column.left.midgap
        values = column.values(known)
        moved = None if other is None else column.values(known, other)
        found.append(
            Cell(
                column,
                name,
                paper,
                mean_of(values),
                None if moved is None else mean_of(moved),
                None if moved is None else mean_of(moved - values),
            )
        )
    return found


def paper_tables(results: Mapping[str, Results], papers: Papers) -> Iterator[str]:
    """One table for each column of each of the papers' tables."""
    last = None
    for column in COLUMNS:
        if (column.paper, column.table) != last:
            last = (column.paper, column.table)
            yield f"### {column.paper} Table {column.table}\n"
        yield from _table(column, cells_of(column, results, papers))


def _table(column: Column, cells: list[Cell]) -> Iterator[str]:
    moved = column.left.midgap is not None
    scale = " (×100)" if column.scale == 100 and column.threshold is None else ""
    yield f"{column.title}{scale}:\n"
    head = ["data", "paper", "ours", "samples", "sign", "within 2 se"]
    yield row([*head, "midgap", "midgap gains"] if moved else head)
    yield "|---" * (len(head) + 2 * moved) + "|"
    digits = 3 if column.key == "mean_distance_hits_minus_errors" else 2
    for cell in cells:
        words = [
            cell.data,
            shown(cell.paper, digits),
            shown(cell.ours, digits),
            str(cell.ours.samples) if cell.ours else "–",
            "·" if cell.same_sign is None else ("same" if cell.same_sign else "**other**"),
            "–" if cell.near is None else ("yes" if cell.near else "no"),
        ]
        if moved:
            words += [shown(cell.midgap, digits), shown(cell.gain, digits)]
        yield row(words)
    yield ""


def summary(results: Mapping[str, Results], papers: Papers) -> Iterator[str]:
    """How many cells agree, column by column and in all."""
    head = [
        "column",
        "cells",
        "within 2 se",
        "significant in the paper",
        "same sign",
        "significant with the other sign",
    ]
    yield row(head)
    yield "|---" * len(head) + "|"
    everything: list[Cell] = []
    for column in COLUMNS:
        cells = [c for c in cells_of(column, results, papers) if c.near is not None]
        everything += cells
        yield _counts(f"{column.paper} {column.table}, {column.title}", cells)
    signed = [c for c in everything if c.column.right is not None and c.column.left.method]
    yield _counts("**differences of AUC and MSE**", signed)
    yield _counts("**all**", everything)
    yield ""


def disagreements(results: Mapping[str, Results], papers: Papers) -> Iterator[str]:
    """Every cell that is further than two standard errors away, or has another sign."""
    head = ["column", "data", "paper", "ours", "samples", "apart, in combined se", "sign"]
    yield row(head)
    yield "|---" * len(head) + "|"
    for column in COLUMNS:
        for cell in cells_of(column, results, papers):
            if cell.near is None or (cell.near and cell.same_sign is not False):
                continue
            assert cell.paper is not None
            assert cell.ours is not None
            error = (cell.paper.error**2 + cell.ours.error**2) ** 0.5
            yield row(
                [
                    f"{column.paper} {column.table}, {column.title}",
                    cell.data,
                    shown(cell.paper),
                    shown(cell.ours),
                    str(cell.ours.samples),
                    f"{abs(cell.paper.value - cell.ours.value) / error:.1f}" if error else "–",
                    "·" if cell.same_sign is None else ("same" if cell.same_sign else "**other**"),
                ]
            )
    yield ""


def _counts(title: str, cells: list[Cell]) -> str:
    decided = [cell for cell in cells if cell.decided]
    near = sum(bool(cell.near) for cell in cells)
    share = f"{near} ({near / len(cells):.0%})" if cells else "–"
    same = sum(bool(cell.same_sign) for cell in decided)
    against = [cell.data for cell in decided if cell.contradicts]
    words = f"{len(against)}" + (f" ({', '.join(against)})" if 0 < len(against) < 6 else "")
    return row([title, str(len(cells)), share, str(len(decided)), str(same), words])


def row(words: list[str]) -> str:
    """A row of a table."""
    return f"| {' | '.join(words)} |"


def shown(mean: Mean | None, digits: int = 2) -> str:
    """A mean with its standard error; significant ones are bold."""
    if mean is None:
        return "–"
    text = f"{mean.value:.{digits}f} ± {mean.error:.{digits}f}"
    return f"**{text}**" if mean.significant else text
