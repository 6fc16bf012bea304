"""From scores to ranks: best first, equals share a rank, their order is the file's."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from j48geo.arrays import Bools, Floats, Ints

__all__ = ["Ranking", "ranking"]


@dataclass(frozen=True, eq=False)
class Ranking:
    """A quasi-order of the cases.

    Parameters
    ----------
    order : array of int, shape (n_cases,)
        Row numbers from 0, best first; equals in the order of the file.
    rank : array of int, shape (n_cases,)
        Rank of each row, from 1; equals share the best of their ranks: 1, 1, 3.
    """

    order: Ints
    rank: Ints

    @property
    def places(self) -> int:
        """How many different ranks there are."""
        return int((self.rank[self.order] == np.arange(1, len(self.order) + 1)).sum())


def ranking(score: Floats, within: Floats | None = None) -> Ranking:
    """Rank cases by decreasing score.

    Parameters
    ----------
    score : array of float64, shape (n_cases,)
        +0.0 and -0.0 are equal; NaN comes last.
    within : array of float64, shape (n_cases,)
        What orders cases of equal score, decreasing: the geometric score inside a group of
        leaves with the same estimate.

    Notes
    -----
    AB05 theorem 1 (global ranking) and, with `within`, theorem 2 (local ranking).

    Examples
    --------
    >>> found = ranking(np.array([0.5, 2.0, 0.5, -0.0, 0.0]))
    >>> found.order.tolist(), found.rank.tolist()
    ([1, 0, 2, 3, 4], [2, 1, 2, 4, 4])
    """
    order, new = _sorted(score, within)
    rank = np.empty(len(order), dtype=np.intp)
    # A group of equals has the place of its first member, counted from 1.
    place = np.arange(1, len(order) + 1)
    rank[order] = np.maximum.accumulate(np.where(new, place, 0))
    return Ranking(order, rank)


def _sorted(score: Floats, within: Floats | None) -> tuple[Ints, Bools]:
    """Rows best first, and whether each differs from the one before it."""
    keys = [_key(score)] if within is None else [_key(within), _key(score)]
    if within is None:
        order: Ints = np.argsort(keys[0], kind="stable")
    else:
        order = np.lexsort(keys)
    new = np.zeros(len(order), dtype=np.bool_)
    new[:1] = True
    for key in keys:
        now = key[order]
        new[1:] |= (now[1:] != now[:-1]) & ~(np.isnan(now[1:]) & np.isnan(now[:-1]))
    return order, new


def _key(values: Floats) -> Floats:
    """Ascending where the values descend."""
    return np.negative(values)
