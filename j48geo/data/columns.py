"""Columns of a table that declares no types, matched with the attributes of a header by name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from j48geo.core.dataset import ANY_OTHER, Attribute, Header
from j48geo.errors import DataReadError


class Matched(NamedTuple):
    """Where the attributes stand.

    Parameters
    ----------
    header
        The attributes that the table has, in the order of the model's, and the class.
    places
        Column of each of them, from 0; None for a class that is not there.
    notes
        What must be said of it.
    """

    header: Header
    places: tuple[int | None, ...]
    notes: tuple[str, ...]


def matched(
    names: Sequence[str],
    header: Header,
    first_row: Sequence[object] = (),
    class_attribute: str | int = "last",
    *,
    source: str,
    line: int = 0,
    keep: str | bool = False,
) -> Matched:
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
    twice = [n for n, times in Counter(names).items() if times > 1 and n in header.names]
    if twice:
        second = [k for k, name in enumerate(names) if name == twice[0]][1] + 1
        raise DataReadError(
            f"two columns are called {twice[0]}",
            "expected one",
            source,
            line,
            second if line else 0,
        )
    where = {name: place for place, name in enumerate(names)}
    class_index = header.class_index
    chosen = None
    if class_index is not None and header.inferred:
        chosen = _class_column(names, header, first_row, class_attribute)
        where.pop(header.class_attribute.name, None)
    kept: list[Attribute] = []
    places: list[int | None] = []
    new_class = None
    for index, attribute in enumerate(header.attributes):
        place: int | None = where.get(attribute.name, where.get(attribute.name.strip()))
        if index == class_index:
            place = place if chosen is None else chosen
            new_class = len(kept)
        elif place is None:
            continue
        kept.append(attribute)
        places.append(place)
    notes = []
    if new_class is not None and places[new_class] is None:
        notes.append("the class column is absent: every class is missing")
    elif chosen is not None and names[chosen] != header.class_attribute.name:
        notes.append(f"column {names[chosen]} is taken for the class")
    extra = [name for place, name in enumerate(names) if place not in places]
    for name in [n for n in extra if keep is True or keep == n]:
        if names.count(name) > 1 or name in {a.name for a in kept}:
            continue  # an attribute has a name of its own
        kept.append(Attribute(name, "string"))
        places.append(names.index(name))
        extra.remove(name)
    if extra:
        more = ", ..." if len(extra) > 20 else ""
        notes.append(f"columns ignored: {', '.join(extra[:20])}{more}")
    if tuple(kept) != header.attributes:
        header = replace(header, attributes=tuple(kept), class_index=new_class)
    return Matched(header, tuple(places), tuple(notes))


def _class_column(
    names: Sequence[str], header: Header, first_row: Sequence[object], choice: str | int
) -> int | None:
    """Column of the class, whose name a text does not tell; None if there is none."""
    text = str(choice)
    taken = {a.name for k, a in enumerate(header.attributes) if k != header.class_index}
    free = [k for k, name in enumerate(names) if name not in taken]
    if text not in ("first", "last") and text in names:
        return names.index(text)
    if text == "first" or (text.isascii() and text.isdigit()):
        place = 0 if text == "first" else int(text) - 1
        return place if place in free else None
    guessed = header.class_attribute.name
    if guessed in names:
        return names.index(guessed)
    last = len(names) - 1
    if last in free and last < len(first_row):
        return last if str(first_row[last]).strip() in header.class_attribute.index_of else None
    return None


class Unnamed:
    """Labels that the model does not name: the branch they take, or that they are refused."""

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
        said = []
        for name, labels in self._other.items():
            shown = ", ".join(list(labels)[:5]) + (", ..." if len(labels) > 5 else "")
            said.append(f"{name}: the text does not name {shown}; such rows go the way of !=")
        if self._counts:
            total = sum(self._counts.values())
            each = ", ".join(f"{name} {n}" for name, n in self._counts.items())
            said.append(f"unknown labels taken as missing: {total} ({each})")
        return tuple(said)
