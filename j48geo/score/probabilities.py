"""Class probabilities by name: estimates of the leaf, GDK, LDK, nearby leaves.

A `ProbabilityModel` is fitted once (`fit_probabilities`) and can be sent anywhere; then
`estimate_probabilities` is called for each block of cases. `collect_fitted_values` gives what a
model file keeps of it, and `restore_model` makes the model of that again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from j48geo import defaults
from j48geo.arrays import Floats, Ints
from j48geo.core.counts import NodeCounts
from j48geo.core.dataset import Dataset
from j48geo.core.fitted_values import (
    DistanceKDE,
    FittedValues,
    Kde,
    Kernel,
    NearbyLeaves,
    Partition,
    Recalibration,
)
from j48geo.core.tree import BoxTree
from j48geo.errors import MismatchError, UnknownNameError
from j48geo.score.kernel_density import estimate_density, fit_density
from j48geo.score.leaf_estimates import (
    Estimate,
    case_estimates,
    class_estimates,
    class_shares,
    find_m,
    shrunken_estimates,
)
from j48geo.score.methods import LEAF_METHODS, PROBABILITIES
from j48geo.score.nearby.average import nearby_distribution
from j48geo.score.prediction import Flag, flag_names, is_contradicted
from j48geo.score.recalibration import recalibrate
from j48geo.score.setting import Cases, Setting, classify_cases, restore_mp

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
        Bits of `j48geo.score.prediction.Flag`.
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
        See `j48geo.score.kernel_density.fit_density`.

    Raises
    ------
    UnknownNameError
        If there is no such method.
    MismatchError
        If a method needs cases or counts that are not there.
    """
    names = tuple(methods)
    for name in names:
        if name not in PROBABILITIES:
            raise UnknownNameError("method", name, PROBABILITIES)
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
    return estimate_cases(model, classify_cases(model.setting, X))


def estimate_cases(model: ProbabilityModel, cases: Cases) -> dict[str, Probabilities]:
    """Class probabilities by every method, for cases whose predicted classes are known already."""
    return {name: _estimate_method(model, name, cases) for name in model.methods}


def _estimate_method(model: ProbabilityModel, name: str, cases: Cases) -> Probabilities:
    per_class = log_odds = None
    flags = np.zeros(len(cases.X), dtype=np.intp)
    if name in _PARTITION:
        kde = model.densities[name]
        estimate = estimate_density(kde, cases)
        log_odds, flags = estimate.log_odds, estimate.flags
        distribution = _normalize_estimates(estimate.per_class, kde.prior, flags)
        if len(kde.prior) > 2:
            per_class = estimate.per_class
    elif name == "nearby":
        assert model.nearby is not None
        distribution = nearby_distribution(
            model.setting.tree, model.nearby, cases.X, engine=model.setting.engine
        )
    else:
        distribution = _of_leaves(model.setting, model.leaf_rows[name], cases, flags)
    if name in model.recalibrations:
        distribution = recalibrate(model.recalibrations[name], distribution)
        per_class = log_odds = None  # they are those from before
    flags[is_contradicted(distribution, cases.predicted)] |= Flag.NOT_LARGEST
    if cases.prediction.doubts is not None:  # the estimate is that of one of several leaves
        flags |= cases.prediction.doubts & int(Flag.NEAR_THRESHOLD | Flag.NO_CLASS)
    return Probabilities(name, distribution, per_class, log_odds, flags)


def _normalize_estimates(per_class: Floats, prior: Floats, flags: Ints) -> Floats:
    """Rows divided by their sums; the prior where all classes have estimate 0."""
    total = per_class.sum(axis=1, keepdims=True)
    nothing = total[:, 0] <= 0
    flags[nothing] |= Flag.NO_CASES
    return np.where(nothing[:, None], prior, per_class / np.where(total > 0, total, 1.0))


def _of_leaves(setting: Setting, rows: Floats, cases: Cases, flags: Ints) -> Floats:
    """Leaf estimates of the cases' leaves; equal shares where nothing was counted."""
    s, leaf = setting, cases.prediction.leaf
    columns = [case_estimates(s.tree, s.counts, cases.X, row, leaf) for row in rows.T]
    estimates = np.stack(columns, axis=1)
    unknown = np.isnan(estimates.sum(axis=1))
    flags[unknown] |= Flag.NO_CASES
    return np.where(unknown[:, None], 1.0 / estimates.shape[1], estimates)


def _leaf_rows(setting: Setting, name: str) -> Floats:
    """Estimates of the leaves, shape (n_leaves, n_classes)."""
    s = setting
    if name == "hs":
        strength = defaults.SHRINKAGE if s.shrinkage is None else s.shrinkage
        return shrunken_estimates(s.tree, s.counts, strength)
    shares = class_shares(s.tree, s.counts)
    # One m for all classes, that of the positive class, so that the estimates sum to 1.
    m = find_m(s.mp, shares[s.positive]) if shares else None
    return class_estimates(s.tree, s.counts, _LEAF[name], m=m)


