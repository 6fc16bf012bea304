"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, TypeVar

import click

__all__ = [
    "InputOptions",
    "data_argument",
    "data_options",
    "format_option",
    "model_argument",
    "model_options",
    "old_weka_option",
    "output_option",
    "quiet_option",
    "taken",
    "training_options",
]

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")
Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


@dataclass(frozen=True)
class InputOptions:
    """What the user says about the model and the data; see the options of the same names."""

    class_attribute: str = "last"
    timezone: str = "UTC"
    encoding: str | None = None
    tree: int = 1
    reader: str | None = None
    train: str | None = None
    allow_mismatch: bool = False
    old_weka: bool = False


def taken(kind: type[T], given: dict[str, Any]) -> T:
    """A record of options that several commands share, taken out of those that were given."""
    assert is_dataclass(kind)
    return kind(**{field.name: given.pop(field.name) for field in fields(kind)})


def model_argument(function: F) -> F:
    """MODEL, a file or ``-``."""
    return click.argument("model", metavar="MODEL")(function)


def data_argument(required: bool) -> Decorator:
    """DATA, a file or ``-``."""
    return click.argument(
        "data", metavar="DATA" if required else "[DATA]", required=required, default=None
    )


def data_options(function: F) -> F:
    """How to read the data."""
    return _all(
        function,
        click.option(
            "-c",
            "--class",
            "class_attribute",
            metavar="first|last|N|NAME",
            default="last",
            show_default=True,
            help="Class attribute of the data.",
        ),
        click.option(
            "--timezone",
            metavar="ZONE",
            default="UTC",
            show_default=True,
            help="Time zone of dates without one.",
        ),
        click.option(
            "--encoding",
            metavar="NAME",
            default=None,
            help="Encoding of the data, if it is neither UTF-8 nor marked UTF-16.",
        ),
    )


def model_options(function: F) -> F:
    """How to read the model."""
    return _all(
        function,
        click.option(
            "--tree",
            type=click.IntRange(min=1),
            metavar="K",
            default=1,
            show_default=True,
            help="Which tree, if the text holds several.",
        ),
        click.option(
            "--reader",
            metavar="NAME",
            default=None,
            help="Reader of the model; by default found by looking at it. See 'j48geo plugins'.",
        ),
    )


def training_options(function: F) -> F:
    """The training data, if DATA is not."""
    return _all(
        function,
        click.option(
            "--train",
            metavar="FILE",
            default=None,
            help="Training data of the tree: restores thresholds, gives full distributions.",
        ),
        click.option(
            "--allow-mismatch",
            is_flag=True,
            help="Use --train even if it does not give back the printed counts.",
        ),
    )


def old_weka_option(function: F) -> F:
    """Comparison as in Weka before 3.8.3."""
    return click.option(
        "--weka-before-3.8.3",
        "old_weka",
        is_flag=True,
        help="Compare as old Weka did: up to 1e-6 above a threshold still goes left.",
    )(function)


def output_option(function: F) -> F:
    """Where the result goes."""
    return click.option(
        "-o",
        "--output",
        metavar="FILE",
        default=None,
        help="Write here, whole or not at all, instead of standard output.",
    )(function)


def quiet_option(function: F) -> F:
    """No notes."""
    return click.option("-q", "--quiet", is_flag=True, help="Say no notes on standard error.")(
        function
    )


def format_option(names: Sequence[str]) -> Decorator:
    """The formats of a command; the first is the default."""
    return click.option(
        "-f",
        "--format",
        "output_format",
        type=click.Choice(list(names)),
        default=names[0],
        show_default=True,
        help="Format of the result.",
    )


def _all(function: F, *decorators: Callable[[F], F]) -> F:
    for decorator in reversed(decorators):
        function = decorator(function)
    return function
