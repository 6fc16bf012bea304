"""The door to numba: when it pays, what is compiled, and how the work is divided."""

from __future__ import annotations

import ast
import inspect
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path
from threading import Event, Lock, Timer, get_ident
from typing import Any

import numpy as np
import pytest

from j48geo import compilation as door
from j48geo.arrays import Floats
from j48geo.compilation import (
    EngineChoice,
    compile_loop,
    expect_rows,
    helper,
    is_numba_available,
    limit_threads,
    prefetch,
    run_in_threads,
    times_to_come,
)
from j48geo.core import routing_numba
from j48geo.data.arff import scan_numba
from j48geo.errors import ChoiceError, UnknownNameError
from j48geo.geometry import distance_kernels
from j48geo.score.nearby import numba_kernels
from j48geo.show.rows import block_text_numba as rowtext_loops

LOOPS = (
    routing_numba.walk_down,
    routing_numba.add_up,
    routing_numba.count_down,
    distance_kernels.search_nearest,
    distance_kernels.search_by_class,
    numba_kernels.average_leaves,
    scan_numba._scan_lines,
    rowtext_loops.fill_rows,
)

needs_numba = pytest.mark.skipif(not is_numba_available(), reason="no numba")


@helper
def twice(x: float) -> float:
    return 2.0 * x


def doubled(X: Floats, found: Floats) -> None:
    for i in range(len(X)):
        found[i] = twice(X[i])


@needs_numba
def test_a_loop_is_compiled_once_with_its_helpers_which_python_calls_as_they_are() -> None:
    X, found = np.array([1.0, 2.5]), np.zeros(2)
    compile_loop(doubled)(X, found)
    assert found.tolist() == [2.0, 5.0]
    assert compile_loop(doubled) is compile_loop(doubled)
    assert compile_loop(doubled) is not doubled
    assert twice(4.0) == 8.0


def test_what_is_asked_for_is_taken_and_other_names_are_refused() -> None:
    choice = EngineChoice()
    assert choice.takes_numba("numba", 0.0)
    assert not choice.takes_numba("numpy", 1e9)
    with pytest.raises(UnknownNameError, match="unknown engine 'fast'; known: auto, numpy, numba"):
        choice.takes_numba("fast", 0.0)  # type: ignore[arg-type]


def test_numba_is_taken_when_numpy_has_worked_for_long_and_then_soon_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(door, "is_numba_available", lambda: True)
    monkeypatch.setattr(EngineChoice, "_all", [])
    monkeypatch.delitem(sys.modules, "numba", raising=False)
    choice = EngineChoice()
    taken = [choice.takes_numba("auto", 0.3) for _ in range(4)]
    assert taken == [False, False, True, True]
    assert not choice.takes_numba("auto", 1e-4)


def test_what_is_not_there_is_never_taken_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "is_numba_available", lambda: False)
    assert not EngineChoice().takes_numba("auto", 1e9)


def test_threads_do_all_of_the_work_once() -> None:
    lock = Lock()
    for count in (0, 1, 5000, 100_001):
        done = np.zeros(count, dtype=np.intp)

        def work(part: slice, done: np.ndarray = done) -> None:
            with lock:
                done[part] += 1

        run_in_threads(work, count)
        assert (done == 1).all()


def test_an_error_in_a_thread_is_raised() -> None:
    def work(part: slice) -> None:
        if part.start > 0:
            raise ValueError("the second part")

    if (os.cpu_count() or 1) > 1:
        with pytest.raises(ValueError, match="the second part"):
            run_in_threads(work, 100_000)


