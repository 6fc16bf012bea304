"""The compiled search: how much it meets, and that it may be called from anywhere."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from random_geometry import cases_for, grown_tree

from j48geo.arrays import Floats
from j48geo.core.fitted_values import Metric
from j48geo.core.routing import find_leaves
from j48geo.core.tree import BoxTree
from j48geo.geometry.distance import boundary, leaf_labels, nodes_met
from j48geo.geometry.metric import fit_metric

ROOT = Path(__file__).resolve().parents[2]
pytest.importorskip("numba")


def measured(
    leaves: int, classes: int, grid: int = 0
) -> tuple[BoxTree, Floats, Metric, np.ndarray]:
    tree = grown_tree(7, leaves, numbers=16, classes=classes, grid=grid)
    X = cases_for(tree, 8, 3000, grid=grid)
    return tree, X, fit_metric(tree, "standard", X), leaf_labels(tree)[find_leaves(tree, X)]


def test_a_search_meets_few_nodes_of_a_tree_like_that_of_letter() -> None:
    tree, X, metric, predicted = measured(1337, 26, grid=16)
    assert nodes_met(tree, X, metric, predicted).mean() <= 60


def test_the_nodes_met_hardly_grow_with_the_tree() -> None:
    sizes = (300, 3000, 10000)
    met = []
    for leaves in sizes:
        tree, X, metric, predicted = measured(leaves, 2)
        met.append(float(nodes_met(tree, X, metric, predicted).mean()))
    assert met[-1] <= 60
    slope = np.log(met[-1] / met[0]) / np.log(sizes[-1] / sizes[0])
    assert slope <= 0.25


def test_threads_and_pickles_change_nothing() -> None:
    tree, X, metric, predicted = measured(400, 5, grid=10)
    X, predicted = np.tile(X, (4, 1)), np.tile(predicted, 4)  # enough for several threads
    expected = boundary(tree, X, metric, predicted, engine="numba")
    again = pickle.loads(pickle.dumps(expected))
    np.testing.assert_array_equal(again.distance, expected.distance)
    with ThreadPoolExecutor(4) as pool:
        results = pool.map(lambda _: boundary(tree, X, metric, predicted, engine="numba"), range(8))
        for found in results:
            np.testing.assert_array_equal(found.distance, expected.distance)
            np.testing.assert_array_equal(found.nearest_leaf, expected.nearest_leaf)


RUN = """
import sys
import numpy as np
from j48geo import compilation
from j48geo.geometry import distance as engine
from j48geo.core.fitted_values import Metric
from j48geo.core.build import at_most, build_tree, leaf
from j48geo.core.dataset import Attribute, Header
header = Header("h", (Attribute("x"), Attribute("c", "nominal", ("a", "b"))), 1)
tree = build_tree(header, at_most("x", 2, leaf("a"), leaf("b")))
X = np.array([[-1.0, 0], [2.5, 1]])
{before}
found = engine.boundary(tree, X, Metric("none", np.ones(2)), np.array([0, 1]), engine={engine!r})
print(found.distance.tolist(), found.nearest_leaf.tolist(), "numba" in sys.modules)
"""


def run(engine: str, before: str = "", **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", RUN.format(engine=engine, before=before)],
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_small_work_never_loads_numba() -> None:
    assert run("auto") == "[3.0, 0.5] [1, 0] False"


def test_large_work_loads_numba_also_if_it_comes_in_small_parts() -> None:
    assert run("auto", "engine._CELL = 1.0") == "[3.0, 0.5] [1, 0] True"
    assert run("auto", "engine._choice.spent = 1.0") == "[3.0, 0.5] [1, 0] True"


def test_without_numba_large_work_is_done_by_numpy() -> None:
    absent = "sys.modules['numba'] = None; compilation.is_numba_available = lambda: False"
    assert run("auto", f"{absent}; engine._CELL = 1.0").startswith("[3.0, 0.5] [1, 0]")


@pytest.mark.skipif(sys.platform == "win32", reason="another way to have no folder")
def test_without_a_place_for_compiled_code_the_search_still_runs(tmp_path: Path) -> None:
    package = tmp_path / "package.zip"
    with zipfile.ZipFile(package, "w") as archive:
        for file in (ROOT / "j48geo").rglob("*.py"):
            archive.write(file, file.relative_to(ROOT))
    nowhere = f"{os.devnull}/nowhere"
    said = run("numba", PYTHONPATH=str(package), HOME=nowhere, XDG_CACHE_HOME=nowhere)
    assert said == "[3.0, 0.5] [1, 0] True"
