"""Counts that describe a ranking as a whole: `RankingFacts`, and the cases at distance 0.

J48's thresholds are values of the training data. Where an attribute has few values, many
cases lie on a face exactly, and the distance tells them apart no more than the leaf does:
`ZeroDistances` counts them and names the attributes.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.core.summaries import Summary
from j48geo.errors import UnknownCountsError
from j48geo.geometry.distance import boundary
from j48geo.score.leaf_estimates import case_estimates, estimate_leaves
from j48geo.score.scores import ScoredBatch
from j48geo.score.setting import Setting


@dataclass(frozen=True)
class RankingFacts(Summary):
    """Counts of the cases of a ranking; those of parts add up.

    Parameters
    ----------
    cases
        How many there are.
    measured, zeros
        How many have a finite distance, and how many of these are 0.
    contradicted
        How many have a more probable class than the tree's, which stands.
    unknown
        How many have no class: missing values, and no counts to decide by.
    own
        The different scores that J48 itself gives; None if nobody asked, or counts are unknown.
    """

    cases: int = 0
    measured: int = 0
    zeros: int = 0
    contradicted: int = 0
    unknown: int = 0
    own: frozenset[float] | None = frozenset()

    @classmethod
    def of(cls, batch: ScoredBatch, own: frozenset[float] | None = None) -> RankingFacts:
        """Those of a batch."""
        other = batch.contradicted
        return cls(
            len(batch.score),
            int(np.isfinite(batch.distance).sum()),
            int((batch.distance == 0).sum()),
            0 if other is None else int(other.sum()),
            int((batch.predicted < 0).sum()),
            own,
        )

    @property
    def own_scores(self) -> int | None:
        """How many different scores J48 itself gives: one a leaf, fewer where leaves agree."""
        return None if self.own is None else len(self.own)


def find_weka_scores(setting: Setting, X: Floats, batch: ScoredBatch) -> frozenset[float] | None:
    """The different scores that J48 itself gives cases; None if the counts are not known."""
    try:
        leaves = estimate_leaves(
            setting.tree, setting.counts, setting.positive, "laplace" if setting.laplace else "raw"
        )
    except UnknownCountsError:
        return None
    found = case_estimates(setting.tree, setting.counts, X, leaves, batch.leaf)
    return frozenset(found[found == found].tolist())


MANY_ZEROS = 0.2
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
        from j48geo.geometry.projection import find_separators  # rarely asked

        asked: Counter[str] = Counter()
        for s, some, predicted in self.kept:
            found = boundary(
                s.measured, some, s.metric, predicted, labels=s.labels, engine=s.engine
            )
            columns = find_separators(s.measured, some, s.metric, found.nearest_leaf).attribute
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
