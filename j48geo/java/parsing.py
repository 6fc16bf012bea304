"""Numbers as Java reads them from text."""

from __future__ import annotations

import re

__all__ = ["java_double", "java_int"]

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


def java_double(text: str) -> float | None:
    """What ``Double.valueOf(text)`` gives; None where it throws.

    Examples
    --------
    >>> java_double("1."), java_double("2.5F"), java_double("0x1p3"), java_double("inf")
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


def java_int(text: str) -> int | None:
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
