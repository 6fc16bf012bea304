"""Class probabilities by name: estimates of the leaf, GDK, LDK, nearby leaves.

A `ProbabilityModel` is fitted once and can be sent anywhere or saved; then
`estimate_probabilities` is called for each block of cases.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from j48geo import defaults
from j48geo.arrays import Floats, Ints
from j48geo.core.dataset import Dataset
from j48geo.core.fitted_values import (
    DistanceKDE,
    Kde,
    Kernel,
    NearbyLeaves,
    Partition,
    Recalibration,
)
from j48geo.errors import MismatchError, UnknownNameError
from j48geo.score.cases import cases_of
from j48geo.score.density.kde import estimate_density, fit_density
from j48geo.score.flags import Flag
from j48geo.score.leaf.estimates import (
    Estimate,
    case_estimates,
    class_shares,
    estimates_of_classes,
    m_of,
)
from j48geo.score.leaf.shrinkage import shrunken_estimates
from j48geo.score.methods import PROBABILITIES
from j48geo.score.nearby.average import nearby_distribution
from j48geo.score.predict import contradicted
from j48geo.score.recalibration import recalibrated
from j48geo.score.setting import Cases, Setting

__all__ = [
    "METHODS",
    "Probabilities",
    "ProbabilityModel",
    "estimate_cases",
    "estimate_probabilities",
    "fit_probabilities",
]

METHODS = PROBABILITIES

_LEAF: dict[str, Estimate] = {"raw": "raw", "laplace": "laplace", "m": "m"}
_PARTITION: dict[str, Partition] = {"gdk": "none", "ldk": "separator", "ldk-leaf": "leaf"}


@dataclass(frozen=True, eq=False)
class ProbabilityModel:
    """A tree and what is needed to estimate probabilities with it.

    Parameters
    ----------
    methods
        Names of the estimates, in the order of the answers.
    densities
        What the kernel estimates have learnt, by method.
    leaf_rows
        Estimates of all leaves by the methods that ask the leaf alone, shape (n_leaves,
        n_classes) each.
    nearby
        What the nearby-leaf average has learnt.
    recalibrations
        What makes probabilities honest, by method.
    """

    setting: Setting
    methods: tuple[str, ...]
    densities: Mapping[str, DistanceKDE]
    leaf_rows: Mapping[str, Floats]
    nearby: NearbyLeaves | None = None
    recalibrations: Mapping[str, Recalibration] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Probabilities:
    """Estimates of one method for a block of cases.

    Parameters
    ----------
    distribution : array of float64, shape (n_cases, n_classes)
        Rows sum to 1; never NaN.
    per_class : array of float64, shape (n_cases, n_classes)
        The published estimates of GDK and LDK, one a class by its own h_c, before they are
        divided by their sum; None where these are the distribution itself.
    log_odds : array of float64, shape (n_cases, n_classes)
        log p / (1 - p) of the same, for ranking, since p saturates; None for other methods.
    flags : array of int, shape (n_cases,)
        Bits of `j48geo.score.flags.Flag`.
    """

    method: str
    distribution: Floats
    per_class: Floats | None
    log_odds: Floats | None
    flags: Ints


def fit_probabilities(
    setting: Setting,
    sample: Dataset | None = None,
    *,
    methods: Sequence[str] = ("gdk",),
    tau: float | None = None,
    kernel: Kernel = "gaussian",
    kde: Kde = "exact",
) -> ProbabilityModel:
    """Learn what the methods need.

    Parameters
    ----------
    setting
        Tree, counts and metric; ``mp`` is m p(c) of the positive class, which sets the m
        of all classes; ``training`` gives the nearby-leaf average its spreads.
    sample
        Cases with their true class for the kernel estimates; default: the training data,
        which is optimistic, since the tree was fitted to it.
    methods
        ``raw``, ``laplace``, ``m``, ``hs``, ``gdk``, ``ldk``, ``ldk-leaf`` (the leaves as
        parts), ``nearby``.
    tau, kernel, kde
        See `j48geo.score.density.kde.fit_density`.

    Raises
    ------
    UnknownNameError
        If there is no such method.
    MismatchError
        If a method needs cases or counts that are not there.
    """
    names = tuple(methods)
    for name in names:
        if name not in METHODS:
            raise UnknownNameError("method", name, METHODS)
    densities: dict[str, DistanceKDE] = {}
    nearby = None
    leaf_rows: dict[str, Floats] = {}
    for name in names:
        if name in _PARTITION:
            cases = setting.training if sample is None else sample
            if cases is None:
                raise MismatchError(
                    f"{name} learns from cases; expected the training data, or a sample"
                )
            densities[name] = fit_density(
                setting, cases, partition=_PARTITION[name], tau=tau, kernel=kernel, kde=kde
            )
        elif name == "nearby":
            nearby = setting.nearby
        else:
            leaf_rows[name] = _leaf_rows(setting, name)
    return ProbabilityModel(setting, names, densities, leaf_rows, nearby)


def estimate_probabilities(model: ProbabilityModel, X: Floats) -> dict[str, Probabilities]:
    """Estimates of every method for a block of cases: pure, picklable, safe in threads.

    Parameters
    ----------
    X : array of float64, shape (n_cases, n_attributes)
        Columns in the order of the tree's header.
    """
    return estimate_cases(model, cases_of(model.setting, X))


def estimate_cases(model: ProbabilityModel, cases: Cases) -> dict[str, Probabilities]:
    """The same for cases whose classes are known already."""
    return {name: _estimated(model, name, cases) for name in model.methods}


def _estimated(model: ProbabilityModel, name: str, cases: Cases) -> Probabilities:
    per_class = log_odds = None
    flags = np.zeros(len(cases.X), dtype=np.intp)
    if name in _PARTITION:
        kde = model.densities[name]
        found = estimate_density(kde, cases)
        log_odds, flags = found.log_odds, found.flags
        distribution = _normalised(found.per_class, kde.prior, flags)
        if len(kde.prior) > 2:
            per_class = found.per_class
    elif name == "nearby":
        assert model.nearby is not None
        distribution = nearby_distribution(
            model.setting.tree, model.nearby, cases.X, engine=model.setting.engine
        )
    else:
        distribution = _of_leaves(model.setting, model.leaf_rows[name], cases, flags)
    if name in model.recalibrations:
        distribution = recalibrated(model.recalibrations[name], distribution)
        per_class = log_odds = None  # they are those from before
    flags[contradicted(distribution, cases.predicted)] |= Flag.NOT_LARGEST
    if cases.prediction.doubts is not None:  # the estimate is that of one of several leaves
        flags |= cases.prediction.doubts & int(Flag.NEAR_THRESHOLD | Flag.NO_CLASS)
    return Probabilities(name, distribution, per_class, log_odds, flags)


def _normalised(per_class: Floats, prior: Floats, flags: Ints) -> Floats:
    """Rows divided by their sums; the prior where all classes have estimate 0."""
    total = per_class.sum(axis=1, keepdims=True)
    nothing = total[:, 0] <= 0
    flags[nothing] |= Flag.NO_CASES
    return np.where(nothing[:, None], prior, per_class / np.where(total > 0, total, 1.0))


def _of_leaves(setting: Setting, rows: Floats, cases: Cases, flags: Ints) -> Floats:
    """Leaf estimates of the cases' leaves; equal shares where nothing was counted."""
    s, leaf = setting, cases.prediction.leaf
    columns = [case_estimates(s.tree, s.counts, cases.X, row, leaf) for row in rows.T]
    found = np.stack(columns, axis=1)
    unknown = np.isnan(found.sum(axis=1))
    flags[unknown] |= Flag.NO_CASES
    return np.where(unknown[:, None], 1.0 / found.shape[1], found)


def _leaf_rows(setting: Setting, name: str) -> Floats:
    """Estimates of the leaves, shape (n_leaves, n_classes)."""
    s = setting
    if name == "hs":
        strength = defaults.SHRINKAGE if s.shrinkage is None else s.shrinkage
        return shrunken_estimates(s.tree, s.counts, strength)
    shares = class_shares(s.tree, s.counts)
    # One m for all classes, that of the positive class, so that the estimates sum to 1.
    m = m_of(s.mp, shares[s.positive]) if shares else None
    return estimates_of_classes(s.tree, s.counts, _LEAF[name], m=m)
