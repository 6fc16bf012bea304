"""Class probabilities from the distance to the boundary: GDK and LDK of ABD07.

How probable is class c at x? As probable as among the training cases that lie about as far
from the boundary of class c, on the same side: a kernel estimate in one dimension, h_c.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from j48geo import defaults
from j48geo.arrays import Bools, Floats, Ints
from j48geo.core.cache import cached_for
from j48geo.core.dataset import Dataset
from j48geo.core.fitted_values import KDES, KERNELS, PARTITIONS, DistanceKDE, Kde, Kernel, Partition
from j48geo.errors import ChoiceError, MismatchError, UnknownNameError
from j48geo.geometry.distance import (
    algebraic_distance,
    algebraic_distances,
    boundary,
    class_boundary,
    has_boundary,
)
from j48geo.geometry.projection import find_separators
from j48geo.score.kernel_sums import KernelSums
from j48geo.score.prediction import Flag
from j48geo.score.setting import Cases, Setting, classify_cases

TAU: dict[Partition, float] = {
    "none": defaults.TAU_GLOBAL,
    "separator": defaults.TAU_LOCAL,
    "leaf": defaults.TAU_LOCAL,
}
"""Bandwidth as a share of the range of h, if none is given."""

_LARGEST = 1e150
"""Numbers beyond this have no square."""

_SMALLEST = 1e-290

REACH = 38.0
"""Bandwidths beyond which a Gaussian kernel is 0 in double precision."""

_FINEST = 1e4
"""Bandwidths that the range of h may have with R's grid; beyond it finds no kernel at all."""


@dataclass(frozen=True, eq=False)
class DensityEstimates:
    """Estimates of every class for a block of cases.

    Parameters
    ----------
    per_class : array of float64, shape (n_cases, n_classes)
        The estimate of each class by its own h_c, in [0, 1], never NaN. With two classes
        the rows sum to 1; with more they need not.
    log_odds : array of float64, shape (n_cases, n_classes)
        log p / (1 - p) of the same, which tells cases apart where p is 1.0 to the last bit.
    flags : array of int, shape (n_cases,)
        Bits of `j48geo.score.prediction.Flag`.
    """

    per_class: Floats
    log_odds: Floats
    flags: Ints


def fit_density(
    setting: Setting,
    sample: Dataset,
    *,
    partition: Partition = "none",
    tau: float | None = None,
    kernel: Kernel = "gaussian",
    kde: Kde = "exact",
) -> DistanceKDE:
    """Learn from cases whose true class is known.

    Parameters
    ----------
    sample
        The training data, or better data that the tree has not seen. Cases without a class,
        without weight, or without a distance are left out.
    partition
        ``none`` is GDK, ``separator`` LDK, ``leaf`` the negative example of ABD07.
    tau
        Bandwidth as a share of the range of h; default 0.10 for GDK, else 0.05.

    Raises
    ------
    MismatchError
        If no case is left.

    Notes
    -----
    ABD07 section 4.1: one bandwidth b = tau x range of h over the whole sample, for all
    classes and, with a partition, for all parts.
    """
    _check_names(partition, kernel, kde)
    tau = TAU[partition] if tau is None else tau
    if not (np.isfinite(tau) and tau > 0):
        raise ChoiceError("tau", f"{tau:g}; expected a positive number")
    used = ~np.isnan(sample.class_values) & (sample.weights > 0) & np.isfinite(sample.weights)
    cases = classify_cases(setting, sample.X[used])
    actual, weights = sample.class_values[used].astype(np.intp), sample.weights[used]
    h, part = distances_and_parts(cases, partition)
    # An infinite value lies infinitely far away, and would make the range infinite.
    exists = [_exists(setting, c) for c in range(h.shape[1])]
    known = np.isfinite(h[:, exists]).all(axis=1) & (cases.predicted >= 0)
    if not known.any():
        raise MismatchError(
            "no case with a known class to estimate probabilities from; expected some"
        )
    h, part, actual, weights = h[known], part[known], actual[known], weights[known]
    with np.errstate(over="ignore", invalid="ignore"):
        bandwidth = tau * (h.max(axis=0) - h.min(axis=0))
    if not (bandwidth[exists] <= _LARGEST).all():
        raise ChoiceError(
            "tau", f"{tau:g} makes a bandwidth without bounds; expected a smaller one"
        )
    if ((bandwidth > 0) & (bandwidth < _SMALLEST)).any():
        raise ChoiceError("tau", f"{tau:g} makes a bandwidth of nothing; expected a larger one")
    bandwidth = np.where(exists, bandwidth, np.inf)
    weights = weights / weights.max() if weights.max() > _LARGEST else weights
    total = np.bincount(actual, weights, len(setting.tree.classes))
    return DistanceKDE(
        partition, kernel, kde, tau, h, part, actual, weights, bandwidth, total / total.sum()
    )


