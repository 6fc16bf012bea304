"""Options in groups: one decorator a group, which hands the command one value.

``@reads()`` gives a command `inputs`, ``@writes(...)`` gives it `output`, and ``@chooses(...)`` of
`j48geo.cli.options_model` gives it `choices`; so a command has few parameters and no body assembles
a setting.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

import click

from j48geo.cli.inputs import Inputs
from j48geo.cli.output import Output

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def option_group(name: str, make: Callable[..., Any], *options: Callable[[Any], Any]) -> Decorator:
    """A decorator that adds `options` and hands them over as one value called `name`.

    Parameters
    ----------
    make
        Takes the values of the options by name.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        probe = _option_names(options)

        @wraps(function)
        def call(**given: Any) -> Any:
            picked = {key: given.pop(key) for key in probe}
            return function(**given, **{name: make(**picked)})

        decorated: Callable[..., Any] = call
        for option in reversed(options):
            decorated = option(decorated)
        return decorated

    return decorate


def _option_names(options: Sequence[Callable[[Any], Any]]) -> list[str]:
    """What click calls the values of these options."""

    def nothing() -> None: ...

    probe: Any = nothing
    for option in reversed(options):
        probe = option(probe)
    return [p.name for p in probe.__click_params__ if p.name is not None]


class Share(click.FloatRange):
    """A number from 0 to 1; NaN is none."""

    name = "share"

    def __init__(self, *, min_open: bool = False) -> None:
        super().__init__(0, 1, min_open=min_open)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = super().convert(value, param, ctx)
        if number != number:
            self.fail(f"{value} is not in the range 0<=x<=1.", param, ctx)
        return number


def word_type(*words: str) -> click.Choice[str]:
    """The type of an option whose value is one of these words."""
    return click.Choice(list(words))


def _parse_delimiter(value: str | None) -> str | None:
    delimiter = {"tab": "\t", "\\t": "\t"}.get(value or "", value)
    if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n '):
        raise click.BadParameter(f"{value!r} is not one character, nor 'tab'")
    return delimiter


# ---------------------------------------------------------------------------- what is read

_MODEL = click.argument("model", metavar="MODEL")
_TREE = (
    click.option(
        "--tree",
        type=click.IntRange(min=1),
        metavar="K",
        default=None,
        help="One tree, if the model holds several. Default: all together if they are a "
        "wrapper's, else the first.",
    ),
    click.option(
        "--reader",
        metavar="NAME",
        default=None,
        help="Reader of the model; by default found by looking at it. See 'j48geo plugins'.",
    ),
)
_DATA = (
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
        default=None,
        help="Time zone of dates without one.  [default: UTC]",
    ),
    click.option(
        "--encoding",
        metavar="NAME",
        default=None,
        help="Encoding of the data, if it is neither UTF-8 nor UTF-16.",
    ),
)
_TABLE = (
    click.option(
        "--delimiter",
        metavar="CHAR",
        default=None,
        callback=lambda _, __, value: _parse_delimiter(value),
        help="CSV: what separates fields ('tab' is one).  [default: comma, semicolon or tab, "
        "found from the first line]",
    ),
    click.option(
        "--decimal",
        type=word_type(".", ","),
        default=".",
        show_default=True,
        help="CSV: decimal mark; a comma needs semicolons between fields.",
    ),
    click.option(
        "--unknown",
        type=word_type("refuse", "missing"),
        default="refuse",
        show_default=True,
        help="CSV, Parquet, Arrow: labels that the model does not know.",
    ),
)
_TRAIN = (
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
_OLD_WEKA = click.option(
    "--weka-before-3.8.3",
    "old_weka",
    is_flag=True,
    help="Compare as old Weka did: up to 1e-6 above a threshold still goes left.",
)
_LABELS = click.option(
    "--labels",
    metavar="FILE",
    default=None,
    help="Labels of the leaves, if not MODEL's: what 'j48geo label' wrote (tree, csv, json).",
)
_CALIBRATE = click.option(
    "--calibrate",
    metavar="FILE",
    default=None,
    help="Cases that gdk and ldk learn from, if not the training data; best are cases that the "
    "tree has not seen.",
)


def input_options(
    data: str = "",
    *,
    optional: bool = False,
    model: bool = True,
    train: bool = True,
    old_weka: bool = False,
    labels: bool = False,
    calibrate: bool = False,
) -> Decorator:
    """The model and the data; the command gets them as `inputs`.

    Parameters
    ----------
    data
        What the data argument is called; empty if there is none.
    optional
        Whether it may be left out.
    model, train, old_weka, labels, calibrate
        Whether there are such arguments and options.
    """
    options: list[Any] = [_MODEL] if model else []
    if data:
        shown = f"[{data}]" if optional else data
        options.append(click.argument("data", metavar=shown, required=not optional))
    options += [_LABELS] if labels else []
    options += _TRAIN if train else ()
    options += [_CALIBRATE] if calibrate else []
    options += _TREE if model else ()
    options += _DATA
    options += _TABLE if model else ()
    options += [_OLD_WEKA] if old_weka else []
    return option_group("inputs", Inputs, *options)


# ------------------------------------------------------------------------- what is written


def output_options(*formats: str, carries: bool = False, file_help: str = "") -> Decorator:
    """Format, file and words of the result; the command gets them as `output`.

    Parameters
    ----------
    formats
        The first is the default; none if the command has but one.
    carries
        Whether rows can carry columns of the input with them.
    file_help
        What ``-o`` writes, if that is not the result.
    """
    options: list[Any] = []
    if formats:
        options.append(
            click.option(
                "-f",
                "--format",
                "output_format",
                type=click.Choice(list(formats)),
                default=None,
                help=f"Format of the result.  [default: {formats[0]}, or by the ending of -o]"
                if not file_help
                else f"Format of the result.  [default: {formats[0]}]",
            )
        )
    options.append(
        click.option(
            "-o",
            "--output",
            "path",
            metavar="FILE",
            default=None,
            help=file_help or "Write here, whole or not at all, instead of standard output.",
        )
    )
    options.append(
        click.option(
            "--overwrite", is_flag=True, help="Let -o replace a file that the command reads."
        )
    )
    if carries:
        options += [
            click.option(
                "--id",
                "id_column",
                metavar="COLUMN",
                default=None,
                help="Carry this column of the input through, as the first.",
            ),
            click.option(
                "--append",
                is_flag=True,
                help="All columns of the input, then ours (arff does so anyway).",
            ),
            click.option(
                "--safe-csv",
                is_flag=True,
                help="Guard csv cells that a spreadsheet would take for formulas.",
            ),
        ]
    options += [
        click.option("-q", "--quiet", is_flag=True, help="Say no notes on standard error."),
        click.option(
            "-v", "--verbose", is_flag=True, help="Say more of what the answer depends on."
        ),
    ]

    def make(**given: Any) -> Output:
        return Output(formats=formats, named_by_suffix=not file_help, **given)

    return option_group("output", make, *options)
