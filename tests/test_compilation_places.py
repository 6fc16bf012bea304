"""Compiled loops where they are hard to run: in threads, after a fork, with no place to be kept."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

pytest.importorskip("numba")

# Reads and measures with each engine; growing is compiled in another way, and for long.
WORK = """
import os, sys
from concurrent.futures import ThreadPoolExecutor
import numpy as np
from j48geo.data.arff.stream import read_arff
from j48geo.geometry.distance import boundary_distance
from j48geo.geometry.metric import fit_metric
from j48geo.growing.j48 import grow_j48

def answers(engine, growing="numpy"):
    data = read_arff(sys.argv[1], engine=engine)
    tree = grow_j48(data, engine=growing)
    metric = fit_metric(tree, X=data.X)
    X = np.tile(data.X, (20, 1))  # enough for several threads
    predicted = np.zeros(len(X), dtype=np.intp)
    found = boundary_distance(tree, X, metric, predicted, engine=engine)
    return data.X.tobytes(), tree, found.tobytes()
"""
ALONE = "assert answers('numba', 'numba') == answers('numpy')\n"
IN_THREADS = """
with ThreadPoolExecutor(4) as pool:  # all of them compile, none of them before the others
    found = list(pool.map(answers, ["numba"] * 4))
assert all(one == answers("numpy") for one in found)
"""
AFTER_A_FORK = """
answers("numba")  # with threads of its own, which a child does not have
child = os.fork()
if not child:
    os._exit(answers("numba") != answers("numpy"))
assert os.waitpid(child, 0)[1] == 0
"""
BEFORE_A_FORK = """
child = os.fork()
if not child:
    os._exit(answers("numba") != answers("numpy"))
assert answers("numba") == answers("numpy")
assert os.waitpid(child, 0)[1] == 0
"""


def run(code: str, package: Path = ROOT, **environment: str) -> None:
    """Run the work in a process of its own; what numba warns of makes it fail."""
    data = ROOT / "fixtures" / "pima" / "data.arff"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", WORK + code, str(data)],
        cwd=package,
        env={"PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1", **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]


def test_threads_may_all_be_the_first_and_find_what_others_kept(tmp_path: Path) -> None:
    for _ in range(2):
        run(IN_THREADS, NUMBA_CACHE_DIR=str(tmp_path))
        assert list(tmp_path.rglob("*.nbc"))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
@pytest.mark.parametrize("code", [AFTER_A_FORK, BEFORE_A_FORK], ids=["after", "before"])
def test_a_forked_process_finds_the_same(code: str) -> None:
    run(code)


def test_a_folder_that_cannot_be_written_keeps_nothing_and_stops_nothing(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("a file where numba wants a folder; permissions do not stop root")
    run(ALONE, NUMBA_CACHE_DIR=str(blocked))


def test_a_package_that_cannot_be_written_works_without_a_home(tmp_path: Path) -> None:
    package = tmp_path / "package"
    kept_apart = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "j48geo", package / "j48geo", ignore=kept_apart)
    shutil.copytree(ROOT / "grammars", package / "j48geo" / "grammars")  # as the wheel has them
    nowhere = tmp_path / "file"
    nowhere.write_text("a file where a home should be")
    folders = [path for path in package.rglob("*") if path.is_dir()]
    for folder in folders:
        (folder / "__pycache__").write_text("a file where the compiled code would go")
        folder.chmod(0o555)
    home = {name: str(nowhere) for name in ("HOME", "XDG_CACHE_HOME", "LOCALAPPDATA")}
    try:
        run(ALONE, package, **home)
    finally:
        for folder in folders:
            folder.chmod(0o755)
    assert not list(package.rglob("*.nb[ci]"))
