"""The commands `proba` and `fit`."""

from __future__ import annotations

import csv
import json
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command_line import ROOT, Run

from j48geo.data.arff.stream import read_arff

PIMA = ROOT / "fixtures" / "pima"
IRIS = ROOT / "fixtures" / "iris"
GDK = ("--method", "gdk")


def lines(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def test_a_row_is_an_object_as_promised(j48geo: Run) -> None:
    done = j48geo("proba", PIMA / "model.txt", PIMA / "data.arff", *GDK, "--format", "jsonl")
    assert done.code == 0
    rows = lines(done.out)
    assert len(rows) == 768
    assert list(rows[0]) == ["row", "predicted", "method", "probabilities", "flags"]
    assert rows[0]["row"] == 1
    assert rows[0]["method"] == "gdk"
    assert list(rows[0]["probabilities"]) == ["tested_negative", "tested_positive"]
    assert sum(rows[0]["probabilities"].values()) == pytest.approx(1.0, abs=1e-15)
    assert rows[0]["flags"] == []
    assert "optimistic, since the tree was fitted to them" in done.err


def test_nearby_is_the_method_where_the_training_data_is_known(j48geo: Run, fitted: Path) -> None:
    given = (PIMA / "data.arff", "--format", "jsonl")
    wanted = j48geo("proba", PIMA / "model.txt", *given, "--method", "nearby").out
    done = j48geo("proba", PIMA / "model.txt", *given)
    assert done.out == wanted
    assert done.err == (
        f"j48geo: note: {PIMA / 'data.arff'} is the training data (all 20 leaf counts replay); "
        "estimated by nearby, average of the leaves around (the papers': --method gdk); positive "
        "class 'tested_positive', the rarer one (268 of 768)\n"
        "j48geo: note: nearby, 30 of 768 rows: the tree's class, which stands, is not the most "
        "probable (not-largest)\n"
    )
    done = j48geo("proba", fitted, *given)
    assert done.out == wanted
    assert "; estimated by nearby, " in done.err


def test_several_methods_stand_side_by_side(j48geo: Run) -> None:
    arguments = ("--method", "gdk,ldk,laplace")
    done = j48geo("proba", PIMA / "model.txt", PIMA / "data.arff", *arguments, "--format", "csv")
    table = list(csv.DictReader(StringIO(done.out)))
    assert list(table[0]) == [
        *("row", "predicted", "actual"),
        *("gdk(tested_negative)", "gdk(tested_positive)", "gdk flags"),
        *("ldk(tested_negative)", "ldk(tested_positive)", "ldk flags"),
        *("laplace(tested_negative)", "laplace(tested_positive)", "laplace flags"),
    ]
    done = j48geo("proba", PIMA / "model.txt", PIMA / "data.arff", *arguments, "--format", "jsonl")
    objects = lines(done.out)
    assert [o["method"] for o in objects[:4]] == ["gdk", "ldk", "laplace", "gdk"]
    for i, row in enumerate(table):
        for k, method in enumerate(("gdk", "ldk", "laplace")):
            found = objects[3 * i + k]["probabilities"]["tested_positive"]
            assert float(row[f"{method}(tested_positive)"]) == found


def test_more_than_two_classes_bring_their_published_estimates(j48geo: Run) -> None:
    done = j48geo("proba", IRIS / "model.txt", IRIS / "data.arff", *GDK, "--format", "json")
    rows = json.loads(done.out)
    assert set(rows[0]) == {"row", "predicted", "method", "probabilities", "per_class", "flags"}
    total = sum(rows[70]["per_class"].values())
    for label_, p in rows[70]["per_class"].items():
        assert rows[70]["probabilities"][label_] == pytest.approx(p / total, rel=1e-14)


def test_arff_and_table_hold_the_same_numbers(j48geo: Run, tmp_path: Path) -> None:
    out = tmp_path / "p.arff"
    given = ("proba", PIMA / "model.txt", PIMA / "data.arff", *GDK)
    j48geo(*given, "--format", "arff", "-o", out)
    found = read_arff(out)
    assert found.header.names[-3:] == ("predicted", "gdk(tested_negative)", "gdk(tested_positive)")
    done = j48geo(*given)
    rows = done.out.splitlines()[2:]
    assert len(rows) == 768
    for line, p in zip(rows, found.X[:, -1].tolist(), strict=True):
        assert f"{p:.4f}" in line.split()


def test_the_error_mark_stands_where_actual_and_predicted_differ(j48geo: Run) -> None:
    done = j48geo("proba", PIMA / "model.txt", PIMA / "data.arff")
    for line in done.out.splitlines()[2:]:
        _, actual, predicted, *rest = line.split()
        assert ("+" in rest) == (actual != predicted)


def test_calibration_cases_are_read_and_said(j48geo: Run, tmp_path: Path) -> None:
    text = (PIMA / "data.arff").read_text().splitlines(keepends=True)
    at = next(i for i, line in enumerate(text) if line.strip().lower() == "@data")
    half = tmp_path / "half.arff"
    half.write_text("".join(text[: at + 1] + text[at + 1 :: 2]))
    done = j48geo(
        "proba",
        PIMA / "model.txt",
        PIMA / "data.arff",
        *(*GDK, "--calibrate", half, "--format", "csv", "-v"),
    )
    assert f"learnt from 384 cases of {half}" in done.err
    assert "optimistic" not in done.err


def test_without_training_data_leaf_estimates_work_and_distances_are_refused(
    j48geo: Run, tmp_path: Path
) -> None:
    text = (PIMA / "data.arff").read_text().splitlines(keepends=True)
    new = tmp_path / "new.arff"
    new.write_text("".join(text[:-700]))
    done = j48geo("proba", PIMA / "model.txt", new, "--method", "laplace", "--format", "jsonl")
    assert done.code == 0
    # And that is what is estimated by if nothing is asked for.
    auto = j48geo("proba", PIMA / "model.txt", new, "--format", "jsonl")
    assert auto.out == done.out
    assert "; estimated by laplace, " in auto.err
    for method, said in (
        (
            "gdk",
            "gdk learns from cases whose class is known: --train FILE, or --calibrate FILE\n",
        ),
        ("nearby", "nearby learns from the training data: --train FILE\n"),
    ):
        done = j48geo("proba", PIMA / "model.txt", new, "--method", method, "-q")
        assert (done.code, done.out, done.err) == (2, "", said)


def test_without_counts_there_is_nothing_to_estimate_by(j48geo: Run, tmp_path: Path) -> None:
    model, data = tmp_path / "model.txt", tmp_path / "data.arff"
    model.write_text("x <= 2: a\nx > 2: b\n")
    data.write_text("@relation r\n@attribute x numeric\n@attribute class {a,b}\n@data\n1,a\n")
    done = j48geo("proba", model, data, "-q")
    assert (done.code, done.out, done.err) == (
        5,
        "",
        f"{model}: leaf 1 (line 1): the text does not tell how many cases of each class it holds; "
        "expected the training data (as DATA, or with --train FILE)\n",
    )


# ------------------------------------------------------------------------------------ fit


@pytest.fixture
def fitted(j48geo: Run, tmp_path: Path) -> Path:
    out = tmp_path / "model.json"
    done = j48geo("fit", PIMA / "model.txt", "--train", PIMA / "data.arff", "-o", out)
    assert done.code == 0
    return out


@pytest.mark.parametrize(
    "command",
    [
        ("proba", "--method", "gdk,ldk,nearby,laplace,m,raw"),
        ("rank",),
        ("rank", "--by", "global"),
        ("rank", "--by", "local"),
        ("predict",),
    ],
)
def test_a_model_file_answers_as_model_and_training_data_do(
    j48geo: Run, fitted: Path, command: tuple[str, ...]
) -> None:
    name, *options = command
    new = PIMA / "data.arff"
    wanted = j48geo(
        name,
        PIMA / "model.txt",
        new,
        *options,
        *("--train", PIMA / "data.arff", "--format", "jsonl"),
    )
    found = j48geo(name, fitted, new, *options, "--format", "jsonl")
    assert found.code == wanted.code == 0
    assert found.out == wanted.out


def test_columns_of_new_data_may_stand_in_another_order(
    j48geo: Run, fitted: Path, tmp_path: Path
) -> None:
    rows = read_arff(PIMA / "data.arff")
    order = [3, 7, 1, 0, 2, 5, 4, 6, 8]
    head = "".join(f"@attribute '{rows.header.names[k]}' numeric\n" for k in order[:-1])
    labels = ",".join(rows.header.classes)
    body = "\n".join(
        ",".join([*(repr(x) for x in row[order[:-1]].tolist()), rows.header.classes[int(row[8])]])
        for row in rows.X[:50]
    )
    new = tmp_path / "new.arff"
    new.write_text(
        f"@relation r\n{head}@attribute '{rows.header.names[8]}' {{{labels}}}\n@data\n{body}\n"
    )
    options = ("--method", "gdk,ldk,nearby", "--format", "jsonl")
    moved = lines(j48geo("proba", fitted, new, *options).out)
    straight = lines(j48geo("proba", fitted, PIMA / "data.arff", *options).out)[: len(moved)]
    assert len(moved) == 150
    for a, b in zip(moved, straight, strict=True):
        for label, p in b["probabilities"].items():
            assert a["probabilities"][label] == pytest.approx(p, abs=1e-12)


def test_faces_in_the_gap_are_kept(j48geo: Run, tmp_path: Path) -> None:
    out = tmp_path / "m.json"
    train = ("--train", PIMA / "data.arff")
    j48geo("fit", PIMA / "model.txt", *train, "--separators", "midgap", "-o", out)
    wanted = j48geo(
        "rank",
        PIMA / "model.txt",
        PIMA / "data.arff",
        *("--by", "global", "--separators", "midgap", "--format", "csv"),
    )
    found = j48geo("rank", out, PIMA / "data.arff", "--by", "global", "--format", "csv")
    assert (found.code, found.out) == (0, wanted.out)
    assert len(found.lines) == 769


OWN = "the model was fitted with its own; another needs the training data: --train FILE\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("rank", "--by", "global", "--metric", "minmax"), f"metric: {OWN}"),
        (("rank", "--by", "global", "--separators", "midgap"), f"separators: {OWN}"),
        (("proba", *GDK, "--tau", "0.2"), "was fitted with its own bandwidth and kernel"),
        (("proba", "--method", "ldk-leaf"), "was not fitted for ldk-leaf"),
        (("proba", "--method", "nearby", "--sigma", "1"), f"sigma: {OWN}"),
        (("proba", "--method", "nearby", "--leaves", "shrunken"), f"leaves: {OWN}"),
    ],
)
def test_what_a_model_file_does_not_hold_is_refused(
    j48geo: Run, fitted: Path, arguments: tuple[str, ...], message: str
) -> None:
    name, *options = arguments
    done = j48geo(name, fitted, PIMA / "data.arff", *options)
    assert done.code == 2
    assert message in done.err


