"""audit and curve."""

from __future__ import annotations

import csv
import json
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from command_line import Run
from sklearn.metrics import roc_auc_score

from j48geo.core.counts import counts_from_data
from j48geo.data.arff.stream import read_arff
from j48geo.decide.curves import THRESHOLD_CURVE_COLUMNS
from j48geo.read.readers import read_tree
from j48geo.score.prediction import predict


def test_the_curve_of_the_counts_is_that_of_the_training_rows(
    j48geo: Run, fixtures_dir: Path
) -> None:
    folder = fixtures_dir / "pima"
    model, data = folder / "model.txt", folder / "data.arff"
    alone = j48geo("curve", model, "--format", "json")
    assert alone.code == 0, alone.err
    assert json.loads(alone.out) == json.loads(j48geo("curve", model, data, "-f", "json").out)
    record = json.loads(alone.out)
    rows = read_arff(data)
    tree = read_tree(model, header=rows.header)
    counts = counts_from_data(tree, rows.X, rows.class_values, rows.weights)
    scores = predict(tree, counts, rows.X).distribution[:, 1]
    assert record["auc"] == pytest.approx(roc_auc_score(rows.class_values, scores), abs=1e-12)
    labellings = json.loads(j48geo("labellings", model, "-f", "json").out)
    assert record["auc"] == pytest.approx(labellings["auc"], abs=1e-12)
    assert record["points"][0]["threshold"] is None
    assert record["points"][0]["precision"] is None
    assert record["break_even"]["precision"] == record["break_even"]["recall"]
    assert record["best_f"]["f"] == max(p["f"] for p in record["points"][1:])


def test_m_is_scikit_learns_on_leaf_distributions(j48geo: Run, fixtures_dir: Path) -> None:
    folder = fixtures_dir / "iris"
    model, data = folder / "model.txt", folder / "data.arff"
    rows = read_arff(data)
    tree = read_tree(model, header=rows.header)
    counts = counts_from_data(tree, rows.X, rows.class_values, rows.weights)
    for smoothing, laplace in (("none", False), ("laplace", True)):
        options = ["--positive", "Iris-virginica", "--smoothing", smoothing, "-f", "json"]
        record = json.loads(j48geo("curve", model, data, *options).out)
        scores = predict(tree, counts, rows.X, laplace=laplace).distribution
        wanted = roc_auc_score(rows.class_values, scores, multi_class="ovo", average="macro")
        assert record["m"] == pytest.approx(wanted, abs=1e-12)
        without = json.loads(j48geo("curve", model, "--train", data, *options).out)
        assert without["m"] == pytest.approx(wanted, abs=1e-12)


def test_of_more_than_two_classes_the_first_has_the_curve_if_none_is_named(
    j48geo: Run, fixtures_dir: Path
) -> None:
    given = [fixtures_dir / "iris" / "model.txt", fixtures_dir / "iris" / "data.arff"]
    done = j48geo("curve", *given)
    assert done.code == 0
    assert "note: positive class 'Iris-setosa', the first; --positive LABEL\n" in done.err
    named = j48geo("curve", *given, "--positive", "Iris-setosa")
    assert (named.code, named.out) == (0, done.out)
    assert "the first" not in named.err


def test_raw_is_the_new_name_of_no_smoothing(j48geo: Run, fixtures_dir: Path) -> None:
    model = fixtures_dir / "pima" / "model.txt"
    for command in ("curve", "leaves", "labellings"):
        outs = {
            name: j48geo(command, model, "--smoothing", name, "-f", "json").out
            for name in ("raw", "none", "laplace")
        }
        assert outs["raw"] == outs["none"]
        assert outs["raw"] != outs["laplace"]


def test_any_score_column_has_a_curve(j48geo: Run, fixtures_dir: Path, tmp_path: Path) -> None:
    folder = fixtures_dir / "pima"
    model, data = folder / "model.txt", folder / "data.arff"
    found = {}
    for kind in ("csv", "arff"):
        ranked = tmp_path / f"ranked.{kind}"
        assert j48geo("rank", model, data, "--format", kind, "-o", ranked).code == 0
        done = j48geo("curve", ranked, "--score", "score", "--partial", 0.1, "-f", "json")
        assert done.code == 0, done.err
        assert done.err == "j48geo: note: positive class 'tested_positive', the rarer one\n"
        found[kind] = json.loads(done.out)
    assert found["csv"] == found["arff"]
    rows = list(csv.DictReader(StringIO((tmp_path / "ranked.csv").read_text(encoding="utf-8"))))
    actual = [row["actual"] == "tested_positive" for row in rows]
    scores = [float(row["score"]) for row in rows]
    assert found["csv"]["auc"] == pytest.approx(roc_auc_score(actual, scores), abs=1e-12)
    # scikit-learn's partial area is standardised; undo it.
    standard = roc_auc_score(actual, scores, max_fpr=0.1)
    low = 0.1 * 0.1 / 2
    wanted = (2 * standard - 1) * (0.1 - low) + low
    assert found["csv"]["partial_auc"]["auc"] == pytest.approx(wanted, abs=1e-9)


