"""Compile loops with numba where that pays, and run them in threads; nobody else imports numba.

A loop is a plain function over arrays, which Python alone runs too, slowly. It takes what it
needs as `NamedTuple`s of arrays. numba keeps the compiled code in a folder and looks at the file
of the loop alone to see whether that is still good: so these tuples, the constants and the
helpers of a loop stand in its own module, or the loops are compiled by `compile_together`.

Importing numba costs the better part of a second, and compiling a loop for the first time on a
machine up to eight; `EngineChoice` counts both. Nothing here imports numba before a loop is
compiled.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence, Set
from contextlib import contextmanager
from functools import cached_property, lru_cache
from importlib import import_module
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
_MARGIN = 1.25
"""Costs count so many times, since the seconds of a job are only estimated."""
_PART = 4096
"""Cases that a thread takes at least."""

_compiled: dict[Callable[..., Any], Any] = {}
_helpers: list[tuple[Callable[..., Any], bool]] = []  # those that numba was not yet told of
_lock = Lock()
_threads: int | None = None
_announce: Callable[[float], None] | None = None


def is_numba_available() -> bool:
    """Whether numba is installed; nothing is imported."""
    return find_spec("numba") is not None


def announce_compilation(announce: Callable[[float], None] | None) -> None:
    """Have `announce` called with the expected seconds before loops are compiled; None: nothing."""
    global _announce
    _announce = announce


class EngineChoice:
    """Which engine does some kind of work; what it remembers are hints, the answers are equal.

    Decided for the whole job, not for the block at hand: whoever hands out blocks says how many
    rows are `expected`. Where nobody knows, what is to come is taken to be as much as there was.
    All kinds of work together make loading numba pay, and each must pay for its own loops: for
    loading them, and for compiling them if no earlier process on this machine did.

    Parameters
    ----------
    loop
        The loop that is compiled, as ``module:name``; of several the one that takes longest.
    compile_seconds
        CPU seconds that compiling takes, with all loops that the work needs.
    together
        The loops that it is compiled with, as ``module:name``; see `compile_together`.
    load_seconds
        CPU seconds that loading takes when the loops are compiled already, beyond the usual.
    saving
        The part of NumPy's seconds that compiled loops save.

    Attributes
    ----------
    blocks : dict of str to int
        How many blocks each engine has done.
    """

    _all: ClassVar[list[EngineChoice]] = []

    def __init__(
        self,
        loop: str = "",
        compile_seconds: float = 0.0,
        *,
        together: str = "",
        load_seconds: float = 0.0,
        saving: float = 0.8,
    ) -> None:
        self.loop = loop
        self.together = together
        self.compile_seconds = compile_seconds
        self.load_seconds = load_seconds
        self.saving = saving
        self.spent = 0.0  # seconds of NumPy's work so far: many small blocks add up
        self.coming = 0.0  # and in what the job at hand has still to come
        self.loaded = False
        self.blocks = {"numpy": 0, "numba": 0}
        self._all.append(self)

    def takes_numba(self, engine: Engine, seconds: float, times: float = 1.0) -> bool:
        """Whether numba is to be used for a block, which is then counted as done.

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
        taken = self.pays(seconds * times) if engine == "auto" else engine == "numba"
        self.record(seconds, numba=taken)
        return taken

    def record(self, seconds: float, *, numba: bool) -> None:
        """Count a block that takes NumPy so many seconds as done by an engine."""
        self.blocks["numba" if numba else "numpy"] += 1
        if not numba:
            self.spent += seconds
            return
        if not self.loaded and not self.is_compiled and _announce is not None:
            _announce(self.compile_seconds)
        self.loaded = True
        self.spent = self.coming = 0.0

    def pays(self, seconds: float) -> bool:
        """Whether compiled loops would win where NumPy has so many seconds of work to come."""
        self.coming = seconds
        if self.loaded:
            return self.spent + seconds >= _WARM
        if self._profit < _LOOPS or not is_numba_available():
            return False
        imported = "numba" in sys.modules or any(choice.loaded for choice in self._all)
        return imported or sum(choice._profit for choice in self._all) >= _START

    @property
    def _profit(self) -> float:
        """Seconds of NumPy's work, less what it costs to make the loops ready."""
        seconds = self.spent + self.coming
        if seconds < _LOOPS:  # too little work to look for files
            return seconds
        cost = self.load_seconds + (0.0 if self.is_compiled else self.compile_seconds)
        return max(0.0, seconds - cost * _MARGIN / self.saving)

    @cached_property
    def is_compiled(self) -> bool:
        """Whether the loops were compiled on this machine before this process asked."""
        if not self.loop:
            return True
        loop = _find_by_name(self.loop)
        return is_cached(loop, _find_by_name(self.together) if self.together else (loop,))

    @classmethod
    def forget_the_job(cls) -> None:
        """The job at hand is over, or was given up."""
        for choice in cls._all:
            choice.coming = 0.0


def _find_by_name(name: str) -> Any:
    module, _, attribute = name.partition(":")
    return getattr(import_module(module), attribute)


_expected = 0


def expect_rows(rows: int) -> None:
    """Say how many rows the job at hand has still to come, the next block included; 0: no job.

    A hint for `EngineChoice`, for the whole process: it changes how long something takes,
    nothing else.
    """
    global _expected
    _expected = rows
    if not rows:
        EngineChoice.forget_the_job()


def times_to_come(rows: int) -> float:
    """How many times as many rows as this block has are still to come in the job at hand."""
    return max(1.0, _expected / max(1, rows))


