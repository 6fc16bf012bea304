"""Signed distances to the boundary: the geometric score and the algebraic distance.

**Their signs are opposite.** The geometric score g of AB05 is positive inside the positive
class, since it is ranked by; the algebraic distance h_c of ABD07 is negative inside class c.
With two classes g = -h_c of the positive class.
"""

from __future__ import annotations

import numpy as np

from j48geo.arrays import Floats, Ints

__all__ = ["algebraic_distance", "algebraic_distances", "geometric_score"]


def geometric_score(distance: Floats, predicted: Ints, positive: int) -> Floats:
    """The geometric score g: + d if the case is given the positive class, else - d.

    Parameters
    ----------
    distance : array of float64, shape (n_cases,)
        d(x, Γ); with more than two classes d(x, Γ_c) of the positive class makes it -h_c.
    predicted : array of int, shape (n_cases,)
        c(x), -1 if not known; then the score is NaN.

    Notes
    -----
    AB05 definition 1, equation (2).

    Examples
    --------
    >>> geometric_score(np.array([0.5, 2.0]), np.array([1, 0]), positive=1).tolist()
    [0.5, -2.0]
    """
    score = np.where(predicted == positive, distance, -distance)
    return np.where(predicted < 0, np.nan, score)


def algebraic_distance(distance: Floats, predicted: Ints, c: int) -> Floats:
    """The algebraic distance h_c: - d(x, Γ_c) if the case is given class `c`, else + d.

    Parameters
    ----------
    distance : array of float64, shape (n_cases,)
        d(x, Γ_c), a column of `j48geo.geometry.distance.class_distances`.

    Notes
    -----
    ABD07 definitions 1 and 2.
    """
    return -geometric_score(distance, predicted, c)


def algebraic_distances(distances: Floats, predicted: Ints) -> Floats:
    """h_c for every class, shape (n_cases, n_classes).

    Parameters
    ----------
    distances : array of float64, shape (n_cases, n_classes)
        From `j48geo.geometry.distance.class_distances`.
    """
    columns = [algebraic_distance(d, predicted, c) for c, d in enumerate(distances.T)]
    return np.stack(columns, axis=1)
