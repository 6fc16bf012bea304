"""Rows on their way through a model, and who watches them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from j48geo.core.dataset import Dataset

__all__ = ["Watch", "unwatched"]

Watch = Callable[[Iterable[Dataset], str], Iterable[Dataset]]
"""Wraps rows on their way, to tell how far the work has come: ``watch(rows, "scored")``."""


def unwatched(rows: Iterable[Dataset], _: str) -> Iterable[Dataset]:
    """The same rows."""
    return rows