def test_shrunken_leaves_are_kept_in_the_file(j48geo: Run, tmp_path: Path) -> None:
    out = tmp_path / "model.json"
    how = ("--leaves", "shrunken", "--shrinkage", "12")
    train = ("--train", PIMA / "data.arff")
    assert j48geo("fit", PIMA / "model.txt", *train, *how, "-o", out).code == 0
    asked = ("--method", "nearby,hs", "--format", "csv")
    wanted = j48geo("proba", PIMA / "model.txt", PIMA / "data.arff", *asked, *how)
    found = j48geo("proba", out, PIMA / "data.arff", *asked, "--shrinkage", "12")
    assert (found.code, found.out) == (0, wanted.out)
    plain = j48geo("proba", PIMA / "model.txt", PIMA / "data.arff", *asked)
    assert plain.out != wanted.out
    other = j48geo("proba", out, PIMA / "data.arff", "--leaves", "shrunken", "--shrinkage", "3")
    assert (other.code, other.err.endswith(f"shrinkage: {OWN}")) == (2, True)


DAMAGE: list[tuple[str, Any, str]] = [
    ("version", 2, "fitted: version 2; expected 1"),
    ("positive", "nobody", "fitted: no class 'nobody'"),
    ("m", -1, "fitted: 'm' is -1.0; expected a positive number"),
    ("densities.nearby", {}, "fitted.densities: no method 'nearby'; expected some of gdk"),
    ("densities.gdk.partition", "leaf", "'partition' is 'leaf'; expected 'none'"),
    ("metric", [], "fitted: 'metric' is missing or not an object"),
    ("metric.kind", "odd", "fitted.metric: 'kind' is 'odd'; expected one of standard"),
    ("metric.scale", {"plas": 1.0}, "'scale' does not name the attributes"),
    ("metric.nominal_weight", -1, "'nominal_weight' is -1.0; expected at least 0"),
    ("faces", {"x": 1.0}, "fitted.faces: node 'x' has no threshold"),
    ("densities.gdk.h", [[1.0]], "'h' has 1 numbers; expected 768"),
    ("densities.gdk.h", [], "'h' has 0 columns; expected 1"),
    ("densities.gdk.weights", None, "'weights' is missing or not a list"),
    ("densities.gdk.bandwidth", [-1.0], "'bandwidth' is not a list of numbers of at least 0"),
    ("densities.gdk.kernel", "cosine", "'kernel' is 'cosine'; expected one of gaussian, box"),
    ("densities.gdk.actual", [], "'actual' is empty"),
    ("nearby.sigma", 0, "'sigma' is 0.0; expected a positive number"),
    ("nearby.leaves", "odd", "'leaves' is 'odd'; expected one of laplace, m5, shrunken"),
    ("nearby.shrinkage", -1, "'shrinkage' is -1; expected a number from 0"),
    ("nearby.tuned", 1, "'tuned' is 1; expected one of"),
    ("nearby.attributes", [], "'attributes' are not those with a numeric split"),
    ("nearby.leaf_value", [[2.0, 2.0]] * 20, "'leaf_value' are not probabilities"),
]