@pytest.mark.parametrize("loop", LOOPS, ids=lambda loop: loop.__name__)
def test_what_a_loop_goes_by_stands_in_its_own_module(loop: Callable[..., Any]) -> None:
    """Else numba, which looks at that file alone, would run old code after a change."""
    module = sys.modules[loop.__module__]
    tree = ast.parse(inspect.getsource(module))
    foreign = {
        alias.asname or alias.name
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("j48geo")
        for alias in node.names
        if node.module not in ("j48geo.arrays", "j48geo.compilation")
    }
    functions = {
        node.name: {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
    }
    used, waiting = set[str](), [loop.__name__]
    while waiting:
        new = functions.get(waiting.pop(), set()) - used
        used |= new
        waiting += new
    assert not used & foreign


def test_the_door_itself_loads_nothing() -> None:
    code = "import sys, j48geo.compilation; assert 'numba' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_whole_job_decides_from_its_first_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "is_numba_available", lambda: True)
    small, large = EngineChoice(), EngineChoice()
    for choice, rows in ((small, 20), (large, 100_000)):
        for left in range(rows, 0, -10):
            expect_rows(left)
            choice.takes_numba("auto", 1e-3, times_to_come(10))
            if left < rows - 50:
                break
        expect_rows(0)
    assert small.blocks == {"numpy": 2, "numba": 0}
    assert large.blocks == {"numpy": 0, "numba": 7}


def test_kinds_of_work_make_numba_pay_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "is_numba_available", lambda: True)
    monkeypatch.setattr(EngineChoice, "_all", [])
    monkeypatch.delitem(sys.modules, "numba", raising=False)
    one, other, little = EngineChoice(), EngineChoice(), EngineChoice()
    expect_rows(1000)
    first = [c.takes_numba("auto", s, times_to_come(100)) for c, s in ((one, 0.05), (other, 0.06))]
    assert first == [False, True]  # the first did not know of the second
    assert one.takes_numba("auto", 0.05, times_to_come(100))
    assert not little.takes_numba("auto", 1e-3, times_to_come(100))
    expect_rows(0)
    assert one.coming == other.coming == little.coming == 0.0


def test_a_limit_of_threads_holds_and_is_that_of_the_environment_otherwise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def used() -> int:
        seen: set[int] = set()
        parts: list[slice] = []

        def work(part: slice) -> None:
            seen.add(get_ident())
            parts.append(part)

        run_in_threads(work, 1_000_000)
        assert sum(part.stop - part.start for part in parts) == 1_000_000
        return len(seen) if len(parts) > 1 else 1

    monkeypatch.setattr(door.os, "cpu_count", lambda: 8)
    monkeypatch.setenv("J48GEO_THREADS", "1")
    assert used() == 1
    monkeypatch.setenv("J48GEO_THREADS", "no")
    with pytest.raises(ChoiceError, match="'no' in J48GEO_THREADS: expected a number from 1 on"):
        used()
    limit_threads(2)
    try:
        assert used() <= 2
        with pytest.raises(ChoiceError, match="0: expected a number of at least 1"):
            limit_threads(0)
    finally:
        limit_threads(None)


@pytest.mark.parametrize("threads", [1, 2])
def test_what_is_made_one_ahead_comes_in_order_and_so_does_an_error(threads: int) -> None:
    makers: set[int] = set()

    def numbers() -> Iterator[int]:
        for i in range(5):
            makers.add(get_ident())
            yield i
        raise ValueError("the sixth")

    seen: list[int] = []
    limit_threads(threads)
    try:
        with pytest.raises(ValueError, match="the sixth"):
            seen.extend(prefetch(numbers()))
        assert list(prefetch(iter(()))) == []
    finally:
        limit_threads(None)
    assert seen == [0, 1, 2, 3, 4]
    assert (get_ident() in makers) == (threads == 1)
    assert len(makers) == 1


def test_the_next_is_made_while_the_one_at_hand_is_worked_on() -> None:
    second = Event()

    def steps() -> Iterator[int]:
        yield 1
        second.set()
        yield 2

    limit_threads(2)
    try:
        ahead = prefetch(steps())
        assert next(ahead) == 1
        assert second.wait(10)
        assert list(ahead) == [2]
    finally:
        limit_threads(None)


def test_whoever_gives_up_waits_for_what_is_being_made() -> None:
    begun, go_on = Event(), Event()
    made: list[int] = []

    def steps() -> Iterator[int]:
        yield 1
        begun.set()
        go_on.wait(10)
        made.append(2)
        yield 2

    limit_threads(2)
    try:
        ahead = prefetch(steps())
        next(ahead)
        assert begun.wait(10)
        Timer(0.05, go_on.set).start()
        ahead.close()  # type: ignore[attr-defined]
        assert made == [2]
    finally:
        limit_threads(None)


