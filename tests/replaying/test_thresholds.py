"""Thresholds in the middle between two values, as -doNotMakeSplitPointActualValue makes them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from differential import compare
from random_data import Column, RandomCase, arff_text
from random_trees import plant_tree
from weka_live import Weka

from j48geo.core.dataset import Attribute, Dataset, Header
from j48geo.core.tree import BoxTree, Leaf, Options, Split
from j48geo.data.arff.stream import read_arff
from j48geo.read.readers import read_tree
from j48geo.replaying.replay import replay
from j48geo.replaying.thresholds import midpoint_choices

LINE = Header("line", (Attribute("x"), Attribute("class", "nominal", ("a", "b"))), 1)


def rows_of(left: list[float], right: list[float]) -> Dataset:
    X = np.array([(x, 0) for x in left] + [(x, 1) for x in right], dtype=np.float64)
    return Dataset(LINE, X, np.ones(len(X)))


def cut(printed: str, left: int, right: int, midpoint: bool | None = True) -> BoxTree:
    """A tree of one threshold whose leaves hold these many rows."""
    split = Split(0, "numeric", float(printed), slack=5e-7, token=printed)
    leaves = [
        Leaf(0, 0, float(left), None, f"({left}.0)", 3),
        Leaf(1, 1, float(right), None, f"({right}.0)", 4),
    ]
    return plant_tree(LINE, (split, leaves), options=Options(midpoint=midpoint))


def thresholds(tree: BoxTree) -> list[tuple[float, float]]:
    return [(split.threshold, split.slack) for _, split in tree.splits]


def test_the_middle_of_the_neighbours_is_the_threshold_to_the_last_bit() -> None:
    low, high = 0.1, 0.3333333
    result = replay(cut("0.216667", 2, 2), rows_of([0.05, low], [high, 0.5]))
    assert result.ok
    assert thresholds(result.tree) == [((low + high) / 2, 0.0)]
    assert result.notes == ()


def test_a_row_on_the_printed_number_goes_where_the_counts_say() -> None:
    # 0.0000125 prints as 0.000013: the row of that value lies above the threshold.
    rows = rows_of([-2e-5, 4e-6, 1.2e-5], [1.3e-5, 2.1e-5, 9e-5])
    result = replay(cut("0.000013", 3, 3), rows)
    assert result.ok
    (found,) = thresholds(result.tree)
    assert 1.2e-5 <= found[0] < 1.3e-5
    result = replay(cut("0.000013", 4, 2), rows_of([-2e-5, 4e-6, 1.2e-5, 1.3e-5], [2.2e-5, 9e-5]))
    assert result.ok
    assert thresholds(result.tree) == [((4e-6 + 2.2e-5) / 2, 0.0)]


def test_where_several_middles_would_do_the_printed_one_keeps_its_slack() -> None:
    # After subtree raising the neighbours, 0.4 and 0.7, are not those the cut was found between.
    rows = rows_of([0.1000001, 0.1000002, 0.4], [0.7, 0.9, 0.9000002])
    result = replay(cut("0.5", 3, 3), rows)
    assert result.ok
    assert thresholds(result.tree) == [(0.5, 5e-7)]


def test_neighbours_too_close_for_a_cut_are_no_pair() -> None:
    result = replay(cut("0.5", 1, 1), rows_of([0.499996], [0.500004]))
    assert thresholds(result.tree) == [(0.5, 5e-7)]


def test_a_row_without_the_value_that_leads_there_is_a_neighbour_too() -> None:
    header = Header("two", (Attribute("y"), *LINE.attributes), 2)
    split = Split(1, "numeric", 0.216667, slack=5e-7, token="0.216667")
    inner = (split, [Leaf(0, 0), Leaf(0, 1)])
    tree = plant_tree(header, (Split(0, "numeric", 1.0), [inner, Leaf(0, 1)]))
    low, high = 0.1, 0.3333333
    X = np.array([[0, 0.05, 0], [np.nan, low, 0], [0, high, 1], [2, 0.2, 1]])
    assert midpoint_choices(tree, X) == {1: ((low + high) / 2,)}
    assert midpoint_choices(tree, X[[0, 2, 3]]) == {}


def test_without_options_middles_are_tried_where_the_counts_ask_for_it() -> None:
    rows = rows_of([-2e-5, 4e-6, 1.2e-5], [1.3e-5, 2.1e-5, 9e-5])
    result = replay(cut("0.000013", 3, 3, midpoint=None), rows)
    assert result.ok
    assert result.notes == (
        "thresholds are the middle between two values of the data, as "
        "-doNotMakeSplitPointActualValue makes them",
    )


def test_without_options_a_value_of_the_data_comes_before_a_middle() -> None:
    rows = rows_of([0.1, 0.216667], [0.3333333, 0.5])
    result = replay(cut("0.216667", 2, 2, midpoint=None), rows)
    assert result.ok
    assert result.notes == ()
    assert thresholds(result.tree) == [(0.216667, 0.0)]


@pytest.mark.parametrize("is_bare", [False, True])
def test_a_genuine_tree_with_a_row_on_its_printed_threshold_agrees(
    fixtures_dir: Path, is_bare: bool
) -> None:
    folder = fixtures_dir / "drifts-midpoint"
    data = read_arff(folder / "data.arff")
    assert (data.X[:, 0] == 1.3e-5).any()
    text = (folder / "model.txt").read_text(encoding="utf-8")
    text = text[text.index("J48 pruned tree") :] if is_bare else text
    result = replay(read_tree(text.encode(), data=data), data)
    assert result.ok
    assert [r.value for r in result.restored] == [1.25e-05]


def few_decimals(seed: int) -> RandomCase:
    """Columns of one to six decimals, so that many values and middles print alike."""
    rng = np.random.default_rng(seed)
    train, test = int(rng.integers(40, 300)), 60
    decimals = rng.integers(1, 7, 3)
    scales = rng.choice([8.0, 40.0, 200.0], 3) * 10.0**-decimals
    values = [
        np.round(rng.normal(0, scale, train + test), places)
        for scale, places in zip(scales, decimals.tolist(), strict=True)
    ]
    total = sum(x / scale for x, scale in zip(values, scales, strict=True))
    target = (total + rng.normal(0, 1, train + test) > 0).astype(float)
    values[0] = np.where(rng.random(train + test) < rng.choice([0, 0.15]), np.nan, values[0])
    options = f"-doNotMakeSplitPointActualValue {rng.choice(['', '-U', '-C 0.5', '-M 5', '-J'])}"

    def part(rows: slice) -> str:
        columns = [Column(f"a{i}", x[rows]) for i, x in enumerate(values)]
        return arff_text("few", [*columns, Column("class", target[rows], ("no", "yes"))])

    return RandomCase(
        seed, "3.9.7", options, part(slice(0, train)), part(slice(train, train + test))
    )


@pytest.mark.weka
def test_midpoint_trees_on_few_decimals_answer_as_weka_does(
    weka: Weka, tmp_path: Path, record_case: Callable[..., None]
) -> None:
    found = exact = 0
    for seed in range(40):
        case = few_decimals(seed)
        result = compare(case, weka, tmp_path / str(seed))
        record_case("live Weka, midpoints", case.name, not result.problems)
        assert result.problems == []
        found += result.thresholds
        exact += result.exact_thresholds
    assert exact >= 0.98 * found > 0