_trees = 1


@contextmanager
def expect_trees(count: int) -> Iterator[None]:
    """Say how many trees of about one size are to be grown, the one inside included.

    A hint for the choice of engine, like `expect_rows`.
    """
    global _trees
    _trees = count
    try:
        yield
    finally:
        _trees = 1


def trees_to_come() -> int:
    """How many trees are expected to be grown, the one at hand included."""
    return _trees


def helper(function: F) -> F:
    """Mark a function that compiled loops may call; others call it as it is."""
    _helpers.append((function, False))
    return function


def inlined(function: F) -> F:
    """Mark a step of a compiled loop that LLVM writes into it, so that a call costs nothing."""
    _helpers.append((function, True))
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
            plain: Any = loop
            _compiled[loop] = _compile((plain,), {plain.__name__})[plain.__name__]
        compiled_loop: F = _compiled[loop]
        return compiled_loop


def compile_together(loops: Sequence[Callable[..., Any]], entries: Sequence[str]) -> Any:
    """Loops that call each other, compiled; ImportError if there is no numba.

    Parameters
    ----------
    loops
        Each after those that it calls. Their modules stay plain.
    entries
        Names of those that Python calls.
    """
    with _lock:
        return _compile_together(tuple(loops), frozenset(entries))


@lru_cache(maxsize=4)
def _compile_together(loops: tuple[FunctionType, ...], entries: frozenset[str]) -> Any:
    found = _compile(loops, entries)
    return SimpleNamespace(**{name: found[name] for name in entries})


def _compile(loops: tuple[FunctionType, ...], entries: Set[str]) -> dict[str, Any]:
    """The loops by name; numba compiles each when it is first called."""
    from numba import njit
    from numba.extending import register_jitable

    while _helpers:
        function, is_inlined = _helpers.pop()
        register_jitable(forceinline=is_inlined)(function)
    compiled_loops: dict[str, Any] = {}
    for loop in loops:
        settings: dict[str, Any] = {
            "nogil": True,
            # As in Java, a division by zero is a number; loops that look for it are not vectorised.
            "error_model": "numpy",
            # Wrappers take a third of the time of compiling. Nobody calls loops from C, and
            # Python calls only the entries.
            "no_cfunc_wrapper": True,
            "no_cpython_wrapper": loop.__name__ not in entries,
        }
        # Copies of the functions see each other's compiled copies.
        copy = FunctionType(loop.__code__, {**loop.__globals__, **compiled_loops}, loop.__name__)
        copy.__module__ = loop.__module__
        copy.__qualname__ = _cache_name(loop, loops)
        try:
            compiled_loops[loop.__name__] = njit(cache=True, **settings)(copy)
        except RuntimeError:  # no place to keep the compiled code: compile it every time
            compiled_loops[loop.__name__] = njit(**settings)(copy)
    return compiled_loops


def _cache_name(loop: FunctionType, loops: Sequence[FunctionType]) -> str:
    """The name by which numba keeps a loop that is compiled together with others.

    It says of which version of all their modules it is: numba looks at that of the loop alone.
    """
    return f"{loop.__name__}_{_version_of(tuple(sorted({f.__code__.co_filename for f in loops})))}"


@lru_cache(maxsize=64)
def _version_of(files: tuple[str, ...]) -> str:
    from hashlib import sha256

    content = sha256()
    for path in files:
        try:
            with open(path, "rb") as file:
                content.update(file.read())
        except OSError:  # no file: then numba keeps nothing either
            return "unknown"
    return content.hexdigest()[:8]


def is_cached(loop: FunctionType, loops: Sequence[FunctionType]) -> bool:
    """Whether numba keeps the loop compiled, as far as names of files tell; nothing is imported.

    A wrong answer makes something slower, nothing else. It would be wrong on a machine with
    another processor, or if numba named its files otherwise: then loops count as not compiled.
    """
    from importlib.metadata import PackageNotFoundError, version

    code = loop.__code__
    folder, file = os.path.split(os.path.abspath(code.co_filename))
    module = os.path.splitext(file)[0]
    python = f"py{sys.version_info[0]}{sys.version_info[1]}{getattr(sys, 'abiflags', '')}"
    # The index of a loop begins with the version of numba.
    index = f"{module}.{_cache_name(loop, loops)}-{code.co_firstlineno}.{python}.nbi"
    try:
        with open(os.path.join(_cache_folder(folder), index), "rb") as content:
            return version("numba").encode() in content.read(64)
    except (OSError, PackageNotFoundError):
        return False


def _cache_folder(folder: str) -> str:
    """Where numba keeps what it compiles of a folder: the first of its places that can be used."""
    from hashlib import sha1

    by_path = f"{os.path.basename(folder)}_{sha1(folder.encode()).hexdigest()}"
    if given := os.environ.get("NUMBA_CACHE_DIR"):
        return os.path.join(given, by_path)
    beside = os.path.join(folder, "__pycache__")
    if os.access(beside if os.path.exists(beside) else folder, os.W_OK):
        return beside
    home = os.path.expanduser("~")
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local")
        return os.path.join(local, "numba", "Cache", by_path)
    if sys.platform == "darwin":
        return os.path.join(home, "Library", "Caches", "numba", by_path)
    caches = os.environ.get("XDG_CACHE_HOME") or os.path.join(home, ".cache")
    return os.path.join(caches, "numba", by_path)


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
    """Iterate over steps while a thread makes the next one ahead of its use.

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
