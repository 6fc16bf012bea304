"""What the development of the study of tuning looked at: sigma and λ one by one, wider grids."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from j48geo.core.fitted_values import LeafValues
from j48geo.model.tuning import GRIDS, Candidate
from reproduction.tables import row
from reproduction.tuning_study import Method

__all__ = ["GRID", "grid_tables"]

Known = Mapping[str, Mapping[str, Mapping[str, NDArray[np.float64]]]]

SIGMAS = (0.05, 0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1.1)
LEAVES: tuple[tuple[LeafValues, float | None], ...] = (
    ("laplace", None),
    *(("shrunken", strength) for strength in (1.0, 5.0, 25.0, 100.0)),
)
STRENGTHS = (0.1, 1.0, 5.0, 10.0, 25.0, 50.0, 100.0, 500.0)

_USUAL = GRIDS["nearby"]
WIDER: dict[str, tuple[Candidate, ...]] = {
    "as it is": _USUAL,
    "with sigma 1.1": (
        *_USUAL,
        *(Candidate(1.1, leaves, strength) for leaves, strength in LEAVES[:1] + LEAVES[2:4]),
    ),
    "with λ = 1, 10, 50 and 100": (
        *_USUAL,
        *(
            Candidate(sigma, "shrunken", strength)
            for sigma in SIGMAS[:-1]
            for strength in (1.0, 10.0, 50.0, 100.0)
        ),
    ),
    "Laplace leaves alone": tuple(c for c in _USUAL if c.leaves == "laplace"),
}


def _method(candidate: Candidate) -> Method:
    chosen = {name: getattr(candidate, name) for name in ("sigma", "leaves", "shrinkage")}
    choices = tuple((name, value) for name, value in chosen.items() if value is not None)
    return Method("hs" if candidate.sigma is None else "nearby", choices)


_SHRINKAGES = tuple(Candidate(shrinkage=strength) for strength in STRENGTHS)
_FIXED = tuple(Candidate(sigma, *kind) for sigma in SIGMAS for kind in LEAVES)
_TUNED = {
    f"tuned for {purpose}, {title}": Method("nearby", tune=purpose, grid=grid)
    for purpose in ("rank", "proba")
    for title, grid in WIDER.items()
}
GRID: dict[str, Method] = {
    **{str(candidate): _method(candidate) for candidate in _SHRINKAGES + _FIXED},
    **_TUNED,
}
"""By the words for what is fixed, and by the grid that is chosen from."""


def grid_tables(known: Known) -> Iterator[str]:
    """Means over the sets of everything that was tried."""
    yield "### λ of hs\n"
    yield from _list(known, {f"{c.shrinkage:g}": str(c) for c in _SHRINKAGES}, "λ")
    yield "### Sigma and leaf values of nearby\n"
    for measure, title, factor, digits in (
        ("auc", "AUC × 100", 100, 2),
        ("logloss", "log-loss", 1, 3),
    ):
        kinds = ["laplace", *(f"shrunken, λ = {strength:g}" for _, strength in LEAVES[1:])]
        yield row([f"{title}: sigma", *kinds])
        yield "|---" * (1 + len(LEAVES)) + "|"
        for sigma in SIGMAS:
            means = [_mean(known, str(Candidate(sigma, *kind)), measure) for kind in LEAVES]
            yield row([f"{sigma:g}", *(f"{factor * mean:.{digits}f}" for mean in means)])
        yield ""
    yield "### Other grids for --tune\n"
    yield from _list(known, {title: title for title in _TUNED}, "nearby")


def _list(known: Known, titles: Mapping[str, str], what: str) -> Iterator[str]:
    yield row([what, "AUC × 100", "MSE × 100", "log-loss"])
    yield "|---" * 4 + "|"
    for shown, title in titles.items():
        area, error, loss = (_mean(known, title, m) for m in ("auc", "mse", "logloss"))
        yield row([shown, f"{100 * area:.2f}", f"{100 * error:.2f}", f"{loss:.3f}"])
    yield ""


def _mean(known: Known, title: str, measure: str) -> float:
    values: Sequence[float] = [float(m[title][measure].mean()) for m in known.values()]
    return float(np.mean(values))
