"""Leaves as boxes: an interval for each numeric attribute, a set of values for each nominal one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf


@dataclass(frozen=True)
class Interval:
    """The values between two thresholds: ``low < x <= high``.

    Parameters
    ----------
    low, high
        Ends; infinite if unbounded.
    low_closed, high_closed
        Whether the end belongs to the interval. J48 tests ``<=`` and ``>``, so its
        intervals are open below and closed above; dialects with ``<`` and ``>=`` close
        the other end.
    low_node, high_node
        Tree node whose split made the face; -1 if unbounded.
    """

    low: float = -inf
    high: float = inf
    low_closed: bool = False
    high_closed: bool = True
    low_node: int = -1
    high_node: int = -1

    @property
    def is_empty(self) -> bool:
        """Whether no number lies in it."""
        if self.low < self.high:
            return False
        return not (self.low == self.high and self.low_closed and self.high_closed)

    def __contains__(self, x: float) -> bool:
        above = x >= self.low if self.low_closed else x > self.low
        below = x <= self.high if self.high_closed else x < self.high
        return (above or self.low == -inf) and (below or self.high == inf)

    def below(self, threshold: float, closed: bool, node: int) -> Interval:
        """The part at most (`closed`) or below `threshold`; the tightest test owns the face."""
        tighter = threshold < self.high or (
            threshold == self.high and self.high_closed and not closed
        )
        if not tighter:
            return self
        return Interval(self.low, threshold, self.low_closed, closed, self.low_node, node)

    def above(self, threshold: float, closed: bool, node: int) -> Interval:
        """The part at least (`closed`) or above `threshold`."""
        tighter = threshold > self.low or (threshold == self.low and self.low_closed and not closed)
        if not tighter:
            return self
        return Interval(threshold, self.high, closed, self.high_closed, node, self.high_node)

    def __str__(self) -> str:
        left = "[" if self.low_closed else "("
        right = "]" if self.high_closed and self.high != inf else ")"
        return f"{left}{self.low:g}, {self.high:g}{right}"


@dataclass(frozen=True)
class Box:
    """The region of a leaf; attributes that are not named are free.

    Parameters
    ----------
    intervals
        Bounded numeric attributes.
    subsets
        Restricted nominal attributes: the value indices that reach the leaf.
    subset_nodes
        For each restricted nominal attribute the deepest node that tested it.
    """

    intervals: Mapping[int, Interval] = field(default_factory=dict)
    subsets: Mapping[int, frozenset[int]] = field(default_factory=dict)
    subset_nodes: Mapping[int, int] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """Whether no case can lie in it."""
        return any(i.is_empty for i in self.intervals.values()) or any(
            not s for s in self.subsets.values()
        )
