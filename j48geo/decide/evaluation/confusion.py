"""Which class was taken for which: the confusion matrix, precision, recall, F of every class."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.core.summaries import ExactSum, add_sums, exact_sums


@dataclass(frozen=True)
class ClassRates:
    """How one class fared; None where a rate is 0/0.

    Parameters
    ----------
    precision, recall, f
        Share of those called it that are it, share of those that are it that were called so,
        and the harmonic mean of the two.
    """

    label: str
    precision: float | None
    recall: float | None
    f: float | None


class ConfusionMatrix:
    """Weight of the rows by actual class (row) and predicted class (column).

    Rows without a class, whose class the tree cannot tell, or of infinite weight do not count.
    The sums are exact, so that neither blocks nor the order of the rows matter; two such tables
    add up.

    Examples
    --------
    >>> found = ConfusionMatrix.empty(("a", "b"))
    >>> found.add(np.array([0.0, 0, 1, np.nan]), np.array([0, 1, 1, 0]), np.ones(4))
    >>> found.weight.tolist()
    [[1.0, 1.0], [0.0, 1.0]]
    >>> [r.recall for r in found.rates()]
    [0.5, 1.0]
    """

    def __init__(self, classes: tuple[str, ...], sums: dict[int, ExactSum]) -> None:
        self.classes = classes
        self._sums = sums  # at actual class times number of classes plus predicted class

    @classmethod
    def empty(cls, classes: tuple[str, ...]) -> ConfusionMatrix:
        """Nothing counted yet."""
        return cls(classes, {})

    def add(self, actual: Floats, predicted: Ints, weights: Floats) -> None:
        """Count the rows of a block.

        Parameters
        ----------
        actual : array of float64, shape (n_cases,)
            Class index of each row, NaN if missing.
        """
        known = ~np.isnan(actual) & (predicted >= 0) & np.isfinite(weights)
        place = actual[known].astype(np.intp) * len(self.classes) + predicted[known]
        self._sums = add_sums(self._sums, exact_sums(weights[known], place))

    def __add__(self, other: ConfusionMatrix) -> ConfusionMatrix:
        return ConfusionMatrix(self.classes, add_sums(self._sums, other._sums))

    @property
    def weight(self) -> Floats:
        """Weights, shape (n_classes, n_classes)."""
        weights = np.zeros((len(self.classes), len(self.classes)))
        for place, cell in self._sums.items():
            weights.flat[place] = cell.result()
        return weights

    @property
    def accuracy(self) -> float | None:
        """Share of the weight on the diagonal."""
        weight = self.weight
        return _ratio(float(np.trace(weight)), float(weight.sum()))

    def rates(self) -> list[ClassRates]:
        """Precision, recall and F of every class."""
        rates, weight = [], self.weight
        for c, label in enumerate(self.classes):
            hit = float(weight[c, c])
            called, there = float(weight[:, c].sum()), float(weight[c].sum())
            rates.append(
                ClassRates(
                    label,
                    _ratio(hit, called),
                    _ratio(hit, there),
                    _ratio(2 * hit, called + there),
                )
            )
        return rates


def _ratio(part: float, whole: float) -> float | None:
    return part / whole if whole else None
