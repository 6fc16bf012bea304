"""What labels cost along the ratio of two costs: J48's, new ones, the same for everybody."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from j48geo.decide.cost_steps import compute_cost_lines
from j48geo.decide.relabelling import Relabelling
from j48geo.show.plots.page import clean_label, new_page

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_GAP = 0.045
"""Least distance of two labels at the end of their lines, as a part of the height."""


def cost_figure(relabelling: Relabelling, title: str = "") -> Figure:
    """The picture of `compute_cost_lines`, a label at the end of each line."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

    costs = compute_cost_lines(relabelling)
    figure = new_page(9.0, 5.4)
    axes = figure.subplots()
    looks = (
        {"color": "black", "linewidth": 1.6},
        {"color": "#D55E00", "linewidth": 2.4},
        {"color": "#888888", "linewidth": 1.2, "linestyle": "--"},
        {"color": "#888888", "linewidth": 1.2, "linestyle": ":"},
    )
    top = 1.08 * max(costs.lines["J48's labels"].max(), costs.lines["new labels"].max())
    for (name, values), look in zip(costs.lines.items(), looks, strict=True):
        axes.plot(costs.ratio, values, label=clean_label(name), **look)  # type: ignore[arg-type]
    axes.set_xscale("log")
    axes.set_xlim(costs.ratio[0], costs.ratio[-1])
    axes.set_ylim(0, top)
    axes.xaxis.set_major_locator(FixedLocator(_ticks(costs.ratio[-1])))
    axes.xaxis.set_major_formatter(FuncFormatter(_format_ratio))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.grid(color="#dddddd", linewidth=0.6)
    positive = clean_label(relabelling.tree.classes[relabelling.positive or 0])
    axes.set_xlabel(f"cost of a missed {positive} : cost of a false alarm")
    axes.set_ylabel("cost of a training row (the two costs add up to 1)")
    if costs.asked is not None:
        axes.axvline(costs.asked, color="#0072B2", linewidth=1.2)
        left = costs.asked > 1
        axes.text(
            costs.asked,
            0.985 * top,
            f" asked: {_format_ratio(costs.asked)} ",
            color="#0072B2",
            ha="right" if left else "left",
            va="top",
            fontsize=9,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.0},
        )
    # A line that leaves the picture at the top is named there, the others at their end.
    inside = {name: values for name, values in costs.lines.items() if values[-1] <= top}
    heights = _spread_heights([values[-1] / top for values in inside.values()])
    colours = dict(zip(costs.lines, (str(look["color"]) for look in looks), strict=True))
    for name, height in zip(inside, heights, strict=True):
        axes.annotate(
            clean_label(name),
            (1.0, height),
            xytext=(5, 0),
            xycoords="axes fraction",
            textcoords="offset points",
            color=colours[name],
            va="center",
            fontsize=9,
        )
    for name, values in costs.lines.items():
        if name not in inside:
            at = costs.ratio[np.flatnonzero(values <= top)[-1]] if (values <= top).any() else None
            if at is not None:
                look = {"color": colours[name], "fontsize": 9}
                axes.text(at, 1.01 * top, clean_label(name), ha="center", va="bottom", **look)  # type: ignore[arg-type]
    if title:
        figure.suptitle(clean_label(title, 110), fontsize=12)
    return figure


def _ticks(far: float) -> list[float]:
    steps = [s * 10.0**k for k in range(int(np.log10(far)) + 1) for s in (1, 2, 5)]
    above = [step for step in steps if step <= far * 1.0001]
    if len(above) > 6:
        above = [10.0**k for k in range(int(np.log10(far)) + 1)]
    return sorted({*(1 / step for step in above), *above})


def _format_ratio(ratio: float, _: object = None) -> str:
    return f"{ratio:.4g} : 1" if ratio >= 1 else f"1 : {1 / ratio:.4g}"


def _spread_heights(heights: list[float]) -> list[float]:
    """The same heights, moved up where two are too near to be read."""
    spread = list(heights)
    order = sorted(range(len(heights)), key=heights.__getitem__)
    for lower, upper in pairwise(order):
        spread[upper] = max(spread[upper], spread[lower] + _GAP)
    return spread
