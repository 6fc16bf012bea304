"""Kernel sums and R's density in plain loops, as defined; distances in exact fractions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import exp, floor, fsum, inf, log, pi, sqrt

__all__ = ["literal_box", "literal_gauss", "literal_r_density"]

Rows = Sequence[Sequence[float]]


def literal_gauss(s: Sequence[float], w: Rows, t: Sequence[float], b: float) -> list[list[float]]:
    """Of every target and column: log Σ_i w_ik K((t - s_i) / b) - log K((t - s*) / b)."""
    result = []
    for place in t:
        squares = [((Fraction(x) - Fraction(place)) / Fraction(b)) ** 2 for x in s]
        nearest = min((q for q, row in zip(squares, w, strict=True) if max(row) > 0), default=None)
        line = []
        for k in range(len(w[0]) if w else 0):
            mine = [(q, row[k]) for q, row in zip(squares, w, strict=True) if row[k] > 0]
            if not mine:
                line.append(-inf)
                continue
            assert nearest is not None
            first = min(q for q, _ in mine)
            heaviest = max(weight for _, weight in mine)
            logs = [log(weight) - log(heaviest) - number((q - first) / 2) for q, weight in mine]
            top = max(logs)
            rest = log(fsum(exp(x - top) for x in logs))
            line.append(top + rest + log(heaviest) - number((first - nearest) / 2))
        result.append(line)
    return result


def number(exact: Fraction) -> float:
    try:
        return float(exact)
    except OverflowError:
        return inf


def literal_box(s: Sequence[float], w: Rows, t: Sequence[float], b: float) -> list[list[float]]:
    """The logarithm of the weight within half of the width."""
    result = []
    for place in t:
        inside = [abs(Fraction(x) - Fraction(place)) <= Fraction(b) / 2 for x in s]
        line = []
        for k in range(len(w[0]) if w else 0):
            total = fsum(row[k] for row, yes in zip(w, inside, strict=True) if yes)
            line.append(log(total) if total > 0 else -inf)
        result.append(line)
    return result


def literal_r_density(
    s: Sequence[float], w: Sequence[float], b: float, t: Sequence[float], n: int = 512, cut=3.0
) -> list[float]:
    """What R before 4.4 does, with the convolution as a sum around the circle."""
    size = 512
    while size < n:
        size *= 2
    total = fsum(w)
    start, stop = min(s) - cut * b, max(s) + cut * b
    low, high = start - 4 * b, stop + 4 * b
    mass = [0.0] * (2 * size)
    for x, weight in zip(s, w, strict=True):
        place = (x - low) / ((high - low) / (size - 1))
        left = floor(place)
        mass[left] += weight / total * (1 - (place - left))
        mass[left + 1] += weight / total * (place - left)
    step = 2 * (high - low) / (2 * size - 1)
    kernel = []
    for i in range(2 * size):
        u = (i if i <= size else i - 2 * size) * step / b
        kernel.append(exp(-u * u / 2) / (sqrt(2 * pi) * b))
    filled = [i for i in range(2 * size) if mass[i] > 0]
    blurred = [fsum(mass[i] * kernel[(i - j) % (2 * size)] for i in filled) for j in range(size)]
    wide = [low + (high - low) * i / (size - 1) for i in range(size)]
    kept = [start + (stop - start) * i / (n - 1) for i in range(n)]
    density = [on_line(x, wide, blurred) for x in kept]
    return [on_line(x, kept, density) for x in t]


def on_line(x: float, xs: Sequence[float], ys: Sequence[float]) -> float:
    """Linear interpolation; 0 outside."""
    if not xs[0] <= x <= xs[-1]:
        return 0.0
    for i in range(len(xs) - 1):
        if x <= xs[i + 1]:
            return ys[i] + (ys[i + 1] - ys[i]) * (x - xs[i]) / (xs[i + 1] - xs[i])
    return 0.0
