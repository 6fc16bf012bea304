"""Curves of a tree as pictures: ROC, precision against recall, and costs of labels."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from j48geo.decide.cost_steps import compute_cost_lines
from j48geo.decide.relabelling import Relabelling
from j48geo.decide.roc import Curve, interpolate_precision
from j48geo.show.plots.page import (
    PictureError,
    choose_styles,
    clean_label,
    draw_message,
    new_page,
    thin_points,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


_LEAVES = ("raw", "leaf", "laplace", "m")
"""Methods that give all cases of a leaf the same score."""
_GRID = {"color": "#dddddd", "linewidth": 0.6}
_POINT = {"color": "black", "marker": "D", "linestyle": "none", "markersize": 7.5, "zorder": 6}


def draw_roc(
    axes: Axes,
    curves: Mapping[str, Curve],
    *,
    point: tuple[float, float] | None = None,
    hull: str | None = None,
) -> None:
    """ROC curves, the convex hull of one of them, and where the tree's own labels stand.

    Parameters
    ----------
    point
        False and true positive rate of the tree's labels.
    hull
        Method whose convex hull is drawn. Default: that of the leaves' shares, ``raw`` or another
        estimate of the leaves, since its corners are labellings of the tree; else the one with
        the largest area.

    Notes
    -----
    Points of one score are joined by a straight line: its cases may be called in any order.
    The hull's corners are best for some costs (FFH02), whatever lies between is for none.
    """
    _require_methods(curves)
    first = next(iter(curves.values()))
    axes.set_title("ROC", loc="left")
    axes.set_xlabel("false positive rate")
    axes.set_ylabel("true positive rate (recall)")
    _unit_square(axes)
    if not first.positives or not first.negatives:
        lacking = "positive" if not first.positives else "negative"
        draw_message(axes, f"no {lacking} cases: no ROC curve")
        return
    axes.plot([0, 1], [0, 1], color="#aaaaaa", linewidth=1, linestyle=(0, (2, 2)))
    styles = choose_styles(curves)
    for name, curve in curves.items():
        style = styles[name]
        axes.plot(
            *thin_points(curve.fpr, curve.tpr),
            color=style.colour,
            linestyle=style.line,
            linewidth=1.6,
            label=f"{clean_label(name)}  AUC {curve.auc:.3f}",
        )
    leaves = [name for name in _LEAVES if name in curves]
    largest = max(curves, key=lambda name: curves[name].auc or 0.0)
    best = hull if hull is not None else (leaves or [largest])[0]
    if best not in curves:
        raise PictureError(f"no curve {best!r} to draw the hull of; known: {', '.join(curves)}")
    corners = curves[best].hull
    axes.plot(
        curves[best].fpr[corners],
        curves[best].tpr[corners],
        color="black",
        linewidth=0.9,
        linestyle=(0, (4, 2)),
        marker="o",
        markersize=2.8 if len(corners) <= 30 else 0,
        label=f"convex hull of {clean_label(best)}",
    )
    if point is not None and np.isfinite(point).all():
        axes.plot([point[0]], [point[1]], label="the tree's labels", **_POINT)  # type: ignore[arg-type]
    axes.legend(loc="lower right", **_legend(len(curves)))


def draw_precision_recall(
    axes: Axes,
    curves: Mapping[str, Curve],
    *,
    point: tuple[float, float] | None = None,
) -> None:
    """Precision over recall, the share of the class as a line, and the tree's own labels.

    Parameters
    ----------
    point
        Recall and precision of the tree's labels.
    """
    _require_methods(curves)
    first = next(iter(curves.values()))
    axes.set_title("Precision and recall", loc="left")
    axes.set_xlabel("recall (true positive rate)")
    axes.set_ylabel("precision")
    _unit_square(axes)
    if not first.positives:
        draw_message(axes, "no positive cases: no precision-recall curve")
        return
    prior = first.positives / (first.positives + first.negatives)
    axes.axhline(prior, color="#aaaaaa", linewidth=1, linestyle=(0, (2, 2)))
    styles = choose_styles(curves)
    for name, curve in curves.items():
        style = styles[name]
        axes.plot(
            *thin_points(*interpolate_precision(curve)),
            color=style.colour,
            linestyle=style.line,
            linewidth=1.6,
            label=clean_label(name),
        )
    if point is not None and np.isfinite(point).all():
        axes.plot([point[0]], [point[1]], label="the tree's labels", **_POINT)  # type: ignore[arg-type]
    low = prior < 0.5
    axes.text(
        0.0,
        prior,
        f" prior {prior:.3f}",
        color="#666666",
        fontsize=8,
        va="bottom" if low else "top",
    )
    axes.legend(loc="lower left" if prior > 0.5 else "best", **_legend(len(curves)))


def _unit_square(axes: Axes) -> None:
    axes.set_xlim(-0.02, 1.02)
    axes.set_ylim(-0.02, 1.02)
    axes.grid(**_GRID)  # type: ignore[arg-type]
    axes.set_axisbelow(True)


def _legend(methods: int) -> dict[str, Any]:
    """Names in the colours of their curves, without a box around them."""
    size = 8 if methods > 4 else 9
    return {"fontsize": size, "frameon": False, "labelcolor": "linecolor"}


def _require_methods(methods: Mapping[str, object]) -> None:
    if not methods:
        raise PictureError("nothing to draw; expected at least one method")


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
