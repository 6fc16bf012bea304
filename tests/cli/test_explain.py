from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command_line import Run
from tree_cases import class_option, is_single_tree, meta_of, suite_of, tree_cases

from j48geo.core.dataset import Dataset
from j48geo.data.arff.stream import read_arff
from j48geo.show.arff import arff_text

SMALL = """@relation r
@attribute x numeric
@attribute y numeric
@attribute class {a,b}
@data
1,1,a
3,1,b
?,0.5,a
"""


def changed(data: Dataset, row: int, changes: list[dict[str, Any]]) -> list[float]:
    """The row with the changes applied, as they stand in the JSON."""
    x = data.X[row - 1].copy()
    for change in changes:
        column = data.header.position(change["attribute"])
        attribute = data.header.attributes[column]
        assert data.cell(row - 1, column) == change["from"]
        to = change["to"]
        x[column] = attribute.index_of[to] if attribute.is_nominal else to
    return x.tolist()


def told_flips_are_true(
    j48geo: Run, folder: Path, tmp_path: Path, rows: list[int], *options: object
) -> int:
    """Explain rows, apply every change that is told, predict again; how many were tried."""
    model, train = folder / "model.txt", folder / "data.arff"
    shared = (*class_option(folder), "--train", train, "-q", "-f", "jsonl")
    wanted = [part for row in rows for part in ("--row", row)]
    done = j48geo("explain", model, train, *shared, *wanted, *options)
    assert done.code == 0, done.err
    data = read_arff(train)
    made: list[list[float]] = []
    promised: list[tuple[str, int]] = []
    before = [json.loads(line) for line in j48geo("predict", model, train, *shared).lines]
    for told in map(json.loads, done.lines):
        assert told["predicted"] == before[told["row"] - 1]["predicted"]
        assert told["leaf"] == before[told["row"] - 1]["leaf"]
        if told["flips_to"] is None:
            continue
        assert told["flips_to"] != told["predicted"]
        made.append(changed(data, told["row"], told["changes"]))
        promised.append((told["flips_to"], told["flips_in_leaf"]))
        for other in told["per_class"]:
            made.append(changed(data, told["row"], other["changes"]))
            promised.append((other["class"], other["leaf"]))
        assert {told["flips_to"]} <= {other["class"] for other in told["per_class"]}
    if not made:
        return 0
    new = tmp_path / "changed.arff"
    table = replace(data, X=np.array(made), weights=np.ones(len(made)))
    new.write_text(arff_text(table), encoding="utf-8")
    after = [json.loads(line) for line in j48geo("predict", model, new, *shared).lines]
    assert [(row["predicted"], row["leaf"]) for row in after] == promised
    return len(made)


def can_change_class(folder: Path) -> bool:
    """Whether the tree has leaves of several classes."""
    return is_single_tree(folder) and meta_of(folder)["expect"]["leaves"] != [1]


