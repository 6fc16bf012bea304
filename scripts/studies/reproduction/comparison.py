"""Methods beside each other: means over data sets, wins and losses, early retrieval, labellings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from reproduction.methods import METHODS
from reproduction.scoring import EPSILON, GRID
from reproduction.statistics import mean_of, verdict
from reproduction.store import Results
from reproduction.tables import row, shown

__all__ = [
    "early_table",
    "labelling_table",
    "method_table",
    "midgap_table",
    "versus_table",
]

ResultsByData = Mapping[str, Results]


def method_table(results: ResultsByData, tree: str) -> Iterator[str]:
    """Means over data sets of what each method reaches on trees of one kind."""
    measures = {
        "auc": "AUC × 100",
        "mse": "MSE × 100",
        "logloss": f"log-loss, clipped at {EPSILON:g}",
        "impossible": "% of cases with an infinite log-loss",
        "calibration": "calibration error × 100",
    }
    yield row(["method", "data sets", *measures.values()])
    yield "|---" * (2 + len(measures)) + "|"
    names = [name for name in METHODS if _known(results, tree, name)]
    common = [d for d, r in results.items() if all(_has(r, tree, name) for name in names)]
    for name in names:
        cells = [name, str(len(common))]
        for what in measures:
            found = [mean_of(results[d].measure(tree, name, what)) for d in common]
            values = [m.value for m in found if m is not None]
            scale = 1 if what == "logloss" else 100
            cells.append(f"{scale * np.mean(values):.2f}" if values else "–")
        yield row(cells)
    yield ""


def versus_table(
    results: ResultsByData, champion: str, tree: str, others: Sequence[str], what: str = "auc"
) -> Iterator[str]:
    """Wins, ties and losses of one method, by the corrected t test at 5 %."""
    sign = 1 if what == "auc" else -1
    yield row(
        ["against", "data sets", "wins", "ties", "losses", "mean difference × 100", "lost on"]
    )
    yield "|---" * 7 + "|"
    for other in others:
        outcome: dict[str, int] = {}
        means = []
        for data, known in results.items():
            own = known.measure(tree, champion, what)
            theirs = _measure(known, tree, other, what)
            if np.isfinite(own - theirs).sum() < 2:
                continue
            outcome[data] = sign * verdict(own - theirs)
            means.append(float(np.nanmean(own - theirs)))
        if not outcome:
            continue
        found = list(outcome.values())
        lost = [data for data, came in outcome.items() if came < 0]
        yield row(
            [
                other,
                str(len(found)),
                *(str(found.count(k)) for k in (1, 0, -1)),
                f"{100 * np.mean(means):.2f}",
                ", ".join(lost) or "–",
            ]
        )
    yield ""


def midgap_table(results: ResultsByData, tree: str, pairs: Sequence[str]) -> Iterator[str]:
    """What faces in the middle of their gaps gain in AUC, by data set, and the share of zeros."""
    yield row(["data", "% at distance 0", "of those called positive", *pairs])
    yield "|---" * (3 + len(pairs)) + "|"
    for data, known in results.items():
        shares = [mean_of(100 * known.fact(tree, fact)) for fact in ("zero", "zero-positive")]
        cells = [data, *("–" if share is None else f"{share.value:.1f}" for share in shares)]
        for name in pairs:
            gain = known.measure(tree, f"{name}-midgap", "auc") - known.measure(tree, name, "auc")
            cells.append(shown(mean_of(100 * gain)))
        yield row(cells)
    yield ""


def early_table(results: ResultsByData, methods: Sequence[str], against: str) -> Iterator[str]:
    """AB05 Table 5: up to which false positive rate the partial areas are larger.

    At every rate up to there the mean difference is above 0 with 95 % confidence, one-sided.
    """
    yield row(["data", *(f"{name} over {against}" for name in methods)])
    yield "|---" * (1 + len(methods)) + "|"
    for data, known in results.items():
        base = known.curves(against)
        cells = [data]
        for name in methods:
            own = known.curves(name)
            cells.append("–" if own.shape != base.shape or len(own) < 2 else _reach(own - base))
        yield row(cells)
    yield ""


def _reach(differences: np.ndarray) -> str:
    error = differences.std(axis=0, ddof=1) / np.sqrt(len(differences))
    above = differences.mean(axis=0) >= 1.645 * error
    if above.all():
        return f"all (≥ {GRID[-1]:g})"
    first = int(np.argmin(above))
    return "none" if first == 0 else f"{GRID[first - 1]:.3f}"


def labelling_table(results: ResultsByData, tree: str) -> Iterator[str]:
    """FFH02: optimal labellings of real trees, and the areas under their curves (× 100)."""
    facts = {
        "leaves": 1.0,
        "labellings": 1.0,
        "auc-train": 100.0,
        "auc-raw": 100.0,
        "auc-laplace": 100.0,
        "auc-own": 100.0,
    }
    heads = [
        "leaves",
        "optimal labellings",
        "AUC, training",
        "AUC, test, raw order",
        "AUC, test, Laplace order",
        "AUC, test, J48's labels alone",
    ]
    yield row(["data", *heads])
    yield "|---" * (1 + len(heads)) + "|"
    for data, known in results.items():
        found = [mean_of(scale * known.fact(tree, fact)) for fact, scale in facts.items()]
        if found[1] is not None:
            yield row(
                [data, *("–" if m is None else f"{m.value:.1f} ± {m.error:.1f}" for m in found)]
            )
    yield ""


def _measure(known: Results, tree: str, method: str, what: str) -> np.ndarray:
    return known.measure("nbtree" if method == "nbtree" else tree, method, what)


def _known(results: ResultsByData, tree: str, method: str) -> bool:
    return any(_has(known, tree, method) for known in results.values())


def _has(known: Results, tree: str, method: str) -> bool:
    return bool(np.isfinite(known.measure(tree, method, "auc")).any())
