"""Curves of the report page as SVG: ROC, intervals, reliability, probability along the rank."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

import numpy as np

from j48geo.arrays import Bools, Floats
from j48geo.decide.evaluation.intervals import wilson_interval
from j48geo.decide.evaluation.probability_metrics import Reliability, reliability
from j48geo.decide.evaluation.scored_cases import MethodScores, ScoredCases
from j48geo.decide.labellings import Point, hull
from j48geo.decide.roc import curve
from j48geo.report.cost_facts import LeafRoc
from j48geo.report.markup import Markup, number, tag
from j48geo.show.text import format_number

MOST_POINTS = 400
"""A curve of more points is drawn through so many of them."""

PicturePoint = tuple[float, float]


def draw_roc(
    roc: LeafRoc,
    own: PicturePoint | None,
    methods: Sequence[tuple[str, Sequence[PicturePoint], float]],
) -> Markup:
    """ROC curve of the leaves with its hull, J48's point, and curves of other scores.

    Parameters
    ----------
    own
        False and true positive rate of the labels in force.
    methods
        Name, points and area of further curves.
    """
    left, top, side = 34.0, 14.0, 240.0

    def at(place: PicturePoint) -> str:
        return f"{number(left + side * place[0])},{number(top + side * (1 - place[1]))}"

    def line(points: Iterable[PicturePoint], **more: str | float) -> Markup:
        return tag("polyline", points=" ".join(map(at, points)), fill="none", **more)

    corners = [(float(x), float(y)) for x, y in hull(_fractions(roc.points))]
    drawn = [
        tag("rect", x=left, y=top, width=side, height=side, class_="plane", fill="#8881"),
        line([(0, 0), (1, 1)], stroke="currentColor", stroke_dasharray="2 3", opacity=0.4),
        *(line(points, class_="method", stroke="#118462") for _, points, _ in methods[:1]),
        line(corners, class_="hull", stroke="currentColor", stroke_dasharray="5 3", opacity=0.6),
        line(roc.points, class_="leaves", stroke="currentColor", stroke_width=1.5),
        tag("g", class_="now"),
    ]
    if own is not None:
        x, y = left + side * own[0], top + side * (1 - own[1])
        way = f"M{x:.2f} {y - 6:.2f}l6 6l-6 6l-6 -6z"
        drawn.append(tag("path", d=way, class_="own", fill="#fff", stroke="#000"))
    for value in (0, 0.5, 1):
        y, x = top + side * (1 - value) + 4, left + side * value
        drawn.append(_label(left - 5, y, f"{value:g}", "end"))
        drawn.append(_label(x, top + side + 14, f"{value:g}", "middle"))
    drawn.append(_label(left, 9, "found (TPR)", "start"))
    drawn.append(_label(left + side / 2, top + side + 28, "false alarms (FPR)", "middle"))
    legend = [(f"leaves: AUC {_auc(roc.auc)}", "leaves")]
    legend += [(f"{name}: AUC {_auc(area)}", "method") for name, _, area in methods[:1]]
    for k, (words, kind) in enumerate([("◇ the model’s labels", "own"), *legend]):
        y = top + side - 46 + 16 * k
        drawn.append(_label(left + side - 8, y, words, "end", class_=f"legend-{kind}"))
    return tag(
        "svg",
        tag("title", "ROC curve"),
        drawn,
        class_="roc",
        viewbox="0 0 290 288",
        role="img",
        font_size=11,
    )


def method_points(cases: ScoredCases, method: MethodScores) -> list[PicturePoint]:
    """Corners of the ROC curve of one method; empty where a class is absent."""
    points = curve(method.score, cases.is_positive, cases.weights)
    if points.auc is None:
        return []
    at = np.arange(len(points.tp))
    if len(at) > MOST_POINTS:
        at = np.unique(np.linspace(0, len(at) - 1, MOST_POINTS).round().astype(np.intp))
    return list(zip(points.fpr[at].tolist(), points.tpr[at].tolist(), strict=True))


def draw_auc(auc: float, interval: tuple[float, float] | None, least: float) -> Markup:
    """An AUC as a dot on its interval; the axis goes from `least` to 1."""
    width = 150.0

    def at(x: float) -> float:
        return 6 + (width - 12) * (max(x, least) - least) / (1 - least)

    parts = []
    if interval is not None:
        low, high = at(interval[0]), at(interval[1])
        parts.append(tag("line", x1=low, x2=high, y1=8.0, y2=8.0, stroke="currentColor"))
    parts.append(tag("circle", cx=at(auc), cy=8.0, r=4.0, fill="currentColor"))
    words = f"AUC {auc:.3f}"
    return tag(
        "svg", tag("title", words), parts, class_="dots", viewbox="0 0 150 16", width=150, height=16
    )


def draw_reliability(cases: ScoredCases, method: MethodScores) -> Markup:
    """What was promised against what came true, ten bins with their intervals."""
    assert method.distribution is not None
    p = method.distribution[:, cases.positive]
    bins = reliability(p, cases.is_positive, cases.weights)
    side, left, top = 110.0, 26.0, 20.0

    def at(x: float, y: float) -> PicturePoint:
        return left + side * min(max(x, 0), 1), top + side * (1 - min(max(y, 0), 1))

    parts = [
        tag("rect", x=left, y=top, width=side, height=side, class_="plane", fill="#8881"),
        tag(
            "line",
            x1=left,
            y1=top + side,
            x2=left + side,
            y2=top,
            stroke="currentColor",
            opacity=0.4,
            stroke_dasharray="2 3",
        ),
    ]
    for promised, share, low, high in _bins(bins, cases.weights):
        x, y = at(promised, share)
        ends = at(promised, low)[1], at(promised, high)[1]
        parts.append(tag("line", x1=x, x2=x, y1=ends[0], y2=ends[1], stroke="currentColor"))
        parts.append(tag("circle", cx=x, cy=y, r=3.5, class_="k0", fill="#c2510c"))
    for value in (0, 0.5, 1):
        parts.append(_label(left - 4, at(0, value)[1] + 4, f"{value:g}", "end"))
    parts.append(_label(left + side / 2, top + side + 14, "promised", "middle"))
    parts.append(_label(left, 13, method.method, "start", font_weight="bold"))
    return tag(
        "svg",
        tag("title", f"{method.method}: promised against come true"),
        parts,
        class_="small",
        viewbox="0 0 146 150",
        width=146,
        height=150,
        role="img",
        font_size=10.5,
    )


def _bins(bins: Reliability, weights: Floats) -> Iterable[tuple[float, float, float, float]]:
    # An interval counts cases; weights are scaled to as many as there are.
    scale = len(weights) / weights.sum() if weights.sum() > 0 else 1.0
    for p, share, weight in zip(bins.promised, bins.share, bins.weight, strict=True):
        yield (float(p), float(share), *wilson_interval(float(share), float(weight * scale)))


def draw_ranking(cases: ScoredCases, method: MethodScores) -> Markup:
    """Probability of the positive class along the ranking, and where the tree is wrong."""
    assert method.distribution is not None
    p = method.distribution[:, cases.positive]
    order = np.argsort(-method.score, kind="stable")
    width, height, left = 900.0, 150.0, 34.0
    n = len(order)
    at = np.unique(np.linspace(0, n - 1, min(n, MOST_POINTS)).round().astype(np.intp))
    x = left + width * (at + 0.5) / n
    y = 10 + height * (1 - p[order[at]])
    points = " ".join(
        f"{number(a)},{number(b)}" for a, b in zip(x.tolist(), y.tolist(), strict=True)
    )
    wrong = (cases.predicted != cases.actual) & (cases.predicted >= 0)
    alarms = (wrong & ~cases.is_positive)[order]
    missed = (wrong & cases.is_positive)[order]
    parts = [
        tag("rect", x=left, y=10, width=width, height=height, class_="plane", fill="#8881"),
        tag("polyline", points=points, fill="none", class_="leaves", stroke="currentColor"),
        *_draw_strip(missed, left, width, height + 18, 0),
        *_draw_strip(alarms, left, width, height + 34, 1),
        _label(
            left + width + 6, height + 28, format_number(int(missed.sum())) + " missed", "start"
        ),
        _label(
            left + width + 6,
            height + 44,
            format_number(int(alarms.sum())) + " other mistakes",
            "start",
        ),
        _label(left, height + 62, "surest first", "start"),
        _label(left + width, height + 62, f"{n} cases, ranked by {method.method}", "end"),
    ]
    for value in (0, 0.5, 1):
        parts.append(_label(left - 5, 14 + height * (1 - value), f"{value:g}", "end"))
    return tag(
        "svg",
        tag("title", f"Probability by {method.method} along the ranking"),
        parts,
        class_="wide",
        viewbox="0 0 1040 216",
        role="img",
        font_size=11,
    )


def _draw_strip(marked: Bools, left: float, width: float, y: float, slot: int) -> Iterable[Markup]:
    """Ticks where something is marked; at most one for each pixel and a half."""
    n = len(marked)
    places = np.unique((np.flatnonzero(marked) * 600 // max(n, 1)).astype(np.intp))
    tick = max(1.5, width / max(n, 600))
    fill = ("#c2510c", "#1b6cab")[slot]
    if len(places):
        way = "".join(f"M{number(left + width * k / 600)} {y:g}v12" for k in places.tolist())
        yield tag("path", d=way, class_=f"s{slot}", stroke=fill, stroke_width=tick)


def _fractions(points: Sequence[PicturePoint]) -> list[Point]:
    return [(Fraction(x), Fraction(y)) for x, y in points]


def _label(x: float, y: float, words: str, anchor: str, **more: str) -> Markup:
    return tag("text", words, x=x, y=y, fill="currentColor", text_anchor=anchor, **more)


def _auc(area: float | None) -> str:
    return "–" if area is None else f"{area:.3f}"
