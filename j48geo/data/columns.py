"""Columns of a table that declares no types, matched with the attributes of a header by name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from j48geo.core.dataset import ANY_OTHER, Attribute, Header
from j48geo.errors import DataReadError


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
    _refuse_doubled(names, header, source, line)
    where = {name: place for place, name in enumerate(names)}
    chosen = None
    if header.class_index is not None and header.inferred:
        chosen = _class_column(names, header, first_row, class_attribute)
        where.pop(header.class_attribute.name, None)
    attributes, places, new_class = _place_attributes(header, where, chosen)
    notes = []
    if new_class is not None and places[new_class] is None:
        notes.append("the class column is absent: every class is missing")
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


def _refuse_doubled(names: Sequence[str], header: Header, source: str, line: int) -> None:
    """Refuse two columns of the same name if the model has an attribute of that name."""
    doubled = [n for n, times in Counter(names).items() if times > 1 and n in header.names]
    if doubled:
        second = [k for k, name in enumerate(names) if name == doubled[0]][1] + 1
        raise DataReadError(
            f"two columns are called {doubled[0]}",
            "expected one",
            source,
            line,
            second if line else 0,
        )


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
