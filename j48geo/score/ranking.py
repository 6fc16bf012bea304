"""Rank cases by score: best first, equals share a rank and stay in the order of the file.

Scores come block by block (`ScoreCollector`); rows are not kept. `RankingFacts` counts what can be
said of all rows together. J48's thresholds are values of the training data: where an attribute has
few values, many cases lie on a face exactly, and the distance tells them apart no more than the
leaf does; `ZeroDistances` counts them and names the attributes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from j48geo.arrays import Bools, Floats, Ints
from j48geo.compilation import expect_rows
from j48geo.core.dataset import Dataset
from j48geo.core.summaries import Summary
from j48geo.errors import UnknownCountsError
from j48geo.geometry.distance import boundary
from j48geo.score.leaf_estimates import case_estimates, estimate_leaves
from j48geo.score.scores import ScoredBatch
from j48geo.score.setting import Setting


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
    order, new = _sort_rows(score, within)
    rank = np.empty(len(order), dtype=np.intp)
    # A group of equals has the place of its first member, counted from 1.
    place = np.arange(1, len(order) + 1)
    rank[order] = np.maximum.accumulate(np.where(new, place, 0))
    return Ranking(order, rank)


def _sort_rows(score: Floats, within: Floats | None) -> tuple[Ints, Bools]:
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
        batches = self._batches
        score = np.concatenate([b.score for b in batches])
        within = _join_parts(b.within for b in batches)
        order = rank_scores(-score if ascending else score, within)
        return RankedRows(
            self.classes,
            score,
            within,
            np.concatenate([b.distance for b in batches]),
            _join_parts(b.h for b in batches),
            np.concatenate([b.predicted for b in batches]),
            np.concatenate([b.leaf for b in batches]),
            np.concatenate(self._actual),
            order,
            order.order[:top],
            _join_parts(b.contradicted for b in batches),
            self.method,
        )


def _join_parts(parts: Iterable[NDArray[T] | None]) -> NDArray[T] | None:
    """The parts that there are, behind one another; None if there are none."""
    known = [part for part in parts if part is not None]
    return np.concatenate(known) if known else None


# ------------------------------------------------------------------------- facts of all rows


@dataclass(frozen=True)
class RankingFacts(Summary):
    """Counts of the cases of a ranking; those of parts add up.

    Parameters
    ----------
    cases
        How many there are.
    measured, zeros
        How many have a finite distance, and how many of these are 0.
    contradicted
        How many have a more probable class than the tree's, which stands.
    unknown
        How many have no class: missing values, and no counts to decide by.
    own
        The different scores that J48 itself gives; None if nobody asked, or counts are unknown.
    """

    cases: int = 0
    measured: int = 0
    zeros: int = 0
    contradicted: int = 0
    unknown: int = 0
    own: frozenset[float] | None = frozenset()

    @classmethod
    def of(cls, batch: ScoredBatch, own: frozenset[float] | None = None) -> RankingFacts:
        """Counts of the cases of a batch."""
        other = batch.contradicted
        return cls(
            len(batch.score),
            int(np.isfinite(batch.distance).sum()),
            int((batch.distance == 0).sum()),
            0 if other is None else int(other.sum()),
            int((batch.predicted < 0).sum()),
            own,
        )

    @property
    def own_scores(self) -> int | None:
        """How many different scores J48 itself gives: one a leaf, fewer where leaves agree."""
        return None if self.own is None else len(self.own)


def find_weka_scores(setting: Setting, X: Floats, batch: ScoredBatch) -> frozenset[float] | None:
    """The different scores that J48 itself gives cases; None if the counts are not known."""
    try:
        leaves = estimate_leaves(
            setting.tree, setting.counts, setting.positive, "laplace" if setting.laplace else "raw"
        )
    except UnknownCountsError:
        return None
    scores = case_estimates(setting.tree, setting.counts, X, leaves, batch.leaf)
    return frozenset(scores[scores == scores].tolist())


MANY_ZEROS = 0.2
"""Share of zero distances above which it is worth a warning."""

_ASKED = 2000
"""Cases whose separator is looked for: enough to name the attributes."""


@dataclass
class ZeroDistances:
    """Counts cases at distance 0, block by block.

    Parameters
    ----------
    measured, zeros
        Cases with a distance, and those of them where it is 0.
    kept
        The first of these, to look at if somebody wants to know why.
    """

    measured: int = 0
    zeros: int = 0
    kept: list[tuple[Setting, Floats, Ints]] = field(default_factory=list)

    def add(self, setting: Setting, X: Floats, predicted: Ints, distance: Floats) -> None:
        """Count the cases of a block."""
        self.measured += int(np.isfinite(distance).sum())
        places = np.flatnonzero(distance == 0)
        self.zeros += len(places)
        places = places[: _ASKED - sum(len(some) for _, some, _ in self.kept)]
        if len(places):
            self.kept.append((setting, X[places], predicted[places]))

    def _count_separators(self) -> Counter[str]:
        """Of the cases that were kept, how many have a separator on which attribute."""
        from j48geo.geometry.projection import find_separators  # rarely asked

        counts: Counter[str] = Counter()
        for s, some, predicted in self.kept:
            nearest = boundary(
                s.measured, some, s.metric, predicted, labels=s.labels, engine=s.engine
            )
            columns = find_separators(s.measured, some, s.metric, nearest.nearest_leaf).attribute
            names = s.tree.header.names
            counts.update(names[c] if c >= 0 else "" for c in columns.tolist())
        return counts

    def sentence(self) -> str:
        """How many distances are 0, in words."""
        return f"{self.zeros} of {self.measured} distances are 0 ({self.share:.1%})"

    @property
    def share(self) -> float:
        """Share of the distances that are 0; 0 if there are none."""
        return self.zeros / self.measured if self.measured else 0.0

    @property
    def attributes(self) -> list[str]:
        """The attributes behind most of them, the worst first: together at least 80 %."""
        known = [(name, n) for name, n in self._count_separators().most_common() if name]
        total = sum(n for _, n in known)
        chosen: list[str] = []
        reached = 0
        for name, n in known:
            if reached >= 0.8 * total or len(chosen) == 5:
                break
            chosen.append(name)
            reached += n
        return chosen
