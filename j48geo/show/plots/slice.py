"""A picture of the boxes: leaves as rectangles, distance as contour lines, cases as points."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import numpy as np

from j48geo.arrays import Bools, Floats, Ints
from j48geo.core.fitted_values import Metric
from j48geo.core.routing import find_leaves
from j48geo.core.tree import BoxTree
from j48geo.geometry.slices import FARTHEST_VALUE, TreeSlice, cut_slice, typical_case
from j48geo.show.plots.page import CLASS_COLOURS, PictureError, clean_label, new_page
from j48geo.text import pluralize

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_HATCHES = ("", "////", "....", "xxxx")
_POINTS = 3000
_LEGEND = 20
_OTHER = "#aaaaaa"
_POSITIVE = "#D55E00"
_STAR = {
    "marker": "*",
    "markersize": 15,
    "linestyle": "none",
    "zorder": 8,
    "color": "black",
    "markeredgecolor": "white",
}


def slice_figure(
    tree: BoxTree,
    metric: Metric,
    attributes: tuple[str, str],
    *,
    at: Floats | None = None,
    X: Floats | None = None,
    positive: int | None = None,
    labels: Ints | None = None,
    face_tree: BoxTree | None = None,
    title: str = "",
) -> Figure:
    """The boxes of a tree and the distance to its boundary, cut along two numeric attributes.

    Parameters
    ----------
    attributes
        Names of the attribute across and the one upwards.
    at : array of float64, shape (n_attributes,)
        The case that the cut goes through, marked. Default: the typical case of `X`, not
        marked. What is missing in it is taken from the typical case.
    X : array of float64, shape (n_cases, n_attributes)
        Cases to cover, and to show as points in the colour of their class.
    positive
        The class that matters, orange in every picture; of two classes its side has distances
        above 0. Default: the second.

    Raises
    ------
    SliceError
        If the attributes are not two numeric ones.
    UnknownNameError
        If the tree's header has no such attribute.
    PictureError
        If the case is too far away to be shown.
    """
    columns = (tree.header.position(attributes[0]), tree.header.position(attributes[1]))
    typical = typical_case(tree, X if X is not None else np.empty((0, len(tree.header))))
    case = typical if at is None else np.where(np.isnan(at), typical, at)
    for column in columns if at is not None else ():
        if not abs(case[column]) <= FARTHEST_VALUE:
            raise PictureError(
                f"attribute {tree.header.names[column]!r} of the case is {case[column]:g}; "
                "expected a number from -1e100 to 1e100 to cut along"
            )
    cut = cut_slice(tree, metric, columns, case, X=X, labels=labels, face_tree=face_tree)
    figure = new_page(9.0, 6.2)
    axes = figure.subplots()
    draw_slice(axes, tree, cut, X=X, positive=positive, mark=at is not None)
    note = _fixed_values_text(tree, cut) + (_count_outside(cut, X) if X is not None else "")
    axes.set_title(note, loc="left", fontsize=8, color="#555555")
    if title:
        figure.suptitle(clean_label(title, 100), fontsize=12)
    return figure


def draw_slice(
    axes: Axes,
    tree: BoxTree,
    cut: TreeSlice,
    *,
    X: Floats | None = None,
    positive: int | None = None,
    mark: bool = False,
) -> None:
    """Rectangles of the leaves by class, contour lines of distance, the boundary heavier.

    Two classes: contours of the signed distance g. More: of d(x, Γ). Distances are those in
    all attributes, not only the two that are seen; the number in a rectangle is the leaf's.
    `mark` puts a star where the case is that the cut goes through. Cases whose leaf the cut does
    not meet are hollow: what the picture says at their place is not said of them.
    """
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    colours = _choose_colours(tree, cut, 1 if positive is None else positive)
    view = (cut.across[0], cut.across[-1], cut.upwards[0], cut.upwards[-1])
    _draw_leaves(axes, cut, colours, view)
    if X is not None:
        _draw_cases(axes, tree, cut, X, colours)
    signed = len(tree.classes) == 2
    _draw_contours(axes, cut, cut.signed(1 if positive is None else positive) if signed else None)
    if mark:
        axes.plot(*cut.at[list(cut.columns), None], **_STAR)  # type: ignore[arg-type]
    axes.set_xlim(view[0], view[1])
    axes.set_ylim(view[2], view[3])
    for column, axis in zip(cut.columns, (axes.xaxis, axes.yaxis), strict=True):
        attribute = tree.header.attributes[column]
        axis.set_label_text(clean_label(attribute.name, 50))
        if attribute.type == "date":
            axis.set_major_formatter(_format_day)
    handles = _class_handles(tree, colours)
    if X is not None:
        dot = {"marker": "o", "markersize": 4, "linestyle": "none", "color": "#555555"}
        handles.append(Line2D([], [], label="cases by actual class", **dot))  # type: ignore[arg-type]
        if not np.isin(find_leaves(tree, X), cut.leaves).all():
            hollow = {**dot, "markerfacecolor": "none"}
            handles.append(Line2D([], [], label="of leaves not cut", **hollow))  # type: ignore[arg-type]
        if len(colours) < len(tree.classes):
            dot["color"] = _OTHER
            handles.append(Line2D([], [], label="of other classes", **dot))  # type: ignore[arg-type]
    if np.isfinite(cut.distance).any():
        words = "signed distance" if signed else "distance"
        handles += [
            Line2D([], [], color="black", linewidth=2.2, label="decision boundary"),
            Line2D([], [], color="#333333", linewidth=0.8, label=words),
        ]
    else:
        handles.append(Patch(alpha=0, label="one class only:\nno boundary"))
    if mark:
        handles.append(Line2D([], [], label="the case", **_STAR))  # type: ignore[arg-type]
    axes.legend(
        handles=handles, loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize=9, frameon=False
    )


def _choose_colours(tree: BoxTree, cut: TreeSlice, positive: int) -> dict[int, tuple[str, str]]:
    """Colour and hatch of the classes; if there are many, of those that the cut meets alone."""
    matters, *others = _POSITIVE, *(c for c in CLASS_COLOURS if c != _POSITIVE)
    shown = list(range(len(tree.classes)))
    if len(shown) > len(CLASS_COLOURS):
        shown = np.unique(cut.labels).tolist()
    rest = [c for c in shown if c != positive]
    n = len(others)
    colours = {c: (others[k % n], _HATCHES[k // n % len(_HATCHES)]) for k, c in enumerate(rest)}
    return {c: (matters, "") if c == positive else colours[c] for c in shown}


def _draw_leaves(
    axes: Axes,
    cut: TreeSlice,
    colours: dict[int, tuple[str, str]],
    view: tuple[float, float, float, float],
) -> None:
    from matplotlib.collections import LineCollection
    from matplotlib.colors import to_rgba
    from matplotlib.patches import Rectangle

    wide, high = view[1] - view[0], view[3] - view[2]
    for leaf, label, ends in zip(cut.leaves, cut.labels, cut.rectangles, strict=True):
        left, right = np.clip(ends[:2], view[0], view[1])
        bottom, top = np.clip(ends[2:], view[2], view[3])
        colour, hatch = colours[int(label)]
        axes.add_patch(
            Rectangle(
                (left, bottom),
                right - left,
                top - bottom,
                facecolor=to_rgba(colour, 0.22),
                edgecolor="#777777",
                linewidth=0.7,
                hatch=hatch or None,
                zorder=1,
            )
        )
        if right - left > 0.035 * wide and top - bottom > 0.04 * high:
            axes.text(
                left + 0.006 * wide,
                top - 0.008 * high,
                f"{leaf + 1}",
                va="top",
                fontsize=8,
                color="#444444",
                zorder=5,
            )
    axes.add_collection(
        LineCollection(list(cut.boundary), colors="black", linewidths=2.2, zorder=4), autolim=False
    )


def _draw_cases(
    axes: Axes, tree: BoxTree, cut: TreeSlice, X: Floats, colours: dict[int, tuple[str, str]]
) -> None:
    column = tree.header.class_index
    if column is None:
        return
    X = X[np.isfinite(X[:, column]) & _is_inside(cut, X)]
    X = X[:: max(1, -(-len(X) // _POINTS))]
    met = np.isin(X[:, column], list(colours))
    groups = [(X[~met], _OTHER), *((X[X[:, column] == c], k) for c, (k, _) in colours.items())]
    for own, colour in groups:
        inside = np.isin(find_leaves(tree, own), cut.leaves)
        for part, filled in ((own[inside], True), (own[~inside], False)):
            axes.scatter(
                part[:, cut.columns[0]],
                part[:, cut.columns[1]],
                s=13,
                facecolors=colour if filled else "none",
                alpha=0.6 if filled else 0.8,
                edgecolors="white" if filled else colour,
                linewidths=0.3 if filled else 0.8,
                zorder=4.5,
                rasterized=len(X) > 1000,
            )


def _draw_contours(axes: Axes, cut: TreeSlice, signed: Floats | None) -> None:
    from matplotlib.ticker import MaxNLocator

    values = cut.distance if signed is None else signed
    known = values[np.isfinite(values)]
    if not len(known) or known.min() == known.max():
        return
    levels = MaxNLocator(9 if signed is not None else 6).tick_values(known.min(), known.max())
    levels = levels[(levels > known.min()) & (levels < known.max()) & (np.abs(levels) > 1e-12)]
    if not len(levels):
        return
    drawn = axes.contour(
        *(cut.across, cut.upwards, values),
        levels=levels,
        colors="#333333",
        linewidths=0.8,
        linestyles="solid" if signed is None else ["dashed" if v < 0 else "solid" for v in levels],
        zorder=3,
    )
    axes.clabel(drawn, fontsize=7, fmt=lambda v: f"{v:+g}" if signed is not None else f"{v:g}")


def _class_handles(tree: BoxTree, colours: dict[int, tuple[str, str]]) -> list[Artist]:
    from matplotlib.colors import to_rgba
    from matplotlib.patches import Patch

    handles: list[Artist] = [
        Patch(
            facecolor=to_rgba(colour, 0.45),
            edgecolor="#777777",
            hatch=hatch or None,
            label=clean_label(tree.classes[c], 22),
        )
        for c, (colour, hatch) in list(colours.items())[:_LEGEND]
    ]
    if len(colours) > _LEGEND:
        handles.append(Patch(alpha=0, label=f"and {len(colours) - _LEGEND} more"))
    return handles


def _fixed_values_text(tree: BoxTree, cut: TreeSlice) -> str:
    """What the other attributes that the tree asks for are fixed at, as far as it fits."""
    values = []
    for column in sorted(set(tree.used_attributes) - set(cut.columns)):
        attribute, x = tree.header.attributes[column], float(cut.at[column])
        value = clean_label(attribute.values[int(x)], 16) if attribute.is_nominal else f"{x:g}"
        if attribute.type == "date":
            value = _format_day(x)
        values.append(f"{clean_label(attribute.name, 20)} = {value}")
    if not values:
        return "the tree tests no other attribute"
    more = f", and {len(values) - 5} more" if len(values) > 5 else ""
    return f"cut at {', '.join(values[:5])}{more}"


def _is_inside(cut: TreeSlice, X: Floats) -> Bools:
    """Which cases lie inside the picture, shape (n_cases,)."""
    across, upwards = X[:, cut.columns[0]], X[:, cut.columns[1]]
    inside: Bools = (
        (across >= cut.across[0])
        & (across <= cut.across[-1])
        & (upwards >= cut.upwards[0])
        & (upwards <= cut.upwards[-1])
    )
    return inside


def _count_outside(cut: TreeSlice, X: Floats) -> str:
    """How many cases are too far away to be shown."""
    known = ~np.isnan(X[:, list(cut.columns)]).any(axis=1)
    n = int((known & ~_is_inside(cut, X)).sum())
    return f"; {pluralize(n, 'case lies', 'cases lie')} too far out to be shown" if n else ""


def _format_day(milliseconds: float, _: object = None) -> str:
    try:
        moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=milliseconds)
    except OverflowError:
        return f"{milliseconds:g}"
    return moment.strftime("%Y-%m-%d")
