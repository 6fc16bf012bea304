from __future__ import annotations

import csv
import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from command_line import Done, Run
from sklearn.metrics import confusion_matrix, precision_recall_fscore_support
from tree_cases import class_option, is_single_tree, meta_of, suite_of, tree_cases
from weka_live import Prediction, Weka, predictions

from j48geo.data.arff.stream import read_arff


def same_as_weka(done: Done, wanted: list[Prediction]) -> None:
    """Same classes by both rules on every row, distributions within 1e-9."""
    assert done.code == 0, done.err
    rows = [json.loads(line) for line in done.lines]
    assert [row["row"] for row in rows] == list(range(1, len(wanted) + 1))
    for row, true in zip(rows, wanted, strict=True):
        assert (row["classified"], row["predicted"]) == (true.predicted, true.predicted_argmax)
        given = list(row["distribution"].values())
        assert given == pytest.approx(list(true.distribution), abs=1e-9)


@pytest.mark.parametrize("folder", tree_cases(is_single_tree))
def test_training_and_test_rows_are_predicted_as_weka_does(
    j48geo: Run, folder: Path, record_case: Callable[..., None]
) -> None:
    record_case(f"{suite_of(folder)}, predict as Weka", folder.name)
    model, train, test = (folder / x for x in ("model.txt", "data.arff", "test.arff"))
    truth = [p for p in predictions(folder / "weka.csv") if p.tree == 0]
    options = [*class_option(folder), "--format", "jsonl"]
    if "-A" in meta_of(folder)["options"].split():
        options.append("--laplace")
    done = j48geo("predict", model, train, *options)
    same_as_weka(done, [p for p in truth if p.set == "train"])
    assert f"note: {train} is the training data (" in done.err
    if test.exists():
        done = j48geo("predict", model, test, "--train", train, *options)
        same_as_weka(done, [p for p in truth if p.set == "test"])


def test_wekas_option_line_decides_about_smoothing(j48geo: Run, fixtures_dir: Path) -> None:
    folder = fixtures_dir / "wine-laplace"
    arguments = ("predict", folder / "model.txt", folder / "data.arff", "-f", "jsonl")
    said = j48geo(*arguments)
    smoothed, raw = j48geo(*arguments, "--laplace"), j48geo(*arguments, "--no-laplace")
    assert raw.out != smoothed.out
    model = (folder / "model.txt").read_text()
    assert "-A" in model.split()
    assert said.out == smoothed.out
    assert "; leaves are smoothed, as the options say -A\n" in said.err
    assert "smoothed" not in smoothed.err + raw.err  # who says it, knows it


def test_the_text_alone_gives_what_it_can(j48geo: Run, fixtures_dir: Path, tmp_path: Path) -> None:
    folder = fixtures_dir / "iris"
    some = tmp_path / "some.arff"
    lines = (folder / "data.arff").read_text().splitlines(True)
    some.write_text("".join(lines[:-20]))
    done = j48geo("predict", folder / "model.txt", some, "-f", "jsonl")
    rows = [json.loads(line) for line in done.lines]
    assert [r["predicted"] for r in rows] == [
        p.predicted for p in predictions(folder / "weka.csv")[: len(rows)]
    ]
    assert rows[0]["distribution"] == {
        "Iris-setosa": 1.0,
        "Iris-versicolor": 0.0,
        "Iris-virginica": 0.0,
    }
    unknown = sum(row["distribution"] is None for row in rows)
    assert unknown > 0
    assert f"note: {some} is not the training data (2 of 5 leaves differ): " in done.err
    assert f"does not give the distribution of {unknown} rows; --train FILE does" in done.err


def test_named_training_data_that_does_not_replay_is_code_5(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path
) -> None:
    folder = fixtures_dir / "iris"
    model, data = folder / "model.txt", folder / "data.arff"
    less = tmp_path / "less.arff"
    less.write_text("".join(data.read_text().splitlines(True)[:-1]))
    done = j48geo("predict", model, data, "--train", less)
    assert (done.code, done.out) == (5, "")
    assert done.err.splitlines()[-1] == (
        f"{less} is not the training data (1 of 5 leaves differ): leaf 5 (line 14) "
        "prints 46/1, the rows give 45/1; expected the data the tree was grown from, or "
        "--allow-mismatch"
    )
    forced = j48geo("predict", model, data, "--train", less, "--allow-mismatch", "-f", "jsonl")
    assert forced.code == 0
    assert "its counts are used all the same" in forced.err
    assert json.loads(forced.lines[-1])["distribution"]["Iris-virginica"] == 44 / 45


