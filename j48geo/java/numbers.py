"""Numbers as Java writes and reads them: leaf counts and thresholds of a printed tree, cells.

Weka prints the counts of a leaf with ``Utils.roundDouble(x, 2)`` and ``Double.toString``
(J48-TEXT-FORMAT section 1.1), the threshold of a ``-B`` tree with ``Double.toString`` and
any other threshold with ``Utils.doubleToString(t, 6)`` (section 1.2).
"""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Context, Decimal
from math import copysign, floor, isinf, isnan, log10

import numpy as np
from numpy.typing import ArrayLike

from j48geo.arrays import Bools, Floats

SMALL = 1e-6
"""Weka's ``Utils.SMALL``: differences up to it count as nothing."""

HALF_UNIT = 5e-7
"""Half a unit of the sixth decimal, the last one of a printed threshold."""

_LONG_MAX = 2**63 - 1
# Wide enough for every double written out in full (1,075 places), so that only the wanted
# rounding happens.
_EXACT = Context(prec=1200, rounding=ROUND_HALF_UP)

# What Java's String.trim takes away: everything up to the blank.
_TRIMMED = "".join(map(chr, range(0x21)))
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_HEXADECIMAL = re.compile(
    r"([+-]?)0[xX](?=\.?[0-9a-fA-F])([0-9a-fA-F]*)\.?([0-9a-fA-F]*)[pP]([+-]?[0-9]+)"
)
_NAMED = {"NaN": float("nan"), "Infinity": float("inf")}
_INTEGER = re.compile(r"[+-]?\d+")
_LARGEST_INT = 2**31 - 1
# Beyond this a hexadecimal exponent decides alone, whatever the digits before it.
_LARGEST_EXPONENT = 10**6


def double_to_string(x: float) -> str:
    """`x` as Java's ``Double.toString`` writes it.

    The shortest decimal that gives the double back, plain from 1e-3 up to 1e7 and with
    ``E`` outside, always with a decimal point.

    Notes
    -----
    From 2^53 to 2^63 the digits are those of Java 17, which Java 19 and later shorten. Java
    before 19 writes a digit too many for a few others (JDK-4511638). All of these forms read
    back as the same number.

    Examples
    --------
    >>> double_to_string(14.0), double_to_string(113200026.0), double_to_string(1e-9)
    ('14.0', '1.13200026E8', '1.0E-9')
    >>> double_to_string(71262962396296288.0)
    '7.1262962396296288E16'
    """
    if isnan(x):
        return "NaN"
    sign = "-" if copysign(1.0, x) < 0 else ""
    if isinf(x):
        return f"{sign}Infinity"
    if x == 0:
        return f"{sign}0.0"
    is_large = 2**53 <= abs(x) < 2**63
    decimal = Decimal(_round_whole(int(abs(x)))) if is_large else Decimal(repr(abs(x)))
    mantissa, exponent_text = f"{decimal:e}".lower().split("e")
    digits = mantissa.replace(".", "").rstrip("0")
    exponent = int(exponent_text)
    if not -3 <= exponent < 7:
        return f"{sign}{digits[0]}.{digits[1:] or '0'}E{exponent}"
    if exponent < 0:
        return f"{sign}0.{'0' * (-exponent - 1)}{digits}"
    whole = digits[: exponent + 1].ljust(exponent + 1, "0")
    return f"{sign}{whole}.{digits[exponent + 1 :] or '0'}"


def round_count(x: float) -> float:
    """A leaf count rounded to two decimals: floor(100 x + 1/2) / 100, in Java's ``long``.

    Above about 9.22e16 the ``long`` saturates.
    """
    scaled = x * 100.0
    if scaled >= _LONG_MAX:
        return _LONG_MAX / 100.0
    below = floor(scaled)
    # Not floor(scaled + 0.5): that sum would itself round, which Math.round avoids.
    return (below + 1 if scaled - below >= 0.5 else below) / 100.0


def count_to_string(x: float) -> str:
    """A leaf count as Weka prints it.

    Examples
    --------
    >>> count_to_string(15.267857142857142)
    '15.27'
    """
    return double_to_string(round_count(x))


def leaf_counts_to_string(weight: float, errors: float) -> str:
    """The counts after a label; the errors are left out if they are at most 1e-6.

    Examples
    --------
    >>> leaf_counts_to_string(14.0, 5.0), leaf_counts_to_string(4.0, 0.0)
    ('(14.0/5.0)', '(4.0)')
    """
    if errors > SMALL:
        return f"({count_to_string(weight)}/{count_to_string(errors)})"
    return f"({count_to_string(weight)})"


