"""How probabilities are estimated: options, and the fitted model they ask for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import click

from j48geo import defaults
from j48geo.cli.metric import MetricOptions, face_tree, find_metric, was_given
from j48geo.cli.options import InputOptions
from j48geo.cli.rows import is_same_file
from j48geo.cli.words import Words
from j48geo.errors import MismatchError

if TYPE_CHECKING:
    from j48geo.arrays import Ints
    from j48geo.cli.inputs import Loaded
    from j48geo.core.dataset import Dataset
    from j48geo.core.learnt import Fitted, NearbyLeaves
    from j48geo.score.probabilities import ProbabilityModel
    from j48geo.score.setting import Setting

__all__ = [
    "KERNEL_METHODS",
    "ProbabilityOptions",
    "fitted_model",
    "known_nearby",
    "method_names",
    "probability_options",
    "refuse_unused",
]

F = TypeVar("F", bound=Callable[..., Any])

KERNEL_METHODS = ("gdk", "ldk", "ldk-leaf")
"""Error that the nearby-leaf average allows for, in standard deviations."""


@dataclass(frozen=True)
class ProbabilityOptions:
    """What the user says about estimates; see the options of the same names."""

    tau: float | None = None
    kernel: Literal["gaussian", "box"] = "gaussian"
    kde: Literal["exact", "r512"] = "exact"
    calibrate: str | None = None
    m_weight: float | None = None
    sigma: float | None = None

    def __post_init__(self) -> None:
        for name, value in (("tau", self.tau), ("m", self.m_weight), ("sigma", self.sigma)):
            if value is not None and not (isfinite(value) and value > 0):
                raise click.UsageError(f"--{name} {value:g}: expected a positive number")
        if self.kde == "r512" and self.kernel != "gaussian":
            raise click.UsageError("--kde r512 is R's Gaussian; expected no --kernel box")

    @property
    def is_default(self) -> bool:
        """Whether the kernel estimates of a model file are what is asked for."""
        return replace(self, m_weight=None, sigma=None) == ProbabilityOptions()


def probability_options(function: F) -> F:
    """Bandwidth, kernel, calibration data, smoothing."""
    for decorator in (
        click.option(
            "--sigma",
            type=float,
            metavar="S",
            default=None,
            help="nearby: the error of measurement, in standard deviations. "
            f"Default: {defaults.SIGMA:g}.",
        ),
        click.option(
            "--m",
            "m_weight",
            type=float,
            metavar="M",
            default=None,
            help=f"The m of the m-estimate. Default: {defaults.MP:g}/p, p the share of "
            "the positive class.",
        ),
        click.option(
            "--kde",
            type=click.Choice(["exact", "r512"]),
            default="exact",
            show_default=True,
            help="Exact sums, or the grid of 512 points of R's density(), to compare with it.",
        ),
        click.option(
            "--kernel",
            type=click.Choice(["gaussian", "box"]),
            default="gaussian",
            show_default=True,
            help="Kernel of gdk and ldk; a box has the bandwidth as its whole width.",
        ),
        click.option(
            "--tau",
            type=float,
            metavar="T",
            default=None,
            help="Bandwidth as a share of the range of distances. "
            f"Default: gdk {defaults.TAU_GLOBAL:.2f}, ldk {defaults.TAU_LOCAL:.2f}.",
        ),
        click.option(
            "--calibrate",
            metavar="FILE",
            default=None,
            help="Cases that gdk and ldk learn from, if not the training data; best are cases "
            "that the tree has not seen.",
        ),
    ):
        function = decorator(function)
    return function


def method_names(text: str) -> tuple[str, ...]:
    """The methods in a list with commas; an unknown one is told at once."""
    from j48geo.errors import UnknownNameError
    from j48geo.score.probabilities import METHODS

    names = tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    for name in names:
        if name not in METHODS:
            raise UnknownNameError("method", name, METHODS)
    if not names:
        raise click.UsageError(f"no method; expected some of {', '.join(METHODS)}")
    return names


def fitted_model(
    model: str,
    loaded: Loaded,
    methods: Sequence[str],
    options: ProbabilityOptions,
    measure: MetricOptions,
    positive: int,
    labels: Ints | None,
    inputs: InputOptions,
    words: Words,
) -> ProbabilityModel:
    """What is needed to estimate probabilities, learnt now or read from a model file.

    Parameters
    ----------
    labels
        Overlay of the leaves' labels.
    """
    from j48geo.score.estimates import UnknownCountsError
    from j48geo.score.probabilities import fit_probabilities

    stored = loaded.fitted
    sample, name = loaded.training, loaded.training_name
    if options.calibrate == "-":
        raise click.UsageError("--calibrate: expected a file")
    if stored is not None:
        known_nearby(model, stored, options.sigma, "nearby" in methods)
    if options.calibrate is not None:
        sample, name = _sample(options.calibrate, loaded, inputs, words), options.calibrate
    kernels = [m for m in methods if m in KERNEL_METHODS]
    if kernels and sample is None and stored is None:
        raise click.UsageError(
            f"{kernels[0]} learns from cases whose class is known: --train FILE, or "
            "--calibrate FILE"
        )
    if "nearby" in methods and loaded.training is None and stored is None:
        raise click.UsageError("nearby learns from the training data: --train FILE")
    setting = _setting(loaded, options, measure, positive, labels, sample, name, words)
    if stored is not None and options.calibrate is None:
        if kernels and stored.calibration == stored.training:
            words.note(f"{' and '.join(kernels)}: learnt from the training data, {_OPTIMISTIC}")
        return _from_file(model, loaded, setting, methods, options)
    try:
        found = fit_probabilities(
            setting,
            sample,
            methods=methods,
            tau=options.tau,
            kernel=options.kernel,
            kde=options.kde,
        )
    except UnknownCountsError as error:
        raise UnknownCountsError(f"{model}: {error} (--train FILE)") from error
    if kernels:
        seen = options.calibrate is None or is_same_file(options.calibrate, inputs.train)
        cases = len(found.densities[kernels[0]].actual)
        said = f"{' and '.join(kernels)}: learnt from {cases} {'case' if cases == 1 else 'cases'}"
        words.note(f"{said} of {name}{f', the training data; {_OPTIMISTIC}' if seen else ''}")
    return found


_OPTIMISTIC = "optimistic, since the tree was fitted to them (--calibrate FILE names others)"


def refuse_unused(methods: Sequence[str]) -> None:
    """Options that none of these methods uses are a mistake, not a wish."""
    kernels = any(name in KERNEL_METHODS for name in methods)
    users = {
        "tau": (kernels, "gdk and ldk"),
        "kernel": (kernels, "gdk and ldk"),
        "kde": (kernels, "gdk and ldk"),
        "calibrate": (kernels, "gdk and ldk"),
        "metric": (kernels, "gdk and ldk"),
        "separators": (kernels, "gdk and ldk"),
        "nominal_weight": (kernels, "gdk and ldk"),
        "m_weight": ("m" in methods, "--method m"),
        "sigma": ("nearby" in methods, "--method nearby"),
    }
    for name, (used, whose) in users.items():
        if not used and was_given(name):
            option = "--m" if name == "m_weight" else f"--{name.replace('_', '-')}"
            raise click.UsageError(f"{option} is for {whose}")


def _sample(source: str, loaded: Loaded, inputs: InputOptions, words: Words) -> Dataset:
    """The calibration cases, in the columns of the tree's header."""
    from j48geo.cli.inputs import aligned
    from j48geo.cli.rows import check_weights, joined, open_rows

    tree = loaded.tree
    with open_rows(source, inputs, words, tree.header) as rows:
        try:
            tree.rebound(rows.header)
        except MismatchError as error:
            raise MismatchError(f"{rows.name}: {error}") from error
        found = aligned(joined(rows.header, list(rows.blocks)), tree.header)
    check_weights(found.weights, 1, source)
    known = found.class_values == found.class_values
    if not known.any():
        raise MismatchError(f"{source}: no row has a class; expected cases whose class is known")
    weighed = known & (found.weights > 0)
    if not weighed.any():
        raise MismatchError(f"{source}: no row with a class has a positive weight")
    if not weighed.all():
        left = int((~weighed).sum())
        have = "row has" if left == 1 else "rows have"
        words.note(f"{source}: {left} {have} no class or weight 0; nothing is learnt from them")
    for c, label in enumerate(tree.classes):
        if not (found.class_values[weighed] == c).any():
            words.note(f"{source} has no case of {label!r}: gdk and ldk give it no probability")
    return found


