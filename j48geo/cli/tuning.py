"""``--tune``: what a method leaves open is chosen by cross-validation, and said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

import click

if TYPE_CHECKING:
    from j48geo.cli.notes import Notes
    from j48geo.model.model import Model
    from j48geo.model.tuning import Purpose

__all__ = ["refuse_chosen", "tuned"]

_TUNABLE = ("nearby", "hs")
_CHOSEN = ("sigma", "leaves", "shrinkage")


def refuse_chosen(tune: str | None, choices: Mapping[str, Any], methods: Sequence[str]) -> None:
    """Refuse ``--tune`` where there is nothing to choose, or it was chosen by hand."""
    if tune is None:
        return
    for name in _CHOSEN:
        if name in choices:
            raise click.UsageError(f"--tune chooses --{name}; expected one of them")
    found = [name for name in methods if name in _TUNABLE]
    if not found:
        raise click.UsageError(f"--tune is for nearby, hs, and not for {', '.join(methods)}")
    if len(found) > 1:
        raise click.UsageError("--tune: nearby and hs choose apart; expected one of them")


def tuned(model: Model, tune: str | None, methods: Sequence[str], notes: Notes) -> Model:
    """The model with what was chosen for it; the choice is said."""
    if tune is None:
        return model
    from j48geo.model.tuning import tune as choose

    purpose = cast("Purpose", tune)
    method = next(name for name in methods if name in _TUNABLE)
    found = choose(model, purpose, method, notes.note)
    notes.note(str(found))
    return model.with_(**found.choices, tuned=purpose)
