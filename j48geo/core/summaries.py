"""Exact sums and moments of rows, which are the same however the rows are divided into parts.

A `Summary` of some rows plus that of others is the summary of all of them, to the last bit,
whichever rows lie together and in whichever order the parts are added. So a result never
depends on the size of blocks, on partitions of a cluster or on timing. Sums of floats are not
like that, since each addition rounds; an `ExactSum` rounds once, at the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from math import inf, isqrt, ldexp, nan
from threading import local
from typing import Any, ClassVar, Self

import numpy as np

from j48geo.arrays import Floats, Ints

_POINT = 2148
"""Sums are whole numbers of 2^-2148: products of two doubles are multiples of it."""

_NEAR = 40
"""Values of a chunk whose exponents differ by no more are cut into limbs together."""

_CHUNK = 1 << 13
_SQUARED = 20
"""Bits of a limb whose products are summed: 2^13 products of 2^38 are exact in a double."""
_SUMMED = 38
"""Bits of a limb that is only summed: 2^13 of 2^37 are exact as well."""


class Summary:
    """Base of dataclasses that sum up rows; two of one kind add up field by field.

    Numbers, arrays and summaries add, sets and dictionaries join, flags are true if one is, None
    stays None. Adding is associative and commutative. What a summary is about must be `SAME`.
    """

    SAME: ClassVar[tuple[str, ...]] = ()

    def __add__(self, other: Self) -> Self:
        return type(self)(*(self._sum(f.name, other) for f in fields(self)))  # type: ignore[arg-type]

    def _sum(self, name: str, other: Self) -> Any:
        mine, its = getattr(self, name), getattr(other, name)
        if name not in self.SAME:
            return _plus(mine, its)
        if mine != its:
            raise ValueError(f"other {name}: {its!r}; expected {mine!r}")
        return mine


def _plus(one: Any, other: Any) -> Any:
    if one is None or other is None:
        return None
    if isinstance(one, bool | frozenset):
        return one | other
    if isinstance(one, Mapping):
        both = {k: one[k] + other[k] for k in one.keys() & other.keys()}
        return {**one, **other, **both}
    if isinstance(one, tuple):
        if len(one) != len(other):
            raise ValueError(f"{len(other)} parts; expected {len(one)}")
        return tuple(_plus(a, b) for a, b in zip(one, other, strict=True))
    return one + other


@dataclass(frozen=True)
class ExactSum:
    """The sum of finite doubles without any rounding.

    Parameters
    ----------
    units
        The sum as a whole number of 2^-2148.

    Examples
    --------
    >>> ExactSum.of([1e100, 1.0, -1e100]).result()
    1.0
    >>> (ExactSum.of([0.1] * 5) + ExactSum.of([0.1] * 5)).result()
    1.0
    """

    units: int = 0

    @classmethod
    def of(cls, values: Floats | list[float]) -> ExactSum:
        """The sum of an array; ValueError if one is not finite."""
        x = np.asarray(values, dtype=np.float64)
        return cls(sum(_sums(x[i : i + _CHUNK]) for i in range(0, len(x), _CHUNK)))

    @classmethod
    def dot(cls, values: Floats, weights: Floats) -> ExactSum:
        """The sum of the products of two arrays; ValueError if a value is not finite."""
        if not (np.isfinite(values).all() and np.isfinite(weights).all()):
            raise ValueError("a value is not finite")
        if (weights == 1.0).all():
            return cls.of(values)
        starts = range(0, len(values), _CHUNK)
        return cls(sum(_products(values[i : i + _CHUNK], weights[i : i + _CHUNK]) for i in starts))

    def __add__(self, other: ExactSum) -> ExactSum:
        return ExactSum(self.units + other.units)

    def __sub__(self, other: ExactSum) -> ExactSum:
        return ExactSum(self.units - other.units)

    @property
    def exact(self) -> Fraction:
        """The sum as a fraction."""
        return Fraction(self.units, 1 << _POINT)

    def over(self, other: ExactSum) -> float | None:
        """The ratio of two sums, rounded once; None if the other is 0."""
        return _nearest_double(self.units, other.units) if other.units else None

    def result(self) -> float:
        """The double nearest to the sum; infinite beyond the doubles."""
        return _nearest_double(self.units, 1 << _POINT)


def exact_sums(values: Floats, place: Ints) -> dict[int, ExactSum]:
    """The sum of the values at each place that occurs, from 0 on."""
    if not np.isfinite(values).all():
        raise ValueError("a value is not finite")
    units_by_cell: dict[int, int] = {}
    for first in range(0, len(values), _CHUNK):
        at = place[first : first + _CHUNK]
        units_by_cell.update((k, units_by_cell.get(k, 0)) for k in np.unique(at).tolist())
        for x, exponent, where in _alike(values[first : first + _CHUNK], at):
            for limb, unit in _limbs(x, exponent, _SUMMED):
                whole = np.bincount(where, limb)
                for k in np.flatnonzero(whole).tolist():
                    units_by_cell[k] += _shift_units(int(whole[k]), unit)
    return {k: ExactSum(units) for k, units in units_by_cell.items()}


def running_sums(values: Floats, start: ExactSum = ExactSum()) -> Floats:
    """What a sum that begins with `start` has come to after each value, each rounded once.

    Examples
    --------
    >>> running_sums(np.array([1e100, 1.0, -1e100])).tolist()
    [1e+100, 1e+100, 1.0]
    """
    if not len(values):
        return np.empty(0)
    size = ExactSum.of(np.abs(values)).units + abs(start.units)
    if size < 1 << (_POINT + 53) and (values == np.rint(values)).all() and _is_whole(start):
        whole: Floats = np.cumsum(values) + start.result()  # no addition rounds
        return whole
    # Whole numbers of the largest unit that all have.
    mantissa, exponent = np.frexp(values)
    lowest = int(exponent[values != 0].min(initial=_POINT)) - 53
    if start.units:
        lowest = min(lowest, (start.units & -start.units).bit_length() - 1 - _POINT)
    shift = np.where(values != 0, exponent.astype(np.int64) - 53 - lowest, 0)
    parts = (mantissa * 2.0**53).astype(np.int64).astype(object) << shift.astype(object)
    parts[0] += start.units >> (_POINT + lowest)
    sums = np.cumsum(parts).tolist()
    above, below = (1 << lowest, 1) if lowest >= 0 else (1, 1 << -lowest)
    return np.array([_nearest_double(whole * above, below) for whole in sums])


def _is_whole(found: ExactSum) -> bool:
    return not found.units & ((1 << _POINT) - 1)


def add_sums(one: Mapping[int, ExactSum], other: Mapping[int, ExactSum]) -> dict[int, ExactSum]:
    """Sums at places, place by place."""
    totals = dict(one)
    for place, more in other.items():
        totals[place] = totals[place] + more if place in totals else more
    return totals


@dataclass(frozen=True)
class Moments:
    """How many values there are, the ends of their range, their sum and that of their squares.

    Parameters
    ----------
    count
        How many values are known.
    low, high
        The smallest and the largest of them.
    total, squares
        Exact sums of the finite ones and of their squares.
    infinite
        How many are infinite.

    Examples
    --------
    >>> found = Moments.of(np.array([1.0, 2.0, np.nan])) + Moments.of(np.array([3.0]))
    >>> found.count, found.mean, found.deviation
    (3, 2.0, 1.0)
    """

    count: int = 0
    low: float = inf
    high: float = -inf
    total: ExactSum = ExactSum()
    squares: ExactSum = ExactSum()
    infinite: int = 0

    @classmethod
    def of(cls, values: Floats) -> Moments:
        """Moments of the values of an array; NaN is left out."""
        moments = cls()
        for first in range(0, len(values), _CHUNK):
            moments += _chunk_moments(values[first : first + _CHUNK])
        return moments

    def __add__(self, other: Moments) -> Moments:
        return Moments(
            self.count + other.count,
            min(self.low, other.low),
            max(self.high, other.high),
            self.total + other.total,
            self.squares + other.squares,
            self.infinite + other.infinite,
        )

    @property
    def exact_mean(self) -> Fraction:
        """Mean of the finite values, without rounding."""
        return Fraction(self.total.units, (self.count - self.infinite) << _POINT)

    @property
    def exact_variance(self) -> Fraction:
        """Variance of the finite values with divisor n - 1, without rounding."""
        n, total = self.count - self.infinite, self.total.units
        above = n * (self.squares.units << _POINT) - total * total
        return Fraction(above, (n * (n - 1)) << (2 * _POINT))

    @property
    def mean(self) -> float:
        """Mean, rounded once; NaN without values or with infinite ones."""
        return float(self.exact_mean) if self.count and not self.infinite else nan

    @property
    def deviation(self) -> float:
        """Standard deviation with divisor n - 1; NaN with fewer than two or infinite values."""
        return fraction_root(self.exact_variance) if self.count > 1 and not self.infinite else nan


def fraction_root(square: Fraction) -> float:
    """The square root of a fraction, whatever its size; infinite beyond the doubles."""
    if not square:
        return 0.0
    # The root of a whole number of at least 2^128 has 64 bits that are right.
    above, below = square.numerator, square.denominator
    shift = max(0, 130 - above.bit_length() + below.bit_length())
    shift += shift & 1
    return _nearest_double(isqrt((above << shift) // below), 1 << (shift // 2))


def _chunk_moments(values: Floats) -> Moments:
    x = values[~np.isnan(values)]
    if not len(x):
        return Moments()
    low, high = float(x.min()), float(x.max())
    count, infinite = len(x), 0
    if not (abs(low) < inf and abs(high) < inf):
        finite = np.isfinite(x)
        infinite = count - int(finite.sum())
        x = x[finite]
    total = squares = 0
    for some, exponent, _ in _alike(x, None):
        limbs = list(_limbs(some, exponent, _SQUARED, _space.rows))
        for i, (limb, unit) in enumerate(limbs):
            total += _shift_units(int(limb.sum()), unit)
            squares += _shift_units(int(limb @ limb), 2 * unit)
            for other, its_unit in limbs[:i]:
                squares += _shift_units(2 * int(limb @ other), unit + its_unit)
    return Moments(count, low, high, ExactSum(total), ExactSum(squares), infinite)


def _sums(x: Floats) -> int:
    if not np.isfinite(x).all():
        raise ValueError("a value is not finite")
    total = 0
    for some, exponent, _ in _alike(x, None):
        for limb, unit in _limbs(some, exponent, _SUMMED):
            total += _shift_units(int(limb.sum()), unit)
    return total


def _products(x: Floats, w: Floats) -> int:
    total = 0
    for some, exponent, at in _alike(x, np.arange(len(x))):
        for weights, its_exponent, there in _alike(w[at], np.arange(len(at))):
            limbs = list(_limbs(weights, its_exponent, _SQUARED))
            for limb, unit in _limbs(some[there], exponent, _SQUARED):
                for other, its_unit in limbs:
                    total += _shift_units(int(limb @ other), unit + its_unit)
    return total


def _alike(x: Floats, place: Ints | None) -> Iterator[tuple[Floats, int, Ints]]:
    """Values of about the same size, divided by 2^exponent so that they are less than 1."""
    at = np.empty(0, dtype=np.intp) if place is None else place
    while len(x):
        size = np.abs(x)
        exponent = int(np.frexp(size.max())[1])
        small = (size < ldexp(1.0, exponent - _NEAR)) & (size > 0)
        few = bool(small.any())
        near = x[~small] if few else x
        scaled = near * 2.0**-exponent if abs(exponent) < 1000 else np.ldexp(near, -exponent)
        yield scaled, exponent, at[~small] if few and place is not None else at
        if not few:
            return
        x = x[small]
        at = at[small] if place is not None else at


def _limbs(
    x: Floats, exponent: int, bits: int, space: Floats | None = None
) -> Iterator[tuple[Floats, int]]:
    """Whole numbers of at most 2^(bits - 1) and the exponents of their units, that make up x.

    Parameters
    ----------
    space : array of float64, shape (n_rows, at least len(x))
        Where they are made, if the caller is done with those of the call before.
    """
    rows = iter(() if space is None else space[:, : len(x)])
    left = np.multiply(x, 2.0 ** (bits - 1), out=next(rows, None))
    unit = exponent - (bits - 1)
    while True:
        limb = np.rint(left, out=next(rows, None))
        yield limb, unit
        left -= limb  # exact: it has fewer bits than before
        if not left.any():
            return
        left *= 2.0**bits
        unit -= bits


class _Space(local):
    """Memory that is used again: what is freed after every chunk goes back to the system."""

    def __init__(self) -> None:
        self.rows = np.empty((8, _CHUNK))


_space = _Space()


def _shift_units(whole: int, unit: int) -> int:
    """A whole number of 2^unit in units of an exact sum; nothing is lost to the right."""
    shift = _POINT + unit
    return whole << shift if shift >= 0 else whole >> -shift


def _nearest_double(above: int, below: int) -> float:
    """The double nearest to a fraction; infinite beyond the doubles."""
    try:
        return above / below  # Python rounds the quotient of whole numbers once
    except OverflowError:
        return inf if above > 0 else -inf
