"""evaluate: every number against scikit-learn on what the other commands print."""

from __future__ import annotations

import csv
import json
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from command_line import Run
from sklearn.metrics import accuracy_score, log_loss, roc_auc_score

from j48geo.decide.evaluation import lambda_of_errors
from j48geo.read.arff import read_arff


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
        "AUC of global minus that of laplace: +0.0133, 95% interval -0.0105 to +0.0372: "
        "no sure difference\n"
        "AUC of local minus that of laplace: +0.0130, 95% interval -0.0105 to +0.0364: "
        "no sure difference\n"
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
        options = ("--by", by, "--estimate", estimate, "-f", "csv")
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
            wanted = lambda_of_errors([float(row["distance"]) for row in rows], right).value
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
    assert list(found) == ["raw", "laplace", "m", "global", "local", "gdk", "ldk", "nearby"]
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


def test_all_formats_tell_the_same(j48geo: Run, fixtures_dir: Path, tmp_path: Path) -> None:
    folder = fixtures_dir / "pima"
    model, data = folder / "model.txt", folder / "data.arff"
    test = part(tmp_path / "test.arff", data, slice(None, None, 5))
    given = ("evaluate", model, test, "--train", data, "--methods", "raw,local", "--fpr", "0.25")
    whole = json.loads(j48geo(*given, "-f", "json").out)
    assert whole["partial_fpr"] == 0.25
    lines = j48geo(*given, "-f", "jsonl")
    assert [json.loads(line) for line in lines.lines] == whole["methods"]
    table = j48geo(*given, "-f", "csv")
    for row, wanted in zip(csv.DictReader(StringIO(table.out)), whole["methods"], strict=True):
        assert list(row) == list(wanted)
        assert row["auc"] == str(wanted["auc"])
        assert (row["mse"] == "") == (wanted["mse"] is None)
    # What has no place in rows is said.
    assert whole["lambda"]["sentence"] in table.err
    assert whole["lambda"]["sentence"] in lines.err


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
    found = json.loads(first.out)
    assert found["interval"] == {"kind": "bootstrap", "level": 0.95, "seed": 7, "replicates": 200}
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
        "new rows with --train FILE give honest ones"
    )
    for options in ((), ("--train", data)):
        done = j48geo("evaluate", model, data, "--methods", "raw,gdk", *options)
        assert f"j48geo: note: {loud}\n" in done.err
        assert done.lines[1] == loud
    quiet = j48geo("evaluate", model, data, "--methods", "raw", "-q")
    assert (quiet.err, quiet.lines[1]) == ("", loud)


def test_a_tree_without_a_boundary_is_evaluated_too(j48geo: Run, fixtures_dir: Path) -> None:
    folder = fixtures_dir / "one-leaf"
    done = j48geo("evaluate", folder / "model.txt", folder / "data.arff", "-f", "json")
    assert done.code == 0, done.err
    assert "all leaves have the same label: there is no decision boundary" in done.err
    whole = json.loads(done.out)
    assert whole["lambda"]["sentence"] == "lambda is not defined: there is no decision boundary"
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
            f"the methods learn from the training data, which {test} is not: --train FILE",
        ),
        (
            (model, data),
            "the tree has 3 classes; name the positive one with --positive: Iris-setosa, "
            "Iris-versicolor, Iris-virginica",
        ),
        ((model, data, "--seed", 1), "--seed is for --interval bootstrap"),
        ((model, data, "--replicates", 9), "--replicates is for --interval bootstrap"),
        (
            (model, data, "--methods", ","),
            "no method; expected some of raw, laplace, m, global, local, gdk, ldk, nearby",
        ),
        ((model, data, "--tau", -1), "--tau -1: expected a positive number"),
    ):
        done = j48geo("evaluate", *given, "-q")
        assert (done.code, done.err) == (2, f"j48geo evaluate: {said}{see}")
    done = j48geo("evaluate", model, data, "--methods", "raw,guess")
    assert done.code == 2
    assert done.err.startswith("unknown method 'guess'; known: raw, laplace, m, gdk, ldk, ")
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
    assert "left out for want of the training data: nearby (--train FILE)" in done.err
    found = by_method(done.out)
    methods = "raw,laplace,m,global,local,gdk,ldk"
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
