"""Many decimal numbers at once, without a call for each.

A number such as ``-12.5`` is the whole number 125, divided by a power of ten and negated. NumPy
reads whole numbers quickly; up to 2^53, and for powers up to 10^22, the one division is rounded
as the number itself would be. The rest is read one by one.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

__all__ = ["parse_numbers"]

_POWERS = np.array([10.0**power for power in range(23)])  # all exact
_LARGEST_MANTISSA = 2**53
_MOST_DIGITS = 18
_BLANK = 32

_DIGIT, _POINT, _MINUS, _OTHER = 0, 1, 2, 3
_KINDS = np.full(256, _OTHER, dtype=np.uint8)
_KINDS[list(b"0123456789 ")] = _DIGIT
_KINDS[ord(".")] = _POINT
_KINDS[ord("-")] = _MINUS

_NUMBER = re.compile(rb"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


def parse_numbers(
    view: NDArray[np.uint8], begins: NDArray[np.int64], ends: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The numbers that stand in ``view[begins[i]:ends[i]]``; ``?`` is NaN.

    Parameters
    ----------
    begins, ends
        Edges of the words, rising, with something between two of them.

    Returns
    -------
    values : array of float64, shape (n,)
    bad : array of bool, shape (n,)
        True where a word is no plain number: its value means nothing.
    """
    values = np.full(len(begins), np.nan)
    bad = np.zeros(len(begins), dtype=bool)
    if not len(begins):
        return values, bad
    text = np.where(_inside(len(view), begins, ends), view, np.uint8(_BLANK))
    kinds = _KINDS[text]
    points = np.flatnonzero(kinds == _POINT)
    pointed = _word_of(points, begins)
    negative = text[begins] == ord("-")

    # How many digits, and how many of them behind the point.
    digits = ends - begins - negative
    digits[pointed] -= 1
    decimals = np.zeros(len(begins), dtype=np.int64)
    decimals[pointed] = ends[pointed] - points - 1

    odd = (digits < 1) | (digits > _MOST_DIGITS)
    odd[pointed[1:][pointed[1:] == pointed[:-1]]] = True
    odd[_word_of(np.flatnonzero(kinds == _OTHER), begins)] = True
    if np.count_nonzero(kinds == _MINUS) != np.count_nonzero(negative):
        minus = np.flatnonzero(kinds == _MINUS)
        word = _word_of(minus, begins)
        odd[word[minus != begins[word]]] = True

    plain = ~odd
    if odd.any():
        inside = _inside(len(view), begins[plain], ends[plain])
        text = np.where(inside, view, np.uint8(_BLANK))
    if plain.any():
        whole = np.fromstring(text.tobytes().translate(None, b".-"), dtype=np.int64, sep=" ")
        numbers = whole / _POWERS[decimals[plain]]
        values[plain] = np.where(negative[plain], -numbers, numbers)
        odd[plain] = whole > _LARGEST_MANTISSA
    if odd.any():
        inside = _inside(len(view), begins[odd], ends[odd])
        words = np.where(inside, view, np.uint8(_BLANK)).tobytes().split()
        numbers_or_none = _one_by_one(words)
        values[odd] = np.array(numbers_or_none, dtype=np.float64)  # None becomes NaN
        bad[odd] = [number is None for number in numbers_or_none]
    return values, bad


def _one_by_one(words: list[bytes]) -> list[float] | list[float | None]:
    # With these bytes alone Python and Java agree on what is a number.
    if not b"".join(words).translate(None, b"0123456789+-.eE"):
        try:
            return [float(word) for word in words]
        except ValueError:
            pass
    return [_number(word) for word in words]


def _number(word: bytes) -> float | None:
    if word == b"?":
        return float("nan")
    return float(word) if _NUMBER.fullmatch(word) else None


def _inside(size: int, begins: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.bool_]:
    """True within the words."""
    steps = np.zeros(size + 1, dtype=np.int8)
    steps[begins] = 1
    steps[ends] = -1
    return np.cumsum(steps[:-1], dtype=np.int8).view(np.bool_)


def _word_of(places: NDArray[np.int64], begins: NDArray[np.int64]) -> NDArray[np.int64]:
    """Which word each place is in."""
    return np.searchsorted(begins, places, side="right") - 1
