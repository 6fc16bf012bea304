"""Recalibrate probabilities by what came true on other cases: isotonic regression, Platt's map.

A growing function from the probability that is said to the one that is meant, so that the order
of the cases stays (isotonic may make equals of neighbours). Isotonic regression takes any growing
function, and so needs many cases; Platt's has two numbers, and serves with few.
"""

from __future__ import annotations

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.core.fitted_values import RECALIBRATIONS, Recalibration, RecalibrationKind
from j48geo.errors import MismatchError, UnknownNameError

_LEAST = 1e-6
"""Probabilities nearer to 0 or 1 count as this far away: log-odds have bounds then."""
_STEPS = 100


def fit_recalibration(
    kind: RecalibrationKind, distribution: Floats, actual: Ints, weights: Floats
) -> Recalibration:
    """Learn from cases what the probabilities of a method mean.

    Parameters
    ----------
    distribution : array of float64, shape (n_cases, n_classes)
        What the method said of cases that it did not learn from.
    actual : array of int, shape (n_cases,)
        Their classes.
    weights : array of float64, shape (n_cases,)
        Instance weights, positive.

    Raises
    ------
    UnknownNameError
        If there is no such kind.
    MismatchError
        If there are no cases.
    """
    if kind not in RECALIBRATIONS:
        raise UnknownNameError("recalibration", kind, RECALIBRATIONS)
    if not len(actual):
        raise MismatchError("no cases to recalibrate by; expected cases whose class is known")
    n = distribution.shape[1]
    fit = isotonic_map if kind == "isotonic" else platt_map
    classes = [1] if n == 2 else list(range(n))
    pairs = ((distribution[:, c], (actual == c).astype(np.float64)) for c in classes)
    maps = tuple(fit(p, hit, weights) for p, hit in pairs)
    return Recalibration(kind, maps)


def recalibrate(learnt: Recalibration, distribution: Floats) -> Floats:
    """The probabilities that are meant, shape (n_cases, n_classes); rows sum to 1."""
    if len(learnt.maps) == 1:
        p = _map_probability(learnt, 0, distribution[:, 1])
        return np.stack([1.0 - p, p], axis=1)
    columns = [_map_probability(learnt, c, p) for c, p in enumerate(distribution.T)]
    mapped = np.stack(columns, axis=1)
    shares: Floats = mapped / mapped.sum(axis=1, keepdims=True)  # none is 0
    return shares


def _map_probability(learnt: Recalibration, c: int, p: Floats) -> Floats:
    knots = learnt.maps[c]
    if learnt.kind == "isotonic":
        mapped: Floats = np.interp(p, knots[0], knots[1])
        return mapped
    from scipy.special import expit

    meant: Floats = expit(knots[0] * _log_odds(p) + knots[1])
    return meant


def isotonic_map(p: Floats, hit: Floats, weights: Floats) -> Floats:
    """The growing function with the smallest squared error, shape (2, n_knots).

    Cases of equal p are one; neighbours that would fall are pooled into a block with their mean.
    A run of equal values keeps its first and last p as knots. No value is nearer to 0 or 1 than
    Laplace's estimate from as many cases as there are, all alike.

    Parameters
    ----------
    hit : array of float64, shape (n_cases,)
        1 for cases of the class, else 0.
    """
    # scipy takes 0.2 to 0.4 s to load, so it is imported where it is used.
    from scipy.optimize import isotonic_regression

    x, which = np.unique(p, return_inverse=True)
    weight = np.bincount(which.reshape(-1), weights)
    mean = np.bincount(which.reshape(-1), weights * hit) / weight
    values: Floats = isotonic_regression(mean, weights=weight).x
    rises = values[1:] > values[:-1]
    knots = np.append(True, rises) | np.append(rises, True)
    n = float(weights.sum())
    return np.stack([x[knots], np.clip(values[knots], 1 / (n + 2), (n + 1) / (n + 2))])


def platt_map(p: Floats, hit: Floats, weights: Floats) -> Floats:
    """The a and b of Platt's sigmoid over the log-odds of p, shape (2,); a is at least 0.

    They have the smallest cross-entropy to Platt's targets, (n₊ + 1)/(n₊ + 2) for cases of the
    class and 1/(n₋ + 2) for others. a = 1 and b = 0 leave all as it is. Found by Newton's method
    with steps halved until they help, since the sum is convex.
    """
    z = _log_odds(p)
    n_hit, n_miss = float(weights @ hit), float(weights @ (1 - hit))
    target = np.where(hit > 0, (n_hit + 1) / (n_hit + 2), 1 / (n_miss + 2))
    coefficients = _newton(
        np.stack([z, np.ones(len(z))], axis=1), target, weights, np.array([1.0, 0.0])
    )
    if coefficients[0] < 0:  # would turn the order round: then p says nothing
        (b,) = _newton(np.ones((len(z), 1)), target, weights, np.zeros(1))
        return np.array([0.0, b])
    return coefficients


def _newton(X: Floats, target: Floats, weights: Floats, start: Floats) -> Floats:
    """Coefficients with the smallest cross-entropy, shape (n_columns,)."""
    from scipy.special import expit

    def loss(beta: Floats) -> float:
        s = X @ beta
        return float(weights @ (np.logaddexp(0.0, s) - target * s))

    beta, best = start, loss(start)
    for _ in range(_STEPS):
        q = expit(X @ beta)
        gradient = X.T @ (weights * (q - target))
        curvature = (X * (weights * q * (1 - q))[:, None]).T @ X
        curvature += 1e-12 * np.eye(len(beta)) * max(1.0, float(np.trace(curvature)))
        step = np.linalg.solve(curvature, gradient)
        size = 1.0
        while size > 1e-10 and not loss(beta - size * step) < best:
            size /= 2
        if size <= 1e-10:
            break
        beta = beta - size * step
        best = loss(beta)
    return beta


def _log_odds(p: Floats) -> Floats:
    """Logarithms of p / (1 - p), with bounds."""
    from scipy.special import logit

    log_odds: Floats = logit(np.clip(p, _LEAST, 1 - _LEAST))
    return log_odds
