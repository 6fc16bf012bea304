"""What Weka's own output declares: attributes in the run information, classes in the matrix."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import apart
from tree_cases import case_folders

import j48geo
from j48geo.read.readers import read_trees

RUN = """=== Run information ===

Scheme:       weka.classifiers.trees.J48 -C 0.25 -M 2
Relation:     t
Instances:    20
Attributes:   2
              x
              class
Test mode:    evaluate on training data

=== Classifier model (full training set) ===

J48 pruned tree
------------------

x <= 3: no (10.0)
x > 3: yes (10.0)

Number of Leaves  : \t2

Size of the tree : \t3


Time taken to build model: 0 seconds

=== Evaluation on training set ===
=== Summary ===

Correctly Classified Instances          20              100      %

=== Confusion Matrix ===

  a  b  c   <-- classified as
 10  0  0 |  a = yes
  0 10  0 |  b = no
  0  0  0 |  c = maybe
"""


def test_classes_are_numbered_as_the_confusion_matrix_does(tmp_path: Path) -> None:
    (tmp_path / "model.txt").write_text(RUN)
    (tmp_path / "rows.csv").write_text("x,class\n1,no\n5,yes\n7,maybe\n")
    result = apart("predict", tmp_path / "model.txt", tmp_path / "rows.csv", "--format", "weka")
    assert result.code == 0, result.err
    cells = [line.split(",")[1:3] for line in result.out.split("\n")[1:4]]
    assert cells == [["2:no", "2:no"], ["1:yes", "1:yes"], ["3:maybe", "1:yes"]]


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text.replace("a = yes", "a = no"),
        lambda text: text.replace("  0 10  0 |  b = no\n", ""),
        lambda text: text.replace("b = no", "d = no"),
        lambda text: text.replace("b = no", "b = other"),
    ],
)
def test_a_damaged_matrix_declares_nothing(damage: object) -> None:
    spoilt = damage(RUN)  # type: ignore[operator]
    assert j48geo.read_tree(spoilt.encode()).classes == ("no", "yes")


def test_two_matrices_that_differ_declare_nothing() -> None:
    second = RUN[RUN.index("=== Confusion") :].replace("yes", "no!").replace("= no\n", "= yes\n")
    assert j48geo.read_tree((RUN + second).encode()).classes == ("no", "yes")


def test_each_run_of_a_file_has_its_own_classes() -> None:
    other = RUN.replace("a = yes", "a = no").replace("b = no", "b = yes")
    text = read_trees((RUN + "\n" + other).encode())
    assert [entry.readings[0].classes[:2] for entry in text.entries] == [
        ("yes", "no"),
        ("no", "yes"),
    ]


def test_a_listed_name_settles_a_line_that_reads_in_two_ways() -> None:
    text = RUN.replace("x <= 3", "f = a <= 3").replace("x > 3", "f = a > 3")
    with pytest.raises(j48geo.ModelReadError, match="in 2 ways"):
        j48geo.read_tree(text.encode())
    named = text.replace("              x\n", "              f = a\n")
    assert j48geo.read_tree(named.encode()).header.names[0] == "f = a"


def test_names_that_a_filter_made_are_read_though_they_are_not_listed() -> None:
    text = RUN.replace("x <=", "x_1 <=").replace("x > 3", "x_1 > 3")
    assert j48geo.read_tree(text.encode()).header.names[0] == "x_1"


def test_the_matrices_of_weka_give_the_declared_order() -> None:
    compared = 0
    for folder in case_folders():
        raw = (folder / "model.txt").read_bytes()
        if raw.count(b"pruned tree") != 1 or b"=== Confusion Matrix" not in raw:
            continue
        try:
            declared = j48geo.read_arff(folder / "data.arff").header
            alone = j48geo.read_tree(raw)
            known = j48geo.read_tree(raw, header=declared)
        except j48geo.J48GeoError:
            continue
        if not alone.header.inferred:
            continue
        assert alone.classes == known.classes, folder
        compared += 1
    assert compared > 10
