"""Weka's folds: which rows, and in which order."""

from __future__ import annotations

import random
import re
from pathlib import Path

import numpy as np
import pytest
from weka_live import Weka

from j48geo.data.arff.stream import read_arff
from j48geo.growing.folds import stratified_folds
from j48geo.growing.options import GrowOptionsError

SHOWN = re.compile(r"\(([0-9.]+)\)\s*$", re.MULTILINE)


@pytest.mark.weka
@pytest.mark.parametrize("seed", range(12))
def test_weka_tests_the_same_rows_in_the_same_order(seed: int, weka: Weka, tmp_path: Path) -> None:
    chance = random.Random(seed)
    n = chance.choice([7, 20, 53])
    folds, order = chance.choice([2, 3, 5, 7]), chance.choice([1, 7, -3, 123456789])
    file = tmp_path / "data.arff"
    labels = "ab" if seed < 4 else "aabc?"
    rows = "".join(f"{i},{chance.choice(labels)}\n" for i in range(n))
    file.write_text("@relation r\n@attribute id numeric\n@attribute c {a,b,c}\n@data\n" + rows)
    shown = weka.cli(file, options=f"-x {folds} -s {order} -p 1")
    y = read_arff(file).class_values
    ours = [row for fold in stratified_folds(y, folds=folds, seed=order) for row in fold.test]
    assert [int(float(number)) for number in SHOWN.findall(shown)] == ours


def test_every_row_is_tested_once_and_grows_all_other_folds() -> None:
    y = np.array([0, 1, 1, np.nan, 2, 0, 0, 1, 1, 1, 0.0])
    folds = list(stratified_folds(y, folds=4))
    assert sorted(row for fold in folds for row in fold.test) == list(range(11))
    assert [len(fold.test) for fold in folds] == [3, 3, 3, 2]
    for fold in folds:
        assert sorted([*fold.train, *fold.test]) == list(range(11))


@pytest.mark.parametrize("folds", [1, 0, 6])
def test_too_few_and_too_many_folds_are_refused(folds: int) -> None:
    with pytest.raises(GrowOptionsError, match=f"{folds} folds of 5 rows"):
        list(stratified_folds(np.zeros(5), folds=folds))
