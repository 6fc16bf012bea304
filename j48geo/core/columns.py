"""Match the columns of a table with the attributes of a model, by name.

Everything that reads rows for a model asks here: `find_columns` where only names are known,
`match_attributes` where both sides have types, `check_width` and `check_labels` for arrays. So one
mistake has one message, wherever it is met. Names are compared letter for letter.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from j48geo.arrays import Floats
from j48geo.core.dataset import Attribute, Header
from j48geo.errors import ColumnError, DoubledColumnError, MismatchError
from j48geo.text import list_first

NAMES_SHOWN = 20
"""How many names of columns, or values of an attribute, a message lists."""


def column_places(names: Sequence[str]) -> dict[str, int]:
    """Place of every name, from 0; of a name that is there twice the first."""
    places: dict[str, int] = {}
    for place, name in enumerate(names):
        places.setdefault(name, place)
    return places


def refuse_doubled(names: Sequence[str], wanted: Iterable[str], source: str, line: int = 0) -> None:
    """Refuse two columns of one name if the name is wanted.

    Parameters
    ----------
    line
        Line of the names, for the message; 0 if there are no lines.

    Raises
    ------
    DoubledColumnError
    """
    places = column_places(names)
    if len(places) == len(names):
        return
    important = set(wanted)
    for place, name in enumerate(names):
        if name in important and places[name] != place:
            raise DoubledColumnError(
                f"two columns are called {name!r}",
                "expected one",
                source,
                line,
                place + 1 if line else 0,
            )


def absent_column(name: str, names: Sequence[str], source: str) -> ColumnError:
    """The error for a column that the model asks for and a table does not have."""
    return ColumnError(
        f"no column {name!r}, which the model asks for",
        f"it has {list_first(names, NAMES_SHOWN) or 'none'}",
        source,
    )


def find_columns(names: Sequence[str], wanted: Sequence[str], source: str) -> list[int]:
    """Place of each wanted name among the names of a table.

    Raises
    ------
    ColumnError
        If one is not there, or twice.
    """
    refuse_doubled(names, wanted, source)
    places = column_places(names)
    for name in wanted:
        if name not in places:
            raise absent_column(name, names, source)
    return [places[name] for name in wanted]


def match_attributes(
    given: Header, model: Header, columns: Iterable[int], source: str
) -> dict[int, int]:
    """In which columns of given rows some attributes of a model stand, by name.

    Parameters
    ----------
    columns
        Columns of `model` that must be there, with the same type and the same values.
    source
        What the rows are called in messages.

    Raises
    ------
    ColumnError
        If one is not there, has another type or other values.
    """
    needed = list(columns)
    wanted = [model.attributes[column] for column in needed]
    places = find_columns(given.names, [attribute.name for attribute in wanted], source)
    for attribute, place in zip(wanted, places, strict=True):
        if not is_same_kind(attribute, given.attributes[place]):
            raise other_kind(attribute, given.attributes[place], source)
    return dict(zip(needed, places, strict=True))


def is_same_kind(one: Attribute, other: Attribute) -> bool:
    """Whether cells of two attributes mean the same: both numbers, or the same labels in order."""
    return (one.is_numeric, one.is_nominal, one.values) == (
        other.is_numeric,
        other.is_nominal,
        other.values,
    )


def other_kind(wanted: Attribute, given: Attribute, source: str) -> ColumnError:
    """The error for a column of another type, or with other values, than the model expects."""
    return ColumnError(
        f"column {wanted.name!r} is {describe_kind(given)}",
        f"the model expects {describe_kind(wanted)}",
        source,
    )


def describe_kind(attribute: Attribute) -> str:
    """The type of an attribute as ARFF writes it; of a nominal one its first values."""
    if attribute.is_nominal:
        more = ",..." if len(attribute.values) > NAMES_SHOWN else ""
        return "{" + ",".join(attribute.values[:NAMES_SHOWN]) + more + "}"
    return attribute.type


def check_width(header: Header, X: Floats) -> None:
    """Refuse an array that has more or fewer columns than a header.

    Raises
    ------
    MismatchError
        If the shape of `X` is another.
    """
    if X.ndim != 2 or X.shape[1] != len(header):
        raise MismatchError(
            f"rows of shape {X.shape}; expected {len(header)} columns, the class included: "
            f"{list_first(header.names, NAMES_SHOWN)}"
        )


def check_labels(header: Header, X: Floats) -> None:
    """Refuse rows with a number that is no place of a label of its nominal attribute.

    Loops over rows look labels up by these numbers without looking at them again.

    Raises
    ------
    MismatchError
    """
    check_width(header, X)
    for column, attribute in enumerate(header.attributes):
        if attribute.is_nominal:
            x = X[:, column]
            is_place = (x >= 0) & (x < len(attribute.values)) & (x == np.floor(x))
            wrong = np.flatnonzero(~(is_place | np.isnan(x)))
            if len(wrong):
                raise MismatchError(
                    f"column {attribute.name!r} holds {x[wrong[0]]:g}; expected the place "
                    f"of a value: 0 to {len(attribute.values) - 1}, or NaN"
                )
