"""Weighted sums of kernels over one-dimensional sources, as logarithms: the densities of ABD07.

`KernelSums` is the one door: few sources by the definition, many by the fast Gauss transform of
`j48geo.score.gauss_transform`; both agree to 1e-12 in the logarithm. Which of them it is depends on
the sources alone, and so does everything that is prepared: a sum depends on its own target, and is
the same to the last bit whatever other targets are asked about with it.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from j48geo.arrays import Bools, Floats, Ints
from j48geo.core.fitted_values import Kernel
from j48geo.score.gauss_transform import GaussSums, log_ratio, nearest_index

SumMethod = Literal["auto", "direct", "fast"]

_FEW = 300
"""Sources up to which the direct sum is quicker, or quick enough."""
_BLOCK = 1 << 17
"""Pairs taken at once by the direct sum."""
_NOTHING = -690.0
"""Logarithm below which a term cannot change a sum; numbers that underflow are slow."""
_FAR = 8.0
"""Bandwidths from the nearest source up to which plain differences are exact enough."""


def log_kernel_sums(
    sources: Floats,
    weights: Floats,
    targets: Floats,
    bandwidth: float,
    *,
    kernel: Kernel = "gaussian",
    method: SumMethod = "auto",
) -> Floats:
    """Kernel sums log Σ_i w_ik K((t - s_i) / b) - log K((t - s*) / b), a column for each k.

    s* is the source nearest to t among those with weight in any column. With the subtraction
    nothing underflows far from the data, and it cancels in every ratio of columns.

    Parameters
    ----------
    sources : array of float64, shape (n_sources,)
        In any order, duplicates welcome.
    weights : array of float64, shape (n_sources, n_columns)
        Not negative; a column for all cases and one for each class, say.
    targets : array of float64, shape (n_targets,)
    bandwidth : float
        b > 0: the standard deviation of the Gaussian, the full width of the box.
    kernel
        "gaussian" is exp(-u² / 2). "box" is 1 for ``|u| <= 1/2``, else 0, and nothing is
        subtracted.
    method
        How Gaussian sums are taken: "direct" by the definition, "fast" by the fast Gauss
        transform, "auto" as the size asks for. The box is always sorted and added up.

    Returns
    -------
    array of float64, shape (n_targets, n_columns)
        -inf where a column has no weight, or no source inside the box. Never NaN.

    Notes
    -----
    The sums of ABD07 §3.2, whose ratios are the probabilities of its equation (2).

    Examples
    --------
    >>> s = np.array([0.0, 1.0])
    >>> sums = log_kernel_sums(s, np.array([[1.0, 1.0], [1.0, 0.0]]), np.array([1000.0]), 1.0)
    >>> sums.tolist()
    [[0.0, -999.5]]
    """
    return KernelSums(sources, weights, bandwidth, kernel=kernel, method=method).logs(targets)


class KernelSums:
    """The sums of `log_kernel_sums`, to be asked for again and again: parameters as there."""

    def __init__(
        self,
        sources: Floats,
        weights: Floats,
        bandwidth: float,
        *,
        kernel: Kernel = "gaussian",
        method: SumMethod = "auto",
    ) -> None:
        if kernel not in ("gaussian", "box") or method not in ("auto", "direct", "fast"):
            raise ValueError(f"there is no kernel {kernel!r} or no method {method!r}")
        sources, weights = _check_sources(sources, weights, bandwidth)
        # A power of two changes no digit, and differences stay finite.
        self._unit = 2.0**-20 if max(bandwidth, np.abs(sources).max(initial=0.0)) > 1e300 else 1.0
        used = (weights > 0).any(axis=1)
        order = np.argsort(sources[used], kind="stable")
        self._sources = sources[used][order] * self._unit
        self._weights = weights[used][order]
        self._bandwidth = bandwidth * self._unit
        self._kernel = kernel
        fast = method == "fast" or (method == "auto" and len(order) > _FEW)
        self._fast = None
        if fast and _fits_transform(self._sources, self._weights, self._bandwidth):
            self._fast = GaussSums(self._sources, self._weights, self._bandwidth)

    def logs(self, targets: Floats) -> Floats:
        """The sums at targets, shape (n_targets, n_columns)."""
        targets = np.asarray(targets, dtype=np.float64)
        if targets.ndim != 1 or not np.isfinite(targets).all():
            raise ValueError("targets need one dimension and must be finite")
        if self._unit == 1.0 and (huge := np.abs(targets) > 1e300).any():
            return self._apart(targets, huge)
        targets = targets * self._unit
        if not len(self._sources) or not len(targets):
            return np.full((len(targets), self._weights.shape[1]), -np.inf)
        if self._kernel == "box":
            return _box_sums(self._sources, self._weights, targets, self._bandwidth)
        if self._fast is None:
            return self._direct(targets)
        ends = self._sources[[0, -1], None]
        with np.errstate(over="ignore"):
            near = (np.abs(targets - ends) / self._bandwidth < 1e150).all(axis=0)
        if near.all():
            return self._fast.logs(targets)
        result = np.empty((len(targets), self._weights.shape[1]))
        result[near] = self._fast.logs(targets[near])
        result[~near] = self._direct(targets[~near])
        return result

    def _apart(self, targets: Floats, huge: Bools) -> Floats:
        """Some targets are so large that they are measured in a larger unit."""
        result = np.empty((len(targets), self._weights.shape[1]))
        result[~huge] = self.logs(targets[~huge])
        unit = 2.0**-20
        other = KernelSums(
            self._sources * unit, self._weights, self._bandwidth * unit, kernel=self._kernel
        )
        result[huge] = other.logs(targets[huge] * unit)
        return result

    def _direct(self, targets: Floats) -> Floats:
        nearest = self._sources[nearest_index(self._sources, targets)]
        result = np.empty((len(targets), self._weights.shape[1]))
        for column, w in zip(result.T, self._weights.T, strict=True):
            own = self._sources[w > 0]
            column[:] = _log_direct(own, w[w > 0], targets, nearest, self._bandwidth)
        return result


def _check_sources(sources: Floats, weights: Floats, bandwidth: float) -> tuple[Floats, Floats]:
    sources, weights = (np.asarray(values, dtype=np.float64) for values in (sources, weights))
    if sources.ndim != 1 or weights.shape[:-1] != sources.shape:
        raise ValueError("sources need one dimension, weights a row for each source")
    if not np.isfinite(sources).all():
        raise ValueError("sources must be finite")
    if not ((weights >= 0).all() and np.isfinite(weights).all()):
        raise ValueError("weights must be finite and not negative")
    if not 0 < bandwidth < np.inf:
        raise ValueError(f"the bandwidth must be positive and finite, not {bandwidth}")
    return sources, weights


def _fits_transform(sources: Floats, weights: Floats, bandwidth: float) -> bool:
    """Whether no number in the fast transform leaves the range of numbers."""
    if not len(sources):
        return False
    light = np.where(weights > 0, weights, np.inf).min(axis=0)
    with np.errstate(over="ignore"):
        near = (sources[-1] - sources[0]) / bandwidth < 1e150
    return bool(
        near and 1e-290 < bandwidth < 1e290 and (light >= 1e-200 * weights.max(axis=0)).all()
    )


# ------------------------------------------------------------------------------ the definition


def _log_direct(
    sources: Floats, weights: Floats, targets: Floats, nearest: Floats, bandwidth: float
) -> Floats:
    """One column by the definition; rising sources, all of positive weight."""
    result = np.full(len(targets), -np.inf)
    if not len(sources):
        return result
    own = sources[nearest_index(sources, targets)]
    with np.errstate(over="ignore"):
        far = np.abs(own - targets) > _FAR * bandwidth
    # The largest weight is 1, so that no sum overflows; one smaller than any number counts as 0.
    scale = float(weights.max())
    wide = float(weights.min()) < 1e-200 * scale or not 1e-140 < bandwidth < 1e140
    logs = np.log(weights) - np.log(scale)
    step = max(1, _BLOCK // len(sources))
    for careful in (False, True):
        rows = np.flatnonzero((far | wide) == careful)
        sums = _careful_sums if careful else _plain_sums
        for start in range(0, len(rows), step):
            part = rows[start : start + step]
            result[part] = sums(sources, logs, targets[part], own[part], bandwidth)
    result += np.log(scale)
    result += log_ratio(own, nearest, targets, bandwidth)
    return result


def _plain_sums(s: Floats, logs: Floats, t: Floats, own: Floats, bandwidth: float) -> Floats:
    """Logarithms of Σ w K relative to each target's own nearest source."""
    t, own = t[:, None], own[:, None]
    factor = s - t
    factor += own - t
    exponent = s - own
    with np.errstate(over="ignore"):
        exponent *= factor
        exponent *= -0.5 / bandwidth**2
    exponent += logs
    np.maximum(exponent, _NOTHING, out=exponent)
    sums: Floats = np.log(np.exp(exponent, out=exponent).sum(axis=1))
    return sums


