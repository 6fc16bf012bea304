"""The nearby-leaf average on all data sets: beside every other method, wins and losses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date

import numpy as np

import j48geo
from reproduction.catalogue import GROUPS
from reproduction.comparison import method_table, versus_table
from reproduction.growing import folder_of
from reproduction.methods import METHODS
from reproduction.statistics import mean_of, verdict
from reproduction.store import Results
from reproduction.tables import row, shown

__all__ = ["nearby_report"]

ResultsByData = Mapping[str, Results]

OTHERS = ("laplace", "m", "global", "local-m", "gdk-10", "ldk-05")
"""Methods that each data set is shown against; the tables of wins have all."""

MEASURES = {
    "auc": "AUC",
    "mse": "MSE",
    "logloss": "log-loss, clipped",
    "calibration": "calibration error",
}

HEADS = {
    "paper": "The papers' sixteen data sets",
    "more": "Further data sets with two classes",
    "multi": "More than two classes",
}


def nearby_report(results: ResultsByData, seed: int) -> str:
    """All tables in Markdown."""
    lines = ["# The nearby-leaf average against the others", "", *_opening(results, seed), ""]
    for group, head in HEADS.items():
        part = {name: known for name, known in results.items() if name in GROUPS[group]}
        if part:
            lines += [f"## {head}", "", *_group(part, seed, several=group == "multi")]
    return "\n".join(lines).rstrip("\n") + "\n"


def _opening(results: ResultsByData, seed: int) -> list[str]:
    return [
        f"Written by `scripts/studies/reproduce` on {date.today().isoformat()}, seed {seed}, "
        f"j48geo {j48geo.__version__}: the samples, trees and readers of `reproduction-results.md`"
        f", {len(results)} data sets. `nearby` has sigma 0.3 and Laplace leaf values. `gdk-10` is "
        "GDK with tau = 10 %, `local-m` the local ranking with the m-estimate, `local-nearby` the "
        "local ranking (Laplace) with nearby leaves in the place of the distance, `-midgap` the "
        "same with faces in the middle of their gaps.",
        "",
        "± is the standard error of the mean over samples. A win or a loss is one by the corrected "
        "resampled t test of Nadeau and Bengio at 5 % on one data set; nothing is corrected for "
        "the number of data sets. Samples of a data set overlap, so ± alone makes differences look "
        "surer than they are.",
    ]


def _group(results: ResultsByData, seed: int, *, several: bool) -> Iterator[str]:
    kinds = ("normal",) if several else ("normal", "reduced", "unpruned")
    if several:
        yield "AUC is M of Hand and Till; rankings without probabilities have none."
        yield ""
    for kind in kinds:
        yield f"Means over data sets, {kind} trees:"
        yield ""
        yield from method_table(results, kind)
    others = [*(name for name in METHODS if name != "nearby"), "nbtree"]
    for kind in kinds:
        for what, word in MEASURES.items():
            if several and what == "calibration":
                continue
            yield f"Wins, ties, losses of nearby in {word}, {kind} trees:"
            yield ""
            yield from versus_table(results, "nearby", kind, others, what)
    yield "AUC × 100 of nearby minus that of others, normal trees; ! is a loss by that test:"
    yield ""
    yield from _by_data(results, OTHERS, "auc", 100, seed)
    yield "The same for MSE × 100 (less is better):"
    yield ""
    yield from _by_data(results, OTHERS, "mse", 100, seed)


def _cases(name: str, seed: int) -> int:
    """How many rows Weka was given."""
    text = (folder_of(name, seed) / "data.arff").read_text(encoding="utf-8")
    return len(text.partition("@data\n")[2].splitlines())


def _by_data(
    results: ResultsByData, others: Sequence[str], what: str, scale: float, seed: int
) -> Iterator[str]:
    """Paired differences on every data set."""
    worse = -1 if what == "auc" else 1
    yield row(["data", "cases", "samples", "nearby", *(f"− {name}" for name in others)])
    yield "|---" * (4 + len(others)) + "|"
    for data, known in results.items():
        own = known.measure("normal", "nearby", what)
        cells = [data, str(_cases(data, seed)), str(len(known.samples))]
        cells.append(shown(mean_of(scale * own)).replace("*", ""))
        for name in others:
            apart = own - known.measure("normal", name, what)
            mark = " !" if np.isfinite(apart).any() and verdict(apart) == worse else ""
            cells.append(shown(mean_of(scale * apart)) + mark)
        yield row(cells)
    yield ""
