"""Fit the probability methods of a model: from rows, from folds, or from a model file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.core.dataset import Dataset
from j48geo.core.fitted_values import FittedValues, Metric, Recalibration, RecalibrationKind
from j48geo.errors import MismatchError, NeedsTrainingError
from j48geo.model.settings import find_metric, find_setting, require_nearby
from j48geo.score.methods import KERNEL_METHODS, PROBABILITIES
from j48geo.score.probabilities import (
    ProbabilityModel,
    collect_fitted_values,
    estimate_probabilities,
    fit_probabilities,
    restore_model,
)
from j48geo.score.recalibration import fit_recalibration
from j48geo.text import pluralize

if TYPE_CHECKING:
    from j48geo.model.growth import RegrownTree
    from j48geo.model.model import Model
    from j48geo.score.setting import Setting


@dataclass(frozen=True, eq=False)
class FittedMethods:
    """What the probability methods of a model have learnt.

    Parameters
    ----------
    model
        Ready to estimate.
    sample, cases
        Name of the cases that the kernel estimates learnt from, and how many there are;
        empty if there is no such estimate.
    seen
        Whether these are the training data, to which the tree was fitted: optimistic.
    recalibrated
        What all probabilities were made honest by, in words; empty if they were not.
    """

    model: ProbabilityModel
    sample: str = ""
    cases: int = 0
    seen: bool = False
    recalibrated: str = ""


def check_sample(model: Model, sample: Dataset, name: str) -> tuple[Dataset, list[str]]:
    """Cases that kernel estimates can learn from, and what is to be said of them."""
    known = sample.class_values == sample.class_values
    if not known.any():
        raise MismatchError(f"{name}: no row has a class; expected cases whose class is known")
    weighed = known & (sample.weights > 0)
    if not weighed.any():
        raise MismatchError(f"{name}: no row with a class has a positive weight")
    notes = []
    if not weighed.all():
        left = int((~weighed).sum())
        have = "row has" if left == 1 else "rows have"
        notes.append(f"{name}: {left} {have} no class or weight 0; nothing is learnt from them")
    for c, label in enumerate(model.classes):
        if not (sample.class_values[weighed] == c).any():
            notes.append(f"{name} has no case of {label!r}: gdk and ldk give it no probability")
    return sample, notes


def fit_methods(
    model: Model,
    methods: Sequence[str],
    sample: Dataset | None = None,
    *,
    name: str = "",
    seen: bool = False,
    metric: Metric | None = None,
) -> FittedMethods:
    """What the probability methods need, learnt now or taken from the model file.

    Parameters
    ----------
    sample, name
        Cases for the kernel estimates in the columns of the tree, and what they are called.
        Default: the training data. If probabilities are recalibrated, these cases serve for
        that alone; without any, folds of the training data do.
    seen
        Whether `sample` is the training data under another name.
    metric
        If it is known already.
    """
    names = [m for m in methods if m in PROBABILITIES]
    kind = model.choices.recalibrate
    if kind is not None and not _has_recalibrations(model, names, sample):
        plain = replace(model, choices=replace(model.choices, recalibrate=None))
        return _fit_recalibrated(plain, kind, names, sample, name, metric)
    kernels = [m for m in names if m in KERNEL_METHODS]
    cases = model.training if sample is None else sample
    _require_cases(model, names, cases)
    if metric is None:
        metric = _choose_metric(model, cases, name)
    setting = find_setting(model, model.positive_index or 0, metric)
    if model.fitted is not None and sample is None:
        return _restore_methods(model, model.fitted, setting, names, kernels)
    probabilities = _fit_probabilities(model, setting, cases, names)
    if not kernels:
        return FittedMethods(probabilities)
    return FittedMethods(
        probabilities,
        model.training_name if sample is None else name,
        len(probabilities.densities[kernels[0]].actual),
        sample is None or seen,
    )


def _fit_probabilities(
    model: Model, setting: Setting, cases: Dataset | None, names: Sequence[str]
) -> ProbabilityModel:
    """The methods fitted to cases, with the kernel that was chosen."""
    choices = model.choices
    return fit_probabilities(
        setting,
        cases,
        methods=names,
        tau=choices.tau,
        kernel=choices.kernel or "gaussian",
        kde=choices.kde or "exact",
    )


def _require_cases(model: Model, names: Sequence[str], cases: Dataset | None) -> None:
    """Refuse methods that learn from cases where there are none."""
    kernels = [name for name in names if name in KERNEL_METHODS]
    if kernels and cases is None and model.fitted is None:
        raise NeedsTrainingError(
            f"{kernels[0]} learns from cases whose class is known", calibration=True
        )
    if "nearby" in names:
        require_nearby(model)


def _restore_methods(
    model: Model,
    fitted: FittedValues,
    setting: Setting,
    names: Sequence[str],
    kernels: Sequence[str],
) -> FittedMethods:
    """The methods as a model file holds them."""
    _check_fitted(model, kernels)
    return FittedMethods(
        restore_model(setting, fitted, tuple(names)),
        fitted.calibration if kernels else "",
        seen=bool(kernels) and fitted.calibration == fitted.training,
        recalibrated=_describe_recalibration(fitted, names),
    )


def _has_recalibrations(model: Model, names: Sequence[str], sample: Dataset | None) -> bool:
    """Whether there is nothing to recalibrate, or the model file holds the result."""
    if not names:
        return True
    if model.fitted is None or sample is not None:
        return False
    held = model.fitted.recalibrations
    return all(n in held and held[n].kind == model.choices.recalibrate for n in names)


def _fit_recalibrated(
    model: Model,
    kind: RecalibrationKind,
    names: Sequence[str],
    sample: Dataset | None,
    name: str,
    metric: Metric | None,
) -> FittedMethods:
    if sample is None and model.training is None:
        raise NeedsTrainingError(
            "recalibration learns from cases that the tree has not seen", calibration=True
        )
    fitted = fit_methods(model, names, metric=metric)
    if sample is not None:
        recalibrations = recalibrate_by_sample(kind, fitted.model, sample, name)
    else:
        recalibrations = recalibrate_by_folds(
            kind, model, names, lambda m, asked: fit_methods(m, asked).model
        )
    return replace(
        fitted,
        model=replace(fitted.model, recalibrations=recalibrations.maps),
        recalibrated=f"recalibrated ({kind}) by {recalibrations.source}",
    )


def _describe_recalibration(fitted: FittedValues, names: Sequence[str]) -> str:
    kinds = sorted({fitted.recalibrations[n].kind for n in names if n in fitted.recalibrations})
    return f"recalibrated ({', '.join(kinds)}) as the model was fitted" if kinds else ""


def to_fitted_values(model: Model, learnt: FittedMethods) -> FittedValues:
    """What has to be kept in a file, so that the cases are needed no more."""
    values = _fitted_values(model, learnt)
    if model.choices.tuned is None or values.nearby is None:
        return values
    return replace(values, nearby=replace(values.nearby, tuned=model.choices.tuned))


def _fitted_values(model: Model, learnt: FittedMethods) -> FittedValues:
    return collect_fitted_values(
        learnt.model,
        training=model.training_name,
        calibration=learnt.sample,
        has_positive=model.positive is not None,
    )


def _check_fitted(model: Model, kernels: Sequence[str]) -> None:
    """What the model file carries; anything else needs cases."""
    fitted, choices = model.fitted, model.choices
    assert fitted is not None
    if kernels and model.labels is not None:
        raise NeedsTrainingError(
            f"{model.source} was fitted with its own labels; others need cases", calibration=True
        )
    kernel_choices = (choices.tau, choices.kernel, choices.kde)
    if kernels and kernel_choices != (None, None, None):
        raise NeedsTrainingError(
            f"{model.source} was fitted with its own bandwidth and kernel; others need cases",
            calibration=True,
        )
    for name in kernels:
        if name not in fitted.densities:
            has = ", ".join(fitted.densities)
            raise NeedsTrainingError(
                f"{model.source} was not fitted for {name}{f', but for {has}' if has else ''}",
                calibration=True,
            )


def _choose_metric(model: Model, cases: Dataset | None, name: str) -> Metric:
    if cases is None and model.fitted is None and model.choices.learns_metric:
        # Leaf estimates alone: nothing is measured.
        return find_metric(replace(model, choices=replace(model.choices, metric="none")))
    given = [] if cases is None else [cases]
    return find_metric(model, given, f"{name}, the calibration data")


_Block = tuple[dict[str, Floats], Ints, Floats]
"""What every method says of some cases, their classes, and their weights."""


@dataclass(frozen=True, eq=False)
class Recalibrations:
    """What was learnt for every method, and from which cases, in words."""

    maps: dict[str, Recalibration]
    source: str


def recalibrate_by_sample(
    kind: RecalibrationKind, probabilities: ProbabilityModel, sample: Dataset, name: str
) -> Recalibrations:
    """Fit recalibrations to rows that the tree has not seen.

    Parameters
    ----------
    probabilities
        What the methods have learnt, from other rows.
    """
    known = ~np.isnan(sample.class_values) & (sample.weights > 0)
    rows = replace(sample, X=sample.X[known], weights=sample.weights[known])
    block = _estimate_block(probabilities, rows)
    return _fit_recalibrations(kind, [block], f"{pluralize(len(rows), 'case')} of {name}")


def recalibrate_by_folds(
    kind: RecalibrationKind,
    model: Model,
    methods: Sequence[str],
    fit_methods: Callable[[Model, Sequence[str]], ProbabilityModel],
    folds: Iterable[RegrownTree] | None = None,
) -> Recalibrations:
    """Learn from what trees say that are grown again on folds, of the rows they have not seen.

    Parameters
    ----------
    learn
        Fits methods to a model.
    folds
        Trees that were grown again already, by `j48geo.model.growth.regrow_trees`.
    """
    from j48geo.model.growth import N_FOLDS, regrow_trees

    kernels = [name for name in methods if name in KERNEL_METHODS]
    if kernels and model.labels is not None:
        raise NeedsTrainingError(
            f"recalibration: {kernels[0]} measures to the labels that were given, which trees "
            "that are grown again do not have",
            calibration=True,
        )
    blocks = []
    for fold in regrow_trees(model, "recalibration") if folds is None else folds:
        plain = replace(fold.model, choices=replace(model.choices, recalibrate=None))
        blocks.append(_estimate_block(fit_methods(plain, methods), fold.cases))
    source = f"{N_FOLDS} folds of {model.training_name}, with trees grown again on the others"
    return _fit_recalibrations(kind, blocks, source)


def _estimate_block(probabilities: ProbabilityModel, rows: Dataset) -> _Block:
    plain = replace(probabilities, recalibrations={})
    answers = estimate_probabilities(plain, rows.X)
    p = {name: answer.distribution for name, answer in answers.items()}
    return p, rows.class_values.astype(np.intp), rows.weights


def _fit_recalibrations(
    kind: RecalibrationKind, blocks: Iterable[_Block], source: str
) -> Recalibrations:
    estimates, actual, weights = zip(*blocks, strict=True)
    y, w = np.concatenate(actual), np.concatenate(weights)
    maps = {
        name: fit_recalibration(kind, np.concatenate([p[name] for p in estimates]), y, w)
        for name in estimates[0]
    }
    return Recalibrations(maps, source)
