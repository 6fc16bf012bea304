"""What a user may choose about a model: `CHOICE_TABLE` has a row a choice, `Choices` the values.

Options of the command line, the checks of `Choices`, refusals of choices that change nothing, and
what a scorer carries are all read from the table: type, bounds, help, which methods listen, where
a choice travels. The module imports nothing heavy, so that a help text costs nothing.

A value of None is "as the model was fitted, else the default"; so what a fitted model file has
learnt is told apart from what somebody asks for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from math import isfinite
from typing import Any, Literal

from j48geo.defaults import LEAF_SHRINKAGE, MP, SHRINKAGE, SIGMA, TAU_GLOBAL, TAU_LOCAL
from j48geo.errors import ChoiceError, UnknownNameError
from j48geo.score.methods import KERNEL_METHODS, METHODS


class Carried(Enum):
    """Where a choice travels when a model is written to a file or sent to other machines."""

    IN_FILE = "the model file holds what was fitted with it"
    BESIDE_FILE = "beside the model file"
    BESIDE_UNFITTED_FILE = "beside the model file, unless the file holds what was fitted with it"


@dataclass(frozen=True)
class Requirement:
    """A second choice without which the methods do not use the first.

    Parameters
    ----------
    other, value
        The choice, and the value that it must have.
    methods
        Methods that listen in any case.
    only_for
        Methods that the requirement is about; empty for all.
    """

    other: str
    value: str
    methods: tuple[str, ...]
    only_for: tuple[str, ...] = ()

    def is_met(self, methods: Iterable[str], choices: Mapping[str, Any]) -> bool:
        """Whether the choice changes something for these methods, with these other choices."""
        names = set(methods)
        if names & set(self.methods) or choices.get(self.other) == self.value:
            return True
        return bool(self.only_for) and not names & set(self.only_for)

    def __str__(self) -> str:
        return f"{' and '.join(self.methods)} and for --{self.other} {self.value}"


@dataclass(frozen=True)
class Choice:
    """One thing that a user may choose about a model.

    Parameters
    ----------
    help
        The help text of its option; empty if the command line has none.
    words
        The values it may have, if these are fixed words.
    bound
        Which numbers it may have, if it is a number.
    metavar
        What the help shows in the place of its value.
    listeners
        Methods that it changes, in the order of `METHODS`; empty if it changes more than methods.
    requirements
        Other choices that it depends on.
    carried
        Where it travels with a model.
    is_tunable
        Whether `Model.tuned` chooses it.
    """

    name: str
    help: str
    words: tuple[str, ...] = ()
    bound: Literal["", "above 0", "from 0"] = ""
    metavar: str | None = None
    listeners: tuple[str, ...] = ()
    requirements: tuple[Requirement, ...] = ()
    carried: Carried = Carried.IN_FILE
    is_tunable: bool = False

    @property
    def option(self) -> str:
        """The option of the command line that stands for this choice."""
        return f"--{self.name.replace('_', '-')}"


DISTANCE_METHODS = tuple(name for name, method in METHODS.items() if method.measures)
METRICS = ("standard", "minmax", "none")
_NEARBY = Requirement("within", "nearby", ("nearby",), only_for=("local",))

CHOICE_TABLE: dict[str, Choice] = {
    choice.name: choice
    for choice in (
        Choice(
            "positive",
            "The class that matters. Default, with two classes: the rarer one in training.",
            metavar="LABEL",
            carried=Carried.BESIDE_FILE,
        ),
        Choice(
            "metric",
            "Divide by standard deviation (the default), by range, by nothing, or by the scales "
            'in FILE (JSON {"name": scale} or CSV name,scale).',
            metavar="standard|minmax|none|FILE",
            listeners=DISTANCE_METHODS,
            carried=Carried.BESIDE_UNFITTED_FILE,
        ),
        Choice(
            "nominal",
            "Nominal tests: a step of --nominal-weight (the default; extension), or refuse them.",
            words=("overlap", "refuse"),
            listeners=DISTANCE_METHODS,
            carried=Carried.BESIDE_UNFITTED_FILE,
        ),
        Choice(
            "nominal_weight",
            "What a nominal attribute contributes where its value must change. Default: 1.",
            bound="from 0",
            metavar="W",
            listeners=DISTANCE_METHODS,
            carried=Carried.BESIDE_UNFITTED_FILE,
        ),
        Choice(
            "separators",
            "Measure to the tree's thresholds (the default), or to the middle of the gap above "
            "each (extension; needs the training data).",
            words=("tree", "midgap"),
            listeners=DISTANCE_METHODS,
        ),
        Choice(
            "boundary",
            "More than two classes: distance to where the positive class begins or ends (the "
            "default), or any.",
            words=("class", "any"),
            listeners=("global", "local"),
            carried=Carried.BESIDE_FILE,
        ),
        Choice(
            "estimate",
            "Leaf estimate: (k+1)/(n+C) (the default), (k+m*p)/(n+m), or k/n.",
            words=("laplace", "m", "raw"),
            listeners=("local", "leaf"),
            carried=Carried.BESIDE_FILE,
        ),
        Choice(
            "m",
            f"The m of the m-estimate. Default: {MP:g}/p, p the share of the positive class.",
            bound="above 0",
            metavar="M",
            listeners=("m", "local", "leaf"),
            requirements=(Requirement("estimate", "m", ("m",)),),
            carried=Carried.BESIDE_FILE,
        ),
        Choice(
            "sigma",
            f"nearby: the error of measurement, in standard deviations. Default: {SIGMA:g}.",
            bound="above 0",
            metavar="S",
            listeners=("local", "nearby"),
            requirements=(_NEARBY,),
            is_tunable=True,
        ),
        Choice(
            "leaves",
            "nearby: what is averaged, (k+1)/(n+C) of each leaf (the default), or the same drawn "
            "towards the nodes above it.",
            words=("laplace", "shrunken"),
            listeners=("local", "nearby"),
            requirements=(_NEARBY,),
            is_tunable=True,
        ),
        Choice(
            "shrinkage",
            "hs and --leaves shrunken: how strongly a leaf is drawn towards the nodes above it, "
            f"in cases. Default: hs {SHRINKAGE:g}, leaves {LEAF_SHRINKAGE:g}.",
            bound="from 0",
            metavar="L",
            listeners=("hs", "local", "nearby"),
            requirements=(Requirement("leaves", "shrunken", ("hs",)), _NEARBY),
            carried=Carried.BESIDE_FILE,
            is_tunable=True,
        ),
        Choice(
            "within",
            "With --by local: what orders rows of equal leaf estimates, distance (the default) "
            "or nearby leaves.",
            words=("g", "nearby"),
            listeners=("local",),
            carried=Carried.BESIDE_FILE,
        ),
        Choice(
            "tau",
            "Bandwidth as a share of the range of distances. Default: "
            f"gdk {TAU_GLOBAL:.2f}, ldk {TAU_LOCAL:.2f}.",
            bound="above 0",
            metavar="T",
            listeners=KERNEL_METHODS,
        ),
        Choice(
            "kernel",
            "Kernel of gdk and ldk: gaussian (the default), or a box that has the bandwidth as "
            "its whole width.",
            words=("gaussian", "box"),
            listeners=KERNEL_METHODS,
        ),
        Choice(
            "kde",
            "Exact sums (the default), or the grid of 512 points of R's density(), to compare "
            "with it.",
            words=("exact", "r512"),
            listeners=KERNEL_METHODS,
        ),
        Choice(
            "recalibrate",
            "Make probabilities honest by cases that the tree has not seen: those of --calibrate, "
            "or else of 5 folds of the training data, with trees grown again.",
            words=("isotonic", "platt"),
        ),
        Choice("tuned", "", words=("rank", "proba")),
        Choice(
            "laplace",
            "Smooth as J48's -A does. Default: what the options line of the model says, else no.",
            carried=Carried.BESIDE_FILE,
        ),
    )
}
"""All choices by name, in the order of the fields of `Choices`."""

METRIC_CHOICES = ("metric", "nominal", "nominal_weight", "separators")
PROBABILITY_CHOICES = (
    *("positive", "sigma", "leaves", "shrinkage", "recalibrate", "m"),
    *("tau", "kernel", "kde"),
    *METRIC_CHOICES,
)
"""What probabilities depend on."""
TUNABLE_CHOICES = tuple(name for name, choice in CHOICE_TABLE.items() if choice.is_tunable)


def find_unused_choice(
    choices: Mapping[str, Any],
    methods: Iterable[str],
    *,
    has_calibration: bool = False,
    shows_distance: bool = False,
) -> str:
    """Why one of the choices changes nothing for these methods; empty if all are used.

    Scores of plugins may listen to every choice.

    Parameters
    ----------
    has_calibration
        Whether cases for the kernel estimates are given; they serve every method if
        probabilities are recalibrated.
    shows_distance
        Whether a distance is shown beside every score, so that the metric always counts.
    """
    names = list(methods)
    if not set(names) <= set(METHODS):
        return ""
    given = [CHOICE_TABLE[name] for name, value in choices.items() if value is not None]
    for choice in given:
        if shows_distance and choice.name in METRIC_CHOICES:
            continue
        if choice.listeners and not set(choice.listeners) & set(names):
            return _describe_listeners(choice.option, choice.listeners, names)
    if has_calibration and "recalibrate" not in choices and not set(KERNEL_METHODS) & set(names):
        return _describe_listeners("--calibrate", KERNEL_METHODS, names)
    for choice in given:
        for requirement in choice.requirements:
            if not requirement.is_met(names, choices):
                return f"{choice.option} is for {requirement}"
    return ""


def _describe_listeners(option: str, listeners: Iterable[str], names: list[str]) -> str:
    others = f", and not for {', '.join(names)}" if names else ""
    return f"{option} is for {', '.join(listeners)}{others}"


# ------------------------------------------------------------------------------ their values


class Unchanged(Enum):
    """The value of a choice that `Model.with_` leaves as it is; None would take it back."""

    UNCHANGED = "unchanged"


UNCHANGED = Unchanged.UNCHANGED
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
    recalibrate: Literal["isotonic", "platt"] | None = None
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
    """The positive class, and why it is that one.

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
