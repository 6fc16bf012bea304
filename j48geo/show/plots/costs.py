"""What labels cost along the ratio of two costs: J48's, new ones, the same for everybody."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from j48geo.arrays import Floats
from j48geo.decide.cost_steps import Mistakes, cost_steps, whole_rows
from j48geo.decide.costs import cost_ratio
from j48geo.show.plots.page import PictureError, new_page, plain
from j48geo.show.reports.relabelling import Labelled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDEST = 50.0
"""Ratios are drawn from 1 : 50 to 50 : 1, and further if the one that was asked for is beyond."""
POINTS = 801
_GAP = 0.045
"""Least distance of two labels at the end of their lines, as a part of the height."""


@dataclass(frozen=True)
class CostLines:
    """Costs of a training row where a missed positive and a false alarm together cost 1.

    Parameters
    ----------
    ratio : array of float64, shape (n_points,)
        Cost of a missed positive over that of a false alarm.
    lines : mapping of arrays of float64, shape (n_points,)
        By the name of the labels.
    asked
        The ratio that labels were chosen for, if it is one.
    """

    ratio: Floats
    lines: dict[str, Floats]
    asked: float | None


def cost_lines(found: Labelled) -> CostLines:
    """The lines of a tree of two classes.

    Raises
    ------
    PictureError
        If there are more classes, whose costs are not one ratio, or no training cases.
    """
    classes = found.tree.classes
    if len(classes) != 2 or found.positive is None:
        raise PictureError(f"a picture of costs is for two classes; the tree has {len(classes)}")
    weight = float(found.weight)
    if not weight:
        raise PictureError("a picture of costs needs training cases; the tree has none")
    p, n = found.positive, len(found.own)
    steps = cost_steps(found.counts, found.own, found.smoothing, m=found.m)[p]
    rows = whole_rows(found.counts.own)
    asked = _asked(found)
    far = WIDEST if asked is None else max(WIDEST, 2 * asked, 2 / asked)
    ratio = np.geomspace(1 / far, far, POINTS)

    def costs(missed: Floats | float, alarms: Floats | float) -> Floats:
        return (ratio * missed + alarms) / (1 + ratio) / weight

    def fixed(made: Mistakes) -> Floats:
        return costs(float(made.missed), float(made.alarms))

    # Every other state lies between two cuts; those at a cut are single points of the line.
    states = steps.mistakes(rows)[::2]
    cuts = [cut.other / cut.own if cut.own else np.inf for cut in steps.cuts]
    state = np.searchsorted(cuts, ratio)
    lines = {
        "J48's labels": fixed(steps.of_labels(rows, found.own)),
        "new labels": costs(
            np.array([float(made.missed) for made in states])[state],
            np.array([float(made.alarms) for made in states])[state],
        ),
    }
    for c in (p, 1 - p):
        lines[f"all {classes[c]!r}"] = fixed(steps.of_labels(rows, (c,) * n))
    return CostLines(ratio, lines, asked)


def _asked(found: Labelled) -> float | None:
    """Cost of a missed positive over that of a false alarm; None if one of them is nothing."""
    share = cost_ratio(found.matrix, found.positive or 0)
    return None if share is None or not 0 < share < 1 else float((1 - share) / share)


def cost_figure(found: Labelled, title: str = "") -> Figure:
    """The picture of `cost_lines`, a label at the end of each line."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

    made = cost_lines(found)
    figure = new_page(9.0, 5.4)
    axes = figure.subplots()
    looks = (
        {"color": "black", "linewidth": 1.6},
        {"color": "#D55E00", "linewidth": 2.4},
        {"color": "#888888", "linewidth": 1.2, "linestyle": "--"},
        {"color": "#888888", "linewidth": 1.2, "linestyle": ":"},
    )
    top = 1.08 * max(made.lines["J48's labels"].max(), made.lines["new labels"].max())
    for (name, values), look in zip(made.lines.items(), looks, strict=True):
        axes.plot(made.ratio, values, label=plain(name), **look)  # type: ignore[arg-type]
    axes.set_xscale("log")
    axes.set_xlim(made.ratio[0], made.ratio[-1])
    axes.set_ylim(0, top)
    axes.xaxis.set_major_locator(FixedLocator(_ticks(made.ratio[-1])))
    axes.xaxis.set_major_formatter(FuncFormatter(_ratio_words))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.grid(color="#dddddd", linewidth=0.6)
    positive = plain(found.tree.classes[found.positive or 0])
    axes.set_xlabel(f"cost of a missed {positive} : cost of a false alarm")
    axes.set_ylabel("cost of a training row (the two costs add up to 1)")
    if made.asked is not None:
        axes.axvline(made.asked, color="#0072B2", linewidth=1.2)
        left = made.asked > 1
        axes.text(
            made.asked,
            0.985 * top,
            f" asked: {_ratio_words(made.asked)} ",
            color="#0072B2",
            ha="right" if left else "left",
            va="top",
            fontsize=9,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.0},
        )
    # A line that leaves the picture at the top is named there, the others at their end.
    inside = {name: values for name, values in made.lines.items() if values[-1] <= top}
    heights = _apart([values[-1] / top for values in inside.values()])
    colours = dict(zip(made.lines, (str(look["color"]) for look in looks), strict=True))
    for name, height in zip(inside, heights, strict=True):
        axes.annotate(
            plain(name),
            (1.0, height),
            xytext=(5, 0),
            xycoords="axes fraction",
            textcoords="offset points",
            color=colours[name],
            va="center",
            fontsize=9,
        )
    for name, values in made.lines.items():
        if name not in inside:
            at = made.ratio[np.flatnonzero(values <= top)[-1]] if (values <= top).any() else None
            if at is not None:
                look = {"color": colours[name], "fontsize": 9}
                axes.text(at, 1.01 * top, plain(name), ha="center", va="bottom", **look)  # type: ignore[arg-type]
    if title:
        figure.suptitle(plain(title, 110), fontsize=12)
    return figure


def _ticks(far: float) -> list[float]:
    steps = [s * 10.0**k for k in range(int(np.log10(far)) + 1) for s in (1, 2, 5)]
    above = [step for step in steps if step <= far * 1.0001]
    if len(above) > 6:
        above = [10.0**k for k in range(int(np.log10(far)) + 1)]
    return sorted({*(1 / step for step in above), *above})


def _ratio_words(ratio: float, _: object = None) -> str:
    return f"{ratio:.4g} : 1" if ratio >= 1 else f"1 : {1 / ratio:.4g}"


def _apart(heights: list[float]) -> list[float]:
    """The same heights, moved up where two are too near to be read."""
    found = list(heights)
    order = sorted(range(len(heights)), key=heights.__getitem__)
    for lower, upper in pairwise(order):
        found[upper] = max(found[upper], found[lower] + _GAP)
    return found
