"""Objects out of JSON that strangers may have written: values of the right kind, or an error.

`parse_file` parses the file, `Part` is an object in it. An error tells the place in the file.
Numbers that JSON lacks are null (NaN) or a word (infinities); arrays are lists.
"""

from __future__ import annotations

import json
import sys
from math import inf, nan
from typing import Any, NoReturn, TypeVar

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.core.json_values import INFINITIES
from j48geo.errors import ModelReadError
from j48geo.text import quote_value

LARGEST_MEASUREMENT = 1e150
"""Numbers whose squares would leave the doubles are nobody's measurements."""
LARGEST_DOUBLE = sys.float_info.max

_T = TypeVar("_T")
_Name = TypeVar("_Name", bound=str)
_KINDS: dict[type, str] = {
    str: "text",
    bool: "true or false",
    int: "a whole number",
    list: "a list",
    dict: "an object",
}


EXPECTED_JSON = "expected the JSON that j48geo writes"


class PartError(Exception):
    """Something in the JSON is not as it should be: where and what."""


class Part:
    """An object of the file and its place; `where` is empty for the file itself."""

    __slots__ = ("value", "where")

    def __init__(self, value: object, where: str = "") -> None:
        self.where = where
        if not isinstance(value, dict):
            self.fail("not an object")
        self.value: dict[str, Any] = value

    def fail(self, what: str) -> NoReturn:
        """Raise `PartError`."""
        raise PartError(f"{self.where or 'the file'}: {what}")

    def has(self, key: str) -> bool:
        """Whether there is such a key, and more than null under it."""
        return self.value.get(key) is not None

    def get(self, key: str, kind: type[_T]) -> _T:
        """A value of exactly this kind."""
        value = self.value.get(key)
        if type(value) is not kind:
            self.fail(f"{key!r} is missing or not {_KINDS[kind]}")
        return value

    def part(self, key: str) -> Part:
        """The object under a key."""
        return Part(self.get(key, dict), f"{self.where}.{key}".lstrip("."))

    def parts(self, key: str) -> list[Part]:
        """The objects in a list."""
        where = f"{self.where}.{key}".lstrip(".")
        return [Part(item, f"{where}[{i}]") for i, item in enumerate(self.get(key, list))]

    def name(self, key: str, known: tuple[_Name, ...]) -> _Name:
        """One of these names."""
        value = self.value.get(key)
        for name in known:
            if value == name:
                return name
        self.fail(f"{key!r} is {quote_value(value)}; expected one of {', '.join(known)}")

    def number(self, key: str, low: float = -inf, high: float = inf) -> float:
        """A number from `low` to `high`, both included."""
        number = self._number(key, key, self.value.get(key))
        if not low <= number <= high:
            self.fail(f"{key!r} is {number:g}; expected a number from {low:g} to {high:g}")
        return number

    def _number(self, key: str, shown_key: str, value: object) -> float:
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            if not abs(value) <= LARGEST_DOUBLE:  # also what JSON's digits make infinite
                self.fail(f"{key!r} is too large")
            return float(value)
        if isinstance(value, str) and value in INFINITIES:
            return INFINITIES[value]
        place = repr(key) if shown_key == key else shown_key
        self.fail(f"{place} is {quote_value(value)}; expected a number")

    def positive(self, key: str) -> float:
        """A number above 0 that is not infinite."""
        value = self.number(key)
        if not 0 < value < inf:
            self.fail(f"{key!r} is {value}; expected a positive number")
        return value

    def _list(self, key: str, size: int | None, of: str) -> list[Any]:
        values = self.get(key, list)
        if size is not None and len(values) != size:
            self.fail(f"{key!r} has {len(values)} {of}; expected {size}")
        return values

    def numbers(self, key: str, size: int | None = None) -> Floats:
        """A list of so many numbers as an array; null is NaN."""
        values = self._list(key, size, "numbers")
        each = (
            nan if x is None else self._number(key, f"{key}[{i}]", x) for i, x in enumerate(values)
        )
        return np.fromiter(each, np.float64, len(values))

    def whole_numbers(self, key: str, size: int, low: int, high: int) -> Ints:
        """A list of whole numbers from `low` up to `high`, not included."""
        values = self._list(key, size, "numbers")
        for i, x in enumerate(values):
            if type(x) is not int or not low <= x < high:
                wanted = f"expected a whole number from {low} to {high - 1}"
                self.fail(f"{key}[{i}] is {quote_value(x)}; {wanted}")
        return np.array(values, dtype=np.intp)

    def lists(self, key: str, n: int) -> list[Part]:
        """The lists in a list, `n` of them, each under `key` again."""
        return [Part({key: column}, self.where) for column in self._list(key, n, "columns")]

    def require(self, holds: object, what: str) -> None:
        """Fail unless it holds."""
        if not holds:
            self.fail(what)


def parse_file(data: bytes, source: str) -> Part | None:
    """The object that the bytes of a file are; None if they are another JSON value.

    Raises
    ------
    ModelReadError
        If they are no JSON, or hold what JSON does not define.
    """
    try:
        value = json.loads(
            data.decode("utf-8-sig"), parse_constant=_refuse_constant, object_pairs_hook=_object
        )
    except json.JSONDecodeError as error:
        line = error.doc.splitlines()[error.lineno - 1 : error.lineno] or [""]
        raise ModelReadError(
            f"broken JSON: {error.msg}", EXPECTED_JSON, source, error.lineno, error.colno, line[0]
        ) from error
    except (UnicodeDecodeError, RecursionError, ValueError) as error:
        raise ModelReadError(f"broken JSON: {error}", EXPECTED_JSON, source) from error
    return Part(value) if isinstance(value, dict) else None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; of a key that comes twice nobody knows which value is meant."""
    unique = dict(pairs)
    if len(unique) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for i, key in enumerate(keys) if key in keys[:i])
        raise ValueError(f"the key {quote_value(twice)} comes twice in an object")
    return unique


def _refuse_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON number")
