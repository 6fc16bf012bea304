"""What is around trees is parsed into runs: header lines, trees, an evaluation."""

from __future__ import annotations

import re

import pytest

from j48geo.core.tree import Options
from j48geo.read.j48.surroundings import Run, find_surroundings, parse_runs
from j48geo.read.readers import read_trees

LINES = {
    "R": "=== Run information ===",
    "S": "Scheme:       weka.classifiers.trees.J48 -C 0.25 -M 2",
    "O": "Options: -U",
    "M": "=== Classifier model (full training set) ===",
    "F": "=== Classifier model for fold 3 ===",
    "W": "FilteredClassifier using weka.classifiers.trees.J48 -A on data filtered through x",
    "B": "J48 pruned tree\n------------------",
    "T": "Time taken to build model: 0 seconds",
    "E": "=== Summary ===",
    "n": "anything else",
}
KINDS = {
    "RUN": "R",
    "SCHEME": "S",
    "OPTIONS": "O",
    "MODEL": "M",
    "FOLD_MODEL": "F",
    "FILTERED": "W",
    "TIMES": "T",
    "EVALUATION": "E",
}
BLOCK = "x <= 2: no (3.0)\nx > 2: yes (4.0/1.0)\n"


def runs_of(letters: str) -> list[Run]:
    """The runs of a text whose lines are given by letters; ``B`` brings a tree with it."""
    text = "".join(f"{LINES[letter]}\n" + BLOCK * (letter == "B") for letter in letters)
    found = find_surroundings(text)
    blocks = [
        (banner.start_pos or 0, (banner.end_pos or 0) + len(BLOCK)) for banner in found.banners
    ]
    return parse_runs(found.markers, blocks)


@pytest.mark.parametrize(
    "runs",
    [
        "",
        "S",
        "B",
        "RSMBTE",
        "OMBTEE",
        "RSMBTE RSMBTE",
        "RS RSMBTE",
        "OB OBE",
        "BB",
        "BE BE",
        "RSMBFBFBTE",
        "BE WBE",
        "BWBE",
        "MB MB",
        "OEB",
        "T",
    ],
)
def test_runs_are_header_lines_trees_and_an_evaluation(runs: str) -> None:
    parsed = runs_of(runs.replace(" ", "n"))
    shown = ["".join(KINDS[marker.type] for marker in run.markers) for run in parsed]
    assert shown == [re.sub("[Bn]", "", run) for run in runs.split()]
    assert [len(run.trees) for run in parsed] == [run.count("B") for run in runs.split()]
    assert [run.is_evaluated for run in parsed] == ["E" in run for run in runs.split()]
    assert [tree for run in parsed for tree in run.trees] == list(range(runs.count("B")))


@pytest.mark.parametrize("length", range(5))
def test_every_order_of_lines_is_read(length: int) -> None:
    orders = [""]
    for _ in range(length):
        orders = [order + letter for order in orders for letter in "RSMFWBTE"]
    for order in orders:
        assert "".join(
            "".join(KINDS[marker.type] for marker in run.markers) for run in runs_of(order)
        ) == order.replace("B", "")


def test_a_wrapper_after_an_evaluation_is_of_the_next_tree() -> None:
    lines = [LINES["B"], BLOCK, LINES["E"], LINES["W"], LINES["B"], BLOCK]
    first, second = read_trees("\n".join(lines).encode()).entries
    assert first.readings[0].options == Options()
    assert second.readings[0].options.laplace
