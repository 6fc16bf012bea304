"""What scores of a model depend on: metric, faces, the class that matters, its estimates."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from j48geo import defaults
from j48geo.core.dataset import Dataset
from j48geo.core.fitted_values import Metric, MetricKind
from j48geo.core.tree import BoxTree
from j48geo.errors import NeedsTrainingError, UnknownNameError
from j48geo.geometry.faces import midgap_tree
from j48geo.geometry.metric import MetricError, fit_metric
from j48geo.model.choices import Choices, Positive
from j48geo.score.leaf_estimates import m_times_p
from j48geo.score.scores import default_positive
from j48geo.score.setting import Setting, restore_mp

if TYPE_CHECKING:
    from j48geo.model.model import Model

_METRIC_KINDS: dict[str, MetricKind] = {"standard": "standard", "minmax": "minmax", "none": "none"}


def find_positive(model: Model) -> Positive | None:
    """The class that matters; None if nobody named it and the counts do not tell."""
    label, classes = model.choices.positive, model.classes
    if label is not None:
        if label not in classes:
            raise UnknownNameError("class", label, classes)
        return Positive(classes.index(label), "given")
    if len(classes) == 1:
        return Positive(0, "only")
    if model.fitted is not None and model.fitted.positive is not None:
        return Positive(model.fitted.positive, "fitted")
    chosen = default_positive(model.counts)
    if chosen is None:
        return None
    root = model.counts.per_class[0]
    return Positive(chosen, "first" if root[0] == root[1] else "rarer")


def find_metric(model: Model, given: Iterable[Dataset] = (), name: str = "") -> Metric:
    """The metric, from the training data if that is known, else from the given rows.

    Parameters
    ----------
    given
        Only read if the metric is to be learnt from them.
    name
        What these rows are, in words.
    """
    choices, tree = model.choices, model.tree
    if model.fitted is not None:
        _refuse_refit(choices, "metric", "nominal", "nominal_weight")
        return model.fitted.metric
    kind: MetricKind = "custom"
    scales, source = None, ""
    if choices.metric is None or isinstance(choices.metric, str):
        kind = _METRIC_KINDS[choices.metric or "standard"]
    else:
        scales, source = choices.metric, getattr(choices.metric, "source", "the scales")
    X = None
    if choices.learns_metric and model.training is not None:
        X, source = iter([model.training.X]), f"{model.training_name}, the training data"
    elif choices.learns_metric:
        X, source = (block.X for block in given), name
    try:
        return fit_metric(
            tree,
            kind,
            X,
            scales=scales,
            nominal=choices.nominal or "overlap",
            nominal_weight=1.0 if choices.nominal_weight is None else choices.nominal_weight,
            source=source,
        )
    except (MetricError, UnknownNameError) as error:
        if scales is None:
            raise
        raise MetricError(f"{source}: {error}") from error


def find_setting(model: Model, positive: int, metric: Metric) -> Setting:
    """What all scores of the model are a function of.

    Parameters
    ----------
    positive
        Index of the positive class.
    """
    choices, fitted = model.choices, model.fitted
    setting = Setting(
        model.labelled_tree,
        model.counts,
        metric,
        positive,
        training=model.training,
        estimate=choices.estimate or "laplace",
        mp=defaults.MP if choices.m is None and fitted is None else _mp(model, positive),
        boundary=choices.boundary or "class",
        labels=model.overlay,
        face_tree=None if choices.separators is None and fitted is None else _face_tree(model),
        laplace=model.laplace,
        within=choices.within or "g",
        leaves=choices.leaves or "laplace",
        shrinkage=_shrinkage(model),
        fitted_nearby=None if fitted is None else fitted.nearby,
        sigma=defaults.SIGMA if choices.sigma is None else choices.sigma,
        # The standard metric of a model that knows its training data was fitted to it.
        spread=metric.scale if metric.kind == "standard" and model.training is not None else None,
    )
    _refuse_other_nearby(model)
    return setting


def _refuse_other_nearby(model: Model) -> None:
    """Refuse a sigma or leaf values other than those that a model file was fitted with."""
    nearby = None if model.fitted is None else model.fitted.nearby
    for name in ("sigma", "leaves"):
        value = getattr(model.choices, name)
        if nearby is not None and value not in (None, getattr(nearby, name)):
            raise NeedsTrainingError(
                f"{name}: the model was fitted with its own; another needs the training data"
            )


def _mp(model: Model, positive: int) -> float:
    if model.choices.m is not None:
        return m_times_p(model.counts, positive, model.choices.m)
    assert model.fitted is not None
    return restore_mp(model.counts, model.fitted, positive)


def _shrinkage(model: Model) -> float | None:
    if model.choices.shrinkage is not None or model.fitted is None:
        return model.choices.shrinkage
    return model.fitted.shrinkage


def _face_tree(model: Model) -> BoxTree | None:
    """The tree whose faces are measured, if it is not the tree itself."""
    choices = model.choices
    if model.fitted is not None:
        _refuse_refit(choices, "separators")
        faces = model.fitted.faces
        return None if faces is None else model.labelled_tree.with_thresholds(faces)
    if choices.separators == "tree":
        return None
    if model.training is None:
        raise NeedsTrainingError("separators midgap: the gaps are those of the training data")
    return midgap_tree(model.labelled_tree, model.training.X)


def _refuse_refit(choices: Choices, *names: str) -> None:
    """What a model file has learnt cannot be had otherwise without the training data."""
    for name in names:
        if getattr(choices, name) is not None:
            raise NeedsTrainingError(
                f"{name}: the model was fitted with its own; another needs the training data"
            )
