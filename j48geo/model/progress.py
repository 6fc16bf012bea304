"""How long work reports its progress: a function that rows pass through on their way."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from j48geo.core.dataset import Dataset

Progress = Callable[[Iterable[Dataset], str], Iterable[Dataset]]
"""Wraps rows on their way, to tell how far the work has come: ``progress(rows, "scored")``."""


def no_progress(rows: Iterable[Dataset], _: str) -> Iterable[Dataset]:
    """The same rows."""
    return rows
