"""The door to numba: the loops compiled once."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from importlib.util import find_spec
from threading import Lock
from types import FunctionType, SimpleNamespace
from typing import Any

from j48geo.growing.loops import LOOPS

__all__ = ["compiled_loops", "numba_available"]

_lock = Lock()


def numba_available() -> bool:
    """Whether numba is installed; nothing is imported."""
    return find_spec("numba") is not None


def compiled_loops() -> Any:
    """The loops, compiled; ImportError if there is no numba."""
    with _lock:
        return _compile()


@lru_cache(maxsize=1)
def _compile() -> Any:
    from numba import njit

    # Copies of the functions see each other's compiled copies; the modules stay plain.
    # As in Java, a division by zero is a number.
    settings: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
    made: dict[str, Any] = {}
    # numba looks at the file of a function alone to see whether what it kept is still good.
    # A name that holds the code of all of them says so of those that it calls too.
    codes = [(f.__code__.co_code, f.__code__.co_names, f.__code__.co_consts) for f in LOOPS]
    version = sha256(repr(codes).encode()).hexdigest()[:8]
    for plain in LOOPS:
        copy = FunctionType(plain.__code__, {**plain.__globals__, **made}, plain.__name__)
        copy.__module__ = plain.__module__
        copy.__qualname__ = f"{plain.__name__}_{version}"
        try:
            made[plain.__name__] = njit(cache=True, **settings)(copy)
        except RuntimeError:  # no place to keep the compiled code: compile it every time
            made[plain.__name__] = njit(**settings)(copy)
    return SimpleNamespace(**made)
