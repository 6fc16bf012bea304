"""Rows in the columns of a model: tables without types, headers in another order, arrays.

`match_columns` finds the attributes of a model among the names of a table that declares no
types. `align_columns` and `align_by_label` bring rows that declare theirs into the columns of a
header or a tree, `check_array` takes a plain array. What is absent or different is refused by
`j48geo.core.columns`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple

import numpy as np

from j48geo.arrays import Floats
from j48geo.core.columns import (
    absent_column,
    check_labels,
    column_places,
    is_same_kind,
    match_attributes,
    other_kind,
    refuse_doubled,
)
from j48geo.core.dataset import ANY_OTHER, Attribute, Dataset, Header
from j48geo.core.tree import BoxTree
from j48geo.data.rows import Rows
from j48geo.errors import MismatchError


def absent_class_note(source: str) -> str:
    """The note on rows without a class column: they are answered, but cannot be judged."""
    return f"{source}: no class column; the class of every row is missing"


class ColumnMatch(NamedTuple):
    """In which columns of a table the attributes of a model stand.

    Parameters
    ----------
    header
        The attributes that the table has, in the order of the model's, and the class.
    places
        Column of each of them, from 0; None for a class that is not there.
    notes
        What the user should know of it.
    """

    header: Header
    places: tuple[int | None, ...]
    notes: tuple[str, ...]


def match_columns(
    names: Sequence[str],
    header: Header,
    first_row: Sequence[object] = (),
    class_attribute: str | int = "last",
    *,
    source: str,
    line: int = 0,
    keep: str | bool = False,
) -> ColumnMatch:
    """The columns called `names` as attributes of `header`, by exact name.

    An attribute that is not there is left out: whether the tree can do without it, the tree
    knows. A class that is not there is kept, and missing everywhere.

    Parameters
    ----------
    first_row
        Cells of the first row. A header guessed from a text does not know what its class is
        called; then the last column is the class if it holds a class label there.
    line
        Line of the names, for messages; 0 if there are no lines.
    keep
        Which of the other columns are kept, as text: all, the one of this name, or none.
    """
    refuse_doubled(names, header.names, source, line)
    where = column_places(names)
    chosen = None
    if header.class_index is not None and header.inferred:
        chosen = _class_column(names, header, first_row, class_attribute)
        where.pop(header.class_attribute.name, None)
    attributes, places, new_class = _place_attributes(header, where, chosen)
    notes = []
    if new_class is not None and places[new_class] is None:
        notes.append(absent_class_note(source))
    elif chosen is not None and names[chosen] != header.class_attribute.name:
        notes.append(f"column {names[chosen]} is taken for the class")
    ignored = [name for place, name in enumerate(names) if place not in places]
    for name in _kept_names(names, ignored, attributes, keep):
        attributes.append(Attribute(name, "string"))
        places.append(names.index(name))
        ignored.remove(name)
    if ignored:
        more = ", ..." if len(ignored) > 20 else ""
        notes.append(f"columns ignored: {', '.join(ignored[:20])}{more}")
    if tuple(attributes) != header.attributes:
        header = replace(header, attributes=tuple(attributes), class_index=new_class)
    return ColumnMatch(header, tuple(places), tuple(notes))


def _place_attributes(
    header: Header, where: Mapping[str, int], class_column: int | None
) -> tuple[list[Attribute], list[int | None], int | None]:
    """The attributes that have a column, their columns, and which of them is the class."""
    attributes: list[Attribute] = []
    places: list[int | None] = []
    new_class = None
    for index, attribute in enumerate(header.attributes):
        place: int | None = where.get(attribute.name, where.get(attribute.name.strip()))
        if index == header.class_index:
            place = place if class_column is None else class_column
            new_class = len(attributes)
        elif place is None:
            continue
        attributes.append(attribute)
        places.append(place)
    return attributes, places, new_class


def _kept_names(
    names: Sequence[str], ignored: Sequence[str], attributes: Sequence[Attribute], keep: str | bool
) -> list[str]:
    """The columns to keep as text; a name that is there twice, or an attribute's, is none."""
    taken = {attribute.name for attribute in attributes}
    wanted = [name for name in ignored if keep is True or keep == name]
    return [name for name in wanted if names.count(name) == 1 and name not in taken]


def _class_column(
    names: Sequence[str], header: Header, first_row: Sequence[object], choice: str | int
) -> int | None:
    """Column of the class, whose name a text does not tell; None if there is none."""
    text = str(choice)
    others = set(header.names) - {header.class_attribute.name}
    free = [k for k, name in enumerate(names) if name not in others]
    last = len(names) - 1
    if text not in ("first", "last") and text in names:
        return names.index(text)
    if text == "first" or (text.isascii() and text.isdigit()):
        place = 0 if text == "first" else int(text) - 1
        return place if place in free else None
    guessed = header.class_attribute.name
    if guessed in names:
        return names.index(guessed)
    labels = header.class_attribute.index_of
    holds_label = last < len(first_row) and str(first_row[last]).strip() in labels
    return last if last in free and holds_label else None