def estimate_density(kde: DistanceKDE, cases: Cases) -> DensityEstimates:
    """Distance-based kernel probability estimates of some cases.

    Notes
    -----
    ABD07 Algorithm 3. With p(c) from the same cases, equation (2) is
    p(c | h) = sum of w K over S_c / sum of w K over S. A case whose part is empty gets the
    estimate from all cases with the same bandwidth, and is flagged.
    """
    h, part = distances_and_parts(cases, kde.partition)
    n, n_classes = len(h), len(kde.prior)
    per_class, log_odds = np.empty((2, n, n_classes))
    flags = np.zeros(n, dtype=np.intp)
    for c in range(h.shape[1]):
        estimate = _estimate_column(kde, c, h[:, c], part[:, c])
        per_class[:, c], log_odds[:, c] = estimate.p, estimate.log_odds
        flags |= estimate.flags
        if n_classes == 2:
            per_class[:, 1], log_odds[:, 1] = estimate.q, -estimate.log_odds
    flags[cases.predicted < 0] = Flag.NO_CLASS
    return DensityEstimates(per_class, log_odds, flags)


def distances_and_parts(cases: Cases, partition: Partition) -> tuple[Floats, Ints]:
    """h_c of each case and the part it belongs to, shape (n_cases, 1 or n_classes)."""
    setting = cases.setting
    n_classes = len(setting.tree.classes)
    columns = 1 if n_classes == 2 else n_classes
    if partition != "separator":
        h = algebraic_distances(cases.class_distances, cases.predicted)[:, :columns]
        part = cases.prediction.leaf if partition == "leaf" else np.zeros(len(h), dtype=np.intp)
        return h, np.repeat(part[:, None], columns, axis=1)
    s = setting
    h = np.empty((len(cases.X), columns))
    parts = np.empty((len(cases.X), columns), dtype=np.intp)
    for c in range(columns):
        if n_classes <= 2:
            nearest = boundary(
                s.measured, cases.X, s.metric, cases.predicted, labels=s.labels, engine=s.engine
            )
        else:
            nearest = class_boundary(
                s.measured, cases.X, s.metric, cases.predicted, c, labels=s.labels, engine=s.engine
            )
        h[:, c] = algebraic_distance(nearest.distance, cases.predicted, c)
        parts[:, c] = find_separators(s.measured, cases.X, s.metric, nearest.nearest_leaf).node
    return h, parts


def _exists(setting: Setting, c: int) -> bool:
    """Whether Γ_c exists."""
    return has_boundary(setting.tree, labels=setting.labels, c=c)


class _Column(NamedTuple):
    """Estimate of one class: p, 1 - p, log-odds, and flags."""

    p: Floats
    q: Floats
    log_odds: Floats
    flags: Ints


def _estimate_column(kde: DistanceKDE, c: int, h: Floats, part: Ints) -> _Column:
    """The estimate of class `c` by its own h."""
    samples = cached_for(kde, _Samples)
    every = samples.of(c)
    sums = np.empty((len(h), 2))
    flags = np.zeros(len(h), dtype=np.intp)
    # Whose prior it is: everybody's, unless a distance says more.
    sums[:] = _logs(every.weights.sum(axis=0))
    known = ~np.isnan(h) & (every.bandwidth < np.inf)
    flags[~known] |= Flag.NO_BOUNDARY
    if kde.partition == "none":
        _fill(sums, flags, known, every, h)
    else:
        for one in np.unique(part[known]).tolist():
            rows = known & (part == one)
            inside = samples.of(c, one)
            if inside is every:
                flags[rows] |= Flag.EMPTY_PART
            _fill(sums, flags, rows, inside, h)
    apart = sums[:, 0] - sums[:, 1]
    return _Column(_expit(apart), _expit(-apart), apart, flags)


@dataclass(frozen=True, eq=False)
class _Sample:
    """The cases that speak for one class in one part: h, and the weights of it and the others."""

    kde: DistanceKDE
    sources: Floats
    weights: Floats
    bandwidth: float

    @cached_property
    def ordered(self) -> Floats:
        """Rising h."""
        return np.sort(self.sources)

    @cached_property
    def _sums(self) -> KernelSums:
        return KernelSums(self.sources, self.weights, self.bandwidth, kernel=self.kde.kernel)

    def logs(self, targets: Floats) -> Floats:
        """Logs of the kernel sums at finite targets, for the class and for the others."""
        if self.kde.kde != "r512":
            return self._sums.logs(targets)
        if self.ordered[-1] - self.ordered[0] > _FINEST * self.bandwidth:
            raise ChoiceError(
                "tau",
                f"{self.kde.tau:g} makes a bandwidth of {self.bandwidth:g}, too narrow for R's "
                "grid of 512 points; expected a larger one, or kde 'exact'",
            )
        return _r_sums(self.sources, self.weights, targets, self.bandwidth)


