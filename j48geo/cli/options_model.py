"""Options about the model: the class that matters, the metric, methods and their widths."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

import click

from j48geo.cli.options import Decorator, grouped, one_of
from j48geo.defaults import LEAF_SHRINKAGE, MP, SHRINKAGE, SIGMA, TAU_GLOBAL, TAU_LOCAL

if TYPE_CHECKING:
    from j48geo.cli.notes import Notes
    from j48geo.model.model import Model
    from j48geo.model.tuning import Purpose

_TUNABLE = ("nearby", "hs")
_CHOSEN = ("sigma", "leaves", "shrinkage")

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


def refuse_unused(
    choices: Mapping[str, Any],
    methods: Iterable[str],
    *,
    calibrate: str | None = None,
    measured: bool = False,
) -> None:
    """Refuse choices that none of the methods listens to: they are a mistake, not a wish.

    Scores of plugins may listen to all.

    Parameters
    ----------
    measured
        Whether a distance is shown beside every score, so that the metric always counts.
    """
    from j48geo.score.methods import METHODS

    if "recalibrate" in choices:
        calibrate = None  # which serves every method then
    named = [name for name in methods if name in METHODS]
    if len(named) < len(list(methods)):
        return
    used = {choice for name in named for choice in METHODS[name].uses}
    given = [name for name, value in choices.items() if value is not None]
    for name in [*given, *(["calibrate"] if calibrate is not None else [])]:
        users = [m.name for m in METHODS.values() if name in m.uses]
        if users and name not in used and not (measured and name in METRIC):
            option = f"--{name.replace('_', '-')}"
            here = f", and not for {', '.join(named)}" if named else ""
            raise click.UsageError(f"{option} is for {', '.join(users)}{here}")
    if "m" in choices and "m" not in named and choices.get("estimate") != "m":
        raise click.UsageError("--m is for --estimate m")
    drawn = choices.get("leaves") == "shrunken"
    if "shrinkage" in choices and "hs" not in named and not drawn:
        raise click.UsageError("--shrinkage is for hs and for --leaves shrunken")
    local = "local" in named and "nearby" not in named
    for name in ("sigma", "leaves", "shrinkage"):
        if name in choices and local and choices.get("within") != "nearby":
            raise click.UsageError(f"--{name} is for nearby and for --within nearby")


def tuned(
    model: Model,
    purpose: str | None,
    choices: Mapping[str, Any],
    methods: Sequence[str],
    notes: Notes,
) -> Model:
    """The model with what was chosen for it; the choice is said.

    Where there is nothing to choose, or it was chosen by hand, ``--tune`` is refused; without
    it the model stays as it is.
    """
    if purpose is None:
        return model
    for name in _CHOSEN:
        if name in choices:
            raise click.UsageError(f"--tune chooses --{name}; expected one of them")
    found = [name for name in methods if name in _TUNABLE]
    if not found:
        raise click.UsageError(f"--tune is for nearby, hs, and not for {', '.join(methods)}")
    if len(found) > 1:
        raise click.UsageError("--tune: nearby and hs choose apart; expected one of them")
    from j48geo.model.tuning import tune

    what = cast("Purpose", purpose)
    chosen = tune(model, what, found[0])
    notes.note(str(chosen))
    return model.with_(**chosen.choices, tuned=what)
