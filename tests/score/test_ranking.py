"""Ranks: equals share one, the order among them is the file's."""

from __future__ import annotations

from math import inf, nan

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from j48geo.score.ranking import rank_scores

VALUES = st.sampled_from((0.0, -0.0, 1.0, -1.0, inf, -inf, nan, 0.5))


def better(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    for x, y in zip(a, b, strict=True):
        if x > y or (x == x and y != y):
            return True
        if y > x or (y == y and x != x):
            return False
    return False


@given(st.lists(st.tuples(VALUES, VALUES), max_size=30))
def test_the_rank_of_a_case_is_one_more_than_the_cases_before_it(
    pairs: list[tuple[float, float]],
) -> None:
    score, within = np.array(pairs).reshape(-1, 2).T
    local = rank_scores(score, within)
    assert local.rank.tolist() == [1 + sum(better(b, a) for b in pairs) for a in pairs]
    order = sorted(range(len(pairs)), key=lambda i: (local.rank[i], i))
    assert local.order.tolist() == order
    assert local.places == len(set(local.rank.tolist()))
    alone = rank_scores(score)
    assert alone.rank.tolist() == [
        1 + sum(better((b,), (a,)) for b in score.tolist()) for a in score.tolist()
    ]
    assert alone.order.tolist() == sorted(range(len(pairs)), key=lambda i: (alone.rank[i], i))


def test_equals_share_the_best_rank_and_the_next_ones_are_skipped() -> None:
    found = rank_scores(np.array([2.0, 7.0, 7.0, 2.0, 1.0]))
    assert found.rank.tolist() == [3, 1, 1, 3, 5]
    assert found.order.tolist() == [1, 2, 0, 3, 4]


def test_both_zeros_are_equal_and_unknown_scores_come_last() -> None:
    found = rank_scores(np.array([nan, -0.0, 0.0, nan, -5.0]))
    assert found.rank.tolist() == [4, 1, 1, 4, 3]
    assert rank_scores(np.array([0.0, -0.0])).places == 1


def test_no_cases_have_no_ranks() -> None:
    found = rank_scores(np.empty(0))
    assert (found.order.tolist(), found.rank.tolist(), found.places) == ([], [], 0)
