"""What a text alone answers is what Weka answers, and the rest is said to be open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from math import nan
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from saved_cases import SavedCase, corpus_cases, own_cases
from tree_cases import CORPUS, FIXTURES, case_folders, class_choice, is_single_tree
from weka_live import answers, predictions

from j48geo.core.counts import counts_from_text
from j48geo.core.dataset import Attribute, Dataset, Header
from j48geo.core.tree import BoxTree
from j48geo.data.arff.stream import read_arff
from j48geo.data.frame import read_table
from j48geo.errors import ModelReadError
from j48geo.read.readers import read_tree
from j48geo.score.prediction import Prediction, flag_names, predict
from j48geo.score.uncertainty import is_near_threshold
from j48geo.score.uncertainty_bounds import TreeBounds, printed_branches


def said(text: str, *rows: list[float]) -> tuple[BoxTree, Prediction]:
    tree = read_tree(text.encode())
    return tree, predict(tree, counts_from_text(tree), np.array([[*row, nan] for row in rows]))


def classes(text: str, *rows: list[float]) -> list[str | None]:
    tree, found = said(text, *rows)
    return [None if k < 0 else tree.classes[k] for k in found.predicted]


def flags(text: str, *rows: list[float]) -> list[str]:
    _, found = said(text, *rows)
    assert found.doubts is not None
    return [" ".join(flag_names(int(mask))) for mask in found.doubts]


SIX = "x <= 0.123457: a (3.0)\nx > 0.123457: b (4.0)\n"
NEAR = "no-class near-threshold no-distribution"


def test_values_within_the_rounding_of_six_decimals_have_no_class() -> None:
    rows = [[0.1234564], [0.1234566], [0.123457], [0.1234574], [0.1234576], [nan]]
    assert classes(SIX, *rows) == ["a", None, None, None, "b", "b"]
    assert flags(SIX, *rows) == ["", NEAR, NEAR, NEAR, "", ""]
    _, found = said(SIX, *rows)
    assert found.leaf.tolist() == [0, -1, -1, -1, 1, -1]
    assert np.isnan(found.distribution[1:4]).all()


def test_a_short_threshold_is_taken_as_it_stands_but_its_neighbours_are_not() -> None:
    text = SIX.replace("0.123457", "75.5")
    rows = [[75.4999996], [75.5], [75.5000004], [75.5000006]]
    assert classes(text, *rows) == [None, "a", None, "b"]
    # Beside one of six decimals, one of five may have lost a zero.
    beside = SIX.replace(
        "0.123457: b (4.0)", "0.123457\n|   y <= {0}: b (4.0)\n|   y > {0}: a (4.0)"
    )
    assert classes(beside.format("0.25"), [9, 0.25]) == ["b"]
    assert classes(beside.format("0.25891"), [9, 0.25891]) == [None]


def test_a_class_that_both_sides_agree_on_is_known() -> None:
    text = SIX.replace(": b", ": a")
    assert classes(text, [0.123457]) == ["a"]
    assert flags(text, [0.123457]) == ["near-threshold"]


def test_exact_thresholds_leave_nothing_open() -> None:
    text = "x <= 0.12345678: a (3.0)\nx > 0.12345678: b (4.0)\n"  # more than six: -B prints doubles
    assert classes(text, [0.12345678], [0.1234567800001]) == ["a", "b"]


def test_a_threshold_that_is_not_passed_does_not_count() -> None:
    text = SIX.replace("0.123457: b (4.0)", "0.123457\n|   y <= 0.5: b (4.0)\n|   y > 0.5: a (4.0)")
    tree = read_tree(text.encode())
    X = np.array([[0.1, 0.5000001, nan], [0.2, 0.5000001, nan], [0.2, 0.5, nan]])
    assert is_near_threshold(tree, X).tolist() == [True, True, False]
    assert classes(text, *X[:, :2].tolist()) == ["a", None, "b"]


def test_near_is_what_some_threshold_leaves_open() -> None:
    tree = read_tree(
        b"x <= 0.1\n|   x <= 0.05: a (3.0)\n|   x > 0.05: b (1.0)\nx > 0.1\n"
        b"|   x <= 0.100001: b (4.0)\n|   x > 0.100001: a (2.0)\n"
    )
    around = np.concatenate([t + np.arange(-30, 31) * 1e-7 for t in (0.05, 0.1, 0.100001)])
    X = np.column_stack([around, np.full(len(around), nan)])
    open_ = [printed_branches(split, around) == -2 for _, split in tree.splits]
    assert is_near_threshold(tree, X).tolist() == np.any(open_, axis=0).tolist()


def test_ties_are_open_where_the_order_of_the_classes_is_guessed() -> None:
    text = "x <= 2: a (3.0)\nx > 2: b (3.0)\n"
    assert classes(text, [nan]) == [None]
    assert flags(text, [nan]) == ["no-class tie"]
    header = read_arff(b"@relation r\n@attribute x numeric\n@attribute c {b,a}\n@data\n").header
    tree = read_tree(text.encode(), header=header)
    found = predict(tree, counts_from_text(tree), np.array([[nan, nan]]))
    assert [tree.classes[k] for k in found.predicted] == ["b"]


def test_rounded_counts_decide_only_what_they_all_agree_on() -> None:
    text = "x <= 2: a ({})\nx > 2: b ({})\n"
    assert classes(text.format("3.01", "3.0"), [nan]) == [None]
    assert flags(text.format("3.01", "3.0"), [nan]) == ["no-class unknown-shares rounded"]
    assert classes(text.format("3.04", "3.0"), [nan]) == ["a"]
    assert flags(text.format("3.04", "3.0"), [1]) == ["rounded"]


def test_a_leaf_of_rounded_counts_has_a_distribution_only_within_its_bound() -> None:
    text = "x <= 1: a ({})\nx > 1: b (3.74/0.5)\n"
    for counts, is_known in (("0.53/0.1", True), ("0.25/0.05", False), ("0.0", False)):
        _, found = said(text.format(counts), [1], [3])
        assert np.isnan(found.distribution).any(axis=1).tolist() == [not is_known, False]
        assert found.predicted.tolist() == [0, 1]


@pytest.mark.parametrize(("printed", "wrong"), [("1.5/0.0", 0.0049), ("1.5/0.1", 0.1049)])
def test_the_bounds_of_a_leaf_hold_all_counts_that_print_alike(printed: str, wrong: float) -> None:
    tree = read_tree(f"x <= 1: a ({printed})\nx > 1: b (3.74/0.5)\n".encode())
    for laplace in (False, True):
        bounds = TreeBounds(tree, laplace=laplace, as_printed=True).leaves()
        for weight in (1.4951, 1.5, 1.5049):
            share = (wrong + laplace) / (weight + 2 * laplace)
            assert bounds.low[0, 1] <= share <= bounds.high[0, 1]


def test_a_tie_that_the_declared_order_decides_is_flagged() -> None:
    attributes = (Attribute("x"), Attribute("class", "nominal", ("b", "a")))
    tree = read_tree(b"x <= 1: a (2.0)\nx > 1: b (2.0)\n", header=Header("t", attributes, 1))
    found = predict(tree, counts_from_text(tree), np.array([[nan, nan]]))
    assert tree.classes[found.predicted[0]] == "b"
    assert found.doubts is not None
    assert "tie" in flag_names(int(found.doubts[0]))


def test_more_than_two_classes_are_known_where_the_wrong_ones_cannot_win() -> None:
    text = "x <= 2: a ({})\nx > 2\n|   x <= 5: b (2.0)\n|   x > 5: c (1.0)\n"
    assert classes(text.format("20.0/4.0"), [nan]) == ["a"]
    assert classes(text.format("6.0/3.0"), [nan]) == [None]
    assert flags(text.format("20.0/4.0"), [1], [3]) == ["no-distribution", ""]


# ------------------------------------------------------------------------ against Weka itself


class Case(NamedTuple):
    name: str
    text: bytes
    rows: Dataset
    classes: list[str]


def saved_texts(case: SavedCase) -> Iterator[Case]:
    """The text of a saved J48 with rows, and the class that Weka gives each of them."""
    for rows, kept in case.asked:
        data = read_arff(rows, class_attribute=case.class_choice)
        best = answers(kept).distribution.argmax(axis=1)
        classes = [data.header.classes[k] for k in best]
        yield Case(case.name, case.text.encode(), data, classes)


def printed_trees(folder: Path) -> Iterator[Case]:
    """The text of one J48 with rows, and the class that Weka gives each of them."""
    truth = [p for p in predictions(folder / "weka.csv") if p.tree == 0]
    for which, file in (("train", "data.arff"), ("test", "test.arff")):
        wanted = [p.predicted_argmax for p in truth if p.set == which]
        if wanted:
            rows = read_arff(folder / file, class_attribute=class_choice(folder))
            yield Case(folder.name, (folder / "model.txt").read_bytes(), rows, wanted)


SUITES = [
    pytest.param(FIXTURES, id="fixtures"),
    *([pytest.param(CORPUS, id="corpus", marks=pytest.mark.corpus)] if CORPUS.is_dir() else []),
]


def asked(suite: Path) -> Iterator[Case]:
    """Texts of J48 in the fixtures, or in the corpus."""
    for saved in own_cases() if suite == FIXTURES else corpus_cases():
        if saved.is_single_tree:
            yield from saved_texts(saved)
    for folder in case_folders(is_single_tree):
        if folder.is_relative_to(suite):
            yield from printed_trees(folder)


def without_types(data: Dataset) -> Any:
    """The rows as a table; a date is its milliseconds, as a text must take it."""
    import pandas

    columns = {
        a.name: [data.X[i, j] if a.type == "date" else data.cell(i, j) for i in range(len(data))]
        for j, a in enumerate(data.header.attributes)
        if j != data.header.class_index
    }
    return pandas.DataFrame(columns, dtype=object)


@pytest.mark.parametrize("suite", SUITES)
def test_no_class_of_a_text_alone_is_wrong(
    suite: Path, record_case: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    total: Counter[str] = Counter()
    for case in asked(suite):
        try:
            tree = read_tree(case.text)
        except ModelReadError:
            total["in texts that need their data"] += len(case.classes)
            continue
        rows = read_table(without_types(case.rows), tree.header, tree.used_attributes)
        laplace = bool(tree.options.laplace)
        found = predict(tree, counts_from_text(tree), rows.X, laplace=laplace)
        told = [None if k < 0 else tree.classes[k] for k in found.predicted]
        pairs = zip(told, case.classes, strict=True)
        kinds = ["unknown" if a is None else "equal" if a == b else "wrong" for a, b in pairs]
        total.update(kinds)
        record_case("texts alone, no class wrong", case.name, "wrong" not in kinds)
    with capsys.disabled():
        print("\ntexts alone:", ", ".join(f"{n} {kind}" for kind, n in total.items()))
    assert total["wrong"] == 0
    assert total["equal"] > (8_000 if suite == FIXTURES else 48_000)
    assert total["unknown"] < 0.06 * total["equal"]


def test_a_class_that_smoothing_would_change_is_open_where_nobody_tells_of_smoothing() -> None:
    small = "".join(f"n = v{k}: a (1.0)\n" for k in range(1, 6))
    text = f"{small}n = v6: b (4.0)\n"
    assert classes(text, [0.0], [5.0], [nan]) == ["a", "b", None]
    tree = read_tree(text.encode())
    row = np.array([[nan, nan]])
    smoothed = predict(tree, counts_from_text(tree), row, laplace=True)
    assert tree.classes[smoothed.predicted[0]] == "b"
