"""Kernel sums: the fast Gauss transform beside the direct sum; and the AUC beside one sort.

Seeded signed distances of N = M cases in two classes, columns for all cases and for one class,
a tenth of the range as bandwidth. The direct sum takes minutes, so it is timed and compared at
every 50th target. Told without a goal: how long the transform takes where the data spans many
bandwidths.
"""

from __future__ import annotations

import numpy as np

from benching.measuring import Report, calls
from j48geo.decide.evaluation.auc import auc
from j48geo.score.kernel_sums import log_kernel_sums

REPEAT = 5
STEP = 50


def sample(count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    """Sources, weights, targets and bandwidth."""
    chance = np.random.default_rng(count)
    side = chance.random(count) < 0.4
    s = np.where(side, -1.0, 1.0) * chance.exponential(size=count)
    of_class = side ^ (chance.random(count) < 0.2 * np.exp(-np.abs(s)))
    weights = np.stack([np.ones(count), of_class], axis=1)
    t = chance.choice(s, count) + chance.normal(scale=0.01, size=count)
    return s, weights, t, 0.1 * float(np.ptp(s))


def measure(report: Report) -> None:
    """The two ways on 100,000 cases, the fast one on more; the AUC of a million scores."""
    fast_beside_direct(report)
    chance = np.random.default_rng(6)
    scores = chance.normal(size=1_000_000)
    positive = chance.random(1_000_000) < 1 / (1 + np.exp(-scores))
    auc(scores, positive)
    found = calls(
        {"auc": lambda: auc(scores, positive), "sort": lambda: np.argsort(scores)}, REPEAT
    )
    report.beside("AUC of 1,000,000 scores / np.argsort", found["auc"], found["sort"], 2)


def fast_beside_direct(report: Report) -> None:
    """Kernel sums: time and error, and the time where the data is wide."""
    s, w, t, b = sample(100_000)
    answers = {}

    def fast() -> None:
        answers["fast"] = log_kernel_sums(s, w, t, b, method="fast")

    def direct() -> None:
        answers["direct"] = log_kernel_sums(s, w, t[::STEP], b, method="direct")

    slow, quick = calls({"direct": direct}, 1)["direct"], calls({"fast": fast}, REPEAT)["fast"]
    error = float(np.abs(np.expm1(answers["fast"][::STEP] - answers["direct"])).max())
    ratio = STEP * slow.median / quick.median
    name = "KDE, N = M = 100,000"
    report.goal(f"{name}: direct / fast", ">= 100", f"{ratio:.0f}", ratio >= 100)
    report.goal(f"{name}: largest relative error", "<= 1e-12", f"{error:.1e}", error <= 1e-12)
    rows = [("100,000", "10", f"{quick.median:.2f}")]
    large = sample(1_000_000)
    million = calls({"": lambda: log_kernel_sums(*large, method="fast")}, 1)[""]
    rows.append(("1,000,000", "10", f"{million.median:.2f}"))
    for span in (100, 10_000, 1_000_000):
        s, t = span * np.random.default_rng(span).random((2, 100_000))
        wide = calls({"": lambda: log_kernel_sums(s, w, t, 1.0, method="fast")}, 1)[""]  # noqa: B023
        rows.append(("100,000", f"{span:,}", f"{wide.median:.2f}"))
    report.table(("cases", "bandwidths in the range", "fast transform, CPU s"), rows)
