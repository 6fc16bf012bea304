"""Options about the model: the class that matters, the metric, methods and their widths."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

import click

from j48geo.cli.options import Decorator, option_group, word_type
from j48geo.model.choices import CHOICE_TABLE, TUNABLE_CHOICES, find_unused_choice

if TYPE_CHECKING:
    from j48geo.cli.notes import Notes
    from j48geo.model.model import Model
    from j48geo.model.tuning import Purpose

TUNABLE_METHODS = ("nearby", "hs")


def choice_option(name: str) -> Decorator:
    """The option of one choice, as the table of choices describes it."""
    choice = CHOICE_TABLE[name]
    if name == "laplace":
        return click.option("--laplace/--no-laplace", default=None, help=choice.help)
    value_type: Any = float if choice.bound else word_type(*choice.words) if choice.words else str
    return click.option(
        choice.option, name, type=value_type, metavar=choice.metavar, default=None, help=choice.help
    )


def choice_options(*names: str) -> Decorator:
    """Choices about the model; the command gets those that were made as `choices`."""

    def make(**given: Any) -> dict[str, Any]:
        return {name: value for name, value in given.items() if value is not None}

    return option_group("choices", make, *map(choice_option, names))


def tune_option(purpose: str = "") -> Decorator:
    """Whether sigma and leaf values are chosen by cross-validation; the command gets `tune`.

    Parameters
    ----------
    purpose
        What they are chosen for; if empty, the user says it.
    """
    how = (
        "Choose --sigma and --leaves (of hs --shrinkage) by 5-fold cross-validation on the "
        "training data, with trees grown again by the tree's own options, for the "
    )
    best = {"rank": "largest AUC.", "proba": "smallest log-loss."}
    if purpose:
        return click.option(
            "--tune", "tune", flag_value=purpose, default=None, help=how + best[purpose]
        )
    return click.option(
        "--tune",
        "tune",
        type=word_type(*best),
        default=None,
        help=f"{how}{best['rank'][:-1]} (rank) or the {best['proba'][:-1]} (proba).",
    )


def smoothing_option(default: str | None, words: str = "") -> Decorator:
    """Which leaf estimate; ``none`` is the old name of ``raw``; `words` say a default of None."""
    return click.option(
        "--smoothing",
        type=word_type("raw", "none", "laplace", "m"),
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
        methods = tuple(name.strip() for name in value.split(",") if name.strip())
        if not methods:
            raise click.UsageError(f"{names[0]}: no method; expected some, with commas")
        return methods

    return click.option(
        *names, "methods", metavar="LIST", default=default, callback=split, help=words
    )


def refuse_unused(
    choices: Mapping[str, Any],
    methods: Iterable[str],
    *,
    calibrate: str | None = None,
    shows_distance: bool = False,
) -> None:
    """Refuse choices that none of the methods listens to: they are a mistake, not a wish.

    Parameters
    ----------
    calibrate
        The file of ``--calibrate``.
    shows_distance
        See `j48geo.model.choices.find_unused_choice`.
    """
    problem = find_unused_choice(
        choices, methods, has_calibration=calibrate is not None, shows_distance=shows_distance
    )
    if problem:
        raise click.UsageError(problem)


def apply_tuning(
    model: Model,
    purpose: str | None,
    choices: Mapping[str, Any],
    methods: Sequence[str],
    notes: Notes,
) -> Model:
    """The model with what ``--tune`` chose for it; a note tells the choice.

    Where there is nothing to choose, or it was chosen by hand, ``--tune`` is refused; without
    it the model stays as it is.
    """
    if purpose is None:
        return model
    for name in TUNABLE_CHOICES:
        if name in choices:
            raise click.UsageError(f"--tune chooses --{name}; expected one of them")
    tunable = [name for name in methods if name in TUNABLE_METHODS]
    if not tunable:
        raise click.UsageError(f"--tune is for nearby, hs, and not for {', '.join(methods)}")
    if len(tunable) > 1:
        raise click.UsageError("--tune: nearby and hs choose apart; expected one of them")
    from j48geo.model.tuning import tune

    what = cast("Purpose", purpose)
    chosen = tune(model, what, tunable[0])
    notes.note(str(chosen))
    return model.with_(**chosen.choices, tuned=what)
