"""Java object streams, from bytes to a graph of plain values.

A stream is data from outside: every length is checked against the bytes that are left
before anything is made of it, the stack is our own, and what no Weka writes (proxies, resets,
exceptions) is refused by name.
"""

from __future__ import annotations

from typing import Any, Final, NoReturn, cast

import numpy as np

from j48geo.java import objects as java
from j48geo.java.objects import JavaArray, JavaClass, JavaEnum, JavaObject, StreamError

DEEPEST_STREAM: Final = 10_000
"""Objects inside objects; a tree needs two a level."""

LONGEST_LINEAGE: Final = 64
"""Classes above a class; Weka's have at most six."""

MOST_VALUES: Final = 4_000_000
"""Objects, texts and elements that one stream may hold: about a gigabyte of memory."""

_TAGS = {
    java.CLASS_DESC: "a class description",
    java.BLOCK_DATA: "block data",
    java.END_BLOCK: "the end of block data",
    java.RESET: "a reset",
    java.BLOCK_DATA_LONG: "block data",
    java.EXCEPTION: "an exception",
    java.PROXY: "a proxy class",
}


class _Frame:
    """An object or array whose content is being read; `left` counts steps or elements."""

    __slots__ = ("at", "left", "value")

    def __init__(self, value: JavaObject | JavaArray, left: int) -> None:
        self.value = value
        self.left = left
        self.at = 0


def read_objects(data: bytes, most: int = 16) -> list[Any]:
    """The objects of a stream, at most the first `most`.

    Texts are `str`, null is None, arrays of primitive types numpy arrays, block data bytes.

    Raises
    ------
    StreamError
        If the bytes are not such a stream from begin to end; the message names the byte.
    """
    return _Stream(data).read(most)


