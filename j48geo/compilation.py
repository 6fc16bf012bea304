"""The only door to numba: whether it is there and pays, compiling a loop, running it in threads.

A loop is a plain function over arrays, which Python alone runs too, slowly. It takes what it
needs as `NamedTuple`s of arrays. numba keeps the compiled code and looks at the file of the
loop alone to see whether that is still good: so these tuples, the constants and the helpers
of a loop stand in its own module.

Importing numba costs the better part of a second; nothing here does so before a loop is
compiled.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from importlib.util import find_spec
from itertools import islice
from threading import Lock
from types import FunctionType, SimpleNamespace
from typing import Any, ClassVar, Literal, TypeVar

from j48geo.errors import ChoiceError, UnknownNameError

Engine = Literal["auto", "numpy", "numba"]

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")

_START = 0.8
"""Seconds of NumPy's work after which loading numba would have paid."""
_LOOPS = 0.2
"""Seconds of one kind of work after which loading its loops would have paid."""
_WARM = 2e-3
"""The same once they are loaded."""
_PART = 4096
"""Cases that a thread takes at least."""

_compiled: dict[Callable[..., Any], Any] = {}
_helpers: list[Callable[..., Any]] = []  # those that numba was not yet told of
_lock = Lock()
_threads: int | None = None


def is_numba_available() -> bool:
    """Whether numba is installed; nothing is imported."""
    return find_spec("numba") is not None


class EngineChoice:
    """Which engine does some kind of work; what it remembers are hints, the answers are equal.

    Decided for the whole job, not for the block at hand: whoever hands out blocks says how many
    rows are `expected`. Where nobody knows, what is to come is taken to be as much as there was.
    All kinds of work together make loading numba pay, and each must pay for its own loops.

    Attributes
    ----------
    blocks : dict of str to int
        How many blocks each engine has done.
    """

    _all: ClassVar[list[EngineChoice]] = []

    def __init__(self) -> None:
        self.spent = 0.0  # seconds of NumPy's work so far: many small blocks add up
        self.coming = 0.0  # and in what the job at hand has still to come
        self.loaded = False
        self.blocks = {"numpy": 0, "numba": 0}
        self._all.append(self)

    def takes_numba(self, engine: Engine, seconds: float, times: float = 1.0) -> bool:
        """Whether numba is to be used.

        Parameters
        ----------
        engine
            What the caller asks for.
        seconds
            How long NumPy would take for the block at hand.
        times
            How many times as much the whole job has still to come, see `times_to_come`.
        """
        if engine not in ("auto", "numpy", "numba"):
            raise UnknownNameError("engine", engine, ("auto", "numpy", "numba"))
        taken = self._pays(seconds, times) if engine == "auto" else engine == "numba"
        self.blocks["numba" if taken else "numpy"] += 1
        if taken:
            self.loaded = True
            self.spent = self.coming = 0.0
        else:
            self.spent += seconds
        return taken

    @classmethod
    def forget_the_job(cls) -> None:
        """The job at hand is over, or was given up."""
        for choice in cls._all:
            choice.coming = 0.0

    def _pays(self, seconds: float, times: float) -> bool:
        self.coming = seconds * times
        own = self.spent + self.coming
        if self.loaded:
            return own >= _WARM
        if own < _LOOPS:
            return False
        imported = "numba" in sys.modules or any(choice.loaded for choice in self._all)
        every = sum(choice.spent + choice.coming for choice in self._all)
        return (imported or every >= _START) and is_numba_available()


_expected = 0


def expect_rows(rows: int) -> None:
    """Say how many rows the job at hand has still to come, the next block included; 0: no job.

    A hint for `EngineChoice`, for the whole process: it changes how long the work takes, no more.
    """
    global _expected
    _expected = rows
    if not rows:
        EngineChoice.forget_the_job()


def times_to_come(rows: int) -> float:
    """How many times as many rows as this block has are still to come in the job at hand."""
    return max(1.0, _expected / max(1, rows))


def helper(function: F) -> F:
    """Mark a function that compiled loops may call; others call it as it is."""
    _helpers.append(function)
    return function


