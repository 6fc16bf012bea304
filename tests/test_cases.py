"""Every case of the fixtures and of the shared corpus, against Weka's own answers."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command_line import Run, here

import j48geo
from j48geo.errors import ModelReadError
from j48geo.read.door import read_trees

ROOT = Path(__file__).resolve().parents[1]
CORPUS = ROOT.parent / "shared" / "corpus"
CLOSE = 1e-9
MISFITS = ("unknown-attribute.txt", "unknown-class.txt", "unknown-value.txt", "other-arff.txt")
REPLAYED = ("training-rows", "growing-set")


def cases() -> list[Any]:
    """A case is a folder: a new one needs no code. One name stands in where there is no corpus."""
    own = [pytest.param(p.parent, id=p.parent.name) for p in ROOT.glob("fixtures/*/model.txt")]
    shared = sorted(p.parent for p in CORPUS.glob("j48/*/model.txt")) or [CORPUS / "j48" / "absent"]
    marked = [pytest.param(p, id=p.name, marks=pytest.mark.corpus) for p in shared]
    assert own
    return sorted(own, key=lambda case: str(case.id)) + marked


def suite_of(case: Path) -> str:
    return "fixtures" if case.is_relative_to(ROOT) else "corpus/j48"


@pytest.fixture(autouse=True)
def _the_corpus_is_there(request: pytest.FixtureRequest) -> None:
    if request.node.get_closest_marker("corpus"):
        request.getfixturevalue("corpus")


def sensor_trees() -> list[str]:
    return sorted(p.parent.name for p in CORPUS.glob("st/*/model.txt")) or ["absent"]


def bad_cases() -> list[dict[str, str]]:
    file = CORPUS / "j48" / "bad" / "bad.json"
    return json.loads(file.read_text()) if file.is_file() else [{"file": "absent"}]


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    return here(capfdbinary)


def meta_of(case: Path) -> dict[str, Any]:
    meta: dict[str, Any] = json.loads((case / "meta.json").read_text())
    return meta


def class_option(meta: dict[str, Any]) -> list[str]:
    return [] if meta["class_index"] < 0 else ["-c", str(meta["class_index"] + 1)]


def weka_rows(case: Path, part: str, tree: int | None = None) -> list[dict[str, str]]:
    """Weka's answers for one part of the data; of the first tree listed if none is named."""
    with open(case / "weka.csv", encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["set"] == part]
    wanted = min((int(row["tree"]) for row in rows), default=0) if tree is None else tree
    return [row for row in rows if int(row["tree"]) == wanted]


def assert_answers_are_wekas(lines: list[str], expected: list[dict[str, str]]) -> None:
    assert len(lines) == len(expected) > 0
    for number, (line, truth) in enumerate(zip(lines, expected, strict=True), 1):
        said = json.loads(line)
        assert said["row"] == number
        weights = [float(v) for k, v in truth.items() if k.startswith("p") and k[1:].isdigit()]
        distribution = list(said["distribution"].values())
        np.testing.assert_allclose(distribution, weights, rtol=0, atol=CLOSE)
        assert said["predicted"] == truth["predicted_argmax"]
        assert said["classified"] == truth["predicted"]


@pytest.mark.parametrize("case", cases())
def test_a_text_is_read_as_the_tree_it_shows(case: Path, record_case: Any) -> None:
    record_case(f"{suite_of(case)} read", case.name)
    meta = meta_of(case)
    expect = meta["expect"]
    header = j48geo.read_arff(case / "data.arff").header
    if meta["class_index"] >= 0:
        header = header.with_class(meta["class_index"] + 1)
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


@pytest.mark.parametrize("case", cases())
def test_check_replays_every_leaf_count_of_weka(case: Path, run: Run, record_case: Any) -> None:
    meta = meta_of(case)
    if meta["counts"] not in REPLAYED or meta["output_kind"] == "source":
        pytest.skip(f"its counts are not those of its rows: {meta['counts']}")
    record_case(f"{suite_of(case)} check", case.name)
    done = run(
        "check", case / "model.txt", case / "data.arff", "--format", "json", *class_option(meta)
    )
    report = json.loads(done.out)
    assert (done.code, report["ok"], report["differences"]) == (0, True, [])


