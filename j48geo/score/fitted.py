"""From a fitted model to what is kept of it in a file, and back."""

from __future__ import annotations

from dataclasses import replace

from j48geo import defaults
from j48geo.core.counts import NodeCounts
from j48geo.core.fitted_values import Fitted
from j48geo.core.tree import BoxTree
from j48geo.errors import UnknownNameError
from j48geo.score.methods import LEAF_METHODS
from j48geo.score.probabilities import METHODS, ProbabilityModel, fit_probabilities
from j48geo.score.setting import Setting, restored_mp

__all__ = ["fitted_of", "restore_model", "restore_setting"]


def fitted_of(
    model: ProbabilityModel,
    *,
    training: str = "",
    calibration: str = "",
    has_positive: bool = True,
) -> Fitted:
    """What has to be kept of a model; the training cases have not.

    Parameters
    ----------
    training, calibration
        Names of the data it was learnt from.
    has_positive
        Whether the positive class of the setting was chosen, and is to be kept.
    """
    setting = model.setting
    root = setting.counts.per_class[0]
    share = float(root[setting.positive]) / float(root.sum()) if root.sum() > 0 else 0.0
    m = setting.mp / share if setting.mp != defaults.MP and share > 0 else None
    faces = None
    if setting.face_tree is not None:
        moved = setting.face_tree.splits
        faces = {
            node.index: face.threshold
            for (node, split), (_, face) in zip(setting.tree.splits, moved, strict=True)
            if split.kind == "numeric" and split.threshold != face.threshold
        }
    return Fitted(
        metric=setting.metric,
        faces=faces,
        positive=setting.positive if has_positive else None,
        m=m,
        training=training,
        calibration=calibration or training,
        densities=model.densities,
        nearby=model.nearby,
        recalibrations=model.recalibrations,
        shrinkage=setting.shrinkage if "hs" in model.methods else None,
    )


def restore_setting(
    tree: BoxTree, counts: NodeCounts, fitted: Fitted, *, positive: int | None = None
) -> Setting:
    """The setting of a model that was kept; good for `score_batch` too.

    Parameters
    ----------
    positive
        Default: the class it was fitted for, or the first.
    """
    chosen = positive if positive is not None else fitted.positive or 0
    return Setting(
        tree,
        counts,
        fitted.metric,
        chosen,
        mp=restored_mp(counts, fitted, chosen),
        face_tree=None if fitted.faces is None else tree.with_thresholds(fitted.faces),
        laplace=bool(tree.options.laplace),
        fitted_nearby=fitted.nearby,
        shrinkage=fitted.shrinkage,
    )


def restore_model(
    setting: Setting, fitted: Fitted, methods: tuple[str, ...] | None = None
) -> ProbabilityModel:
    """The probability model that was kept.

    Parameters
    ----------
    setting
        From `restore_setting`.
    methods
        Default: those it was fitted for.

    Raises
    ------
    UnknownNameError
        If it was not fitted for a method.

    Examples
    --------
    >>> from j48geo.geometry.metric import fit_metric
    >>> from j48geo.core.build import at_most, grow_tree, leaf
    >>> from j48geo.core.counts import counts_from_data
    >>> from j48geo.core.dataset import Attribute, Dataset, Header
    >>> import numpy as np
    >>> header = Header("h", (Attribute("x"), Attribute("c", "nominal", ("a", "b"))), 1)
    >>> tree = grow_tree(header, at_most("x", 2, leaf("a"), leaf("b")))
    >>> X = np.array([[0.0, 0], [1.0, 0], [3.0, 1], [4.0, 0]])
    >>> counts = counts_from_data(tree, X, X[:, 1], np.ones(4))
    >>> metric = fit_metric(tree, "standard", X)
    >>> setting = Setting(tree, counts, metric, 0, Dataset(header, X, np.ones(4)))
    >>> kept = fitted_of(fit_probabilities(setting, methods=["gdk"]), training="four rows")
    >>> again = restore_model(restore_setting(tree, counts, kept), kept)
    >>> again.methods
    ('gdk',)
    """
    has = (*fitted.densities, *(() if fitted.nearby is None else ("nearby",)))
    wanted = has if methods is None else tuple(methods)
    learnt = [name for name in METHODS if name not in LEAF_METHODS]
    for name in wanted:
        if name in learnt and name not in has:
            raise UnknownNameError("method of the fitted model", name, has)
    found = fit_probabilities(setting, methods=[m for m in wanted if m not in fitted.densities])
    densities = {m: fitted.densities[m] for m in wanted if m in fitted.densities}
    maps = {m: fitted.recalibrations[m] for m in wanted if m in fitted.recalibrations}
    return replace(found, methods=wanted, densities=densities, recalibrations=maps)
