"""Values fitted to the training data of a tree: plain numbers and arrays.

A `Metric` is fitted in `j48geo.geometry.metric`, a `DistanceKDE` in `j48geo.score.kernel_density`,
`NearbyLeaves` in `j48geo.score.nearby.average`. `FittedValues` holds all of them, so that the
data is needed no more; `j48geo.modelfile` writes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.core.columns import column_places
from j48geo.core.dataset import Header

MetricKind = Literal["standard", "minmax", "none", "custom"]
METRIC_KINDS: tuple[MetricKind, ...] = ("standard", "minmax", "none", "custom")
LeafValues = Literal["laplace", "m5", "shrunken"]
LEAF_VALUES: tuple[LeafValues, ...] = ("laplace", "m5", "shrunken")
RecalibrationKind = Literal["isotonic", "platt"]
RECALIBRATIONS: tuple[RecalibrationKind, ...] = ("isotonic", "platt")
TunedFor = Literal["", "rank", "proba"]
TUNED_FOR: tuple[TunedFor, ...] = ("", "rank", "proba")

_WORDS = {
    "standard": "standard (divided by the standard deviation)",
    "minmax": "minmax (divided by the range)",
    "none": "none (values as they are)",
    "custom": "custom (divided by the given scales)",
}


@dataclass(frozen=True, eq=False)
class Metric:
    """Euclidean distance after dividing each attribute by its scale.

    Parameters
    ----------
    scale : array of float64, shape (n_attributes,)
        Divisor of the difference in each attribute, positive; 1 where it has no meaning.
    nominal_weight
        What a nominal attribute outside the leaf's set contributes (extension: Euclidean
        with an overlap axis; the papers have numeric attributes only).
    source
        Where the scales come from, in words; empty if nowhere.
    notes
        What the user should know about it, one sentence each.

    Notes
    -----
    AB05 equation (7), ABD07 equation (3). A missing value contributes 0: the smallest
    distance over all completions (extension).
    """

    kind: MetricKind
    scale: Floats
    nominal_weight: float = 1.0
    source: str = ""
    notes: tuple[str, ...] = ()

    def describe(self) -> str:
        """Kind and source, for people."""
        return f"{_WORDS[self.kind]}{f', from {self.source}' if self.source else ''}"


Kernel = Literal["gaussian", "box"]
Partition = Literal["none", "separator", "leaf"]
Kde = Literal["exact", "r512"]
KERNELS: tuple[Kernel, ...] = ("gaussian", "box")
PARTITIONS: tuple[Partition, ...] = ("none", "separator", "leaf")
KDES: tuple[Kde, ...] = ("exact", "r512")


@dataclass(frozen=True, eq=False)
class DistanceKDE:
    """A kernel estimate of the class probability from the algebraic distance h.

    Parameters
    ----------
    partition
        Which cases speak for a case x: ``none`` all of them (GDK), ``separator`` those with
        the same separator (LDK), ``leaf`` those of the same leaf.
    kernel
        ``gaussian`` with standard deviation b, or ``box`` of full width b.
    kde
        ``exact`` sums, or ``r512``: R's ``density()`` on its grid of 512 points.
    tau
        Bandwidth as a share of the range of h.
    h : array of float64, shape (n_cases, n_columns)
        h_c of each case. Two classes need one column only, h_0, since h_1 = -h_0; with
        more there is one a class.
    part : array of int, shape (n_cases, n_columns)
        Node of the separator, or leaf; -1 where there is none. Zeros without a partition.
    actual : array of int, shape (n_cases,)
        The true class: S_c are the cases whose true class is c.
    weights : array of float64, shape (n_cases,)
        Instance weights, positive.
    bandwidth : array of float64, shape (n_columns,)
        b of each column: `tau` times the range of h, 0 if all h are equal, infinite if the
        class has no boundary.
    prior : array of float64, shape (n_classes,)
        Share of each class among the cases.

    Notes
    -----
    ABD07 equations (1) and (2), sections 3.2 and 5.1.
    """

    partition: Partition
    kernel: Kernel
    kde: Kde
    tau: float
    h: Floats
    part: Ints
    actual: Ints
    weights: Floats
    bandwidth: Floats
    prior: Floats


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
    leaves
        What `leaf_value` is: ``laplace``, ``m5``, or ``shrunken``.
    shrinkage
        λ of shrunken leaf values; None for others.
    tuned
        What `sigma` and the leaf values were chosen for, ``rank`` or ``proba``; empty if by
        nobody, or by hand.

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
    leaves: LeafValues = "laplace"
    shrinkage: float | None = None
    tuned: TunedFor = ""

    def knots(self, k: int) -> tuple[Floats, Floats]:
        """Values of tested column `k`, and F at them."""
        part = slice(int(self.first_knot[k]), int(self.first_knot[k + 1]))
        return self.knot[part], self.rank[part]

    def with_header(self, old: Header, new: Header) -> NearbyLeaves:
        """These values in the columns of another header, matched by name."""
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


@dataclass(frozen=True, eq=False)
class Recalibration:
    """A growing function from a probability to another one, learnt from cases.

    Parameters
    ----------
    kind
        ``isotonic``: linear between knots and flat outside; ``platt``: 1 / (1 + exp(-(a z + b)))
        of the log-odds z of the probability.
    maps
        One array for the second of two classes, whose complement the first one is; with more
        classes one for each, and the results are divided by their sum. Of ``isotonic`` shape
        (2, n_knots): probabilities before, ascending, and after; of ``platt`` shape (2,): a, b.
    """

    kind: RecalibrationKind
    maps: tuple[Floats, ...]


@dataclass(frozen=True, eq=False)
class FittedValues:
    """A metric, moved faces, and the samples of kernel estimates.

    Parameters
    ----------
    metric
        Scales in the columns of the tree's header.
    faces
        Thresholds that distances are measured to, by node, where these are not the tree's
        own (``--separators midgap``); None if they are.
    positive
        Index of the class that matters; None if nobody told.
    m
        The m of the m-estimate; None for 10 / p(c), c the class that matters.
    training, calibration
        Names of the files that it was learnt from.
    densities
        Kernel estimates by name: ``gdk``, ``ldk``, ``ldk-leaf``.
    nearby
        The nearby-leaf average.
    recalibrations
        What makes the probabilities of a method honest, by its name.
    shrinkage
        λ of ``hs``; None for the default.
    """

    metric: Metric
    faces: Mapping[int, float] | None
    positive: int | None
    m: float | None
    training: str
    calibration: str
    densities: Mapping[str, DistanceKDE] = field(default_factory=dict)
    nearby: NearbyLeaves | None = None
    recalibrations: Mapping[str, Recalibration] = field(default_factory=dict)
    shrinkage: float | None = None

    def with_header(self, old: Header, new: Header) -> FittedValues:
        """These values in the columns of another header, matched by name."""
        if old.names == new.names:
            return self
        place = column_places(new.names)
        scale = np.ones(len(new))
        for i, name in enumerate(old.names):
            if name in place:
                scale[place[name]] = self.metric.scale[i]
        return replace(
            self,
            metric=replace(self.metric, scale=scale),
            nearby=None if self.nearby is None else self.nearby.with_header(old, new),
        )