@pytest.mark.parametrize("part", ["train", "test"])
@pytest.mark.parametrize("case", cases())
def test_predict_says_what_weka_says(case: Path, run: Run, part: str, record_case: Any) -> None:
    meta = meta_of(case)
    expected = weka_rows(case, part)
    if meta["output_kind"] == "source" or meta["counts"] not in REPLAYED or not expected:
        pytest.skip("no single tree, or no rows of this part, to compare with")
    record_case(f"{suite_of(case)} predict {part}", case.name)
    data = case / ("data.arff" if part == "train" else "test.arff")
    train = [] if part == "train" else ["--train", str(case / "data.arff")]
    done = run(
        "predict", case / "model.txt", data, *train, "--format", "jsonl", *class_option(meta)
    )
    assert done.code == 0, done.err
    assert_answers_are_wekas(done.lines, expected)


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("name", "learnt"), [("p42-string-filtered", False), ("p43-discretize-filtered", True)]
)
def test_a_filtered_tree_predicts_on_the_filtered_rows(
    corpus: Path, run: Run, name: str, learnt: bool
) -> None:
    case = corpus / "j48" / name
    column = str(meta_of(case)["filtered_class_index"] + 1)
    rows = case / "filtered.arff"
    done = run("predict", case / "model.txt", rows, "-c", column, "--format", "jsonl")
    assert done.code == 0, done.err
    assert_answers_are_wekas(done.lines, weka_rows(case, "train"))
    # Rows from before the filter: refused, or sent through a filter that is learnt and proved.
    before = run("predict", case / "model.txt", case / "data.arff", "--format", "jsonl")
    if learnt:
        assert before.code == 0, before.err
        assert_answers_are_wekas(before.lines, weka_rows(case, "train"))
    else:
        assert (before.code, before.out) == (5, "")


@pytest.mark.corpus
def test_a_member_of_an_ensemble_predicts_by_its_own_labels(corpus: Path, run: Run) -> None:
    case = corpus / "j48" / "p44-bagging"
    for tree in range(4):
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


@pytest.mark.corpus
@pytest.mark.parametrize("bad", bad_cases(), ids=lambda bad: bad["file"])
def test_a_bad_text_is_refused_with_place_and_reason(
    corpus: Path, run: Run, bad: dict[str, str], record_case: Any
) -> None:
    record_case("corpus/j48/bad", bad["file"])
    folder = corpus / "j48" / "bad"
    done = run("check", folder / bad["file"], folder / bad["arff"])
    if bad["verdict"] == "error":
        # A text that is whole by itself, only not for this data, is a misfit, not unreadable.
        assert done.code == (5 if bad["file"] in MISFITS else 3)
        assert done.out == ""
        (line,) = done.err.splitlines()
        assert line.startswith(str(folder / bad["file"]) + ":")
    elif bad["verdict"].startswith("warning"):
        assert done.code == 1
        assert "differ" in done.out
    else:
        assert done.code == 0
        assert "no counts" in done.err


@pytest.mark.corpus
@pytest.mark.parametrize("name", sensor_trees())
def test_a_tree_of_a_sensor_tool_is_read_and_shown_again(
    corpus: Path, name: str, record_case: Any
) -> None:
    record_case("corpus/st", name)
    case = corpus / "st" / name
    file = case / "data.arff"
    header = j48geo.read_arff(file).header if file.is_file() else None
    tree = j48geo.read_tree(case / "model.txt", header=header)
    bare = j48geo.read_tree(case / "model.txt")
    assert [n.split and n.split.token for n in bare.nodes] == [
        n.split and n.split.token for n in tree.nodes
    ]
    text = (case / "model.txt").read_text(encoding="utf-8").replace("\r\n", "\n")
    assert j48geo.tree_text(tree).rstrip("\n") in text


@pytest.mark.parametrize("case", cases())
def test_text_to_tree_to_text_gives_the_same_block(case: Path) -> None:
    name = case.name
    meta = meta_of(case)
    if meta["output_kind"] in ("dot", "source"):
        pytest.skip("no tree block in this text")
    header = j48geo.read_arff(case / "data.arff").header
    if meta["class_index"] >= 0:
        header = header.with_class(meta["class_index"] + 1)
    text = (case / "model.txt").read_bytes()
    encoding = "cp1252" if "cp1252" in name else "utf-8-sig"
    plain = text.decode(encoding).replace("\r\n", "\n")
    if name == "p51-trailing-spaces":
        plain = "\n".join(line.rstrip(" ") for line in plain.split("\n"))
    elif name == "p52-tabs-indent":
        plain = plain.replace("|\t", "|   ")
    elif name == "p53-quoted-prefix":
        plain = "\n".join(line.removeprefix("> ").removeprefix(">") for line in plain.split("\n"))
    for entry in read_trees(text, header=header).entries:
        assert j48geo.tree_text(entry.readings[0]).rstrip() in plain
