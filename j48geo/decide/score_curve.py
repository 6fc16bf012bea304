"""The curve of any scores with their classes, wherever they come from."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from j48geo.decide.roc import Curve, curve
from j48geo.errors import UnknownNameError

__all__ = ["score_curve"]


def score_curve(
    scores: Sequence[float],
    actual: Sequence[int],
    weights: Sequence[float],
    classes: Sequence[str],
    positive: str | None = None,
) -> tuple[Curve, str]:
    """The curve, and the label of the positive class.

    Parameters
    ----------
    actual
        Place of each case's class among `classes`.
    positive
        Default: of two classes the rarer, of more the first.
    """
    y, w = np.array(actual, dtype=np.intp), np.array(weights, dtype=np.float64)
    if positive is not None:
        if positive not in classes:
            raise UnknownNameError("class", positive, classes)
        chosen = list(classes).index(positive)
    else:
        chosen = int(w[y == 1].sum() < w[y == 0].sum()) if len(classes) == 2 else 0
    return curve(np.array(scores, dtype=np.float64), y == chosen, w), classes[chosen]