class _Stream:
    """The bytes of a stream, the place reached, and the objects so far by their handles."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0
        self.handles: list[Any] = []
        self.stack: list[_Frame] = []
        self.promised = 0

    def read(self, most: int) -> list[Any]:
        if self.take(4) != java.MAGIC + java.STREAM_VERSION:
            self.fail("no Java object stream of version 5")
        objects: list[Any] = []
        while self.at < len(self.data):
            if len(objects) == most:
                self.fail(f"more than {most} objects")
            objects.append(self.content(self.byte()))
            while self.stack:
                self.step()
        return objects

    # ---------------------------------------------------------------- bytes

    def fail(self, problem: str) -> NoReturn:
        raise StreamError(f"byte {self.at}: {problem}")

    def need(self, count: int) -> None:
        if count > len(self.data) - self.at:
            left = len(self.data) - self.at
            self.fail(f"the stream ends too early: {count:,} bytes promised, {left:,} left")

    def take(self, count: int) -> bytes:
        self.need(count)
        self.at += count
        return self.data[self.at - count : self.at]

    def byte(self) -> int:
        self.need(1)
        self.at += 1
        return self.data[self.at - 1]

    def number(self, size: int) -> int:
        return int.from_bytes(self.take(size), "big")

    def promise(self, count: int) -> None:
        """Every element takes a byte at least, so no stream holds more than it is long."""
        self.promised += count
        if count < 0 or self.promised > len(self.data):
            self.fail(f"{count:,} elements promised, more than the stream can hold")
        if self.promised > MOST_VALUES:
            self.fail(f"more than {MOST_VALUES:,} values")

    def text(self, size: int) -> str:
        """Java's own UTF-8: zero in two bytes, and surrogates one by one."""
        try:
            return java.decode_text(self.take(size))
        except UnicodeDecodeError:
            self.fail("a text that is not Java's UTF-8")

    def keep(self, value: Any) -> Any:
        """Give `value` the next handle."""
        if len(self.handles) >= MOST_VALUES:
            self.fail(f"more than {MOST_VALUES:,} values")
        self.handles.append(value)
        return value

    def reference(self) -> Any:
        """The object that an earlier handle stands for."""
        place = self.number(4) - java.FIRST_HANDLE
        if not 0 <= place < len(self.handles):
            self.fail(f"a reference to object {place}, of {len(self.handles)} so far")
        return self.handles[place]

    # ---------------------------------------------------------------- values

    def content(self, tag: int) -> Any:
        """The value that begins with this tag; what is inside it is left to the stack."""
        if tag == java.NULL:
            return None
        if tag == java.REFERENCE:
            return self.reference()
        if tag == java.STRING:
            return self.keep(self.text(self.number(2)))
        if tag == java.OBJECT:
            cls = self.class_of()
            if not cls.flags & java.SERIALIZABLE or cls.flags & (
                java.EXTERNALIZABLE | java.IS_ENUM
            ):
                self.fail(f"an object of {cls.name}, which is not written field by field")
            new_object = self.keep(JavaObject(cls))
            if cls.steps:
                self.push(_Frame(new_object, len(cls.steps)))
            return new_object
        if tag == java.ARRAY:
            return self.array()
        if tag == java.LONG_STRING:
            return self.keep(self.text(self.number(8)))
        if tag == java.ENUM:
            cls = self.class_of()
            place = len(self.handles)
            self.keep(None)
            self.handles[place] = JavaEnum(cls, self.name_after(self.byte()))
            return self.handles[place]
        if tag == java.CLASS_OBJECT:
            return self.keep(self.class_of())
        self.fail(f"{_TAGS.get(tag, f'the tag {tag:#04x}')} where a value was expected")

    def array(self) -> Any:
        """An array: numbers at once, objects are left to the stack."""
        cls = self.class_of()
        name = cls.name
        if len(name) < 2 or name[0] != "[":
            self.fail(f"an array of class {name!r}")
        place = len(self.handles)
        self.keep(None)
        count = int.from_bytes(self.take(4), "big", signed=True)
        if name[1] in java.PRIMITIVES:
            dtype = np.dtype(java.PRIMITIVES[name[1]][1])
            if count < 0:
                self.fail(f"an array of {count} elements")
            self.need(count * dtype.itemsize)
            native = np.frombuffer(self.data, dtype, count, self.at).astype(dtype.newbyteorder("="))
            self.at += count * dtype.itemsize
            self.handles[place] = native
            return native
        self.promise(count)
        new_array = self.handles[place] = JavaArray(cls)
        self.push(_Frame(new_array, count))
        return new_array

    def push(self, frame: _Frame) -> None:
        if len(self.stack) >= DEEPEST_STREAM:
            self.fail(f"objects nested more than {DEEPEST_STREAM:,} deep")
        self.stack.append(frame)

    def step(self) -> None:
        """Read on in the innermost object until it ends or another opens inside it."""
        frame = self.stack[-1]
        depth = len(self.stack)
        value = frame.value
        if isinstance(value, JavaArray):
            while len(value.items) < frame.left:
                value.items.append(self.content(self.byte()))
                if len(self.stack) > depth:
                    return
            self.stack.pop()
            return
        steps = value.cls.steps
        while frame.at < frame.left:
            now = steps[frame.at]
            if isinstance(now, str):
                frame.at += 1
                value.values[now] = self.content(self.byte())
            elif now is None:
                tag = self.byte()
                if tag == java.END_BLOCK:
                    frame.at += 1
                else:
                    if not value.extras:
                        value.extras = []
                    cast(list[Any], value.extras).append(self.read_written(tag))
            else:
                frame.at += 1
                packed, names = now
                self.need(packed.size)
                value.values.update(zip(names, packed.unpack_from(self.data, self.at), strict=True))
                self.at += packed.size
            if len(self.stack) > depth:
                return
        self.stack.pop()

    def read_written(self, tag: int) -> Any:
        """An element of what a class wrote by its own method: raw bytes, or a value."""
        self.promise(1)
        if tag == java.BLOCK_DATA:
            return self.take(self.byte())
        if tag == java.BLOCK_DATA_LONG:
            return self.take(self.number(4))
        return self.content(tag)

    # ---------------------------------------------------------------- classes

    def class_of(self) -> JavaClass:
        """The class of the object or array that begins here."""
        cls = self.class_description(self.byte())
        if cls is None:
            self.fail("an object without a class")
        return cls

    def class_description(self, tag: int) -> JavaClass | None:
        """A class with all above it, whose descriptions follow its own; None for null."""
        if tag == java.REFERENCE:
            return self.known_class()
        opened: list[JavaClass] = []
        above: JavaClass | None = None
        while tag == java.CLASS_DESC:
            if len(opened) > LONGEST_LINEAGE:
                self.fail(f"a class with more than {LONGEST_LINEAGE} ancestors")
            opened.append(self.read_class())
            tag = self.byte()
        if tag == java.REFERENCE:
            above = self.known_class()
        elif tag != java.NULL:
            self.fail(f"{_TAGS.get(tag, f'the tag {tag:#04x}')} where a class was expected")
        for cls in reversed(opened):
            cls.parent = above
            if len(cls.lineage) > LONGEST_LINEAGE:
                self.fail(f"a class with more than {LONGEST_LINEAGE} ancestors")
            self.promise(len(cls.steps))
            above = cls
        return above

    def known_class(self) -> JavaClass:
        """A class that was described before; its steps show that it is complete."""
        cls = self.reference()
        if not isinstance(cls, JavaClass) or "steps" not in vars(cls):
            self.fail("a reference to what is no class")
        return cls

    def read_class(self) -> JavaClass:
        """The description of one class, without those above it."""
        name = self.text(self.number(2))
        cls: JavaClass = self.keep(JavaClass(name, self.number(8)))
        cls.flags = self.byte()
        fields = cls.fields = []
        count = self.number(2)
        self.promise(count)
        for _ in range(count):
            letter = chr(self.byte())
            field_name = self.text(self.number(2))
            if letter in "[L":
                self.name_after(self.byte())
            elif letter not in java.PRIMITIVES:
                self.fail(f"a field of the type {letter!r}")
            fields.append((letter, field_name))
        if self.byte() != java.END_BLOCK:
            self.fail(f"the class {name} carries annotations; expected none")
        return cls

    def name_after(self, tag: int) -> str:
        """A text that stands for a name: of a constant, or of a field's type."""
        name = self.content(tag) if tag in (java.STRING, java.LONG_STRING, java.REFERENCE) else None
        if not isinstance(name, str):
            self.fail("something else where a name was expected")
        return name
