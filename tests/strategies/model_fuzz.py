"""Java streams spoilt at random, and built to do harm."""

from __future__ import annotations

import gzip
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np

from j48geo.core.tree_text import TreeText
from j48geo.ensemble.committee import answer_rows
from j48geo.errors import MismatchError, ModelReadError
from j48geo.read.java.reader import read
from j48geo.score.prediction import predict

HEAD = b"\xac\xed\x00\x05"
TAGS = bytes(range(0x70, 0x7F))
NUMBERS = (0, 1, 2, 0x7F, 0xFF, 0xFFFF, 0x7E0000, 0x7E0001, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)
DOUBLES = (0.0, -1.0, 1e-7, 1e308, float("nan"), float("inf"), -float("inf"), 0.5, 2.0**53)


def sources(folder: Path) -> dict[str, bytes]:
    """The .model files of the fixtures, unpacked."""
    found = {}
    for file in sorted(folder.glob("*.model")):
        data = file.read_bytes()
        found[file.stem] = gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data
    assert found
    return found


def mutants(data: bytes, others: list[bytes], count: int, seed: int) -> Iterator[bytes]:
    """Spoilt copies: a few bytes, numbers, references, tags or pieces changed."""
    rng = Random(seed)
    for _ in range(count):
        spoilt = bytearray(data)
        for _ in range(rng.choice((1, 1, 1, 2, 4, 8))):
            _spoil(spoilt, others, rng)
        yield bytes(spoilt)


def _spoil(data: bytearray, others: list[bytes], rng: Random) -> None:
    at = rng.randrange(4, max(5, len(data)))
    kind = rng.randrange(10)
    if kind == 0:
        data[at : at + 1] = bytes([rng.randrange(256)])
    elif kind == 1 and at < len(data):
        data[at] ^= 1 << rng.randrange(8)
    elif kind == 2:
        data[at : at + 1] = bytes([rng.choice(TAGS)])
    elif kind == 3:
        data[at : at + 4] = struct.pack(">I", rng.choice(NUMBERS))
    elif kind == 4:
        data[at : at + 8] = struct.pack(">d", rng.choice(DOUBLES))
    elif kind == 5:
        del data[at : at + rng.choice((1, 2, 4, 8, 100))]
    elif kind == 6:
        del data[at:]
    elif kind == 7:
        other = rng.choice(others)
        start = rng.randrange(len(other))
        data[at:at] = other[start : start + rng.choice((1, 4, 20, 200))]
    elif kind == 8:
        start = rng.randrange(4, max(5, len(data)))
        data[at:at] = data[start : start + rng.choice((1, 4, 20, 200))]
    else:
        # A reference to another object: the one change that keeps the grammar whole.
        place = data.find(b"q\x00~\x00", at)
        if place >= 0:
            data[place + 1 : place + 5] = struct.pack(">I", 0x7E0000 + rng.randrange(200))


def examine_model(data: bytes) -> str:
    """Read and, where that goes well, ask; the outcome in a word. Anything else is raised."""
    try:
        text = read(data, source="mutant")
    except ModelReadError as error:
        return "refused" if "\n" not in str(error) else "refused in several lines"
    if text is None:
        return "not a stream"
    return _ask_member(text)


def _ask_member(text: TreeText) -> str:
    """What was read must be whole enough to answer."""
    for entry in text.entries:
        tree = entry.readings[0]
        assert entry.counts is not None
        rows = np.array([np.full(len(tree.header), np.nan), np.zeros(len(tree.header))])
        with np.errstate(all="ignore"):
            predict(tree, entry.counts, rows, laplace=True)
    if text.ensemble is not None:
        rows = np.full((2, len(text.ensemble.header)), np.nan)
        try:
            with np.errstate(all="ignore"):
                answer_rows(text.entries, text.ensemble, rows)
        except MismatchError:
            return "read, refused as a whole"
    return "read"


# -------------------------------------------------------------------- built to do harm


