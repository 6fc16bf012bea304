"""Tune sigma, leaf values and λ by how well they serve trees grown again on folds (`tune`).

The rows that a tree was grown from choose too small a sigma, since the tree was fitted to them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from j48geo import defaults
from j48geo.arrays import Floats, Ints
from j48geo.compilation import expect_rows
from j48geo.core.fitted_values import LeafValues
from j48geo.decide.evaluation.auc import auc
from j48geo.decide.evaluation.probability_metrics import log_loss
from j48geo.decide.roc import hand_till
from j48geo.errors import UnknownNameError
from j48geo.model.growth import N_FOLDS, RegrownTree, regrow_trees
from j48geo.score.leaf_estimates import case_estimates, shrunken_estimates
from j48geo.score.nearby.average import fit_nearby, leaf_value_table, nearby_distribution
from j48geo.score.prediction import predict

if TYPE_CHECKING:
    from j48geo.model.model import Model

Purpose = Literal["rank", "proba"]
PURPOSES: tuple[Purpose, ...] = ("rank", "proba")

SMALLEST_PROBABILITY = 1e-6
"""What a class that came true is taken to have had at least: one fold must not decide alone."""


@dataclass(frozen=True)
class Candidate:
    """Values that can be chosen; None for what the method does not listen to."""

    sigma: float | None = None
    leaves: LeafValues | None = None
    shrinkage: float | None = None

    def __str__(self) -> str:
        words = [] if self.sigma is None else [f"sigma {self.sigma:g}"]
        if self.leaves is not None:
            words.append(f"{self.leaves} leaves")
        if self.shrinkage is not None:
            words.append(f"shrinkage {self.shrinkage:g}")
        return ", ".join(words)


_SIGMAS = (defaults.SIGMA, 0.05, 0.1, 0.2, 0.45, 0.6, 0.8)
_LEAVES: tuple[tuple[LeafValues, float | None], ...] = (
    ("laplace", None),
    ("shrunken", defaults.LEAF_SHRINKAGE),
    ("shrunken", 25.0),
)
_STRENGTHS = (defaults.SHRINKAGE, 0.1, 1.0, 5.0, 10.0, 50.0, 100.0, 500.0)
GRIDS: dict[str, tuple[Candidate, ...]] = {
    "nearby": tuple(Candidate(s, kind, strength) for s in _SIGMAS for kind, strength in _LEAVES),
    "hs": tuple(Candidate(shrinkage=s) for s in _STRENGTHS),
}
"""What is tried, the default first: it stays unless another one is better."""


@dataclass(frozen=True)
class Tuning:
    """The candidate that tuning chose, and how it fared beside the default.

    Parameters
    ----------
    criterion
        ``AUC`` or ``M``, of which more is better, or ``log-loss``, of which less is.
    value, default
        What the chosen candidate reached on the folds, and the default; NaN if no fold could
        judge.
    """

    purpose: Purpose
    method: str
    chosen: Candidate
    criterion: str
    value: float
    default: float

    def __str__(self) -> str:
        if np.isnan(self.value):
            return f"{self.method}: no fold has cases of two classes, so nothing was chosen"
        better = f"{self.criterion} {self.value:.4f}, by default {self.default:.4f}"
        return (
            f"{self.method}: {self.chosen} chosen on {N_FOLDS} folds of the training data, with "
            f"trees grown again on the others ({better})"
        )

    @property
    def choices(self) -> dict[str, Any]:
        """The choices that the model is to be given."""
        values = {k: getattr(self.chosen, k) for k in ("sigma", "leaves", "shrinkage")}
        return {k: v for k, v in values.items() if v is not None}


def tune(
    model: Model,
    purpose: Purpose,
    method: str = "nearby",
    folds: Iterable[RegrownTree] | None = None,
    grid: Sequence[Candidate] | None = None,
) -> Tuning:
    """Choose what a method leaves open, by cross-validation on trees that are grown again.

    Parameters
    ----------
    purpose
        ``rank`` for the largest AUC of the positive class, or without one M of Hand and Till,
        a mean over the folds; ``proba`` for the smallest log-loss, a mean over the cases.
    method
        ``nearby`` (sigma, leaf values, their λ) or ``hs`` (λ).
    folds
        Trees that were grown again already, by `j48geo.model.growth.regrow_trees`.
    grid
        What is tried, the first one first; default: `GRIDS`.

    Raises
    ------
    NeedsTrainingError, MismatchError, GrowOptionsError
        See `j48geo.model.growth.regrow_trees`.
    """
    if purpose not in PURPOSES:
        raise UnknownNameError("purpose", purpose, PURPOSES)
    if method not in GRIDS:
        raise UnknownNameError("method with something to choose", method, GRIDS)
    grid = GRIDS[method] if grid is None else grid
    name, more = tuning_criterion(model, purpose)
    values, weights = [], []
    n_sigmas = len({candidate.sigma for candidate in grid})
    rows_left = 0 if model.training is None else len(model.training)
    for fold in regrow_trees(model, "tuning") if folds is None else folds:
        expect_rows(max(len(fold.test), rows_left) * n_sigmas)  # every sigma walks all rows
        try:
            fold_scores = score_candidates(fold, method, grid, name)
        finally:
            expect_rows(0)
        rows_left -= len(fold.test)
        if not np.isnan(fold_scores).any():  # a fold without a case of some class has no AUC
            values.append(fold_scores)
            weights.append(float(fold.cases.weights.sum()) if name == "log-loss" else 1.0)
    if not values:
        return Tuning(purpose, method, grid[0], name, np.nan, np.nan)
    mean = np.average(np.array(values), axis=0, weights=weights)
    best = int(np.argmax(mean if more else -mean))  # the first of equals, so the default
    return Tuning(purpose, method, grid[best], name, float(mean[best]), float(mean[0]))


def tuning_criterion(model: Model, purpose: Purpose) -> tuple[str, bool]:
    """The criterion that tuning goes by, and whether more of it is better."""
    if purpose == "proba":
        return "log-loss", False
    return ("M" if model.positive is None else "AUC"), True


def score_candidates(
    fold: RegrownTree, method: str, grid: Sequence[Candidate], criterion: str
) -> Floats:
    """What every candidate reaches on the rows of a fold; NaN where they cannot judge."""
    distributions = (
        _shrunken_distributions(fold, grid) if method == "hs" else _nearby_distributions(fold, grid)
    )
    actual, weights = fold.actual, fold.cases.weights
    positive = fold.model.positive_index
    return np.array(
        [_score_distribution(p, actual, weights, positive, criterion) for p in distributions]
    )


def _score_distribution(
    p: Floats, actual: Ints, weights: Floats, positive: int | None, criterion: str
) -> float:
    if criterion == "log-loss":
        score = log_loss(np.maximum(p, SMALLEST_PROBABILITY), actual, weights).value
    elif criterion == "M":
        score = hand_till(p, actual, weights)
    else:
        assert positive is not None
        score = auc(p[:, positive], actual == positive, weights)
    return np.nan if score is None else score


def _nearby_distributions(fold: RegrownTree, grid: Sequence[Candidate]) -> list[Floats]:
    """Distributions of all candidates: for each sigma one walk down the tree for all leaf values.

    Leaf values stand side by side in one table, which the walk takes for more classes.
    """
    model = fold.model
    assert model.training is not None
    tree, counts, n = model.tree, model.counts, len(model.classes)
    base = fit_nearby(tree, counts, model.training.X)
    distributions: dict[Candidate, Floats] = {}
    for sigma in dict.fromkeys(c.sigma for c in grid):
        assert sigma is not None
        candidates = [c for c in grid if c.sigma == sigma]
        tables = [
            leaf_value_table(tree, counts, c.leaves or "laplace", c.shrinkage or 0.0)
            for c in candidates
        ]
        wide = replace(base, sigma=sigma, leaf_value=np.hstack(tables))
        mixed = nearby_distribution(tree, wide, fold.cases.X)
        for k, candidate in enumerate(candidates):
            distributions[candidate] = mixed[:, k * n : (k + 1) * n]
    return [distributions[candidate] for candidate in grid]


def _shrunken_distributions(fold: RegrownTree, grid: Sequence[Candidate]) -> list[Floats]:
    model, X = fold.model, fold.cases.X
    tree, counts = model.tree, model.counts
    leaf = predict(tree, counts, X).leaf
    distributions = []
    for candidate in grid:
        rows = shrunken_estimates(tree, counts, candidate.shrinkage or 0.0)
        columns = [case_estimates(tree, counts, X, row, leaf) for row in rows.T]
        p = np.stack(columns, axis=1)
        distributions.append(np.where(np.isnan(p), 1.0 / p.shape[1], p))
    return distributions
