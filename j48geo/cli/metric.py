"""How distance is measured: options, and the metric and the faces they ask for."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import click
from click.core import ParameterSource

from j48geo.cli.words import Words
from j48geo.errors import UnknownNameError

if TYPE_CHECKING:
    from j48geo.arrays import Floats
    from j48geo.cli.inputs import Loaded
    from j48geo.core.dataset import Dataset
    from j48geo.core.tree import BoxTree
    from j48geo.geometry.metric import Metric, MetricKind

__all__ = ["MetricOptions", "face_tree", "find_metric", "metric_options", "was_given"]

F = TypeVar("F", bound=Callable[..., Any])

NAMES = ("standard", "minmax", "none")
"""Metrics without a file."""


@dataclass(frozen=True)
class MetricOptions:
    """What the user says about distances; see the options of the same names."""

    metric: str = "standard"
    nominal: Literal["overlap", "refuse"] = "overlap"
    nominal_weight: float = 1.0
    separators: Literal["tree", "midgap"] = "tree"

    @property
    def learns(self) -> bool:
        """Whether the metric depends on data."""
        return self.metric in ("standard", "minmax")


def _metric_name(_: click.Context, __: click.Parameter, value: str) -> str:
    if value not in NAMES and not os.path.exists(value):
        raise click.BadParameter(
            f"{value!r} is neither one of {', '.join(NAMES)} nor a file of scales"
        )
    return value


def metric_options(function: F) -> F:
    """Metric, nominal attributes, separators."""
    for decorator in (
        click.option(
            "--separators",
            type=click.Choice(["tree", "midgap"]),
            default="tree",
            show_default=True,
            help="Measure to the tree's thresholds, or to the middle of the gap above each "
            "(extension; needs the training data).",
        ),
        click.option(
            "--nominal-weight",
            type=click.FloatRange(min=0),
            default=1.0,
            show_default=True,
            metavar="W",
            help="What a nominal attribute contributes where its value must change.",
        ),
        click.option(
            "--nominal",
            type=click.Choice(["overlap", "refuse"]),
            default="overlap",
            show_default=True,
            help="Nominal tests: a step of --nominal-weight (extension), or refuse them.",
        ),
        click.option(
            "--metric",
            metavar="standard|minmax|none|FILE",
            default="standard",
            show_default=True,
            callback=_metric_name,
            help="Divide by standard deviation, by range, by nothing, or by the scales in FILE "
            '(JSON {"name": scale} or CSV name,scale).',
        ),
    ):
        function = decorator(function)
    return function


def find_metric(
    loaded: Loaded,
    options: MetricOptions,
    given: Iterable[Dataset],
    words: Words,
    *,
    given_name: str = "",
) -> Metric:
    """The metric, from the training data if that is known, else from the given rows.

    Parameters
    ----------
    given
        The rows of DATA, or of the file called `given_name`; only read if they are needed.
    """
    from j48geo.geometry.metric import METRICS, MetricError, fit_metric

    if loaded.fitted is not None:
        _refuse_other("metric", "nominal", "nominal_weight")
        metric = loaded.fitted.metric
        words.note(f"metric: {metric.in_words()}")
        return metric
    tree = loaded.tree
    kinds: Mapping[str, MetricKind] = {name: name for name in METRICS}
    kind = kinds.get(options.metric, "custom")
    X: Floats | Iterable[Floats] | None = None
    scales = None
    source = ""
    if options.learns and loaded.training is not None:
        X, source = loaded.training.X, f"{loaded.training_name}, the training data"
    elif options.learns:
        name = given_name or (loaded.rows.name if loaded.rows is not None else "")
        X = (block.X for block in given)
        what = "the calibration data" if given_name else "the data itself"
        source = f"{name}, {what} (--train FILE names the training data)"
    elif kind == "custom":
        from j48geo.data.small_tables.scales import read_scales

        scales, source = read_scales(options.metric), options.metric
    try:
        metric = fit_metric(
            tree,
            kind,
            X,
            scales=scales,
            nominal=options.nominal,
            nominal_weight=options.nominal_weight,
            source=source,
        )
    except (MetricError, UnknownNameError) as error:
        if scales is None:
            raise
        raise MetricError(f"{source}: {error}") from error
    words.note(f"metric: {metric.in_words()}", *metric.notes)
    return metric


def face_tree(loaded: Loaded, options: MetricOptions) -> BoxTree | None:
    """The tree whose faces are measured, if it is not the tree itself."""
    if loaded.fitted is not None:
        _refuse_other("separators")
        faces = loaded.fitted.faces
        return None if faces is None else loaded.tree.with_thresholds(faces)
    if options.separators == "tree":
        return None
    if loaded.training is None:
        raise click.UsageError("--separators midgap needs the training data: --train FILE")
    from j48geo.geometry.midgap import midgap_tree

    return midgap_tree(loaded.tree, loaded.training.X)


def was_given(name: str) -> bool:
    """Whether the user gave this parameter."""
    context = click.get_current_context(silent=True)
    if context is None:
        return False
    return context.get_parameter_source(name) not in (None, ParameterSource.DEFAULT)


def _refuse_other(*names: str) -> None:
    """What a model file has learnt cannot be had otherwise without the training data."""
    for name in names:
        if was_given(name):
            option = f"--{name.replace('_', '-')}"
            raise click.UsageError(
                f"{option}: the model file was fitted with its own; another needs the training "
                "data: --train FILE"
            )
