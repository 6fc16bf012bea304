"""Rows brought into the columns of a tree: matched by name, a missing class completed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from j48geo.arrays import Floats
from j48geo.core.dataset import ANY_OTHER, Attribute, Dataset, Header
from j48geo.core.tree import BoxTree
from j48geo.data.rows import Rows
from j48geo.errors import MismatchError


def bind_tree(tree: BoxTree, header: Header, name: str) -> BoxTree:
    """The tree in the columns of another header; an error names the data that lacks one."""
    try:
        return tree.with_header(header)
    except MismatchError as error:
        raise MismatchError(f"{name}: {error}") from error


def align_dataset(data: Dataset, header: Header) -> Dataset:
    """Rows in the columns of another header; what has no equal there is missing."""
    if data.header.attributes == header.attributes:
        return replace(data, header=header)
    old = {a.name: (i, a) for i, a in enumerate(data.header.attributes)}
    X = np.full((len(data), len(header)), np.nan)
    for column, attribute in enumerate(header.attributes):
        place, known = old.get(attribute.name, (-1, None))
        if known is not None and (known.is_numeric, known.values) == (
            attribute.is_numeric,
            attribute.values,
        ):
            X[:, column] = data.X[:, place]
    return Dataset(header, X, data.weights)


def align_columns(rows: Rows, header: Header) -> Rows:
    """Rows in the columns of a header, all of which they must have but the class.

    Raises
    ------
    MismatchError
        If an attribute is missing, or has another type or other values.
    """
    rows = add_missing_class(rows, header)
    if rows.header.attributes == header.attributes:
        return rows.viewed(header, lambda block: replace(block, header=header))
    known = {a.name: a for a in rows.header.attributes}
    for wanted in header.attributes:
        found = known.get(wanted.name)
        if found is None:
            raise MismatchError(f"{rows.name} has no attribute {wanted.name!r}; the model has")
        if (wanted.is_numeric, wanted.values) != (found.is_numeric, found.values):
            raise MismatchError(
                f"{rows.name}: attribute {wanted.name!r} has another type or other values; "
                f"the model expects {', '.join(wanted.values[:20]) or wanted.type}"
            )
    return rows.viewed(header, lambda block: align_dataset(block, header))


def add_missing_class(rows: Rows, model: Header) -> Rows:
    """The same rows; without the class attribute they get one whose values are all missing."""
    wanted = model.class_attribute
    if wanted.name in rows.header.names:
        return rows
    old = rows.header
    header = replace(old, attributes=(*old.attributes, wanted), class_index=len(old))
    return rows.viewed(
        header,
        lambda b: replace(b, header=header, X=np.column_stack([b.X, np.full(len(b), np.nan)])),
    )


def align_by_label(rows: Rows, tree: BoxTree) -> Rows:
    """Rows in the columns of the tree's header, the class completed if it is absent.

    A header that was guessed from a text knows labels but not their order: then cells are
    matched by label.

    Raises
    ------
    MismatchError
        If the rows lack an attribute that the tree asks for, or it has other values there.
    """
    header = tree.header
    rows = add_missing_class(rows, header)
    if rows.header.attributes == header.attributes:
        return rows.viewed(header, lambda block: replace(block, header=header))
    if not header.inferred:
        bind_tree(tree, rows.header, rows.name)
        return rows.viewed(header, lambda block: align_dataset(block, header))
    codes = {
        column: _codes(rows.header.attributes[rows.header.position(attribute.name)], attribute)
        for column, attribute in enumerate(header.attributes)
        if attribute.name in rows.header.names
    }
    for column in tree.used_attributes:
        if column not in codes:
            name = header.attributes[column].name
            raise MismatchError(f"{rows.name} has no attribute {name!r}; the tree asks for it")
    places = {c: rows.header.position(header.attributes[c].name) for c in codes}

    def matched(block: Dataset) -> Dataset:
        X = np.full((len(block), len(header)), np.nan)
        for column, code in codes.items():
            cells = block.X[:, places[column]]
            X[:, column] = cells if code is None else _coded(cells, code)
            if code is not None and column != header.class_index:
                _refuse_unnamed(cells, X[:, column], rows.header.attributes[places[column]], rows)
        return Dataset(header, X, block.weights)

    return rows.viewed(header, matched)


def _codes(found: Attribute, wanted: Attribute) -> Floats | None:
    """The place of every label of one attribute among those of another; None for numbers."""
    if found.is_numeric and wanted.is_numeric:
        return None
    if not (found.is_nominal and wanted.is_nominal):
        raise MismatchError(
            f"attribute {wanted.name!r} is {found.type} in the data; the tree expects {wanted.type}"
        )
    other = len(wanted.values) - 1 if wanted.values[-1:] == (ANY_OTHER,) else np.nan
    return np.array([wanted.index_of.get(v, other) for v in found.values], dtype=np.float64)


def _refuse_unnamed(cells: Floats, coded: Floats, attribute: Attribute, rows: Rows) -> None:
    """Refuse labels of a multiway split for which the text has no branch."""
    lost = np.flatnonzero(np.isnan(coded) & ~np.isnan(cells))
    if len(lost):
        label = attribute.values[int(cells[lost[0]])]
        raise MismatchError(
            f"{rows.name}: {attribute.name!r} is {label!r} in some row, and the text has no such "
            "branch"
        )


def _coded(cells: Floats, code: Floats) -> Floats:
    known = ~np.isnan(cells)
    found = np.full(len(cells), np.nan)
    found[known] = code[cells[known].astype(np.intp)]
    return found
