"""What a user may choose about a model: the class that matters, the metric, widths, kernels.

A choice of None is "as the model was fitted, else the default"; so what a fitted model file
has learnt is told apart from what somebody asks for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from math import isfinite
from typing import Literal

from j48geo.core.fitted_values import RecalibrationKind
from j48geo.errors import ChoiceError, UnknownNameError

Nominal = Literal["overlap", "refuse"]
Separators = Literal["tree", "midgap"]

_WORDS: dict[str, tuple[str, ...]] = {
    "nominal": ("overlap", "refuse"),
    "separators": ("tree", "midgap"),
    "boundary": ("class", "any"),
    "estimate": ("laplace", "m", "raw"),
    "within": ("g", "nearby"),
    "leaves": ("laplace", "shrunken"),
    "kernel": ("gaussian", "box"),
    "kde": ("exact", "r512"),
    "recalibrate": ("isotonic", "platt"),
    "tuned": ("rank", "proba"),
}


@dataclass(frozen=True)
class Choices:
    """What was chosen; None where nothing was.

    Parameters
    ----------
    positive
        Label of the class that matters. Default: as fitted, or of two classes the rarer.
    metric
        ``standard``, ``minmax``, ``none``, or a scale for each attribute by name.
    nominal, nominal_weight, separators
        See `j48geo.geometry.metric.fit_metric` and `j48geo.geometry.faces`.
    boundary, estimate, within
        See `j48geo.score.setting.Setting`.
    m
        The m of the m-estimate. Default: 10 / p, p the share of the positive class.
    sigma
        Error that the nearby-leaf average allows for, in standard deviations.
    leaves
        What the leaves say that the nearby-leaf average averages: ``laplace``, or
        ``shrunken``, Laplace's estimate drawn towards the nodes above.
    shrinkage
        λ of hs and of shrunken leaves, in cases, see
        `j48geo.score.leaf_estimates.shrunken_estimates`.
    tau, kernel, kde
        Of the kernel estimates, see `j48geo.score.kernel_density.fit_density`.
    recalibrate
        Make the probabilities of every method honest: ``isotonic`` or ``platt``, see
        `j48geo.score.recalibration`.
    tuned
        What sigma, leaves and shrinkage were chosen for by `Model.tuned`.
    laplace
        Whether leaves are smoothed as J48's ``-A`` does. Default: as the model's options say.
    """

    positive: str | None = None
    metric: str | Mapping[str, float] | None = None
    nominal: Nominal | None = None
    nominal_weight: float | None = None
    separators: Separators | None = None
    boundary: Literal["class", "any"] | None = None
    estimate: Literal["laplace", "m", "raw"] | None = None
    m: float | None = None
    sigma: float | None = None
    leaves: Literal["laplace", "shrunken"] | None = None
    shrinkage: float | None = None
    within: Literal["g", "nearby"] | None = None
    tau: float | None = None
    kernel: Literal["gaussian", "box"] | None = None
    kde: Literal["exact", "r512"] | None = None
    recalibrate: RecalibrationKind | None = None
    tuned: Literal["rank", "proba"] | None = None
    laplace: bool | None = None

    def __post_init__(self) -> None:
        for name, known in _WORDS.items():
            value = getattr(self, name)
            if value is not None and value not in known:
                raise UnknownNameError(name, str(value), known)
        for name in ("tau", "m", "sigma"):
            value = getattr(self, name)
            if value is not None and not (isfinite(value) and value > 0):
                raise ChoiceError(name, f"{value:g}: expected a positive number")
        for name in ("nominal_weight", "shrinkage"):
            value = getattr(self, name)
            if value is not None and not (isfinite(value) and value >= 0):
                raise ChoiceError(name, f"{value:g}: expected a number of at least 0")
        if self.kde == "r512" and self.kernel == "box":
            raise ChoiceError("kde", "r512: this is R's Gaussian; expected no box kernel")
        if isinstance(self.metric, str) and self.metric not in ("standard", "minmax", "none"):
            raise UnknownNameError("metric", self.metric, ("standard", "minmax", "none"))

    @property
    def learns_metric(self) -> bool:
        """Whether the metric is learnt from rows."""
        return self.metric in (None, "standard", "minmax")


CHOICES = tuple(f.name for f in fields(Choices))
"""Names of all choices."""


@dataclass(frozen=True)
class Positive:
    """The class that matters, and why it is that one.

    Parameters
    ----------
    index
        Its place among the classes.
    why
        ``given``, ``fitted``, ``only`` (there is no other), ``rarer``, or ``first`` of two
        equally frequent ones.
    """

    index: int
    why: Literal["given", "fitted", "only", "rarer", "first"]