@pytest.mark.parametrize(("place", "value", "message"), DAMAGE)
def test_a_damaged_model_file_is_refused(
    j48geo: Run, fitted: Path, place: str, value: Any, message: str
) -> None:
    content = json.loads(fitted.read_text())
    *path, last = place.split(".")
    inner = content["fitted"]
    for key in path:
        inner = inner[key]
    inner[last] = value
    fitted.write_text(json.dumps(content))
    done = j48geo("proba", fitted, PIMA / "data.arff")
    assert done.code == 3
    assert message in done.err
    assert done.out == ""


def test_numbers_survive_the_file_to_the_last_bit(j48geo: Run, fitted: Path) -> None:
    content = json.loads(fitted.read_text())
    kept = np.array(content["fitted"]["densities"]["gdk"]["h"][0])
    given = ("rank", PIMA / "model.txt", PIMA / "data.arff", "--by", "global")
    done = j48geo(*given, "--format", "json")
    by_row = {row["row"]: row for row in json.loads(done.out)}
    for i, h in enumerate(kept.tolist(), 1):
        assert abs(h) == by_row[i]["distance"]


# ------------------------------------------------------- labels, headers, and other odd places


@pytest.fixture
def relabelled(j48geo: Run, tmp_path: Path) -> Path:
    out = tmp_path / "relabelled.txt"
    done = j48geo("label", PIMA / "model.txt", PIMA / "data.arff", "--fn", 10, "--fp", 1, "-o", out)
    assert done.code == 0
    return out


