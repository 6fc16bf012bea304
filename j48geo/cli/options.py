"""Options in groups: one decorator a group, which hands the command one value.

``@reads()`` gives a command `inputs`, ``@writes(...)`` gives it `output`, ``@chooses(...)``
gives it `choices`; so a command has few parameters and no body assembles a setting.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

import click

from j48geo.cli.inputs import Inputs
from j48geo.cli.output import Output
from j48geo.defaults import LEAF_SHRINKAGE, MP, SHRINKAGE, SIGMA, TAU_GLOBAL, TAU_LOCAL

__all__ = [
    "KERNEL",
    "METRIC",
    "Decorator",
    "Share",
    "chooses",
    "grouped",
    "methods_option",
    "one_of",
    "reads",
    "smoothing_option",
    "tune_option",
    "writes",
]

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def grouped(name: str, make: Callable[..., Any], *options: Callable[[Any], Any]) -> Decorator:
    """A decorator that adds `options` and hands them over as one value called `name`.

    Parameters
    ----------
    make
        Takes the values of the options by name.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        probe = _names(options)

        @wraps(function)
        def call(**given: Any) -> Any:
            picked = {key: given.pop(key) for key in probe}
            return function(**given, **{name: make(**picked)})

        found: Callable[..., Any] = call
        for option in reversed(options):
            found = option(found)
        return found

    return decorate


def _names(options: Sequence[Callable[[Any], Any]]) -> list[str]:
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
        found = super().convert(value, param, ctx)
        if found != found:
            self.fail(f"{value} is not in the range 0<=x<=1.", param, ctx)
        return found


def one_of(*words: str) -> click.Choice[str]:
    """One of these words."""
    return click.Choice(list(words))


