"""A ranking as lines: JSON, CSV, and a table for people; best first.

JSON has neither NaN nor infinities: such a number is ``null``, and ``flags`` says why. The
flags are ``no-boundary`` (nothing to measure a distance to, or from: a value of the row is
itself infinite), ``no-class`` (missing values and no counts to decide by), ``no-score``,
``infinite-score`` and ``minus-infinite-score``. A row without flags has no such key.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import inf, isfinite, isnan

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.show.reports.ranking_rows import Labels, RankedRows
from j48geo.show.tables import (
    csv_lines,
    display_width,
    json_text,
    number_text,
    to_left,
    to_right,
)
from j48geo.words import one_line

__all__ = ["ranking_csv", "ranking_json", "ranking_jsonl", "ranking_table"]


def ranking_jsonl(ranked: RankedRows) -> Iterator[str]:
    """One object a row, as ``j48geo rank --format jsonl`` promises it."""
    for objects in _objects(ranked):
        yield "\n".join(objects) + "\n"


def ranking_json(ranked: RankedRows) -> Iterator[str]:
    """The same objects as one array."""
    lead = "[\n"
    for objects in _objects(ranked):
        yield lead + ",\n".join(objects)
        lead = ",\n"
    yield "[]\n" if lead == "[\n" else "\n]\n"


def ranking_csv(ranked: RankedRows) -> Iterator[str]:
    """The same as columns; infinite numbers are words here, unknown cells are empty."""
    titles = ["rank", "row", "score", "distance", "predicted", "leaf", "actual"]
    yield csv_lines([[*titles, *ranked.added_titles]])
    labels = [*ranked.classes, ""]
    leaves = [*_leaf_numbers(ranked), ""]
    for places in ranked.pieces():
        yield csv_lines(
            zip(
                ranked.ranking.rank[places].tolist(),
                (places + 1).tolist(),
                _csv_numbers(ranked.score[places]),
                _csv_numbers(ranked.distance[places]),
                _texts(ranked.predicted, places, labels),
                _texts(ranked.leaf, places, leaves),
                _texts(ranked.actual, places, labels),
                *(_csv_numbers(column[places]) for column in ranked.added_columns),
                strict=True,
            )
        )


def ranking_table(ranked: RankedRows) -> Iterator[str]:
    """A table for people; ``+`` where actual and predicted class differ."""
    labels = [one_line(c) for c in (*ranked.classes, "?")]
    width = max(9, *map(display_width, labels))
    labels = [to_left(label, width) for label in labels]
    leaves = [*(f"{i:>5}" for i in _leaf_numbers(ranked)), "    -"]
    digits = max(4, len(str(len(ranked.score))))
    added = [one_line(title) for title in ranked.added_titles]
    widths = [max(10, display_width(title)) for title in added]
    titles = [
        *(to_right("rank", digits), to_right("row", digits)),
        *(to_right("score", 10), to_right("distance", 10)),
        *(to_left("predicted", width), " leaf", to_left("actual", width), "error"),
        *map(to_right, added, widths),
    ]
    rule = ["-" * display_width(title) for title in titles]
    yield f"{'  '.join(titles)}\n{'  '.join(rule)}\n"
    known = (ranked.actual >= 0) & (ranked.predicted >= 0)
    wrong = (known & (ranked.actual != ranked.predicted)).astype(np.int32)
    for places in ranked.pieces():
        cells = zip(
            (f"{x:>{digits}}" for x in ranked.ranking.rank[places].tolist()),
            (f"{x:>{digits}}" for x in (places + 1).tolist()),
            _table_numbers(ranked.score[places], 10),
            _table_numbers(ranked.distance[places], 10),
            _texts(ranked.predicted, places, labels),
            _texts(ranked.leaf, places, leaves),
            _texts(ranked.actual, places, labels),
            _texts(wrong, places, ("     ", "  +  ")),
            *(
                _table_numbers(column[places], w)
                for column, w in zip(ranked.added_columns, widths, strict=True)
            ),
            strict=True,
        )
        yield "".join("  ".join(row).rstrip() + "\n" for row in cells)


# -------------------------------------------------------------------------------- columns


def _leaf_numbers(ranked: RankedRows) -> list[str]:
    return [str(i + 1) for i in range(int(ranked.leaf.max(initial=-1)) + 1)]


def _texts(values: Labels, places: Ints, texts: Sequence[str]) -> list[str]:
    """The text of each index; -1 takes the last one."""
    return [texts[i] for i in values[places].tolist()]


def _csv_numbers(values: Floats) -> list[str]:
    return _made_once(values, lambda x: "" if isnan(x) else number_text(x))


def _made_once(values: Floats, special: Callable[[float], str]) -> list[str]:
    """All digits of each number; equal ones, and in a ranking many are, are made once.

    Parameters
    ----------
    special
        The text of what is not finite.
    """
    numbers: list[float] = values.tolist()
    different = set(numbers)
    if len(different) > len(numbers) // 2 and np.isfinite(values).all():
        return list(map(repr, numbers))
    texts = {x: repr(x) if isfinite(x) else special(x) for x in different}
    return [texts[x] for x in numbers]


def _table_numbers(values: Floats, width: int) -> list[str]:
    return [f"{_rounded(x):>{width}}" for x in values.tolist()]


def _rounded(x: float) -> str:
    if not isfinite(x):
        return number_text(x)
    return f"{x:.4f}" if x == 0 or 5e-4 <= abs(x) < 1e5 else f"{x:.4g}"


# ----------------------------------------------------------------------------------- JSON


def _objects(ranked: RankedRows) -> Iterator[list[str]]:
    names = [*(json_text([c])[1:-1] for c in ranked.classes), "null"]
    leaves = [*_leaf_numbers(ranked), "null"]
    for places in ranked.pieces():
        score, distance = ranked.score[places], ranked.distance[places]
        distances = _json_numbers(distance)
        columns = zip(
            ranked.ranking.rank[places].tolist(),
            (places + 1).tolist(),
            _json_scores(score, distance, distances),
            distances,
            _texts(ranked.predicted, places, names),
            _texts(ranked.leaf, places, leaves),
            _texts(ranked.actual, places, names),
            strict=True,
        )
        made = [
            f'{{"rank":{rank},"row":{row},"score":{s},"distance":{d},"predicted":{p},"leaf":{k},'
            f'"actual":{a}'
            for rank, row, s, d, p, k, a in columns
        ]
        if ranked.within is not None:
            within = _json_numbers(ranked.within[places])
            made = [f'{text},"within":{x}' for text, x in zip(made, within, strict=True)]
        if ranked.h is not None:
            made = [
                f'{text},"h":{{{_pairs(names, values)}}}'
                for text, values in zip(made, ranked.h[places].tolist(), strict=True)
            ]
        for i, flags in _flags(ranked, places):
            made[i] += f',"flags":{json_text(flags)}'
        yield [f"{text}}}" for text in made]


def _json_numbers(values: Floats) -> list[str]:
    return _made_once(values, lambda x: "null")


def _json_scores(score: Floats, distance: Floats, distances: list[str]) -> list[str]:
    """Scores; as a rule they are the distances but for the sign, which saves half the work."""
    if not np.array_equal(np.abs(score), distance) or np.isinf(distance).any():
        return _json_numbers(score)
    return [
        f"-{text}" if negative else text
        for text, negative in zip(distances, (score < 0).tolist(), strict=True)
    ]


def _pairs(names: list[str], values: list[float]) -> str:
    shown = zip(names, values, strict=False)  # the last name is that of no class
    return ",".join(f"{name}:{x!r}" if isfinite(x) else f"{name}:null" for name, x in shown)


def _flags(ranked: RankedRows, places: Ints) -> Iterator[tuple[int, list[str]]]:
    """Why numbers of a row are null, or its class is not the most probable; only such rows."""
    score, distance = ranked.score[places], ranked.distance[places]
    endless = np.isinf(distance)
    if ranked.h is not None:
        endless |= np.isinf(ranked.h[places]).any(axis=1)
    classless = ranked.predicted[places] < 0
    other = np.zeros(len(places), dtype=np.bool_)
    if ranked.contradicted is not None:
        other = ranked.contradicted[places]
    for i in np.flatnonzero(endless | classless | ~np.isfinite(score) | other).tolist():
        flags = ["no-class"] if classless[i] else []
        if endless[i]:
            flags.append("no-boundary")
        if isnan(score[i]) and not classless[i]:
            flags.append("no-score")
        if abs(score[i]) == inf:
            flags.append("infinite-score" if score[i] > 0 else "minus-infinite-score")
        if other[i]:
            flags.append("not-largest")
        yield i, flags
