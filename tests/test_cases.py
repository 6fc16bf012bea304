"""Every tree of the fixtures, and of the shared corpus, against Weka's own answers."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command_line import Run, here
from tree_cases import (
    CORPUS,
    FIXTURES,
    class_choice,
    class_option,
    has_block,
    is_single_tree,
    meta_of,
    named_cases,
    printed_text,
    suite_of,
    tree_cases,
)

import j48geo
from j48geo.errors import ModelReadError
from j48geo.read.readers import read_trees

CLOSE = 1e-9
MISFITS = ("unknown-attribute.txt", "unknown-class.txt", "unknown-value.txt", "other-arff.txt")
"""Errors of the corpus that are misfits; a fixture says it itself."""


def bad_cases() -> list[Any]:
    """Texts that are refused, with the reason: of the fixtures and of the corpus."""
    parameters = []
    for folder in (FIXTURES / "bad", CORPUS / "j48" / "bad"):
        if (folder / "bad.json").is_file():
            bads = json.loads((folder / "bad.json").read_text(encoding="utf-8"))
            if not folder.is_relative_to(FIXTURES):
                bads = [{**b, "verdict": "misfit"} if b["file"] in MISFITS else b for b in bads]
            marks = [] if folder.is_relative_to(FIXTURES) else [pytest.mark.corpus]
            parameters += [
                pytest.param(folder, bad, id=f"{folder.parent.name}-{bad['file']}", marks=marks)
                for bad in bads
            ]
    return parameters


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    return here(capfdbinary)


def weka_rows(case: Path, part: str, tree: int | None = None) -> list[dict[str, str]]:
    """Weka's answers for one part of the data; of the first tree listed if none is named."""
    with open(case / "weka.csv", encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["set"] == part]
    wanted = min((int(row["tree"]) for row in rows), default=0) if tree is None else tree
    return [row for row in rows if int(row["tree"]) == wanted]


def assert_answers_are_wekas(lines: list[str], expected: list[dict[str, str]]) -> None:
    assert len(lines) == len(expected) > 0
    for number, (line, truth) in enumerate(zip(lines, expected, strict=True), 1):
        record = json.loads(line)
        assert record["row"] == number
        weights = [float(v) for k, v in truth.items() if k.startswith("p") and k[1:].isdigit()]
        distribution = list(record["distribution"].values())
        np.testing.assert_allclose(distribution, weights, rtol=0, atol=CLOSE)
        assert record["predicted"] == truth["predicted_argmax"]
        assert record["classified"] == truth["predicted"]


@pytest.mark.parametrize("case", tree_cases(lambda case: True))
def test_a_text_is_read_as_the_tree_it_shows(case: Path, record_case: Any) -> None:
    record_case(f"{suite_of(case)} read", case.name)
    expect = meta_of(case)["expect"]
    header = j48geo.read_arff(case / "data.arff", class_attribute=class_choice(case)).header
    if expect["status"] == "ok-or-clear-refusal":
        with pytest.raises(ModelReadError, match="Java source code"):
            j48geo.read_tree(case / "model.txt", header=header)
        return
    text = read_trees(case / "model.txt", header=header)
    assert len(text.entries) == expect["trees"]
    assert all(entry.error is None and len(entry.readings) == 1 for entry in text.entries)
    if expect["leaves"] is not None:
        assert [len(e.readings[0].leaves) for e in text.entries] == expect["leaves"]
        assert [e.readings[0].size for e in text.entries] == expect["sizes"]
    truth = json.loads((case / "tree.json").read_text())["trees"]
    shown = [tree for tree in truth if tree.get("in_text", True)]
    for entry, nodes in zip(text.entries, (t["nodes"] for t in shown), strict=False):
        assert_same_nodes(entry.readings[0], nodes)


def assert_same_nodes(tree: j48geo.BoxTree, nodes: list[dict[str, Any]]) -> None:
    assert len(tree.nodes) == len(nodes)
    for node, truth in zip(tree.nodes, nodes, strict=True):
        assert (node.parent, node.depth) == (truth["parent"], truth["depth"])
        if node.split is None:
            assert truth["leaf"]
            label = tree.classes[tree.leaves[node.leaf].label]
            assert label == truth.get("printed_class", label)
        else:
            assert tree.attribute(node.split).name == truth.get(
                "att", tree.attribute(node.split).name
            )
            if node.split.kind == "numeric":
                off = abs(node.split.threshold - truth["split_point"])
                assert off <= 5.1e-7 + 1e-15 * abs(truth["split_point"])


