"""Java object streams, from plain values to bytes."""

from __future__ import annotations

import struct

import numpy as np

from j48geo.java import objects as java
from j48geo.java.objects import JavaArray, JavaClass, JavaEnum, JavaObject, encode_text


def write_objects(*things: object) -> bytes:
    """The stream of these objects, each written once however often it is referred to.

    Values are None, texts, `JavaObject`, `JavaArray`, `JavaEnum`, numpy arrays (of float64,
    int32, int8 or bool) and, among the extras of a thing, raw bytes.
    """
    stream = _Stream()
    for thing in things:
        stream.write(thing)
    return b"".join(stream.out)


_ARRAYS = {
    np.dtype(np.float64): JavaClass("[D", 0x3EA68C14AB635A1E),
    np.dtype(np.int32): JavaClass("[I", 0x4DBA602676EAB2A5),
    np.dtype(np.int8): JavaClass("[B", 0xACF317F8060854E0),
    np.dtype(np.bool_): JavaClass("[Z", 0x578F203914B85DE2),
}


class _Raw(bytes):
    """Bytes that go out as they are."""


class _Stream:
    def __init__(self) -> None:
        self.out: list[bytes] = [java.MAGIC + java.VERSION]
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
        self.handles[key] = java.FIRST_HANDLE + len(self.alive) - 1

    def begin(self, value: object) -> list[object]:
        """Write what stands before the parts of a value, and give the parts."""
        if value is None:
            self.out.append(bytes([java.NULL]))
            return []
        key = value if isinstance(value, str) else id(value)
        if key in self.handles:
            self.out.append(bytes([java.REFERENCE]) + struct.pack(">I", self.handles[key]))
            return []
        if isinstance(value, str):
            self.keep(value, value)
            self.out.append(_text(value))
            return []
        if isinstance(value, bytes):
            assert len(value) < 256
            self.out.append(bytes([java.BLOCK]) + bytes([len(value)]) + value)
            return []
        if isinstance(value, JavaObject):
            self.out.append(bytes([java.OBJECT]))
            self.describe(value.cls)
            self.keep(key, value)
            return _parts(value)
        if isinstance(value, JavaEnum):
            self.out.append(bytes([java.ENUM]))
            self.describe(value.cls)
            self.keep(key, value)
            return [value.name]
        self.out.append(bytes([java.ARRAY]))
        if isinstance(value, JavaArray):
            self.describe(value.cls)
            self.keep(key, value)
            self.out.append(struct.pack(">i", len(value.items)))
            return list(value.items)
        assert isinstance(value, np.ndarray)
        self.describe(_ARRAYS[value.dtype])
        self.keep(key, value)
        big = value.astype(value.dtype.newbyteorder(">"))
        self.out.append(struct.pack(">i", len(value)) + big.tobytes())
        return []

    def describe(self, layout: JavaClass) -> None:
        """A class and those above it, or a reference if it was described before."""
        chain: JavaClass | None = layout
        while chain is not None:
            key = f"class {chain.name}"
            if key in self.handles:
                self.out.append(bytes([java.REFERENCE]) + struct.pack(">I", self.handles[key]))
                return
            uid = struct.pack(">Q", chain.uid)
            self.out.append(bytes([java.CLASS_DESC]) + _short(chain.name) + uid)
            self.keep(key, chain)
            self.out.append(struct.pack(">BH", chain.flags, len(chain.fields)))
            for kind, name in chain.fields:
                self.out.append(kind[0].encode() + _short(name))
                if kind[0] in "[L":
                    self.begin(kind)
            self.out.append(bytes([java.END_BLOCK]))
            chain = chain.parent
        self.out.append(bytes([java.NULL]))


def _parts(thing: JavaObject) -> list[object]:
    """The fields of an object, class by class, and what its class adds."""
    parts: list[object] = []
    for layout in thing.cls.lineage:
        for kind, name in layout.fields:
            # A name that an ancestor has too is told apart by its class.
            short = layout.name.rpartition(".")[2]
            value = thing.values.get(f"{short}.{name}", thing.values.get(name))
            if kind in java.PRIMITIVES:
                parts.append(_Raw(struct.pack(f">{java.PRIMITIVES[kind][0]}", value)))
            else:
                parts.append(value)
        if layout.flags & java.WRITE_METHOD:
            if layout is thing.cls:
                parts.extend(thing.extras)
            parts.append(_Raw(bytes([java.END_BLOCK])))
    return parts


def _short(text: str) -> bytes:
    raw = encode_text(text)
    return struct.pack(">H", len(raw)) + raw


def _text(text: str) -> bytes:
    raw = encode_text(text)
    if len(raw) > 0xFFFF:
        return bytes([java.LONG_STRING]) + struct.pack(">Q", len(raw)) + raw
    return bytes([java.STRING]) + struct.pack(">H", len(raw)) + raw
