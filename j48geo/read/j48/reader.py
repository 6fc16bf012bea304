"""The reader of J48 text: decode, undo damage, find the blocks, read each in every dialect."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

from j48geo.core.dataset import Header
from j48geo.core.tree_text import TreeText
from j48geo.errors import FitError, MismatchError, ModelReadError
from j48geo.read.j48.diagnosis import refuse_banner, refuse_body
from j48geo.read.j48.document import Document
from j48geo.read.j48.text import decode_text
from j48geo.text import quote_value


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
            f"the class attribute {quote_value(header.class_attribute.name)} is "
            f"{header.class_attribute.type}; expected a nominal one, or the training data too, if "
            "these rows have no class"
        )
    problem: ModelReadError | None = None
    for decoded in decode_text(data, source):
        if not decoded.text.strip():
            raise ModelReadError("the file is empty", "expected the text of a J48 tree", source)
        try:
            tree_text = _read_as_it_is(decoded.text, source, header) or _read_mended(
                decoded.text, source, header
            )
            _refuse_open_marks(tree_text, header)
        except ModelReadError as error:
            if problem is None or error.line > problem.line:
                problem = error
            continue
        return replace(tree_text, notes=(*decoded.notes, *tree_text.notes))
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


def _read_as_it_is(text: str, source: str, header: Header | None) -> TreeText | None:
    """The trees of a text that needs no repair, as a header proves; None if it may need some."""
    if header is None:  # damaged names would be taken for names
        return None
    try:
        tree_text = _attempt(text, strict=False, source=source, header=header)
    except ModelReadError:
        return None
    return None if any(entry.error is not None for entry in tree_text.entries) else tree_text


def _refuse_open_marks(tree_text: TreeText, header: Header | None) -> None:
    """Refuse names that all begin with a mark, if the same names without it are as likely."""
    for tree in (tree for entry in tree_text.entries for tree in entry.readings):
        names = {tree.attribute(split).name for _, split in tree.splits}
        if any(name[:1].isalnum() for name in names):
            continue
        from j48geo.read.repair.marks import find_open_mark

        mark = find_open_mark(tree)
        if mark and (header is None or {n.removeprefix(mark) for n in names} <= set(header.names)):
            raise ModelReadError(
                f"every line of the tree begins with {quote_value(mark)}, which may be a mark or "
                "the beginning of the names",
                "expected the data to tell the names, or the lines without the mark",
                tree_text.source,
                tree.leaves[0].line,
            )


def _read_mended(text: str, source: str, header: Header | None) -> TreeText:
    from j48geo.read.repair.choose_repairs import read_with_repairs

    return read_with_repairs(text, header, partial(_attempt, source=source, header=header))


@contextmanager
def _garbage_collection_paused() -> Iterator[None]:
    """Keep Python from looking for unused objects among the many that a large tree is made of.

    They make no cycles, and the search takes half of the time of 200,000 leaves.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@_garbage_collection_paused()
def _attempt(text: str, *, strict: bool, source: str, header: Header | None) -> TreeText:
    """Read a text as it stands; if `strict`, every footer must agree with its tree."""
    document = Document(text, source, header, strict)
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
