"""The reader of J48 text: decode, undo damage, find the blocks, read each in every dialect.

The text as it is comes first: a repair is tried only where the text cannot be read without
it, and only the repairs that are needed are kept and reported. Without a header the order is
turned round, since damaged names would be taken for names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from j48geo.core.dataset import Header
from j48geo.core.tree_text import Entry, TreeText
from j48geo.errors import FitError, MismatchError, ModelReadError
from j48geo.read.j48.decode import decodings
from j48geo.read.j48.document import Document
from j48geo.read.j48.lookalikes import refuse_banner, refuse_body
from j48geo.read.j48.repair import Repair, applicable
from j48geo.words import shown

__all__ = ["read"]


def read(data: bytes, *, source: str, header: Header | None = None) -> TreeText:
    """Read every J48 tree of a text.

    Parameters
    ----------
    data
        The bytes of the text.
    source
        Its name in messages.
    header
        Attributes of the data the tree is meant for; without it only what is certain is
        read.
    """
    if header is not None and not header.class_attribute.is_nominal:
        raise MismatchError(
            f"the class attribute {shown(header.class_attribute.name)} is "
            f"{header.class_attribute.type}; expected a nominal one, or the training data too, if "
            "these rows have no class"
        )
    problem: ModelReadError | None = None
    for decoded in decodings(data, source):
        if not decoded.text.strip():
            raise ModelReadError("the file is empty", "expected the text of a J48 tree", source)
        try:
            found = _read_text(decoded.text, source, header)
        except ModelReadError as error:
            if problem is None or error.line > problem.line:
                problem = error
            continue
        return replace(found, notes=(*decoded.notes, *found.notes))
    assert problem is not None
    if header is not None and _stands_alone(data, source):
        raise FitError(*problem.args) from problem
    raise problem


def _stands_alone(data: bytes, source: str) -> bool:
    """Whether the text is whole by itself, so that only the data does not fit it."""
    try:
        read(data, source=source)
    except ModelReadError:
        return False
    return True


def _read_text(text: str, source: str, header: Header | None) -> TreeText:
    problem: ModelReadError | None = None
    best: tuple[int, TreeText, list[Repair]] | None = None
    for chosen in _orders(text, header):
        try:
            found = _attempt(_mended(text, chosen), source, header)
        except ModelReadError as error:
            if problem is None or error.line > problem.line:
                problem = error
            continue
        good = sum(entry.error is None for entry in found.entries)
        if best is None or good > best[0]:
            best = (good, found, chosen)
        if good == len(found.entries):
            break
    if best is None:
        assert problem is not None
        raise problem
    _, found, chosen = best
    if not chosen:
        return found
    needed, found = _fewest(text, source, header, found, chosen)
    return replace(found, notes=(*(repair.note for repair in needed), *found.notes))


def _orders(text: str, header: Header | None) -> Iterator[list[Repair]]:
    """The repairs to try, in order; they are looked for when the text as it is has failed."""
    if header is not None:
        yield []
    repairs = applicable(text)
    if repairs:
        yield repairs
    if header is None:
        yield []


def _fewest(
    text: str, source: str, header: Header | None, found: TreeText, chosen: list[Repair]
) -> tuple[list[Repair], TreeText]:
    """Drop every repair without which the same trees are read."""
    needed = list(chosen)
    for repair in chosen:
        fewer = [r for r in needed if r is not repair]
        try:
            again = _attempt(_mended(text, fewer), source, header)
        except ModelReadError:
            continue
        if [_shape(e) for e in again.entries] == [_shape(e) for e in found.entries]:
            needed, found = fewer, again
    return needed, found


def _shape(entry: Entry) -> object:
    return [(tree.header, tree.nodes, tree.leaves) for tree in entry.readings]


def _mended(text: str, repairs: Sequence[Repair]) -> str:
    for repair in repairs:
        text = repair.mend(text)
    return text


def _attempt(text: str, source: str, header: Header | None) -> TreeText:
    document = Document(text, source, header)
    entries = document.banner_entries()
    if not entries:
        refuse_banner(document.place)
        entries = document.bare_entries()
    nameless = header is None and not document.around.banners
    if nameless and any(not tree.has_counts for e in entries for tree in e.readings):
        refuse_body(document.place)  # labels of other programs read as ours
    if all(entry.error is not None for entry in entries):
        if not document.around.banners:
            refuse_body(document.place)
        error = entries[0].error
        assert error is not None
        raise error
    return TreeText(tuple(entries), (), source, document.ensemble)
