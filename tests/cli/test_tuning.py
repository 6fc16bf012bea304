"""The options `--tune` and `--recalibrate`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import ROOT, Run

WDBC = ROOT / "fixtures" / "wdbc-split"
MODEL, TRAIN, TEST = WDBC / "model.txt", WDBC / "data.arff", WDBC / "test.arff"
KNOWN = (MODEL, TEST, "--train", TRAIN)
CHOSEN = " chosen on 5 folds of the training data, with trees grown again on the others ("


def choice_of(err: str, method: str = "nearby") -> tuple[str, ...]:
    """The options that say by hand what a note says was chosen."""
    (line,) = [line for line in err.splitlines() if CHOSEN in line]
    words = line.split(f"{method}: ")[1].split(CHOSEN)[0]
    found: list[str] = []
    for word in words.split(", "):
        if word.endswith(" leaves"):
            found += ["--leaves", word.removesuffix(" leaves")]
        else:
            name, value = word.split()
            found += [f"--{name}", value]
    return tuple(found)


@pytest.mark.parametrize(
    ("command", "method"),
    [(("rank",), "nearby"), (("proba",), "nearby"), (("proba", "--method", "hs"), "hs")],
)
def test_tuned_is_what_the_choice_gives_by_hand(
    j48geo: Run, command: tuple[str, ...], method: str
) -> None:
    name, *more = command
    found = j48geo(name, *KNOWN, *more, "--tune", "-f", "csv")
    assert found.code == 0, found.err
    by_hand = j48geo(name, *KNOWN, *more, *choice_of(found.err, method), "-f", "csv")
    assert (by_hand.code, by_hand.out) == (0, found.out)


def test_the_choice_is_kept_in_the_file_and_said(j48geo: Run, tmp_path: Path) -> None:
    out = tmp_path / "model.json"
    done = j48geo("fit", MODEL, "--train", TRAIN, "--method", "nearby", "--tune", "rank", "-o", out)
    assert done.code == 0, done.err
    kept = json.loads(out.read_text())["fitted"]["nearby"]
    assert kept["tuned"] == "rank"
    assert ("--sigma", f"{kept['sigma']:g}") == choice_of(done.err)[:2]
    found = j48geo("rank", out, TEST, "-f", "csv")
    assert f"(nearby: sigma {kept['sigma']:g}, " in found.err
    assert " leaves, chosen for rankings)" in found.err
    assert found.out == j48geo("rank", *KNOWN, "--tune", "-f", "csv").out


def test_a_tuned_hs_is_kept_in_the_file_too(j48geo: Run, tmp_path: Path) -> None:
    out = tmp_path / "model.json"
    done = j48geo("fit", MODEL, "--train", TRAIN, "--method", "hs", "--tune", "proba", "-o", out)
    assert done.code == 0, done.err
    found = j48geo("proba", out, TEST, "--method", "hs", "-f", "csv")
    tuned = j48geo("proba", *KNOWN, "--method", "hs", "--tune", "-f", "csv")
    plain = j48geo("proba", *KNOWN, "--method", "hs", "-f", "csv")
    assert found.out == tuned.out != plain.out


def test_a_tree_whose_options_nobody_knows_is_not_tuned(j48geo: Run, tmp_path: Path) -> None:
    model = tmp_path / "m.txt"
    assert j48geo("grow", TRAIN, "-M", "20", "-o", model).code == 0
    block = model.read_text()
    model.write_text(block[block.index("J48 pruned tree") :])
    done = j48geo("rank", model, TEST, "--train", TRAIN, "--tune")
    assert (done.code, done.out) == (5, "")
    assert "J48 with its default options grows another tree from" in done.err


@pytest.mark.parametrize("kind", ["isotonic", "platt"])
def test_evaluate_judges_what_proba_says(j48geo: Run, kind: str) -> None:
    how = ("--recalibrate", kind, "--method", "laplace,gdk,nearby")
    judged = j48geo("evaluate", *KNOWN, *how, "-f", "json")
    assert judged.code == 0, judged.err
    assert f"note: laplace, gdk, nearby: recalibrated ({kind}) by 5 folds of {TRAIN}" in judged.err
    assert "optimistic" not in judged.err
    said = j48geo("proba", *KNOWN, *how, "-f", "jsonl")
    squares: dict[str, list[float]] = {}
    actual = [line.rsplit(",", 1)[1] for line in TEST.read_text().split("@data\n")[1].split()]
    for line in said.lines:
        row = json.loads(line)
        truth = actual[row["row"] - 1].strip("'")
        errors = [(p - (c == truth)) ** 2 for c, p in row["probabilities"].items()]
        squares.setdefault(row["method"], []).append(sum(errors))
    for row in json.loads(judged.out)["methods"]:
        mean = sum(squares[row["method"]]) / len(squares[row["method"]])
        assert row["mse"] == pytest.approx(mean, abs=1e-12)


def test_cross_validation_recalibrates_within_each_fold(j48geo: Run) -> None:
    iris = ROOT / "fixtures" / "iris"
    given = (
        "evaluate",
        iris / "model.txt",
        "--train",
        iris / "data.arff",
        "--cv",
        "2",
        "-f",
        "json",
    )
    plain = j48geo(*given, "--method", "laplace")
    done = j48geo(*given, "--method", "laplace", "--recalibrate", "platt")
    assert done.code == 0, done.err
    assert "laplace: recalibrated (platt) by 5 folds of the other folds of " in done.err
    found, before = (json.loads(out)["methods"][0] for out in (done.out, plain.out))
    assert found["log_loss"] != before["log_loss"]


def test_calibration_rows_serve_every_method_then(j48geo: Run) -> None:
    how = ("--recalibrate", "platt", "--calibrate", TEST)
    done = j48geo("proba", *KNOWN, *how, "--method", "nearby,laplace")
    assert done.code == 0
    assert f"nearby, laplace: recalibrated (platt) by 189 cases of {TEST}" in done.err
    judged = j48geo("evaluate", *KNOWN, *how, "--method", "laplace,nearby", "-f", "csv")
    assert "laplace and nearby" in judged.err  # judged by the rows that they learnt from


def test_a_file_keeps_what_makes_it_honest(j48geo: Run, tmp_path: Path) -> None:
    out = tmp_path / "model.json"
    how = ("--method", "nearby", "--recalibrate", "isotonic")
    assert j48geo("fit", MODEL, "--train", TRAIN, *how, "-o", out).code == 0
    found = j48geo("proba", out, TEST, "-f", "csv")
    assert "nearby: recalibrated (isotonic) as the model was fitted" in found.err
    assert found.out == j48geo("proba", *KNOWN, *how, "-f", "csv").out
    # A ranking goes by what the tree says, which has fewer ties.
    plain = j48geo("rank", *KNOWN, "-f", "csv")
    assert j48geo("rank", out, TEST, "-f", "csv").out == plain.out


DAMAGE = [
    ({"kind": "odd", "maps": []}, "'kind' is 'odd'; expected one of isotonic, platt"),
    ({"kind": "platt", "maps": [[[-1.0, 0.0]]]}, "not numbers, the first of at least 0"),
    ({"kind": "platt", "maps": []}, "'maps' has 0 columns; expected 1"),
    ({"kind": "isotonic", "maps": [[[0.5, 0.4], [0.1, 0.2]]]}, "no growing functions"),
    ({"kind": "isotonic", "maps": [[[0.5], [1.5]]]}, "no growing functions between 0 and 1"),
    ({"kind": "isotonic", "maps": [[[], []]]}, "no growing functions"),
]


@pytest.mark.parametrize(("value", "message"), DAMAGE)
def test_a_damaged_recalibration_is_refused(
    j48geo: Run, tmp_path: Path, value: object, message: str
) -> None:
    out = tmp_path / "model.json"
    assert j48geo("fit", MODEL, "--train", TRAIN, "--method", "nearby", "-o", out).code == 0
    content = json.loads(out.read_text())
    content["fitted"]["recalibrations"] = {"nearby": value}
    out.write_text(json.dumps(content))
    done = j48geo("proba", out, TEST)
    assert (done.code, done.out) == (3, "")
    assert message in done.err