def class_description(
    name: str, *fields: tuple[str, str], flags: int = 2, more: bytes = b"\x70"
) -> bytes:
    """A class description; a field is a letter and a name, references are of class Object."""
    raw = name.encode()
    made = b"\x72" + struct.pack(">H", len(raw)) + raw + bytes(8)
    made += struct.pack(">BH", flags, len(fields))
    for letter, field in fields:
        made += letter.encode() + struct.pack(">H", len(field)) + field.encode()
        if letter in "L[":
            made += b"\x74\x00\x12Ljava/lang/Object;"
    return made + b"\x78" + more


def _bomb(megabytes: int) -> bytes:
    """A small file of gzip that unpacks to many nothings."""
    packing = zlib.compressobj(9, zlib.DEFLATED, 31)
    parts = [packing.compress(HEAD)]
    parts += [packing.compress(b"p" * (1 << 20)) for _ in range(megabytes)]
    return b"".join([*parts, packing.flush()])


def crowd(count: int) -> bytes:
    """An array of empty objects: six bytes each, and a Python object each."""
    head = b"\x75" + class_description("[Ljava.lang.Object;") + struct.pack(">i", count)
    first = b"\x73" + class_description("a")
    return HEAD + head + first + (b"\x73\x71" + struct.pack(">I", 0x7E0002)) * (count - 1)


def hostile() -> dict[str, bytes]:
    """Streams that promise too much, nest too deep, or point where they must not."""
    objects = class_description("[Ljava.lang.Object;")
    again = b"\x71" + struct.pack(">I", 0x7E0000)
    array = b"\x75" + objects
    packed = _bomb(200)
    node = b"\x73" + class_description("a", ("L", "next"))
    wide = 400_000
    return {
        "nothing behind the head": HEAD,
        "a version of tomorrow": b"\xac\xed\x00\x06p",
        "an array of two billion": HEAD + array + b"\x7f\xff\xff\xff",
        "an array of minus one": HEAD + array + b"\xff\xff\xff\xff",
        "doubles of sixteen gigabytes": HEAD
        + b"\x75"
        + class_description("[D")
        + b"\x7f\xff\xff\xff",
        "a text of an exabyte": HEAD + b"\x7c" + b"\x0f" + b"\xff" * 7,
        "block data where a value belongs": HEAD + b"\x7a\xff\xff\xff\xff",
        "a million nested arrays": HEAD + array + (b"\0\0\0\1\x75" + again) * 1_000_000,
        "a million nested objects": HEAD + node + (b"\x73" + again) * 1_000_000,
        "arrays that promise the rest again and again": HEAD
        + array
        + b"".join(struct.pack(">i", wide) + b"\x75" + again for _ in range(8_000)),
        "a reference forwards": HEAD + b"\x71\x00\x7e\x00\x05",
        "a reference below the first": HEAD + b"\x71\x00\x00\x00\x05",
        "a class that is its own parent": HEAD
        + b"\x73"
        + class_description("a", more=b"\x71" + struct.pack(">I", 0x7E0000)),
        "a class with a thousand ancestors": HEAD
        + b"\x73"
        + b"".join(class_description(f"c{i}", more=b"") for i in range(1000))
        + b"\x70",
        "a class of class text": HEAD + b"\x74\x00\x01a\x73\x71" + struct.pack(">I", 0x7E0000),
        "an exception": HEAD + b"\x7b",
        "a reset": HEAD + b"\x79",
        "a proxy": HEAD + b"\x73\x7d\x00\x00\x00\x00",
        "an externalizable object": HEAD + b"\x73" + class_description("a", flags=12),
        "a field of no type": HEAD + b"\x73" + class_description("a", ("Q", "x")),
        "sixty thousand fields promised": HEAD + b"\x73\x72\0\1a" + bytes(8) + b"\2\xff\xff",
        "a text that is not UTF-8": HEAD + b"\x74\x00\x02\xff\xff",
        "five million nothings": HEAD + array + struct.pack(">i", 5_000_000) + b"p" * 5_000_000,
        "a bomb of gzip": packed,
        "a tenth of a bomb": packed[: len(packed) // 10],
        "an object that is no classifier": HEAD + b"\x73" + class_description("java.lang.Object"),
        "a J48 without fields": HEAD + b"\x73" + class_description("weka.classifiers.trees.J48"),
    }
