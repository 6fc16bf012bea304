"""``scripts/test_bounds`` really checks: a compiled loop that leaves its array is stopped."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from j48geo.arrays import Floats
from j48geo.compilation import compile_loop, helper, is_numba_available

pytestmark = pytest.mark.skipif(not is_numba_available(), reason="no numba")


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


if "J48GEO_BOUNDS_RUN" in os.environ:

    def test_a_read_outside_the_array_is_stopped() -> None:
        with pytest.raises(IndexError, match="out of bounds"):
            compile_loop(add_one_too_many)(np.ones(5), np.zeros(1))

    def test_a_write_outside_the_array_is_stopped() -> None:
        with pytest.raises(IndexError, match="out of bounds"):
            compile_loop(write_one_too_far)(np.zeros(5))


SETTINGS = {
    "own, unchecked": ("0", "compile_loop(add_one_too_many)(np.ones(5), np.zeros(1))", False),
    "own, checked": ("1", "compile_loop(add_one_too_many)(np.ones(5), np.zeros(1))", True),
    # No label has this place.
    "the package's": (
        "1",
        "walk_to_leaves(make_steps(weather_tree()), np.full((1, 5), 1e6))",
        True,
    ),
}


@pytest.mark.parametrize("what", SETTINGS)
def test_loops_are_checked_if_they_are_compiled_with_the_setting(what: str, tmp_path: Path) -> None:
    setting, call, is_stopped = SETTINGS[what]
    code = (
        "import numpy as np\nfrom hand_made import weather_tree\n"
        "from test_bounds import add_one_too_many\n"
        "from j48geo.compilation import compile_loop\n"
        f"from j48geo.core.routing_numba import make_steps, walk_to_leaves\n{call}\n"
    )
    here = Path(__file__).parent
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={
            **os.environ,
            "NUMBA_BOUNDSCHECK": setting,
            "NUMBA_CACHE_DIR": str(tmp_path),
            "PYTHONPATH": f"{here}{os.pathsep}{here / 'strategies'}",
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert ("IndexError" in done.stderr) == is_stopped
    assert bool(done.returncode) == is_stopped
