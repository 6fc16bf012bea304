"""What is made from a tree once and forgotten with it."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any, TypeVar

from j48geo.core.tree import BoxTree

__all__ = ["kept_with"]

T = TypeVar("T")

_kept: dict[tuple[int, Callable[[BoxTree], Any]], tuple[weakref.ref[BoxTree], Any]] = {}


def kept_with(tree: BoxTree, make: Callable[[BoxTree], T]) -> T:
    """What `make` gives for this very tree, made once and forgotten with the tree.

    Kept beside the tree, not in it: a tree is a value and stays what it is, also when it
    is pickled. Two threads that ask at once may both make it; they make the same.
    """
    key = (id(tree), make)
    if (found := _kept.get(key)) is not None and found[0]() is tree:
        kept: T = found[1]
        return kept
    made = make(tree)
    _kept[key] = (weakref.ref(tree, lambda _: _kept.pop(key, None)), made)
    return made
