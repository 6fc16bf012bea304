"""The fast Gauss transform in one dimension, exact to 1e-12 in the logarithm everywhere.

Sources go into narrow cells, each replaced by some 20 moments; targets go into cells too, in
each of which the sums are taken at Chebyshev nodes and interpolated. All cells are those of the
sources, so that a sum depends on its target alone, never on the other targets: rows have the same
estimates, to the last bit, in whatever blocks they come. What is new
against the textbook: sums are accurate *relative to themselves*, not to the largest one, so that
ratios of densities far from the data are right too. Three things make it so:

* each column (class) is summed on its own, relative to its own nearest source,
* only sources that are not e^-37 lighter than the nearest count, and they lie in a window that
  follows from the distance of the nearest,
* the further away a window is, the narrower are the cells of its sources.

With r the half width of a source cell and s its centre, in bandwidths,
exp(-(t - s - δ)²/2) = exp(-(t - s)²/2) Σ_p (t - s)^p/p! · δ^p exp(-δ²/2),
which converges as (|t - s| r)^p/p!, whatever the size of exp(-(t - s)²/2).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import exp, factorial

import numpy as np

from j48geo.arrays import Floats, Ints


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


_WIDTH = 0.25
"""Bandwidths of a cell."""
_NODES = 20
"""Chebyshev nodes of a cell of targets."""
_KEPT = 8
"""Levels whose cells are kept; further away there is hardly ever a target."""
_CELLS = 2.0**20
"""Cells from the middle of the sources within which their places are exact enough."""
_TAIL = 37.0
"""A term e^-37 of the nearest one's is below the rounding error."""
_REACH = 12.5
"""Bandwidths that a cell of full width is expanded to; twice as far, half as wide."""
_SPREAD = 20.0
"""Bandwidths between sources of one window that interpolation bears."""
_BLOCK = 1 << 15
"""Numbers worked on at once: they stay in the processor's cache."""


@dataclass(frozen=True)
class _Column:
    """Rising distinct sources and their positive weights, the largest of which is 1."""

    sources: Floats
    weights: Floats
    bandwidth: float
    log_scale: float
    moments: dict[int, _Moments] = field(default_factory=dict)
    """Cells of the sources for each level, made when they are needed."""


@dataclass(frozen=True)
class _Groups:
    """Places to evaluate: the nodes of a cell of targets each, or one target each.

    Values are relative to the kernel at `reference`, a source near the centre; sources
    ``first:last`` matter.
    """

    centre: Floats
    reference: Floats
    first: Ints
    last: Ints
    nodes: Floats
    """From the centre, in bandwidths; the same for all groups."""

    def __getitem__(self, rows: Ints) -> _Groups:
        return _Groups(
            self.centre[rows], self.reference[rows], self.first[rows], self.last[rows], self.nodes
        )


@dataclass(frozen=True)
class _Moments:
    """What replaces the sources: cells with their centre and Σ w δ^p exp(-δ²/2) / p!."""

    of_source: Ints
    centre: Floats
    moments: Floats
    """Shape (n_moments, n_cells)."""


class GaussSums:
    """Sums of Gaussian kernels over sources, in nearly linear time.

    Parameters
    ----------
    sources : array of float64, shape (n_sources,)
        Rising; each has weight in some column.
    weights : array of float64, shape (n_sources, n_columns)
        Positive ones of one column within a factor of 1e200.

    Notes
    -----
    L. Greengard and J. Strain, The fast Gauss transform, SIAM J. Sci. Stat. Comput. 12, 1991.
    """

    def __init__(self, sources: Floats, weights: Floats, bandwidth: float) -> None:
        self._sources, self._bandwidth = sources, bandwidth
        self._columns = [_column(sources, column, bandwidth) for column in weights.T]

    def logs(self, targets: Floats) -> Floats:
        """`j48geo.score.kernel_sums.log_kernel_sums` at targets within 1e150 bandwidths."""
        values, where = np.unique(targets, return_inverse=True)
        nearest = self._sources[nearest_index(self._sources, values)]
        result = np.full((len(targets), len(self._columns)), -np.inf)
        for k, column in enumerate(self._columns):
            if column is not None:
                sums, reference = _column_sums(column, values)
                sums = np.log(sums) + column.log_scale
                sums += log_ratio(reference, nearest, values, self._bandwidth)
                result[:, k] = sums[where]
        return result


