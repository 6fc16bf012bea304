from __future__ import annotations

import json
from pathlib import Path

from command_line import Run


def test_a_tree_and_its_training_data_agree(j48geo: Run, fixtures_dir: Path) -> None:
    folder = fixtures_dir / "iris"
    done = j48geo("check", folder / "model.txt", folder / "data.arff")
    assert (done.code, done.out, done.err) == (
        0,
        "5 leaves, size 9: agrees with the footer; 150 rows replayed: all 5 leaf counts agree\n",
        "",
    )


def test_json_follows_the_contract(j48geo: Run, fixtures_dir: Path) -> None:
    folder = fixtures_dir / "iris"
    done = j48geo("check", folder / "model.txt", folder / "data.arff", "--format", "json")
    assert done.out == (
        '{"ok":true,"leaves":5,"size":9,"trees":1,'
        '"differences":[],"restored_thresholds":[],"notes":[]}\n'
    )


def test_without_data_only_the_text_is_checked(j48geo: Run, fixtures_dir: Path) -> None:
    done = j48geo("check", fixtures_dir / "iris" / "model.txt")
    assert (done.code, done.out) == (
        0,
        "5 leaves, size 9: agrees with the footer; "
        "no data given, so the counts were not replayed\n",
    )


def test_other_rows_differ_leaf_by_leaf(j48geo: Run, fixtures_dir: Path, tmp_path: Path) -> None:
    folder = fixtures_dir / "iris"
    less = tmp_path / "less.arff"
    less.write_text("".join((folder / "data.arff").read_text().splitlines(True)[:-1]))
    done = j48geo("check", folder / "model.txt", less)
    assert done.code == 1
    assert done.lines == [
        "5 leaves, size 9: agrees with the footer; 149 rows replayed: 1 of 5 leaf counts differ",
        "",
        "leaf  line  class           printed  replayed  rows on a threshold",
        "----  ----  --------------  -------  --------  -------------------",
        "   5    14  Iris-virginica   (46/1)    (45/1)  78, 107",
    ]
    assert done.err == "j48geo: note: the leaves hold 150 in all, the data has 149\n"
    value = json.loads(j48geo("check", folder / "model.txt", less, "-f", "json").out)
    assert not value["ok"]
    assert value["differences"] == [
        {
            "leaf": 5,
            "line": 14,
            "class": "Iris-virginica",
            "printed": {"weight": 46.0, "errors": 1.0},
            "replayed": {"weight": 45.0, "errors": 1.0},
            "rows_on_threshold": [78, 107],
        }
    ]
    assert value["notes"] == ["the leaves hold 150 in all, the data has 149"]


def test_restored_thresholds_are_listed_with_all_their_digits(
    j48geo: Run, fixtures_dir: Path
) -> None:
    folder = fixtures_dir / "standardised"
    value = json.loads(
        j48geo("check", folder / "model.txt", folder / "data.arff", "-f", "json").out
    )
    assert value["ok"]
    truth = json.loads((folder / "tree.json").read_text())["trees"][0]["nodes"]
    assert value["restored_thresholds"]
    for restored in value["restored_thresholds"]:
        assert restored["threshold"] == truth[restored["node"]]["split_point"]
        assert restored["attribute"] == truth[restored["node"]]["att"]
        assert abs(float(restored["printed"]) - restored["threshold"]) <= 5.1e-7
    table = j48geo("check", folder / "model.txt", folder / "data.arff")
    assert "thresholds are rounded in the text and exact in the data:" in table.out


def test_the_growing_set_of_reduced_error_pruning_is_found(j48geo: Run, fixtures_dir: Path) -> None:
    folder = fixtures_dir / "breast-cancer-reduced-error36"
    done = j48geo("check", folder / "model.txt", folder / "data.arff")
    assert done.code == 0
    assert "growing set of reduced-error pruning" in done.err


def test_each_tree_of_a_text_can_be_checked(j48geo: Run, fixtures_dir: Path) -> None:
    folder = fixtures_dir / "bagging"
    for k in (1, 2, 3):
        done = j48geo(
            "check", folder / "model.txt", folder / "data.arff", "--tree", k, "-f", "json"
        )
        value = json.loads(done.out)
        assert value["trees"] == 3
        assert done.code == (0 if value["ok"] else 1)
        assert f"holds 3 trees, number {k} is used" in done.err
        assert value["ok"] or "from resampled, reweighted or filtered rows" in done.err


def test_graphviz_output_has_no_footer_to_agree_with(j48geo: Run, fixtures_dir: Path) -> None:
    folder = fixtures_dir / "parcels-dot36"
    done = j48geo("check", folder / "model.txt", folder / "data.arff")
    assert done.code == 0
    assert "the text has no footer" in done.out
