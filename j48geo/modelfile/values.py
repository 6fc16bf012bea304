"""Values out of JSON that strangers may have written: of the right kind, or an error."""

from __future__ import annotations

from math import inf, nan
from typing import Any, NoReturn, TypeVar

import numpy as np

from j48geo.arrays import Floats, Ints

__all__ = ["Wrong", "fail", "number_of", "numbers_of", "value_of", "whole_numbers_of"]

_T = TypeVar("_T")
_NAMES: dict[type, str] = {
    str: "text",
    bool: "true or false",
    int: "a whole number",
    list: "a list",
    dict: "an object",
}


class Wrong(Exception):
    """Something in the JSON is not as it should be: where and what."""


def number_of(value: dict[str, Any], key: str, where: str) -> float:
    """A number; the infinities are words."""
    found = value.get(key)
    if isinstance(found, (int, float)) and not isinstance(found, bool):
        try:
            return float(found)
        except OverflowError:
            fail(where, f"{key!r} is too large")
    if found in ("Infinity", "-Infinity"):
        return inf if found == "Infinity" else -inf
    fail(where, f"{key!r} is {found!r}; expected a number")


def value_of(value: dict[str, Any], key: str, kind: type[_T], where: str) -> _T:
    """A value of exactly this kind."""
    found = value.get(key)
    if type(found) is not kind:
        fail(where, f"{key!r} is missing or not {_NAMES[kind]}")
    return found


def numbers_of(value: dict[str, Any], key: str, where: str, *, size: int | None = None) -> Floats:
    """A list of numbers as an array; null is NaN.

    Parameters
    ----------
    size
        How many there must be.
    """
    found = value_of(value, key, list, where)
    if size is not None and len(found) != size:
        fail(where, f"{key!r} has {len(found)} numbers; expected {size}")
    words = {None: nan, "Infinity": inf, "-Infinity": -inf}
    made = np.empty(len(found))
    for i, x in enumerate(found):
        if type(x) in (int, float):
            made[i] = number_of({key: x}, key, where)
        elif x is None or isinstance(x, str):
            if x not in words:
                fail(where, f"{key}[{i}] is {x!r}; expected a number")
            made[i] = words[x]
        else:
            fail(where, f"{key}[{i}] is {x!r}; expected a number")
    return made


def whole_numbers_of(
    value: dict[str, Any], key: str, where: str, *, size: int, low: int, high: int
) -> Ints:
    """A list of whole numbers from `low` up to `high`, not included."""
    found = value_of(value, key, list, where)
    if len(found) != size:
        fail(where, f"{key!r} has {len(found)} numbers; expected {size}")
    for i, x in enumerate(found):
        if type(x) is not int or not low <= x < high:
            fail(where, f"{key}[{i}] is {x!r}; expected a whole number from {low} to {high - 1}")
    return np.array(found, dtype=np.intp)


def fail(where: str, what: str) -> NoReturn:
    """Raise `Wrong`."""
    raise Wrong(f"{where}: {what}")
