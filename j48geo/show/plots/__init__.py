"""Draw pictures with matplotlib, which is imported here and nowhere else.

Every function of ``figures`` gives a whole picture, for `save_figure`; ``curves``,
``probability``, ``slice`` and ``costs`` draw its panels.
"""

from __future__ import annotations

from j48geo.lazy import lazy_exports

TYPE_CHECKING = False  # as type checkers read it; importing typing takes longer than all of this
if TYPE_CHECKING:
    from j48geo.show.plots.curves import cost_figure
    from j48geo.show.plots.figures import (
        curve_figure,
        overview_figure,
        precision_recall_figure,
        ranked_figure,
        reliability_figure,
        roc_figure,
    )
    from j48geo.show.plots.page import PictureError, check_picture, figure_file, save_figure
    from j48geo.show.plots.slice import slice_figure

__all__ = [
    "PictureError",
    "check_picture",
    "cost_figure",
    "curve_figure",
    "figure_file",
    "overview_figure",
    "precision_recall_figure",
    "ranked_figure",
    "reliability_figure",
    "roc_figure",
    "save_figure",
    "slice_figure",
]

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "PictureError": "page",
        "check_picture": "page",
        "cost_figure": "curves",
        "curve_figure": "figures",
        "figure_file": "page",
        "overview_figure": "figures",
        "precision_recall_figure": "figures",
        "ranked_figure": "figures",
        "reliability_figure": "figures",
        "roc_figure": "figures",
        "save_figure": "page",
        "slice_figure": "slice",
    },
)
