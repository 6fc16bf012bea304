"""Java object streams, from plain values to bytes."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

__all__ = ["EnumConstant", "Layout", "ObjectArray", "Thing", "object_stream"]

_NULL, _REFERENCE, _CLASS_DESC, _OBJECT, _STRING, _ARRAY = (bytes([b]) for b in range(0x70, 0x76))
_BLOCK, _END_BLOCK, _LONG_STRING, _ENUM = b"\x77", b"\x78", b"\x7c", b"\x7e"
_FIRST_HANDLE: Final = 0x7E0000
_STRUCT = {"B": "b", "C": "H", "D": "d", "F": "f", "I": "i", "J": "q", "Z": "?"}


@dataclass(frozen=True)
class Layout:
    """A class as a stream describes it.

    Parameters
    ----------
    uid
        Its serialVersionUID.
    fields
        Types and names in turn, primitive types first, such as ``I size [D m_perBag``.
    parent
        The class it extends, if that one is written too.
    writes
        Whether its objects are followed by what its own writeObject adds.
    """

    name: str
    uid: int
    fields: str = ""
    parent: Layout | None = None
    writes: bool = False
    enum: bool = False

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Type and name of each own field."""
        words = self.fields.split()
        return list(zip(words[::2], words[1::2], strict=True))

    @property
    def lineage(self) -> list[Layout]:
        """Its ancestors from the first on, and itself."""
        return [*(self.parent.lineage if self.parent else ()), self]


@dataclass(eq=False)
class Thing:
    """An object: its class, the values of its fields, and what its class writes besides.

    A field is named as it is, or ``Class.field`` where an ancestor has one of that name too;
    a reference that is not named is null.
    """

    layout: Layout
    values: Mapping[str, Any]
    extras: Sequence[Any] = field(default=())


@dataclass(eq=False)
class ObjectArray:
    """An array of objects, with the class of the array."""

    layout: Layout
    items: Sequence[Any]


@dataclass(eq=False)
class EnumConstant:
    """A constant of an enumeration."""

    layout: Layout
    name: str


def object_stream(*things: object) -> bytes:
    """The stream of these objects, each written once however often it is referred to.

    Values are None, texts, `Thing`, `ObjectArray`, `EnumConstant`, numpy arrays (of float64,
    int32, int8 or bool) and, among the extras of a thing, raw bytes.
    """
    stream = _Stream()
    for thing in things:
        stream.write(thing)
    return b"".join(stream.out)


_ARRAYS = {
    np.dtype(np.float64): Layout("[D", 0x3EA68C14AB635A1E),
    np.dtype(np.int32): Layout("[I", 0x4DBA602676EAB2A5),
    np.dtype(np.int8): Layout("[B", 0xACF317F8060854E0),
    np.dtype(np.bool_): Layout("[Z", 0x578F203914B85DE2),
}


class _Raw(bytes):
    """Bytes that go out as they are."""


class _Stream:
    def __init__(self) -> None:
        self.out: list[bytes] = [b"\xac\xed\x00\x05"]
        # Objects by identity, kept alive so that no other takes their place; texts by value.
        self.handles: dict[int | str, int] = {}
        self.alive: list[object] = []

    def write(self, value: object) -> None:
        """An explicit stack: trees may be deeper than Python's own."""
        stack: list[object] = [value]
        while stack:
            now = stack.pop()
            if isinstance(now, _Raw):
                self.out.append(now)
            else:
                stack.extend(reversed(self.begin(now)))

    def keep(self, key: int | str, value: object) -> None:
        self.alive.append(value)
        self.handles[key] = _FIRST_HANDLE + len(self.alive) - 1

    def begin(self, value: object) -> list[object]:
        """Write what stands before the parts of a value, and give the parts."""
        if value is None:
            self.out.append(_NULL)
            return []
        key = value if isinstance(value, str) else id(value)
        if key in self.handles:
            self.out.append(_REFERENCE + struct.pack(">I", self.handles[key]))
            return []
        if isinstance(value, str):
            self.keep(value, value)
            self.out.append(_text(value))
            return []
        if isinstance(value, bytes):
            assert len(value) < 256
            self.out.append(_BLOCK + bytes([len(value)]) + value)
            return []
        if isinstance(value, Thing):
            self.out.append(_OBJECT)
            self.describe(value.layout)
            self.keep(key, value)
            return _parts(value)
        if isinstance(value, EnumConstant):
            self.out.append(_ENUM)
            self.describe(value.layout)
            self.keep(key, value)
            return [value.name]
        self.out.append(_ARRAY)
        if isinstance(value, ObjectArray):
            self.describe(value.layout)
            self.keep(key, value)
            self.out.append(struct.pack(">i", len(value.items)))
            return list(value.items)
        assert isinstance(value, np.ndarray)
        self.describe(_ARRAYS[value.dtype])
        self.keep(key, value)
        big = value.astype(value.dtype.newbyteorder(">"))
        self.out.append(struct.pack(">i", len(value)) + big.tobytes())
        return []

    def describe(self, layout: Layout) -> None:
        """A class and those above it, or a reference if it was described before."""
        chain: Layout | None = layout
        while chain is not None:
            key = f"class {chain.name}"
            if key in self.handles:
                self.out.append(_REFERENCE + struct.pack(">I", self.handles[key]))
                return
            flags = 0x02 | (0x01 if chain.writes else 0) | (0x10 if chain.enum else 0)
            uid = struct.pack(">Q", chain.uid)
            self.out.append(_CLASS_DESC + _short(chain.name) + uid)
            self.keep(key, chain)
            self.out.append(struct.pack(">BH", flags, len(chain.pairs)))
            for kind, name in chain.pairs:
                self.out.append(kind[0].encode() + _short(name))
                if kind[0] in "[L":
                    self.begin(kind)
            self.out.append(_END_BLOCK)
            chain = chain.parent
        self.out.append(_NULL)


def _parts(thing: Thing) -> list[object]:
    """The fields of an object, class by class, and what its class adds."""
    parts: list[object] = []
    for layout in thing.layout.lineage:
        for kind, name in layout.pairs:
            # A name that an ancestor has too is told apart by its class.
            short = layout.name.rpartition(".")[2]
            value = thing.values.get(f"{short}.{name}", thing.values.get(name))
            if kind in _STRUCT:
                parts.append(_Raw(struct.pack(f">{_STRUCT[kind]}", value)))
            else:
                parts.append(value)
        if layout.writes:
            if layout is thing.layout:
                parts.extend(thing.extras)
            parts.append(_Raw(_END_BLOCK))
    return parts


def _encoded(text: str) -> bytes:
    """Java's own UTF-8: zero in two bytes, and surrogates one by one."""
    units = text.encode("utf-16-be", "surrogatepass")
    halves = "".join(map(chr, struct.unpack(f">{len(units) // 2}H", units)))
    return halves.encode("utf-8", "surrogatepass").replace(b"\x00", b"\xc0\x80")


def _short(text: str) -> bytes:
    raw = _encoded(text)
    return struct.pack(">H", len(raw)) + raw


def _text(text: str) -> bytes:
    raw = _encoded(text)
    if len(raw) > 0xFFFF:
        return _LONG_STRING + struct.pack(">Q", len(raw)) + raw
    return _STRING + struct.pack(">H", len(raw)) + raw