@pytest.mark.parametrize(
    "command",
    [("proba", "--method", "gdk,ldk"), ("rank",), ("rank", "--by", "global"), ("predict",)],
)
def test_a_relabelled_tree_keeps_its_labels_in_a_model_file(
    j48geo: Run, relabelled: Path, tmp_path: Path, command: tuple[str, ...]
) -> None:
    out = tmp_path / "relabelled.json"
    train = ("--train", PIMA / "data.arff")
    assert j48geo("fit", relabelled, *train, "-o", out).code == 0
    text = (PIMA / "data.arff").read_text().splitlines(keepends=True)
    new = tmp_path / "new.arff"
    new.write_text("".join(text[:-400]))
    name, *options = command
    wanted = j48geo(name, relabelled, new, *train, *options, "--format", "jsonl")
    found = j48geo(name, out, new, *options, "--format", "jsonl")
    assert found.out == wanted.out
    assert "this tree was relabelled" in found.err


def test_other_labels_need_other_distances(j48geo: Run, fitted: Path, tmp_path: Path) -> None:
    labels = tmp_path / "labels.csv"
    j48geo(
        "label",
        PIMA / "model.txt",
        PIMA / "data.arff",
        *("--fn", 10, "--fp", 1, "--format", "csv", "-o", labels),
    )
    done = j48geo("proba", fitted, PIMA / "data.arff", *GDK, "--labels", labels)
    assert done.code == 2
    assert "was fitted with its own labels; others need cases" in done.err


