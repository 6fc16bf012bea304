"""``--tune``: what a method leaves open is chosen by cross-validation, and said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

import click

if TYPE_CHECKING:
    from j48geo.cli.notes import Notes
    from j48geo.model.learning.tuning import Purpose
    from j48geo.model.model import Model

__all__ = ["tuned"]

_TUNABLE = ("nearby", "hs")
_CHOSEN = ("sigma", "leaves", "shrinkage")


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
    from j48geo.model.learning.tuning import tune

    what = cast("Purpose", purpose)
    chosen = tune(model, what, found[0])
    notes.note(str(chosen))
    return model.with_(**chosen.choices, tuned=what)
