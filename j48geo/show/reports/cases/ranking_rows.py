"""A ranking as data: gathered block by block, in words, and as columns added to its rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from math import isfinite
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from j48geo.arrays import Bools, Floats, Ints
from j48geo.compiled import expect
from j48geo.core.dataset import Dataset, Header
from j48geo.score.batch import Batch
from j48geo.score.facts import RankingFacts
from j48geo.score.ranking import Ranking, ranking
from j48geo.show.columns import Column
from j48geo.show.kinds import Counts, Numbers
from j48geo.show.text import number_text
from j48geo.words import plural

__all__ = [
    "Piece",
    "RankedRows",
    "RowsAt",
    "Scores",
    "added_columns",
    "algebraic_columns",
    "number_column",
    "piece_rows",
    "rank_column",
    "ranked_header",
    "ranked_rows",
    "ranking_details",
    "ranking_sentences",
]

Labels = NDArray[np.int32]
T = TypeVar("T", bound=np.generic)

_BLOCK = 8192
"""Rows that are taken at a time."""


RowsAt = Callable[[Ints], Dataset]
"""Gives the rows of the data with these numbers, counted from 0."""


class Piece(NamedTuple):
    """Some rows to show by their numbers, counted from 0, and these rows of the data."""

    places: Ints
    rows: Dataset | None


@dataclass(frozen=True, eq=False)
class RankedRows:
    """All rows with their scores, and which of them to show, best first.

    Parameters
    ----------
    score, within, distance, h, predicted, leaf, contradicted
        As in `j48geo.score.batch.Batch`, in the order of the file.
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
    predicted: Labels
    leaf: Labels
    actual: Labels
    ranking: Ranking
    shown: Ints
    contradicted: Bools | None
    method: str

    def pieces(self, rows_at: RowsAt | None = None) -> Iterator[Piece]:
        """The rows to show, some at a time; those of the data too, if they are needed."""
        try:
            for first in range(0, len(self.shown), _BLOCK):
                expect(len(self.shown) - first)
                places = self.shown[first : first + _BLOCK]
                yield Piece(places, None if rows_at is None else rows_at(places))
        finally:
            expect(0)


class Scores:
    """Takes batches as they come; data is not kept, scores are.

    Parameters
    ----------
    method
        Name of the score ranked by.
    """

    def __init__(self, classes: tuple[str, ...], method: str) -> None:
        self.classes = classes
        self.method = method
        self._batches: list[Batch] = []
        self._actual: list[Labels] = []
        none, places = np.empty(0), np.empty(0, dtype=np.intp)
        self.add(Batch(none, None, none, places, places, None), none)  # there may be no rows

    def add(self, batch: Batch, actual: Floats) -> None:
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
        order = ranking(-score if ascending else score, within)
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


def ranking_details(facts: RankingFacts, scores: int, leaves: int) -> list[str]:
    """What the ranking tells apart, and how many distances do not, one sentence each.

    Parameters
    ----------
    scores
        How many different scores the cases have.
    leaves
        How many leaves the tree has.
    """
    own = facts.own_scores
    before = plural(leaves, "leaf", "leaves") if own is None else plural(own, "leaf score")
    said = [f"{plural(facts.cases, 'case')}, {before} → {plural(scores, 'score')}"]
    if facts.zeros:
        share = facts.zeros / facts.measured
        said.append(f"{facts.zeros} of {facts.measured} distances are 0 ({share:.1%})")
    return said


def ranking_sentences(facts: RankingFacts) -> list[str]:
    """What must be known of the order, one sentence each."""
    said = []
    if facts.contradicted:
        other = plural(facts.contradicted, "case")
        said.append(f"{other}: the tree's class, which stands, is not the most probable one")
    if facts.unknown:
        said.append(
            f"the text alone does not give the class of {plural(facts.unknown, 'case')} with "
            "missing values, and so no distance: they come last"
        )
    return said


# -------------------------------------------------------------------------------- columns


def number_column(name: str, values: Floats) -> Column[Piece]:
    """A column of numbers that are given in the order of the file."""
    return Column(name, Numbers(_rounded), lambda piece: values[piece.places], 10)


def rank_column(ranked: RankedRows, digits: int = 4) -> Column[Piece]:
    """The ranks."""
    return Column("rank", Counts(), lambda piece: ranked.ranking.rank[piece.places], digits)


def added_columns(ranked: RankedRows) -> list[Column[Piece]]:
    """The columns that not every ranking has: within, and h of every class."""
    within = [] if ranked.within is None else [number_column("within", ranked.within)]
    return [*within, *algebraic_columns(ranked, "h({})")]


def algebraic_columns(ranked: RankedRows, title: str) -> list[Column[Piece]]:
    """One column a class, if all classes are wanted; `title` has ``{}`` for its label."""
    if ranked.h is None:
        return []
    named = zip(ranked.classes, ranked.h.T, strict=True)
    return [number_column(title.format(label), h) for label, h in named]


def _rounded(x: float) -> str:
    if not isfinite(x):
        return number_text(x)
    return f"{x:.4f}" if x == 0 or 5e-4 <= abs(x) < 1e5 else f"{x:.4g}"


def piece_rows(piece: Piece) -> Dataset:
    """The rows of the data; `TypeError` if nobody said where they are."""
    if piece.rows is None:
        raise TypeError("rows_at: None; expected a function, for columns of the data")
    return piece.rows


def ranked_header(header: Header, ranked: RankedRows) -> Header:
    """The attributes of the data, then ``rank``, ``score`` and what else the ranking has.

    A name that the data already uses gets an underscore behind it.
    """
    from j48geo.show.wider import wider_header

    return wider_header(header, _stored_columns(ranked))


def ranked_rows(header: Header, ranked: RankedRows, rows_at: RowsAt) -> Iterator[Dataset]:
    """The rows to show with the columns of `ranked_header`, which `header` is."""
    from j48geo.show.wider import wider_rows

    return wider_rows(header, _stored_columns(ranked), ranked.pieces(rows_at), piece_rows)


def _stored_columns(ranked: RankedRows) -> list[Column[Piece]]:
    return [rank_column(ranked), number_column("score", ranked.score), *added_columns(ranked)]
