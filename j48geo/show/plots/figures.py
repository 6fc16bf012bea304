"""Pictures of scores and probabilities: ROC, precision and recall, reliability, ranked cases.

Every function gives a whole picture, for `j48geo.show.plots.page.save_figure`; the ``draw_``
functions of `curves` and `probability` draw one panel on given axes, so that panels
can be combined. They take arrays, and never alter them. Each picture is about one class against
all others: ``positive`` says which cases are of that class.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from j48geo.arrays import Bools, Floats
from j48geo.decide.roc import Curve, curves_by_method, locate_labels
from j48geo.show.plots.curves import draw_precision_recall, draw_roc
from j48geo.show.plots.page import clean_label, new_page
from j48geo.show.plots.probability import draw_ranked, draw_reliability

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def roc_figure(
    curves: Mapping[str, Curve],
    *,
    point: tuple[float, float] | None = None,
    hull: str | None = None,
    title: str = "",
) -> Figure:
    """A figure of ROC curves, see `draw_roc`."""
    figure = new_page(6.5, 6.0)
    draw_roc(figure.subplots(), curves, point=point, hull=hull)
    return _add_title(figure, title)


def precision_recall_figure(
    curves: Mapping[str, Curve],
    *,
    point: tuple[float, float] | None = None,
    title: str = "",
) -> Figure:
    """The picture of `draw_precision_recall`."""
    figure = new_page(6.5, 6.0)
    draw_precision_recall(figure.subplots(), curves, point=point)
    return _add_title(figure, title)


def curve_figure(
    curves: Mapping[str, Curve],
    *,
    point: tuple[float, float, float] | None = None,
    title: str = "",
) -> Figure:
    """ROC and precision-recall curves side by side.

    Parameters
    ----------
    point
        What `locate_labels` says of the tree's labels.
    """
    figure = new_page(11.0, 5.4)
    roc, precision_recall = figure.subplots(1, 2)
    draw_roc(roc, curves, point=None if point is None else point[:2])
    draw_precision_recall(precision_recall, curves, point=None if point is None else point[1:])
    return _add_title(figure, title)


def reliability_figure(
    probabilities: Mapping[str, Floats],
    positive: Bools,
    weights: Floats | None = None,
    *,
    bins: int = 10,
    title: str = "",
) -> Figure:
    """The picture of `draw_reliability`."""
    figure = new_page(6.5, 6.0)
    cell = figure.add_gridspec(1, 1)[0]
    draw_reliability(figure, cell, probabilities, positive, weights, bins=bins)
    return _add_title(figure, title)


def ranked_figure(
    probabilities: Mapping[str, Floats],
    positive: Bools,
    called: Bools,
    *,
    by: str | None = None,
    against: str | None = None,
    order: Floats | None = None,
    title: str = "",
) -> Figure:
    """A figure of probabilities along the ranked cases, see `draw_ranked`."""
    figure = new_page(9.0, 4.8)
    draw_ranked(
        figure.subplots(), probabilities, positive, called, by=by, against=against, order=order
    )
    return _add_title(figure, title)


def overview_figure(
    scores: Mapping[str, Floats],
    probabilities: Mapping[str, Floats],
    positive: Bools,
    called: Bools,
    weights: Floats | None = None,
    *,
    title: str = "",
) -> Figure:
    """ROC, precision and recall, reliability and ranked cases on one page.

    Parameters
    ----------
    scores : mapping of arrays of float64, shape (n_cases,)
        What each method ranks by; larger is better.
    probabilities : mapping of arrays of float64, shape (n_cases,)
        Probability of the positive class by each method that gives one.
    positive, called : array of bool, shape (n_cases,)
        Which cases are of the positive class, and which the tree says are.
    """
    figure = new_page(11.0, 9.6)
    grid = figure.add_gridspec(2, 2)
    curves = curves_by_method(scores, positive, weights)
    fpr, tpr, precision = locate_labels(called, positive, weights)
    draw_roc(figure.add_subplot(grid[0, 0]), curves, point=(fpr, tpr))
    draw_precision_recall(figure.add_subplot(grid[0, 1]), curves, point=(tpr, precision))
    draw_reliability(figure, grid[1, 0], probabilities, positive, weights)
    draw_ranked(figure.add_subplot(grid[1, 1]), probabilities, positive, called)
    return _add_title(figure, title)


def _add_title(figure: Figure, title: str) -> Figure:
    if title:
        figure.suptitle(clean_label(title, 110), fontsize=12)
    return figure