def without_class(tmp_path: Path) -> Path:
    rows = read_arff(PIMA / "data.arff")
    head = "".join(f"@attribute '{name}' numeric\n" for name in rows.header.names[:-1])
    body = "\n".join(",".join(map(repr, row[:-1].tolist())) for row in rows.X[:20])
    new = tmp_path / "noclass.arff"
    new.write_text(f"@relation r\n{head}@data\n{body}\n")
    return new


def test_a_model_file_takes_data_without_a_class_and_csv(
    j48geo: Run, fitted: Path, tmp_path: Path
) -> None:
    new = without_class(tmp_path)
    table = tmp_path / "new.csv"
    names = read_arff(PIMA / "data.arff").header.names[:-1]
    rows = new.read_text().partition("@data\n")[2]
    table.write_text(",".join(names) + "\n" + rows)
    options = ("--method", "gdk,nearby", "--format", "jsonl")
    wanted = lines(j48geo("proba", fitted, PIMA / "data.arff", *options).out)[:40]
    for data in (new, table):
        done = j48geo("proba", fitted, data, *options)
        assert done.code == 0
        assert lines(done.out) == wanted


def test_the_m_of_a_model_file_does_not_depend_on_the_positive_class(
    j48geo: Run, tmp_path: Path
) -> None:
    out = tmp_path / "m.json"
    train = ("--train", PIMA / "data.arff")
    j48geo("fit", PIMA / "model.txt", *train, "--m", 5, "-o", out)
    options = ("--method", "m", "--positive", "tested_negative", "--format", "csv")
    wanted = j48geo("proba", PIMA / "model.txt", PIMA / "data.arff", "--m", 5, *options)
    found = j48geo("proba", out, PIMA / "data.arff", *options)
    a, b = (
        [float(r["m(tested_negative)"]) for r in csv.DictReader(StringIO(done.out))]
        for done in (wanted, found)
    )
    assert a == pytest.approx(b, rel=1e-14)


def test_more_than_two_classes_need_no_positive_one(j48geo: Run, tmp_path: Path) -> None:
    out = tmp_path / "iris.json"
    assert j48geo("proba", IRIS / "model.txt", IRIS / "data.arff").code == 0
    done = j48geo("fit", IRIS / "model.txt", "--train", IRIS / "data.arff", "-o", out)
    assert done.code == 0
    assert j48geo("proba", out, IRIS / "data.arff").code == 0
    done = j48geo("rank", out, IRIS / "data.arff", "--format", "jsonl")
    assert done.code == 0
    wanted = j48geo(
        "rank", IRIS / "model.txt", IRIS / "data.arff", "--by", "distance", "-f", "jsonl"
    )
    assert done.out == wanted.out
    done = j48geo("proba", IRIS / "model.txt", IRIS / "data.arff", "--method", "m", "-q")
    assert (done.code, done.err) == (
        2,
        "the m-estimate: the tree has 3 classes; expected a positive class: Iris-setosa, "
        "Iris-versicolor, Iris-virginica (--positive LABEL)\n",
    )


def test_where_calibration_cases_came_from_is_told(j48geo: Run, tmp_path: Path) -> None:
    text = (PIMA / "data.arff").read_text().splitlines(keepends=True)
    some = tmp_path / "some.arff"
    some.write_text("".join(text[:-300]))
    out = tmp_path / "cal.json"
    train = ("--train", PIMA / "data.arff")
    j48geo("fit", PIMA / "model.txt", *train, "--calibrate", some, "-o", out)
    done = j48geo("proba", out, PIMA / "data.arff", *GDK)
    assert f"and by gdk and ldk from {some}" in done.err
    assert "optimistic" not in done.err
    given = (PIMA / "model.txt", some, *train, *GDK)
    done = j48geo("proba", *given, "--calibrate", PIMA / "data.arff")
    assert "optimistic, since the tree was fitted to them" in done.err


