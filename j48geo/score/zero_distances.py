"""Cases on a threshold: how many have distance 0, and which attributes put them there.

J48's thresholds are values of the training data. Where an attribute has few values, many
cases lie on a face exactly, and the distance tells them apart no more than the leaf does.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.geometry.distance import boundary
from j48geo.score.setting import Setting

__all__ = ["MANY", "ZeroDistances"]

MANY = 0.2
"""Share of zero distances above which it is worth a warning."""

_ASKED = 2000
"""Cases whose separator is looked for: enough to name the attributes."""


@dataclass
class ZeroDistances:
    """Counts cases at distance 0, block by block.

    Parameters
    ----------
    measured, zeros
        Cases with a distance, and those of them where it is 0.
    kept
        The first of these, to look at if somebody wants to know why.
    """

    measured: int = 0
    zeros: int = 0
    kept: list[tuple[Setting, Floats, Ints]] = field(default_factory=list)

    def add(self, setting: Setting, X: Floats, predicted: Ints, distance: Floats) -> None:
        """Count the cases of a block."""
        self.measured += int(np.isfinite(distance).sum())
        places = np.flatnonzero(distance == 0)
        self.zeros += len(places)
        places = places[: _ASKED - sum(len(some) for _, some, _ in self.kept)]
        if len(places):
            self.kept.append((setting, X[places], predicted[places]))

    def _asked(self) -> Counter[str]:
        """Of the cases that were kept, how many have a separator on which attribute."""
        from j48geo.geometry.projection import separators  # rarely asked

        asked: Counter[str] = Counter()
        for s, some, predicted in self.kept:
            found = boundary(
                s.measured, some, s.metric, predicted, labels=s.labels, engine=s.engine
            )
            columns = separators(s.measured, some, s.metric, found.nearest_leaf).attribute
            names = s.tree.header.names
            asked.update(names[c] if c >= 0 else "" for c in columns.tolist())
        return asked

    def sentence(self) -> str:
        """How many, in words."""
        return f"{self.zeros} of {self.measured} distances are 0 ({self.share:.1%})"

    @property
    def share(self) -> float:
        """Share of the distances that are 0; 0 if there are none."""
        return self.zeros / self.measured if self.measured else 0.0

    @property
    def attributes(self) -> list[str]:
        """The attributes behind most of them, the worst first: together at least 80 %."""
        known = [(name, n) for name, n in self._asked().most_common() if name]
        total = sum(n for _, n in known)
        chosen: list[str] = []
        reached = 0
        for name, n in known:
            if reached >= 0.8 * total or len(chosen) == 5:
                break
            chosen.append(name)
            reached += n
        return chosen