@pytest.mark.parametrize("case", tree_cases(is_single_tree))
def test_check_replays_every_leaf_count_of_weka(case: Path, run: Run, record_case: Any) -> None:
    record_case(f"{suite_of(case)} check", case.name)
    done = run(
        "check", case / "model.txt", case / "data.arff", "--format", "json", *class_option(case)
    )
    report = json.loads(done.out)
    assert (done.code, report["ok"], report["differences"]) == (0, True, [])


def parts_of_data() -> list[Any]:
    """Single trees, each with its training data and with its test data if it has some."""
    return [
        pytest.param(*folder.values, part, id=f"{folder.id}-{part}", marks=folder.marks)
        for folder in tree_cases(is_single_tree)
        for part in ("train", "test")
        if weka_rows(*folder.values, part)
    ]


@pytest.mark.parametrize(("case", "part"), parts_of_data())
def test_predict_says_what_weka_says(case: Path, run: Run, part: str, record_case: Any) -> None:
    record_case(f"{suite_of(case)} predict {part}", case.name)
    data = case / ("data.arff" if part == "train" else "test.arff")
    train = [] if part == "train" else ["--train", str(case / "data.arff")]
    done = run(
        "predict", case / "model.txt", data, *train, "--format", "jsonl", *class_option(case)
    )
    assert done.code == 0, done.err
    assert_answers_are_wekas(done.lines, weka_rows(case, part))


@pytest.mark.parametrize("case", tree_cases(lambda case: (case / "filtered.arff").exists()))
def test_a_filtered_tree_predicts_on_the_filtered_rows(case: Path, run: Run) -> None:
    column = str(meta_of(case)["filtered_class_index"] + 1)
    rows = case / "filtered.arff"
    done = run("predict", case / "model.txt", rows, "-c", column, "--format", "jsonl")
    assert done.code == 0, done.err
    assert_answers_are_wekas(done.lines, weka_rows(case, "train"))
    # Rows from before the filter: refused, or sent through a filter that is learnt and proved.
    before = run("predict", case / "model.txt", case / "data.arff", "--format", "jsonl")
    if "StringToWordVector" not in meta_of(case)["options"]:
        assert before.code == 0, before.err
        assert_answers_are_wekas(before.lines, weka_rows(case, "train"))
    else:
        assert (before.code, before.out) == (5, "")


@pytest.mark.parametrize("case", named_cases("bagging", "bagging36", "j48/p44-bagging"))
def test_a_member_of_an_ensemble_predicts_by_its_own_labels(case: Path, run: Run) -> None:
    for tree in range(meta_of(case)["expect"]["trees"]):
        done = run(
            "predict",
            case / "model.txt",
            case / "data.arff",
            "--tree",
            tree + 1,
            "--format",
            "jsonl",
        )
        assert done.code == 0, done.err
        said = [json.loads(line)["predicted"] for line in done.lines]
        expected = [row["predicted_argmax"] for row in weka_rows(case, "train", tree)]
        assert said == expected


@pytest.mark.parametrize(("folder", "bad"), bad_cases())
def test_a_bad_text_is_refused_with_place_and_reason(
    folder: Path, run: Run, bad: dict[str, str], record_case: Any
) -> None:
    record_case(f"{suite_of(folder)} bad", bad["file"])
    done = run("check", folder / bad["file"], folder / bad["arff"])
    if bad["verdict"] in ("error", "misfit"):
        # A text that is whole by itself, only not for this data, is a misfit, not unreadable.
        assert done.code == (5 if bad["verdict"] == "misfit" else 3)
        assert done.out == ""
        (line,) = done.err.splitlines()
        assert line.startswith(str(folder / bad["file"]) + ":")
    elif bad["verdict"].startswith("warning"):
        assert done.code == 1
        assert "differ" in done.out
    else:
        assert done.code == 0
        assert "no counts" in done.err


@pytest.mark.parametrize("case", tree_cases(has_block))
def test_text_to_tree_to_text_gives_the_same_block(case: Path) -> None:
    header = j48geo.read_arff(case / "data.arff", class_attribute=class_choice(case)).header
    printed = printed_text(case)
    for entry in read_trees(case / "model.txt", header=header).entries:
        assert j48geo.tree_text(entry.readings[0]).rstrip() in printed
