"""Which class was taken for which: the confusion matrix, precision, recall, F of every class."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from j48geo.arrays import Floats, Ints

__all__ = ["ClassRates", "Confusion"]


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


@dataclass(frozen=True, eq=False)
class Confusion:
    """Weight of the rows by actual class (row) and predicted class (column).

    Rows without a class, or whose class the tree cannot tell, do not count.

    Parameters
    ----------
    weight : array of float64, shape (n_classes, n_classes)
        Grows by `add`.

    Examples
    --------
    >>> found = Confusion.empty(("a", "b"))
    >>> found.add(np.array([0.0, 0, 1, np.nan]), np.array([0, 1, 1, 0]), np.ones(4))
    >>> found.weight.tolist()
    [[1.0, 1.0], [0.0, 1.0]]
    >>> [r.recall for r in found.rates()]
    [0.5, 1.0]
    """

    classes: tuple[str, ...]
    weight: Floats

    @classmethod
    def empty(cls, classes: tuple[str, ...]) -> Confusion:
        """Nothing counted yet."""
        return cls(classes, np.zeros((len(classes), len(classes))))

    def add(self, actual: Floats, predicted: Ints, weights: Floats) -> None:
        """Count the rows of a block.

        Parameters
        ----------
        actual : array of float64, shape (n_cases,)
            Class index of each row, NaN if missing.
        """
        known = ~np.isnan(actual) & (predicted >= 0)
        places = (actual[known].astype(np.intp), predicted[known])
        np.add.at(self.weight, places, weights[known])

    @property
    def accuracy(self) -> float | None:
        """Share of the weight on the diagonal."""
        return _ratio(float(np.trace(self.weight)), float(self.weight.sum()))

    def rates(self) -> list[ClassRates]:
        """Precision, recall and F of every class."""
        found = []
        for c, label in enumerate(self.classes):
            hit = float(self.weight[c, c])
            called, there = float(self.weight[:, c].sum()), float(self.weight[c].sum())
            found.append(
                ClassRates(
                    label,
                    _ratio(hit, called),
                    _ratio(hit, there),
                    _ratio(2 * hit, called + there),
                )
            )
        return found


def _ratio(part: float, whole: float) -> float | None:
    return part / whole if whole else None
