"""Means, their standard errors, and tests of differences between methods on the same samples."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite, isnan, nan, sqrt

import numpy as np
from numpy.typing import NDArray

__all__ = ["Mean", "corrected_t", "mean_of", "verdict"]

Floats = NDArray[np.float64]

STEPS = 1.96
"""A mean this many standard errors from 0 is significant (95 %, normal assumption)."""


@dataclass(frozen=True)
class Mean:
    """A mean over samples and its standard error; the number of samples, 0 if unknown."""

    value: float
    error: float
    samples: int = 0

    @property
    def significant(self) -> bool:
        """Whether its sign can be relied on."""
        return isfinite(self.error) and abs(self.value) > STEPS * self.error

    def near(self, other: Mean) -> bool:
        """Whether the two differ by at most two combined standard errors."""
        return abs(self.value - other.value) <= 2 * sqrt(self.error**2 + other.error**2)

    def same_sign(self, other: Mean) -> bool:
        """Whether both are above or both below 0."""
        return self.value * other.value > 0


def mean_of(values: Floats) -> Mean | None:
    """The mean of the numbers that are there; None without any."""
    known = values[np.isfinite(values)]
    if not len(known):
        return None
    error = float(known.std(ddof=1)) / sqrt(len(known)) if len(known) > 1 else nan
    return Mean(float(known.mean()), error, len(known))


def corrected_t(differences: Floats, ratio: float = 0.5) -> tuple[float, float] | None:
    """The corrected resampled t test of Nadeau and Bengio: t and its two-sided p.

    Samples of one data set overlap, so that the plain standard error is too small; the variance
    of the mean is taken as (1/k + ratio) s². None with fewer than two samples.

    Parameters
    ----------
    differences : array of float64, shape (k,)
        Paired differences, one a sample.
    ratio
        Test cases for each training case.
    """
    from scipy.stats import t as student

    known = differences[np.isfinite(differences)]
    k = len(known)
    if k < 2:
        return None
    variance = float(known.var(ddof=1))
    if variance == 0:
        return (0.0, 1.0) if known[0] == 0 else (np.inf * np.sign(known[0]), 0.0)
    t = float(known.mean()) / sqrt((1 / k + ratio) * variance)
    return t, float(2 * student.sf(abs(t), k - 1))


def verdict(differences: Floats, level: float = 0.05, ratio: float = 0.5) -> int:
    """1 if the differences are above 0 at this level, -1 if below, else 0."""
    found = corrected_t(differences, ratio)
    if found is None or isnan(found[0]) or found[1] > level:
        return 0
    return 1 if found[0] > 0 else -1
