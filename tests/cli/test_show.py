from __future__ import annotations

import csv
import json
from io import StringIO
from pathlib import Path
from xml.etree import ElementTree

import pytest
from command_line import Run

from j48geo.read.readers import read_tree

TEXTS = [
    "iris",
    "pima",
    "class-first",
    "date",
    "filtered",
    "multiway-empty",
    "odd-names",
    "one-leaf",
    "parcels-binary",
    "parcels-midpoint",
    "parcels-unpruned-explorer36",
    "parcels-weights",
    "standardised",
    "standardised36",
    "wine-laplace",
]


def inputs(folder: Path) -> list[object]:
    column = json.loads((folder / "meta.json").read_text())["class_index"]
    return [
        folder / "model.txt",
        folder / "data.arff",
        "-c",
        "last" if column < 0 else column + 1,
    ]


@pytest.mark.parametrize("name", TEXTS)
def test_text_is_the_block_that_was_read(j48geo: Run, fixtures_dir: Path, name: str) -> None:
    folder = fixtures_dir / name
    done = j48geo("show", *inputs(folder), "--format", "text")
    assert done.code == 0
    assert done.out.startswith("J48 ")
    assert done.out in (folder / "model.txt").read_text()


@pytest.mark.parametrize("name", [*TEXTS, "bagging", "odd-names-dot", "parcels-dot36"])
def test_json_and_graphviz_are_models_again(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path, name: str
) -> None:
    given = inputs(fixtures_dir / name)
    text = j48geo("show", *given, "--format", "text").out
    whole = tmp_path / "model.json"
    assert j48geo("show", *given, "--format", "json", "-o", whole).code == 0
    assert j48geo("show", whole, "--format", "text").out == text
    again = tmp_path / "again.json"
    assert j48geo("show", whole, "--format", "json", "-o", again).code == 0
    assert read_tree(again) == read_tree(whole)
    graph = tmp_path / "model.dot"
    assert j48geo("show", *given, "--format", "dot", "-o", graph).code == 0
    header = [] if name == "filtered" else given[1:]  # the text brought one of its own
    back = j48geo("show", graph, *header, "--format", "dot")
    assert back.out == graph.read_text(encoding="utf-8")


def test_json_keeps_restored_thresholds_and_counts(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path
) -> None:
    folder = fixtures_dir / "standardised"
    whole = tmp_path / "model.json"
    j48geo("show", folder / "model.txt", folder / "data.arff", "-f", "json", "-o", whole)
    truth = json.loads((folder / "tree.json").read_text())["trees"][0]["nodes"]
    nodes = json.loads(whole.read_text())["nodes"]
    assert len(nodes) == len(truth)
    for node, true in zip(nodes, truth, strict=True):
        if "threshold" in node:
            assert node["threshold"] == true["split_point"]
        assert list(node["counts"].values()) == pytest.approx(true["per_class"], abs=1e-9)
    done = j48geo("check", whole, folder / "data.arff", "-f", "json")
    assert done.code == 0
    assert json.loads(done.out)["restored_thresholds"] == []


def test_the_first_screen_explains_the_tree(j48geo: Run, fixtures_dir: Path) -> None:
    done = j48geo("show", fixtures_dir / "iris" / "model.txt")
    assert done.lines[:11] == [
        "J48 pruned tree: 5 leaves, size 9; classes: Iris-setosa, Iris-versicolor, Iris-virginica",
        "",
        "leaf  tree",
        "----  ----",
        "   1  petalwidth <= 0.6: Iris-setosa (50.0)",
        "      petalwidth > 0.6",
        "      |   petalwidth <= 1.7",
        "   2  |   |   petallength <= 4.9: Iris-versicolor (48.0/1.0)",
        "      |   |   petallength > 4.9",
        "   3  |   |   |   petalwidth <= 1.5: Iris-virginica (3.0)",
        "   4  |   |   |   petalwidth > 1.5: Iris-versicolor (3.0/1.0)",
    ]
    assert (
        "How to read the counts, at leaf 2: (48.0/1.0): weight 48.0 of training rows reached "
        "this leaf, 1.0 of it of another class." in done.lines
    )
    assert done.lines[-1].endswith("30.7%       97.8%  petalwidth > 1.7")


def test_rules_csv_and_json_lines_hold_one_leaf_a_line(j48geo: Run, fixtures_dir: Path) -> None:
    model = fixtures_dir / "iris" / "model.txt"
    rules = j48geo("show", model, "--format", "rules").lines
    assert rules[1] == (
        "leaf 2: if 0.6 < petalwidth <= 1.7 and petallength <= 4.9 then Iris-versicolor "
        "(support 32.0%, confidence 97.9%)"
    )
    table = list(csv.DictReader(StringIO(j48geo("show", model, "--format", "csv").out)))
    assert table[1]["rule"] == "0.6 < petalwidth <= 1.7 and petallength <= 4.9"
    lines = [json.loads(x) for x in j48geo("show", model, "--format", "jsonl").lines]
    assert lines[1]["support"] == 0.32
    assert float(table[1]["confidence"]) == lines[1]["confidence"] == 47 / 48