def decimal_to_string(x: float, places: int) -> str:
    """`x` as Weka 3.7 and later prints it with at most so many decimals.

    As it is if its shortest decimal has no more, otherwise its exact binary value rounded
    half up; no exponent, no trailing zeros.

    Examples
    --------
    >>> decimal_to_string(75.0, 6), decimal_to_string(-1e-9, 6), decimal_to_string(2.00005, 4)
    ('75', '-0', '2')
    >>> decimal_to_string(71262962396296288.0, 6), decimal_to_string(702049102198055424.0, 6)
    ('71262962396296288', '702049102198055420')
    """
    if isnan(x) or isinf(x):
        return double_to_string(x)
    if 2**53 <= abs(x) < 2**63:
        return f"{'-' if x < 0 else ''}{_round_whole(int(abs(x)))}"
    shortest = Decimal(repr(x))
    exponent = shortest.as_tuple().exponent
    assert isinstance(exponent, int)  # finite
    if exponent < -places:
        shortest = Decimal(x).quantize(Decimal(1).scaleb(-places), context=_EXACT)
    text = f"{shortest:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _round_whole(whole: int) -> int:
    """A double without a fraction, from 2^53 to 2^63, with the digits that Java 17 gives it.

    Not the shortest that give it back: all but those that a step between doubles, 2^(bits - 53),
    makes meaningless, half a unit of the last one rounded up.
    """
    p = whole.bit_length() - 55
    unit = 10 ** floor(p * log10(2)) if p > 1 else 1
    return (whole + unit // 2) // unit * unit


def threshold_to_string(t: float) -> str:
    """A threshold as Weka 3.7 and later prints it without ``-B``: six decimals at most.

    Examples
    --------
    >>> threshold_to_string(75.0), threshold_to_string(0.1234565), threshold_to_string(-1e-9)
    ('75', '0.123456', '-0')
    """
    return decimal_to_string(t, 6)


def threshold_to_string_36(t: float) -> str:
    """A threshold as Weka 3.6 prints it without ``-B``.

    The whole number of millionths nearest to it, halves away from zero, computed in
    doubles; ``Double.toString`` if that number does not fit a ``long``.

    Examples
    --------
    >>> threshold_to_string_36(0.1234565), threshold_to_string_36(9.3e12)
    ('0.123457', '9.3E12')
    """
    scaled = abs(t) * 1e6
    if not scaled < float(_LONG_MAX):
        return double_to_string(t)
    millionths = int(scaled + 0.5)
    whole, rest = divmod(millionths, 10**6)
    text = f"{whole}.{rest:06d}".rstrip("0").rstrip(".")
    return f"-{text}" if t < 0 and millionths else text


def is_compatible(
    values: ArrayLike, threshold: float | Floats, half_unit: float | Floats = HALF_UNIT
) -> Bools:
    """Which of `values` could have been printed as `threshold` with six decimals.

    |v - T| <= 5e-7 (1 + 1e-9) + 2 ulp(v), J48-TEXT-FORMAT section 1.2: never a comparison
    of texts, since versions of Weka and of Java round ties differently.

    Parameters
    ----------
    values : array of float64
        NaN is compatible with nothing.
    threshold
        The printed number; or one for each value.
    half_unit
        Half a unit of its last decimal; likewise.
    """
    v = np.asarray(values, dtype=np.float64)
    finite = np.where(np.isfinite(v), v, 0.0)
    # 1e308 has the ulp of everything above it, and the spacing of the last double overflows.
    ulp = np.spacing(np.minimum(np.abs(finite), 1e308))
    allowed = half_unit * (1 + 1e-9) + 2 * ulp
    with np.errstate(over="ignore"):
        near: Bools = np.abs(finite - threshold) <= allowed
    return near & np.isfinite(v)


# ----------------------------------------------------------------------------------- reading


def parse_double(text: str) -> float | None:
    """What ``Double.valueOf(text)`` gives; None where it throws.

    Examples
    --------
    >>> parse_double("1."), parse_double("2.5F"), parse_double("0x1p3"), parse_double("inf")
    (1.0, 2.5, 8.0, None)
    """
    if _DECIMAL.fullmatch(text):
        return float(text)
    text = text.strip(_TRIMMED)
    if _DECIMAL.fullmatch(text):
        return float(text)
    sign = -1.0 if text.startswith("-") else 1.0
    if (named := _NAMED.get(text[1:] if text[:1] in ("+", "-") else text)) is not None:
        return sign * named
    if text[-1:] in ("d", "D", "f", "F"):
        if _DECIMAL.fullmatch(text, 0, len(text) - 1):
            return float(text[:-1])
        hexadecimal = _HEXADECIMAL.fullmatch(text, 0, len(text) - 1)
    else:
        hexadecimal = _HEXADECIMAL.fullmatch(text)
    return None if hexadecimal is None else _hexadecimal(hexadecimal)


def _hexadecimal(match: re.Match[str]) -> float:
    sign = -1.0 if match[1] == "-" else 1.0
    whole, fraction = match[2], match[3]
    if not (whole + fraction).strip("0"):
        return sign * 0.0
    exponent = int(match[4][:12])
    if abs(exponent) > _LARGEST_EXPONENT:
        return sign * (float("inf") if exponent > 0 else 0.0)
    try:
        return float.fromhex(f"{match[1]}0x{whole or 0}.{fraction}p{exponent}")
    except OverflowError:
        return sign * float("inf")


def parse_int(text: str) -> int | None:
    """What ``Integer.valueOf(text)`` gives; None where it throws.

    Digits of every script count, as long as each is one Java char.
    """
    if not _INTEGER.fullmatch(text) or any(ord(char) > 0xFFFF for char in text):
        return None
    if len(text) < 10 and text.isascii():
        return int(text)
    # Leading zeros are no reason to convert a thousand digits.
    if len(digits := text.lstrip("+-").lstrip("0")) > 1000:
        return None
    value = int(digits or "0")
    value = -value if text.startswith("-") else value
    return value if -_LARGEST_INT - 1 <= value <= _LARGEST_INT else None
