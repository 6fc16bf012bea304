"""Fields of Java objects, each of the type it must have, or `Broken` with its name."""

from __future__ import annotations

from typing import Any, TypeVar, cast

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.read.java.values import Broken, JavaArray, JavaObject

__all__ = [
    "elements",
    "flag",
    "floats",
    "has",
    "inside",
    "integers",
    "is_a",
    "items",
    "number",
    "optional",
    "text",
    "whole",
]

_T = TypeVar("_T")

_LISTS = {
    "weka.core.FastVector": ("m_Objects", "m_Size"),
    "java.util.Vector": ("elementData", "elementCount"),
}


def is_a(value: object, name: str) -> bool:
    """Whether it is an object of exactly this class."""
    return isinstance(value, JavaObject) and value.cls.name == name


def has(thing: JavaObject, name: str) -> bool:
    """Whether the class has such a field in the version that wrote the file."""
    return name in thing.values


def _field(thing: JavaObject, name: str, kind: type[_T]) -> _T:
    value = thing.values.get(name)
    # Exactly this type: a boolean is no number here, as it is none in Java.
    if type(value) is not kind:
        short = thing.cls.name.rpartition(".")[2]
        found = "is missing" if value is None else f"is a {_named(value)}"
        raise Broken(f"the field {name} of {short} {found}; expected {_NAMES.get(kind, kind)}")
    return value


_NAMES: dict[type, str] = {
    str: "a text",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    JavaObject: "an object",
    JavaArray: "an array of objects",
    np.ndarray: "an array of numbers",
}


def _named(value: object) -> str:
    if isinstance(value, JavaObject):
        return value.cls.name
    return value.name if isinstance(value, JavaArray) else type(value).__name__


def flag(thing: JavaObject, name: str) -> bool:
    """A boolean field."""
    return _field(thing, name, bool)


def whole(thing: JavaObject, name: str) -> int:
    """A field that is a whole number."""
    return _field(thing, name, int)


def number(thing: JavaObject, name: str) -> float:
    """A field that is a finite number."""
    value = _field(thing, name, float)
    if not np.isfinite(value):
        raise Broken(f"the field {name} is {value}; expected a finite number")
    return value


def text(thing: JavaObject, name: str) -> str:
    """A field that is a text."""
    return _field(thing, name, str)


def inside(thing: JavaObject, name: str) -> JavaObject:
    """A field that is an object."""
    return _field(thing, name, JavaObject)


def optional(thing: JavaObject, name: str) -> JavaObject | None:
    """A field that is an object, null, or not there in this version."""
    return None if thing.values.get(name) is None else inside(thing, name)


def items(thing: JavaObject, name: str) -> list[Any]:
    """The elements of a field that is an array of objects."""
    return _field(thing, name, JavaArray).items


def floats(thing: JavaObject, name: str, count: int) -> Floats:
    """A field that is an array of this many finite doubles."""
    return doubles(thing.values.get(name), name, count)


def doubles(value: object, name: str, count: int) -> Floats:
    """An array of this many finite doubles."""
    if not isinstance(value, np.ndarray) or value.dtype != np.float64:
        raise Broken(f"{name} is no array of doubles")
    if len(value) != count:
        raise Broken(f"{name} has {len(value)} numbers; expected {count}")
    if not np.isfinite(value).all():
        raise Broken(f"{name} holds what is no finite number")
    return cast(Floats, value)


def integers(thing: JavaObject, name: str) -> Ints:
    """A field that is an array of whole numbers."""
    value = thing.values.get(name)
    if not isinstance(value, np.ndarray) or value.dtype != np.int32:
        raise Broken(f"{name} is no array of whole numbers")
    return value.astype(np.intp)


def elements(thing: JavaObject, name: str) -> list[Any]:
    """The elements of a field that is a list: ArrayList, or the FastVector of old Wekas."""
    found = inside(thing, name)
    if found.cls.name == "java.util.ArrayList":
        size = whole(found, "size")
        # Its writeObject puts the capacity first, as raw bytes.
        listed = [value for value in found.extras if not isinstance(value, bytes)]
        if len(listed) != size:
            raise Broken(f"the list {name} has {len(listed)} elements; expected {size}")
        return listed
    if found.cls.name not in _LISTS:
        raise Broken(f"the field {name} is a {found.cls.name}; expected a list")
    array, count = _LISTS[found.cls.name]
    size = whole(found, count)
    listed = items(found, array)
    if not 0 <= size <= len(listed):
        raise Broken(f"the list {name} has room for {len(listed)} elements; it claims {size}")
    return listed[:size]
