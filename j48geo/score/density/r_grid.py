"""R's density() as the experiments of ABD07 used it, errors of its grid included."""

from __future__ import annotations

import numpy as np

from j48geo.arrays import Floats

__all__ = ["r_density"]


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
    bandwidth, 0.4 % at a hundredth, some percent below that; scripts/compare_r measures it.
    `j48geo.score.density.sums.log_kernel_sums` is exact.

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

    mass = _binned(sources, weights / weights.sum(), low, high, size)
    # The step is (high - low) / (size - 1/2), not that of the bins: what R 4.4 corrected.
    at = np.linspace(0.0, 2 * (high - low), 2 * size)
    at[size + 1 :] = -at[size - 1 : 0 : -1]
    kernel = np.exp(-0.5 * (at / bandwidth) ** 2) / (np.sqrt(2 * np.pi) * bandwidth)
    blurred = np.fft.ifft(np.fft.fft(mass) * np.conj(np.fft.fft(kernel))).real[:size]
    wide = np.linspace(low, high, size)
    kept = np.linspace(start, stop, n)
    density = np.interp(kept, wide, np.maximum(blurred, 0.0))
    values: Floats = np.interp(targets, kept, density, left=0.0, right=0.0)
    return values


def _binned(sources: Floats, weights: Floats, low: float, high: float, size: int) -> Floats:
    """R's BinDist: each weight shared by the two points around it, then as many zeros."""
    place = (sources - low) / ((high - low) / (size - 1))
    left = np.floor(place).astype(np.intp)
    share = place - left
    mass = np.zeros(2 * size)
    mass += np.bincount(left, weights * (1 - share), 2 * size)
    mass += np.bincount(left + 1, weights * share, 2 * size)
    return mass