def _careful_sums(s: Floats, logs: Floats, t: Floats, own: Floats, bandwidth: float) -> Floats:
    """The same far away, and for weights or bandwidths at the ends of the range of numbers."""
    exponent = log_ratio(s, own[:, None], t[:, None], bandwidth)
    exponent += logs
    top = exponent.max(axis=1)
    exponent -= top[:, None]
    np.maximum(exponent, _NOTHING, out=exponent)
    sums: Floats = top + np.log(np.exp(exponent, out=exponent).sum(axis=1))
    return sums


# ------------------------------------------------------------------------------------- the box


def _box_sums(sources: Floats, weights: Floats, targets: Floats, bandwidth: float) -> Floats:
    """Logarithms of the weight within half a bandwidth; rising sources. The borders are exact."""
    half = bandwidth / 2
    first = _count_below(sources, targets, -half, "left")
    last = _count_below(sources, targets, half, "right")
    scale = weights.max(axis=0)
    scale[scale == 0] = 1.0
    sums, lost = np.zeros((2, len(sources) + 1, weights.shape[1]))
    scaled = weights / scale
    np.cumsum(scaled, axis=0, out=sums[1:])
    # What each addition rounded off, so that a light window among heavy sources is exact too.
    before, after = sums[:-1], sums[1:]
    part = after - before
    np.cumsum((before - (after - part)) + (scaled - part), axis=0, out=lost[1:])
    inside = (sums[last] - sums[first]) + (lost[last] - lost[first])
    positive = np.zeros((len(sources) + 1, weights.shape[1]), dtype=np.intp)
    np.cumsum(weights > 0, axis=0, out=positive[1:])
    some = positive[last] > positive[first]
    result = np.full(inside.shape, -np.inf)
    light = some & ((inside < 1e-14 * sums[last]) | (inside < 1e-290))
    sure = some & ~light
    result[sure] = (np.log(inside, where=sure, out=inside) + np.log(scale))[sure]
    for i, k in np.argwhere(light):  # beyond twice the digits: hardly ever
        result[i, k] = np.log(weights[first[i] : last[i], k].sum())
    return result


