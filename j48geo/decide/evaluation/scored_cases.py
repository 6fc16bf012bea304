"""Cases whose class is known, with what every method says of them: what an evaluation needs.

Rows come in blocks and go; only scores, distributions and distances are kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from j48geo.arrays import Bools, Floats, Ints
from j48geo.core.dataset import Dataset
from j48geo.decide.evaluation.auc import combine_scores
from j48geo.geometry.distance import algebraic_distances
from j48geo.score.methods import LEAF_METHODS, PROBABILITIES
from j48geo.score.probabilities import ProbabilityModel, estimate_cases
from j48geo.score.ranking import ZeroDistances
from j48geo.score.scores import score_function
from j48geo.score.setting import Cases, Setting, classify_cases


@dataclass(frozen=True, eq=False)
class MethodScores:
    """What one method says of the cases.

    Parameters
    ----------
    score : array of float64, shape (n_cases,)
        Larger is more positive; of a local ranking minus the rank, where only the order
        means anything.
    distribution : array of float64, shape (n_cases, n_classes)
        None for rankings, which give no probabilities.
    per_class : array of float64, shape (n_cases, n_classes)
        A score for every class, if these were asked for and the method has them.
    keys : arrays of float64, shape (n_cases,) each
        What the method itself gave: the score, or of a local ranking two, the second of
        which orders cases of equal first. Unlike ranks they do not depend on other cases.
    """

    method: str
    score: Floats
    distribution: Floats | None = None
    per_class: Floats | None = None
    keys: tuple[Floats, ...] = ()


@dataclass(frozen=True, eq=False)
class ScoredCases:
    """Cases whose class is known, and what the methods say of them.

    Parameters
    ----------
    classes
        Names of the classes.
    positive
        Index of the positive class.
    actual, weights : array of int and of float64, shape (n_cases,)
        True class and instance weight.
    predicted, distance : array of int and of float64, shape (n_cases,)
        The tree's class, -1 where it has none, and d(x, Γ).
    left_out, weightless
        Rows without a class, and others of weight 0: none of them is a case.
    zeros
        How many cases lie on a threshold, and of which attributes.
    has_boundary
        Whether the tree has a decision boundary; without one all distances are infinite.
    """

    classes: tuple[str, ...]
    positive: int
    actual: Ints
    weights: Floats
    predicted: Ints
    distance: Floats
    methods: tuple[MethodScores, ...]
    left_out: int = 0
    weightless: int = 0
    zeros: ZeroDistances = field(default_factory=ZeroDistances)
    has_boundary: bool = True

    @property
    def is_positive(self) -> Bools:
        """Which cases are of the positive class, shape (n_cases,)."""
        return np.equal(self.actual, self.positive)


class CasesPart(NamedTuple):
    """Rows that one tree answers for.

    Parameters
    ----------
    probabilities
        Fitted for all methods that give probabilities.
    blocks
        Rows in the columns of the tree's header.
    """

    setting: Setting
    probabilities: ProbabilityModel
    blocks: Iterable[Dataset]


def score_cases(
    setting: Setting,
    probabilities: ProbabilityModel,
    blocks: Iterable[Dataset],
    methods: Sequence[str],
    *,
    every_class: bool = False,
) -> ScoredCases:
    """Ask every method about the rows that have a class and a weight, see `score_parts`."""
    return score_parts(
        [CasesPart(setting, probabilities, blocks)], methods, every_class=every_class
    )


def score_parts(
    parts: Iterable[CasesPart], methods: Sequence[str], *, every_class: bool = False
) -> ScoredCases:
    """Ask every method about the rows of all parts that have a class and a weight.

    Parameters
    ----------
    parts
        At least one; all trees have the same classes and the same positive one.
    methods
        Names of probability estimates (`j48geo.score.methods.PROBABILITIES`) and of scores
        (`j48geo.score.scores.score_function`), in the order of the answers.
    every_class
        Keep a score for every class, not only for the positive one.

    Raises
    ------
    UnknownNameError, PluginError
        If there is no such score, or a plugin's fails.
    """
    rankings = {name: score_function(name) for name in methods if name not in PROBABILITIES}
    common = _Columns()
    scores = {name: _Columns() for name in methods}
    left_out = weightless = 0
    zeros = ZeroDistances()
    bounded = False
    for setting, probabilities, blocks in parts:
        header = setting.tree.header
        bounded |= replace(setting, boundary="any").has_boundary
        nothing = Dataset(header, np.empty((0, len(header))), np.empty(0))
        for block in chain(blocks, [nothing]):
            known = ~np.isnan(block.class_values)
            left_out += len(block) - int(known.sum())
            weighs = block.weights != 0
            weightless += int((known & ~weighs).sum())
            known &= weighs
            if not known.any() and common:
                continue  # no rows at all still have columns
            X = block.X[known]
            actual = block.class_values[known].astype(np.intp)
            cases = classify_cases(setting, X)
            common.add(actual, block.weights[known], cases.predicted, cases.distance)
            zeros.add(setting, X, cases.predicted, cases.distance)
            for name, score in rankings.items():
                keys = score(setting, cases)
                columns = list(keys) if isinstance(keys, tuple) else [keys]
                if every_class and name == "global":
                    columns.append(-algebraic_distances(cases.class_distances, cases.predicted))
                scores[name].add(*columns)
            for method, estimated in _estimates(probabilities, cases, every_class):
                scores[method].add(*estimated)
    method_scores = tuple(
        _method_scores(name, scores[name].joined(), name in rankings, every_class)
        for name in methods
    )
    actual, weights, predicted, distance = common.joined()
    return ScoredCases(
        setting.tree.classes,
        setting.positive,
        actual,
        weights,
        predicted,
        distance,
        method_scores,
        left_out,
        weightless,
        zeros,
        bounded,
    )


def _method_scores(
    name: str, columns: list[Floats], is_ranking: bool, every_class: bool
) -> MethodScores:
    """What a method says of all cases, from the columns that its blocks were kept in."""
    if every_class and name == "global":
        return MethodScores(name, columns[0], None, columns[1], (columns[0],))
    if is_ranking:
        within = columns[1] if len(columns) > 1 else None
        return MethodScores(name, combine_scores(columns[0], within), keys=tuple(columns))
    per_class = columns[2] if every_class else None
    return MethodScores(name, columns[0], columns[1], per_class, (columns[0],))


def _estimates(
    probabilities: ProbabilityModel, cases: Cases, every_class: bool
) -> Iterator[tuple[str, list[Floats]]]:
    """Of every probability method the score, the distribution, and a score for every class."""
    positive = cases.setting.positive
    divided = cases.prediction.leaf < 0
    for method, estimate in estimate_cases(probabilities, cases).items():
        column = estimate.distribution[:, positive].copy()
        # Sums that are equal but for rounding are equal, whichever block they come from.
        if estimate.log_odds is not None:  # they tell apart what has a probability of 1.0
            column = np.round(estimate.log_odds[:, positive], 9)
        elif method in LEAF_METHODS:
            column[divided] = np.round(column[divided], 12)
        every = estimate.distribution if estimate.log_odds is None else estimate.log_odds
        more = [np.round(every, 9)] if every_class else []
        yield method, [column, estimate.distribution, *more]


class _Columns:
    """Arrays that grow block by block."""

    def __init__(self) -> None:
        self._blocks: list[tuple[NDArray[Any], ...]] = []

    def __len__(self) -> int:
        return len(self._blocks)

    def add(self, *columns: NDArray[Any]) -> None:
        self._blocks.append(columns)

    def joined(self) -> list[NDArray[Any]]:
        return [np.concatenate(parts) for parts in zip(*self._blocks, strict=True)]