def test_csv_is_read_with_the_types_of_the_training_data(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path
) -> None:
    folder = fixtures_dir / "breast-cancer-explorer"
    model, train, test = (folder / x for x in ("model.txt", "data.arff", "test.arff"))
    table = tmp_path / "test.csv"
    assert j48geo("data", test, "-f", "csv", "-o", table).code == 0
    arguments = ("--train", train, "-f", "jsonl")
    wanted = j48geo("predict", model, test, *arguments)
    assert j48geo("predict", model, table, *arguments).out == wanted.out
    with table.open(newline="") as file:
        rows = [row[:-1] for row in csv.reader(file)]
    with table.open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    assert j48geo("predict", model, table, *arguments).out == wanted.out


def test_unlabelled_arff_is_predicted_too(j48geo: Run, fixtures_dir: Path, tmp_path: Path) -> None:
    folder = fixtures_dir / "iris"
    model, train = folder / "model.txt", folder / "data.arff"
    bare = tmp_path / "bare.arff"
    kept = []
    for line in train.read_text().splitlines():
        if line.lower().startswith("@attribute class"):
            continue
        kept.append(line.rsplit(",", 1)[0] if "Iris-" in line else line)
    bare.write_text("\n".join(kept) + "\n")
    done = j48geo("predict", model, bare, "--train", train, "-f", "jsonl")
    assert done.out == j48geo("predict", model, train, "-f", "jsonl").out
    assert "no class column; the class of every row is missing" in done.err


def test_arff_output_holds_the_rows_and_the_predictions(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path
) -> None:
    folder = fixtures_dir / "odd-names"
    model, data = folder / "model.txt", folder / "data.arff"
    target = tmp_path / "out.arff"
    assert j48geo("predict", model, data, "-f", "arff", "-o", target).code == 0
    rows, old = read_arff(target), read_arff(data)
    n = len(old.header)
    assert rows.header.attributes[:n] == old.header.attributes
    assert rows.header.names[n:] == ("predicted", *(f"p({c})" for c in old.header.classes))
    assert np.array_equal(rows.X[:, :n], old.X, equal_nan=True)
    lines = [json.loads(x) for x in j48geo("predict", model, data, "-f", "jsonl").lines]
    assert [rows.cell(i, n) for i in range(len(rows))] == [x["predicted"] for x in lines]
    assert rows.X[:, n + 1 :].tolist() == [list(x["distribution"].values()) for x in lines]


def test_old_weka_sends_the_neighbours_of_a_threshold_left(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path
) -> None:
    folder = fixtures_dir / "iris"
    model, train = folder / "model.txt", folder / "data.arff"
    near = tmp_path / "near.arff"
    head = train.read_text().partition("@data")[0]
    near.write_text(f"{head}@data\n5,3,1,0.6000005,?\n")
    arguments = ("predict", model, near, "--train", train, "-f", "jsonl")
    assert json.loads(j48geo(*arguments).out)["leaf"] != 1
    assert json.loads(j48geo(*arguments, "--weka-before-3.8.3").out)["leaf"] == 1


def test_a_long_file_is_new_data_and_comes_out_as_it_went_in(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path
) -> None:
    folder = fixtures_dir / "pima"
    head, _, rows = (folder / "data.arff").read_text().partition("@data\n")
    long = tmp_path / "long.arff"
    long.write_text(f"{head}@data\n{rows * 4}")
    once = j48geo("predict", folder / "model.txt", folder / "data.arff", "-f", "csv").lines
    done = j48geo("predict", folder / "model.txt", long, "-f", "csv")
    assert "(it has more rows than the counts say)" in done.err
    assert done.lines[0].endswith("flags,actual")  # a text alone answers
    cells = [[*(row := line.split(","))[1:-2], row[-1]] for line in done.lines]
    assert len(cells) == 4 * 768 + 1
    for i in range(4):
        assert cells[1 + 768 * i : 1 + 768 * (i + 1)] == [x.split(",")[1:] for x in once[1:]]