def _setting(
    loaded: Loaded,
    options: ProbabilityOptions,
    measure: MetricOptions,
    positive: int,
    labels: Ints | None,
    sample: Dataset | None,
    name: str,
    words: Words,
) -> Setting:
    from j48geo.score.fitted import restored_mp
    from j48geo.score.setting import Setting

    needs_none = sample is None and loaded.fitted is None  # leaf estimates alone
    used = replace(measure, metric="none") if needs_none and measure.learns else measure
    given = [] if sample is None else [sample]
    metric = find_metric(loaded, used, given, Words(True) if needs_none else words, given_name=name)
    stored = loaded.fitted
    mp = defaults.MP if stored is None else restored_mp(loaded.counts, stored, positive)
    if options.m_weight is not None:
        root = loaded.counts.per_class[0]
        total = float(root.sum())
        mp = options.m_weight * (float(root[positive]) / total if total > 0 else 1.0)
    setting = Setting(
        loaded.tree,
        loaded.counts,
        metric,
        positive,
        training=loaded.training,
        mp=mp,
        labels=labels,
        face_tree=face_tree(loaded, measure),
        laplace=bool(loaded.tree.options.laplace),
    )
    if stored is not None:
        setting = replace(setting, fitted_nearby=stored.nearby)
    return setting if options.sigma is None else replace(setting, sigma=options.sigma)


def _from_file(
    model: str,
    loaded: Loaded,
    setting: Setting,
    methods: Sequence[str],
    options: ProbabilityOptions,
) -> ProbabilityModel:
    """What the model file carries; anything else needs the training data."""
    from j48geo.score.fitted import restore_model

    stored = loaded.fitted
    assert stored is not None
    kernels = [m for m in methods if m in KERNEL_METHODS]
    if kernels and was_given("labels_file"):
        raise click.UsageError(
            f"--labels: {model} was fitted with its own labels; others need cases: --train FILE, "
            "or --calibrate FILE"
        )
    if kernels and not options.is_default:
        raise click.UsageError(
            f"{model} was fitted with its own bandwidth and kernel; others need cases: "
            "--train FILE, or --calibrate FILE"
        )
    for name in kernels:
        if name not in stored.densities:
            raise click.UsageError(
                f"{model} was not fitted for {name}; expected "
                f"{''.join(f'{x}, ' for x in stored.densities)}--train FILE, or --calibrate FILE"
            )
    return restore_model(setting, stored, tuple(methods))


def known_nearby(
    model: str, stored: Fitted, sigma: float | None, wanted: bool
) -> NearbyLeaves | None:
    """What a model file knows of the nearby leaves, if it is wanted."""
    if not wanted:
        return None
    if stored.nearby is None:
        raise click.UsageError(f"{model} was not fitted for nearby; expected --train FILE")
    if sigma not in (None, stored.nearby.sigma):
        raise click.UsageError(
            f"{model} was fitted with its own --sigma; another needs --train FILE"
        )
    return stored.nearby
