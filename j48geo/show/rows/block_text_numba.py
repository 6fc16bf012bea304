"""Rows of text, written by one loop over all columns; numba compiles it.

Floats are spelled as Python's `repr` spells them: the shortest digits that give the same float
again, and of those the nearest. They are found by Raffaello Giulietti's Schubfach ("The
Schubfach way to render doubles", 2020), in whole numbers of 64 bits.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from j48geo.compilation import helper

ByteArray = NDArray[np.uint8]
Longs = NDArray[np.int64]
Bits = NDArray[np.uint64]
Long = np.uint64

TEXT, WHOLE, FLOAT, SHORT = range(4)
"""What a column holds: places of texts, whole numbers, floats, floats of which those that are
whole numbers below 1e15 have no decimal point."""
LONGEST = 24
"""Bytes that a number takes at most: -2.2250738585072014e-308."""

_LEAST_POWER = -292
_MOST_POWER = 324


def _powers_of_ten() -> tuple[Bits, Bits]:
    """Powers of ten as 128 bits, rounded up: their upper halves and their lower ones."""
    upper, lower = [], []
    for power in range(_LEAST_POWER, _MOST_POWER + 1):
        ten = 10 ** abs(power)
        if power >= 0:
            shift = 128 - ten.bit_length()
            bits = ten << shift if shift >= 0 else -(-ten >> -shift)
        else:
            bits = -(-(1 << 127 + ten.bit_length()) // ten)
        upper.append(bits >> 64)
        lower.append(bits & (1 << 64) - 1)
    return np.array(upper, dtype=np.uint64), np.array(lower, dtype=np.uint64)


_UPPER, _LOWER = _powers_of_ten()

# numba makes a float of an unsigned and a signed number: all that meet must be unsigned.
_ONE, _TWO, _FOUR, _TEN, _FORTY = Long(1), Long(2), Long(4), Long(10), Long(40)
_NOUGHT = Long(0)
_HALF = Long(32)
_LOW_HALF = Long(0xFFFFFFFF)
_FRACTION_BITS = Long(52)
_FRACTION = Long((1 << 52) - 1)
_HIDDEN = Long(1 << 52)
_EXPONENT = Long(0x7FF)
_SIGN = Long(63)
_SIZE = Long((1 << 63) - 1)
_INFINITE = Long(0x7FF << 52)
_DIGIT = Long(48)


@helper
def _upper_product(a: Long, b: Long) -> Long:
    """The upper 64 bits of a product of 128."""
    a_low, a_high = a & _LOW_HALF, a >> _HALF
    b_low, b_high = b & _LOW_HALF, b >> _HALF
    middle = a_high * b_low + ((a_low * b_low) >> _HALF)
    other = a_low * b_high + (middle & _LOW_HALF)
    return a_high * b_high + (middle >> _HALF) + (other >> _HALF)


@helper
def _scale_power(upper: Long, lower: Long, x: Long) -> Long:
    """The upper 64 bits of a power of ten times x; the last is 1 if bits below it are."""
    carried = _upper_product(lower, x)
    product = _upper_product(upper, x)
    rest = upper * x + carried
    if rest < carried:
        product += _ONE
    return product | _ONE if rest > _ONE else product


@helper
def _find_shortest(size: Long) -> tuple[Long, np.int64]:
    """The whole number and the power of ten that make up a float above 0, given by its bits."""
    fraction = size & _FRACTION
    biased = np.int64(size >> _FRACTION_BITS)
    if biased:
        mantissa = fraction | _HIDDEN
        power = biased - 1075
        if -52 <= power <= 0:
            shift = Long(-power)
            if (mantissa >> shift) << shift == mantissa:
                return mantissa >> shift, np.int64(0)
    else:
        mantissa = fraction
        power = np.int64(-1074)
    # What rounds to the float lies between `low` and `high`, both of them only if it is even.
    # All in quarters of the last decimal digit; below a power of two the next float is closer.
    closer = fraction == _NOUGHT and biased > 1
    ten = (power * 1262611 - (524031 if closer else 0)) >> 22
    shift = Long(power + ((-ten * 1741647) >> 19) + 1)
    upper, lower = _UPPER[-ten - _LEAST_POWER], _LOWER[-ten - _LEAST_POWER]
    quarters = mantissa * _FOUR
    odd = mantissa & _ONE
    middle = _scale_power(upper, lower, quarters << shift)
    low = _scale_power(upper, lower, (quarters - (_ONE if closer else _TWO)) << shift) + odd
    high = _scale_power(upper, lower, (quarters + _TWO) << shift) - odd
    digits = middle // _FOUR
    if digits >= _TEN:
        fewer = digits // _TEN
        down = low <= fewer * _FORTY
        up = fewer * _FORTY + _FORTY <= high
        if down != up:
            return fewer + _ONE if up else fewer, ten + 1
    down = low <= digits * _FOUR
    up = digits * _FOUR + _FOUR <= high
    if down == up:
        half = digits * _FOUR + _TWO
        up = middle > half or (middle == half and digits & _ONE == _ONE)
    return digits + _ONE if up else digits, ten


@helper
def _put_digits(room: ByteArray, at: int, count: int, digits: Long) -> int:
    """Write a number of `count` digits; the place behind."""
    for i in range(at + count - 1, at - 1, -1):
        room[i] = _DIGIT + digits % _TEN
        digits //= _TEN
    return at + count


@helper
def _count_digits(digits: Long) -> int:
    count = 1
    while digits >= _TEN:
        digits //= _TEN
        count += 1
    return count


@helper
def _put_noughts(room: ByteArray, at: int, count: int) -> int:
    for i in range(at, at + count):
        room[i] = 48
    return at + max(count, 0)


@helper
def _put_float(room: ByteArray, at: int, size: Long, short: bool) -> int:
    """Write a finite float without its sign; the place behind."""
    if size == _NOUGHT:
        digits, ten = _NOUGHT, np.int64(0)
    else:
        digits, ten = _find_shortest(size)
        while digits % _TEN == _NOUGHT:
            digits //= _TEN
            ten += np.int64(1)
    count = _count_digits(digits)
    point = count + int(ten)
    if -4 < point <= 0:
        room[at], room[at + 1] = 48, 46
        at = _put_noughts(room, at + 2, -point)
        return _put_digits(room, at, count, digits)
    if 0 < point <= 16:
        if point >= count:
            at = _put_digits(room, at, count, digits)
            at = _put_noughts(room, at, point - count)
            if short and point <= 15:
                return at
            room[at], room[at + 1] = 46, 48
            return at + 2
        end = _put_digits(room, at + 1, count, digits)
        for i in range(at, at + point):
            room[i] = room[i + 1]
        room[at + point] = 46
        return end
    end = _put_digits(room, at + 1, count, digits)
    room[at] = room[at + 1]
    room[at + 1] = 46
    at = end if count > 1 else at + 1
    room[at] = 101
    room[at + 1] = 43 if point > 0 else 45
    exponent = Long(abs(point - 1))
    return _put_digits(room, at + 2, max(2, _count_digits(exponent)), exponent)


def fill_rows(
    room: ByteArray,
    kinds: Longs,
    values: Bits,
    words: Longs,
    content: ByteArray,
    starts: Longs,
) -> int:
    """Write rows and say how many bytes they took.

    Parameters
    ----------
    room
        Large enough.
    kinds : array of int64, shape (n_columns,)
        As named above.
    values : array of uint64, shape (n_columns, n_rows)
        Places of texts, or the bits of numbers.
    words : array of int64, shape (n_columns,)
        For floats, the place of the text for NaN; behind it that for infinity, then for minus
        infinity.
    content, starts
        The bytes of text k are those from ``starts[k]`` up to ``starts[k + 1]``. The first texts
        stand before the columns, the next one behind the last of them.
    """
    columns, rows = values.shape
    at = 0
    for i in range(rows):
        for j in range(columns):
            for k in range(starts[j], starts[j + 1]):
                room[at] = content[k]
                at += 1
            kind = kinds[j]
            value = values[j, i]
            text = np.int64(-1)
            if kind == TEXT:
                text = np.int64(value)
            else:
                negative = value >> _SIGN == _ONE
                size = value & _SIZE
                if kind != WHOLE and size >= _INFINITE:
                    text = words[j]
                    if size == _INFINITE:
                        text += np.int64(2 if negative else 1)
                else:
                    if negative:
                        room[at] = 45
                        at += 1
                    if kind == WHOLE:
                        if negative:
                            value = ~value + _ONE
                        at = _put_digits(room, at, _count_digits(value), value)
                    else:
                        # -0.0 is no whole number.
                        short = kind == SHORT and not (negative and size == _NOUGHT)
                        at = _put_float(room, at, size, short)
            if text >= 0:
                for k in range(starts[text], starts[text + 1]):
                    room[at] = content[k]
                    at += 1
        for k in range(starts[columns], starts[columns + 1]):
            room[at] = content[k]
            at += 1
    return at
