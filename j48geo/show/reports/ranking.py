"""The table that ``j48geo rank`` prints, best rows first: its columns, and the notes beside it.

JSON has neither NaN nor infinities: such a number is ``null``, and ``flags`` says why. The
flags are ``no-class`` (missing values and no counts to decide by), ``no-boundary`` (nothing to
measure a distance to, or from: a value of the row is itself infinite), ``no-score``,
``infinite-score``, ``minus-infinite-score``, and ``not-largest`` (the tree's class, which
stands, is not the most probable one). A row without flags has no such key.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from j48geo.arrays import Floats
from j48geo.core.dataset import Dataset
from j48geo.score.ranking import (
    MANY_ZEROS,
    RANKING_FLAGS,
    RankedPiece,
    RankedRows,
    RankingFacts,
    RowsAt,
    ZeroDistances,
)
from j48geo.show.rows.column_kinds import (
    ConstantColumn,
    FlagColumn,
    IntegerColumn,
    LabelColumn,
    LeafColumn,
    MarkColumn,
    NestedColumn,
    NumberColumn,
    find_wrong,
)
from j48geo.show.rows.columns import Column
from j48geo.show.rows.row_report import RowReport
from j48geo.show.text import format_exact
from j48geo.text import pluralize


def ranking_report(ranked: RankedRows, rows_at: RowsAt | None = None) -> RowReport[RankedPiece]:
    """What ``j48geo rank`` shows: ``+`` in the table where actual and predicted class differ.

    Parameters
    ----------
    rows_at
        Needed if columns of the data go along, and for ARFF.
    """
    labels, digits = LabelColumn(ranked.classes), max(4, len(str(len(ranked.score))))
    rank: Column[RankedPiece] = Column(
        "rank", IntegerColumn(), lambda at: ranked.ranking.rank[at.places], digits
    )
    score = _number_column("score", ranked.score)
    lead = [
        rank,
        Column("row", IntegerColumn(), lambda at: at.places + 1, digits),
        score,
        _number_column("distance", ranked.distance),
        Column("predicted", labels, lambda at: ranked.predicted[at.places], 9),
        Column("leaf", LeafColumn(), lambda at: ranked.leaf[at.places], 5),
        Column("actual", labels, lambda at: ranked.actual[at.places], 9),
    ]
    wrong = find_wrong(ranked.actual, ranked.predicted)
    error: Column[RankedPiece] = Column("error", MarkColumn(), lambda at: wrong[at.places])
    method: Column[RankedPiece] = Column(
        "method", ConstantColumn(ranked.method), lambda at: at.places
    )
    flags: Column[RankedPiece] = Column(
        "flags", FlagColumn(_flag_names, sparse=True), lambda at: ranked.flags(at.places)
    )
    within = [] if ranked.within is None else [_number_column("within", ranked.within)]
    each = [] if ranked.h is None else list(zip(ranked.classes, ranked.h.T, strict=True))
    more = [*within, *(_number_column(f"h({label})", h) for label, h in each)]
    inner = NestedColumn([_number_column(label, h) for label, h in each])
    h: list[Column[RankedPiece]] = [Column("h", inner, lambda at: at)] if each else []
    return RowReport(
        ranked.pieces(rows_at),
        _rows,
        table_columns=[*lead, error, *more],
        csv_columns=[*lead, *more, method],
        arff_columns=[rank, score, *more],
        json_objects=lambda _: [[*lead, *within, *h, flags, method]],
    )


def _number_column(name: str, values: Floats) -> Column[RankedPiece]:
    """A column of numbers that are given in the order of the file."""
    return Column(name, NumberColumn(_format_score), lambda at: values[at.places], 10)


def _format_score(x: float) -> str:
    if not isfinite(x):
        return format_exact(x)
    return f"{x:.4f}" if x == 0 or 5e-4 <= abs(x) < 1e5 else f"{x:.4g}"


def _rows(piece: RankedPiece) -> Dataset:
    """The rows of the data; `TypeError` if nobody said where they are."""
    if piece.rows is None:
        raise TypeError("rows_at: None; expected a function, for columns of the data")
    return piece.rows


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
    own_text = pluralize(leaves, "leaf", "leaves") if own is None else pluralize(own, "leaf score")
    sentences = [f"{pluralize(facts.cases, 'case')}, {own_text} → {pluralize(scores, 'score')}"]
    if facts.zeros:
        share = facts.zeros / facts.measured
        sentences.append(f"{facts.zeros} of {facts.measured} distances are 0 ({share:.1%})")
    return sentences


def ranking_sentences(facts: RankingFacts) -> list[str]:
    """What must be known of the order, one sentence each."""
    sentences = []
    if facts.contradicted:
        other = pluralize(facts.contradicted, "case")
        sentences.append(f"{other}: the tree's class, which stands, is not the most probable one")
    if facts.unknown:
        sentences.append(
            f"the text alone does not give the class of {pluralize(facts.unknown, 'case')} with "
            "missing values, and so no distance: they come last"
        )
    return sentences


def _flag_names(bits: int) -> list[str]:
    return [name for i, name in enumerate(RANKING_FLAGS) if bits >> i & 1]


def zero_warning(zeros: ZeroDistances, ways: Sequence[str]) -> list[str]:
    """That many distances are 0, why, and the ways out; empty if they are few.

    Parameters
    ----------
    ways
        What else can be done here; the caller knows what can be followed.
    """
    if zeros.share <= MANY_ZEROS:
        return []
    names = [f"{name!r}" for name in zeros.attributes]
    shown = ", ".join(names[:-1]) + (" and " if len(names) > 1 else "") + "".join(names[-1:])
    # Where not one of them is refused a test, their values are missing.
    why = (
        f"these cases lie exactly on a threshold of {shown}"
        if names
        else "these cases lack values that the tree asks for"
    )
    message = f"{zeros.share:.0%} of the distances are 0, so they tell little: {why}"
    return ["; ".join([message, *ways])]
