"""What the nearby-leaf average knows about a tree and its training cases: plain arrays."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.core.dataset import Header

__all__ = ["NearbyLeaves"]


@dataclass(frozen=True, eq=False)
class NearbyLeaves:
    """A tree whose thresholds are softened after the fact; the tree itself stays as it is.

    The estimate of a case is the mean of the leaf estimates over all leaves that the case
    would reach if its numbers were measured a little wrong: a normal error of `sigma`
    standard deviations in each. A case deep inside its leaf keeps the estimate of that
    leaf; the nearer it lies to a threshold, the more the leaf beyond has to say.

    Parameters
    ----------
    sigma
        Standard deviation of the error, in units of an attribute's spread.
    face : array of float64, shape (n_nodes,)
        Where a numeric split is measured: t', the middle between the threshold and the
        next larger training value at the node. NaN at all other nodes.
    share : array of float64, shape (n_nodes,)
        What a node gets of a case whose value is missing where its parent asks; the
        children of a node share 1. The root has 1.
    leaf_value : array of float64, shape (n_leaves, n_classes)
        q: the estimated probability of every class at every leaf; rows sum to 1.
    attribute : array of int, shape (n_tested,)
        Columns with a numeric split, ascending.
    scale : array of float64, shape (n_tested,)
        s: standard deviation of each of these columns in training, 1 if it has none.
    first_knot : array of int, shape (n_tested + 1,)
        Tested column k has the knots from ``first_knot[k]`` up to ``first_knot[k + 1]``.
    knot, rank : array of float64, shape (n_knots,)
        The training values of each column, ascending and each once, and F at them: the
        part of the known values below, and half of the part that is equal.

    Notes
    -----
    An extension, not in the papers. Instance weights enter `share` and `leaf_value`, which
    come from the tree's counts, and neither `scale` nor `rank`: spread is a matter of the
    values alone, as it is for the metric.
    """

    sigma: float
    face: Floats
    share: Floats
    leaf_value: Floats
    attribute: Ints
    scale: Floats
    first_knot: Ints
    knot: Floats
    rank: Floats

    def knots(self, k: int) -> tuple[Floats, Floats]:
        """Values of tested column `k`, and F at them."""
        part = slice(int(self.first_knot[k]), int(self.first_knot[k + 1]))
        return self.knot[part], self.rank[part]

    def rebound(self, old: Header, new: Header) -> NearbyLeaves:
        """The same in the columns of another header, matched by name."""
        moved = np.array([new.position(old.names[a]) for a in self.attribute], dtype=np.intp)
        order = np.argsort(moved)
        knots = [self.knots(k) for k in order.tolist()]
        lengths = [len(values) for values, _ in knots]
        return replace(
            self,
            attribute=moved[order],
            scale=self.scale[order],
            first_knot=np.concatenate([[0], np.cumsum(lengths)]).astype(np.intp),
            knot=np.concatenate([self.knot[:0], *(values for values, _ in knots)]),
            rank=np.concatenate([self.rank[:0], *(ranks for _, ranks in knots)]),
        )
