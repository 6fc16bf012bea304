"""Wrappers and filters on the command line: the whole answers, or one line says what it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from boosted import ROWS, boosted_text
from command_line import Run

from j48geo import read_arff


@pytest.fixture
def boosting(tmp_path: Path) -> tuple[Path, Path, Path]:
    """A text of AdaBoostM1, its training data, and rows between their values."""
    model, data, new = (tmp_path / name for name in ("model.txt", "data.arff", "new.arff"))
    model.write_text(boosted_text((2, 1.0), (4, 0.6), (4, 0.7)))
    data.write_text(ROWS)
    new.write_text(ROWS.replace(",", ".5,").replace("{no.5,", "{no,"))
    return model, data, new


def predicted(out: str) -> list[str | None]:
    return [json.loads(line)["predicted"] for line in out.splitlines()]


def test_predict_is_the_answer_of_all_trees(j48geo: Run, boosting: tuple[Path, ...]) -> None:
    model, _, new = boosting
    done = j48geo("predict", model, new, "-f", "jsonl")
    assert done.code == 0
    assert predicted(done.out) == ["no", "no", "no", "yes", "yes", "yes"]
    assert f"j48geo: note: {model} is 3 J48 trees of an AdaBoostM1\n" in done.err
    one = j48geo("predict", model, new, "-f", "jsonl", "--tree", 1)
    assert predicted(one.out) == ["no", "yes", "yes", "yes", "yes", "yes"]
    assert "note: tree 1 alone is meant, of 3 J48 trees of an AdaBoostM1\n" in one.err


def test_a_row_that_is_open_is_null_flagged_and_counted(
    j48geo: Run, boosting: tuple[Path, ...]
) -> None:
    model, data, _ = boosting
    done = j48geo("predict", model, data, "-f", "jsonl")
    rows = [json.loads(line) for line in done.out.splitlines()]
    assert [row["predicted"] for row in rows] == ["no", "no", "no", None, "yes", "yes"]
    assert [row.get("flags") for row in rows] == [None, None, None, ["no-class"], None, None]
    assert "does not give the class of 1 row: its numbers are rounded" in done.err


@pytest.mark.parametrize(
    "command",
    [
        ("rank",),
        ("proba",),
        ("explain", "--row", 1),
        ("leaves",),
        ("labellings",),
        ("label", "--fn", 2),
        ("audit",),
        ("curve",),
        ("export", "--to", "text"),
    ],
)
def test_what_is_one_trees_is_refused_with_the_way_out(
    command: tuple[object, ...], j48geo: Run, boosting: tuple[Path, ...], tmp_path: Path
) -> None:
    model, data, _ = boosting
    name, *options = command
    done = j48geo(name, model, data, *options, "-o", tmp_path / "out")
    assert (done.code, done.out) == (5, "")
    assert done.err.splitlines()[-1] == (
        f"{model} is 3 J48 trees of an AdaBoostM1: {name} is for one tree; expected one of them "
        "to be named (--tree K)"
    )
    assert not (tmp_path / "out").exists()


def test_several_trees_are_not_fitted(j48geo: Run, boosting: tuple[Path, ...]) -> None:
    model, data, _ = boosting
    done = j48geo("fit", model, "--train", data, "--allow-mismatch", "-o", model.parent / "m.json")
    assert done.code == 5
    assert "fit is for one tree" in done.err


@pytest.mark.parametrize("output", ["table", "csv", "json", "jsonl"])
def test_evaluate_counts_right_and_wrong(
    output: str, j48geo: Run, boosting: tuple[Path, ...]
) -> None:
    model, _, new = boosting
    done = j48geo("evaluate", model, new, "-f", output)
    assert done.code == 0
    if output == "table":
        assert done.lines[0] == (
            "3 J48 trees of an AdaBoostM1: all 6 rows have an answer; accuracy 0.6667"
        )
    elif output == "csv":
        assert done.lines == ["method,rows,answered,accuracy", f"weka,6,6,{4 / 6!r}"]
    else:
        record = json.loads(done.out)
        assert (record["rows"], record["answered"]) == (6, 6)
        assert record["accuracy"] == pytest.approx(4 / 6)
        assert output == "jsonl" or record["confusion"]["weights"] == [[2, 1], [1, 2]]
    assert j48geo("evaluate", model, new, "--methods", "raw").code == 5


def test_show_and_check_look_at_the_first_tree_and_name_the_wrapper(
    j48geo: Run, boosting: tuple[Path, ...]
) -> None:
    model, data, _ = boosting
    for command in ("show", "check"):
        done = j48geo(command, model, data)
        assert done.code == (0 if command == "show" else 1)
        assert f"note: {model} is 3 J48 trees of an AdaBoostM1\n" in done.err
        assert "holds 3 trees, number 1 is used (--tree K takes another)" in done.err


def test_the_help_says_what_code_5_is(j48geo: Run) -> None:
    said = "5  model and data do not fit together, or the model is several trees"
    assert said in j48geo("--help").out


def test_the_trees_of_a_bagging_vote(j48geo: Run, fixtures_dir: Path) -> None:
    folder = fixtures_dir / "bagging"
    done = j48geo("predict", folder / "model.txt", folder / "data.arff", "-f", "jsonl")
    lines = (folder / "weka.csv").read_text(encoding="utf-8").splitlines()[1:]
    expected = [line.split(",")[4] for line in lines if line.split(",")[1] == "-1"]
    assert predicted(done.out) == expected


# ------------------------------------------------------------------------------- filters


def test_rows_from_before_a_filter_are_filtered(j48geo: Run, fixtures_dir: Path) -> None:
    folder = fixtures_dir / "filtered"
    files = (folder / "model.txt", folder / "data.arff")
    done = j48geo("predict", *files, "-f", "jsonl")
    lines = (folder / "weka.csv").read_text(encoding="utf-8").splitlines()[1:]
    assert done.code == 0
    assert predicted(done.out) == [line.split(",")[4] for line in lines]
    assert "note: rows pass the filter Discretize first" in done.err
    assert "cannot be sent down" not in done.err
    assert j48geo("check", *files).code == 0
    after = j48geo("predict", folder / "model.txt", folder / "filtered.arff", "-f", "jsonl")
    assert predicted(after.out) == predicted(done.out)


def test_new_rows_need_the_training_data_of_the_filter(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path
) -> None:
    folder = fixtures_dir / "filtered"
    model, data = folder / "model.txt", folder / "data.arff"
    head, _, rows = data.read_text(encoding="utf-8").partition("@data\n")
    new = tmp_path / "new.arff"
    new.write_text(f"{head}@data\n" + "".join(rows.splitlines(keepends=True)[::7]))
    done = j48geo("predict", model, new, "-f", "jsonl")
    assert (done.code, done.out) == (5, "")
    assert "the tree stands behind the filter Discretize" in done.err.splitlines()[-1]
    assert "--train FILE" in done.err.splitlines()[-1]
    whole = predicted(j48geo("predict", model, data, "-f", "jsonl").out)
    mended = j48geo("predict", model, new, "--train", data, "-f", "jsonl")
    assert predicted(mended.out) == whole[::7]
    assert len(read_arff(new)) == len(whole[::7])


def test_a_tree_behind_a_filter_is_not_written_without_it(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path
) -> None:
    folder = fixtures_dir / "filtered"
    out = tmp_path / "model.json"
    done = j48geo("fit", folder / "model.txt", "--train", folder / "data.arff", "-o", out)
    assert done.code == 5
    assert "which a model file does not keep" in done.err
    assert not out.exists()


@pytest.mark.parametrize("command", [("predict",), ("evaluate",), ("rank",)])
def test_a_wrapper_that_is_refused_is_refused_in_one_line(
    command: tuple[str, ...], j48geo: Run, boosting: tuple[Path, ...]
) -> None:
    model, data, _ = boosting
    text = model.read_text(encoding="utf-8").replace("AdaBoostM1: Base", "Stacking\n\nBase")
    for head in ("", "Options: -W weka.classifiers.trees.J48\n\n"):
        model.write_text(f"{head}{text}", encoding="utf-8")
        done = j48geo(*command, model, data)
        assert (done.code, done.out) == (5, "")
        (line,) = done.err.splitlines()
        assert line.count("Stacking") == 1
        assert line.endswith("(--tree K)")
