"""The format's name and versions, and values out of JSON that strangers may have written.

Every value is of the right kind, or there is an error that tells its place in the file. Numbers
that JSON lacks are null (NaN) or a word (infinities); arrays are lists.
"""

from __future__ import annotations

import sys
from math import inf, nan
from typing import Any, NoReturn, TypeVar

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.core.json_values import INFINITIES, number_json
from j48geo.words import shown

__all__ = [
    "FITTED_VERSION",
    "FORMAT",
    "LARGEST",
    "LARGEST_DOUBLE",
    "VERSION",
    "Json",
    "Wrong",
    "fail",
    "lists_of",
    "name_of",
    "number_between",
    "number_of",
    "numbers_json",
    "numbers_of",
    "object_of",
    "positive_of",
    "value_of",
    "whole_numbers_of",
]

FORMAT = "j48geo tree"
VERSION = 1
"""Of the whole file; 0.1.0 wrote the same."""
FITTED_VERSION = 1
"""Of the part ``fitted``; 0.1.0 wrote the same."""

LARGEST = 1e150
"""Numbers whose squares would leave the doubles are nobody's measurements."""
LARGEST_DOUBLE = sys.float_info.max

Json = dict[str, Any]
"""An object out of JSON."""

_T = TypeVar("_T")
_Name = TypeVar("_Name", bound=str)
_NAMES: dict[type, str] = {
    str: "text",
    bool: "true or false",
    int: "a whole number",
    list: "a list",
    dict: "an object",
}


class Wrong(Exception):
    """Something in the JSON is not as it should be: where and what."""


def fail(where: str, what: str) -> NoReturn:
    """Raise `Wrong`."""
    raise Wrong(f"{where}: {what}")


def value_of(value: Json, key: str, kind: type[_T], where: str) -> _T:
    """A value of exactly this kind."""
    found = value.get(key)
    if type(found) is not kind:
        fail(where, f"{key!r} is missing or not {_NAMES[kind]}")
    return found


def object_of(found: object, where: str) -> Json:
    """The object that stands in a list."""
    if not isinstance(found, dict):
        fail(where, "not an object")
    return found


def name_of(value: Json, key: str, known: tuple[_Name, ...], where: str) -> _Name:
    """One of these names."""
    for name in known:
        if value.get(key) == name:
            return name
    fail(where, f"{key!r} is {shown(value.get(key))}; expected one of {', '.join(known)}")


def number_of(value: Json, key: str, where: str) -> float:
    """A number; the infinities are words."""
    found = value.get(key)
    if isinstance(found, (int, float)) and not isinstance(found, bool):
        if not abs(found) <= LARGEST_DOUBLE:  # also what JSON's digits make infinite
            fail(where, f"{key!r} is too large")
        return float(found)
    if isinstance(found, str) and found in INFINITIES:
        return INFINITIES[found]
    fail(where, f"{key!r} is {shown(found)}; expected a number")


def number_between(value: Json, key: str, where: str, low: float, high: float) -> float:
    """A number from `low` to `high`, both included."""
    found = number_of(value, key, where)
    if not low <= found <= high:
        fail(where, f"{key!r} is {found:g}; expected a number from {low:g} to {high:g}")
    return found


def positive_of(value: Json, key: str, where: str) -> float:
    """A number above 0 that is not infinite."""
    found = number_of(value, key, where)
    if not 0 < found < inf:
        fail(where, f"{key!r} is {found}; expected a positive number")
    return found


def numbers_json(values: Floats) -> list[float | str | None]:
    """An array of numbers as a list; NaN is null."""
    return [number_json(x) for x in values.tolist()]


def numbers_of(value: Json, key: str, where: str, *, size: int | None = None) -> Floats:
    """A list of numbers as an array; null is NaN.

    Parameters
    ----------
    size
        How many there must be.
    """
    found = value_of(value, key, list, where)
    if size is not None and len(found) != size:
        fail(where, f"{key!r} has {len(found)} numbers; expected {size}")
    made = np.empty(len(found))
    for i, x in enumerate(found):
        if type(x) in (int, float):
            made[i] = number_of({key: x}, key, where)
        elif x is None:
            made[i] = nan
        elif isinstance(x, str) and x in INFINITIES:
            made[i] = INFINITIES[x]
        else:
            fail(where, f"{key}[{i}] is {shown(x)}; expected a number")
    return made


def whole_numbers_of(value: Json, key: str, where: str, *, size: int, low: int, high: int) -> Ints:
    """A list of whole numbers from `low` up to `high`, not included."""
    found = value_of(value, key, list, where)
    if len(found) != size:
        fail(where, f"{key!r} has {len(found)} numbers; expected {size}")
    for i, x in enumerate(found):
        if type(x) is not int or not low <= x < high:
            fail(
                where, f"{key}[{i}] is {shown(x)}; expected a whole number from {low} to {high - 1}"
            )
    return np.array(found, dtype=np.intp)


def lists_of(value: Json, key: str, n: int, where: str) -> list[Json]:
    """The lists in a list, `n` of them, each under `key` again."""
    found = value_of(value, key, list, where)
    if len(found) != n:
        fail(where, f"{key!r} has {len(found)} columns; expected {n}")
    return [{key: column} for column in found]
