"""Options that nothing listens to are a mistake, not a wish."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import click

from j48geo.score.methods import METHODS

__all__ = ["refuse_unused"]

_METRIC = ("metric", "nominal", "nominal_weight", "separators")


def refuse_unused(
    choices: Mapping[str, Any],
    methods: Iterable[str],
    *,
    calibrate: str | None = None,
    measured: bool = False,
) -> None:
    """Refuse choices that none of the methods listens to; plugins may listen to all.

    Parameters
    ----------
    measured
        Whether a distance is shown beside every score, so that the metric always counts.
    """
    if "recalibrate" in choices:
        calibrate = None  # which serves every method then
    named = [name for name in methods if name in METHODS]
    if len(named) < len(list(methods)):
        return
    used = {choice for name in named for choice in METHODS[name].uses}
    given = [name for name, value in choices.items() if value is not None]
    for name in [*given, *(["calibrate"] if calibrate is not None else [])]:
        users = [m.name for m in METHODS.values() if name in m.uses]
        if users and name not in used and not (measured and name in _METRIC):
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