ONE = "@relation r\n@attribute x numeric\n@attribute class {a}\n@data\n1,a\n2,a\n3,a\n"


def test_one_class_gets_probability_one_by_every_method(j48geo: Run, tmp_path: Path) -> None:
    data, model = tmp_path / "one.arff", tmp_path / "model.txt"
    data.write_text(ONE)
    model.write_text(": a (3.0)\n")
    options = ("--train", data, "--method", "raw,laplace,m,gdk,ldk,ldk-leaf,nearby")
    done = j48geo("proba", model, data, *options, "--format", "jsonl")
    assert done.code == 0
    rows = lines(done.out)
    assert len(rows) == 21
    assert all(row["probabilities"] == {"a": 1.0} for row in rows)


def test_heavy_weights_do_not_disturb(j48geo: Run, tmp_path: Path) -> None:
    text = (PIMA / "data.arff").read_text()
    head, _, body = text.partition("@data\n")
    rows = body.splitlines()
    odd = tmp_path / "odd.arff"
    weighed = [f"{row},{{1e100}}" for row in rows[:50]] + rows[50:]
    odd.write_text(f"{head}@data\n" + "\n".join(weighed) + "\n")
    done = j48geo(
        "proba",
        PIMA / "model.txt",
        PIMA / "data.arff",
        *("--calibrate", odd, "--format", "jsonl", "--method", "gdk,ldk"),
    )
    assert done.code == 0
    for row in lines(done.out):
        assert sum(row["probabilities"].values()) == pytest.approx(1.0)


def calibration(tmp_path: Path, rows: list[str]) -> Path:
    head = (PIMA / "data.arff").read_text().partition("@data\n")[0]
    out = tmp_path / "calibration.arff"
    out.write_text(f"{head}@data\n" + "\n".join(rows) + "\n")
    return out


def test_calibration_rows_that_teach_nothing_are_told_or_refused(
    j48geo: Run, tmp_path: Path
) -> None:
    rows = (PIMA / "data.arff").read_text().partition("@data\n")[2].splitlines()
    arguments = ("proba", PIMA / "model.txt", PIMA / "data.arff", *GDK, "--calibrate")
    done = j48geo(*arguments, calibration(tmp_path, [f"{rows[0]},{{-1}}", *rows[1:]]))
    assert done.code == 4
    assert "row 1 has weight -1; expected a number from 0 to 1e100" in done.err
    done = j48geo(*arguments, calibration(tmp_path, [f"{rows[0]},{{0}}", *rows[1:]]))
    assert "1 row has no class or weight 0; nothing is learnt from them" in done.err
    some = [row for row in rows if row.endswith("tested_negative")]
    done = j48geo(*arguments, calibration(tmp_path, some))
    assert "has no case of 'tested_positive': gdk and ldk give it no probability" in done.err


def test_a_model_file_calibrated_on_the_rows_it_is_judged_by_is_told(
    j48geo: Run, tmp_path: Path
) -> None:
    rows = (PIMA / "data.arff").read_text().partition("@data\n")[2].splitlines()
    some = calibration(tmp_path, rows[::3])
    out = tmp_path / "cal.json"
    train = ("--train", PIMA / "data.arff")
    j48geo("fit", PIMA / "model.txt", *train, "--calibrate", some, "-o", out)
    done = j48geo("evaluate", out, some)
    assert done.code == 0
    assert "RESUBSTITUTION" in done.out


def test_an_m_that_is_given_needs_no_positive_class(j48geo: Run, fixtures_dir: Path) -> None:
    iris = fixtures_dir / "iris"
    given = ("proba", iris / "model.txt", iris / "data.arff", "--method", "m", "-f", "jsonl")
    done = j48geo(*given, "--m", 6)
    assert done.code == 0, done.err
    # Leaf 1 holds 50 of 150 rows, all of the first class: (50 + 6/3)/(50 + 6), (0 + 6/3)/56.
    found = json.loads(done.out.splitlines()[0])["probabilities"]
    assert list(found.values()) == pytest.approx([52 / 56, 2 / 56, 2 / 56])
    assert j48geo(*given).code == 2
