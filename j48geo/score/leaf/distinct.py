"""How many different scores J48 itself gives: one a leaf, and fewer where leaves agree."""

from __future__ import annotations

from j48geo.arrays import Floats, Ints
from j48geo.score.leaf.estimates import UnknownCountsError, case_estimates, leaf_estimates
from j48geo.score.setting import Setting

__all__ = ["OwnScores"]


class OwnScores:
    """Counts the different scores that J48 gives the rows, block by block."""

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        self._seen: set[float] = set()
        self._estimates: Floats | None = None
        try:
            self._estimates = leaf_estimates(
                setting.tree,
                setting.counts,
                setting.positive,
                "laplace" if setting.laplace else "raw",
            )
        except UnknownCountsError:
            return

    @property
    def count(self) -> int | None:
        """How many; None if the counts are not known."""
        return None if self._estimates is None else len(self._seen)

    def add(self, X: Floats, leaf: Ints) -> None:
        """Count the rows of a block.

        Parameters
        ----------
        leaf : array of int, shape (n_cases,)
            Leaf of each row, -1 where a missing value divides it.
        """
        if self._estimates is not None:
            s = self._setting
            found = case_estimates(s.tree, s.counts, X, self._estimates, leaf)
            self._seen.update(found[found == found].tolist())
