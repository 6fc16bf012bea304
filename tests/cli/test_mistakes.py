"""What people forget or mistype: one line each, and the exit code of a mistake."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import Run


@pytest.mark.parametrize("with_data", [True, False])
@pytest.mark.parametrize(("line", "other"), [("Number", "Size"), ("Size", "Number")])
def test_half_a_footer_is_compared_too(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path, line: str, other: str, with_data: bool
) -> None:
    folder = fixtures_dir / "iris"
    text = (folder / "model.txt").read_text(encoding="utf-8")
    kept = [row for row in text.splitlines() if not row.startswith(f"{other} of ")]
    model = tmp_path / "half.txt"
    data = [folder / "data.arff"] if with_data else []
    model.write_text("\n".join(kept) + "\n", encoding="utf-8")
    done = j48geo("check", model, *data)
    assert done.code == 0, done.err
    assert (
        "one of the two lines of the footer is missing; the other one agrees" in done.err + done.out
    )
    wrong = [f"{row}1" if row.startswith(f"{line} of ") else row for row in kept]
    model.write_text("\n".join(wrong) + "\n", encoding="utf-8")
    done = j48geo("check", model, *data)
    assert done.code == 3
    assert "the footer says" in done.err


def test_model_and_csv_in_the_wrong_order_are_told_so(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path
) -> None:
    table = tmp_path / "flowers.csv"
    table.write_text("petallength,petalwidth\n1.4,0.2\n", encoding="utf-8")
    model = fixtures_dir / "iris" / "model.txt"
    done = j48geo("predict", table, model)
    assert done.code == 3
    assert f"it seems that {table} and {model} are swapped" in done.err
    assert len(done.err.splitlines()) == 1


@pytest.mark.parametrize("kind", ["text", "json", "model"])
def test_a_tree_in_the_place_of_data_is_told_so(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path, kind: str
) -> None:
    pima = fixtures_dir / "pima"
    model, data = pima / "model.txt", pima / "data.arff"
    tree = {"text": model, "model": fixtures_dir / "saved" / "plain.model"}.get(kind)
    if tree is None:
        tree = tmp_path / "tree.json"
        j48geo("show", model, "-f", "json", "-o", tree)
    told = f"{tree}: this is a tree, not data; expected ARFF or a table\n"
    for given in (
        ("predict", model, tree),
        ("rank", model, data, "--train", tree),
        ("proba", model, data, "--method", "gdk", "--calibrate", tree),
        ("labellings", model, "--test", tree),
        ("data", tree),
        ("grow", tree),
    ):
        done = j48geo(*given, "-q")
        assert (done.code, done.out, done.err) == (4, "", told)


def test_training_data_and_model_in_the_wrong_order_are_told_so(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path
) -> None:
    model, data = (fixtures_dir / "pima" / name for name in ("model.txt", "data.arff"))
    done = j48geo("fit", data, "--train", model, "-o", tmp_path / "fitted.json")
    assert done.code == 3
    assert f"it seems that {data} and {model} are swapped" in done.err


def test_a_misspelt_command_is_told_the_nearest(j48geo: Run) -> None:
    done = j48geo("rnak", "model.txt")
    assert done.code == 2
    assert done.err == "j48geo: no such command 'rnak'; did you mean rank?; see 'j48geo --help'\n"
    assert "did you mean" not in j48geo("xyzzy").err


@pytest.mark.parametrize("command", ["check", "predict", "rank", "grow"])
def test_data_without_rows_is_told_so_once(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path, command: str
) -> None:
    head, mark, _ = (fixtures_dir / "pima" / "data.arff").read_text().partition("@data\n")
    empty = tmp_path / "empty.arff"
    empty.write_text(head + mark, encoding="utf-8")
    model = [] if command == "grow" else [fixtures_dir / "pima" / "model.txt"]
    done = j48geo(command, *model, empty)
    assert done.err.count(f"{empty} has no rows\n") == 1
    assert "never known" not in done.err
