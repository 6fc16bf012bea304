"""What can be said of a ranking as a whole, counted part by part."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from j48geo.arrays import Floats
from j48geo.core.summaries import Summary
from j48geo.score.batch import Batch
from j48geo.score.leaf.estimates import UnknownCountsError, case_estimates, leaf_estimates
from j48geo.score.setting import Setting

__all__ = ["RankingFacts", "own_scores"]


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
    def of(cls, batch: Batch, own: frozenset[float] | None = None) -> RankingFacts:
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


def own_scores(setting: Setting, X: Floats, batch: Batch) -> frozenset[float] | None:
    """The different scores that J48 itself gives cases; None if the counts are not known."""
    try:
        leaves = leaf_estimates(
            setting.tree, setting.counts, setting.positive, "laplace" if setting.laplace else "raw"
        )
    except UnknownCountsError:
        return None
    found = case_estimates(setting.tree, setting.counts, X, leaves, batch.leaf)
    return frozenset(found[found == found].tolist())