def compile_loop(loop: F) -> F:
    """The loop, compiled; it lets other threads run.

    Raises
    ------
    ImportError
        If there is no numba.
    """
    with _lock:
        if loop not in _compiled:
            _compiled[loop] = _compile(loop)
        found: F = _compiled[loop]
        return found


def _compile(loop: Callable[..., Any]) -> Any:
    from numba import njit
    from numba.extending import register_jitable

    while _helpers:
        register_jitable(_helpers.pop())
    # A division by zero is a number: loops that look for it are not vectorised.
    settings: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
    try:
        return njit(cache=True, **settings)(loop)
    except RuntimeError:  # no place to keep the compiled code: compile it every time
        return njit(**settings)(loop)


def compile_together(loops: Sequence[Callable[..., Any]]) -> Any:
    """Loops that call each other, compiled; ImportError if there is no numba.

    Parameters
    ----------
    loops
        Each after those that it calls. Their modules stay plain.
    """
    with _lock:
        return _compile_together(tuple(loops))


@lru_cache(maxsize=4)
def _compile_together(loops: tuple[FunctionType, ...]) -> Any:
    from numba import njit

    # Copies of the functions see each other's compiled copies. As in Java, a division by
    # zero is a number.
    settings: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
    made: dict[str, Any] = {}
    # numba looks at the file of a function alone to see whether what it kept is still good.
    # A name that holds the code of all of them says so of those that it calls too.
    codes = [(f.__code__.co_code, f.__code__.co_names, f.__code__.co_consts) for f in loops]
    version = sha256(repr(codes).encode()).hexdigest()[:8]
    for plain in loops:
        copy = FunctionType(plain.__code__, {**plain.__globals__, **made}, plain.__name__)
        copy.__module__ = plain.__module__
        copy.__qualname__ = f"{plain.__name__}_{version}"
        try:
            made[plain.__name__] = njit(cache=True, **settings)(copy)
        except RuntimeError:  # no place to keep the compiled code: compile it every time
            made[plain.__name__] = njit(**settings)(copy)
    return SimpleNamespace(**made)


def limit_threads(count: int | None) -> None:
    """Let no work of this process take more threads; None leaves it to ``J48GEO_THREADS``.

    The answers are the same for any number.
    """
    global _threads
    if count is not None and count < 1:
        raise ChoiceError("threads", f"{count}: expected a number of at least 1")
    _threads = count


def _most_threads() -> int:
    """The limit that was set, that of the environment, or the number of cores."""
    if _threads is not None:
        return _threads
    asked = os.environ.get("J48GEO_THREADS", "")
    if not asked:
        return os.cpu_count() or 1
    if not (asked.isascii() and asked.isdigit() and int(asked)):
        raise ChoiceError("threads", f"{asked!r} in J48GEO_THREADS: expected a number from 1 on")
    return int(asked)


def run_in_threads(work: Callable[[slice], None], count: int) -> None:
    """Call `work` with slices that make up 0 to `count`, in threads if that pays.

    numba's own parallel loops may not be entered by two threads at once; these may.
    """
    threads = min(_most_threads(), max(1, count // _PART))
    if threads == 1:
        work(slice(0, count))
        return
    from concurrent.futures import ThreadPoolExecutor  # with all of logging; rarely needed

    step = max(_PART, -(-count // (4 * threads)))
    with ThreadPoolExecutor(threads) as pool:
        parts = (slice(b, min(b + step, count)) for b in range(0, count, step))
        for _ in pool.map(work, parts):
            pass  # an error of a part is raised here


def prefetch(steps: Iterator[T]) -> Iterator[T]:
    """The same, but the next one is made in a thread while somebody works with the one at hand.

    An error comes where it would have come. Whoever gives up earlier waits for the one that is
    being made, so that then what it is made from can be closed.
    """
    if _most_threads() == 1:
        yield from steps
        return
    from concurrent.futures import ThreadPoolExecutor

    def step() -> list[T]:
        return list(islice(steps, 1))

    with ThreadPoolExecutor(1) as pool:
        coming = pool.submit(step)
        while made := coming.result():
            coming = pool.submit(step)
            yield made[0]
