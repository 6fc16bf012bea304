"""What an evaluation needs of its cases, added up: tables of scores and exact sums.

Every partition of the rows gives one `EvaluationSums`; their sum is that of all rows, and with it
the evaluation, to the last bit. Of methods whose scores are few, such as those of leaves, it is
small; continuous scores are kept one by one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.core.summaries import ExactSum, Moments, Summary
from j48geo.decide.evaluation.auc import Proximity, proximity_from_moments
from j48geo.decide.evaluation.confusion import ConfusionMatrix
from j48geo.decide.evaluation.probability_metrics import LogLoss, largest_class, squared_errors
from j48geo.decide.evaluation.score_tables import ScoreCounts
from j48geo.decide.evaluation.scored_cases import MethodScores, ScoredCases

TableKey = tuple[str, int, int]
"""Which table it is: ``score``, ``probability``, ``estimate`` and ``class`` of a method and, of
the last two, of a class; ``joint`` of a comparison."""


@dataclass(frozen=True, eq=False)
class ProbabilitySums(Summary):
    """How good the distributions of one method are, as sums over the cases.

    Parameters
    ----------
    probability
        Probability of the positive class, of positive and other cases.
    squares, loss, possible, right
        Squared errors, log-losses of cases that were thought possible, the weight of these,
        and that of cases whose most probable class is theirs.
    impossible
        How many cases have a class of probability 0.
    """

    probability: ScoreCounts
    squares: ExactSum
    loss: ExactSum
    possible: ExactSum
    right: ExactSum
    impossible: int

    @classmethod
    def of(cls, p: Floats, actual: Ints, w: Floats, positive: int) -> ProbabilitySums:
        """Sums of cases with these distributions."""
        given = p[np.arange(len(actual)), actual]
        possible = given > 0
        return cls(
            ScoreCounts.of([p[:, positive]], actual == positive, w),
            ExactSum.dot(squared_errors(p, actual), w),
            ExactSum.dot(-np.log(given[possible]), w[possible]),
            ExactSum.of(w[possible]),
            ExactSum.of(w[largest_class(p) == actual]),
            int((~possible).sum()),
        )

    @property
    def log_loss(self) -> LogLoss:
        """As `j48geo.decide.evaluation.probability_metrics.log_loss` gives it."""
        return LogLoss(self.loss.over(self.possible), self.impossible)


@dataclass(frozen=True, eq=False)
class MethodSums(Summary):
    """What one method said of the cases.

    Parameters
    ----------
    score
        What the positive class is ranked by; label 1 is positive.
    promises
        None for rankings.
    classes
        The estimate of every class with the true classes, for M of Hand and Till; empty with
        two classes.
    per_class
        The score of every class with the true classes; empty unless asked for.
    """

    SAME = ("method",)

    method: str
    score: ScoreCounts
    promises: ProbabilitySums | None
    classes: tuple[ScoreCounts, ...]
    per_class: tuple[ScoreCounts, ...]

    @classmethod
    def of(cls, cases: ScoredCases, method: MethodScores) -> MethodSums:
        """Sums of the scores and probabilities of one method."""
        actual, w, p, every = cases.actual, cases.weights, method.distribution, method.per_class
        estimates = every if p is None else p
        many = len(cases.classes) > 2 and estimates is not None
        return cls(
            method.method,
            ScoreCounts.of(method.keys, cases.is_positive, w),
            None if p is None else ProbabilitySums.of(p, actual, w, cases.positive),
            tuple(_tables(estimates, actual, w)) if many and estimates is not None else (),
            () if every is None else tuple(_tables(every, actual, w)),
        )

    @property
    def without_tables(self) -> MethodSums:
        """The same with tables of no cases."""
        probability_sums = self.promises
        if probability_sums is not None:
            probability_sums = replace(
                probability_sums, probability=probability_sums.probability.without_rows
            )
        return MethodSums(
            self.method,
            self.score.without_rows,
            probability_sums,
            _without_rows(self.classes),
            _without_rows(self.per_class),
        )


def _without_rows(tables: tuple[ScoreCounts, ...]) -> tuple[ScoreCounts, ...]:
    return tuple(table.without_rows for table in tables)


def _tables(scores: Floats, actual: Ints, w: Floats) -> Iterator[ScoreCounts]:
    for column in scores.T:
        yield ScoreCounts.of([column], actual, w)


@dataclass(frozen=True, eq=False)
class EvaluationSums(Summary):
    """Everything that an evaluation is worked out from.

    Parameters
    ----------
    classes, positive
        Names of the classes, and the index of the positive one.
    methods
        What each method said.
    joint
        Scores of a method and of the leaf estimate that it is held against, case by case:
        the keys of the one, then those of the other.
    cases_of
        How many cases there are of each class.
    weights
        The sum of all weights.
    confusion
        The tree's own classes beside the true ones.
    right
        The weight of cases that the tree has right.
    hits, errors
        Distances to the boundary where the tree is right and where it is wrong.
    zeros
        How many of these distances are 0.
    left_out, weightless
        Rows without a class, and others of weight 0.
    has_boundary
        Whether the tree has a decision boundary.
    """

    SAME = ("classes", "positive")

    classes: tuple[str, ...]
    positive: int
    methods: tuple[MethodSums, ...]
    joint: tuple[ScoreCounts, ...]
    cases_of: Ints
    weights: ExactSum
    confusion: ConfusionMatrix
    right: ExactSum
    hits: Moments
    errors: Moments
    zeros: int
    left_out: int
    weightless: int
    has_boundary: bool

    @classmethod
    def of(cls, cases: ScoredCases) -> EvaluationSums:
        """Sums of all methods over some cases."""
        actual, w = cases.actual, cases.weights
        if not (np.isfinite(w) & (w >= 0)).all():
            raise ValueError("a weight is negative or not finite")
        right = cases.predicted == actual
        measured = cases.distance[cases.predicted >= 0]
        correct = right[cases.predicted >= 0]
        confusion = ConfusionMatrix.empty(cases.classes)
        confusion.add(actual.astype(np.float64), cases.predicted, w)
        by_name = {method.method: method for method in cases.methods}
        return cls(
            cases.classes,
            cases.positive,
            tuple(MethodSums.of(cases, method) for method in cases.methods),
            tuple(
                ScoreCounts.of([*by_name[a].keys, *by_name[b].keys], cases.is_positive, w)
                for a, b in list_comparisons(tuple(by_name))
            ),
            np.bincount(actual, minlength=len(cases.classes)),
            ExactSum.of(w),
            confusion,
            ExactSum.of(w[right]),
            Moments.of(measured[correct]),
            Moments.of(measured[~correct]),
            int(np.count_nonzero(measured == 0)),
            cases.left_out,
            cases.weightless,
            cases.has_boundary,
        )

    @property
    def proximity(self) -> Proximity:
        """Whether the tree's errors lie near the boundary."""
        return proximity_from_moments(
            self.hits, self.errors, self.zeros, has_boundary=self.has_boundary
        )

    @property
    def tables(self) -> dict[TableKey, ScoreCounts]:
        """All tables by their places."""
        tables: dict[TableKey, ScoreCounts] = {}
        for i, method in enumerate(self.methods):
            tables["score", i, 0] = method.score
            if method.promises is not None:
                tables["probability", i, 0] = method.promises.probability
            tables |= {("estimate", i, c): table for c, table in enumerate(method.classes)}
            tables |= {("class", i, c): table for c, table in enumerate(method.per_class)}
        return tables | {("joint", k, 0): table for k, table in enumerate(self.joint)}

    @property
    def without_tables(self) -> EvaluationSums:
        """What needs no order of the cases: all tables are empty, and it is small."""
        return replace(
            self,
            methods=tuple(method.without_tables for method in self.methods),
            joint=_without_rows(self.joint),
        )

    @property
    def weight_exponent(self) -> int:
        """See `weight_exponent`, of the largest weight."""
        return weight_exponent(
            max((m.score.weight.max(initial=0.0) for m in self.methods), default=0.0)
        )

    @property
    def cases(self) -> int:
        """How many cases there are."""
        return int(self.cases_of.sum())

    @property
    def positives(self) -> int:
        """How many cases are of the positive class."""
        return int(self.cases_of[self.positive])


def weight_exponent(largest: float) -> int:
    """By which power of two weights lie between 1 and 2, the largest: products stay small."""
    return 1 - int(np.frexp(largest)[1])


def list_comparisons(methods: tuple[str, ...]) -> list[tuple[str, str]]:
    """Global, local and nearby, each with the first leaf estimate of Laplace, m and raw."""
    against = next((name for name in ("laplace", "m", "raw") if name in methods), None)
    if against is None:
        return []
    return [(name, against) for name in ("global", "local", "nearby") if name in methods]