def test_curves_in_words_as_csv_and_as_arff(j48geo: Run, fixtures_dir: Path) -> None:
    model = fixtures_dir / "pima" / "model.txt"
    words = j48geo("curve", model).out
    assert words.startswith("positive: tested_positive\n")
    assert "break-even: precision = recall = 0.7518" in words
    rows = list(csv.DictReader(StringIO(j48geo("curve", model, "-f", "csv").out)))
    assert (rows[0]["threshold"], rows[0]["precision"], rows[-1]["tpr"]) == ("", "", "1")
    data = read_arff(j48geo("curve", model, "-f", "arff").out.encode())
    assert data.header.relation == "ThresholdCurve"
    assert data.header.names == THRESHOLD_CURVE_COLUMNS
    assert (np.diff(data.X[:, -1]) > 0).all()


def test_scores_that_cannot_be_used_are_refused(j48geo: Run, tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("score,actual\n0.5,a\nmuch,b\n", encoding="utf-8")
    done = j48geo("curve", path, "--score", "score")
    assert done.code == 4
    assert "scores.csv:3: 'much' is no score; expected a number" in done.err
    done = j48geo("curve", path, "--score", "points")
    assert done.code == 2
    assert "unknown column 'points'; known: score, actual" in done.err
    path.write_text("score,actual\n0.5,a\n0.1,b\n0.2,c\n,a\n", encoding="utf-8")
    done = j48geo("curve", path, "--score", "score")
    assert (done.code, done.lines[0]) == (0, "positive: a")
    assert "note: positive class 'a', the first class\n" in done.err
    done = j48geo("curve", path, "--score", "score", "--positive", "a")
    assert "1 rows without a score or a class are left out" in done.err
    assert "AUC 1\n" in done.out
    assert j48geo("curve", path, path, "--score", "score").code == 2
    assert j48geo("curve", path, "--actual", "actual").code == 2


def test_the_audit_shows_every_split(j48geo: Run, fixtures_dir: Path) -> None:
    folder = fixtures_dir / "pima"
    record = json.loads(j48geo("audit", folder / "model.txt", "-f", "json").out)
    assert len(record["splits"]) == 19
    root = record["splits"][0]
    assert root["split"] == "plas <= 127"
    # The left branch holds 485 rows, 94 of them positive, of 768 and 268.
    assert root["auc"] == pytest.approx((1 + abs(94 / 268 - 391 / 500)) / 2)
    assert root["asymmetric"]["parent"] == pytest.approx(2)
    assert root["off_centred"]["parent"] == pytest.approx(1)
    at_half = json.loads(j48geo("audit", folder / "model.txt", "--w", 0.5, "-f", "json").out)
    for split in at_half["splits"]:
        gini, asymmetric = split["gini"], split["asymmetric"]
        assert asymmetric["children"] == pytest.approx(4 * gini["children"])
        assert split["off_centred"]["parent"] == pytest.approx(split["entropy"]["parent"])
    by_rows = json.loads(
        j48geo("audit", folder / "model.txt", folder / "data.arff", "-f", "json").out
    )
    assert by_rows == record


def test_the_audit_in_every_format_and_for_more_classes(j48geo: Run, fixtures_dir: Path) -> None:
    folder = fixtures_dir / "iris"
    given = [folder / "model.txt", folder / "data.arff"]
    done = j48geo("audit", *given)
    assert "no AUC without --positive LABEL" in done.err
    assert done.out.startswith("W: Iris-setosa 0.3333, ")
    assert len(j48geo("audit", *given, "-f", "jsonl").lines) == 4
    rows = list(csv.DictReader(StringIO(j48geo("audit", *given, "-f", "csv").out)))
    assert rows[0]["auc"] == ""
    rows = list(
        csv.DictReader(
            StringIO(j48geo("audit", *given, "--positive", "Iris-setosa", "-f", "csv").out)
        )
    )
    assert rows[0]["auc"] == "1"
    assert j48geo("audit", *given, "--w", "uniform").code == 0
    done = j48geo("audit", *given, "--w", "1,2")
    assert done.code == 2
    assert done.err.endswith("\n--w 1, 2: expected 3 shares\n")
    done = j48geo("audit", *given, "--w", "0,0,0")
    assert done.code == 2
    assert done.err.endswith("\n--w has no share above 0; expected 3 shares\n")
