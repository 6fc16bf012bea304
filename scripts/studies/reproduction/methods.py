"""The scores and probabilities that are compared: a table, so that new ones are easily added."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["METHODS", "Method", "midgap_of"]


@dataclass(frozen=True)
class Method:
    """How cases are scored.

    Parameters
    ----------
    name
        Of a score of `score_batch`, or of a method of `fit_probabilities`.
    gives
        ``ranking`` or ``probabilities``.
    within
        What orders cases of equal leaf estimates in the local ranking.
    geometric
        Whether a tree whose leaves all have one label leaves nothing to rank by: AUC is then
        one half, as in the papers.
    """

    name: str
    gives: Literal["ranking", "probabilities"] = "probabilities"
    estimate: Literal["laplace", "m", "raw"] = "laplace"
    metric: Literal["standard", "minmax"] = "standard"
    midgap: bool = False
    tau: float | None = None
    geometric: bool = False
    within: Literal["g", "nearby"] = "g"


def _geometric() -> dict[str, Method]:
    return {
        "global": Method("global", "ranking", geometric=True),
        "global-minmax": Method("global", "ranking", metric="minmax", geometric=True),
        "local-laplace": Method("local", "ranking"),
        "local-m": Method("local", "ranking", estimate="m"),
        "gdk-10": Method("gdk", tau=0.10, geometric=True),
        "gdk-05": Method("gdk", tau=0.05, geometric=True),
        "ldk-05": Method("ldk", tau=0.05, geometric=True),
    }


def midgap_of(name: str) -> str:
    """The name of the same method with faces in the middle of their gaps."""
    return f"{name}-midgap"


METHODS: dict[str, Method] = {
    "raw": Method("raw"),
    "laplace": Method("laplace"),
    "m": Method("m"),
    **_geometric(),
    **{
        midgap_of(name): Method(m.name, m.gives, m.estimate, m.metric, True, m.tau, m.geometric)
        for name, m in _geometric().items()
    },
    "local-nearby": Method("local", "ranking", within="nearby"),
    "nearby": Method("nearby"),
}
"""By the name under which results are kept. The m-estimate has m p(c) = 10."""