@pytest.mark.weka
@pytest.mark.parametrize("name", ["pima", "odd-names", "breast-cancer-explorer", "class-first"])
def test_wekas_layout_is_what_weka_prints(
    j48geo: Run, fixtures_dir: Path, weka: Weka, name: str
) -> None:
    folder = fixtures_dir / name
    model, train, test = (folder / x for x in ("model.txt", "data.arff", "test.arff"))
    if not test.exists():
        test = train
    meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    layout = "weka.classifiers.evaluation.output.prediction.CSV"
    for mine, theirs in (
        ([], layout),
        (["--distribution"], f"{layout} -distribution"),
        (["--distribution", "--decimals", 7], f"{layout} -distribution -decimals 7"),
    ):
        printed = weka.cli(
            train,
            test=test,
            options=f'{meta["options"]} -classifications "{theirs}"',
            class_index=meta["class_index"],
        )
        wanted = printed.partition("inst#")[2].rstrip("\n")
        done = j48geo(
            *("predict", model, test, "--train", train, "-f", "weka", *class_option(folder), *mine)
        )
        assert done.out == f"inst#{wanted}\n"


def test_the_table_and_csv_hold_the_same_rows(j48geo: Run, fixtures_dir: Path) -> None:
    folder = fixtures_dir / "pima"
    arguments = ("predict", folder / "model.txt", folder / "data.arff")
    table, _, below = j48geo(*arguments).out.partition("\n\n")
    rows = list(csv.DictReader(StringIO(j48geo(*arguments, "-f", "csv").out)))
    for line, row in zip(table.splitlines()[2:], rows, strict=True):
        words = line.split()
        assert words[:2] == [row["row"], row["leaf"]]
        assert words[3] == row["predicted"]
    labels = read_arff(folder / "data.arff")
    actual = [labels.header.classes[int(k)] for k in labels.class_values]
    right = sum(row["predicted"] == label for row, label in zip(rows, actual, strict=True))
    assert below.startswith(f"768 rows predicted; {right} of 768 with a known class are right (")


def test_below_the_table_stands_the_confusion_matrix_as_scikit_learn_counts_it(
    j48geo: Run, fixtures_dir: Path
) -> None:
    folder = fixtures_dir / "iris"
    arguments = ("predict", folder / "model.txt", folder / "data.arff")
    rows = csv.DictReader(StringIO(j48geo(*arguments, "-f", "csv").out))
    predicted = [row["predicted"] for row in rows]
    data = read_arff(folder / "data.arff")
    actual = [data.header.classes[int(k)] for k in data.class_values]
    matrix = [line.split() for line in j48geo(*arguments).out.split("\n\n")[2].splitlines()]
    labels = [line[0] for line in matrix[2:]]
    assert matrix[0] == ["actual", "\\", "predicted", *labels, "precision", "recall", "F"]
    counts = [[int(cell) for cell in line[1:4]] for line in matrix[2:]]
    assert counts == confusion_matrix(actual, predicted, labels=labels).tolist()
    rates = precision_recall_fscore_support(actual, predicted, labels=labels)[:3]
    for k, line in enumerate(matrix[2:]):
        assert line[4:] == [f"{rate[k]:.4f}" for rate in rates]


def test_a_note_says_that_a_block_without_options_is_taken_as_unsmoothed(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path
) -> None:
    text = (fixtures_dir / "iris" / "model.txt").read_text(encoding="utf-8")
    bare = tmp_path / "bare.txt"
    bare.write_text(text[text.index("J48 pruned tree") : text.index("Time taken")])
    data = fixtures_dir / "iris" / "data.arff"
    words = "leaves are not smoothed, as no options line says -A"
    assert words in j48geo("predict", bare, data, "--train", data).err
    assert words not in j48geo("predict", bare, data, "--no-laplace").err
    told = tmp_path / "told.txt"
    told.write_text(f"\nOptions: -C 0.25 \n\n{bare.read_text()}")
    assert "smoothed" not in j48geo("predict", told, data, "--train", data).err
    told.write_text(f"\nOptions: -A \n\n{bare.read_text()}")
    assert "smoothed, as the options say -A" in j48geo("predict", told, data).err
