"""A ranking: gathered block by block, then as lines, best first, and as columns of data.

JSON has neither NaN nor infinities: such a number is ``null``, and ``flags`` says why. The
flags are ``no-boundary`` (nothing to measure a distance to), ``no-class`` (missing values,
and no counts to decide by), ``no-score``, and ``infinite-score`` and
``minus-infinite-score``, which only a plugin can give. A row without flags has no such key.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import isfinite, isnan

import numpy as np
from numpy.typing import NDArray

from j48geo.model.dataset import Attribute, Dataset, Header
from j48geo.score.batch import Batch
from j48geo.score.ranking import Ranking, distinct, ranking
from j48geo.show.tables import csv_lines, display_width, json_text, number_text

__all__ = [
    "RankedRows",
    "Scores",
    "ranked_header",
    "ranked_rows",
    "ranking_csv",
    "ranking_json",
    "ranking_jsonl",
    "ranking_table",
]

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Labels = NDArray[np.int32]

_BLOCK = 4096
"""Rows that are made into text at a time."""


@dataclass(frozen=True, eq=False)
class RankedRows:
    """All rows with their scores, and which of them to show, best first.

    Parameters
    ----------
    score, within, distance, h, predicted, leaf, actual
        As in `j48geo.score.batch.Batch`, in the order of the file; `actual` is -1 where the
        class of the row is missing.
    shown : array of int, shape (n_shown,)
        Row numbers from 0, best first.
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

    @property
    def added(self) -> tuple[str, ...]:
        """Titles of the columns that not every ranking has."""
        within = () if self.within is None else ("within",)
        return within + (() if self.h is None else tuple(f"h({c})" for c in self.classes))


class Scores:
    """Takes batches as they come; data is not kept, scores are."""

    def __init__(self, classes: tuple[str, ...]) -> None:
        self.classes = classes
        self._batches: list[Batch] = []
        self._actual: list[Labels] = []

    def add(self, batch: Batch, actual: Floats) -> None:
        """Add a batch.

        Parameters
        ----------
        actual : array of float64, shape (n_cases,)
            Class index of each row, NaN if missing.
        """
        small = replace(
            batch,
            # -0.0 is 0.0 to a ranking and to a reader.
            score=batch.score + 0.0,
            within=None if batch.within is None else batch.within + 0.0,
            h=None if batch.h is None else batch.h + 0.0,
            predicted=batch.predicted.astype(np.int32),
            leaf=batch.leaf.astype(np.int32),
        )
        self._batches.append(small)
        self._actual.append(np.where(np.isnan(actual), -1, actual).astype(np.int32))

    def ranked(self, top: int | None = None) -> RankedRows:
        """All rows ranked; only the first `top` of them are shown."""
        made = self._batches
        score = _together([b.score for b in made])
        within = _optional([b.within for b in made])
        order = ranking(score, within)
        return RankedRows(
            self.classes,
            score,
            within,
            _together([b.distance for b in made]),
            _optional([b.h for b in made]),
            _together_labels([b.predicted for b in made]),
            _together_labels([b.leaf for b in made]),
            _together_labels(self._actual),
            order,
            order.order[:top],
        )


def _together(parts: list[Floats]) -> Floats:
    return np.concatenate(parts) if parts else np.empty(0)


def _optional(parts: Sequence[Floats | None]) -> Floats | None:
    known = [part for part in parts if part is not None]
    return np.concatenate(known) if known else None


def _together_labels(parts: Sequence[NDArray[np.integer]]) -> Labels:
    return np.concatenate(parts).astype(np.int32) if parts else np.empty(0, dtype=np.int32)


# -------------------------------------------------------------------------------- in words


def ranking_sentences(ranked: RankedRows, leaf_scores: int | None, leaves: int) -> list[str]:
    """What the ranking tells apart and what not, one sentence each.

    Parameters
    ----------
    leaf_scores
        How many different scores the cases had from their leaves alone; None if the counts
        are not known.
    leaves
        How many leaves the tree has.
    """
    n = len(ranked.score)
    before = (
        _counted(leaves, "leaf", "leaves")
        if leaf_scores is None
        else _counted(leaf_scores, "leaf score")
    )
    after = distinct(ranked.score, ranked.within)
    said = [f"{_counted(n, 'case')}, {before} → {_counted(after, 'score')}"]
    measured = np.isfinite(ranked.distance)
    if measured.any():
        zeros = int((ranked.distance == 0).sum())
        share = zeros / int(measured.sum())
        said.append(f"{zeros} of {int(measured.sum())} distances are 0 ({share:.1%})")
    unknown = int((ranked.predicted < 0).sum())
    if unknown:
        said.append(
            f"the class of {_counted(unknown, 'case')} with missing values is not known, and so "
            "no distance; they come last; --train FILE tells it"
        )
    return said


