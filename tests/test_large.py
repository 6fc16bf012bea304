"""Very large splits, trees and headers: what they cost grows with their size, not its square.

Sizes are counted, or compared by CPU time with a wide margin: four times the size may take eight
times as long, a square would take sixteen. `scripts/bench large` measures ten times these sizes.
"""

from __future__ import annotations

import runpy
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import pytest

from j48geo import BoxTree, load, read_arff
from j48geo.geometry.distance import leaf_labels, nodes_met
from j48geo.geometry.faces import find_faces
from j48geo.geometry.metric import fit_metric

SIZE = 20_000
_bench = runpy.run_path(str(Path(__file__).resolve().parent.parent / "scripts/benching/inputs.py"))


def seconds(work: Callable[[], Any]) -> float:
    start = process_time()
    work()
    return process_time() - start


@pytest.mark.parametrize("kind", ["wide", "leaves"])
def test_reading_counting_and_rules_take_time_in_proportion(kind: str, tmp_path: Path) -> None:
    def work(size: int) -> Callable[[], object]:
        model, data = _bench[kind](tmp_path, size)

        def run() -> None:
            found = load(model, data)
            assert found.replay is not None
            assert found.replay.ok
            assert len(found.tree.boxes) == len(found.tree.leaves) > 0.95 * size
            find_faces(found.tree)

        return run

    small, large = work(SIZE // 4), work(SIZE)
    small()  # what is imported and compiled once
    assert seconds(large) < 8 * seconds(small) + 0.5


def test_a_wide_split_holds_as_many_values_as_it_has_branches(tmp_path: Path) -> None:
    tree = load(*_bench["wide"](tmp_path, SIZE)).tree
    assert sum(len(values) for box in tree.boxes for values in box.subsets.values()) == SIZE
    faces = find_faces(tree)
    assert faces.allowed.size + len(faces.only) < 3 * SIZE


def test_the_search_looks_at_one_leaf_a_label_of_a_wide_split(tmp_path: Path) -> None:
    pytest.importorskip("numba")
    model, data = _bench["wide"](tmp_path, SIZE)
    tree, rows = load(model, data).tree, read_arff(data)
    X = rows.X[:50]
    met = nodes_met(tree, X, fit_metric(tree, "none"), leaf_labels(tree)[X[:, 0].astype(np.intp)])
    assert met.max() <= 3


def test_a_header_of_plain_lines_takes_time_in_proportion(tmp_path: Path) -> None:
    _, small = _bench["header"](tmp_path, SIZE)
    _, large = _bench["header"](tmp_path, 4 * SIZE)
    read_arff(small)
    assert seconds(lambda: read_arff(large)) < 8 * seconds(lambda: read_arff(small)) + 0.5


def test_a_tree_is_made_three_times_at_most(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []
    check = BoxTree.__post_init__
    monkeypatch.setattr(BoxTree, "__post_init__", lambda tree: (made.append(tree), check(tree))[1])
    model = load(*_bench["leaves"](tmp_path, 200))
    assert model.replay is not None
    assert model.replay.ok
    assert len(made) <= 3  # as read, with the header of the data, with restored thresholds