def _count_below(
    sources: Floats, targets: Floats, shift: float, side: Literal["left", "right"]
) -> Ints:
    """np.searchsorted of target + shift, as if that sum were not rounded."""
    border = targets + shift
    part = border - targets
    rest = (targets - (border - part)) + (shift - part)
    count = np.searchsorted(sources, border, side)
    inexact = np.flatnonzero(rest)
    if len(inexact):
        border, rest = border[inexact], rest[inexact]
        count[inexact] = np.where(
            rest > 0,
            np.searchsorted(sources, border, "right"),
            np.searchsorted(sources, border, "left"),
        )
    return count


# R's density() as the experiments of ABD07 used it, errors of its grid included.


_LEAST = 512
"""R's grid never has fewer points."""


def r_density(
    sources: Floats,
    weights: Floats,
    bandwidth: float,
    targets: Floats,
    *,
    n: int = 512,
    cut: float = 3.0,
) -> Floats:
    """The Gaussian density estimate that R's ``density()`` and ``approx()`` give at the targets.

    For reproduction only: the grid is off by 0.1 % of the maximum at a tenth of the range as
    bandwidth, 0.4 % at a hundredth, some percent below that; scripts/studies/compare_r measures it.
    `j48geo.score.kernel_sums.log_kernel_sums` is exact.

    Parameters
    ----------
    sources : array of float64, shape (n_sources,)
        All of them set the ends of the grid, those of weight 0 too, as in R.
    weights : array of float64, shape (n_sources,)
        Not negative; divided by their sum, as R asks its callers to do.
    bandwidth : float
        b > 0, the standard deviation: R's ``bw``.
    n
        Points of the grid that is kept.
    cut
        Bandwidths by which that grid goes beyond the sources.

    Returns
    -------
    array of float64, shape (n_targets,)
        0 outside of the grid, where R says NA, and everywhere if nothing has weight.

    Notes
    -----
    ``approx(density(s, bw=b, weights=w/sum(w), n=n, cut=cut), xout=t)$y`` of R 4.2.2, which
    Debian 12 ships, and of every R before 4.4. R 4.4 corrected the grid that the convolution is
    done on; there it is ``density(..., old.coords=TRUE)``.

    The sources are spread over the two nearest of 512 points from 4 bandwidths below the kept
    grid to 4 above it, convolved with the kernel by FFT on twice as many points, and linearly
    interpolated twice: onto the kept grid and at the targets.
    """
    sources, weights, targets = (
        np.asarray(values, dtype=np.float64) for values in (sources, weights, targets)
    )
    if not 0 < bandwidth < np.inf:
        raise ValueError(f"the bandwidth must be positive and finite, not {bandwidth}")
    if not ((weights >= 0).all() and np.isfinite(weights).all() and np.isfinite(sources).all()):
        raise ValueError("sources must be finite, weights finite and not negative")
    if not weights.any():
        return np.zeros(len(targets))
    size = _LEAST if n <= _LEAST else 1 << (n - 1).bit_length()
    start, stop = sources.min() - cut * bandwidth, sources.max() + cut * bandwidth
    low, high = start - 4 * bandwidth, stop + 4 * bandwidth

    mass = _bin_weights(sources, weights / weights.sum(), low, high, size)
    # The step is (high - low) / (size - 1/2), not that of the bins: what R 4.4 corrected.
    at = np.linspace(0.0, 2 * (high - low), 2 * size)
    at[size + 1 :] = -at[size - 1 : 0 : -1]
    kernel = np.exp(-0.5 * (at / bandwidth) ** 2) / (np.sqrt(2 * np.pi) * bandwidth)
    blurred = np.fft.ifft(np.fft.fft(mass) * np.conj(np.fft.fft(kernel))).real[:size]
    wide = np.linspace(low, high, size)
    grid = np.linspace(start, stop, n)
    density = np.interp(grid, wide, np.maximum(blurred, 0.0))
    values: Floats = np.interp(targets, grid, density, left=0.0, right=0.0)
    return values


def _bin_weights(sources: Floats, weights: Floats, low: float, high: float, size: int) -> Floats:
    """R's BinDist: each weight shared by the two points around it, then as many zeros."""
    place = (sources - low) / ((high - low) / (size - 1))
    left = np.floor(place).astype(np.intp)
    share = place - left
    mass = np.zeros(2 * size)
    mass += np.bincount(left, weights * (1 - share), 2 * size)
    mass += np.bincount(left + 1, weights * share, 2 * size)
    return mass