def _counted(n: int, one: str, many: str = "") -> str:
    return f"{n} {one if n == 1 else many or one + 's'}"


# -------------------------------------------------------------------------------- as lines


@dataclass(frozen=True)
class _Piece:
    """Some shown rows, a list a column."""

    ranked: RankedRows
    places: Ints

    @cached_property
    def ranks(self) -> list[int]:
        ranks: list[int] = self.ranked.ranking.rank[self.places].tolist()
        return ranks

    @cached_property
    def rows(self) -> list[int]:
        rows: list[int] = (self.places + 1).tolist()
        return rows

    def floats(self, values: Floats) -> list[float]:
        found: list[float] = values[self.places].tolist()
        return found

    def labelled(self, values: Labels, texts: Sequence[str]) -> list[str]:
        """The text of each label; that of the last one where there is none."""
        return [texts[i] for i in values[self.places].tolist()]

    def added(self) -> Iterator[list[float]]:
        """The columns of `RankedRows.added`."""
        r = self.ranked
        if r.within is not None:
            yield self.floats(r.within)
        if r.h is not None:
            yield from (self.floats(r.h[:, c]) for c in range(len(r.classes)))


def _pieces(ranked: RankedRows) -> Iterator[_Piece]:
    for first in range(0, len(ranked.shown), _BLOCK):
        yield _Piece(ranked, ranked.shown[first : first + _BLOCK])


def ranking_jsonl(ranked: RankedRows) -> Iterator[str]:
    """One object a row, as ``j48geo rank --format jsonl`` promises it, best first."""
    for lines in _json_lines(ranked):
        yield "\n".join(lines) + "\n"


def ranking_json(ranked: RankedRows) -> Iterator[str]:
    """The same objects as one array."""
    lead = "[\n"
    for lines in _json_lines(ranked):
        yield lead + ",\n".join(lines)
        lead = ",\n"
    yield "[]\n" if lead == "[\n" else "\n]\n"


def ranking_csv(ranked: RankedRows) -> Iterator[str]:
    """The same columns; infinite numbers are words here, unknown cells empty."""
    titles = ["rank", "row", "score", "distance", "predicted", "leaf", "actual", *ranked.added]
    yield csv_lines([titles])
    labels = [*ranked.classes, ""]
    numbers = [*map(str, range(1, 1 + int(ranked.leaf.max(initial=0)) + 1)), ""]
    for piece in _pieces(ranked):
        yield csv_lines(
            zip(
                piece.ranks,
                piece.rows,
                _csv_numbers(piece.floats(ranked.score)),
                _csv_numbers(piece.floats(ranked.distance)),
                piece.labelled(ranked.predicted, labels),
                piece.labelled(ranked.leaf, numbers),
                piece.labelled(ranked.actual, labels),
                *map(_csv_numbers, piece.added()),
                strict=True,
            )
        )


def _csv_numbers(values: list[float]) -> list[str]:
    return ["" if isnan(x) else repr(x) if isfinite(x) else number_text(x) for x in values]


def ranking_table(ranked: RankedRows) -> Iterator[str]:
    """A table for people; ``+`` where actual and predicted class differ."""
    labels = [*ranked.classes, "?"]
    width = max(9, *map(display_width, labels))
    digits = max(4, len(str(len(ranked.score))))
    added = [max(10, display_width(title)) for title in ranked.added]

    def right(text: str, size: int) -> str:
        return " " * (size - display_width(text)) + text

    padded = [_one_line(label) for label in labels]
    padded = [text + " " * (width - display_width(text)) for text in padded]
    titles = [
        right("rank", digits),
        right("row", digits),
        right("score", 10),
        right("distance", 10),
        "predicted".ljust(width),
        " leaf",
        "actual".ljust(width),
        "error",
        *(right(_one_line(t), w) for t, w in zip(ranked.added, added, strict=True)),
    ]
    yield "  ".join(titles).rstrip() + "\n"
    yield "  ".join("-" * display_width(title) for title in titles) + "\n"
    numbers = [*(f"{i + 1:>5}" for i in range(int(ranked.leaf.max(initial=0)) + 1)), "    -"]
    wrong = (
        (ranked.actual != ranked.predicted) & (ranked.actual >= 0) & (ranked.predicted >= 0)
    ).astype(np.int32)
    for piece in _pieces(ranked):
        lines = zip(
            piece.ranks,
            piece.rows,
            piece.floats(ranked.score),
            piece.floats(ranked.distance),
            piece.labelled(ranked.predicted, padded),
            piece.labelled(ranked.leaf, numbers),
            piece.labelled(ranked.actual, padded),
            piece.labelled(wrong, ("     ", "  +  ")),
            strict=True,
        )
        more = [
            [f"{_shown(x):>{w}}" for x in values]
            for values, w in zip(piece.added(), added, strict=True)
        ]
        for i, (rank, row, score, distance, predicted, leaf, actual, mark) in enumerate(lines):
            cells = [f"{rank:>{digits}}", f"{row:>{digits}}", f"{_shown(score):>10}"]
            cells += [f"{_shown(distance):>10}", predicted, leaf, actual, mark]
            cells += [column[i] for column in more]
            yield "  ".join(cells).rstrip() + "\n"


