"""Filters with what they have learnt: what happens to rows before a tree sees them.

The values are those of the file; `j48geo.ensemble.filters` applies them.
"""

from __future__ import annotations

from dataclasses import dataclass

from j48geo.arrays import Floats

__all__ = [
    "Discretize",
    "LearntFilter",
    "NominalToBinary",
    "Normalize",
    "Remove",
    "ReplaceMissingValues",
    "Standardize",
]


@dataclass(frozen=True)
class Remove:
    """Keeps the columns `kept`, in that order."""

    kept: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class ReplaceMissingValues:
    """Puts the mean or the mode of each column, shape (n_attributes,), for what is missing."""

    values: Floats


@dataclass(frozen=True, eq=False)
class Standardize:
    """Subtracts means and divides by deviations above 0, each of shape (n_attributes,)."""

    means: Floats
    deviations: Floats


@dataclass(frozen=True, eq=False)
class Discretize:
    """Numbers become indices of intervals.

    Parameters
    ----------
    cuts
        For each column its cut points, ascending; no points make one interval; None where
        the column stays as it is.
    binary
        Whether every cut point makes a column of its own, 0 up to it and 1 above.
    """

    cuts: tuple[Floats | None, ...]
    binary: bool


@dataclass(frozen=True, eq=False)
class Normalize:
    """Brings smallest and largest of each column, shape (n_attributes,), to 0 and 1.

    Then times `scale`, plus `translation`. A constant column becomes 0.
    """

    smallest: Floats
    largest: Floats
    scale: float = 1.0
    translation: float = 0.0


@dataclass(frozen=True)
class NominalToBinary:
    """Each column of its result: the column it is made of, and which values make it 1.

    Without values (None) the column is passed on.
    """

    columns: tuple[tuple[int, frozenset[int] | None], ...]


LearntFilter = (
    Remove | ReplaceMissingValues | Standardize | Discretize | Normalize | NominalToBinary
)
