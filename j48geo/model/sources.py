"""What a model is read from and asked about: its file, rows of any kind, labels of its leaves.

`Reading` says how files are read, `ModelSource` reads the model itself, `open_any_rows` the rows
that come with it; `align_any_rows` puts later rows into the columns of a model.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from j48geo.core.columns import check_labels
from j48geo.core.dataset import Dataset, Header
from j48geo.core.tree import BoxTree
from j48geo.core.tree_text import TreeText
from j48geo.data.columns import align_by_label, align_columns, check_array
from j48geo.data.frame import read_table
from j48geo.data.rows import Rows, open_rows
from j48geo.data.source import ByteSource, SourceLike, display_name, read_bytes, translate_errors
from j48geo.data.stream import TableReading, is_arff_file
from j48geo.data.table_kinds import table_kind, to_table
from j48geo.errors import DataReadError, J48GeoError, MismatchError, ModelReadError
from j48geo.model.wrappers import row_header
from j48geo.read.readers import read_model_bytes, read_model_file, read_trees, select_tree

if TYPE_CHECKING:
    from j48geo.model.state import ModelState

OLD_TOLERANCE = 1e-6
"""How far above a threshold Weka before 3.8.3 still went left."""


@dataclass(frozen=True)
class Reading:
    """How a model and its data are to be read.

    Parameters
    ----------
    class_attribute
        Class of the data: ``first``, ``last``, a number from 1, or a name.
    timezone, encoding
        Of the data: zone of dates without one, None if nobody named it (then UTC); encoding if
        it is not UTF-8.
    tree
        Which tree, if the text holds several, from 1. Without it a wrapper is all of its
        trees, and any other text its first.
    reader
        Name of the reader; by default the bytes decide.
    allow_mismatch
        Use training data even if it does not give back the printed counts.
    old_weka
        Compare as Weka before 3.8.3 did: up to 1e-6 above a threshold still goes left.
    delimiter, decimal, unknown, keep
        Of data that declares no types, see `j48geo.data.stream.TableReading`.
    """

    class_attribute: str | int = "last"
    timezone: str | None = None
    encoding: str | None = None
    tree: int | None = None
    reader: str | None = None
    allow_mismatch: bool = False
    old_weka: bool = False
    delimiter: str | None = None
    decimal: Literal[".", ","] = "."
    unknown: Literal["refuse", "missing"] = "refuse"
    keep: str | bool = False

    @property
    def tree_number(self) -> int:
        """Number of the tree that is meant, from 1: the first if none was named."""
        return 1 if self.tree is None else self.tree

    def open(self, source: SourceLike, header: Header | Callable[[], Header] | None = None) -> Rows:
        """The rows of a file; `header` gives their types where the file declares none."""
        return open_rows(
            source,
            header=header,
            class_attribute=self.class_attribute,
            timezone=self.timezone or "UTC",
            encoding=self.encoding,
            how=TableReading(
                self.class_attribute, self.delimiter, self.decimal, self.unknown, self.keep
            ),
        )


class ModelSource:
    """A model, which is read twice if it has to tell the types of its data before.

    Parameters
    ----------
    file
        The trees of a model file that brings its header along; None for other texts.
    has_told_types
        Whether a text was asked for the types of data that declares none.
    """

    def __init__(self, model: SourceLike, reading: Reading) -> None:
        self.reading = reading
        self.name = display_name(model)
        self.has_told_types = False
        self.file: TreeText | None = None
        if reading.reader in (None, "json"):
            content = translate_errors(ModelReadError, self.name, lambda: read_model_file(model))
            if not isinstance(content, ByteSource):
                self.file = content
                return
            model = content
        # The bytes are kept: a text that has told the types of its data is read once more, in the
        # words of the header that the data then has.
        self._raw, _ = translate_errors(ModelReadError, self.name, lambda: read_model_bytes(model))

    def text(self, header: Header | None = None) -> TreeText:
        """The trees, in the words of a header if there is one."""
        if self.file is not None:
            return self.file
        if header is None and self.has_told_types:
            return self._alone
        source = ByteSource(self.name, io.BytesIO(self._raw).read)
        reader = self.reading.reader
        return translate_errors(
            ModelReadError, self.name, lambda: read_trees(source, header=header, reader=reader)
        )

    @cached_property
    def _alone(self) -> TreeText:
        return self.text()

    def types(self) -> Header:
        """Attributes of the rows, as the model alone tells them."""
        if self.file is not None:
            return row_header(self.file, self.reading.tree)
        choose_tree(self._alone, self.reading, None)  # refuses a text with two readings
        self.has_told_types = True
        return row_header(self._alone, self.reading.tree)

    def used(self) -> list[int]:
        """Places of the attributes that a table must have."""
        header = self.types()
        tree = choose_tree(self.text(), self.reading, None)
        if tree.header == header:
            return sorted(tree.used_attributes)
        return [k for k in range(len(header)) if k != header.class_index]


def is_file(source: Any) -> bool:
    """Whether rows are given as the name of a file or its bytes."""
    return isinstance(source, (str, bytes, os.PathLike))


def open_any_rows(
    source: Any, model: ModelSource, types: Header | Callable[[], Header] | None = None
) -> Rows:
    """Rows of any kind; where they declare no types `types` tells them, or the model."""
    if isinstance(source, Rows):
        return source
    if isinstance(source, Dataset):
        check_labels(source.header, source.X)
        return Rows.of(source, "the data set")
    types = types or model.types
    if not is_file(source) and table_kind(source := to_table(source)) is not None:
        header = types() if callable(types) else types
        used = model.used() if header == model.types() else None
        return Rows.of(read_table(source, header, used), "the table")
    return model.reading.open(source, types)


def align_any_rows(model: ModelState, X: Any) -> Rows:
    """Rows of a file, a table, a `Dataset` or an array; see `j48geo.Model.rows`."""
    header = model.header
    X = to_table(X)
    if isinstance(X, (str, os.PathLike)):
        opened = open_rows(X, header=header)
        try:
            return align_rows(model, opened)
        except MismatchError:
            opened.__exit__()  # nobody else knows of the open file
            raise
    if table_kind(X) is not None:
        plain = model.committee is None and model.filter is None
        used = model.tree.used_attributes if plain else range(len(header))
        needed = [k for k in sorted(used) if k != header.class_index]
        return align_rows(model, Rows.of(read_table(X, header, needed)))
    if isinstance(X, Dataset):
        check_labels(X.header, X.X)
        return align_rows(model, Rows.of(X))
    array = check_array(X, header)
    return align_rows(model, Rows.of(Dataset(header, array, np.ones(len(array)))))


def align_rows(model: ModelState, rows: Rows) -> Rows:
    """Rows as they were read, in the columns of the tree, behind its filters."""
    if model.committee is not None:
        model.committee.require_known()
        return align_columns(rows, model.header)
    if model.filter is not None:
        aligned = align_columns(rows, model.filter.header)
        return aligned.viewed(model.tree.header, model.filter.dataset)
    return align_by_label(rows, model.tree)


def choose_tree(text: TreeText, reading: Reading, data: Dataset | None) -> BoxTree:
    """The tree that is meant; where the text has several readings the rows decide."""
    tree = translate_errors(
        ModelReadError, text.source, lambda: select_tree(text, tree=reading.tree_number, data=data)
    )
    return replace(tree, tolerance=OLD_TOLERANCE) if reading.old_weka else tree


def as_source(model: SourceLike) -> SourceLike:
    """A text with line breaks is the model itself, not its name."""
    if isinstance(model, str) and "\n" in model:
        return ByteSource("<text>", io.BytesIO(model.encode("utf-8", "surrogateescape")).read)
    return model


def holds_a_tree(path: str) -> bool:
    """Whether there is a plain file of that name, and a tree can be read from it."""
    try:
        return os.path.isfile(path) and not is_arff_file(path) and bool(read_trees(path).entries)
    except J48GeoError:
        return False


_LARGEST = 128 << 20


def read_labels(source: SourceLike, tree: BoxTree) -> dict[int, str]:
    """Labels by number of the leaf, from 1; leaves that the file leaves out are not in it."""
    from j48geo.data.small_tables import read_label_table  # most models have labels of their own

    name = display_name(source)

    def read() -> dict[int, str]:
        raw, _ = read_bytes(source, limit=_LARGEST)
        table = read_label_table(raw, name)
        if table is not None:
            return table
        other = select_tree(read_trees(raw, header=tree.header))
        if _shape(other) != _shape(tree):
            raise MismatchError(f"{name}: another tree; expected the model with other labels")
        return {k: other.classes[leaf.label] for k, leaf in enumerate(other.leaves, 1)}

    try:
        return translate_errors(DataReadError, name, read)
    except ModelReadError as error:
        raise DataReadError(
            error.problem,
            "expected what 'j48geo label' writes: a tree, or CSV or JSON of leaf and label",
            name,
            error.line,
        ) from error


def labels_by_leaf(tree: BoxTree, names: Mapping[int, str], source: str) -> tuple[int, ...]:
    """A label for every leaf: those that are named, and the tree's own."""
    index = {name: k for k, name in enumerate(tree.classes)}
    for number, name in names.items():
        if name not in index:
            raise MismatchError(f"{source}: leaf {number}: the tree has no class {name!r}")
        if not 1 <= number <= len(tree.leaves):
            raise MismatchError(f"{source}: leaf {number}: the tree has {len(tree.leaves)} leaves")
    return tuple(
        index[names[k]] if k in names else leaf.label for k, leaf in enumerate(tree.leaves, 1)
    )


def _shape(tree: BoxTree) -> list[tuple[object, ...]]:
    """What two trees with different labels have in common."""
    return [
        (node.parent, node.branch)
        if node.split is None
        else (
            node.parent,
            node.branch,
            tree.attribute(node.split).name,
            node.split.kind,
            node.split.value,
        )
        for node in tree.nodes
    ]