def _shown(x: float) -> str:
    if isnan(x):
        return "?"
    if not isfinite(x):
        return number_text(x)
    return f"{x:.4f}" if x == 0 or 5e-4 <= abs(x) < 1e5 else f"{x:.4g}"


def _one_line(text: str) -> str:
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def _json_lines(ranked: RankedRows) -> Iterator[list[str]]:
    names = [*(json_text([c])[1:-1] for c in ranked.classes), "null"]
    numbers = [*map(str, range(1, 1 + int(ranked.leaf.max(initial=0)) + 1)), "null"]
    for piece in _pieces(ranked):
        distance = piece.floats(ranked.distance)
        distances = _json_numbers(distance)
        score = piece.floats(ranked.score)
        if score == distance:  # as a rule one is the other, but for the sign
            scores = distances
        else:
            scores = _json_numbers(score)
        lines = [
            f'{{"rank":{rank},"row":{row},"score":{s},"distance":{d},"predicted":{p},"leaf":{k},'
            f'"actual":{a}'
            for rank, row, s, d, p, k, a in zip(
                piece.ranks,
                piece.rows,
                scores,
                distances,
                piece.labelled(ranked.predicted, names),
                piece.labelled(ranked.leaf, numbers),
                piece.labelled(ranked.actual, names),
                strict=True,
            )
        ]
        added = list(piece.added())
        tails = _json_tails(ranked, names, added)
        flags = _flags(ranked, piece, score, distance)
        yield [
            f"{line}{tail}{flag}}}" for line, tail, flag in zip(lines, tails, flags, strict=True)
        ]


def _json_numbers(values: list[float]) -> list[str]:
    return [repr(x) if isfinite(x) else "null" for x in values]


def _json_tails(
    ranked: RankedRows, names: list[str], added: list[list[float]]
) -> Iterable[str]:
    columns = list(map(_json_numbers, added))
    within = columns.pop(0) if ranked.within is not None else None
    n = len(added[0]) if added else 0
    tails = [""] * n if added else None
    if within is not None and tails is not None:
        tails = [f',"within":{x}' for x in within]
    if columns and tails is not None:
        for i, values in enumerate(zip(*columns, strict=True)):
            pairs = ",".join(f"{name}:{x}" for name, x in zip(names, values, strict=False))
            tails[i] += f',"h":{{{pairs}}}'
    return tails if tails is not None else _Nothing()


class _Nothing:
    """As many empty texts as are asked for."""

    def __iter__(self) -> Iterator[str]:
        while True:
            yield ""


# ------------------------------------------------------------------------------ as columns


def ranked_header(header: Header, ranked: RankedRows) -> Header:
    """The attributes of the data, then ``rank``, ``score`` and what else the ranking has.

    A name that the data already uses gets an underscore behind it.
    """
    names = set(header.names)
    added: list[Attribute] = []
    for name in ("rank", "score", *ranked.added):
        while name in names:
            name += "_"
        names.add(name)
        added.append(Attribute(name))
    return replace(header, attributes=(*header.attributes, *added))


def ranked_rows(
    header: Header, ranked: RankedRows, rows_at: Callable[[Ints], Dataset]
) -> Iterator[Dataset]:
    """The shown rows of the data with the columns of `ranked_header`, which `header` is.

    Parameters
    ----------
    rows_at
        Gives the rows with these numbers, counted from 0.
    """
    columns = [ranked.ranking.rank.astype(np.float64), ranked.score]
    if ranked.within is not None:
        columns.append(ranked.within)
    if ranked.h is not None:
        columns.extend(ranked.h.T)
    for piece in _pieces(ranked):
        rows = rows_at(piece.places)
        X = np.column_stack([rows.X, *(column[piece.places] for column in columns)])
        yield replace(rows, header=header, X=X)
