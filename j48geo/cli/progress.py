"""How far long work has come: on a terminal only, and only if it is long."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from j48geo.core.dataset import Dataset

FIRST_SECONDS = 2.0
"""Seconds before anything is shown."""
SECONDS_BETWEEN = 0.5
_shown = 0


def show_progress(blocks: Iterable[Dataset], done: str) -> Iterator[Dataset]:
    """The same blocks; after two seconds the terminal shows how many rows have passed.

    Parameters
    ----------
    done
        What happens to the rows: ``scored``.
    """
    stream = sys.stderr
    global _shown
    rows = 0
    due = time.monotonic() + FIRST_SECONDS
    try:
        for block in blocks:
            yield block
            rows += len(block)
            if time.monotonic() >= due:
                text = f"{rows:,} rows {done}"
                stream.write("\r" + text.ljust(_shown))
                stream.flush()
                _shown = len(text)
                due = time.monotonic() + SECONDS_BETWEEN
    finally:
        clear_progress()


def clear_progress() -> None:
    """Wipe out what is shown."""
    global _shown
    if _shown and sys.stderr is not None:
        sys.stderr.write("\r" + " " * _shown + "\r")
        sys.stderr.flush()
    _shown = 0
