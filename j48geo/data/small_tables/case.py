"""One case from values by name, as a person would say it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from j48geo.core.dataset import Dataset, Header
from j48geo.data.frame import cell_value
from j48geo.errors import DataReadError, UnknownNameError

__all__ = ["case_dataset", "split_case"]


def case_dataset(values: Mapping[str, Any], header: Header) -> Dataset:
    """One row; attributes that are not named are missing, and so is ``?``.

    Raises
    ------
    UnknownNameError, DataReadError
        If a name is not known, or a value is none of its attribute.
    """
    X = np.full((1, len(header)), np.nan)
    for name, value in values.items():
        if name not in header.names:
            raise UnknownNameError("attribute", name, header.names)
        column = header.position(name)
        attribute = header.attributes[column]
        if value == "?" and "?" not in attribute.index_of:
            continue
        found = cell_value(value, attribute)
        if isinstance(found, str):
            raise DataReadError(f"{name}={value}", found, "the case")
        X[0, column] = found
    return Dataset(header, X, np.ones(1))


def split_case(text: str, header: Header) -> dict[str, str]:
    """Values by name from ``a=1,b=2``; names and values may hold commas and equals signs.

    A part begins where a known name and ``=`` follow the beginning or a comma.
    """
    known = sorted(header.names, key=len, reverse=True)
    places: list[tuple[int, str]] = []
    start = 0
    while start <= len(text):
        name = next((n for n in known if text.startswith(f"{n}=", start)), None)
        if name is not None:
            places.append((start, name))
        elif not places and "=" not in text:
            raise DataReadError(text, "expected NAME=VALUE,...", "the case")
        elif not places:
            raise UnknownNameError("attribute", text.split("=")[0], header.names)
        comma = text.find(",", start)
        if comma < 0:
            break
        start = comma + 1
        while text.startswith(" ", start):
            start += 1
    found: dict[str, str] = {}
    ends = [place for place, _ in places[1:]] + [len(text)]
    for (place, name), end in zip(places, ends, strict=True):
        value = text[place + len(name) + 1 : end]
        if end < len(text):
            value = value.rstrip().removesuffix(",")
        found[name] = value.strip()
    return found
