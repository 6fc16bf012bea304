"""The door to numba: the loops compiled once."""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec
from threading import Lock
from types import FunctionType, SimpleNamespace
from typing import Any

from j48geo.growing import loops

__all__ = ["compiled_loops", "numba_available"]

_lock = Lock()


def numba_available() -> bool:
    """Whether numba is installed; nothing is imported."""
    return find_spec("numba") is not None


def compiled_loops() -> Any:
    """The loops of the module `loops`, compiled; ImportError if there is no numba."""
    with _lock:
        return _compile()


@lru_cache(maxsize=1)
def _compile() -> Any:
    from numba import njit

    # Copies of the functions see each other's compiled copies; the module stays plain.
    space = dict(vars(loops))
    # As in Java, a division by zero is a number.
    settings: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
    for name in loops.COMPILED:
        plain = getattr(loops, name)
        copy = FunctionType(plain.__code__, space, name)
        copy.__module__ = loops.__name__
        try:
            space[name] = njit(cache=True, **settings)(copy)
        except RuntimeError:  # no place to keep the compiled code: compile it every time
            space[name] = njit(**settings)(copy)
    return SimpleNamespace(**{name: space[name] for name in loops.COMPILED})