def _delimiter(value: str | None) -> str | None:
    found = {"tab": "\t", "\\t": "\t"}.get(value or "", value)
    if found is not None and (len(found) != 1 or found in '"\r\n '):
        raise click.BadParameter(f"{value!r} is not one character, nor 'tab'")
    return found


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
        default="UTC",
        show_default=True,
        help="Time zone of dates without one.",
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
        callback=lambda _, __, value: _delimiter(value),
        help="CSV: what separates fields ('tab' is one).  [default: comma, semicolon or tab, "
        "found from the first line]",
    ),
    click.option(
        "--decimal",
        type=one_of(".", ","),
        default=".",
        show_default=True,
        help="CSV: decimal mark; a comma needs semicolons between fields.",
    ),
    click.option(
        "--unknown",
        type=one_of("refuse", "missing"),
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


def reads(
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
    return grouped("inputs", Inputs, *options)


# ------------------------------------------------------------------------- what is written


def writes(*formats: str, carries: bool = False, file_help: str = "") -> Decorator:
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

    return grouped("output", make, *options)


# ------------------------------------------------------------------------- what is chosen

_CHOICES: dict[str, Any] = {
    "positive": click.option(
        "--positive",
        metavar="LABEL",
        default=None,
        help="The class that matters. Default, with two classes: the rarer one in training.",
    ),
    "metric": click.option(
        "--metric",
        metavar="standard|minmax|none|FILE",
        default=None,
        help="Divide by standard deviation (the default), by range, by nothing, or by the scales "
        'in FILE (JSON {"name": scale} or CSV name,scale).',
    ),
    "nominal": click.option(
        "--nominal",
        type=one_of("overlap", "refuse"),
        default=None,
        help="Nominal tests: a step of --nominal-weight (the default; extension), or refuse them.",
    ),
    "nominal_weight": click.option(
        "--nominal-weight",
        type=float,
        metavar="W",
        default=None,
        help="What a nominal attribute contributes where its value must change. Default: 1.",
    ),
    "separators": click.option(
        "--separators",
        type=one_of("tree", "midgap"),
        default=None,
        help="Measure to the tree's thresholds (the default), or to the middle of the gap above "
        "each (extension; needs the training data).",
    ),
    "boundary": click.option(
        "--boundary",
        type=one_of("class", "any"),
        default=None,
        help="More than two classes: distance to where the positive class begins or ends (the "
        "default), or any.",
    ),
    "estimate": click.option(
        "--estimate",
        type=one_of("laplace", "m", "raw"),
        default=None,
        help="Leaf estimate: (k+1)/(n+C) (the default), (k+m*p)/(n+m), or k/n.",
    ),
    "m": click.option(
        "--m",
        "m",
        type=float,
        metavar="M",
        default=None,
        help=f"The m of the m-estimate. Default: {MP:g}/p, p the share of the positive class.",
    ),
    "sigma": click.option(
        "--sigma",
        type=float,
        metavar="S",
        default=None,
        help=f"nearby: the error of measurement, in standard deviations. Default: {SIGMA:g}.",
    ),
    "shrinkage": click.option(
        "--shrinkage",
        type=float,
        metavar="L",
        default=None,
        help="hs and --leaves shrunken: how strongly a leaf is drawn towards the nodes above it, "
        f"in cases. Default: hs {SHRINKAGE:g}, leaves {LEAF_SHRINKAGE:g}.",
    ),
    "leaves": click.option(
        "--leaves",
        type=one_of("laplace", "shrunken"),
        default=None,
        help="nearby: what is averaged, (k+1)/(n+C) of each leaf (the default), or the same drawn "
        "towards the nodes above it.",
    ),
    "recalibrate": click.option(
        "--recalibrate",
        type=one_of("isotonic", "platt"),
        default=None,
        help="Make probabilities honest by cases that the tree has not seen: those of --calibrate, "
        "or else of 5 folds of the training data, with trees grown again.",
    ),
    "within": click.option(
        "--within",
        type=one_of("g", "nearby"),
        default=None,
        help="With --by local: what orders rows of equal leaf estimates, distance (the default) "
        "or nearby leaves.",
    ),
    "tau": click.option(
        "--tau",
        type=float,
        metavar="T",
        default=None,
        help="Bandwidth as a share of the range of distances. Default: "
        f"gdk {TAU_GLOBAL:.2f}, ldk {TAU_LOCAL:.2f}.",
    ),
    "kernel": click.option(
        "--kernel",
        type=one_of("gaussian", "box"),
        default=None,
        help="Kernel of gdk and ldk: gaussian (the default), or a box that has the bandwidth as "
        "its whole width.",
    ),
    "kde": click.option(
        "--kde",
        type=one_of("exact", "r512"),
        default=None,
        help="Exact sums (the default), or the grid of 512 points of R's density(), to compare "
        "with it.",
    ),
    "laplace": click.option(
        "--laplace/--no-laplace",
        default=None,
        help="Smooth as J48's -A does. Default: what the options line of the model says, else no.",
    ),
}

METRIC = ("metric", "nominal", "nominal_weight", "separators")
KERNEL = ("tau", "kernel", "kde")


def chooses(*names: str) -> Decorator:
    """Choices about the model; the command gets those that were made as `choices`."""

    def make(**given: Any) -> dict[str, Any]:
        return {name: value for name, value in given.items() if value is not None}

    return grouped("choices", make, *(_CHOICES[name] for name in names))


def tune_option(purpose: str = "") -> Decorator:
    """Whether sigma and leaf values are chosen by cross-validation; the command gets `tune`.

    Parameters
    ----------
    purpose
        What they are chosen for; if empty, the user says it.
    """
    words = (
        "Choose --sigma and --leaves (of hs --shrinkage) by 5-fold cross-validation on the "
        "training data, with trees grown again by the tree's own options, for the "
    )
    best = {"rank": "largest AUC.", "proba": "smallest log-loss."}
    if purpose:
        return click.option(
            "--tune", "tune", flag_value=purpose, default=None, help=words + best[purpose]
        )
    return click.option(
        "--tune",
        "tune",
        type=one_of(*best),
        default=None,
        help=f"{words}{best['rank'][:-1]} (rank) or the {best['proba'][:-1]} (proba).",
    )


def smoothing_option(default: str | None, words: str = "") -> Decorator:
    """Which leaf estimate; ``none`` is the old name of ``raw``; `words` say a default of None."""
    return click.option(
        "--smoothing",
        type=one_of("raw", "none", "laplace", "m"),
        default=default,
        show_default=default is not None,
        help=f"Leaf estimate: k/n, (k+1)/(n+C), or (k+m*p)/(n+m).{words}",
        callback=lambda _, __, value: "none" if value == "raw" else value,
    )


def methods_option(*names: str, default: str | None, words: str) -> Decorator:
    """A list of methods, with commas; the command gets a tuple, or None for the default."""

    def split(_: click.Context, __: click.Parameter, value: str | None) -> tuple[str, ...] | None:
        if value is None:
            return None
        found = tuple(name.strip() for name in value.split(",") if name.strip())
        if not found:
            raise click.UsageError(f"{names[0]}: no method; expected some, with commas")
        return found

    return click.option(
        *names, "methods", metavar="LIST", default=default, callback=split, help=words
    )
