"""leaves, labellings, label and the overlay of labels."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from command_line import Done, Run
from hand_made import WEATHER_TEXT

from j48geo.core.counts import counts_from_text
from j48geo.core.tree import BoxTree
from j48geo.data.arff.stream import read_arff
from j48geo.read.readers import read_tree
from j48geo.score.prediction import predict

# The worked example of FFH02 section 2.3: leaves (3, 5), (5, 1), (4, 2).
PAPER = """\
J48 pruned tree
------------------

x <= 1: minus (8.0/3.0)
x > 1
|   x <= 2: plus (6.0/1.0)
|   x > 2: plus (6.0/2.0)

Number of Leaves  : \t3

Size of the tree : \t5
"""

ROWS = """\
@relation r
@attribute x numeric
@attribute class {plus,minus}
@data
0,plus
0,minus
1.5,plus
1.5,plus
3,minus
3,?
?,plus
"""


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model.txt"
    path.write_text(PAPER, encoding="utf-8")
    return path


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "rows.arff"
    path.write_text(ROWS, encoding="utf-8")
    return path


def table(done: Done) -> list[dict[str, str]]:
    assert done.code == 0, done.err
    return list(csv.DictReader(StringIO(done.out)))


def test_labellings_keep_the_json_contract_on_the_papers_example(j48geo: Run, model: Path) -> None:
    done = j48geo("labellings", model, "--positive", "plus", "--format", "json")
    record = json.loads(done.out)
    assert record["positive"] == "plus"
    assert record["leaves"] == [
        {"leaf": 1, "positive": 3.0, "negative": 5.0, "accuracy": 0.375},
        {"leaf": 2, "positive": 5.0, "negative": 1.0, "accuracy": 5 / 6},
        {"leaf": 3, "positive": 4.0, "negative": 2.0, "accuracy": 2 / 3},
    ]
    assert [
        (s["positive_leaves"], s["fpr"], s["tpr"], s["cost_ratio"]) for s in record["labellings"]
    ] == [
        ([], 0.0, 0.0, [5 / 6, 1.0]),
        ([2], 1 / 8, 5 / 12, [2 / 3, 5 / 6]),
        ([2, 3], 3 / 8, 3 / 4, [3 / 8, 2 / 3]),
        ([1, 2, 3], 1.0, 1.0, [0.0, 3 / 8]),
    ]
    assert (record["auc"], record["auc_exact"]) == (0.71875, "23/32")
    assert record["hull"] == [[0, 0], [1 / 8, 5 / 12], [3 / 8, 3 / 4], [1, 1]]
    assert record["own"] == {
        "positive_leaves": [2, 3],
        "tpr": 3 / 4,
        "fpr": 3 / 8,
        "on_hull": True,
    }
    assert record["labellings"][3]["fn_to_fp"] == [5 / 3, None]
    assert record["labellings"][1]["to_negative"] == [3]


def test_labellings_in_words_and_as_csv(j48geo: Run, model: Path) -> None:
    done = j48geo("labellings", model, "--positive", "plus")
    assert "AUC 0.7188 (exactly 23/32)" in done.out
    assert "J48's own labels: tpr 0.75, fpr 0.375, on the convex hull" in done.out
    found = table(j48geo("labellings", model, "--positive", "plus", "--format", "csv"))
    assert [row["positive_leaves"] for row in found] == ["", "2", "2 3", "1 2 3"]
    assert found[-1]["fn_to_fp_high"] == "Infinity"


def test_a_test_file_gives_the_rates_and_training_the_order(
    j48geo: Run, model: Path, rows: Path
) -> None:
    done = j48geo("labellings", model, "--test", rows, "--positive", "plus", "--format", "json")
    record = json.loads(done.out)
    assert [leaf["accuracy"] for leaf in record["leaves"]] == [0.375, 5 / 6, 2 / 3]
    # The row without x is divided 8 : 6 : 6.
    given = [(leaf["test_positive"], leaf["test_negative"]) for leaf in record["leaves"]]
    assert given == [
        (pytest.approx(1.4), 1.0),
        (pytest.approx(2.3), 0.0),
        (pytest.approx(0.3), 1.0),
    ]
    assert record["labellings"][1]["tpr"] == pytest.approx(2.3 / 4)
    assert record["labellings"][2]["fpr"] == 0.5


def test_smoothed_labellings_say_that_they_may_leave_the_hull(j48geo: Run, model: Path) -> None:
    for kind, first in (("laplace", 6 / 8), ("m", (5 + 10) / (6 + 10 / 0.6))):
        done = j48geo(
            "labellings", model, "--positive", "plus", "--smoothing", kind, "--format", "json"
        )
        assert "need not lie on the hull" in done.err
        assert json.loads(done.out)["leaves"][1]["accuracy"] == pytest.approx(first)


def test_leaves_come_in_order_with_rules_and_running_rates(j48geo: Run, model: Path) -> None:
    done = j48geo("leaves", model, "--positive", "plus", "--format", "jsonl")
    found = [json.loads(line) for line in done.lines]
    assert [(x["rank"], x["leaf"], x["tpr"], x["fpr"]) for x in found] == [
        (1, 2, 5 / 12, 1 / 8),
        (2, 3, 3 / 4, 3 / 8),
        (3, 1, 1.0, 1.0),
    ]
    assert found[0]["rule"] == "1 < x <= 2"
    assert found[0]["laplace"] == 0.75
    assert "positive: plus" in j48geo("leaves", model, "--positive", "plus").out
    whole = json.loads(j48geo("leaves", model, "--positive", "plus", "--format", "json").out)
    assert whole == {"positive": "plus", "leaves": found}
    assert len(table(j48geo("leaves", model, "--format", "csv"))) == 3


def test_more_classes_need_the_training_data_and_come_in_turn_if_none_is_named(
    j48geo: Run, fixtures_dir: Path
) -> None:
    folder = fixtures_dir / "iris"
    done = j48geo("leaves", folder / "model.txt")
    assert done.code == 5
    assert "expected the training data (as DATA, or with --train FILE)" in done.err
    classes = ["Iris-setosa", "Iris-versicolor", "Iris-virginica"]
    for command, title in (("labellings", "positive"), ("leaves", "positive_class")):
        given = (command, folder / "model.txt", folder / "data.arff", "-q")
        alone = {c: j48geo(*given, "--positive", c) for c in classes}
        assert all(done.code == 0 for done in alone.values())
        words = j48geo(*given)
        assert words.code == 0
        for c in classes:
            assert f"positive: {c}\n" in words.out
            assert alone[c].out in words.out
        whole = json.loads(j48geo(*given, "-f", "json").out)
        assert list(whole) == ["classes"]
        assert whole["classes"] == [
            json.loads(j48geo(*given, "--positive", c, "-f", "json").out) for c in classes
        ]
        rows = table(j48geo(*given, "-f", "csv"))
        assert list(rows[0])[-1] == title
        assert rows == [
            row | {title: c}
            for c in classes
            for row in table(j48geo(*given, "--positive", c, "-f", "csv"))
        ]
    lines = [json.loads(line) for line in j48geo(*given, "-f", "jsonl").lines]
    assert lines == [
        {**leaf, "positive_class": one["positive"]}
        for one in json.loads(j48geo(*given, "-f", "json").out)["classes"]
        for leaf in one["leaves"]
    ]


# -------------------------------------------------------------------------------- the labels


def by_hand(tree: BoxTree, labels: dict[int, str]) -> BoxTree:
    """The tree with other labels and nothing else; leaves count from 1."""
    leaves = tuple(
        replace(leaf, label=tree.classes.index(labels[k])) if k in labels else leaf
        for k, leaf in enumerate(tree.leaves, 1)
    )
    return replace(tree, leaves=leaves)


def test_costs_are_echoed_in_words_and_printed_for_all_labellings(j48geo: Run, model: Path) -> None:
    done = j48geo("label", model, "--positive", "plus", "--fn", 5, "--fp", 1)
    assert done.code == 0, done.err
    assert "a missed positive costs 5, a false alarm 1" in done.out
    assert "'plus' where its estimate is above 0.1667" in done.out
    record = json.loads(
        j48geo("label", model, "--positive", "plus", "--fn", 5, "--format", "json").out
    )
    assert record["costs"] == {
        "own": 5 * 3 + 3.0,
        "new": 8.0,
        "raw": 8.0,
        "trivial": {"minus": 60.0, "plus": 8.0},
    }
    assert record["changed"] == [1]
    assert record["cost_ratio"] == pytest.approx(1 / 6)


def test_a_cost_matrix_of_weka_is_the_same_as_fn_and_fp(
    j48geo: Run, model: Path, tmp_path: Path
) -> None:
    costs = tmp_path / "costs.txt"
    # minus is the first class of this text: row minus, column plus is the false alarm.
    costs.write_text("% Rows\tColumns\n2\t2\n% Matrix elements\n0 1\n5 0\n", encoding="utf-8")
    by_file = j48geo("label", model, "--positive", "plus", "--cost-matrix", costs)
    assert by_file.out == j48geo("label", model, "--positive", "plus", "--fn", 5).out
    costs.write_text("3 3\n0 1 1\n1 0 1\n1 1 0\n", encoding="utf-8")
    done = j48geo("label", model, "--cost-matrix", costs)
    assert done.code == 2
    assert "costs.txt: a cost matrix of 3 x 3; the tree has 2 classes" in done.err


def test_laplace_decides_and_the_raw_choice_stands_beside_it(j48geo: Run, tmp_path: Path) -> None:
    path = tmp_path / "weather.txt"
    path.write_text(WEATHER_TEXT, encoding="utf-8")
    found = table(j48geo("label", path, "--positive", "no", "--fn", 6, "--format", "csv"))
    assert [(row["own"], row["label"], row["raw_label"]) for row in found] == [
        ("yes", "no", "yes"),  # (0 + 1) / (2 + 2) exceeds 1/7, 0 / 2 does not
        ("no", "no", "no"),
        ("yes", "no", "yes"),
        ("no", "no", "no"),
        ("yes", "no", "no"),
    ]


def test_the_prior_is_a_threshold_and_new_shares_move_it(j48geo: Run, model: Path) -> None:
    def labels(*options: object) -> list[str]:
        given = ["label", model, "--positive", "plus", "--smoothing", "none", "--format", "csv"]
        return [row["label"] for row in table(j48geo(*given, *options))]

    assert labels("--threshold", "prior") == ["minus", "plus", "plus"]
    assert labels("--threshold", 0.6) == ["minus", "plus", "plus"]
    assert labels("--threshold", 0.7) == ["minus", "plus", "minus"]
    # a = 0.6 and b = 0.3: t = 1/2 moves to 0.7 / 0.3 * 0.6 / 0.4 = 3.5 : 1
    assert labels("--prior", 0.3) == ["minus", "plus", "minus"]
    assert labels("--prior", "0.7,0.3") == ["minus", "plus", "minus"]
    assert labels("--prior", 0.1) == ["minus", "minus", "minus"]


@pytest.mark.parametrize(
    "name",
    [
        *("pima", "breast-cancer-explorer", "multiway-empty", "odd-names"),
        *("parcels-binary", "wine-laplace"),
    ],
)
def test_the_relabelled_text_reads_back_and_predicts_like_a_tree_relabelled_by_hand(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path, name: str
) -> None:
    folder = fixtures_dir / name
    model, data = folder / "model.txt", folder / "data.arff"
    before = model.read_bytes()
    written = tmp_path / "relabelled.txt"
    classes = read_arff(data).header.classes
    costs = tmp_path / "costs.txt"
    n = len(classes)
    matrix = [[0 if i == j else 50 if i == n - 1 else 1 for j in range(n)] for i in range(n)]
    costs.write_text(
        f"{n} {n}\n" + "\n".join(" ".join(map(str, row)) for row in matrix), encoding="utf-8"
    )
    done = j48geo("label", model, data, "--cost-matrix", costs, "-o", written, "--format", "csv")
    chosen = {int(row["leaf"]): row["label"] for row in table(done)}
    assert model.read_bytes() == before
    assert written.read_text(encoding="utf-8").startswith("Relabelled by j48geo (")

    rows = read_arff(data)
    original = read_tree(model, header=rows.header).with_header(rows.header)
    again = read_tree(written, header=rows.header).with_header(rows.header)
    wanted = by_hand(original, chosen)
    assert [leaf.label for leaf in again.leaves] == [leaf.label for leaf in wanted.leaves]
    assert any(a.label != b.label for a, b in zip(again.leaves, original.leaves, strict=True))
    # Counts say the same of the classes as before, and replay.
    ours, theirs = counts_from_text(again), counts_from_text(original)
    if n == 2:
        assert np.allclose(ours.per_class, theirs.per_class, atol=0.02)
    assert j48geo("check", written, data).code == 0

    by_text = table(j48geo("predict", written, data, "--format", "csv"))
    by_overlay = table(j48geo("predict", model, data, "--labels", written, "--format", "csv"))
    assert by_text == by_overlay
    leaf = predict(original, theirs, rows.X).leaf
    names = [rows.header.classes[x.label] for x in wanted.leaves]
    for row, k in zip(by_text, leaf.tolist(), strict=True):
        if k >= 0:
            assert row["predicted"] == row["classified"] == names[k]


def test_every_command_reads_the_relabelled_text(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path
) -> None:
    folder = fixtures_dir / "pima"
    data, written = folder / "data.arff", tmp_path / "new.txt"
    assert j48geo("label", folder / "model.txt", "--fn", 20, "-o", written).code == 0
    for command in (
        ["check", written, data],
        *(["show", written, "--format", f] for f in ("table", "text", "json", "dot", "rules")),
        *([name, written] for name in ("leaves", "labellings", "audit", "curve")),
        ["label", written, "--fp", 3],
        ["rank", written, data],
        ["explain", written, data, "--row", 1],
    ):
        done = j48geo(*command)
        assert done.code == 0, (command, done.err)


def test_a_tree_with_one_label_left_keeps_its_classes(j48geo: Run, model: Path) -> None:
    written = model.with_name("new.txt")
    j48geo("label", model, "--positive", "plus", "--fn", 99, "-o", written)
    assert "minus (" not in written.read_text(encoding="utf-8")
    record = json.loads(j48geo("labellings", written, "--positive", "plus", "--format", "json").out)
    assert record["auc"] == 0.71875
    assert record["own"]["positive_leaves"] == [1, 2, 3]


def test_the_options_of_the_model_stay(j48geo: Run, fixtures_dir: Path, tmp_path: Path) -> None:
    folder = fixtures_dir / "breast-cancer-explorer"
    written = tmp_path / "new.txt"
    j48geo("label", folder / "model.txt", folder / "data.arff", "--fn", 9, "-o", written)
    assert read_tree(written).options == read_tree(folder / "model.txt").options


@pytest.mark.parametrize("file_format", ["csv", "json"])
def test_the_overlay_moves_classes_ranks_and_explanations(
    j48geo: Run, model: Path, rows: Path, file_format: str
) -> None:
    overlay = model.with_name(f"labels.{file_format}")
    done = j48geo("label", model, "--positive", "plus", "--fn", 1, "--threshold", 0.7)
    assert done.code == 2  # two ways at once
    done = j48geo("label", model, "--positive", "plus", "--threshold", 0.7, "-f", file_format)
    overlay.write_text(done.out, encoding="utf-8")
    given = [rows, "--labels", overlay]
    found = table(j48geo("predict", model, *given, "--format", "csv"))
    # Laplace: 4/10, 6/8, 5/8. Leaf 3 is minus now. The last row is divided 8 : 6 : 6, leaf 3
    # speaks for minus as it did for plus, and one half each is the class declared first.
    assert [row["predicted"] for row in found] == [
        *("minus", "minus", "plus", "plus", "minus", "minus", "plus")
    ]
    ranked = [
        json.loads(line)
        for line in j48geo(
            *("rank", model, *given, "--positive", "plus", "--by", "global"),
            *("--metric", "none", "-f", "jsonl"),
        ).lines
    ]
    by_row = {row["row"]: row for row in ranked}
    assert by_row[3]["score"] == 0.5  # the nearest face was that of leaf 1 and is it still
    assert by_row[5]["score"] == -1.0  # leaf 3 is on the other side now
    assert by_row[5]["predicted"] == "minus"
    done = j48geo("explain", model, *given, "--row", 5, "--metric", "none", "-f", "json")
    explained = json.loads(done.out)
    assert explained["predicted"] == "minus"
    assert explained["distance"] == 1.0


def test_an_overlay_of_another_tree_is_refused(
    j48geo: Run, model: Path, rows: Path, fixtures_dir: Path
) -> None:
    other = fixtures_dir / "pima" / "model.txt"
    done = j48geo("predict", model, rows, "--labels", other)
    assert done.code in (4, 5)
    overlay = model.with_name("labels.csv")
    for text, wanted in (
        ("leaf,label\n1,perhaps\n", "leaf 1: the tree has no class 'perhaps'"),
        ("leaf,label\n4,plus\n", "leaf 4: the tree has 3 leaves"),
        ("leaf,label\nx,plus\n", "'x' is no number of a leaf"),
        ("leaf,label\n1,plus\n1,plus\n", "leaf 1 stands there twice"),
        ("nonsense\n", "expected what 'j48geo label' writes"),
    ):
        overlay.write_text(text, encoding="utf-8")
        done = j48geo("predict", model, rows, "--labels", overlay)
        assert done.code in (4, 5)
        assert wanted in done.err


WHICH = (
    "which costs? Give one of --cost-matrix FILE, --fn and --fp, --threshold; or --prior; "
    "see 'j48geo label --help'\n"
)


def test_two_costs_do_not_do_for_three_classes(j48geo: Run, fixtures_dir: Path) -> None:
    folder = fixtures_dir / "iris"
    given = ("label", folder / "model.txt", folder / "data.arff", "--positive", "Iris-setosa", "-q")
    done = j48geo(*given, "--fn", 2)
    assert (done.code, done.err) == (
        2,
        "--fn is for two classes; the tree has 3: expected a cost matrix\n",
    )


def test_the_model_itself_is_not_written_over(j48geo: Run, model: Path) -> None:
    done = j48geo("label", model, "--fn", 5, "-o", model)
    assert done.code == 2
    assert f"--output {model} is also MODEL, which would be lost" in done.err
    assert model.read_text(encoding="utf-8") == PAPER


def test_a_dash_writes_the_tree_alone(j48geo: Run, model: Path) -> None:
    done = j48geo("label", model, "--positive", "plus", "--fn", 5, "-o", "-")
    assert done.lines[0].startswith("Relabelled by j48geo (a missed positive costs 5, ")
    assert "x <= 1: plus (8.0/5.0)" in done.lines
    assert done.out.endswith("Size of the tree : \t5\n")


def test_pima_has_fifteen_distinct_leaf_scores(j48geo: Run, fixtures_dir: Path) -> None:
    done = j48geo("labellings", fixtures_dir / "pima" / "model.txt", "-f", "json")
    assert len(json.loads(done.out)["labellings"]) == 15 + 1


def test_a_text_without_counts_follows_its_labels(j48geo: Run, tmp_path: Path) -> None:
    model, data = tmp_path / "model.txt", tmp_path / "data.arff"
    model.write_text("x <= 1: a\nx > 1: b\n", encoding="utf-8")
    data.write_text(
        "@relation r\n@attribute x numeric\n@attribute class {a,b}\n@data\n"
        "0,a\n0,a\n0,b\n2,b\n2,b\n2,a\n",
        encoding="utf-8",
    )
    written = tmp_path / "new.txt"
    given = ["--positive", "a", "--fn", 9, "-o", written]
    assert j48geo("label", model, "--train", data, *given).code == 0
    found = table(j48geo("predict", written, data, "--train", data, "--format", "csv"))
    assert [row["predicted"] for row in found] == ["a"] * 6


def test_more_than_two_classes_are_labelled_by_m_estimates_with_the_class_shares(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path
) -> None:
    folder = fixtures_dir / "multiway-empty"
    costs = tmp_path / "costs.txt"
    costs.write_text("3 3\n0 5 5\n1 0 1\n1 1 0\n", encoding="utf-8")
    command = ("label", folder / "model.txt", folder / "data.arff", "--cost-matrix", costs)
    record = json.loads(j48geo(*command, "-f", "json").out)
    assert record["smoothing"] == "m"
    total = record["weight"]
    names = list(record["leaves"][0]["counts"])
    share = {c: sum(leaf["counts"][c] for leaf in record["leaves"]) / total for c in names}
    leaf = max(record["leaves"], key=lambda leaf: sum(leaf["counts"].values()))
    n = sum(leaf["counts"].values())
    for c in names:
        assert leaf["estimate"][c] == pytest.approx((leaf["counts"][c] + 2 * share[c]) / (n + 2))
    other = json.loads(j48geo(*command, "-f", "json", "--m", 6).out)
    same = other["leaves"][leaf["leaf"] - 1]["estimate"]
    for c in names:
        assert same[c] == pytest.approx((leaf["counts"][c] + 6 * share[c]) / (n + 6))
    asked = json.loads(j48geo(*command, "-f", "json", "--smoothing", "laplace").out)
    assert asked["smoothing"] == "laplace"


def test_labels_of_many_classes_that_cost_more_than_those_of_j48_are_told(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path
) -> None:
    folder = fixtures_dir / "iris"
    costs = tmp_path / "costs.txt"
    costs.write_text("3 3\n0 60 60\n1 0 1\n1 1 0\n", encoding="utf-8")
    command = ("label", folder / "model.txt", folder / "data.arff", "--cost-matrix", costs)
    done = j48geo(*command, "--smoothing", "laplace", "-f", "json")
    cost = json.loads(done.out)["costs"]
    assert cost["new"] > cost["own"]
    told = "the new labels are not cheaper than J48's on the training counts"
    assert f"{told} ({cost['new']:g} against {cost['own']:g})" in done.err
    assert told not in j48geo(*command, "--smoothing", "raw").err
