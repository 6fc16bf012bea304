"""Cost matrices: from costs, thresholds and class shares, checked against the classes.

A cost matrix is Weka's: the row is the actual class, the column the predicted one. Thresholds
and class shares are cost matrices too, so that one rule decides in all cases.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from j48geo.errors import J48GeoError
from j48geo.score.leaf_estimates import Number, to_fraction

LARGEST_COST = 1e100
"""Larger costs, times the cases of a tree, would not be numbers."""


class CostError(J48GeoError):
    """Costs or class shares that do not fit the tree, or decide nothing."""

    exit_code = 2


@dataclass(frozen=True)
class CostMatrix:
    """What it costs to say the class of the column where that of the row is true."""

    costs: tuple[tuple[Fraction, ...], ...]

    def in_words(self, classes: Sequence[str]) -> str:
        """Every cost other than 0 in words, such as ``a 'sick' taken for 'well' costs 5``."""
        phrases = [
            f"{'an actual' if i != j else 'a right'} {classes[i]!r}"
            + (f" called {classes[j]!r}" if i != j else "")
            + f" costs {_format_cost(cost)}"
            for i, row in enumerate(self.costs)
            for j, cost in enumerate(row)
            if cost
        ]
        return ", ".join(phrases) or "nothing costs anything"


def cost_matrix(rows: Sequence[Sequence[Number]], classes: int | None = None) -> CostMatrix:
    """The matrix of these rows, actual class by predicted class.

    Raises
    ------
    CostError
        If it is not square, or not as large as the number of classes.
    """
    costs = tuple(tuple(map(_exact_cost, row)) for row in rows)
    size = len(costs) if classes is None else classes
    if len(costs) != size or any(len(row) != size for row in costs):
        shape = f"{len(costs)} x {max(map(len, costs), default=0)}"
        raise CostError(f"a cost matrix of {shape}; the tree has {size} classes")
    return CostMatrix(costs)


def _exact_cost(x: Number) -> Fraction:
    if not -LARGEST_COST <= x <= LARGEST_COST:  # nor is NaN
        raise CostError(f"a cost of {x}; expected a number, and at most 1e100")
    return to_fraction(x)


def two_class_costs(fn: Number, fp: Number, positive: int) -> CostMatrix:
    """A missed positive costs `fn`, a false alarm `fp`, being right nothing."""
    a, b = _exact_cost(fn), _exact_cost(fp)
    if a < 0 or b < 0 or not a + b:
        raise CostError("costs are not negative, and one of them is not 0")
    zero = Fraction(0)
    return CostMatrix(((zero, a), (b, zero)) if positive == 0 else ((zero, b), (a, zero)))


def threshold_costs(threshold: Number, positive: int) -> CostMatrix:
    """Positive where the estimate exceeds the threshold: the costs whose ratio it is."""
    t = _exact_cost(threshold)
    if not 0 <= t <= 1:
        raise CostError(f"threshold {_format_cost(t)}: expected a number from 0 to 1")
    return two_class_costs(1 - t, t, positive)


def prior_costs(shares: Sequence[Fraction]) -> CostMatrix:
    """The class of the largest lift f_i / w_i; two classes: f_i > w_i.

    Notes
    -----
    MZR08 section 3 with W the class shares. A mistake costs 1 / w_i; a class without a case
    costs nothing, since its lift is 0/0.
    """
    return CostMatrix(
        tuple(
            tuple(1 / w if i != j and w else Fraction(0) for j in range(len(shares)))
            for i, w in enumerate(shares)
        )
    )


def cost_ratio(matrix: CostMatrix, positive: int) -> Fraction | None:
    """CR of a two-class matrix; None for 0/0.

    Notes
    -----
    FFH02 Lemma 1, whose matrix is written predicted, actual.

    Examples
    --------
    >>> str(cost_ratio(two_class_costs(5, 1, positive=0), 0))
    '1/6'
    """
    p, n = positive, 1 - positive
    c = matrix.costs
    false_alarm, miss = c[n][p] - c[n][n], c[p][n] - c[p][p]
    return false_alarm / (miss + false_alarm) if miss + false_alarm else None


def reweight_costs(
    matrix: CostMatrix, old: Sequence[Fraction], new: Sequence[Number]
) -> CostMatrix:
    """Costs that do to estimates of the old class shares what `matrix` does to the new ones.

    A case of class i counts b_i / a_i times, and so does every cost of its row.

    Raises
    ------
    CostError
        If the new shares are not shares, or a class without training cases gets one.
    """
    shares = [to_fraction(b) for b in new]
    total = sum(shares, start=Fraction(0))
    if len(shares) != len(old) or min(shares, default=Fraction(0)) < 0 or not total:
        raise CostError(f"class shares: expected {len(old)} numbers, none negative, not all 0")
    for i, (a, b) in enumerate(zip(old, shares, strict=True)):
        if b and not a:
            raise CostError(f"class {i + 1} has no training case, so it cannot get a new share")
    factors = [b / total / a if a else Fraction(0) for a, b in zip(old, shares, strict=True)]
    return CostMatrix(
        tuple(tuple(f * cost for cost in row) for f, row in zip(factors, matrix.costs, strict=True))
    )


def _format_cost(x: Fraction) -> str:
    return f"{float(x):.10g}"
