"""evaluate: every number against scikit-learn on what the other commands print."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from command_line import Run
from sklearn.metrics import accuracy_score, log_loss, roc_auc_score

from j48geo.data.arff.stream import read_arff
from j48geo.decide.evaluation.auc import compute_proximity


def part(path: Path, source: Path, keep: slice, replaced: dict[int, str] | None = None) -> Path:
    """Some rows of an ARFF file, with the labels of some of them replaced."""
    lines = source.read_text(encoding="utf-8").splitlines()
    start = next(i for i, line in enumerate(lines) if line.lower().startswith("@data"))
    rows = [line for line in lines[start + 1 :] if line.strip() and not line.startswith("%")][keep]
    for i, label in (replaced or {}).items():
        rows[i] = ",".join([*rows[i].split(",")[:-1], label])
    path.write_text("\n".join([*lines[: start + 1], *rows]) + "\n", encoding="utf-8")
    return path


def by_method(done: str) -> dict[str, dict]:
    return {row["method"]: row for row in json.loads(done)["methods"]}


def test_the_table_tells_everything_once(j48geo: Run, fixtures_dir: Path, tmp_path: Path) -> None:
    folder = fixtures_dir / "iris"
    model, data = folder / "model.txt", folder / "data.arff"
    # A setosa that is called virginica: raw leaf estimates hold it for impossible.
    test = part(tmp_path / "test.arff", data, slice(None, None, 2), {0: "Iris-virginica"})
    done = j48geo(
        *("evaluate", model, test, "--train", data, "--positive", "Iris-virginica"),
        *("--methods", "raw,laplace,global,local"),
    )
    assert done.code == 0, done.err
    assert done.out == (
        "75 cases, 26 of the positive class 'Iris-virginica'\n"
        "\n"
        "method      AUC   95% interval  AUC to 0.1       M     MSE  log-loss     ECE  accuracy  "
        "scores  tied pairs\n"
        "-------  ------  -------------  ----------  ------  ------  --------  ------  --------  "
        "------  ----------\n"
        "raw      0.9517  0.8365-0.9870      0.0835  0.9746  0.0783   inf (1)  0.0261    0.9600  "
        "     4      0.0557\n"
        "laplace  0.9509  0.8358-0.9866      0.0827  0.9741  0.0797    0.1953  0.0180    0.9600  "
        "     4      0.0557\n"
        "global   0.9643  0.8115-0.9941      0.0926       -       -         -       -         -  "
        "    32      0.0149\n"
        "local    0.9639  0.8125-0.9940      0.0922       -       -         -       -         -  "
        "    33      0.0141\n"
        "\n"
        "AUC: 'Iris-virginica' against the rest, ties half; interval: DeLong, on the logit scale; "
        "AUC to 0.1: area up to that false positive rate, at most 0.1\n"
        "M: mean AUC of all pairs of classes (Hand and Till)\n"
        "MSE: squared errors summed over the classes; log-loss: in nats, inf (n) if the class of n "
        "cases had probability 0\n"
        "ECE: calibration error of the positive class, 10 bins of equal weight; accuracy: of the "
        "most probable class\n"
        "scores: different ones; tied pairs: share of pairs of a positive and a negative case with "
        "equal scores\n"
        "\n"
        "accuracy of the tree's own labels, whatever the method: 0.96\n"
        "mean distance to the boundary: 0.4441 of 72 hits, 0.2187 of 3 errors\n"
        "lambda = 1.4074, less than 2: it is not sure that the tree's errors lie nearer to its "
        "boundary than its hits, as geometric ranking supposes; do not trust it on this tree\n"
        "3 of 75 distances are 0 (4.0%)\n"
        "AUC of global minus that of laplace: +0.0133, 95% interval -0.0105 to +0.0372: "
        "no sure difference\n"
        "AUC of local minus that of laplace: +0.0130, 95% interval -0.0105 to +0.0364: "
        "no sure difference\n"
        "\n"
        "actual \\ predicted  Iris-setosa  Iris-versicolor  Iris-virginica  precision  recall  "
        "     F\n"
        "------------------  -----------  ---------------  --------------  ---------  ------  "
        "------\n"
        "Iris-setosa                  24                0               0     0.9600  1.0000  "
        "0.9796\n"
        "Iris-versicolor               0               24               1     0.9600  0.9600  "
        "0.9600\n"
        "Iris-virginica                1                1              24     0.9600  0.9231  "
        "0.9412\n"
    )
    assert "RESUBSTITUTION" not in done.err


def test_rankings_have_the_area_of_what_rank_prints(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path
) -> None:
    folder = fixtures_dir / "pima"
    model, data = folder / "model.txt", folder / "data.arff"
    test = part(tmp_path / "test.arff", data, slice(None, None, 3))
    given = (model, test, "--train", data)
    done = j48geo("evaluate", *given, "--methods", "raw,m,global,local", "-f", "json")
    assert done.code == 0, done.err
    whole, found = json.loads(done.out), by_method(done.out)
    assert list(found) == ["raw", "m", "global", "local"]
    assert (whole["cases"], whole["training_data"], whole["partial_fpr"]) == (256, False, 0.1)
    for by, method, estimate in (
        ("global", "global", "laplace"),
        ("local", "local", "laplace"),
        ("leaf", "raw", "raw"),
        ("leaf", "m", "m"),
    ):
        options = ("--by", by, "-f", "csv")
        if by != "global":
            options += ("--estimate", estimate)
        rows = list(csv.DictReader(StringIO(j48geo("rank", *given, *options).out)))
        actual = [row["actual"] == "tested_positive" for row in rows]
        rank = [-int(row["rank"]) for row in rows]
        assert found[method]["auc"] == pytest.approx(roc_auc_score(actual, rank), abs=1e-12)
        standard = roc_auc_score(actual, rank, max_fpr=0.1)  # undo its standardisation
        wanted = (2 * standard - 1) * (0.1 - 0.005) + 0.005
        assert found[method]["partial_auc"] == pytest.approx(wanted, abs=1e-9)
        assert found[method]["distinct_scores"] == len(set(rank))
        if by == "global":
            right = [row["predicted"] == row["actual"] for row in rows]
            wanted = compute_proximity([float(row["distance"]) for row in rows], right).value
            assert whole["lambda"]["value"] == pytest.approx(wanted, abs=1e-9)
            assert whole["tree_accuracy"] == pytest.approx(sum(right) / len(right))
    assert all(
        found["global"][name] is None
        for name in ("mse", "log_loss", "impossible", "calibration_error", "accuracy", "m")
    )


def test_probabilities_are_judged_as_proba_prints_them(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path
) -> None:
    folder = fixtures_dir / "iris"
    model, data = folder / "model.txt", folder / "data.arff"
    test = part(tmp_path / "test.arff", data, slice(1, None, 2))
    given = (model, test, "--train", data, "--positive", "Iris-versicolor")
    done = j48geo("evaluate", *given, "-f", "json")
    assert done.code == 0, done.err
    found = by_method(done.out)
    assert list(found) == [
        *("raw", "laplace", "m", "hs", "global", "local", "gdk", "ldk", "nearby")
    ]
    actual = read_arff(test).class_values.astype(int)
    names = [name for name in found if name not in ("global", "local")]
    printed = j48geo("proba", *given, "--method", ",".join(names), "-f", "csv").out
    table = list(csv.DictReader(StringIO(printed)))
    for name in names:
        p = np.array(
            [[float(v) for k, v in row.items() if k.startswith(f"{name}(")] for row in table]
        )
        hit = np.eye(3)[actual]
        row = found[name]
        assert row["mse"] == pytest.approx(((hit - p) ** 2).sum(axis=1).mean(), abs=1e-12)
        assert row["accuracy"] == pytest.approx(accuracy_score(actual, p.argmax(axis=1)))
        m = roc_auc_score(actual, p / p.sum(axis=1, keepdims=True), multi_class="ovo")
        assert row["m"] == pytest.approx(m, abs=1e-12)
        if not row["impossible"]:
            wanted = log_loss(actual, p / p.sum(axis=1, keepdims=True))
            assert row["log_loss"] == pytest.approx(wanted, abs=1e-12)


def test_weights_and_missing_values_count_as_in_curve(j48geo: Run, fixtures_dir: Path) -> None:
    folder = fixtures_dir / "parcels-weights"
    given = (folder / "model.txt", folder / "data.arff", "--positive", "more", "-f", "json")
    found = by_method(j48geo("evaluate", *given).out)
    for method, smoothing in (("raw", "none"), ("laplace", "laplace"), ("m", "m")):
        wanted = json.loads(j48geo("curve", *given, "--smoothing", smoothing).out)
        assert found[method]["auc"] == pytest.approx(wanted["auc"], abs=1e-12)
        if method != "m":  # there each class has an m of its own
            assert found[method]["m"] == pytest.approx(wanted["m"], abs=1e-12)


def test_without_a_positive_class_all_classes_are_judged(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path
) -> None:
    folder = fixtures_dir / "iris"
    model, data = folder / "model.txt", folder / "data.arff"
    test = part(tmp_path / "test.arff", data, slice(1, None, 2))
    given = (model, test, "--train", data)
    done = j48geo("evaluate", *given, "-f", "json")
    assert done.code == 0, done.err
    assert "note: left out, since no positive class is named: m, local\n" in done.err
    whole, found = json.loads(done.out), by_method(done.out)
    assert list(found) == ["raw", "laplace", "hs", "global", "gdk", "ldk", "nearby"]
    names = [name for name in found if name != "global"]
    actual = read_arff(test).class_values.astype(int)
    printed = j48geo("proba", *given, "--method", ",".join(names), "-f", "csv").out
    table = list(csv.DictReader(StringIO(printed)))
    for name in names:
        p = np.array(
            [[float(v) for k, v in row.items() if k.startswith(f"{name}(")] for row in table]
        )
        p /= p.sum(axis=1, keepdims=True)
        m = roc_auc_score(actual, p, multi_class="ovo")
        assert found[name]["m"] == pytest.approx(m, abs=1e-12)
        assert found[name]["accuracy"] == pytest.approx(accuracy_score(actual, p.argmax(axis=1)))
    assert whole["cases"] == 75
    words = j48geo("evaluate", *given)
    assert words.code == 0
    for kind, n in (("jsonl", 7), ("csv", 8)):
        assert len(j48geo("evaluate", *given, "-f", kind).lines) == n


def test_json_holds_the_confusion_matrix_and_the_rates_of_every_class(
    j48geo: Run, fixtures_dir: Path
) -> None:
    folder = fixtures_dir / "iris"
    given = (
        "evaluate",
        folder / "model.txt",
        folder / "data.arff",
        "--methods",
        "raw",
        "-f",
        "json",
    )
    whole = json.loads(j48geo(*given).out)
    assert whole["confusion"] == {
        "labels": ["Iris-setosa", "Iris-versicolor", "Iris-virginica"],
        "weights": [[50.0, 0.0, 0.0], [0.0, 49.0, 1.0], [0.0, 2.0, 48.0]],
    }
    precision, recall = 48 / 49, 48 / 50
    assert whole["class_rates"][2] == {
        "class": "Iris-virginica",
        "precision": precision,
        "recall": recall,
        "f": pytest.approx(2 * precision * recall / (precision + recall), rel=1e-15),
    }
    named = json.loads(j48geo(*given, "--positive", "Iris-setosa").out)
    for key in ("confusion", "class_rates"):
        assert named[key] == whole[key]


def test_nearby_is_compared_with_laplace_too(j48geo: Run, fixtures_dir: Path) -> None:
    folder = fixtures_dir / "pima"
    given = ("evaluate", folder / "model.txt", folder / "data.arff", "-f", "json")
    whole, found = json.loads(j48geo(*given).out), by_method(j48geo(*given).out)
    compared = {(row["method"], row["against"]): row["auc"] for row in whole["differences"]}
    assert list(compared) == [(name, "laplace") for name in ("global", "local", "nearby")]
    for (name, against), difference in compared.items():
        wanted = found[name]["auc"] - found[against]["auc"]
        assert difference == pytest.approx(wanted, abs=1e-12)


def test_all_formats_tell_the_same(j48geo: Run, fixtures_dir: Path, tmp_path: Path) -> None:
    folder = fixtures_dir / "pima"
    model, data = folder / "model.txt", folder / "data.arff"
    test = part(tmp_path / "test.arff", data, slice(None, None, 5))
    given = ("evaluate", model, test, "--train", data, "--methods", "raw,local", "--fpr", "0.25")
    whole = json.loads(j48geo(*given, "-f", "json").out)
    assert whole["partial_fpr"] == 0.25
    lines = j48geo(*given, "-f", "jsonl")
    common = {name: whole[name] for name in ("distances", "zero_distances")}
    assert common == {"distances": 154, "zero_distances": 2}
    assert whole["zero_share"] == 2 / 154
    assert [json.loads(line) for line in lines.lines] == [
        {**row, **common} for row in whole["methods"]
    ]
    table = j48geo(*given, "-f", "csv")
    for row, wanted in zip(csv.DictReader(StringIO(table.out)), whole["methods"], strict=True):
        assert list(row) == [*wanted, *common]
        assert row["auc"] == str(wanted["auc"])
        assert (row["mse"] == "") == (wanted["mse"] is None)
        assert (row["distances"], row["zero_distances"]) == ("154", "2")
    # What has no place in rows is said to those who ask for more.
    for kind, done in (("csv", table), ("jsonl", lines)):
        more = j48geo(*given, "-f", kind, "-v")
        assert more.out == done.out
        for sentence in (whole["lambda"]["sentence"], "2 of 154 distances are 0 (1.3%)"):
            assert f"note: {sentence}\n" in more.err
            assert sentence not in done.err


def test_an_infinite_loss_is_null_in_json_and_says_how_many(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path
) -> None:
    folder = fixtures_dir / "iris"
    model, data = folder / "model.txt", folder / "data.arff"
    wrong = {0: "Iris-virginica", 1: "Iris-versicolor"}
    test = part(tmp_path / "test.arff", data, slice(None), wrong)
    given = ("evaluate", model, test, "--train", data, "--positive", "Iris-setosa")
    row = by_method(j48geo(*given, "--methods", "raw", "-f", "json").out)["raw"]
    assert (row["log_loss"], row["impossible"]) == (None, 2)
    assert row["log_loss_of_possible"] == pytest.approx(0.0783, abs=1e-4)
    table = j48geo(*given, "--methods", "raw", "-f", "csv").out
    assert next(csv.DictReader(StringIO(table)))["log_loss"] == "Infinity"


def test_the_bootstrap_depends_on_its_seed_alone(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path
) -> None:
    folder = fixtures_dir / "pima"
    model, data = folder / "model.txt", folder / "data.arff"
    test = part(tmp_path / "test.arff", data, slice(None, None, 4))
    given = ("evaluate", model, test, "--train", data, "--methods", "raw,global", "-f", "json")
    chance = ("--interval", "bootstrap", "--replicates", 200)
    first = j48geo(*given, *chance, "--seed", 7)
    assert first.out == j48geo(*given, *chance, "--seed", 7).out
    other = j48geo(*given, *chance, "--seed", 8)
    assert first.out != other.out
    record = json.loads(first.out)
    assert record["interval"] == {"kind": "bootstrap", "level": 0.95, "seed": 7, "replicates": 200}
    sure = by_method(j48geo(*given).out)
    for name, row in by_method(first.out).items():
        for end in ("auc_low", "auc_high"):
            assert row[end] == pytest.approx(sure[name][end], abs=0.02)
    words = j48geo(*given[:-2], *chance).out
    assert "interval: bootstrap, 200 times, seed 0;" in words


def test_the_training_data_gives_optimistic_numbers_and_that_is_said_loudly(
    j48geo: Run, fixtures_dir: Path
) -> None:
    folder = fixtures_dir / "pima"
    model, data = folder / "model.txt", folder / "data.arff"
    loud = (
        "RESUBSTITUTION: these rows are the training data, so every number is optimistic; "
        "new rows give honest ones"
    )
    for options in ((), ("--train", data)):
        given = ("evaluate", model, data, "--methods", "raw,gdk", *options)
        done = j48geo(*given)
        assert done.lines[1] == loud
        assert "RESUBSTITUTION" not in done.err  # once is enough
        for kind in ("json", "jsonl", "csv"):
            assert j48geo(*given, "-f", kind).err.count(f"j48geo: note: {loud}\n") == 1
    quiet = j48geo("evaluate", model, data, "--methods", "raw", "-q")
    assert (quiet.err, quiet.lines[1]) == ("", loud)


def test_a_tree_without_a_boundary_is_evaluated_too(j48geo: Run, fixtures_dir: Path) -> None:
    folder = fixtures_dir / "one-leaf"
    done = j48geo("evaluate", folder / "model.txt", folder / "data.arff", "-f", "json")
    assert done.code == 0, done.err
    assert "all leaves have the same label: there is no decision boundary" in done.err
    whole = json.loads(done.out)
    assert whole["lambda"]["sentence"] == "lambda is not defined: there is no decision boundary"
    assert (whole["distances"], whole["zero_distances"], whole["zero_share"]) == (None,) * 3
    for row in whole["methods"]:
        assert (row["auc"], row["auc_low"], row["auc_high"]) == (0.5, 0.5, 0.5)
        assert (row["distinct_scores"], row["tied_pairs"]) == (1, 1.0)


def test_a_test_of_one_class_has_losses_but_no_area(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path
) -> None:
    folder = fixtures_dir / "iris"
    model, data = folder / "model.txt", folder / "data.arff"
    test = part(tmp_path / "test.arff", data, slice(0, 50))
    given = ("evaluate", model, test, "--train", data, "-f", "json")
    done = j48geo(*given, "--positive", "Iris-virginica")
    assert done.code == 0, done.err
    assert f"{test} has no row of the positive class 'Iris-virginica': no AUC" in done.err
    for row in json.loads(done.out)["methods"]:
        assert (row["auc"], row["auc_low"], row["tied_pairs"], row["m"]) == (None,) * 4
    assert by_method(done.out)["raw"]["log_loss"] == 0
    whole = json.loads(done.out)
    assert whole["differences"] == []
    assert whole["lambda"]["value"] is None
    assert whole["lambda"]["sentence"] == (
        "lambda is not defined: it takes 2 hits and 2 errors, and there are 50 and 0"
    )
    done = j48geo(*given, "--positive", "Iris-setosa")
    assert f"all rows of {test} are of the positive class 'Iris-setosa': no AUC" in done.err


def test_rows_without_a_class_cannot_judge(j48geo: Run, fixtures_dir: Path, tmp_path: Path) -> None:
    folder = fixtures_dir / "pima"
    model, data = folder / "model.txt", folder / "data.arff"
    test = part(tmp_path / "test.arff", data, slice(0, 9), {0: "?", 4: "?"})
    done = j48geo("evaluate", model, test, "--train", data)
    assert done.code == 0, done.err
    assert f"2 rows of {test} have no class and are left out" in done.err
    assert done.out.startswith("7 cases, ")
    test = part(tmp_path / "test.arff", data, slice(0, 3), {0: "?", 1: "?", 2: "?"})
    done = j48geo("evaluate", model, test, "--train", data)
    assert done.code == 5
    assert f"{test}: no row has a class; expected the true classes of the rows" in done.err
    text = test.read_text(encoding="utf-8").replace("@attribute class", "@attribute other")
    lines = [line for line in text.splitlines() if "other" not in line]
    start = next(i for i, line in enumerate(lines) if line.lower().startswith("@data"))
    lines[start + 1 :] = [line.rpartition(",")[0] for line in lines[start + 1 :]]
    test.write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = j48geo("evaluate", model, test, "--train", data)
    assert done.code == 5
    assert "no row has a class" in done.err


def test_what_evaluate_cannot_do_is_said(j48geo: Run, fixtures_dir: Path, tmp_path: Path) -> None:
    folder = fixtures_dir / "iris"
    model, data = folder / "model.txt", folder / "data.arff"
    test = part(tmp_path / "test.arff", data, slice(0, 60))
    see = "; see 'j48geo evaluate --help'\n"
    for given, said in (
        (
            (model, test, "--positive", "Iris-setosa"),
            f"the methods learn from the training data, which {test} is not: --train FILE\n",
        ),
        ((model, data, "--tau", -1), "--tau -1: expected a positive number\n"),
    ):
        done = j48geo("evaluate", *given, "-q")
        assert (done.code, done.out, done.err) == (2, "", said)
    for given, said in (
        ((model, data, "--seed", 1), "--seed is for --interval bootstrap"),
        ((model, data, "--replicates", 9), "--replicates is for --interval bootstrap"),
        (
            (model, data, "--methods", ","),
            "--methods: no method; expected some, with commas",
        ),
        (("no-model", "no-data", "--calibrate", "-"), "--calibrate: expected a file"),
    ):
        done = j48geo("evaluate", *given, "-q")
        assert (done.code, done.err) == (2, f"j48geo evaluate: {said}{see}")
    done = j48geo("evaluate", model, data, "--methods", "raw,guess")
    assert done.code == 2
    assert done.err.startswith("unknown method 'guess'; known: raw, laplace, m, hs, gdk, ldk, ")
    done = j48geo("evaluate", model, data, "--positive", "rose", "-q")
    assert done.code == 2
    assert done.err.startswith("unknown class 'rose'; known: Iris-setosa, ")


def test_a_fitted_model_needs_no_training_data(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path
) -> None:
    folder = fixtures_dir / "pima"
    model, data = folder / "model.txt", folder / "data.arff"
    test = part(tmp_path / "test.arff", data, slice(None, None, 3))
    fitted = tmp_path / "model.json"
    done = j48geo("fit", model, "--train", data, "--method", "gdk,ldk", "-o", fitted)
    assert done.code == 0, done.err
    done = j48geo("evaluate", fitted, test, "-f", "json")
    assert done.code == 0, done.err
    assert "note: left out for want of the training data: nearby\n" in done.err
    found = by_method(done.out)
    methods = "raw,laplace,m,hs,global,local,gdk,ldk"
    assert list(found) == methods.split(",")
    given = ("evaluate", model, test, "--train", data, "--methods", methods, "-f", "json")
    for name, row in by_method(j48geo(*given).out).items():
        assert row == pytest.approx(found[name], abs=1e-9)


def test_calibration_data_changes_the_kernel_estimates_alone(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path
) -> None:
    folder = fixtures_dir / "pima"
    model, data = folder / "model.txt", folder / "data.arff"
    test = part(tmp_path / "test.arff", data, slice(None, None, 3))
    other = part(tmp_path / "other.arff", data, slice(1, None, 3))
    given = ("evaluate", model, test, "--train", data, "-f", "json")
    plain, calibrated = (
        by_method(j48geo(*given, *more).out) for more in ((), ("--calibrate", other))
    )
    changed = [name for name in plain if plain[name] != calibrated[name]]
    assert changed == ["gdk", "ldk"]


# ------------------------------------------------------------------- small data of one's own

SMALL = "x <= 2: a (4.0/1.0)\nx > 2: b (4.0/1.0)\n"
ROWS = ("0.5,1,a", "1,2,a", "1.5,1,b", "1.8,1,a", "2.1,1,b", "3,2,b", "2.2,3,a", "4,5,b")


def small(folder: Path, name: str, rows: Sequence[str]) -> Path:
    path = folder / name
    head = "@relation r\n@attribute x numeric\n@attribute y numeric\n@attribute c {a,b}\n@data\n"
    path.write_text(head + "".join(f"{row}\n" for row in rows))
    return path


def small_model(folder: Path, text: str = SMALL) -> tuple[Path, Path]:
    model = folder / "model.txt"
    model.write_text(text)
    return model, small(folder, "train.arff", ROWS)


@pytest.mark.parametrize("interval", ["delong", "bootstrap"])
def test_an_area_that_is_rounded_to_1_has_no_interval(
    j48geo: Run, tmp_path: Path, interval: str
) -> None:
    model, train = small_model(tmp_path)
    rows = ("0,1,a", "1,1,a", "3,1,b", "4,1,b", "5,1,a,{1e-17}")
    test = small(tmp_path, "test.arff", rows)
    done = j48geo(
        *("evaluate", model, test, "--train", train, "--methods", "laplace,global"),
        *("--interval", interval, "-f", "json"),
    )
    assert done.code == 0, done.err
    for row in by_method(done.out).values():
        assert (row["auc"], row["auc_low"], row["auc_high"]) == (1.0, None, None)


@pytest.mark.parametrize(
    ("weight", "shown"),
    [("-1", "-1"), ("1e308", "1e+308"), ("Infinity", "inf"), ("2e100", "2e+100")],
)
def test_a_weight_that_is_none_is_told_with_its_row(
    j48geo: Run, tmp_path: Path, weight: str, shown: str
) -> None:
    model, train = small_model(tmp_path)
    rows = [f"{row},{{{weight}}}" if i in (4, 6) else row for i, row in enumerate(ROWS)]
    test = small(tmp_path, "test.arff", rows)
    for more in ((), ("--plot", tmp_path / "a.png", "--picture", "slice", "--attributes", "x,y")):
        done = j48geo("evaluate", model, test, "--train", train, "-q", *more)
        said = f"{test}: row 5 has weight {shown}; expected a number from 0 to 1e100\n"
        assert (done.code, done.out, done.err) == (4, "", said)
    assert not (tmp_path / "a.png").exists()


def test_weights_of_the_training_data_are_looked_at_before_anything_is_learnt(
    j48geo: Run, tmp_path: Path
) -> None:
    # With weights of 2 and -1 the leaf still prints 4.0/1.0.
    model, _ = small_model(tmp_path)
    test = small(tmp_path, "test.arff", ["1,9,a,{2}", "1,9,a,{-1}", *ROWS[1:]])
    done = j48geo("evaluate", model, test, "-q")
    said = f"{test}: row 2 has weight -1; expected a number from 0 to 1e100\n"
    assert (done.code, done.err) == (4, said)


def test_heavy_and_light_weights_are_weights(j48geo: Run, tmp_path: Path) -> None:
    model, train = small_model(tmp_path)
    found = []
    for weight in ("1", "1e100", "1e-200"):
        test = small(tmp_path, "test.arff", [f"{row},{{{weight}}}" for row in ROWS])
        done = j48geo("evaluate", model, test, "--train", train, "-f", "json")
        assert done.code == 0, done.err
        found.append(by_method(done.out))
    for other in found[1:]:
        for name, row in found[0].items():
            assert row == pytest.approx(other[name], abs=1e-9)


def test_rows_of_weight_0_are_left_out_of_everything(j48geo: Run, tmp_path: Path) -> None:
    model, train = small_model(tmp_path)
    given = ("--train", train, "-f", "json")
    test = small(tmp_path, "test.arff", [*ROWS, "1,1,b,{0}", "9,1,?", "2,1,b,{0}"])
    done = j48geo("evaluate", model, test, *given)
    assert f"3 rows of {test} have no class or weight 0 and are left out\n" in done.err
    assert json.loads(done.out) == json.loads(
        j48geo("evaluate", model, small(tmp_path, "other.arff", ROWS), *given).out
    )
    test = small(tmp_path, "test.arff", [*ROWS, "1,1,b,{0}"])
    done = j48geo("evaluate", model, test, *given)
    assert f"1 row of {test} has weight 0 and is left out\n" in done.err
    test = small(tmp_path, "test.arff", ["1,1,b,{0}", "9,1,?"])
    done = j48geo("evaluate", model, test, *given, "-q")
    assert (done.code, done.err) == (
        5,
        f"{test}: no row has a class and a weight above 0; expected the true classes of the rows, "
        "and their weights\n",
    )


def test_cases_at_infinite_distance_are_left_out_of_lambda(j48geo: Run, tmp_path: Path) -> None:
    model, train = small_model(tmp_path)
    given = ("--train", train, "--methods", "laplace,global")
    plain = json.loads(j48geo("evaluate", model, train, *given, "-f", "json").out)["lambda"]
    test = small(tmp_path, "test.arff", [*ROWS, "1e308,1,b", "-1e308,1,b"])
    done = j48geo("evaluate", model, test, *given, "-f", "json")
    assert done.code == 0, done.err
    assert json.loads(done.out)["lambda"] == {**plain, "infinite_distances": 2}
    words = j48geo("evaluate", model, test, *given).lines
    assert "2 cases at infinite distance are left out of lambda and of the mean distances" in words
    test = small(tmp_path, "test.arff", ["1e308,1,b", "-1e308,1,b"])
    done = j48geo("evaluate", model, test, *given)
    assert "lambda is not defined: no case has a finite distance to the boundary" in done.lines


def test_many_zero_distances_are_told_and_warned_of(j48geo: Run, tmp_path: Path) -> None:
    model, train = small_model(tmp_path)
    near, far = ["2,1,a", "2,1,b"] * 20, [f"{x / 10},1,{'ab'[x > 20]}" for x in range(60)]
    test = small(tmp_path, "test.arff", near + far)
    given = ("evaluate", model, test, "--train", train)
    done = j48geo(*given, "--methods", "laplace,global")
    assert "41 of 100 distances are 0 (41.0%)" in done.lines
    (verdict,) = [line for line in done.lines if line.startswith("lambda = ")]
    assert verdict.endswith("where its AUC bears it out, but 41% of the cases tie at distance 0")
    warned = "41% of the distances are 0, so they tell little"
    assert warned in done.err
    assert "--methods nearby averages the leaves around instead" in done.err
    every = j48geo(*given)  # nearby is among them
    assert warned in every.err
    assert "averages the leaves around" not in every.err
    assert warned not in j48geo(*given, "--methods", "laplace").err


def test_calibration_on_the_test_rows_is_said_loudly(j48geo: Run, tmp_path: Path) -> None:
    model, train = small_model(tmp_path)
    test, link = small(tmp_path, "test.arff", ROWS[:6]), tmp_path / "link.arff"
    link.symlink_to(test)
    loud = (
        "RESUBSTITUTION: gdk and ldk learnt from these rows, so their numbers are "
        "optimistic; other rows give honest ones"
    )
    given = ("evaluate", model, test, "--train", train)
    for name in (test, link):
        done = j48geo(*given, "--calibrate", name)
        assert done.lines[1] == loud
        assert "RESUBSTITUTION" not in done.err
    done = j48geo(*given, "--calibrate", test, "-f", "json")
    assert done.err.count(f"j48geo: note: {loud}\n") == 1
    whole = json.loads(done.out)
    assert whole["calibrated_on_these"] == ["gdk", "ldk"]
    other = small(tmp_path, "other.arff", ROWS[:6])
    for more in (("--calibrate", other), ("--calibrate", test, "--methods", "raw")):
        assert "RESUBSTITUTION" not in j48geo(*given, *more).out


def test_a_text_without_counts_is_evaluated_as_far_as_that_goes(
    j48geo: Run, tmp_path: Path
) -> None:
    model, other = small_model(tmp_path, "x <= 2: a\nx > 2: b\n")
    test = small(tmp_path, "test.arff", [*ROWS, "?,1,a"])  # the tree has no class for the last
    given = ("evaluate", model, test, "--calibrate", other, "--positive", "a", "-f", "json")
    done = j48geo(*given)
    assert done.code == 0, done.err
    assert list(by_method(done.out)) == ["global", "gdk", "ldk"]
    assert (
        "left out since the text does not tell the class counts of all leaves: raw, laplace, m, "
        "hs, local\n"
    ) in done.err
    assert j48geo(*given, "--methods", "raw").code == 5  # asked for by name
    model.write_text("x <= 2: a\nx > 2: a\n")  # where there is no boundary, leaves are ranked by
    done = j48geo(*given)
    assert done.code == 0, done.err
    assert list(by_method(done.out)) == ["gdk", "ldk"]


def test_of_several_classes_the_legend_tells_two_estimates_apart(
    j48geo: Run, fixtures_dir: Path
) -> None:
    folder = fixtures_dir / "iris"
    given = ("evaluate", folder / "model.txt", folder / "data.arff", "--positive", "Iris-setosa")
    said = (
        "AUC of gdk and ldk: by the estimate of 'Iris-setosa' itself, as published; M, MSE, "
        "log-loss, ECE and accuracy: by the estimates of all classes divided by their sum"
    )
    assert said in j48geo(*given, "--methods", "raw,gdk,ldk").lines
    assert "as published" not in j48geo(*given, "--methods", "raw,global").out
    folder = fixtures_dir / "pima"
    given = ("evaluate", folder / "model.txt", folder / "data.arff", "--methods", "gdk")
    assert "as published" not in j48geo(*given).out


# ------------------------------------------------------------------------- cross-validation


def test_cross_validation_takes_the_place_of_a_test(j48geo: Run, fixtures_dir: Path) -> None:
    model, data = fixtures_dir / "iris" / "model.txt", fixtures_dir / "iris" / "data.arff"
    done = j48geo("evaluate", model, "--train", data, "--cv", 10, "--method", "raw,nearby")
    assert done.code == 0, done.err
    assert done.out.startswith(
        "cross-validation: J48, grown again without each of 10 folds and judged on it\n"
        "150 cases of 3 classes\n"
    )
    done = j48geo("evaluate", model, "--train", data, "--cv", 10, "--method", "raw", "-f", "json")
    record = json.loads(done.out)
    assert (record["folds"], record["options"], record["training_data"]) == (10, "", False)
    assert "cross-validation: J48, grown again" in done.err
    assert record["tree_accuracy"] == 0.96


def test_cross_validation_is_drawn(j48geo: Run, fixtures_dir: Path, tmp_path: Path) -> None:
    folder, picture = fixtures_dir / "wdbc-split", tmp_path / "overview.svg"
    done = j48geo(
        *("evaluate", folder / "model.txt", "--train", folder / "data.arff", "--cv", 3),
        *("--method", "laplace", "--plot", picture),
    )
    assert done.code == 0, done.err
    assert "data.arff: malignant, 380 cases" in picture.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("grown", "code"),
    [(["--criterion", "gini"], 2), (["-M", "10"], 0)],
    ids=["another criterion", "other options that the text states"],
)
def test_cross_validation_grows_only_trees_of_j48(
    grown: list[str], code: int, j48geo: Run, fixtures_dir: Path, tmp_path: Path
) -> None:
    model, data = tmp_path / "model.txt", fixtures_dir / "iris" / "data.arff"
    assert j48geo("grow", data, *grown, "-o", model).code == 0
    assert j48geo("evaluate", model, "--train", data, "--cv", 3).code == code


def test_options_that_the_text_does_not_state_are_refused(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path
) -> None:
    model, data = tmp_path / "model.txt", fixtures_dir / "pima" / "data.arff"
    text = j48geo("grow", data, "-M", "10").out
    model.write_text(text[text.index("J48 pruned tree") :], encoding="utf-8")
    assert j48geo("evaluate", model, "--train", data, "--cv", 3).code == 5
