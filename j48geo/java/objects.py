"""Serialized Java objects as plain values, and how streams spell them.

The grammar is that of the Java Object Serialization Specification, chapter 6; `j48geo.read.java`
reads such streams, `write_objects` writes them. A getter gives a field of the type it
must have, or `StreamError` with its name.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, TypeVar, cast

import numpy as np

from j48geo.arrays import Floats, Ints

MAGIC: Final = b"\xac\xed"
STREAM_VERSION: Final = b"\x00\x05"
FIRST_HANDLE: Final = 0x7E0000

NULL, REFERENCE, CLASS_DESC, OBJECT, STRING, ARRAY, CLASS_OBJECT = range(0x70, 0x77)
BLOCK_DATA, END_BLOCK, RESET, BLOCK_DATA_LONG = range(0x77, 0x7B)
EXCEPTION, LONG_STRING, PROXY, ENUM = range(0x7B, 0x7F)
WRITE_METHOD, SERIALIZABLE, EXTERNALIZABLE, IS_ENUM = 1, 2, 4, 16

# Java's letter of a primitive type: its letter in `struct`, its type in numpy.
PRIMITIVES: Final = {
    "B": ("b", "i1"),
    "C": ("H", ">u2"),
    "D": ("d", ">f8"),
    "F": ("f", ">f4"),
    "I": ("i", ">i4"),
    "J": ("q", ">i8"),
    "S": ("h", ">i2"),
    "Z": ("?", "?"),
}

_T = TypeVar("_T")

_LISTS = {
    "weka.core.FastVector": ("m_Objects", "m_Size"),
    "java.util.Vector": ("elementData", "elementCount"),
}


class StreamError(Exception):
    """What is wrong with a stream, or with what it tells; becomes a `ModelReadError`."""


@dataclass(eq=False)
class JavaClass:
    """A class as a stream describes it.

    Parameters
    ----------
    uid
        Its serialVersionUID.
    fields
        Type and name of each own field, primitive types first.
    parent
        The class it extends, if that one is written too.
    """

    name: str
    uid: int = 0
    fields: Sequence[tuple[str, str]] = ()
    parent: JavaClass | None = None
    flags: int = SERIALIZABLE

    @classmethod
    def of(
        cls,
        name: str,
        uid: int,
        fields: str = "",
        parent: JavaClass | None = None,
        *,
        writes: bool = False,
        enum: bool = False,
    ) -> JavaClass:
        """One whose fields are types and names in turn, such as ``I size [D m_perBag``."""
        words = fields.split()
        flags = SERIALIZABLE | (WRITE_METHOD if writes else 0) | (IS_ENUM if enum else 0)
        return cls(name, uid, list(zip(words[::2], words[1::2], strict=True)), parent, flags)

    @cached_property
    def lineage(self) -> tuple[JavaClass, ...]:
        """The class with all above it, the first ancestor first."""
        return (*(self.parent.lineage if self.parent else ()), self)

    @cached_property
    def steps(self) -> list[tuple[struct.Struct, list[str]] | str | None]:
        """How to read an object of this class, from its first ancestor on.

        Groups of primitive fields (a `struct.Struct` and names), single references (a name),
        written data (None).
        """
        steps = list(self.parent.steps) if self.parent else []
        letters, names = "", list[str]()
        for kind, name in (*self.fields, ("", "")):
            if kind in PRIMITIVES:
                letters += PRIMITIVES[kind][0]
                names.append(name)
                continue
            if names:
                steps.append((struct.Struct(f">{letters}"), names))
                letters, names = "", []
            if kind:
                steps.append(name)
        if self.flags & WRITE_METHOD:
            steps.append(None)
        return steps


class JavaArray:
    """An array of objects; arrays of primitive types are numpy's."""

    __slots__ = ("cls", "items")

    def __init__(self, cls: JavaClass, items: Sequence[Any] = ()) -> None:
        self.cls = cls
        self.items = list(items)


@dataclass(frozen=True, eq=False)
class JavaEnum:
    """A constant of an enumeration."""

    cls: JavaClass
    name: str


class JavaObject:
    """An object: its class, the values of its fields by name, what its class wrote itself.

    Where an ancestor has a field of the same name, a writer may name it ``Class.field``.
    """

    __slots__ = ("cls", "extras", "values")

    def __init__(
        self, cls: JavaClass, values: Mapping[str, Any] | None = None, extras: Sequence[Any] = ()
    ) -> None:
        self.cls = cls
        self.values: dict[str, Any] = {} if values is None else dict(values)
        self.extras = extras

    def has(self, name: str) -> bool:
        """Whether the class has such a field in the version that wrote the file."""
        return name in self.values

    def get(self, name: str, kind: type[_T]) -> _T:
        """A field of exactly this type: a boolean is no number here, as it is none in Java."""
        value = self.values.get(name)
        if type(value) is not kind:
            short = self.cls.name.rpartition(".")[2]
            problem = "is missing" if value is None else f"is a {_type_name(value)}"
            raise StreamError(
                f"the field {name} of {short} {problem}; expected {_NAMES.get(kind, kind)}"
            )
        return value

    def flag(self, name: str) -> bool:
        """A boolean field."""
        return self.get(name, bool)

    def whole(self, name: str) -> int:
        """A field that is a whole number."""
        return self.get(name, int)

    def number(self, name: str) -> float:
        """A field that is a finite number."""
        value = self.get(name, float)
        if not np.isfinite(value):
            raise StreamError(f"the field {name} is {value}; expected a finite number")
        return value

    def text(self, name: str) -> str:
        """A field that is a text."""
        return self.get(name, str)

    def inside(self, name: str) -> JavaObject:
        """A field that is an object."""
        return self.get(name, JavaObject)

    def optional(self, name: str) -> JavaObject | None:
        """A field that is an object, null, or not there in this version."""
        return None if self.values.get(name) is None else self.inside(name)

    def items(self, name: str) -> list[Any]:
        """The elements of a field that is an array of objects."""
        return self.get(name, JavaArray).items

    def floats(self, name: str, count: int) -> Floats:
        """A field that is an array of this many finite doubles."""
        return check_doubles(self.values.get(name), name, count)

    def integers(self, name: str) -> Ints:
        """A field that is an array of whole numbers."""
        value = self.values.get(name)
        if not isinstance(value, np.ndarray) or value.dtype != np.int32:
            raise StreamError(f"{name} is no array of whole numbers")
        return value.astype(np.intp)

    def elements(self, name: str) -> list[Any]:
        """The elements of a field that is a list: ArrayList, or the FastVector of old Wekas."""
        java_list = self.inside(name)
        if java_list.cls.name == "java.util.ArrayList":
            size = java_list.whole("size")
            # Its writeObject puts the capacity first, as raw bytes.
            elements = [value for value in java_list.extras if not isinstance(value, bytes)]
            if len(elements) != size:
                raise StreamError(f"the list {name} has {len(elements)} elements; expected {size}")
            return elements
        if java_list.cls.name not in _LISTS:
            raise StreamError(f"the field {name} is a {java_list.cls.name}; expected a list")
        array, count = _LISTS[java_list.cls.name]
        size = java_list.whole(count)
        elements = java_list.items(array)
        if not 0 <= size <= len(elements):
            raise StreamError(
                f"the list {name} has room for {len(elements)} elements; it claims {size}"
            )
        return elements[:size]


_NAMES: dict[type, str] = {
    str: "a text",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    JavaObject: "an object",
    JavaArray: "an array of objects",
    np.ndarray: "an array of numbers",
}


def _type_name(value: object) -> str:
    return value.cls.name if isinstance(value, (JavaObject, JavaArray)) else type(value).__name__


def check_doubles(value: object, name: str, count: int) -> Floats:
    """An array of this many finite doubles."""
    if not isinstance(value, np.ndarray) or value.dtype != np.float64:
        raise StreamError(f"{name} is no array of doubles")
    if len(value) != count:
        raise StreamError(f"{name} has {len(value)} numbers; expected {count}")
    if not np.isfinite(value).all():
        raise StreamError(f"{name} holds what is no finite number")
    return cast(Floats, value)


def encode_text(text: str) -> bytes:
    """Java's own UTF-8: zero in two bytes, and surrogates one by one."""
    units = text.encode("utf-16-be", "surrogatepass")
    halves = "".join(map(chr, struct.unpack(f">{len(units) // 2}H", units)))
    return halves.encode("utf-8", "surrogatepass").replace(b"\x00", b"\xc0\x80")


def decode_text(raw: bytes) -> str:
    """The text of bytes in Java's own UTF-8; `UnicodeDecodeError` if they are none."""
    if raw.isascii():
        return raw.decode("ascii")
    if any(byte >= 0xF0 for byte in raw):
        raise UnicodeDecodeError("java", raw, 0, len(raw), "four bytes in a letter")
    halves = raw.replace(b"\xc0\x80", b"\x00").decode("utf-8", "surrogatepass")
    return halves.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


# ---------------------------------------------------------------------- writing


def write_objects(*objects: object) -> bytes:
    """The stream of these objects, each written once however often it is referred to.

    Values are None, texts, `JavaObject`, `JavaArray`, `JavaEnum`, numpy arrays (of float64,
    int32, int8 or bool) and, among the extras of a thing, raw bytes.
    """
    stream = _ObjectWriter()
    for value in objects:
        stream.write(value)
    return b"".join(stream.out)


_ARRAYS = {
    np.dtype(np.float64): JavaClass("[D", 0x3EA68C14AB635A1E),
    np.dtype(np.int32): JavaClass("[I", 0x4DBA602676EAB2A5),
    np.dtype(np.int8): JavaClass("[B", 0xACF317F8060854E0),
    np.dtype(np.bool_): JavaClass("[Z", 0x578F203914B85DE2),
}


class _Raw(bytes):
    """Bytes that go out as they are."""


class _ObjectWriter:
    """The bytes of a stream as they are written, and the objects in it so far."""

    def __init__(self) -> None:
        self.out: list[bytes] = [MAGIC + STREAM_VERSION]
        # Objects by identity, kept alive so that no other takes their place; texts by value.
        self.handles: dict[int | str, int] = {}
        self.alive: list[object] = []

    def write(self, value: object) -> None:
        """An explicit stack: trees may be deeper than Python's own."""
        stack: list[object] = [value]
        while stack:
            part = stack.pop()
            if isinstance(part, _Raw):
                self.out.append(part)
            else:
                stack.extend(reversed(self.begin(part)))

    def keep(self, key: int | str, value: object) -> None:
        self.alive.append(value)
        self.handles[key] = FIRST_HANDLE + len(self.alive) - 1

    def begin(self, value: object) -> list[object]:
        """Write what stands before the parts of a value, and give the parts."""
        if value is None:
            self.out.append(bytes([NULL]))
            return []
        # Java writes an object once and refers to it later, equal texts too.
        key = value if isinstance(value, str) else id(value)
        if key in self.handles:
            self.out.append(bytes([REFERENCE]) + struct.pack(">I", self.handles[key]))
            return []
        if isinstance(value, str):
            self.keep(value, value)
            self.out.append(_text(value))
            return []
        if isinstance(value, bytes):
            assert len(value) < 256
            self.out.append(bytes([BLOCK_DATA]) + bytes([len(value)]) + value)
            return []
        if isinstance(value, JavaObject):
            self.out.append(bytes([OBJECT]))
            self.describe(value.cls)
            self.keep(key, value)
            return _parts(value)
        if isinstance(value, JavaEnum):
            self.out.append(bytes([ENUM]))
            self.describe(value.cls)
            self.keep(key, value)
            return [value.name]
        self.out.append(bytes([ARRAY]))
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
                self.out.append(bytes([REFERENCE]) + struct.pack(">I", self.handles[key]))
                return
            uid = struct.pack(">Q", chain.uid)
            self.out.append(bytes([CLASS_DESC]) + _short(chain.name) + uid)
            self.keep(key, chain)
            self.out.append(struct.pack(">BH", chain.flags, len(chain.fields)))
            for kind, name in chain.fields:
                self.out.append(kind[0].encode() + _short(name))
                if kind[0] in "[L":
                    self.begin(kind)
            self.out.append(bytes([END_BLOCK]))
            chain = chain.parent
        self.out.append(bytes([NULL]))


def _parts(owner: JavaObject) -> list[object]:
    """The fields of an object, class by class, and what its class adds."""
    parts: list[object] = []
    for layout in owner.cls.lineage:
        for kind, name in layout.fields:
            # A name that an ancestor has too is told apart by its class.
            short = layout.name.rpartition(".")[2]
            value = owner.values.get(f"{short}.{name}", owner.values.get(name))
            if kind in PRIMITIVES:
                parts.append(_Raw(struct.pack(f">{PRIMITIVES[kind][0]}", value)))
            else:
                parts.append(value)
        if layout.flags & WRITE_METHOD:
            if layout is owner.cls:
                parts.extend(owner.extras)
            parts.append(_Raw(bytes([END_BLOCK])))
    return parts


def _short(text: str) -> bytes:
    raw = encode_text(text)
    return struct.pack(">H", len(raw)) + raw


def _text(text: str) -> bytes:
    raw = encode_text(text)
    if len(raw) > 0xFFFF:
        return bytes([LONG_STRING]) + struct.pack(">Q", len(raw)) + raw
    return bytes([STRING]) + struct.pack(">H", len(raw)) + raw
