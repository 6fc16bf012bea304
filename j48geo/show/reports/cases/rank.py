"""A ranking as rows, best first: which columns it has.

JSON has neither NaN nor infinities: such a number is ``null``, and ``flags`` says why. The
flags are ``no-class`` (missing values and no counts to decide by), ``no-boundary`` (nothing to
measure a distance to, or from: a value of the row is itself infinite), ``no-score``,
``infinite-score``, ``minus-infinite-score``, and ``not-largest`` (the tree's class, which
stands, is not the most probable one). A row without flags has no such key.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from j48geo.arrays import Bools, Ints
from j48geo.core.dataset import Dataset
from j48geo.show.columns import Column, Columns, beside
from j48geo.show.kinds import Counts, Flags, Labels, Leaves, Mark, Nested, Same, differing
from j48geo.show.reports.cases.ranking_rows import (
    Piece,
    RankedRows,
    RowsAt,
    added_columns,
    algebraic_columns,
    number_column,
    piece_rows,
    rank_column,
)
from j48geo.show.rowtable import csv_rows, json_rows, jsonl_rows, table_rows
from j48geo.show.text import PLAIN, Style

__all__ = ["ranking_columns", "ranking_csv", "ranking_json", "ranking_jsonl", "ranking_table"]

FLAGS = (
    *("no-class", "no-boundary", "no-score", "infinite-score", "minus-infinite-score"),
    "not-largest",
)
"""In the order of their bits."""


def ranking_jsonl(
    ranked: RankedRows, carried: Columns[Dataset] = (), rows_at: RowsAt | None = None
) -> Iterator[str]:
    """One object a row, as ``j48geo rank --format jsonl`` promises it.

    Parameters
    ----------
    carried
        Columns of the data that go along, as `j48geo.show.wider.data_columns` gives them.
    rows_at
        Needed if there are such columns.
    """
    return jsonl_rows(ranked.pieces(rows_at), beside(carried, _keys(ranked), piece_rows))


def ranking_json(
    ranked: RankedRows, carried: Columns[Dataset] = (), rows_at: RowsAt | None = None
) -> Iterator[str]:
    """The same objects as one array."""
    return json_rows(ranked.pieces(rows_at), beside(carried, _keys(ranked), piece_rows))


def ranking_csv(
    ranked: RankedRows,
    carried: Columns[Dataset] = (),
    rows_at: RowsAt | None = None,
    *,
    safe: bool = False,
) -> Iterator[str]:
    """The same as columns; infinite numbers are words here, unknown cells are empty."""
    return csv_rows(ranked.pieces(rows_at), ranking_columns(ranked, carried), safe=safe)


def ranking_columns(ranked: RankedRows, carried: Columns[Dataset] = ()) -> Columns[Piece]:
    """The columns of `ranking_csv`."""
    columns = [*_lead(ranked), *added_columns(ranked), _method(ranked)]
    return beside(carried, columns, piece_rows)


def ranking_table(
    ranked: RankedRows,
    style: Style = PLAIN,
    carried: Columns[Dataset] = (),
    rows_at: RowsAt | None = None,
) -> Iterator[str]:
    """A table for people; ``+`` where actual and predicted class differ."""
    wrong = differing(ranked.actual, ranked.predicted)
    error: Column[Piece] = Column("error", Mark(), lambda piece: wrong[piece.places])
    columns = [*_lead(ranked), error, *added_columns(ranked)]
    return table_rows(ranked.pieces(rows_at), beside(carried, columns, piece_rows), style)


# -------------------------------------------------------------------------------- columns


def _lead(ranked: RankedRows) -> list[Column[Piece]]:
    labels = Labels(ranked.classes)
    digits = max(4, len(str(len(ranked.score))))
    return [
        rank_column(ranked, digits),
        Column("row", Counts(), lambda piece: piece.places + 1, digits),
        number_column("score", ranked.score),
        number_column("distance", ranked.distance),
        Column("predicted", labels, lambda piece: ranked.predicted[piece.places], 9),
        Column("leaf", Leaves(), lambda piece: ranked.leaf[piece.places], 5),
        Column("actual", labels, lambda piece: ranked.actual[piece.places], 9),
    ]


def _method(ranked: RankedRows) -> Column[Piece]:
    return Column("method", Same(ranked.method), lambda piece: piece.places)


def _keys(ranked: RankedRows) -> list[Column[Piece]]:
    columns = _lead(ranked)
    if ranked.within is not None:
        columns.append(number_column("within", ranked.within))
    if ranked.h is not None:
        columns.append(Column("h", Nested(algebraic_columns(ranked, "{}")), lambda piece: piece))
    flags = Flags(_flag_names, sparse=True)
    return [*columns, Column("flags", flags, partial(_flags, ranked)), _method(ranked)]


# ---------------------------------------------------------------------------------- flags


def _flag_names(bits: int) -> list[str]:
    return [name for i, name in enumerate(FLAGS) if bits >> i & 1]


def _flags(ranked: RankedRows, piece: Piece) -> Ints:
    """Why numbers of a row are null, or its class is not the most probable; a bit a reason."""
    places = piece.places
    score = ranked.score[places]
    classless = ranked.predicted[places] < 0
    endless = np.isinf(ranked.distance[places])
    if ranked.h is not None:
        endless |= np.isinf(ranked.h[places]).any(axis=1)
    other: Bools = np.zeros(len(places), dtype=np.bool_)
    if ranked.contradicted is not None:
        other = ranked.contradicted[places]
    bits = (classless, endless, np.isnan(score) & ~classless, score == np.inf, score == -np.inf)
    made: Ints = np.zeros(len(places), dtype=np.intp)
    for i, bit in enumerate((*bits, other)):
        made |= bit.astype(np.intp) << i
    return made
