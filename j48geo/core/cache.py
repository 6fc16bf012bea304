"""Cache what is computed from a tree, or another value, as long as that value lives."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")

_kept: dict[tuple[Callable[..., Any], int, int], tuple[tuple[weakref.ref[Any], ...], Any]] = {}


def cached_for(tree: object, make: Callable[..., T], beside: object = None) -> T:
    """The result of `make` for this very tree, or other value, computed once and dropped with it.

    Kept beside the tree, not in it: a tree is a value and stays what it is, also when it
    is pickled. Two threads that ask at once may both make it; they make the same.

    Parameters
    ----------
    make
        Called with the tree, and with `beside` if that is given.
    beside
        A second value that it is made from, such as counts; forgotten with either.
    """
    owners = (tree,) if beside is None else (tree, beside)
    key = (make, id(tree), id(beside))
    entry = _kept.get(key)
    if entry is not None and all(
        ref() is owner for ref, owner in zip(entry[0], owners, strict=True)
    ):
        cached: T = entry[1]
        return cached
    value = make(*owners)

    def forget(_: object) -> None:
        _kept.pop(key, None)

    _kept[key] = (tuple(weakref.ref(owner, forget) for owner in owners), value)
    return value
