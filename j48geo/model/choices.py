"""What a user may choose about a model: the class that matters, the metric, widths, kernels.

A choice of None is "as the model was fitted, else the default"; so what a fitted model file
has learnt is told apart from what somebody asks for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any, Literal

from j48geo.core.fitted_values import RecalibrationKind
from j48geo.errors import ChoiceError, UnknownNameError
from j48geo.model.choice_table import CHOICE_TABLE, METRICS, Choice

Nominal = Literal["overlap", "refuse"]
Separators = Literal["tree", "midgap"]


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
        for name, choice in CHOICE_TABLE.items():
            value = getattr(self, name)
            if value is not None:
                _check_value(choice, value)
        if self.kde == "r512" and self.kernel == "box":
            raise ChoiceError("kde", "r512: this is R's Gaussian; expected no box kernel")
        if isinstance(self.metric, str) and self.metric not in METRICS:
            raise UnknownNameError("metric", self.metric, METRICS)

    @property
    def learns_metric(self) -> bool:
        """Whether the metric is learnt from rows."""
        return self.metric in (None, "standard", "minmax")


def _check_value(choice: Choice, value: Any) -> None:
    """Refuse a word that is not in the table, and a number out of bounds."""
    if choice.words and value not in choice.words:
        raise UnknownNameError(choice.name, str(value), choice.words)
    if choice.bound == "above 0" and not (isfinite(value) and value > 0):
        raise ChoiceError(choice.name, f"{value:g}: expected a positive number")
    if choice.bound == "from 0" and not (isfinite(value) and value >= 0):
        raise ChoiceError(choice.name, f"{value:g}: expected a number of at least 0")


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
