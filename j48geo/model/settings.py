"""What the answers of a model depend on: methods that are available, positive class, metric.

`find_setting` gathers all that scores are a function of; `auto_ranking`, `auto_probability` and
`available_methods` say which methods a model can answer by.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from j48geo import defaults
from j48geo.core.dataset import Dataset
from j48geo.core.fitted_values import Metric, MetricKind
from j48geo.core.tree import BoxTree
from j48geo.errors import NeedsTrainingError, UnknownNameError
from j48geo.geometry.distance import has_boundary
from j48geo.geometry.faces import midgap_tree
from j48geo.geometry.metric import MetricError, fit_metric
from j48geo.model.choices import Choices
from j48geo.score.leaf_estimates import effective_counts, m_times_p
from j48geo.score.methods import (
    EVALUATED_METHODS,
    KERNEL_METHODS,
    LEAF_METHODS,
    METHODS,
    PROBABILITIES,
)
from j48geo.score.scores import score_function, score_names
from j48geo.score.setting import Setting, restore_mp

if TYPE_CHECKING:
    from j48geo.model.model import Model

_METRIC_KINDS: dict[str, MetricKind] = {"standard": "standard", "minmax": "minmax", "none": "none"}


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


# ------------------------------------------------------------------------- available methods

COUNT_METHODS = (*LEAF_METHODS, "local")
"""Methods that need the class counts; without a boundary global does, too."""


def auto_ranking(model: Model) -> str:
    """The method that cases are ranked by if none is named."""
    if model.positive is None:
        return "distance"
    if model.has_nearby:
        return "nearby"
    return "local" if model.has_leaf_counts else "global"


def auto_probability(model: Model) -> str:
    """The method that probabilities are estimated by if none is named."""
    if model.has_nearby:
        return "nearby"
    effective_counts(model.tree, model.counts)  # or it says what is missing
    return "laplace"


def check_names(names: Sequence[str], *, rankings: bool = False) -> tuple[str, ...]:
    """The names, each once; an unknown one is told before anything is read.

    Parameters
    ----------
    rankings
        Whether rankings, and plugins' scores, are methods here.
    """
    unique_names = tuple(dict.fromkeys(names))
    known: tuple[str, ...] = PROBABILITIES
    if rankings:
        known = (*PROBABILITIES, *(n for n in METHODS if n not in PROBABILITIES))
    for name in unique_names:
        if name in known:
            continue
        if not rankings or name not in score_names():
            more = tuple(n for n in score_names() if n not in known) if rankings else ()
            raise UnknownNameError("method", name, (*known, *more))
        score_function(name)
    return unique_names


def available_methods(model: Model, calibrated: bool) -> tuple[tuple[str, ...], list[str]]:
    """The methods that an evaluation can set side by side, and why others are left out.

    Parameters
    ----------
    calibrated
        Whether there are other cases for the kernel estimates.
    """
    has = set(EVALUATED_METHODS)
    fitted = model.fitted
    if fitted is not None:
        if not calibrated:
            has -= set(KERNEL_METHODS) - set(fitted.densities)
        if fitted.nearby is None:
            has.discard("nearby")
    elif model.training is None:
        has.discard("nearby")
        if not calibrated:
            has -= set(KERNEL_METHODS)
    notes = []
    missing = [name for name in EVALUATED_METHODS if name not in has]
    if missing:
        notes.append(f"left out for want of the training data: {', '.join(missing)}")
    if not model.has_leaf_counts:
        at = None if model.positive is None else model.classes.index(model.positive)
        bounded = has_boundary(model.labelled_tree, labels=model.overlay, c=at)
        counting = COUNT_METHODS if bounded else (*COUNT_METHODS, "global")
        has -= set(counting)
        notes.append(
            "left out since the text does not tell the class counts of all leaves: "
            f"{', '.join(counting)}"
        )
    return tuple(name for name in EVALUATED_METHODS if name in has), notes


def require_nearby(model: Model) -> None:
    """Refuse where the leaves around are not known."""
    if not model.has_training:
        raise NeedsTrainingError("nearby learns from the training data")
    if model.fitted is not None and model.fitted.nearby is None:
        raise NeedsTrainingError(f"{model.source} was not fitted for nearby")
    if model.fitted is not None and model.fitted.nearby is not None:
        own = model.fitted.nearby
        if own.leaves == "shrunken" and model.choices.shrinkage not in (None, own.shrinkage):
            raise NeedsTrainingError(
                "shrinkage: the model was fitted with its own; another needs the training data"
            )
