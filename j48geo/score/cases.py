"""From rows to cases: the classes that the tree, or an overlay of its labels, gives them."""

from __future__ import annotations

from j48geo.arrays import Floats
from j48geo.errors import MismatchError
from j48geo.score.overlay import overlay_classes
from j48geo.score.predict import predict
from j48geo.score.setting import Cases, Setting

__all__ = ["cases_of"]


def cases_of(setting: Setting, X: Floats) -> Cases:
    """Rows with Weka's answers about them.

    Parameters
    ----------
    X : array of float64, shape (n_cases, n_attributes)
        Columns in the order of the tree's header.

    Raises
    ------
    MismatchError
        If `X` has more or fewer columns.
    """
    if X.ndim != 2 or X.shape[1] != len(setting.tree.header):
        raise MismatchError(
            f"the rows have shape {X.shape}; expected {len(setting.tree.header)} columns, those of "
            "the tree's header"
        )
    prediction = predict(setting.tree, setting.counts, X, laplace=setting.laplace)
    predicted = prediction.predicted
    if setting.labels is not None:
        predicted = overlay_classes(setting.tree, setting.counts, X, setting.labels, prediction)
    return Cases(setting, X, prediction, predicted)
