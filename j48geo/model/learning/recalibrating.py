"""Cases that make the probabilities of a model honest: other rows, or folds of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.core.dataset import Dataset
from j48geo.core.fitted_values import Recalibration, RecalibrationKind
from j48geo.errors import NeedsTrainingError
from j48geo.model.learning.regrowing import FOLDS, Regrown, regrow
from j48geo.score.methods import KERNELS
from j48geo.score.probabilities import ProbabilityModel, estimate_probabilities
from j48geo.score.recalibration import fit_recalibration
from j48geo.text import plural

if TYPE_CHECKING:
    from j48geo.model.model import Model

__all__ = ["Recalibrated", "by_folds", "by_sample"]

_Block = tuple[dict[str, Floats], Ints, Floats]
"""What every method says of some cases, their classes, and their weights."""


@dataclass(frozen=True, eq=False)
class Recalibrated:
    """What was learnt for every method, and from which cases, in words."""

    maps: dict[str, Recalibration]
    source: str


def by_sample(
    kind: RecalibrationKind, found: ProbabilityModel, sample: Dataset, name: str
) -> Recalibrated:
    """Learn from rows that the model has not seen.

    Parameters
    ----------
    found
        What the methods have learnt, from other rows.
    """
    known = ~np.isnan(sample.class_values) & (sample.weights > 0)
    rows = replace(sample, X=sample.X[known], weights=sample.weights[known])
    block = _said(found, rows)
    return _learnt(kind, [block], f"{plural(len(rows), 'case')} of {name}")


def by_folds(
    kind: RecalibrationKind,
    model: Model,
    methods: Sequence[str],
    learn: Callable[[Model, Sequence[str]], ProbabilityModel],
    folds: Iterable[Regrown] | None = None,
) -> Recalibrated:
    """Learn from what trees say that are grown again on folds, of the rows they have not seen.

    Parameters
    ----------
    learn
        Fits methods to a model.
    folds
        Trees that were grown again already, by `j48geo.model.learning.regrowing.regrow`.
    """
    kernels = [name for name in methods if name in KERNELS]
    if kernels and model.labels is not None:
        raise NeedsTrainingError(
            f"recalibration: {kernels[0]} measures to the labels that were given, which trees "
            "that are grown again do not have",
            calibration=True,
        )
    blocks = []
    for fold in regrow(model, "recalibration") if folds is None else folds:
        plain = replace(fold.model, choices=replace(model.choices, recalibrate=None))
        blocks.append(_said(learn(plain, methods), fold.cases))
    source = f"{FOLDS} folds of {model.training_name}, with trees grown again on the others"
    return _learnt(kind, blocks, source)


def _said(found: ProbabilityModel, rows: Dataset) -> _Block:
    plain = replace(found, recalibrations={})
    answers = estimate_probabilities(plain, rows.X)
    p = {name: answer.distribution for name, answer in answers.items()}
    return p, rows.class_values.astype(np.intp), rows.weights


def _learnt(kind: RecalibrationKind, blocks: Iterable[_Block], source: str) -> Recalibrated:
    said, actual, weights = zip(*blocks, strict=True)
    y, w = np.concatenate(actual), np.concatenate(weights)
    maps = {
        name: fit_recalibration(kind, np.concatenate([p[name] for p in said]), y, w)
        for name in said[0]
    }
    return Recalibrated(maps, source)
