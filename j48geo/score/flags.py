"""Why an estimate is not what was asked for, or should be taken with care: one bit each."""

from __future__ import annotations

from enum import IntFlag

__all__ = ["Flag", "flag_names"]


class Flag(IntFlag):
    """What may be said of the estimate of a case."""

    NO_CLASS = 1
    """The class of the case is not known, and so no distance: the prior."""
    NO_BOUNDARY = 2
    """A class has no boundary: its prior."""
    ONE_DISTANCE = 4
    """All cases have the same distance, so there is no bandwidth: shares at that distance."""
    EMPTY_PART = 8
    """No case shares the separator or leaf: all cases speak, as in GDK."""
    FAR = 16
    """Beyond the reach of all kernels: the classes of the nearest case."""
    NO_CASES = 32
    """Nothing to estimate from: the prior, or equal shares."""
    NOT_LARGEST = 64
    """The tree's class, which stands, is not the one with the largest probability."""
    NEAR_THRESHOLD = 128
    """A value lies within the rounding of a printed threshold: the text does not tell its leaf."""
    UNKNOWN_SHARES = 256
    """A missing value divides the case by counts that the text rounds, or does not give."""
    TIE = 512
    """Classes are equal, and the text does not tell which was declared first."""
    NO_DISTRIBUTION = 1024
    """The text does not give the classes of the leaf's cases."""
    ROUNDED = 2048
    """The distribution comes from counts that were printed with two decimals."""


_NAMES = {flag: flag.name.lower().replace("_", "-") for flag in Flag if flag.name}


def flag_names(mask: int) -> list[str]:
    """The names of the bits that are set.

    Examples
    --------
    >>> flag_names(Flag.FAR | Flag.NO_BOUNDARY)
    ['no-boundary', 'far']
    """
    return [name for flag, name in _NAMES.items() if mask & flag]
