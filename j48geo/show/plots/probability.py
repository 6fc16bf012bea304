"""Panels of probabilities: reliability diagrams, and probabilities along the ranked cases."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil, sqrt
from typing import TYPE_CHECKING

import numpy as np

from j48geo.arrays import Bools, Floats
from j48geo.decide.evaluation.intervals import wilson_interval
from j48geo.decide.evaluation.probability_metrics import Reliability, reliability
from j48geo.show.plots.page import PictureError, choose_styles, clean_label, draw_message

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.gridspec import SubplotSpec

_STAIR = 120
"""Up to as many the stair of the other method is drawn whole."""
_COLUMNS = 500
"""More ranked cases than twice this are drawn in this many columns."""


def draw_reliability(
    figure: Figure,
    place: SubplotSpec,
    probabilities: Mapping[str, Floats],
    positive: Bools,
    weights: Floats | None = None,
    *,
    bins: int = 10,
) -> None:
    """How often the class is met among cases that were given about the same probability.

    A panel for each method, with bins of equal weight
    (`j48geo.decide.evaluation.probability_metrics.reliability`) and Wilson's interval (95 %) of
    every bin; with one or two methods the weight of a bin stands beside it. On the diagonal what
    was promised is what happens; a bin whose interval meets it does not say otherwise.

    Parameters
    ----------
    place
        Where in the figure the panels go.
    """
    heavy = bool(len(positive)) if weights is None else bool(np.any(weights))
    if not probabilities or not heavy:
        axes = figure.add_subplot(place)
        axes.set_title("Reliability", loc="left")
        draw_message(axes, "no probabilities" if heavy else "no cases")
        return
    n = len(probabilities)
    across = ceil(sqrt(n))
    grid = place.subgridspec(ceil(n / across), across)
    for k, (name, values) in enumerate(probabilities.items()):
        axes = figure.add_subplot(grid[divmod(k, across)])
        axes.set_title(clean_label(name), loc="left", fontsize=10 if n > 1 else None)
        axes.set_xlim(-0.03, 1.03)
        axes.set_ylim(-0.06, 1.06)
        axes.set_xticks([0, 0.5, 1], ["0", "0.5", "1"])
        axes.set_yticks([0, 0.5, 1], ["0", "0.5", "1"])
        axes.grid(color="#dddddd", linewidth=0.6)
        axes.set_axisbelow(True)
        if k + across >= n:
            axes.set_xlabel("estimated probability")
        if k % across == 0:
            axes.set_ylabel("share of positive cases")
        axes.plot([0, 1], [0, 1], color="#aaaaaa", linewidth=1, linestyle=(0, (2, 2)))
        bin_values = reliability(values, positive, weights, bins=bins)
        _draw_bins(axes, bin_values, choose_styles(probabilities)[name].colour, len(positive))
        if n <= 2:
            _draw_weights(axes, bin_values)


def _draw_bins(axes: Axes, bins: Reliability, colour: str, cases: int) -> None:
    axes.scatter(bins.promised, bins.share, s=22, color=colour, edgecolors="white", zorder=3)
    # An interval counts cases: weights are scaled to as many as there are.
    scale = cases / bins.weight.sum()
    pairs = zip(bins.share, bins.weight, strict=True)
    ends = np.array(
        [wilson_interval(float(share), float(weight * scale)) for share, weight in pairs]
    )
    axes.vlines(bins.promised, ends[:, 0], ends[:, 1], colors=colour, linewidth=1.2)


def draw_ranked(
    axes: Axes,
    probabilities: Mapping[str, Floats],
    positive: Bools,
    called: Bools,
    *,
    by: str | None = None,
    against: str | None = None,
    order: Floats | None = None,
) -> None:
    """Probability along the ranked cases, by two methods, with the tree's errors in strips below.

    Parameters
    ----------
    positive, called : array of bool, shape (n_cases,)
        Which cases are of the positive class, and which the tree says are.
    by
        Method by which cases are ordered, surest first. Default: ``nearby``, ``gdk`` or the last.
    against
        Method to compare with. Default: ``laplace`` or the first other one.
    order : array of float64, shape (n_cases,)
        What `by` ranks by, if its probabilities have ties that this has not.

    Notes
    -----
    ABD07 figure 1. More than a thousand cases are drawn in columns: the mean as the line,
    lowest and highest as a band.
    """
    from matplotlib.ticker import MaxNLocator

    by, against = _choose_methods(probabilities, by, against)
    axes.set_title(f"Cases ranked by {clean_label(by)}" if by else "Ranked cases", loc="left")
    axes.set_xlabel("cases, surest first")
    axes.set_ylabel("probability of the positive class")
    axes.set_ylim(-0.17, 1.03)
    axes.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0", "0.25", "0.5", "0.75", "1"])
    axes.grid(axis="y", color="#dddddd", linewidth=0.6)
    n = len(positive)
    if not by or not n:
        draw_message(axes, "no probabilities" if n else "no cases")
        return
    rank = np.argsort(-np.asarray(probabilities[by] if order is None else order), kind="stable")
    styles = choose_styles(probabilities)
    for name in (against, by):
        if name:
            style = styles[name]
            _draw_line(axes, np.asarray(probabilities[name])[rank], name, style.colour, name == by)
    wrong = np.asarray(called, dtype=np.bool_) != np.asarray(positive, dtype=np.bool_)
    alarm = (wrong & np.asarray(called, dtype=np.bool_))[rank]
    missed = (wrong & ~np.asarray(called, dtype=np.bool_))[rank]
    strips = ((alarm, -0.065, "#D55E00", "false alarm"), (missed, -0.13, "#0072B2", "missed"))
    for marked, y, colour, _ in strips:
        _draw_strip(axes, marked, y, colour)
    names = [f"{int(marked.sum())} {word}" for marked, _, _, word in strips]
    if names[0][:2] != "1 ":
        names[0] += "s"
    axes.set_yticks([y for _, y, _, _ in strips], names, minor=True, fontsize=8)
    axes.tick_params(axis="y", which="minor", length=0, pad=2)
    for tick, (_, _, colour, _) in zip(axes.yaxis.get_minor_ticks(), strips, strict=True):
        tick.label1.set_color(colour)
    axes.xaxis.set_major_locator(MaxNLocator(7, integer=True, steps=[1, 2, 5, 10], min_n_ticks=1))
    axes.set_xlim(0.5 - 0.01 * n, n + 0.5 + 0.01 * n)
    axes.legend(loc="upper right", fontsize=9, framealpha=0.9)


def _choose_methods(
    probabilities: Mapping[str, Floats], by: str | None, against: str | None
) -> tuple[str, str]:
    names = list(probabilities)
    for name in (by, against):
        if name is not None and name not in names:
            raise PictureError(f"no probabilities {name!r}; known: {', '.join(names) or 'none'}")
    if not names:
        return "", ""
    first = by or next((name for name in ("nearby", "gdk") if name in names), names[-1])
    others = [name for name in names if name != first]
    if against is None:
        against = "laplace" if "laplace" in others else (others or [""])[0]
    return first, against


def _draw_line(axes: Axes, values: Floats, name: str, colour: str, smooth: bool) -> None:
    """The values of ranked cases: a line through those they are ordered by, else a stair.

    A stair of many cases that jumps up and down is a thicket: its treads alone are drawn. One
    case is a point, larger without a line through it, so that none hides the other.
    """
    n = len(values)
    if n <= 2 * _COLUMNS:
        look: dict[str, object] = {"linewidth": 2.0, "marker": "o" if n <= 20 else None}
        if not smooth and n <= _STAIR:
            look = {"linewidth": 1.2, "drawstyle": "steps-mid"}
            if n == 1:
                look = {"linestyle": "none", "marker": "s", "markersize": 10}
        elif not smooth:
            look = {"linestyle": "none", "marker": "o", "markersize": 1.6}
        axes.plot(np.arange(1, n + 1), values, color=colour, label=clean_label(name), **look)  # type: ignore[arg-type]
        return
    edges = np.linspace(0, n, _COLUMNS + 1).astype(np.intp)
    starts = edges[:-1]
    mean = np.add.reduceat(values, starts) / np.diff(edges)
    middle = (edges[:-1] + edges[1:] + 1) / 2.0
    axes.fill_between(
        middle,
        np.minimum.reduceat(values, starts),
        np.maximum.reduceat(values, starts),
        color=colour,
        alpha=0.15,
        linewidth=0,
    )
    axes.plot(middle, mean, color=colour, linewidth=2.0 if smooth else 1.2, label=clean_label(name))


def _draw_strip(axes: Axes, marked: Bools, y: float, colour: str) -> None:
    """A row of marks under the lines; the more errors, the darker."""
    n = len(marked)
    columns = min(n, _COLUMNS)
    edges = np.linspace(0, n, columns + 1).astype(np.intp)
    share = np.add.reduceat(marked.astype(np.float64), edges[:-1]) / np.diff(edges)
    shown = np.flatnonzero(share > 0)
    strongest = np.clip(share[shown], 0.15, 1.0)
    half = 0.025
    axes.vlines(
        (edges[shown] + edges[shown + 1] + 1) / 2.0,
        y - half,
        y + half,
        colors=[(colour, float(alpha)) for alpha in strongest],
        linewidth=1.2 if n > 60 else 3,
    )


def _draw_weights(axes: Axes, bins: Reliability) -> None:
    """The weight of each bin, at the side of its mark that the interval leaves free."""
    from matplotlib.patheffects import withStroke

    for x, y, weight in zip(bins.promised, bins.share, bins.weight, strict=True):
        axes.annotate(
            f"{weight:.4g}" if weight < 9999.5 else f"{weight / 1000:.0f}k",
            (x, y),
            xytext=(5 if x < 0.9 else -5, 0),
            textcoords="offset points",
            ha="left" if x < 0.9 else "right",
            va="center",
            fontsize=7,
            path_effects=[withStroke(linewidth=2, foreground="white")],
        )
