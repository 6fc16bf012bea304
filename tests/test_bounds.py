"""``scripts/test_bounds`` really checks: a compiled loop that leaves its array is stopped."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from j48geo.arrays import Floats
from j48geo.compilation import compile_loop, helper, is_numba_available

pytestmark = pytest.mark.skipif(not is_numba_available(), reason="no numba")
in_the_run = pytest.mark.skipif(
    "J48GEO_BOUNDS_RUN" not in os.environ, reason="only in scripts/test_bounds"
)


@helper
def cell(X: Floats, place: int) -> float:
    x: float = X[place]
    return x


def add_one_too_many(X: Floats, found: Floats) -> None:
    """Reads one cell behind the end of `X`, in itself or in a helper."""
    for i in range(len(X) + 1):
        found[0] += cell(X, i)


def write_one_too_far(found: Floats) -> None:
    for i in range(len(found) + 1):
        found[i] = 1.0


@in_the_run
def test_a_read_outside_the_array_is_stopped() -> None:
    with pytest.raises(IndexError, match="out of bounds"):
        compile_loop(add_one_too_many)(np.ones(5), np.zeros(1))


@in_the_run
def test_a_write_outside_the_array_is_stopped() -> None:
    with pytest.raises(IndexError, match="out of bounds"):
        compile_loop(write_one_too_far)(np.zeros(5))


@in_the_run
def test_nothing_compiled_before_is_used() -> None:
    import j48geo

    folder = os.environ["NUMBA_CACHE_DIR"]
    started = os.stat(folder).st_ctime
    package = os.path.dirname(j48geo.__file__)
    assert not folder.startswith(package)
    for base, _, files in os.walk(folder):
        assert all(os.stat(os.path.join(base, file)).st_mtime >= started - 600 for file in files)


def test_without_the_setting_loops_are_not_checked(tmp_path: os.PathLike[str]) -> None:
    """Why the run is needed; and the setting alone makes the difference."""
    code = (
        "import numpy as np\nfrom test_bounds import add_one_too_many\n"
        "from j48geo.compilation import compile_loop\n"
        "compile_loop(add_one_too_many)(np.ones(5), np.zeros(1))\n"
    )
    for setting, is_stopped in (("0", False), ("1", True)):
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={
                **os.environ,
                "NUMBA_BOUNDSCHECK": setting,
                "NUMBA_CACHE_DIR": os.path.join(tmp_path, setting),
                "PYTHONPATH": os.path.dirname(__file__),
            },
            capture_output=True,
            text=True,
            check=False,
        )
        assert ("IndexError" in done.stderr) == is_stopped
        assert bool(done.returncode) == is_stopped
