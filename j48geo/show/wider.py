"""Data with columns added to it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from j48geo.core.dataset import Attribute, Header

__all__ = ["wider_header"]


def wider_header(header: Header, added: Iterable[Attribute]) -> Header:
    """The attributes of the data, then these; a name in use gets an underscore behind it.

    Examples
    --------
    >>> wider_header(Header("h", (Attribute("rank"),), None), [Attribute("rank")]).names
    ('rank', 'rank_')
    """
    names = set(header.names)
    made = list(header.attributes)
    for attribute in added:
        name = attribute.name
        while name in names:
            name += "_"
        names.add(name)
        made.append(replace(attribute, name=name))
    return replace(header, attributes=tuple(made))
