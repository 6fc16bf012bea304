"""Trees of sensor tools, which print J48's text in dialects of their own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import Run, here
from tree_cases import CORPUS, FIXTURES, folder_parameters

import j48geo

OWN = sorted(file.parent for file in FIXTURES.glob("sensor/*/model.txt"))
SHARED = sorted(file.parent for file in CORPUS.glob("st/*/model.txt"))


def expected_of(case: Path) -> dict[str, Any]:
    expected: dict[str, Any] = json.loads((case / "expected.json").read_text(encoding="utf-8"))
    return expected


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    return here(capfdbinary)


def test_every_tool_has_a_tree() -> None:
    tools = {"edgeai", "matlab", "mems-studio", "tilt", "unico", "unico-old", "weka-bare"}
    assert {folder.name for folder in OWN} == tools


@pytest.mark.parametrize("case", folder_parameters(OWN + SHARED))
def test_a_tree_is_read_and_shown_again(case: Path, record_case: Any) -> None:
    record_case("fixtures/sensor" if case in OWN else "corpus/st", case.name)
    file = case / "data.arff"
    header = j48geo.read_arff(file).header if file.is_file() else None
    tree = j48geo.read_tree(case / "model.txt", header=header)
    bare = j48geo.read_tree(case / "model.txt")
    assert [n.split and n.split.token for n in bare.nodes] == [
        n.split and n.split.token for n in tree.nodes
    ]
    text = (case / "model.txt").read_bytes().decode("utf-8").replace("\r", "")
    assert j48geo.tree_text(tree).rstrip("\n") in text


@pytest.mark.parametrize("case", folder_parameters(OWN))
@pytest.mark.parametrize("is_trained", [False, True], ids=["text-alone", "with-training-rows"])
def test_every_row_gets_the_class_of_the_printed_tree(case: Path, is_trained: bool) -> None:
    expected = expected_of(case)
    model = j48geo.load(case / "model.txt", case / "data.arff" if is_trained else None)
    for part in ("data", "test"):
        predicted = model.predict(j48geo.read_arff(case / f"{part}.arff"))
        assert list(predicted) == expected[part]


@pytest.mark.parametrize("case", folder_parameters(OWN))
def test_leaves_size_and_counts_are_compared_with_what_the_tool_printed(
    case: Path, run: Run
) -> None:
    expected = expected_of(case)
    done = run("check", case / "model.txt", case / "data.arff")
    assert done.code == 0, done.err
    assert f"{expected['leaves']} leaves, size {expected['size']}: " in done.out
    if expected["counts"] == "none":
        assert "the text shows no counts to compare" in done.out
    else:
        assert f"all {expected['leaves']} leaf counts agree" in done.out
    stated = expected["size in the footer"]
    is_wrong = f"the footer says {stated} nodes, the tree has {expected['size']}" in done.err
    assert is_wrong == (stated != expected["size"])
    has_both = "counts n right and e wrong cases" in done.err
    assert has_both == (expected["counts"] == "right and wrong")
