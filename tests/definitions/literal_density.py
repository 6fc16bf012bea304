"""Algorithm 3 of Alvarez, Bernard and Deffuant (2007) in plain loops.

One case, one class, one kernel at a time, on the distances of `literal_boundary`. What the paper
leaves open (true classes, one global bandwidth, far cases, empty parts) is as in DEFINITIONS
section 6.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, fsum, inf, isnan

from literal_boundary import nearest_of, separator

from j48geo.core.tree import BoxTree


@dataclass
class Place:
    """Where a case lies, as class c sees it."""

    h: float
    separator: int
    leaf: int


def place(
    tree: BoxTree,
    x: list[float],
    own: int,
    leaf: int,
    c: int,
    labels: list[int],
    scale: list[float],
    weight: float,
) -> Place:
    """h_c of a case, the separator of its projection on the boundary of c, and its leaf."""
    chosen = [k for k, label in enumerate(labels) if (label == c) != (own == c)]
    nearest = nearest_of(tree, x, chosen, scale, weight)
    node = separator(tree, x, nearest.leaf, scale, weight)[2]
    return Place(-nearest.distance if own == c else nearest.distance, node, leaf)


def bandwidth(sample: list[Place], tau: float) -> float:
    """A fraction of the range of the algebraic distance over the whole sample."""
    values = [s.h for s in sample]
    return tau * (max(values) - min(values))


def estimate(
    y: Place,
    sample: list[Place],
    is_c: list[bool],
    weights: list[float],
    b: float,
    *,
    kernel: str = "gaussian",
    partition: str = "none",
) -> float:
    """Steps 2 to 6: the conditional probability of the class, equation (2)."""
    prior = fsum(w for w, k in zip(weights, is_c, strict=True) if k) / fsum(weights)
    if isnan(y.h) or y.h in (inf, -inf):
        return prior
    part = [i for i, s in enumerate(sample) if _together(y, s, partition)] or range(len(sample))
    if b == 0:
        part = [i for i in part if sample[i].h == y.h]
        if not part:
            return prior
        ours = fsum(weights[i] for i in part if is_c[i])
        return ours / fsum(weights[i] for i in part)
    apart = {i: abs(y.h - sample[i].h) for i in part}
    least = min(apart.values())
    if kernel == "box":
        reach = b / 2 if least <= b / 2 else least  # nobody inside: the nearest
        value = {i: 1.0 if d <= reach else 0.0 for i, d in apart.items()}
    else:
        # The largest kernel is factored out: far from all cases the sums would be 0 / 0.
        value = {i: exp(-(d - least) * (d + least) / (2 * b * b)) for i, d in apart.items()}
    ours = fsum(weights[i] * value[i] for i in part if is_c[i])
    return ours / fsum(weights[i] * value[i] for i in part)


def _together(y: Place, s: Place, partition: str) -> bool:
    if partition == "none":
        return True
    if partition == "leaf":
        return y.leaf >= 0 and s.leaf == y.leaf
    return y.separator >= 0 and s.separator == y.separator
