"""Our ARFF of a curve against the real weka.classifiers.evaluation.ThresholdCurve."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from command_line import apart
from weka_live import Weka

from j48geo.data.arff.stream import read_arff
from j48geo.decide.curves import THRESHOLD_CURVE_COLUMNS, threshold_curve
from j48geo.decide.roc import curve


def wekas_curve(weka: Weka, train: Path, label: str, options: str, folder: Path) -> Path:
    """The file that Weka's command line writes for J48 on its own training rows."""
    file = folder / "weka.arff"
    weka.cli(
        train,
        test=train,
        options=f'{options} -threshold-file "{file}" -threshold-label "{label}"',
    )
    return file


@pytest.mark.weka
@pytest.mark.parametrize(
    ("name", "label", "options"),
    [
        ("pima", "tested_positive", ""),
        ("pima", "tested_negative", "-A"),
        ("pima", "tested_positive", "-U"),
        ("parcels-weights", "", ""),
        ("iris", "Iris-virginica", ""),
    ],
)
def test_our_file_is_the_one_weka_writes(
    weka: Weka, fixtures_dir: Path, tmp_path: Path, name: str, label: str, options: str
) -> None:
    data = fixtures_dir / name / "data.arff"
    label = label or read_arff(data).header.classes[0]
    wanted = read_arff(wekas_curve(weka, data, label, options, tmp_path))
    weka.truth(tmp_path / "truth", data, options=options)
    ours = tmp_path / "ours.arff"
    done = apart(
        *("curve", tmp_path / "truth" / "model.txt", data, "--positive", label),
        *("--smoothing", "laplace" if "-A" in options else "none", "-f", "arff", "-o", ours),
    )
    assert done.code == 0, done.err
    found = read_arff(ours)
    assert found.header.names == wanted.header.names == THRESHOLD_CURVE_COLUMNS
    assert found.header.relation == "ThresholdCurve"
    assert found.X.shape == wanted.X.shape
    np.testing.assert_allclose(found.X, wanted.X, rtol=0, atol=5.1e-7)


@pytest.mark.weka
def test_weka_opens_our_file_and_finds_our_area(
    weka: Weka, fixtures_dir: Path, tmp_path: Path
) -> None:
    model = fixtures_dir / "pima" / "model.txt"
    ours = tmp_path / "ours.arff"
    assert apart("curve", model, "-f", "arff", "-o", ours).code == 0
    area = weka.curve_area(ours)
    wanted = json.loads(apart("curve", model, "-f", "json").out)["auc"]
    assert area == pytest.approx(wanted, abs=1e-12)


@pytest.mark.weka
@pytest.mark.parametrize("seed", range(5))
def test_weka_finds_our_area_in_the_curve_of_any_scores(
    weka: Weka, tmp_path: Path, seed: int
) -> None:
    random = np.random.default_rng(seed)
    scores = random.integers(0, 9, 40) / 8
    actual = random.random(40) < 0.4
    path, ours = tmp_path / "scores.csv", tmp_path / "ours.arff"
    lines = [f"{s},{'yes' if a else 'no'}" for s, a in zip(scores, actual, strict=True)]
    path.write_text("\n".join(["score,actual", *lines]) + "\n", encoding="utf-8")
    done = apart("curve", path, "--score", "score", "--positive", "yes", "-f", "arff", "-o", ours)
    assert done.code == 0, done.err
    assert weka.curve_area(ours) == pytest.approx(curve(scores, actual).auc, abs=1e-12)


@pytest.mark.weka
@pytest.mark.parametrize("kept", ["tested_positive", "tested_negative", "turned"])
def test_what_is_zero_by_zero_is_missing_where_it_is_in_weka(
    weka: Weka, fixtures_dir: Path, tmp_path: Path, kept: str
) -> None:
    data = fixtures_dir / "pima" / "data.arff"
    test, ours, theirs = (tmp_path / f"{name}.arff" for name in ("test", "ours", "weka"))
    lines = data.read_text(encoding="utf-8").splitlines()
    if kept == "turned":
        turned = {"tested_positive": "tested_negative", "tested_negative": "tested_positive"}
        cut = [line.rpartition(",") for line in lines]
        lines = [a + b + turned[c] if a and c in turned else a + b + c for a, b, c in cut]
    else:
        lines = [x for x in lines if ",tested_" not in x or x.endswith(f",{kept}") or "{" in x]
    test.write_text("\n".join(lines) + "\n", encoding="utf-8")
    label = "tested_positive"
    weka.cli(data, test=test, options=f'-threshold-file "{theirs}" -threshold-label {label}')
    model = fixtures_dir / "pima" / "model.txt"
    done = apart(
        "curve", model, test, "--train", data, "--positive", label, "-f", "arff", "-o", ours
    )
    assert done.code == 0, done.err
    found, wanted = read_arff(ours).X, read_arff(theirs).X
    assert np.isnan(wanted).any()
    np.testing.assert_allclose(found, wanted, rtol=0, atol=5.1e-7)


def test_the_last_row_calls_nothing_positive() -> None:
    rows = threshold_curve(curve([0.9, 0.4, 0.4], [True, True, False]))
    assert rows.shape == (3, len(THRESHOLD_CURVE_COLUMNS))
    assert rows[:, -1].tolist() == [0.4, 0.9, 0.9 + 10e-6]
    assert rows[-1, :4].tolist() == [0, 2, 0, 1]
