"""The growing set of reduced-error pruning, compared with Weka's own loops."""

from __future__ import annotations

import literal_weka
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from j48geo.replaying.stratify import select_growing_rows


@given(st.lists(st.integers(0, 4), min_size=2, max_size=200), st.integers(2, 7))
def test_the_growing_rows_are_those_of_wekas_loops(labels: list[int], folds: int) -> None:
    expected = literal_weka.select_growing_rows(labels, folds)
    assert select_growing_rows(np.array(labels), folds).tolist() == expected


def test_grouping_by_swapping_is_not_a_stable_sort() -> None:
    labels = [0, 1, 2, 0, 1, 0, 2, 1, 0, 2, 2, 1]
    stable = np.argsort(labels, kind="stable")
    dealt = np.concatenate([stable[start::3] for start in range(3)])
    expected = literal_weka.select_growing_rows(labels, 3)
    assert (
        select_growing_rows(np.array(labels), 3).tolist() == expected != sorted(dealt[:8].tolist())
    )


def test_a_hundred_thousand_rows_take_no_time() -> None:
    labels = np.random.default_rng(1).integers(0, 10, 100_000)
    assert len(select_growing_rows(labels, 3)) == 100_000 - 33_333