class UnknownLabels:
    """What becomes of labels that the model does not know: another branch, missing, refused."""

    def __init__(self, unknown: Literal["refuse", "missing"] = "refuse") -> None:
        self._missing = unknown == "missing"
        self._other: dict[str, dict[str, None]] = {}
        self._counts: Counter[str] = Counter()

    def value(self, label: str, attribute: Attribute) -> float | None:
        """What stands for the label; None if it is to be refused."""
        if attribute.values[-1:] == (ANY_OTHER,):
            self._other.setdefault(attribute.name, {})[label] = None
            return float(len(attribute.values) - 1)
        if self._missing:
            self._counts[attribute.name] += 1
            return float("nan")
        return None

    @property
    def notes(self) -> tuple[str, ...]:
        """What became of them so far, one sentence each."""
        notes = []
        for name, labels in self._other.items():
            shown = ", ".join(list(labels)[:5]) + (", ..." if len(labels) > 5 else "")
            notes.append(f"{name}: the text does not name {shown}; such rows go the way of !=")
        if self._counts:
            total = sum(self._counts.values())
            each = ", ".join(f"{name} {n}" for name, n in self._counts.items())
            notes.append(f"unknown labels taken as missing: {total} ({each})")
        return tuple(notes)


def align_columns(rows: Rows, header: Header) -> Rows:
    """Rows in the columns of a header, all of which they must have but the class.

    Raises
    ------
    ColumnError
        If an attribute is missing, or has another type or other values.
    """
    rows = add_missing_class(rows, header)
    if rows.header.attributes == header.attributes:
        return rows.viewed(header, lambda block: replace(block, header=header))
    match_attributes(rows.header, header, range(len(header)), rows.name)
    return rows.viewed(header, lambda block: align_dataset(block, header))


def align_dataset(data: Dataset, header: Header) -> Dataset:
    """Rows in the columns of another header; what has no equal there is missing."""
    if data.header.attributes == header.attributes:
        return replace(data, header=header)
    places = column_places(data.header.names)
    X = np.full((len(data), len(header)), np.nan)
    pools = {}
    for column, attribute in enumerate(header.attributes):
        place = places.get(attribute.name)
        if place is not None and is_same_kind(attribute, data.header.attributes[place]):
            X[:, column] = data.X[:, place]
            if place in data.pools:
                pools[column] = data.pools[place]
    return Dataset(header, X, data.weights, pools)


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
    ColumnError
        If the rows lack an attribute that the tree asks for, or it has another type there.
    MismatchError
        On a row with a label for which a guessed header has no branch.
    """
    header = tree.header
    rows = add_missing_class(rows, header)
    if rows.header.attributes == header.attributes:
        return rows.viewed(header, lambda block: replace(block, header=header))
    if not header.inferred:
        tree.with_header(rows.header, rows.name)
        return rows.viewed(header, lambda block: align_dataset(block, header))
    places = column_places(rows.header.names)
    codes: dict[int, Floats | None] = {}
    for column, attribute in enumerate(header.attributes):
        if attribute.name in places:
            given = rows.header.attributes[places[attribute.name]]
            codes[column] = _label_codes(given, attribute, rows.name)
        elif column in tree.used_attributes:
            raise absent_column(attribute.name, rows.header.names, rows.name)

    def recode_block(block: Dataset) -> Dataset:
        X = np.full((len(block), len(header)), np.nan)
        for column, code in codes.items():
            place = places[header.attributes[column].name]
            cells = block.X[:, place]
            X[:, column] = cells if code is None else _recode(cells, code)
            if code is not None and column != header.class_index:
                _refuse_unnamed(cells, X[:, column], rows.header.attributes[place], rows.name)
        return Dataset(header, X, block.weights)

    return rows.viewed(header, recode_block)


def _label_codes(given: Attribute, wanted: Attribute, source: str) -> Floats | None:
    """The place of every label of one attribute among those of another; None for numbers."""
    if given.is_numeric and wanted.is_numeric:
        return None
    if not (given.is_nominal and wanted.is_nominal):
        raise other_kind(wanted, given, source)
    other = len(wanted.values) - 1 if wanted.values[-1:] == (ANY_OTHER,) else np.nan
    return np.array([wanted.index_of.get(v, other) for v in given.values], dtype=np.float64)


def _recode(cells: Floats, code: Floats) -> Floats:
    """Cells by the place of their label in another attribute; missing ones stay missing."""
    known = ~np.isnan(cells)
    recoded = np.full(len(cells), np.nan)
    recoded[known] = code[cells[known].astype(np.intp)]
    return recoded


def _refuse_unnamed(cells: Floats, recoded: Floats, attribute: Attribute, source: str) -> None:
    """Refuse labels of a multiway split for which the text has no branch."""
    lost = np.flatnonzero(np.isnan(recoded) & ~np.isnan(cells))
    if len(lost):
        label = attribute.values[int(cells[lost[0]])]
        raise MismatchError(
            f"{source}: {attribute.name!r} is {label!r} in some row, and the text has no such "
            "branch"
        )


def check_array(X: Any, header: Header) -> Floats:
    """An array in the order of a header, with or without the class; its labels are checked.

    Parameters
    ----------
    X
        Rows of numbers, or one row: an array, nested lists, or a sparse matrix of scipy. Of a
        nominal attribute the place of its value, from 0. Without the class that is missing.

    Raises
    ------
    MismatchError
        If it holds no numbers, has another width, or a number that is no place of a value; or if
        the header was guessed from a text, which does not tell the order of its attributes.
    """
    try:
        array = np.asarray(X.toarray() if hasattr(X, "toarray") else X, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise MismatchError(
            f"the rows are not numbers ({error}); expected an array, a Dataset or a table"
        ) from error
    if header.inferred and len(header) > 2:
        raise MismatchError(
            "an array has no column names, and a text alone does not tell the order of its "
            "attributes; expected a table with names, or the training data beside the model"
        )
    if array.ndim == 1:
        array = array[None]
    class_index = header.class_index
    if array.ndim == 2 and class_index is not None and array.shape[1] == len(header) - 1:
        array = np.insert(array, class_index, np.nan, axis=1)
    check_labels(header, array)
    return array
