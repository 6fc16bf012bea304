"""How much further one source is than another, in the exponent of the Gaussian kernel.

Far from the data every kernel value is 0 in floating point, but their ratios are not: all kernel
sums are therefore taken relative to the nearest source, and the difference of two squared
distances is a product that loses nothing.
"""

from __future__ import annotations

import numpy as np

from j48geo.arrays import Floats, Ints

__all__ = ["log_ratio", "nearest_index"]


def nearest_index(sources: Floats, targets: Floats) -> Ints:
    """Which of the rising `sources` is nearest to each target; there is at least one."""
    after = np.searchsorted(sources, targets)
    right = np.minimum(after, len(sources) - 1)
    left = np.maximum(after - 1, 0)
    to_left, left_rest = _difference(targets, sources[left])
    to_right, right_rest = _difference(sources[right], targets)
    # Half way between two far sources even the rounding error decides.
    nearer_left = (to_left < to_right) | ((to_left == to_right) & (left_rest <= right_rest))
    return np.where(nearer_left, left, right)


def log_ratio(sources: Floats, references: Floats, targets: Floats, bandwidth: float) -> Floats:
    """The logarithm of K((t - s) / b) / K((t - r) / b) for the kernel K(u) = exp(-u² / 2).

    The three broadcast. It is -(s - r)(s + r - 2t) / 2b². Between two sources on both sides of a
    far target the second factor cancels, so the rounding errors of its parts are added back.
    Never NaN for finite numbers below 1e300.
    """
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        apart = (sources - references) / bandwidth
        together, rest = _difference(sources, targets)
        other, other_rest = _difference(references, targets)
        together = ((together + other) + (rest + other_rest)) / bandwidth
        exponent = -0.5 * apart * together
    # 0 times infinity, where the numbers are apart beyond all bandwidths
    exponent[np.isnan(exponent)] = 0.0
    return exponent


def _difference(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """The difference rounded, and what the rounding left out (Knuth)."""
    result = a - b
    part = result - a
    return result, (a - (result - part)) - (b + part)
