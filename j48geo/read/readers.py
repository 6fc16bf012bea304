"""Choose the reader of a model file by its first bytes, and one of the trees that it reads."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from dataclasses import replace
from hashlib import sha256
from importlib import import_module

import numpy as np

from j48geo.core.counts import counts_from_data, counts_from_text
from j48geo.core.dataset import Dataset, Header
from j48geo.core.tree import BoxTree, Split
from j48geo.core.tree_text import Entry, TreeText
from j48geo.data.source import ByteSource, SourceLike, read_bytes
from j48geo.errors import ModelReadError, UnknownNameError
from j48geo.replaying.replay import replay
from j48geo.text import list_first, quote_value

Reader = Callable[..., "TreeText | None"]

READERS = {
    "json": "j48geo.modelfile:read",
    "dot": "j48geo.read.graphviz:read",
    "java": "j48geo.read.java.reader:read",
    "j48": "j48geo.read.j48.reader:read",
}
"""Our own formats, in the order in which they are asked; `j48` takes what no other wants.

Each is imported when a text may be its: most are J48's.
"""

_LARGEST = 128 << 20

_EQUAL = 1e-6
"""Weights that differ by no more are the same."""

_MOST_CANDIDATES = 32
"""Trees that may fit as well as each other on the way down; with more, none is found."""


def read_trees(
    source: SourceLike, *, header: Header | None = None, reader: str | None = None
) -> TreeText:
    """Read every tree of a model text.

    Parameters
    ----------
    source
        A path, ``-`` for standard input, bytes, or a file object.
    header
        Attributes of the data the tree is meant for; names and values with blanks or
        operators can only be told apart with it.
    reader
        Name of the reader; by default the text decides.
    """
    data, name = read_model_bytes(source)
    if reader is not None:
        text = _reader(reader)(data, source=name, header=header)
        if text is None:
            raise ModelReadError(
                f"the reader {quote_value(reader)} does not know this format", "", name
            )
        return _with_digest(text, data)
    for likely in _likely_readers(data):
        text = _reader(likely)(data, source=name, header=header)
        if text is not None:
            return _with_digest(text, data)
    raise AssertionError("the last reader takes everything")


def read_model_bytes(source: SourceLike) -> tuple[bytes, str]:
    """All bytes of a model, gzip undone, and its name."""
    return read_bytes(source, error=ModelReadError, limit=_LARGEST)


def read_model_file(source: SourceLike) -> TreeText | ByteSource:
    """The tree of a model file that brings its header along, else the bytes, to be read on."""
    data, name = read_model_bytes(source)
    for likely in _likely_readers(data):
        if likely not in ("json", "java"):
            continue
        text = _reader(likely)(data, source=name, header=None)
        if text is not None and not text.entries[0].readings[0].header.inferred:
            return _with_digest(text, data)
    return ByteSource(name, io.BytesIO(data).read)


def _likely_readers(data: bytes) -> list[str]:
    """The readers whose format these may be the first bytes of."""
    names = []
    if data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        names.append("json")
    if b"digraph" in data[:65536].replace(b"\0", b""):
        names.append("dot")
    if data.startswith((b"\xac\xed", b"\x1f\x8b")):  # Java's objects, and gzip's bytes
        names.append("java")
    return [*names, "j48"]


def _with_digest(text: TreeText, data: bytes) -> TreeText:
    return replace(text, sha256=sha256(data).hexdigest())


def _reader(name: str) -> Reader:
    if name in READERS:
        module, _, function = READERS[name].partition(":")
        read_function: Reader = getattr(import_module(module), function)
        return read_function
    from j48geo import plugins

    return plugins.load_plugin(plugins.READER_GROUP, name, READERS)


def read_tree(
    source: SourceLike,
    *,
    header: Header | None = None,
    data: Dataset | None = None,
    tree: int = 1,
    reader: str | None = None,
) -> BoxTree:
    r"""Read one tree of a model text.

    Parameters
    ----------
    source, header, reader
        As for `read_trees`.
    data
        Training data: its header is used if `header` is None, and where the text has two
        readings its counts decide.
    tree
        Which tree of the text, from 1.

    Examples
    --------
    >>> text = b"x <= 2: no (3.0)\nx > 2: yes (4.0/1.0)\n"
    >>> read_tree(text).size
    3
    """
    if header is None and data is not None:
        header = data.header
    return select_tree(read_trees(source, header=header, reader=reader), tree=tree, data=data)


def select_tree(text: TreeText, *, tree: int = 1, data: Dataset | None = None) -> BoxTree:
    """The tree with this number, its notes complete, its one reading decided.

    Raises
    ------
    ModelReadError
        If that tree could not be read, or has two readings that nothing tells apart.
    """
    if not 1 <= tree <= len(text.entries):
        known = [f"1..{len(text.entries)}"]
        raise UnknownNameError("tree number", str(tree), known)
    entry = text.entries[tree - 1]
    if entry.error is not None:
        raise entry.error
    readings = entry.readings
    notes: tuple[str, ...] = text.notes
    if len(readings) > 1 or entry.exhausted:
        fitting: list[BoxTree] = []
        if data is not None and entry.choices:
            fitting = find_fitting_trees(readings[0], entry.choices, data)
        elif data is not None and not entry.exhausted:
            fitting = [t for t in readings if replay(t, data).ok]
        if len(fitting) != 1:
            raise _ambiguity_error(entry, fitting, text.source, data is not None)
        more = "many" if entry.exhausted else str(len(readings))
        how = f"the text has {more} readings; the counts of the data decided"
        notes = (*notes, how)
        readings = (fitting[0],)
    chosen = readings[0]
    return replace(chosen, notes=(*notes, *chosen.notes)) if notes else chosen


def find_fitting_trees(
    tree: BoxTree, choices: Mapping[int, tuple[Split, ...]], data: Dataset
) -> list[BoxTree]:
    """The readings of a tree with too many of them that replay, found from the root down.

    Names that allow a node to be read in two ways do so at every such node, so the readings
    multiply; all have the same shape. At each node with a choice the splits are kept whose
    branches weigh what the leaves below them print; ties stay open and are settled further
    down, or by the replay.
    """
    printed = counts_from_text(tree).weight
    candidates = [tree]
    for node in sorted(choices):
        children = list(tree.nodes[node].children)
        scored = []
        for candidate in candidates:
            for split in choices[node]:
                changed = _with_split(candidate, node, split)
                counts = counts_from_data(changed, data.X, data.class_values, data.weights)
                off = float(np.abs(counts.weight[children] - printed[children]).sum())
                scored.append((off, changed))
        best = min(off for off, _ in scored)
        candidates = [changed for off, changed in scored if off <= best + _EQUAL]
        if len(candidates) > _MOST_CANDIDATES:
            return []
    return [candidate for candidate in candidates if replay(candidate, data).ok]


def _with_split(tree: BoxTree, node: int, split: Split) -> BoxTree:
    nodes = list(tree.nodes)
    nodes[node] = replace(nodes[node], split=split)
    return replace(tree, nodes=tuple(nodes))


def _ambiguity_error(
    entry: Entry, fitting: list[BoxTree], source: str, has_data: bool
) -> ModelReadError:
    """Name two readings that nothing tells apart, and where they part."""
    trees = fitting if len(fitting) > 1 else entry.readings
    one, other = trees[0], trees[-1 if len(trees) < 2 else 1]
    first, second = entry.open_line or (_describe_first_split(one), _describe_first_split(other))
    for a, b in zip(_describe_splits(one), _describe_splits(other), strict=False):
        if a != b:
            first, second = a, b
            break
    number = str(len(entry.readings))
    if entry.exhausted:
        number = f"more than {number}" if len(entry.readings) > 1 else "many"
    why = "expected training data to decide"
    if has_data and entry.exhausted and not fitting:
        why = "these are too many, and the counts of the data decide none"
    elif has_data:
        why = f"{len(fitting)} of them agree with the counts of the data"
    return ModelReadError(
        f"the tree can be read in {number} ways: {first}, or {second}",
        why,
        source,
        one.leaves[0].line,
    )


def _describe_first_split(tree: BoxTree) -> str:
    return ", ".join(_describe_splits(tree)[:1])


def _describe_splits(tree: BoxTree) -> list[str]:
    descriptions = []
    for _, split in tree.splits:
        attribute = tree.attribute(split)
        name = quote_value(attribute.name)
        if split.kind == "numeric":
            descriptions.append(f"attribute {name} with threshold {split.token}")
        elif split.kind == "binary":
            descriptions.append(
                f"attribute {name} with value {quote_value(attribute.values[split.value])}"
            )
        else:
            descriptions.append(f"attribute {name} with values {list_first(attribute.values)}")
    return descriptions
