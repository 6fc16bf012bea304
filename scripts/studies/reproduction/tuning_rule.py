"""The rule of `scripts/studies/tuning-protocol.md` about defaults, applied to what was measured."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reproduction.statistics import verdict
from reproduction.tables import row

__all__ = ["CANDIDATES", "Ruling", "rule_table", "ruling"]

Known = Mapping[str, Mapping[str, Mapping[str, NDArray[np.float64]]]]

TODAY = "nearby"
CANDIDATES: dict[str, dict[str, str]] = {
    "rank": {
        "nearby shrunken 0.45": "2",
        "nearby shrunken": "none",
        "nearby tuned for rank": "1",
    },
    "proba": {
        "nearby shrunken": "2",
        "nearby tuned for proba": "1",
        "nearby isotonic": "3",
        "nearby platt": "3",
        "nearby tuned platt": "1 and 3",
    },
}
"""For each command, and which question of the protocol is about them; the second is the one that
asks for a default."""

_MEASURES = {"rank": ("auc", 1, 100, 2), "proba": ("logloss", -1, 1, 3)}
"""Measure, whether more is better, factor and digits."""


@dataclass(frozen=True)
class Ruling:
    """How a candidate compares with today's default.

    Parameters
    ----------
    gains
        Mean difference of each group of sets, as measured.
    lost
        Sets with a loss by the corrected test.
    passes
        Whether all groups gain and no set is lost.
    """

    gains: tuple[float, ...]
    won: tuple[str, ...]
    lost: tuple[str, ...]
    passes: bool


def ruling(known: Known, command: str, candidate: str, groups: Sequence[Sequence[str]]) -> Ruling:
    """Apply the rule: a gain in the mean of each group, and no set lost."""
    measure, sign, *_ = _MEASURES[command]
    differences = [
        {data: known[data][candidate][measure] - known[data][TODAY][measure] for data in group}
        for group in groups
    ]
    gains = tuple(float(np.mean([d.mean() for d in part.values()])) for part in differences)
    came = {data: sign * verdict(d) for part in differences for data, d in part.items()}
    won = tuple(data for data, v in came.items() if v > 0)
    lost = tuple(data for data, v in came.items() if v < 0)
    return Ruling(gains, won, lost, not lost and all(sign * gain > 0 for gain in gains))


def rule_table(known: Known, groups: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Every candidate, group by group: what it gains, where it loses, whether it passes."""
    yield row(["candidate", "question", *groups, "wins", "losses", "lost on", "the rule"])
    yield "|---" * (6 + len(groups)) + "|"
    for command, candidates in CANDIDATES.items():
        measure, _, factor, digits = _MEASURES[command]
        title = "AUC or M × 100" if measure == "auc" else "log-loss"
        for candidate, question in candidates.items():
            found = ruling(known, command, candidate, list(groups.values()))
            yield row(
                [
                    f"{command}, by {title}: {candidate}",
                    question,
                    *(f"{factor * gain:+.{digits}f}" for gain in found.gains),
                    *(str(len(sets)) for sets in (found.won, found.lost)),
                    ", ".join(found.lost) or "–",
                    "passes" if found.passes else "fails",
                ]
            )
    yield ""
