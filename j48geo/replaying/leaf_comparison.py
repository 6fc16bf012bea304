"""Compare the counts of leaves with those that the text prints, up to what printing loses.

Weka prints two decimals, and leaves the errors out if they are at most 1e-6 (J48-TEXT-FORMAT
section 1.1). `LeafCounts` holds both and finds the leaves that differ; `can_hold` tells without
counting whether rows of some weight may be those of a tree.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import ulp

import numpy as np

from j48geo.arrays import Bools, Floats, Ints
from j48geo.core.counts import NodeCounts
from j48geo.core.tree import BoxTree
from j48geo.java.numbers import SMALL, round_count

SHOWN_LEAVES = 20
"""Differing leaves for which rows on thresholds are looked for."""

SHOWN_ROWS = 10
"""Rows on thresholds that are named for one leaf."""

_HALF_UNIT = 0.005
_SATURATED = round_count(float("inf"))


@dataclass(frozen=True)
class LeafDifference:
    """A leaf whose printed counts the rows do not give back.

    Parameters
    ----------
    leaf
        Index of the leaf, from 0.
    line
        Line of the source that shows it; 0 if there is none.
    printed_weight, printed_errors
        Counts of the text.
    weight, errors
        Counts of the rows.
    on_threshold
        Numbers, from 1, of the first rows that lie within 1e-6 of a threshold on the way
        to the leaf and pass all other tests.
    """

    leaf: int
    line: int
    printed_weight: float
    printed_errors: float
    weight: float
    errors: float
    on_threshold: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class LeafCounts:
    """Weight and errors of each leaf, printed (NaN where the text has none) and counted."""

    tree: BoxTree
    printed_weight: Floats
    printed_errors: Floats
    weight: Floats
    errors: Floats

    @classmethod
    def of(cls, tree: BoxTree, counts: NodeCounts) -> LeafCounts:
        """The counts that the leaves of `tree` print beside those of the rows."""
        unknown = float("nan")
        bag = counts.bag[list(tree.leaf_nodes)]
        labels = np.array([leaf.label for leaf in tree.leaves])
        weight = bag.sum(axis=1)
        return cls(
            tree,
            np.array([unknown if leaf.weight is None else leaf.weight for leaf in tree.leaves]),
            np.array(
                [unknown if leaf.weight is None else leaf.errors or 0.0 for leaf in tree.leaves]
            ),
            weight,
            weight - bag[np.arange(len(bag)), labels],
        )

    @property
    def compared(self) -> int:
        """Number of leaves that print counts."""
        return int((~np.isnan(self.printed_weight)).sum())

    @cached_property
    def differing(self) -> Ints:
        """Leaves whose printed counts are not those of the rows."""
        differs = _differ(self.weight, self.printed_weight, self.weight)
        differs |= _differ(self.errors, self.printed_errors, self.weight)
        if self.tree.layout.is_weka:
            has_errors = np.array(["/" in leaf.token for leaf in self.tree.leaves])
            has_token = np.array([leaf.token != "" for leaf in self.tree.leaves])
            # Weka leaves the errors out where they are at most 1e-6; sums in another order may
            # lie on the other side of that by their last digits.
            noise = 1e-12 * self.weight
            differs |= has_token & has_errors & (self.errors + noise <= SMALL)
            differs |= has_token & ~has_errors & (self.errors - noise > SMALL)
        return np.flatnonzero(differs & ~np.isnan(self.printed_weight))

    @property
    def misfit(self) -> tuple[int, float]:
        """How badly they agree: number of differing leaves, then sum of the differences."""
        off = np.abs(self.weight - self.printed_weight)
        off += np.abs(self.errors - self.printed_errors)
        # Sums in another order differ in their last digits; that is no better or worse.
        return len(self.differing), round(float(np.nansum(off)), 6)

    def differences(self, X: Floats, rows: Ints) -> tuple[LeafDifference, ...]:
        """The differing leaves, with those of the counted `rows` of `X` on thresholds."""
        return tuple(
            LeafDifference(
                int(leaf),
                self.tree.leaves[leaf].line,
                float(self.printed_weight[leaf]),
                float(self.printed_errors[leaf]),
                float(self.weight[leaf]),
                float(self.errors[leaf]),
                rows_on_thresholds(self.tree, int(leaf), X, rows) if k < SHOWN_LEAVES else (),
            )
            for k, leaf in enumerate(self.differing)
        )


def _differ(counted: Floats, printed: Floats, weight: Floats) -> Bools:
    """Whether numbers differ by more than two decimals and the noise of sums explain."""
    both_saturated = (printed >= _SATURATED) & (counted >= _SATURATED * (1 - 1e-9))
    near = np.abs(counted - printed) <= _HALF_UNIT + 1e-9 * (1 + weight)
    return ~(near | both_saturated)


def can_hold(tree: BoxTree, weight: float) -> bool:
    """Whether the printed counts of the leaves may sum up to `weight`."""
    printed = [leaf.weight for leaf in tree.leaves if leaf.weight is not None]
    if len(printed) < len(tree.leaves) or max(printed) >= _SATURATED:
        return True
    return abs(sum(printed) - weight) <= _HALF_UNIT * len(printed) + SMALL * (1 + weight)


def rows_on_thresholds(tree: BoxTree, leaf: int, X: Floats, rows: Ints) -> tuple[int, ...]:
    """Numbers, from 1, of a few rows that rounding may have moved into or out of a leaf.

    They lie within 1e-6 of a threshold on its path and pass all other tests of it.

    Parameters
    ----------
    X : array of float64, shape (n_cases, n_attributes)
    rows : array of int
        The rows to look at, from 0, ascending.
    """
    close = np.zeros(len(rows), dtype=np.bool_)
    for node, child in pairwise(tree.path(leaf)):
        if not len(rows):
            break
        split, branch = tree.nodes[node].split, tree.nodes[child].branch
        assert split is not None  # only the last node of a path is a leaf
        x = X[rows, split.attribute]
        near = np.zeros(len(x), dtype=np.bool_)
        if split.kind == "numeric":
            allowed = SMALL + 2 * ulp(split.threshold)
            with np.errstate(over="ignore", invalid="ignore"):
                near = np.abs(x - split.threshold) <= allowed
            side = x <= split.threshold if branch == 0 else x > split.threshold
        elif split.kind == "multiway":
            side = x == branch
        else:
            side = x == split.value if branch == 0 else x != split.value
        passing = side | near | np.isnan(x)
        rows, close = rows[passing], (close | near)[passing]
    return tuple(int(row) + 1 for row in rows[close][:SHOWN_ROWS])
