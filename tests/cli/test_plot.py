"""Pictures from the command line: evaluate --plot and curve --plot."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest
from command_line import ROOT, Run, apart

from j48geo.cli.options_plot import PICTURES


@pytest.mark.parametrize("picture", PICTURES)
def test_evaluate_draws_every_picture(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path, picture: str
) -> None:
    folder = fixtures_dir / "iris"
    path = tmp_path / "a.svg"
    asked = ["--picture", picture] if picture != "overview" else []
    if picture == "slice":
        asked += ["--attributes", "petallength,petalwidth", "--at", "70"]
    done = j48geo(
        *("evaluate", folder / "model.txt", folder / "data.arff", "--positive", "Iris-virginica"),
        *("--methods", "laplace,global,gdk", "--plot", path, "-q", *asked),
    )
    assert done.code == 0, done.err
    assert done.err == ""
    assert path.read_bytes().startswith(b"<?xml")
    assert [p.name for p in tmp_path.iterdir()] == ["a.svg"]


def test_the_table_is_the_same_with_and_without_a_picture(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path
) -> None:
    folder = fixtures_dir / "breast-cancer-explorer"
    command = ("evaluate", folder / "model.txt", folder / "data.arff", "--methods", "raw,local")
    cut = ("--picture", "slice", "--attributes", "texture,area")
    drawn = j48geo(*command, "--plot", tmp_path / "a.png", *cut)
    assert drawn.code == 0, drawn.err
    assert drawn == j48geo(*command)


def test_curve_draws_scores_and_trees(j48geo: Run, fixtures_dir: Path, tmp_path: Path) -> None:
    folder = fixtures_dir / "pima"
    model, data = folder / "model.txt", folder / "data.arff"
    plain = j48geo("curve", model)
    drawn = j48geo("curve", model, "--plot", tmp_path / "counts.svg")
    assert (drawn.code, drawn.out) == (0, plain.out)
    assert j48geo("curve", model, data, "--plot", tmp_path / "rows.svg").code == 0
    ranked = tmp_path / "ranked.csv"
    assert j48geo("rank", model, data, "--format", "csv", "-o", ranked).code == 0
    done = j48geo("curve", ranked, "--score", "score", "--plot", tmp_path / "scores.pdf")
    assert done.code == 0, done.err
    assert (tmp_path / "scores.pdf").read_bytes().startswith(b"%PDF")
    assert (tmp_path / "counts.svg").read_bytes() != (tmp_path / "rows.svg").read_bytes()


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        (["--attributes", "petallength"], "expected two names with a comma: A,B"),
        (["--attributes", "petallength,wings"], "unknown attribute 'wings'; known: sepallength"),
        (["--attributes", "petallength,petalwidth,sepalwidth"], "3 names; expected two: A,B"),
        (["--attributes", "petallength,class"], "'class' is the class; expected a numeric one"),
        (["--attributes", "petallength,petalwidth", "--at", "151"], "data.arff has 150 rows"),
    ],
)
def test_a_slice_that_cannot_be_cut_leaves_no_file(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path, asked: list[str], wanted: str
) -> None:
    folder = fixtures_dir / "iris"
    done = j48geo(
        *("evaluate", folder / "model.txt", folder / "data.arff", "--methods", "laplace", "-q"),
        *("--positive", "Iris-setosa", "--plot", tmp_path / "a.png", "--picture", "slice", *asked),
    )
    assert (done.code, done.out) == (2, "")
    assert wanted in done.err
    assert list(tmp_path.iterdir()) == []


def test_a_table_that_cannot_be_written_leaves_no_picture_and_the_other_way_round(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path
) -> None:
    folder = fixtures_dir / "iris"
    command = ("evaluate", folder / "model.txt", folder / "data.arff", "--methods", "laplace", "-q")
    picture, table = tmp_path / "a.png", tmp_path / "a.txt"
    given = (*command, "--positive", "Iris-setosa", "--plot")
    nowhere = tmp_path / "no" / "folder"
    done = j48geo(*given, picture, "-o", nowhere)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"{nowhere}: cannot be written: ")
    assert list(tmp_path.iterdir()) == []
    done = j48geo(*given, nowhere.with_suffix(".png"), "-o", table)
    assert (done.code, done.out) == (2, "")
    assert "folder.png: cannot be written: " in done.err
    assert list(tmp_path.iterdir()) == []
    assert j48geo(*given, picture, "-o", table).code == 0
    assert sorted(tmp_path.iterdir()) == [picture, table]


def test_the_files_of_table_and_picture_are_compared_whatever_they_are_called(
    j48geo: Run, tmp_path: Path
) -> None:
    (tmp_path / "a.png").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "a.png")
    done = j48geo("evaluate", "no", "no", "--plot", tmp_path / "a.png", "-o", tmp_path / "link")
    assert done.code == 2
    assert "expected two files" in done.err


def test_a_slice_of_huge_values_is_drawn_without_them(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path
) -> None:
    folder = fixtures_dir / "iris"
    model, data = folder / "model.txt", folder / "data.arff"
    test = tmp_path / "test.arff"
    row = "5.1,3.5,1e308,-1e308,Iris-setosa\n"
    test.write_text(data.read_text(encoding="utf-8") + row, encoding="utf-8")
    given = ("--positive", "Iris-setosa", "--methods", "laplace", "--train", data, "-q")
    cut = ("--picture", "slice", "--attributes", "petallength,petalwidth")
    path = tmp_path / "a.svg"
    done = j48geo("evaluate", model, test, *given, "--plot", path, *cut)
    assert (done.code, done.err) == (0, "")
    assert path.exists()
    done = j48geo("evaluate", model, test, *given, "--plot", tmp_path / "b.svg", *cut, "--at", 151)
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        "attribute 'petallength' of the case is 1e+308; expected a number from -1e100 to 1e100 to "
        "cut along\n"
    )


def test_names_with_commas_and_blanks_are_found(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path
) -> None:
    model, data = tmp_path / "m.txt", tmp_path / "d.arff"
    model.write_text("a,b <= 2: yes (2.0)\na,b > 2: no (1.0)\n")
    rows = "@relation r\n@attribute 'a,b' numeric\n@attribute y numeric\n@attribute c {yes,no}\n"
    data.write_text(f"{rows}@data\n1,1,yes\n2,5,yes\n3,4,no\n")
    for names in ("a,b,y", "y, a,b"):
        done = j48geo(
            *("evaluate", model, data, "--methods", "laplace", "--plot", tmp_path / "a.png"),
            *("--picture", "slice", "--attributes", names),
        )
        assert done.code == 0, done.err


def test_without_matplotlib_the_picture_is_refused_and_the_rest_works(
    fixtures_dir: Path, tmp_path: Path
) -> None:
    (tmp_path / "matplotlib.py").write_text("raise ImportError('blocked')\n")
    path = os.pathsep.join((str(tmp_path), str(ROOT)))
    folder = fixtures_dir / "iris"
    command = ("curve", folder / "model.txt", folder / "data.arff", "--positive", "Iris-setosa")
    done = apart(*command, "--plot", tmp_path / "a.svg", PYTHONPATH=path)
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        "pictures need matplotlib; expected it to be installed: "
        f"{sys.executable} -m pip install matplotlib\n"
    )
    assert not (tmp_path / "a.svg").exists()
    assert apart(*command, PYTHONPATH=path).code == 0


def test_label_draws_costs_and_prints_the_same(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path
) -> None:
    command = ("label", fixtures_dir / "pima" / "model.txt", "--fn", "5")
    picture = tmp_path / "costs.svg"
    assert j48geo(*command, "--plot", picture) == j48geo(*command)
    assert picture.read_bytes().startswith(b"<?xml")


def test_labels_of_more_classes_leave_no_picture(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path
) -> None:
    folder = fixtures_dir / "iris"
    done = j48geo(
        *("label", folder / "model.txt", folder / "data.arff", "-q"),
        *("--prior", "0.2,0.3,0.5", "--plot", tmp_path / "a.png"),
    )
    assert (done.code, done.out) == (2, "")
    assert done.err == "a picture of costs is for two classes; the tree has 3\n"
    assert list(tmp_path.iterdir()) == []


def test_a_picture_shows_few_methods_unless_they_are_named(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path
) -> None:
    folder = fixtures_dir / "iris"
    command = ("evaluate", folder / "model.txt", folder / "data.arff", "-q")
    given = (*command, "--positive", "Iris-virginica", "--picture", "roc", "--plot")
    few, named = tmp_path / "few.svg", tmp_path / "named.svg"
    every = "raw,laplace,m,hs,global,local,gdk,ldk,nearby"
    assert j48geo(*given, few).code == 0
    assert j48geo(*given, named, "--methods", every).code == 0
    words = [set(re.findall(r"<!-- ([\w-]+)  AUC ", p.read_text())) for p in (few, named)]
    assert words == [{"raw", "laplace", "gdk", "nearby"}, set(every.split(","))]
    assert "model.txt on data.arff: Iris-virginica, 150 cases of the training" in few.read_text()
