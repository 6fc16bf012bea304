"""The door to numba: the loops compiled once, in place, or as they are if there is no numba."""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec
from threading import Lock
from types import ModuleType
from typing import Any

from j48geo.growing import loops

__all__ = ["compiled_loops", "numba_available"]

_lock = Lock()


def numba_available() -> bool:
    """Whether numba is installed; nothing is imported."""
    return find_spec("numba") is not None


def compiled_loops() -> ModuleType:
    """The module `loops` with every loop compiled; ImportError if there is no numba."""
    with _lock:
        return _compile()


@lru_cache(maxsize=1)
def _compile() -> ModuleType:
    from numba import njit

    # As in Java, a division by zero is a number.
    settings: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
    for name in loops.COMPILED:
        plain = getattr(loops, name)
        try:
            made = njit(cache=True, **settings)(plain)
        except RuntimeError:  # no place to keep the compiled code: compile it every time
            made = njit(**settings)(plain)
        setattr(loops, name, made)
    return loops