ROUTING = "j48geo.core.routing_numba:walk_down"
FIND_LEAVES = f"""
import sys
import numpy as np
from j48geo.compilation import EngineChoice, compile_loop
from j48geo.core.routing_numba import Steps, walk_down
choice = EngineChoice({ROUTING!r}, 2.0)
before = choice.is_compiled
assert "numba" not in sys.modules
steps = Steps(np.array([[-1, 0, 7, 0, 0]], dtype=np.int32), np.zeros(1), np.zeros(1),
              np.zeros(0, dtype=np.intp), 0.0, 0)
leaf = np.zeros(3, dtype=np.intp)
compile_loop(walk_down)(np.zeros((3, 1)), leaf, steps)
assert leaf.tolist() == [7, 7, 7]
print(before, EngineChoice({ROUTING!r}, 2.0).is_compiled)
"""


@needs_numba
def test_whether_a_loop_was_compiled_before_is_known_without_numba(tmp_path: Path) -> None:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    for expected in ("False True", "True True"):
        done = subprocess.run(
            [sys.executable, "-c", FIND_LEAVES], env=environment, capture_output=True, text=True
        )
        assert done.stdout.strip() == expected, done.stderr
    (index,) = tmp_path.rglob("*.nbi")
    own = metadata.version("numba").encode()
    index.write_bytes(index.read_bytes().replace(own, b"0" * len(own), 1))
    done = subprocess.run(
        [sys.executable, "-c", FIND_LEAVES], env=environment, capture_output=True, text=True
    )
    assert done.stdout.strip() == "False True", done.stderr  # what another numba kept is no good


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No other kind of work, numba installed and not yet loaded, nothing compiled."""
    monkeypatch.setattr(door, "is_numba_available", lambda: True)
    monkeypatch.setattr(EngineChoice, "_all", [])
    monkeypatch.delitem(sys.modules, "numba", raising=False)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))


@pytest.mark.usefixtures("alone")
def test_a_job_must_pay_for_compiling_too() -> None:
    warm, cold = EngineChoice(), EngineChoice(ROUTING, 4.0)
    assert [warm.pays(seconds) for seconds in (0.5, 1.0, 5.0)] == [False, True, True]
    EngineChoice._all[:] = [cold]
    assert [cold.pays(seconds) for seconds in (1.0, 5.0, 6.0, 8.0)] == [False, False, False, True]


@pytest.mark.usefixtures("alone")
def test_little_saved_pays_later_than_much() -> None:
    assert EngineChoice(ROUTING, 4.0, saving=0.97).pays(6.5)
    EngineChoice._all.clear()
    assert not EngineChoice(ROUTING, 4.0, saving=0.5).pays(6.5)


@pytest.mark.usefixtures("alone")
def test_work_that_does_not_pay_for_its_own_loops_pays_nothing_of_numba() -> None:
    large, small = EngineChoice(), EngineChoice(ROUTING, 4.0)
    assert not small.pays(4.5)
    assert not large.pays(0.5)
    assert large.pays(0.9)
    large.record(0.0, numba=True)
    assert not small.pays(4.5)  # numba is loaded, the loop is not compiled


@pytest.mark.usefixtures("alone")
def test_compiling_is_announced_once_and_only_where_it_happens() -> None:
    announced: list[float] = []
    door.announce_compilation(announced.append)
    try:
        warm, cold = EngineChoice(), EngineChoice(ROUTING, 4.0)
        assert cold.takes_numba("numpy", 1.0) is False
        for choice in (warm, cold, cold):
            assert choice.takes_numba("auto", 100.0)
    finally:
        door.announce_compilation(None)
    assert announced == [4.0]


def test_trees_to_come_are_forgotten_even_after_an_error() -> None:
    def fail() -> None:
        with door.expect_trees(7):
            raise ValueError(door.trees_to_come())

    with pytest.raises(ValueError, match="7"):
        fail()
    assert door.trees_to_come() == 1
