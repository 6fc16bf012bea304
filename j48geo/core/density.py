"""What a distance-based kernel estimate has learnt: distances of cases whose class is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from j48geo.arrays import Floats, Ints

__all__ = ["KDES", "KERNELS", "PARTITIONS", "DistanceKDE", "Kde", "Kernel", "Partition"]

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