class _Samples:
    """The samples of an estimate by class and part; what is prepared from them is kept."""

    def __init__(self, kde: DistanceKDE) -> None:
        # Kept with the estimate, and so without holding it fast.
        self._kde = replace(kde)
        self._made: dict[tuple[int, int | None], _Sample] = {}

    def of(self, c: int, part: int | None = None) -> _Sample:
        """That of class `c`; of all cases if there are none in the part."""
        if (c, part) not in self._made:
            self._made[c, part] = self._make(c, part)
        return self._made[c, part]

    def _make(self, c: int, part: int | None) -> _Sample:
        kde, b = self._kde, float(self._kde.bandwidth[c])
        is_c = kde.actual == c
        weights = np.stack([kde.weights * is_c, kde.weights * ~is_c], axis=1)
        if part is None:
            return _Sample(kde, kde.h[:, c], weights, b)
        inside = kde.part[:, c] == part
        if part < 0 or not inside.any():
            return self.of(c)
        return _Sample(kde, kde.h[inside, c], weights[inside], b)


def _fill(sums: Floats, flags: Ints, here: Bools, sample: _Sample, h: Floats) -> None:
    """Put the sums of the cases `here`, and what is to be said of them, into their places."""
    rows = np.flatnonzero(here)
    if not len(rows):
        return
    sources, weights, b = sample.sources, sample.weights, sample.bandwidth
    targets = h[rows]
    if b <= 0:
        flags[rows] |= Flag.ONE_DISTANCE
        same = targets == sources[0]
        sums[rows[same]] = _logs(weights.sum(axis=0))
        return
    ordered = sample.ordered
    nearest = _nearest_distance(ordered, targets)
    reach = REACH * b if sample.kde.kernel == "gaussian" else b / 2
    far = nearest > reach
    flags[rows[far]] |= Flag.FAR
    logs = sample.logs(np.where(np.isinf(targets), 0.0, targets))
    # Outside all boxes, off R's grid, or infinitely far: the limit of a narrow kernel.
    lost = np.isneginf(logs).all(axis=1) | np.isinf(targets)
    if lost.any():
        flags[rows[lost]] |= Flag.FAR
        logs[lost] = _nearest_sums(
            sources, weights, np.clip(targets[lost], ordered[0], ordered[-1])
        )
    sums[rows] = logs


def _r_sums(sources: Floats, weights: Floats, targets: Floats, b: float) -> Floats:
    """Logs of p(c) f_c and of f - p(c) f_c, from R's grids of f and of f_c."""
    from j48geo.score.kernel_sums import r_density

    total = weights.sum(axis=1)
    f = r_density(sources, total, b, targets) * total.sum()
    mine = weights[:, 0] > 0
    f_c = np.zeros(len(targets))
    if mine.any():
        f_c = r_density(sources[mine], weights[mine, 0], b, targets) * weights[:, 0].sum()
    # The two grids are not the same, so f_c may exceed f by their errors.
    f, f_c = np.maximum(f, 0.0), np.clip(f_c, 0.0, None)
    f_c = np.minimum(f_c, f)
    return _logs(np.stack([f_c, f - f_c], axis=1))


def _nearest_distance(ordered: Floats, targets: Floats) -> Floats:
    """How far the nearest source is from each target."""
    above = np.searchsorted(ordered, targets).clip(0, len(ordered) - 1)
    below = (above - 1).clip(0)
    distance: Floats = np.minimum(
        np.abs(ordered[above] - targets), np.abs(targets - ordered[below])
    )
    return distance


def _nearest_sums(sources: Floats, weights: Floats, targets: Floats) -> Floats:
    """Logs of the weight of the sources nearest to each target; both sides of a tie."""
    values, which = np.unique(sources, return_inverse=True)
    at = np.stack([np.bincount(which, w, len(values)) for w in weights.T], axis=1)
    nearest = _nearest_distance(values, targets)
    sums = np.zeros((len(targets), weights.shape[1]))
    above = np.searchsorted(values, targets).clip(0, len(values) - 1)
    below = (above - 1).clip(0)
    is_above = np.abs(values[above] - targets) == nearest
    is_below = (np.abs(values[below] - targets) == nearest) & (below != above)
    sums[is_above] += at[above[is_above]]
    sums[is_below] += at[below[is_below]]
    return _logs(sums)


def _expit(x: Floats) -> Floats:
    """1 / (1 + exp(-x)) without overflow."""
    small = np.exp(-np.abs(x))
    share: Floats = np.where(x >= 0, 1.0, small) / (1.0 + small)
    return share


def _logs(x: Floats) -> Floats:
    with np.errstate(divide="ignore"):
        logs: Floats = np.log(x)
    return logs


def _check_names(partition: str, kernel: str, kde: str) -> None:
    for what, name, known in (
        ("partition", partition, PARTITIONS),
        ("kernel", kernel, KERNELS),
        ("kde", kde, KDES),
    ):
        if name not in known:
            raise UnknownNameError(what, name, known)
    if kde == "r512" and kernel != "gaussian":
        raise ChoiceError("kernel", f"{kernel!r} with kde 'r512'; expected 'gaussian'")