@pytest.mark.parametrize("folder", tree_cases(can_change_class))
def test_applying_the_change_gives_the_class_that_was_told(
    j48geo: Run, folder: Path, tmp_path: Path, record_case: Callable[..., None]
) -> None:
    record_case(f"{suite_of(folder)}, told changes flip the class", folder.name)
    n = len(read_arff(folder / "data.arff"))
    rows = list(range(1, n + 1, max(5, n // 40)))
    assert told_flips_are_true(j48geo, folder, tmp_path, rows) >= min(10, len(rows))


@pytest.mark.parametrize(
    "options",
    [["--metric", "minmax"], ["--metric", "none"], ["--separators", "midgap"]],
    ids=lambda options: options[1],
)
def test_it_does_under_every_measure(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path, options: list[str]
) -> None:
    for name in ("pima", "parcels-binary"):
        rows = list(range(1, 60))
        assert told_flips_are_true(j48geo, fixtures_dir / name, tmp_path, rows, *options) > 10


def test_the_json_is_as_promised(j48geo: Run, fixtures_dir: Path) -> None:
    folder = fixtures_dir / "iris"
    arguments = ("explain", folder / "model.txt", folder / "data.arff", "--row", 71)
    record = json.loads(j48geo(*arguments, "-f", "json").out)
    step = {"node": 0, "attribute": "petalwidth", "value": 1.8, "relation": ">", "threshold": 0.6}
    change = {
        "attribute": "petalwidth",
        "from": 1.8,
        "to": 1.7,
        "relation": "<=",
        "threshold": 1.7,
        "beyond": 0.0,
    }
    assert record["changes"][0].pop("scaled") == pytest.approx(record["distance"])
    assert {k: record[k] for k in list(record)[:10]} == {
        "row": 71,
        "predicted": "Iris-virginica",
        "path": [step, {**step, "node": 2, "threshold": 1.7}],
        "distance": pytest.approx(0.131193, abs=1e-6),
        "nearest_leaf": 2,
        "separator": {"attribute": "petalwidth", "threshold": 1.7, "node": 2},
        "projection": {"petallength": 4.8, "petalwidth": 1.7},
        "changes": [change],
        "flips_to": "Iris-versicolor",
        "flips_in_leaf": 2,
    }
    assert [other["class"] for other in record["per_class"]] == ["Iris-setosa", "Iris-versicolor"]
    assert (record["leaf"], record["actual"]) == (5, "Iris-versicolor")
    assert "flags" not in record


def test_the_words_are_for_people(j48geo: Run, fixtures_dir: Path) -> None:
    folder = fixtures_dir / "pima"
    model, data = folder / "model.txt", folder / "data.arff"
    done = j48geo("explain", model, data, "--row", 4)
    assert done.out == (
        "Row 4: predicted tested_negative; its class is tested_positive.\n"
        "\n"
        "The way down the tree:\n"
        "  plas = 107   is <= 127\n"
        "  mass = 22.9  is <= 26.4\n"
        "Leaf 1 says tested_negative: 132 training cases reached it: 129 tested_negative, "
        "3 tested_positive.\n"
        "\n"
        "Distance to the decision boundary: 0.6147 standard deviations. The nearest leaf of "
        "another class is leaf 5 (tested_positive).\n"
        "The test that stands between: mass at 26.4 (node 1).\n"
        "\n"
        "Smallest change that makes it tested_positive (leaf 5):\n"
        "  mass from 22.9 to 26.5 (up by 3.6, 0.4566 standard deviations; it must be more than "
        "26.4, here 0.1 past it)\n"
        "  age from 23 to 29 (up by 6, 0.5102 standard deviations; it must be more than 28, here "
        "1 past it)\n"
        "\n"
        "Leaves around, if its numbers were off by 0.3 standard deviations: together they say "
        "tested_negative with 96.5%:\n"
        "   95.0%  leaf 1, its own: tested_negative with 97.0%\n"
        "    4.9%  leaf 2: tested_negative with 87.4%\n"
        "    0.1%  18 more leaves\n"
    )
    settings = f"j48geo: note: {data} is the training data (all 20 leaf counts replay)\n"
    assert done.err == settings
    more = j48geo("explain", model, data, "--row", 4, "-v")
    assert more.out == done.out
    assert more.err == (
        f"{settings}j48geo: note: metric: standard (divided by the standard deviation), "
        f"from {data}, the training data\n"
    )


def test_dates_are_shown_as_dates(j48geo: Run, fixtures_dir: Path) -> None:
    folder = fixtures_dir / "date"
    done = j48geo("explain", folder / "model.txt", folder / "data.arff", "--row", 7)
    assert (
        "  when from 2018-02-21 UTC (1519171200000 ms) to 2017-07-02 UTC (1498953600000 ms) (down "
        "by 234 days, 1.1206 standard deviations; it must be at most 2017-07-02 UTC)\n"
    ) in done.out


def test_a_date_moves_in_the_steps_that_its_column_counts_in(
    j48geo: Run, fixtures_dir: Path
) -> None:
    folder = fixtures_dir / "date"
    model, data = folder / "model.txt", folder / "data.arff"
    rows = [json.loads(r) for r in j48geo("predict", model, data, "-f", "jsonl").lines]
    early = next(r["row"] for r in rows if r["leaf"] == 1)
    done = j48geo("explain", model, data, "--row", early)
    assert "it must be more than 2017-07-02 UTC, here 1 day past it)" in done.out
    record = json.loads(j48geo("explain", model, data, "--row", early, "-f", "json").out)
    (change,) = [c for c in record["changes"] if c["attribute"] == "when"]
    assert (change["to"], change["beyond"]) == (1499040000000.0, 86400000.0)


def test_a_nominal_value_is_named_and_its_step_told(j48geo: Run, fixtures_dir: Path) -> None:
    folder = fixtures_dir / "multiway-empty"
    done = j48geo("explain", folder / "model.txt", folder / "data.arff", "--row", 7)
    assert "  service = basic\n  weekday = tue\nLeaf 3 says more: " in done.out
    assert ": 1 standard deviation (a changed nominal value counts 1). The nearest" in done.out
    assert "The test that stands between: the value of weekday (node 1).\n" in done.out
    assert "  weekday from tue to wed\n" in done.out
    assert "\nTo make it on time (leaf 14), 1 standard deviation away:\n" in done.out


def test_several_rows_are_an_array_or_lines(j48geo: Run, fixtures_dir: Path) -> None:
    folder = fixtures_dir / "iris"
    arguments = ("explain", folder / "model.txt", folder / "data.arff", "--row", 71, "--row", 3)
    array = json.loads(j48geo(*arguments, "-f", "json").out)
    assert [told["row"] for told in array] == [71, 3]
    assert [json.loads(line) for line in j48geo(*arguments, "-f", "jsonl").lines] == array
    words = j48geo(*arguments).out
    assert words.startswith("Row 71: ")
    assert "\n\nRow 3: " in words


def test_lines_of_json_explain_all_rows_if_none_is_named(j48geo: Run, fixtures_dir: Path) -> None:
    folder = fixtures_dir / "iris"
    arguments = ("explain", folder / "model.txt", folder / "data.arff", "-f", "jsonl")
    done = j48geo(*arguments)
    assert done.code == 0
    assert [json.loads(line)["row"] for line in done.lines] == list(range(1, 151))
    assert done.lines[70] == j48geo(*arguments, "--row", 71).lines[0]


def test_a_tree_of_one_leaf_has_nothing_to_change(j48geo: Run, fixtures_dir: Path) -> None:
    folder = fixtures_dir / "one-leaf"
    arguments = ("explain", folder / "model.txt", folder / "data.arff", "--row", 7)
    assert j48geo(*arguments).out == (
        "Row 7: predicted no; its class is yes.\n"
        "\n"
        "The tree asks nothing: it has one leaf.\n"
        "Leaf 1 says no: 60 training cases reached it: 50 no, 10 yes.\n"
        "\n"
        "There is no decision boundary: no leaf says anything else.\n"
    )
    record = json.loads(j48geo(*arguments, "-f", "json").out)
    nothing = ("distance", "nearest_leaf", "separator", "projection", "flips_to")
    assert all(record[key] is None for key in nothing)
    assert (record["path"], record["changes"], record["flags"]) == ([], [], ["no-boundary"])


def test_a_missing_value_is_told(j48geo: Run, tmp_path: Path) -> None:
    model, data = tmp_path / "m.txt", tmp_path / "d.arff"
    data.write_text(SMALL)
    model.write_text("x <= 2: a\nx > 2\n|   y <= 1: b\n|   y > 1: a\n")
    done = j48geo("explain", model, data, "--row", 3)
    assert done.out == (
        "Row 3: the class is not known (a missing value, and no counts).\n"
        "\n"
        "The way down the tree:\n"
        "  x is missing: from here the case goes down all branches, by their weight\n"
        "\n"
        "Without a class there is no distance to a boundary; the training data would tell.\n"
    )
    record = json.loads(j48geo("explain", model, data, "--row", 3, "-f", "json").out)
    assert (record["predicted"], record["leaf"], record["flags"]) == (None, None, ["no-class"])
    model.write_text("x <= 2: a (3.0)\nx > 2\n|   y <= 1: b (1.0)\n|   y > 1: a (1.0)\n")
    done = j48geo("explain", model, data, "--row", 3, "--metric", "none")
    assert "Row 3: predicted a; that is its class.\n" in done.out
    assert "  x from missing to 3 (it must be more than 2, here 1 past it)\n" in done.out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--row", "4"], "--row 4: no such row in {data}; expected 1 to 3"),
        (["--row", "1", "--row", "90"], "--row 90: no such row in {data}; expected 1 to 3"),
        (
            ["--row", "0"],
            "j48geo explain: Invalid value for '--row': 0 is not in the range x>=1; "
            "see 'j48geo explain --help'",
        ),
        (
            [],
            "j48geo explain: which row? Give --row N, or --format jsonl for all; "
            "see 'j48geo explain --help'",
        ),
        (
            ["--row", "1", "--separators", "midgap"],
            "separators midgap: the gaps are those of the training data: --train FILE",
        ),
    ],
)
@pytest.mark.parametrize("metric", ["none", "standard"])
def test_usage_errors_of_explain(
    j48geo: Run, tmp_path: Path, options: list[str], message: str, metric: str
) -> None:
    model, data = tmp_path / "m.txt", tmp_path / "d.arff"
    data.write_text(SMALL)
    model.write_text("x <= 2: a (30.0)\nx > 2: b (10.0)\n")
    done = j48geo("explain", model, data, "-q", "--metric", metric, *options)
    assert (done.code, done.out) == (2, "")
    assert done.err == f"{message.format(data=data)}\n"


def test_a_file_without_rows_says_so(j48geo: Run, tmp_path: Path) -> None:
    model, data = tmp_path / "m.txt", tmp_path / "d.arff"
    data.write_text(SMALL.partition("1,1,a")[0])
    model.write_text("x <= 2: a (30.0)\nx > 2: b (10.0)\n")
    done = j48geo("explain", model, data, "-q", "--row", 1)
    assert done.code == 2
    assert f"--row 1: no such row in {data}; it has no rows" in done.err


def test_the_leaves_around_and_their_say_are_told(j48geo: Run, fixtures_dir: Path) -> None:
    folder = fixtures_dir / "pima"
    model, data = folder / "model.txt", folder / "data.arff"
    told = json.loads(j48geo("explain", model, data, "--row", 6, "-f", "json").out)["nearby"]
    row = j48geo("proba", model, data, "--method", "nearby", "-f", "jsonl").lines[5]
    wanted = json.loads(row)["probabilities"]
    assert told["probabilities"] == pytest.approx(wanted, abs=1e-12)
    assert told["sigma"] == 0.3
    assert [x["leaf"] for x in told["leaves"]][:3] == [7, 6, 4]
    total = sum(x["weight"] for x in told["leaves"]) + told["rest"]
    assert total == pytest.approx(1.0, abs=1e-12)
    assert len(told["leaves"]) + told["others"] == 20
    wide = json.loads(j48geo("explain", model, data, "--row", 6, "--sigma", 3, "-f", "json").out)[
        "nearby"
    ]
    assert wide["leaves"][0]["weight"] < told["leaves"][0]["weight"]


def test_without_training_data_the_leaves_around_are_not_told(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path
) -> None:
    folder = fixtures_dir / "pima"
    text = (folder / "data.arff").read_text().splitlines(keepends=True)
    new = tmp_path / "new.arff"
    new.write_text("".join(text[:-700]))
    done = j48geo("explain", folder / "model.txt", new, "--row", 6)
    assert "Leaves around" not in done.out
    done = j48geo("explain", folder / "model.txt", new, "--row", 6, "--sigma", 1)
    assert done.code == 2
    said = "sigma: the leaves around are learnt from the training data: --train FILE\n"
    assert done.err == said


def test_a_second_case_adds_to_the_first(j48geo: Run, fixtures_dir: Path) -> None:
    model = fixtures_dir / "iris" / "model.txt"
    both = j48geo("explain", model, "--case", "petalwidth=1.7", "--case", "petallength=5.0")
    assert both.code == 0
    assert both.out == j48geo("explain", model, "--case", "petalwidth=1.7,petallength=5.0").out
    twice = j48geo("explain", model, "--case", "petalwidth=1.7", "--case", "petalwidth=0.2")
    assert (twice.code, twice.out) == (2, "")
    assert "--case gives petalwidth twice, as 1.7 and as 0.2" in twice.err