def collect_fitted_values(
    model: ProbabilityModel,
    *,
    training: str = "",
    calibration: str = "",
    has_positive: bool = True,
) -> FittedValues:
    """The values that a model file keeps instead of the training cases.

    Parameters
    ----------
    training, calibration
        Names of the data it was learnt from.
    has_positive
        Whether the positive class of the setting was chosen, and is to be kept.
    """
    setting = model.setting
    root = setting.counts.per_class[0]
    share = float(root[setting.positive]) / float(root.sum()) if root.sum() > 0 else 0.0
    m = setting.mp / share if setting.mp != defaults.MP and share > 0 else None
    faces = None
    if setting.face_tree is not None:
        moved = setting.face_tree.splits
        faces = {
            node.index: face.threshold
            for (node, split), (_, face) in zip(setting.tree.splits, moved, strict=True)
            if split.kind == "numeric" and split.threshold != face.threshold
        }
    return FittedValues(
        metric=setting.metric,
        faces=faces,
        positive=setting.positive if has_positive else None,
        m=m,
        training=training,
        calibration=calibration or training,
        densities=model.densities,
        nearby=model.nearby,
        recalibrations=model.recalibrations,
        shrinkage=setting.shrinkage if "hs" in model.methods else None,
    )


def restore_setting(
    tree: BoxTree, counts: NodeCounts, fitted: FittedValues, *, positive: int | None = None
) -> Setting:
    """The setting of a model that was kept; good for `score_batch` too.

    Parameters
    ----------
    positive
        Default: the class it was fitted for, or the first.
    """
    chosen = positive if positive is not None else fitted.positive or 0
    return Setting(
        tree,
        counts,
        fitted.metric,
        chosen,
        mp=restore_mp(counts, fitted, chosen),
        face_tree=None if fitted.faces is None else tree.with_thresholds(fitted.faces),
        laplace=bool(tree.options.laplace),
        fitted_nearby=fitted.nearby,
        shrinkage=fitted.shrinkage,
    )


def restore_model(
    setting: Setting, fitted: FittedValues, methods: tuple[str, ...] | None = None
) -> ProbabilityModel:
    """The probability model that was kept.

    Parameters
    ----------
    setting
        From `restore_setting`.
    methods
        Default: those it was fitted for.

    Raises
    ------
    UnknownNameError
        If it was not fitted for a method.

    Examples
    --------
    >>> from j48geo.geometry.metric import fit_metric
    >>> from j48geo.core.build import at_most, build_tree, leaf
    >>> from j48geo.core.counts import counts_from_data
    >>> from j48geo.core.dataset import Attribute, Dataset, Header
    >>> import numpy as np
    >>> header = Header("h", (Attribute("x"), Attribute("c", "nominal", ("a", "b"))), 1)
    >>> tree = build_tree(header, at_most("x", 2, leaf("a"), leaf("b")))
    >>> X = np.array([[0.0, 0], [1.0, 0], [3.0, 1], [4.0, 0]])
    >>> counts = counts_from_data(tree, X, X[:, 1], np.ones(4))
    >>> metric = fit_metric(tree, "standard", X)
    >>> setting = Setting(tree, counts, metric, 0, Dataset(header, X, np.ones(4)))
    >>> fitted = fit_probabilities(setting, methods=["gdk"])
    >>> kept = collect_fitted_values(fitted, training="four rows")
    >>> again = restore_model(restore_setting(tree, counts, kept), kept)
    >>> again.methods
    ('gdk',)
    """
    has = (*fitted.densities, *(() if fitted.nearby is None else ("nearby",)))
    wanted = has if methods is None else tuple(methods)
    learnt = [name for name in PROBABILITIES if name not in LEAF_METHODS]
    for name in wanted:
        if name in learnt and name not in has:
            raise UnknownNameError("method of the fitted model", name, has)
    fresh = fit_probabilities(setting, methods=[m for m in wanted if m not in fitted.densities])
    densities = {m: fitted.densities[m] for m in wanted if m in fitted.densities}
    maps = {m: fitted.recalibrations[m] for m in wanted if m in fitted.recalibrations}
    return replace(fresh, methods=wanted, densities=densities, recalibrations=maps)


class EstimatedBlock(NamedTuple):
    """Rows, the class that the tree gives them, and their estimates by method.

    `predicted` is -1 where the class is not known; `first_row` counts from 1.
    """

    first_row: int
    rows: Dataset
    predicted: Ints
    estimates: Mapping[str, Probabilities]


@dataclass
class ProbabilityTally:
    """Counts rows and flags, to say it in words at the end."""

    rows: int = 0
    flags: dict[tuple[str, str], int] = field(default_factory=dict)
    different: dict[str, set[float]] = field(default_factory=dict)

    def add(self, block: EstimatedBlock) -> None:
        """Count the rows of a block."""
        self.rows += len(block.predicted)
        for method, estimate in block.estimates.items():
            values, counts = np.unique(estimate.flags, return_counts=True)
            for mask, n in zip(values.tolist(), counts.tolist(), strict=True):
                for name in flag_names(mask):
                    self.flags[method, name] = self.flags.get((method, name), 0) + n
            seen = self.different.setdefault(method, set())
            if len(seen) <= MANY_PROBABILITIES:
                # Two classes have one number; with more the first tells most rows apart.
                seen.update(estimate.distribution[:, 0].tolist())


MANY_PROBABILITIES = 100_000
"""Different probabilities are counted up to about this many."""
