"""Which methods can answer for a model, and which one does if none is named."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from j48geo.errors import NeedsTrainingError, UnknownNameError
from j48geo.geometry.distance import has_boundary
from j48geo.score.leaf_estimates import effective_counts
from j48geo.score.methods import (
    EVALUATED_METHODS,
    KERNEL_METHODS,
    LEAF_METHODS,
    METHODS,
    PROBABILITIES,
)
from j48geo.score.scores import score_function, score_names

if TYPE_CHECKING:
    from j48geo.model.model import Model

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
