"""Panels of ranked scores: ROC curves with their hull, precision over recall."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from j48geo.decide.roc import Curve, interpolate_precision
from j48geo.show.plots.page import (
    PictureError,
    choose_styles,
    clean_label,
    draw_message,
    thin_points,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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
