"""The reader ``java``: what Weka saves as a ``.model`` file."""

from __future__ import annotations

from dataclasses import replace

from j48geo.core.dataset import Header
from j48geo.core.tree_text import Entry, TreeText
from j48geo.core.wrappers import Ensemble
from j48geo.errors import ModelReadError
from j48geo.java.objects import MAGIC, JavaObject, StreamError
from j48geo.read.java.instances import INSTANCES, Headers, unpack
from j48geo.read.java.stream import read_objects
from j48geo.read.java.wrappers import Wrappers

_GZIP = b"\x1f\x8b"
_EXPECTED = "expected a J48 as Weka saves it"


def read(data: bytes, *, source: str, header: Header | None = None) -> TreeText | None:
    """The trees in `data`, or None if it is no Java object stream, packed by gzip or not.

    Parameters
    ----------
    header
        Not needed: the file brings its own.

    Raises
    ------
    ModelReadError
        If it is a Java object stream and damaged, or holds no J48.
    """
    del header
    try:
        if data.startswith(_GZIP):
            data = unpack(data)
        if not data.startswith(MAGIC):
            return None
        return _text(read_objects(data), source)
    except StreamError as broken:
        problem, _, expected = str(broken).partition("; expected ")
        wanted = f"expected {expected}" if expected else _EXPECTED
        raise ModelReadError(problem, wanted, source) from broken


def _text(objects: list[object], source: str) -> TreeText:
    """The classifier, and the header that the Explorer puts behind it."""
    if not objects or not isinstance(objects[0], JavaObject):
        raise StreamError("a Java object stream without an object")
    classifier = objects[0]
    headers = Headers()
    reading = Wrappers(headers, classifier.cls.name)
    member = reading.member(classifier)
    if member is None:
        raise StreamError(f"a {classifier.cls.name}")
    second = objects[1] if len(objects) > 1 else None
    saved_header = None
    if isinstance(second, JavaObject) and second.cls.name == INSTANCES:
        saved_header = headers.of(second)
    if isinstance(member, int):
        tree = reading.entries[member].readings[0]
        notes = _note_other_header(saved_header, tree.header)
        return TreeText(tuple(reading.entries), notes, source)
    return TreeText(
        _number_entries(reading.entries, member),
        _note_other_header(saved_header, member.header),
        source,
        ensemble=member,
    )


def _note_other_header(saved_header: Header | None, own: Header) -> tuple[str, ...]:
    if saved_header is None or saved_header.attributes == own.attributes:
        return ()
    return ("the header saved with the model is not that of the rows it is asked about",)


def _number_entries(entries: list[Entry], ensemble: Ensemble) -> tuple[Entry, ...]:
    n = len(entries)
    return tuple(
        replace(entry, title=f"{ensemble.name}, tree {i} of {n}")
        for i, entry in enumerate(entries, start=1)
    )
