"""Isotonic regression and Platt's sigmoid as they are defined, in plain loops."""

from __future__ import annotations

from math import exp, log

Case = tuple[float, float, float]


def pool_cases(p: list[float], hit: list[float], weight: list[float]) -> list[Case]:
    """Cases of equal p as one: p, their weight, and the share of hits."""
    found = []
    for x in sorted(set(p)):
        here = [(w, h) for q, h, w in zip(p, hit, weight, strict=True) if q == x]
        total = sum(w for w, _ in here)
        found.append((x, total, sum(w * h for w, h in here) / total))
    return found


def isotonic(p: list[float], hit: list[float], weight: list[float]) -> list[tuple[float, float]]:
    """The growing function with the least squares at every p, kept off 0 and 1.

    At place i the largest, over beginnings up to i, of the smallest, over ends from i on, of
    the mean between them (Robertson, Wright and Dykstra 1988).
    """
    cases = pool_cases(p, hit, weight)
    n = sum(weight)
    found = []
    for i in range(len(cases)):
        best = max(
            min(_mean(cases[begin : end + 1]) for end in range(i, len(cases)))
            for begin in range(i + 1)
        )
        found.append((cases[i][0], min(max(best, 1 / (n + 2)), (n + 1) / (n + 2))))
    return found


def _mean(cases: list[Case]) -> float:
    return sum(w * y for _, w, y in cases) / sum(w for _, w, _ in cases)


def cross_entropy(
    a: float, b: float, p: list[float], hit: list[float], weight: list[float]
) -> float:
    """What Platt's a and b make smallest, over the log-odds of p."""
    n_hit = sum(w for h, w in zip(hit, weight, strict=True) if h)
    n_miss = sum(w for h, w in zip(hit, weight, strict=True) if not h)
    total = 0.0
    for x, h, w in zip(p, hit, weight, strict=True):
        target = (n_hit + 1) / (n_hit + 2) if h else 1 / (n_miss + 2)
        bounded = min(max(x, 1e-6), 1 - 1e-6)
        q = 1 / (1 + exp(-(a * log(bounded / (1 - bounded)) + b)))
        total -= w * (target * log(q) + (1 - target) * log(1 - q))
    return total