def _column(sources: Floats, weights: Floats, bandwidth: float) -> _Column | None:
    """The sources that have weight; None if none has."""
    used = np.flatnonzero(weights)
    if not len(used):
        return None
    scale = float(weights.max())
    begin = np.flatnonzero(np.diff(sources[used], prepend=-np.inf))
    merged = np.add.reduceat(weights[used] / scale, begin)
    return _Column(sources[used][begin], merged, bandwidth, float(np.log(scale)))


def _column_sums(column: _Column, values: Floats) -> tuple[Floats, Floats]:
    """Sums at every target and the source that each is relative to."""
    s, width = column.sources, _WIDTH * column.bandwidth
    nodes = np.cos(np.pi * (np.arange(_NODES) + 0.5) / _NODES)
    nodes *= _WIDTH / 2 * (1 + 1e-9)  # a cell may be rounded up
    middle = s[len(s) // 2]
    place = np.floor((values - middle) / width)
    near = np.abs(place) < _CELLS
    cells, cell = np.unique(place[near], return_inverse=True)
    groups = _groups(column, middle + (cells + 0.5) * width, nodes)
    spread = np.maximum(s[groups.last - 1] - groups.reference, groups.reference - s[groups.first])
    smooth = spread <= _SPREAD * column.bandwidth

    sums, reference = np.empty((2, len(values)))
    inside = np.flatnonzero(near)[smooth[cell]]
    cell = np.cumsum(smooth)[cell[smooth[cell]]] - 1
    groups = groups[np.flatnonzero(smooth)]
    offset = (values[inside] - groups.centre[cell]) / column.bandwidth
    sums[inside] = _interpolate(_evaluate(column, groups), offset, cell)
    reference[inside] = groups.reference[cell]

    single = np.ones(len(values), dtype=np.bool_)
    single[inside] = False
    alone = _groups(column, values[single], np.zeros(1))
    sums[single] = _evaluate(column, alone)[:, 0]
    reference[single] = alone.reference
    return sums, reference


def _groups(column: _Column, centre: Floats, nodes: Floats) -> _Groups:
    """The windows of sources that matter at any node."""
    s, b = column.sources, column.bandwidth
    total = float(column.weights.sum())
    first = np.full(len(centre), len(s), dtype=np.intp)
    last = np.zeros(len(centre), dtype=np.intp)
    for node in nodes:
        t = centre + node * b
        near = nearest_index(s, t)
        needed = 2 * (_TAIL + np.log(total / column.weights[near]))
        reach = np.hypot(np.abs(s[near] - t), b * np.sqrt(needed)) * (1 + 1e-15)
        np.minimum(first, np.searchsorted(s, t - reach), out=first)
        np.maximum(last, np.searchsorted(s, t + reach, "right"), out=last)
        np.minimum(first, near, out=first)
        np.maximum(last, near + 1, out=last)
    return _Groups(centre, s[nearest_index(s, centre)], first, last, nodes)


# ------------------------------------------------------------------------- sums over sources


def _evaluate(column: _Column, groups: _Groups) -> Floats:
    """Sums at the nodes of every group, shape (n_groups, n_nodes)."""
    s, b = column.sources, column.bandwidth
    result = np.zeros((len(groups.centre), len(groups.nodes)))
    away = np.maximum(groups.centre - s[groups.first], s[groups.last - 1] - groups.centre) / b
    level = np.ceil(np.log2(np.maximum(away / _REACH, 1.0)))
    terms = groups.last - groups.first
    raw = _Moments(np.arange(len(s)), s, column.weights[None, :])
    for one in np.unique(level).tolist():
        rows = np.flatnonzero(level == one)
        moments = _moments(column, int(one))
        cells = _cells(moments, groups[rows])
        # One cell costs about as much as this many sources.
        paid = terms[rows] > (1 + len(moments.moments) / 4) * (cells[1] - cells[0])
        _add_up(moments, groups, rows[paid], b, result)
        _add_up(raw, groups, rows[~paid], b, result)
    return result


def _moments(column: _Column, level: int) -> _Moments:
    """The sources in cells for groups that are at most 2^level times the reach away."""
    moments = column.moments.get(level)
    if moments is None:
        moments = _made_moments(column, 0.5**level)
        if level < _KEPT:
            column.moments[level] = moments
    return moments


def _made_moments(column: _Column, part: float) -> _Moments:
    """Those of cells that are such a part of the full width."""
    s, b = column.sources, column.bandwidth
    of_source = _number_cells(s, _WIDTH * b * part)
    start = np.flatnonzero(np.diff(of_source, prepend=-1))
    low, high = s[start], s[np.append(start[1:], len(s)) - 1]
    centre = low + (high - low) / 2
    count = _terms(float((high - low).max()) / 2 / b * _REACH / part)
    moments = np.zeros((count, len(start)))
    for begin in range(0, len(s), _BLOCK):
        block = slice(begin, begin + _BLOCK)
        inside = of_source[block]
        offset = (s[block] - centre[inside]) / b
        term = column.weights[block] * np.exp(-0.5 * offset * offset)
        runs = np.flatnonzero(np.diff(inside, prepend=-1))
        cells = inside[runs]
        for p in range(count):
            moments[p, cells] += np.add.reduceat(term, runs) / float(factorial(p))
            term *= offset
    return _Moments(of_source, centre, moments)


def _terms(x: float) -> int:
    """How many terms of exp(±x) make the rest smaller than a rounding error of exp(-x)."""
    count, term = 1, x
    while term * exp(x) > 1e-17:
        count += 1
        term *= x / count
    return count


def _cells(moments: _Moments, groups: _Groups) -> tuple[Ints, Ints]:
    return moments.of_source[groups.first], moments.of_source[groups.last - 1] + 1


def _add_up(
    moments: _Moments, groups: _Groups, rows: Ints, bandwidth: float, result: Floats
) -> None:
    """Sums over all cells of each window, for some rows of the groups."""
    first, last = _cells(moments, groups[rows])
    ends = np.cumsum(last - first)
    size = len(groups.nodes)
    begin = 0
    while begin < len(rows):
        done = int(ends[begin - 1]) if begin else 0
        end = max(begin + 1, int(np.searchsorted(ends, done + _BLOCK // size, "right")))
        part = slice(begin, end)
        count = last[part] - first[part]
        starts = ends[part] - count - done
        pair = np.repeat(np.arange(begin, end), count)
        cell = np.arange(len(pair)) + np.repeat(first[part] - starts, count)
        centre, reference = groups.centre[rows[pair]], groups.reference[rows[pair]]
        source = moments.centre[cell]
        value = log_ratio(source, reference, centre, bandwidth)[:, None]
        apart = ((source - reference) / bandwidth)[:, None]
        value = np.exp(np.maximum(value + apart * groups.nodes, -700.0))
        if len(moments.moments) == 1:
            value *= moments.moments[0, cell, None]
        else:
            value *= _series(moments.moments, cell, centre, source, groups.nodes, bandwidth)
        result[rows[part]] += np.add.reduceat(value, starts, axis=0)
        begin = end


def _series(
    moments: Floats, cell: Ints, centre: Floats, source: Floats, nodes: Floats, bandwidth: float
) -> Floats:
    """Σ_p (t - s)^p M_p, by Horner."""
    from_cell = ((centre - source) / bandwidth)[:, None] + nodes
    total = np.repeat(moments[-1, cell, None], len(nodes), axis=1)
    for row in moments[-2::-1]:
        total *= from_cell
        total += row[cell, None]
    return total


# ---------------------------------------------------------------------------- cells and nodes


def _number_cells(values: Floats, width: float) -> Ints:
    """The number of the cell of each of the rising values; empty cells have no number."""
    # From the median, so that a few values far away do not cost the others their digits.
    with np.errstate(over="ignore"):
        place = np.floor((values - values[len(values) // 2]) / width)
    new = place[1:] != place[:-1]
    new |= np.abs(place[1:]) > 2.0**50  # digits are used up: a cell of its own
    return np.concatenate(([0], np.cumsum(new)))


def _interpolate(at_nodes: Floats, offset: Floats, cell: Ints) -> Floats:
    """Values at targets from those at the nodes of their cells (Clenshaw's recurrence)."""
    angles = np.pi * (np.arange(_NODES) + 0.5) / _NODES
    to_series = 2 / _NODES * np.cos(np.outer(np.arange(_NODES), angles))
    to_series[0] /= 2
    # Term by term: a product of matrices adds up in an order that depends on their sizes.
    series = np.zeros((_NODES, len(at_nodes)))
    for k in range(_NODES):
        series += to_series[:, k, None] * at_nodes[:, k]
    result = np.empty(len(offset))
    for begin in range(0, len(offset), _BLOCK):
        part = slice(begin, begin + _BLOCK)
        x = offset[part] / (_WIDTH / 2 * (1 + 1e-9))
        double = 2 * x
        cells = cell[part]
        before, last = np.zeros(len(x)), np.zeros(len(x))
        for row in series[:0:-1]:
            before, last = last, double * last - before + row[cells]
        result[part] = x * last - before + series[0, cells]
    return result
