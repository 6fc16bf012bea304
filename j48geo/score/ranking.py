"""From scores to ranks: best first, equals share a rank, their order is the file's.

Scores come block by block; rows are not kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from j48geo.arrays import Bools, Floats, Ints
from j48geo.compilation import expect_rows
from j48geo.core.dataset import Dataset
from j48geo.score.scores import ScoredBatch


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


def rank_scores(score: Floats, within: Floats | None = None) -> Ranking:
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
    >>> found = rank_scores(np.array([0.5, 2.0, 0.5, -0.0, 0.0]))
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


# -------------------------------------------------------------------------- scores of all rows

SmallInts = NDArray[np.int32]
T = TypeVar("T", bound=np.generic)

_BLOCK = 8192
"""Rows that are taken at a time."""


RowsAt = Callable[[Ints], Dataset]
"""Gives the rows of the data with these numbers, counted from 0."""


RANKING_FLAGS = (
    *("no-class", "no-boundary", "no-score", "infinite-score", "minus-infinite-score"),
    "not-largest",
)
"""Why a number of a ranked row is missing, or its class not the most probable; bit by bit."""


class RankedPiece(NamedTuple):
    """Some rows to show by their numbers, counted from 0, and these rows of the data."""

    places: Ints
    rows: Dataset | None


@dataclass(frozen=True, eq=False)
class RankedRows:
    """All rows with their scores, and which of them to show, best first.

    Parameters
    ----------
    score, within, distance, h, predicted, leaf, contradicted
        As in `j48geo.score.scores.ScoredBatch`, in the order of the file.
    actual : array of int, shape (n_cases,)
        Class index of each row, -1 where it is missing.
    shown : array of int, shape (n_shown,)
        Row numbers from 0, best first.
    method
        Name of the score.
    """

    classes: tuple[str, ...]
    score: Floats
    within: Floats | None
    distance: Floats
    h: Floats | None
    predicted: SmallInts
    leaf: SmallInts
    actual: SmallInts
    ranking: Ranking
    shown: Ints
    contradicted: Bools | None
    method: str

    def pieces(self, rows_at: RowsAt | None = None) -> Iterator[RankedPiece]:
        """The rows to show, some at a time; those of the data too, if they are needed."""
        try:
            for first in range(0, len(self.shown), _BLOCK):
                expect_rows(len(self.shown) - first)
                places = self.shown[first : first + _BLOCK]
                yield RankedPiece(places, None if rows_at is None else rows_at(places))
        finally:
            expect_rows(0)

    def flags(self, places: Ints) -> Ints:
        """For each of these rows the sum of the bits of its `RANKING_FLAGS`."""
        score = self.score[places]
        classless = self.predicted[places] < 0
        endless = np.isinf(self.distance[places])
        if self.h is not None:
            endless |= np.isinf(self.h[places]).any(axis=1)
        other: Bools = np.zeros(len(places), dtype=np.bool_)
        if self.contradicted is not None:
            other = self.contradicted[places]
        bits = (classless, endless, np.isnan(score) & ~classless, score == np.inf, score == -np.inf)
        flags: Ints = np.zeros(len(places), dtype=np.intp)
        for i, bit in enumerate((*bits, other)):
            flags |= bit.astype(np.intp) << i
        return flags


class ScoreCollector:
    """Takes batches as they come; data is not kept, scores are.

    Parameters
    ----------
    method
        Name of the score ranked by.
    """

    def __init__(self, classes: tuple[str, ...], method: str) -> None:
        self.classes = classes
        self.method = method
        self._batches: list[ScoredBatch] = []
        self._actual: list[SmallInts] = []
        none, places = np.empty(0), np.empty(0, dtype=np.intp)
        self.add(ScoredBatch(none, None, none, places, places, None), none)  # there may be no rows

    def add(self, batch: ScoredBatch, actual: Floats) -> None:
        """Add a batch.

        Parameters
        ----------
        actual : array of float64, shape (n_cases,)
            Class index of each row, NaN if missing.
        """
        self._batches.append(
            replace(
                batch,
                # To a ranking and to a reader -0.0 is 0.0.
                score=batch.score + 0.0,
                within=None if batch.within is None else batch.within + 0.0,
                h=None if batch.h is None else batch.h + 0.0,
                predicted=batch.predicted.astype(np.int32),  # half the memory
                leaf=batch.leaf.astype(np.int32),
            )
        )
        self._actual.append(np.where(np.isnan(actual), -1, actual).astype(np.int32))

    def ranked(self, top: int | None = None, *, ascending: bool = False) -> RankedRows:
        """All rows ranked; only the first `top` of them are to be shown.

        Parameters
        ----------
        ascending
            Whether small scores come first.
        """
        made = self._batches
        score = np.concatenate([b.score for b in made])
        within = _joined(b.within for b in made)
        order = rank_scores(-score if ascending else score, within)
        return RankedRows(
            self.classes,
            score,
            within,
            np.concatenate([b.distance for b in made]),
            _joined(b.h for b in made),
            np.concatenate([b.predicted for b in made]),
            np.concatenate([b.leaf for b in made]),
            np.concatenate(self._actual),
            order,
            order.order[:top],
            _joined(b.contradicted for b in made),
            self.method,
        )


def _joined(parts: Iterable[NDArray[T] | None]) -> NDArray[T] | None:
    """The parts that there are, behind one another; None if there are none."""
    known = [part for part in parts if part is not None]
    return np.concatenate(known) if known else None
