"""Values of a Java object stream: objects by field, arrays, classes, enum constants."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Broken", "JavaArray", "JavaClass", "JavaEnum", "JavaObject"]


class Broken(Exception):
    """What is wrong with a stream, or with what it tells; becomes a `ModelReadError`."""


@dataclass(eq=False)
class JavaClass:
    """A class as the stream describes it.

    Parameters
    ----------
    fields
        Letter of the type and name of each own field, in the order of the stream.
    steps
        How to read an object of it, from its first ancestor on: groups of primitive fields
        (a `struct.Struct` and names), single references (a name), written data (None).
    lineage
        Its own name, and those of its ancestors.
    """

    name: str
    flags: int = 0
    fields: list[tuple[str, str]] = field(default_factory=list)
    steps: list[tuple[struct.Struct, list[str]] | str | None] = field(default_factory=list)
    lineage: tuple[str, ...] = ()


class JavaObject:
    """An object: its class, the values of its fields by name, what its class wrote itself."""

    __slots__ = ("cls", "extras", "values")

    def __init__(self, cls: JavaClass) -> None:
        self.cls = cls
        self.values: dict[str, Any] = {}
        self.extras: list[Any] | tuple[()] = ()


class JavaArray:
    """An array of objects; arrays of primitive types are numpy's."""

    __slots__ = ("items", "name")

    def __init__(self, name: str) -> None:
        self.name = name
        self.items: list[Any] = []


@dataclass(frozen=True)
class JavaEnum:
    """A constant of an enumeration."""

    cls: str
    name: str