def test_training_data_adds_the_weight_of_each_class(j48geo: Run, fixtures_dir: Path) -> None:
    folder = fixtures_dir / "iris"
    done = j48geo("show", folder / "model.txt", folder / "data.arff", "-f", "jsonl")
    leaf = json.loads(done.lines[1])
    assert [leaf[f"n(Iris-{kind})"] for kind in ("setosa", "versicolor", "virginica")] == [
        0.0,
        47.0,
        1.0,
    ]


def test_data_that_does_not_fit_is_said_and_the_tree_shown(j48geo: Run, fixtures_dir: Path) -> None:
    folder = fixtures_dir / "filtered"
    asked = (folder / "model.txt", folder / "data.arff", "--tree", 1)
    done = j48geo("show", *asked, "-f", "rules")
    assert done.code == 0
    assert f"j48geo: note: {folder / 'data.arff'}: column 'petalwidth' is numeric" in done.err
    assert len(done.lines) == 3


def test_dates_are_shown_as_dates_too(j48geo: Run, fixtures_dir: Path) -> None:
    folder = fixtures_dir / "date"
    done = j48geo("show", folder / "model.txt", folder / "data.arff", "-f", "rules")
    assert done.lines[0].startswith("leaf 1: if when <= 1498953600000 (2017-07-02 UTC) then no")


@pytest.mark.parametrize("name", ["pima", "class-first", "parcels-binary", "multiway-empty"])
def test_json_made_without_data_can_be_used_with_data_later(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path, name: str
) -> None:
    given = inputs(fixtures_dir / name)
    whole = tmp_path / "model.json"
    assert j48geo("show", given[0], "-f", "json", "-o", whole).code == 0
    assert j48geo("check", whole, *given[1:]).code == 0
    direct = j48geo("predict", *given, "-f", "jsonl")
    assert j48geo("predict", whole, *given[1:], "-f", "jsonl").out == direct.out


@pytest.mark.parametrize("name", ["breast-cancer-explorer", "wine-laplace", "parcels-weights"])
def test_a_model_file_carries_the_counts_of_its_training_data(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path, name: str
) -> None:
    case = fixtures_dir / name
    model, train = case / "model.txt", case / "data.arff"
    kept = tmp_path / "model.json"
    assert j48geo("show", model, train, "--format", "json", "-o", kept).code == 0
    new = case / "test.arff"
    rows = new if new.is_file() else train
    told = j48geo("predict", model, rows, "--train", train, "--format", "jsonl", "-q")
    again = j48geo("predict", kept, rows, "--format", "jsonl", "-q")
    assert (again.code, again.out) == (0, told.out)


def test_counts_of_a_model_file_must_be_weights_of_its_classes(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path
) -> None:
    case = fixtures_dir / "iris"
    done = j48geo("show", case / "model.txt", case / "data.arff", "--format", "json")
    for old, new in (('"Iris-setosa":50.0', '"Iris-setosa":-1'), ('"counts":', '"cuonts":')):
        compact = json.dumps(json.loads(done.out), separators=(",", ":"))
        assert old in compact
        broken = tmp_path / "broken.json"
        broken.write_text(compact.replace(old, new), encoding="utf-8")
        refused = j48geo("predict", broken, case / "data.arff")
        assert refused.code == 3
        assert "broken tree: nodes[0]" in refused.err


def test_the_tree_is_drawn_into_a_file_beside_what_is_printed(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path
) -> None:
    folder = fixtures_dir / "pima"
    plain = j48geo("show", folder / "model.txt", folder / "data.arff")
    picture = tmp_path / "tree.svg"
    assert j48geo("show", folder / "model.txt", folder / "data.arff", "--plot", picture) == plain
    root = ElementTree.fromstring(picture.read_text(encoding="utf-8"))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    words = ["".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert words[0] == "model.txt: 20 leaves, 768 training cases"
    assert sum(word.endswith(("tested_negative", "tested_positive")) for word in words) == 20
    assert "≤ 127" in words


def test_names_with_markup_are_drawn_as_they_are(j48geo: Run, tmp_path: Path) -> None:
    model = tmp_path / "a<b>&.txt"
    model.write_text("x&<y> <= 2: <i>no</i> (3.0)\nx&<y> > 2: yes (4.0)\n", encoding="utf-8")
    picture = tmp_path / "tree.SVG"
    done = j48geo("show", model, "--plot", picture)
    assert done.code == 0, done.err
    root = ElementTree.fromstring(picture.read_text(encoding="utf-8"))
    words = ["".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "a<b>&.txt: 2 leaves, 7 training cases" in words
    assert "1 <i>no</i>" in words


def test_a_drawing_of_another_kind_or_onto_the_result_is_refused_before_anything_is_read(
    j48geo: Run, tmp_path: Path
) -> None:
    done = j48geo("show", "no-model.txt", "--plot", "tree.png")
    assert (done.code, done.out) == (2, "")
    assert "--plot tree.png: expected a name that ends in .svg" in done.err
    done = j48geo("show", "no-model.txt", "--plot", tmp_path / "a.svg", "-o", tmp_path / "a.svg")
    assert "expected two files" in done.err
